"""The tagging step: a tagger, or a lexicon as text, the words that have no tag yet, and how far it reaches."""

from dataclasses import replace

import streamlit as st

from core.annotation.label_inventories import UPOS_KEYS
from core.constraints import Problem
from core.parsers.readers import tagger_names, tagger_title
from core.treebank.tagging import UNKNOWN
from core.workspace import Tagging
from core.workspace.corpora import language_of
from core.workspace.corpus.hand_tags import hand_tags, teach_list
from core.workspace.corpus.tag_check import frequent_endings, word_sentences, words_of_ending
from core.workspace.corpus.tagging import offered_lists, tag_by, untagged_table, without_tagger
from core.workspace.languages import TAGGING, merged_text
from core.workspace.word_tags import LEARNT, change_tagging, save_tagging, saved_tagging
from pages.shared.basics import amount, callback_errors, escape, flash, refuse, report_errors, session
from pages.shared.corpus.contractions import contraction_table
from pages.shared.corpus.tag_check import check_tags
from pages.shared.corpus.view_state import CorpusView
from pages.shared.editor import save_typed, text_editor
from pages.shared.languages import sharing_menu
from pages.shared.setting import Settings
from pages.shared.widgets import action_button, choose_from, choose_view, column, draw_table

TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PROPN", "PRON", "DET", "ADP", "AUX", "CCONJ", "SCONJ", "PART", "NUM", "INTJ")
LISTED = 10  # words with another tag by hand that are drawn
VIEWS = {"words": "Words", "endings": "Endings", "check": "Check 20"}


@st.fragment
def tagging_step(corpus, treebank):
    """Draw it; ``treebank`` is the text as its file has it."""
    tagging = _current(corpus)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Tag the words", anchor=False, width="content")
        sharing_menu(corpus, "corpus", TAGGING)
    if tagging.reader:
        _tagged(corpus, treebank, tagging)
        return
    readers = tagger_names(language_of(corpus))
    reached = tagging.coverage(treebank)
    choice = "Let a tagger tag it, or say" if readers else "Say"
    missing = "this text came without any" if reached.tagged_tokens else "this text has none"
    others = "the tags of all others are learnt from these, and from what words of other languages are like."
    if tagging.other != LEARNT:
        others = f"all others are {escape(tagging.other)}."
    st.caption(f"Constraints refer to parts of speech, and {missing}. {choice} what some words are: {others}")
    if readers:
        _tagger(corpus, treebank, readers)
    words = f"**{reached.tagged_tokens:,}** of {amount(reached.tokens, 'word')} tagged ({reached.share:.1%})"
    if tagging.other == LEARNT:
        words += " by your list and by their shape"
    st.progress(reached.share, text=words)
    written, missing = st.columns([1, 1], gap="large")
    with written:
        _lists(corpus, tagging)
        _other(corpus, tagging)
        _lexicon(corpus, tagging)
        contraction_table(language_of(corpus), "corpus")
    with missing:
        by_hand = hand_tags(session().shown, corpus)
        views = VIEWS | ({"hand": f"By hand · {len(by_hand)}"} if by_hand else {})
        view = choose_view("Help with", views, "corpus_tag_view", linked=False)
        if view == "hand":
            _by_hand(corpus, by_hand)
        elif view == "words":
            _missing(corpus, treebank, tagging)
        elif view == "endings":
            _endings(corpus, treebank, tagging)
        else:
            check_tags(corpus)
    if reached.tagged_tokens:
        _go_on()


def _tagger(corpus, treebank, readers):
    """Draw the choice of a tagger and its button, then the progress of tagging with Cancel."""
    slot = st.empty()
    with slot.container(horizontal=True, vertical_alignment="bottom"):
        reader = readers[0]
        if len(readers) > 1:
            reader = st.selectbox(
                "Tagger", readers, format_func=lambda name: tagger_title(name).removeprefix("the "),
                key="corpus_tagger", width=320,
                help="A spaCy pipeline is for the language that its name begins with",
            )  # fmt: skip
        if not st.button(
            f"Tag with {tagger_title(reader)}", icon=":material/label:", key="corpus_tag_all",
            help="Tags every word, UPOS and XPOS; can be undone.",
        ):  # fmt: skip
            return
    slot.empty()
    loading = f"Loading {tagger_title(reader)}"
    progress = tagging_progress(slot, loading, reader, key="corpus_tag_cancel", icon=":material/stop:")
    with report_errors():
        tag_by(session().workspace, corpus, reader, progress)
        flash(f"{amount(treebank.token_count, 'word')} tagged by {escape(tagger_title(reader))}")
        st.rerun()
    slot.empty()


