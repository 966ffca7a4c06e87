"""Brackets on the text beside the tree of one sentence: level, filters, list, verdicts, the arcs that break them."""

import contextlib
from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.treebank import conllu_text
from core.workspace.markup.brackets import places_in_page, sentence_data, verdict_drawing, verdict_table
from core.workspace.markup.tables import held_at
from core.workspace.parses import BASELINES, available_trees
from core.workspace.relations import chosen_relations
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.component import component
from pages.shared.group_choice import ALL, chosen_name, group_choice
from pages.shared.markup import state
from pages.shared.markup.view_state import MarkupView
from pages.shared.parse_menu import add_parse_button
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import parse_key, parsed
from pages.shared.widgets import (
    action_button,
    choose_from,
    choose_one,
    choose_view,
    column,
    download,
    draw_table,
    pager,
)

LEVELS = {"strict": "Strict", "loose": "Loose", "sprawl": "Sprawl", "tear": "Tear"}
MEANT = {
    "strict": "One arc enters the marked words and none leaves them: they are a phrase of their own.",
    "loose": "One arc enters the marked words; arcs leave them only from the word it enters at, their head.",
    "sprawl": "One arc enters the marked words; arcs may leave from any of them.",
    "tear": "All arcs that enter the marked words come from the same side.",
}
OWN, INDUCED = "own", "induced"
LEARNERS = (
    ("induction", "Induction", "A grammar from tags and mark-up alone, whose trees keep the mark-up that they can."),
    ("constraints", "Constraints", "A parser from what you know; mark-up counts as *Brackets* in its settings say."),
)
PAPER = {"strict": "35.6", "loose": "87.5", "sprawl": "95.1", "tear": "98.9"}
VERDICTS = {"all": "All", "holds": "That hold", "breaks": "That break"}
WIDTH = 420  # pixels
_MARKED = component("marked", ["marked.js"], "marked.css")


def level_choice():
    """Draw the choice of the level to judge by."""
    choose_view("Level", LEVELS, MarkupView.level, default="loose")


def under_trees(text):
    """(the MarkedText under the trees that were chosen, {choice: whose trees}): its own, induced ones, any parse."""
    names = {OWN: text.trees_by or "the text’s own"} if text.judged else {}
    left = None
    with contextlib.suppress(WorkbenchError):  # a text without tags, which nothing can be learnt from
        left = session().system("induction").newest(text.corpus)
    if left is not None:
        relations, trees_by = chosen_relations(session().workspace, text.corpus), f"run {left.run.id} under Induction"
        key = "induced", left.run.id, relations.key
        induced = state.room().under_parse(text.corpus, key, trees_by, lambda: relations.applied(left.parses[""]))
        names |= {INDUCED: trees_by}
    names = names or {OWN: "none yet"}
    offers = [offer for offer in available_trees(session().systems, text.corpus) if offer.key not in BASELINES]
    names |= {offer.key: offer.name for offer in offers}
    chosen = MarkupView().trees
    if chosen == INDUCED or (chosen not in names and next(iter(names)) == INDUCED):
        return induced, names
    if chosen in names and chosen != OWN:
        with report_errors():
            parse = parsed(text.corpus, chosen)
            key = parse_key(text.corpus, chosen)
            return state.room().under_parse(text.corpus, key, names[chosen], lambda: parse.written), names
    return text, names


def explorer(text, places):
    """Draw the sentences among ``places`` and the one that is open."""
    brackets, sentences = state.room().find(text, state.query(), places)
    left, right = st.columns([6, 7], gap="large")
    with left:
        if not sentences:
            st.info("No bracket matches these filters.", icon=":material/search_off:")
            return
        listed = st.container()
        shown = _page(text, sentences, len(brackets), listed)
        opened, number = state.opened(shown)
        level = state.level()
        rows = session().cache.get(
            "mark rows", (text.key, level, *shown), lambda: [sentence_data(text, index, level) for index in shown]
        )
        page = f"{text.corpus.id}-{shown[0]}-{shown[-1]}-{len(shown)}"
        with listed:
            marked_sentences(rows, opened, "mk_list", "Sentences with mark-up", page, state.open_mark)
    with right:
        _sentence(text, opened, number)