def tagging_progress(slot, text, reader, **button):
    """Draw a progress bar and Cancel in ``slot``, a container; returns ``progress(done, count)``, which moves the bar.

    ``button`` is as ``st.button`` takes it.
    """
    with slot.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=text)
        st.button("Cancel", **button)  # a click ends this run of the script

    def progress(done, count):
        bar.progress(done / count, text=f"{done:,} of {amount(count, 'sentence')} tagged by {tagger_title(reader)}")

    return progress


def _tagged(corpus, treebank, tagging):
    """Draw what a tagger has tagged, the lexicon that corrects it, and the button that removes its tags."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{amount(treebank.token_count, 'word')}** tagged by {escape(tagger_title(tagging.reader))}. Correct "
            "single words below: a word and its tag on each line. What a word is in one sentence only is corrected "
            "under Annotate.",
            width="stretch",
        )
        st.button(
            "Remove these tags", key="corpus_untag", icon=":material/label_off:", type="tertiary",
            on_click=_save, args=(corpus, without_tagger(tagging), "removing a tagger’s tags"),
            help="Your own lines stay; can be undone",
        )  # fmt: skip
    written, checked = st.columns([1, 1], gap="large")
    with written:
        _lexicon(corpus, tagging)
    with checked:
        check_tags(corpus)
    _go_on()


def _go_on():
    st.page_link("pages/constraints.py", label="Continue to Constraints", icon=":material/arrow_forward:")


def _lists(corpus, tagging):
    """Ask for lists that come along for the text's language; most languages have none."""
    offered, key = offered_lists(corpus, tagging), f"corpus_lists_{corpus.id}"
    if not offered:
        return
    chosen = [name for name in tagging.lists if name in offered]
    lists = choose_from(st.pills, "Word lists to start from", offered, default=chosen, selection_mode="multi", key=key)
    if tuple(lists) != tagging.lists:
        _change(corpus, lambda now: replace(now, lists=tuple(lists)), "choosing word lists")
        st.rerun()


def _lexicon(corpus, tagging):
    error = tagging.lexicon_or_rest()[1]
    problems = [] if error is None else [Problem(error.line or 1, 1, "error", str(error))]
    repetitions = tagging.repetitions()
    problems += [Problem(line, 1, "warning", message) for line, message in repetitions]

    def typed(text):
        _change(corpus, lambda now: replace(now, text=merged_text(tagging.text, now.text, text)), "editing the lexicon")

    text_editor(
        tagging.text, key=_editor(corpus), save=typed, problems=problems, label="Lexicon",
        saved=lambda: st.rerun("app"),  # the bar says what is saved and can be undone
    )  # fmt: skip
    if error is not None:
        refuse(error)
    elif repetitions:
        more = f" (and {len(repetitions) - 1:,} more)" if len(repetitions) > 1 else ""
        st.caption(f":orange[:material/warning:] Line {repetitions[0][0]}: {escape(repetitions[0][1])}{more}")
    several = "the first is used"
    if tagging.other == LEARNT and not tagging.reader:
        several = "in each sentence the one that fits; the first is the usual one"
    st.caption(f"`the DET` · `that SCONJ PRON`: {several} · `-ly ADV`: an ending · `@capital PROPN`: a capital letter")


def _other(corpus, tagging):
    """Draw the choice of the tag of all words that nothing else tags."""

    def save(label, other):
        save_typed(_editor(corpus))
        change_tagging(session().store, corpus, lambda now: now.with_other(other), label)

    single = [tag for tag in (*TAGS, tagging.other) if tag not in (LEARNT, UNKNOWN)]
    names = {LEARNT: "Learnt from your words", UNKNOWN: "X (not known)"} | {tag: tag for tag in single}
    Settings(f"corpus_{corpus.id}", tagging, save)(
        st.selectbox, "other", "Every other word", names, doing="tagging every other word", width=240,
        help="Words that no line, list or shape tags: learnt from words that end and stand like them, or one tag for "
        "all, written as `@other NOUN`",
    )  # fmt: skip