def headline(text):
    """Draw how many of the brackets hold, or why that is not known."""
    level, sentences = state.level(), len(text.of_sentence)
    where = f"in {sentences:,} of {amount(len(text.treebank), 'sentence')}"
    counted = f"{amount(len(text.marks), 'bracket')} {where}"
    estimate, explanation = held_at(text, level), f"**{LEVELS[level]}**: {MEANT[level]}"
    if estimate is None:
        none = "There are no trees to judge them by: *Learn from it* leads to parsers that draw some."
        st.markdown(
            f"**{counted}**. {'They are judged as soon as their trees are parsed.' if text.unparsed else none}",
            width="stretch",
            help=f"With trees, each bracket holds or breaks at each level. {explanation}",
        )
        return
    held, judged, low, high = estimate
    tree_source = f"the trees of {text.trees_by}, which makes errors, too" if text.trees_by else "the text’s own trees"
    st.markdown(
        f"**{held / judged:.1%}** of the brackets hold at *{level}*: {held:,} of {judged:,} · {text.kept(level).words}"
        + (f" · trees by {text.trees_by}" if text.trees_by else ""),
        width="stretch",
        help=f"{counted}. 95% interval {low:.1%} to {high:.1%} (Wilson), by {tree_source}. {explanation} In the blog "
        f"of Spitkovsky et al. 2010, §5.3, {PAPER[level]}% hold at this level. What holds at a level holds at those "
        "after it.",
    )


def learners():
    """Draw the button behind which the two pages are on which a parser learns from mark-up."""
    with st.popover("Learn from it", icon=":material/model_training:", key="mk_learn"), st.container(width=WIDTH):
        for page, title, about in LEARNERS:
            st.page_link(f"pages/{page}.py", label=title, icon=":material/arrow_forward:")
            st.caption(about)


def filters(text):
    """Draw the button behind which brackets are filtered; returns the places of the sentences to choose from."""
    set_here = [
        bool(MarkupView().tag), MarkupView().verdict not in (None, "all"),
        (MarkupView().lengths or (1, text.longest)) != (1, text.longest), chosen_name() != ALL,
    ]  # fmt: skip
    name = f"Filter ({sum(set_here)})" if any(set_here) else "Filter"
    with st.popover(name, icon=":material/filter_alt:", key="mk_filters"), st.container(width=WIDTH):
        st.pills(
            "Tags", list(text.tags), format_func=lambda tag: f"{escape(tag)} {text.tags.get(tag, 0):,}",
            key=MarkupView.tag, bind="query-params", on_change=state.first_page,
        )  # fmt: skip
        if text.judged:
            choose_from(
                st.segmented_control, "Brackets", VERDICTS, default="all", key=MarkupView.verdict,
                required=True, bind="query-params", on_change=state.first_page,
            )  # fmt: skip
        if text.longest > 1:
            st.slider(
                "Marked words", 1, text.longest, (1, text.longest), key=MarkupView.lengths, on_change=state.first_page,
                bind="query-params",
            )  # fmt: skip
        return group_choice(text.corpus, text.treebank, MarkupView.page, width="stretch")


def trees_choice(corpus, trees):
    """Draw whose trees the brackets are judged by; ``trees`` as ``under_trees`` tells."""
    if len(trees) < 2:
        return
    shown = {key: f"Trees: {name}" for key, name in trees.items()}
    choose_one(
        "Trees", shown, MarkupView.trees, gone=("parse", "the usual trees are shown"), width=200,
        help="Whose trees the brackets are judged by",
    )  # fmt: skip
    add_parse_button(corpus, "mk", _added, label="Add", type="tertiary")


def _added(parse):
    MarkupView().trees = parse


def _page(text, sentences, brackets, above):
    """Draw the pager and the buttons below a list, and its title in ``above``; returns the sentences of the page."""
    pages = -(-len(sentences) // state.AT_ONCE)
    with above, st.container(horizontal=True, vertical_alignment="center"):
        only = MarkupView().only
        if only:
            action_button(escape(only[0]), "mk_clear", "close", _clear, help="Show all brackets again")
        counted = amount(brackets, "bracket")
        counted = counted if brackets == len(text.marks) else f"{brackets:,} of {amount(len(text.marks), 'bracket')}"
        st.caption(f"{counted} in {amount(len(sentences), 'sentence')}", width="content")
    position = pager(pages, MarkupView.page) if pages > 1 else 1
    with st.container(horizontal=True, vertical_alignment="center"):
        save_results(text.corpus, text.treebank, sentences, "mk")
        name = f"{text.corpus.name.removesuffix('.conllu')}.conllu"
        help_text = "All sentences, with their brackets in # markup comments and in MISC"
        download("Whole text", lambda: conllu_text(text.treebank), name, "mk_download", help=help_text)
    return sentences[(position - 1) * state.AT_ONCE : position * state.AT_ONCE]


def _clear():
    st.session_state.pop(MarkupView.only, None)
    state.first_page()


def _sentence(text, index, number):
    level, marks = state.level(), text.of_sentence[index]
    sentence = text.treebank[index]
    source = sentence.comment("source")
    about = [f"Sentence {index + 1:,}", sentence.sent_id, source and f"from {source}"]
    st.caption(escape(" · ".join(part for part in about if part)))
    broken = [mark for mark in marks if mark.breaks(level) and number in (None, mark.number)]
    judged = [mark for mark in marks if mark.hardest is not None]
    if broken:
        which = "The bracket" if number is not None or len(marks) == 1 else f"{len(broken)} of {len(marks)} brackets"
        st.markdown(
            f":red[**{which} {'does' if len(broken) == 1 else 'do'} not hold at {level}**]. Dashed arcs are at fault."
        )
    elif judged:
        subject = "Every bracket here" if number is None else "This bracket"
        st.markdown(f"{subject} holds at *{level}*.")
    dependency_tree(verdict_drawing(text, index, level, number), key="mk_tree", height=430)
    _verdicts(text, index, marks)
    _in_the_page(text, index, number)


@report_errors()
def _in_the_page(text, index, number):
    """Draw the elements of the page that the brackets were in, as text."""
    with st.expander("Show in the page", icon=":material/code:", key="mk_in_page", on_change="rerun") as opened:
        if opened.open:
            _elements(text, index, number)


def _elements(text, index, number):
    places = places_in_page(text, index, number)
    if places is None:
        st.caption("Where the brackets stand in their pages was not kept with this text; pages imported now keep it.")
    elif not places:
        st.caption("Punctuation marks these words, and no element of the page.")
    for words, tag, path, source in places or ():
        st.markdown(f"**{escape(words)}** · {escape(path)}")
        if source:
            st.code(source, language="html", wrap_lines=True)
        else:
            st.caption(f"The page nests too deeply for a path; it is marked by `{escape(tag)}`.")


def _verdicts(text, index, marks):
    def choose(row, column):
        state.open_mark(index, marks[row].number)
        if column in LEVELS:
            MarkupView().level = column

    columns = {"tag": 45, "words": ("Marked words", 200)}
    columns |= {name: column(title, 70, help=MEANT[name]) for name, title in LEVELS.items()}
    alt = f"{amount(len(marks), 'bracket')} of the sentence, and whether the tree respects each at each level"
    show_all = partial(state.open_mark, index, None)
    table, key = verdict_table(text, index), f"mk_verdicts_{index}"
    draw_table(table, key=key, choose=choose, clear=show_all, most=188, columns=columns, alt=alt)


def marked_sentences(rows, chosen, key, label, page, choose):
    """Draw it.

    Parameters
    ----------
    rows : list of dict
        From ``core.workspace.markup.brackets.sentence_data``. Shown as text, whatever it says.
    chosen : int
        Sentence that is highlighted.
    key, label : str
        ``label`` is read aloud.
    page : str
        Names what is listed; the list keeps its place while this stays the same.
    choose : callable
        ``choose(sentence, number)`` is called when somebody clicks a sentence, or one of its brackets (else None).
    """
    offered = {(row["sentence"], bracket["number"]) for row in rows for bracket in [{"number": None}, *row["brackets"]]}

    def chose():
        sent = (st.session_state.get(key) or {}).get("sel")
        pair = (sent.get("sentence"), sent.get("number")) if isinstance(sent, dict) else None
        if pair in offered:  # checked like everything from outside
            choose(*pair)

    _MARKED(data={"rows": rows, "chosen": chosen, "label": label, "page": page}, key=key, on_sel_change=chose)