def _missing(corpus, treebank, tagging):
    """Ask for the tag of the word that settles most, by a key each; its sentences with their tags for now."""
    key = session().workspace.corpus_key(corpus)
    with report_errors(stop=True):
        table = session().cache.get("untagged words", key, lambda: untagged_table(treebank, tagging))
    if not table["form"]:
        st.success("Every word has a tag.", icon=":material/check:")
        return
    cells = (st.session_state.get("corpus_untagged") or {}).get("selection", {}).get("cells", [])
    chosen = cells[0][0] if cells and cells[0][0] < len(table["form"]) else 0
    form, likeliest = table["form"][chosen], table["likeliest"][chosen]
    st.markdown(f"Tag of “**{escape(form)}**”")
    with st.container(horizontal=True, gap="small", key="corpus_tags"):
        for tag in TAGS:
            action_button(
                tag, f"corpus_tag_{tag}", None, _tag, corpus, form, tag, shortcut=UPOS_KEYS[tag],
                type="primary" if tag == likeliest else "secondary",
            )  # fmt: skip
    for sentence in word_sentences(session().shown.standing(corpus).treebank, form):
        st.markdown(sentence)
    st.caption("Words without a tag of yours, those first whose tags settle most")  # the table’s toolbar covers this
    columns = {"form": "Word", "count": column("Count", format="localized")}
    columns |= {"settles": column("Settles", format="%.0f", help="How many words of the text its tag is expected to "
                                  "settle: its own, and some that end like it"),
                "likeliest": column("For now", help="The tag that is learnt for it")}  # fmt: skip
    draw_table(
        table, key="corpus_untagged", on_select="rerun", selection_mode="single-cell", height=250, columns=columns,
        alt=f"{amount(len(table['form']), 'word')} to tag next",
    )  # fmt: skip


def _by_hand(corpus, words):
    """Draw the words that have another tag by hand than by the list, each with the button that settles it."""
    for word in words[:LISTED]:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(escape(word.sentence), width="content")
            action_button(f"{word.by_hand} in the list", f"corpus_teach_{word.form}", None, _teach, corpus, [word])
    if len(words) > LISTED:
        st.caption(f"The {LISTED} corrected most often of {amount(len(words), 'word')}")
    if len(words) > 1:
        action_button(f"All {len(words)} as by hand", "corpus_teach_all", "playlist_add", _teach, corpus, words)


@callback_errors(rerun=True)  # the bar says what is saved and can be undone
def _teach(corpus, words):
    save_typed(_editor(corpus))
    teach_list(session().workspace, corpus, words)


def _endings(corpus, treebank, tagging):
    """Ask for an ending, and show the words that a line for it would tag."""
    lexicon = tagging.lexicon_or_rest()[0]
    key = session().workspace.corpus_key(corpus)
    offered = session().cache.get("endings", key, lambda: frequent_endings(treebank, lexicon))
    example = f"-{next(iter(offered))}" if offered else None
    ending = st.text_input("Ending", key=CorpusView.ending, placeholder=example, max_chars=20)
    ending = ending.strip().lstrip("-").lower()
    if not ending:
        more = ", or choose one that many of them have" if offered else ""
        st.caption(f"Type an ending{more}: the words without a tag that end so are listed.")
        with st.container(horizontal=True, gap="small"):
            for name, count in offered.items():
                action_button(
                    f"-{escape(name)}", f"corpus_ending_{name}", None, _choose_ending, name,
                    help=f"{amount(count, 'word')} without a tag",
                )  # fmt: skip
        return
    words = words_of_ending(treebank, lexicon, ending)
    if not words:
        st.caption(f"No word without a tag ends in -{escape(ending)}.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tag = st.selectbox(f"Tag of words in -{escape(ending)}", TAGS, key="corpus_ending_tag", accept_new_options=True)
        action_button(
            "Tag them", "corpus_tag_ending", None, _tag_ending, corpus, ending, tag, type="primary",
            help="Adds a line to the lexicon; words with a line of their own keep their tag",
        )  # fmt: skip
    st.caption(f"{amount(len(words), 'word')} without a tag, {amount(sum(words.values()), 'occurrence')}")
    table, columns = {"form": list(words), "count": list(words.values())}, {"form": "Word"}
    columns |= {"count": column("Count", format="localized")}
    draw_table(table, key="corpus_caught", most=290, columns=columns, alt=f"Words in -{ending} without a tag")


def _choose_ending(ending):
    CorpusView().ending = ending


@callback_errors(rerun=True)
def _tag(corpus, form, tag):
    save_typed(_editor(corpus))
    _change(corpus, lambda now: now.with_word(form, tag), f"tagging {form} as {tag}")


@callback_errors(rerun=True)
def _tag_ending(corpus, ending, tag):
    save_typed(_editor(corpus))
    _change(corpus, lambda now: now.with_ending(ending, tag), f"tagging words in -{ending} as {tag}")


def _current(corpus):
    """The Tagging of a corpus; one that learns if none is saved yet."""
    return saved_tagging(session().store, corpus) or Tagging(learnt=True)


def _editor(corpus):
    return f"corpus_lexicon_{corpus.id}"


@callback_errors(rerun=True)
def _save(corpus, tagging, label):
    save_tagging(session().store, corpus, tagging, label)


@callback_errors()
def _change(corpus, make, label):
    change_tagging(session().store, corpus, make, label)
