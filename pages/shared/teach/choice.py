"""What is stepped through: the algorithm, the sentence, and where the scores come from."""

from dataclasses import replace
from typing import Any

import streamlit as st

from core.languages.names import UNKNOWN, language_name
from core.teach.algorithms import ALGORITHMS
from core.teach.greedy import GREEDY
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.corpora import language_of
from core.workspace.rules import rules_text
from core.workspace.teach.choice import (
    AS_ENGLISH,
    BOTH,
    CORPUS,
    DICE,
    EQUAL,
    FIRST,
    MOVERS,
    OF_TEXT,
    ORACLE,
    OWN,
    PAIRS,
    PARSER,
    SCORES,
    SOURCES,
    TREE,
    TYPED,
    Choice,
)
from pages.shared.address import bind_value
from pages.shared.basics import escape, flash, session
from pages.shared.group_choice import chosen_name, group_choice
from pages.shared.teach.state import EDITING, moves, room
from pages.shared.teach.view_state import TeachView
from pages.shared.widgets import LINKED, choose_one, choose_view

LONGEST_TYPED = 4000  # letters: more words than any picture has are refused by a sentence, not cut
SHOWN: dict[str, Any] = {"label_visibility": "visible"}
LINES, LINE_OF = "teach_lines", "teach_line_of"  # {algorithm: what was typed for it}, and the one that was shown


def choose(corpus):
    """Draw the choices; returns a Choice, or None where there is nothing to choose."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with row:
        names = {key: algorithm.name for key, algorithm in ALGORITHMS.items()}
        algorithm = ALGORITHMS[
            choose_one("Algorithm", names, TeachView.algorithm, width=230, on_change=_change_algorithm, **SHOWN)
        ]
        st.session_state[LINE_OF] = algorithm.key
        pairing = algorithm.pairing
        # a link that does not say where two sentences come from shows the built-in example
        source = choose_view("Sentences from", PAIRS, TeachView.pair, default=TYPED, **SHOWN) if pairing else CORPUS
        if not pairing:
            source = choose_view("Sentence from", SOURCES, TeachView.source, default=CORPUS, **SHOWN)
    if pairing and source != CORPUS:
        return _two_sentences(corpus, algorithm, source, row)
    with row:
        number, typed, read = 1, FIRST, OF_TEXT
        if source == TYPED:
            typed = _typed("Words, separated by spaces", TeachView.typed, FIRST)
            read = _read_as(corpus)
        else:
            number = _sentence(corpus, algorithm)
            if number is None:
                return None
        _purpose(algorithm)
    untagged = source == CORPUS and _untagged(corpus, algorithm)
    if untagged and "scores" not in algorithm.wants:
        return None
    choice = Choice(algorithm.key, source, number, typed, EQUAL, read=read)
    if pairing:
        return _second(corpus, algorithm, replace(choice, scores=PARSER))
    if "line" in algorithm.wants:
        choice = replace(choice, constraint=_line(corpus, choice))
    if "lines" in algorithm.wants:
        choice = replace(choice, constraint=_lines(corpus, choice))
    if "rules" in algorithm.wants:
        choice = replace(choice, constraint=_rules(corpus, choice))
    if "bracket" in algorithm.wants:
        choice = replace(choice, constraint=_bracket())
    if "tree" in algorithm.wants:
        choice = replace(choice, constraint=_wanted(corpus, choice))
    if "weight" in algorithm.wants:
        choice = replace(choice, constraint=_weight())
    if "scores" not in algorithm.wants:
        return choice
    with row:
        choice = _scores(corpus, choice, untagged)
        if "mover" in algorithm.wants and _mover() == GREEDY:
            choice = replace(choice, constraint=GREEDY)
    return replace(choice, moves=moves(choice)) if "moves" in algorithm.wants else choice


def _two_sentences(corpus, algorithm, source, row):
    """Two sentences of no text: the built-in example, or typed ones, whose fields have a line under the row's."""
    choice = Choice(algorithm.key, TYPED, scores=EQUAL, read=AS_ENGLISH)
    with row:
        if source == BOTH:
            choice = Choice(algorithm.key, BOTH, read=_read_as(corpus))
        _purpose(algorithm)
    if source != BOTH:
        return choice
    first, second = algorithm.pairing.typed
    with st.container(horizontal=True, gap="small"):
        first = _typed("First sentence", TeachView.typed, first)
        second = _typed("Second sentence", TeachView.typed_second, second)
    return replace(choice, typed=first, typed_second=second)


def _typed(label, key, usual):
    """Draw a field for a sentence; returns it."""
    sentence = st.text_input(
        label, usual, key=key, width="stretch", max_chars=LONGEST_TYPED, placeholder=usual,
        help="Words may have tags: `the/DET old/ADJ man/NOUN`. Otherwise they are tagged.", **LINKED | SHOWN,
    )  # fmt: skip
    return sentence or ""


def _read_as(corpus):
    """Draw the choice of the language that a typed sentence is tagged and scored in, where there is one."""
    code = language_of(corpus)
    if code == "en":
        return AS_ENGLISH
    names = {OF_TEXT: "Like this text" if code == UNKNOWN else language_name(code), AS_ENGLISH: "English"}
    return choose_view("Language", names, TeachView.read, **SHOWN)


def _change_algorithm():
    """Bring back what was typed for the algorithm before; in a callback."""
    lines = st.session_state.setdefault(LINES, {})
    lines[st.session_state.get(LINE_OF)] = TeachView().line or ""
    TeachView().line = line = lines.get(TeachView().algorithm, "")
    bind_value(TeachView.line, line)
    _keep_source()


def _keep_source():
    """Take two sentences from the same source as the former algorithm's; in a callback.

    Two typed ones stay, or begin with the algorithm's own where nothing else was typed.
    """
    pairing = ALGORITHMS[TeachView().algorithm].pairing
    if pairing is None:
        return
    if TeachView().pair != BOTH:
        TeachView().pair = source = TeachView().source or CORPUS
        bind_value(TeachView.pair, PAIRS[source])
    usual = [known.pairing.typed for known in ALGORITHMS.values() if known.pairing is not None]
    if TeachView().typed == FIRST or (TeachView().typed, TeachView().typed_second) in usual:
        TeachView().typed, TeachView().typed_second = pairing.typed


def _sentence(corpus, algorithm):
    """The number of a sentence that fits, or None where none does."""
    among = group_choice(corpus, session().workspace.treebank(corpus), width=170)
    places, count = room().fitting(corpus, algorithm, among)
    if not places:
        owner = escape(chosen_name() or corpus.name)
        st.info(f"{owner} {algorithm.missing}.", icon=":material/info:")
        return None
    chosen = TeachView().first
    if chosen is not None and chosen not in places:
        st.session_state.pop(TeachView.first)
        if chosen - 1 in among:  # no wonder where a group without it was chosen
            flash(f"Sentence {chosen} is not shown: {algorithm.unfit}. This is one that fits.", ":material/info:")
    shown = f"first {len(places):,} of {count:,}" if len(places) < count else f"{count:,}"
    names, help_text = room().sentence_names(corpus, places), f"{shown} {algorithm.offered}"
    with st.spinner("Looking for a sentence to begin with", show_time=True):
        first = places.index(room().first(corpus, algorithm, places))
    return choose_one("Sentence", names, TeachView.first, width="stretch", help=help_text, index=first, **SHOWN)


def _second(corpus, algorithm, choice):
    """The Choice with its second sentence, which is at first one that shares with the first what it takes."""
    shares = algorithm.pairing.shares
    with st.spinner(f"Looking for a sentence that shares {shares}", show_time=True):
        seconds, partner = room().seconds(corpus, choice), room().partner(corpus, choice)
    names = room().sentence_names(corpus, seconds)
    names = {0: names.get(partner, f"No sentence shares {shares}")} | names
    second = choose_one(
        "Second sentence", names, TeachView.second, width="stretch", help=algorithm.pairing.help, **SHOWN
    )  # fmt: skip
    return replace(choice, second=second or 0)


def _line(corpus, choice):
    """Draw the choice of a line of the text's set that matches the sentence, or of a typed one; returns the line.

    By default it is the first that matches; "", where there is none, has one made for the sentence.
    """
    lines = room().lines(corpus, choice, _set_of(corpus))
    line = st.selectbox(
        "Constraint", ["", *lines], key=TeachView.line, accept_new_options=True,
        format_func=lambda line: line or "A constraint that matches this sentence", width="stretch",
        help="Choose one of this text’s constraints that matches the sentence, or type one, such as "
        "`DET <- NOUN = 0.9`", **LINKED,
    )  # fmt: skip
    return line or (lines[0] if lines and choice.source != TYPED else "")


def _lines(corpus, choice):
    """Draw a field for lines, one under the other; returns them or, without any, those of the text's own set."""
    typed = st.text_area(
        "Constraints", "", key=TeachView.line, height=68, max_chars=4000,
        placeholder="Constraints, one under the other, such as DET <- NOUN per modifier = 0.9; leave it empty for this "
        "text’s own constraints, or twenty-five universal ones where it has none", **LINKED,
    )  # fmt: skip
    return typed if typed.strip() or choice.source == TYPED else _set_of(corpus)


def _rules(corpus, choice):
    """Draw a field for rules, one under the other; returns them or, without any, those of the text's language."""
    usual = "one that the parser breaks"
    usual = usual if choice.source == TYPED else f"this text’s own, or {usual} where it has none"
    typed = st.text_area(
        "Rules", "", key=TeachView.line, height=68, max_chars=4000,
        placeholder=f"Rules, one under the other, such as VERB has at most 1 nsubj; leave it empty for {usual}",
        **LINKED,
    )  # fmt: skip
    return typed if typed.strip() or choice.source == TYPED else rules_text(session().store, corpus)


def _bracket():
    """Draw a field for a bracket, the numbers of its first and last word; "" has one chosen for the sentence."""
    return st.text_input(
        "Bracket", "", key=TeachView.line, width="stretch", max_chars=20,
        placeholder="The numbers of its first and last word, such as 2-4; leave it empty for one that shows most",
        **LINKED,
    )  # fmt: skip


def _wanted(corpus, choice):
    """Draw a field for the heads of the wanted tree; returns them or, without any, those of the text's own tree."""
    usual = (
        "the second best tree" if choice.source == TYPED else "the text’s tree, or the second best where it has none"
    )
    typed = st.text_input(
        "Wanted tree", "", key=TeachView.line, width="stretch", max_chars=80,
        placeholder=f"The head of each word, 0 for the root, such as 2 0 4 2; leave it empty for {usual}", **LINKED,
    )  # fmt: skip
    return typed if typed.strip() or choice.source == TYPED else room().heads_line(corpus, choice)


def _weight():
    """Draw a field for the weight of a subtree that the other parser has; "" is the usual one."""
    return st.text_input(
        "Weight of a shared subtree", "", key=TeachView.line, width="stretch", max_chars=10,
        placeholder="Weight of a subtree that the other list has, in nats, such as 0.5; leave it empty for 1", **LINKED,
    )  # fmt: skip


def _mover():
    """Draw the choice of who takes the moves that nobody chose."""
    return choose_view(
        "Moves taken by", MOVERS, TeachView.mover, default=ORACLE, **SHOWN,
        help="**The oracle** knows the wanted tree. **A greedy parser** learns in seconds from the short trees of this "
        "text, or of the English sample for a typed sentence, and takes the move that it scores highest.",
    )  # fmt: skip


def _set_of(corpus):
    """The text of a corpus's constraint set."""
    return constraint_text(session().store, corpus, session().workspace.treebank(corpus))


def _untagged(corpus, algorithm):
    """Whether the text has no tags; then draw what can be done."""
    bank = session().workspace.treebank(corpus)
    if bank.upos.filled or bank.xpos.filled:
        return False
    why = "so scores are random" if "scores" in algorithm.wants else f"and {algorithm.name} needs them"
    instead = "choose the built-in example" if algorithm.pairing is not None else "type a sentence"
    st.info(
        f"{escape(corpus.name)} has no tags, {why}. Tag its words on the Corpus page, or {instead}.",
        icon=":material/info:",
    )
    return True


def _scores(corpus, choice, untagged):
    """The Choice with its scores."""
    of_text = choice.source == CORPUS and room().has_tree(corpus, choice)
    options = [name for name in SCORES if of_text or name != TREE]
    if TeachView().scores not in (None, *options):
        TeachView().scores = PARSER  # the sentence before had a tree
    usual = DICE if untagged else PARSER
    if of_text and "moves" in ALGORITHMS[choice.algorithm].wants:
        usual = TREE
    with st.popover("Scores", icon=":material/tune:", key="teach_scores_box"):
        scores = choose_view(
            "Scores from", SCORES, TeachView.scores, options=options, default=usual, **SHOWN,
            help=f"Scores of arcs, in nats. **Parser**: {escape(room().scored_by(corpus, choice))}, to a tenth. "
            "**The text’s tree**: 1 for its arcs, 0 for all others. **Random**: whole numbers from 0 to 9. "
            "**My own**: type them as one line, or turn on *Edit the table*.",
        )  # fmt: skip
        dice, own_scores = 1, ""
        if scores == DICE:
            dice = st.number_input("Draw", 0, 2**31 - 1, 1, key=TeachView.draw, width=130, **LINKED)
        if scores == OWN:
            own_scores = st.text_input(
                "Scores as a line", "", key=TeachView.own, width="stretch",
                placeholder="one row per head, the root’s first, with ; between rows; x forbids an arc", **LINKED,
            )  # fmt: skip
        help_text = "Exactly one word attaches to the root, as in treebanks. Off: any number may."
        one_root = st.toggle("One root word", True, key=TeachView.single_root, bind="query-params", help=help_text)
        st.toggle("Edit the table", key=EDITING, help="Type scores into the table of all arcs, under the picture.")
    return replace(choice, scores=scores, dice=dice, own=own_scores, single_root=one_root)


def _purpose(algorithm):
    with st.popover("What it does", icon=":material/help:", key="teach_purpose"):
        st.markdown(f"**{algorithm.name}.** {escape(algorithm.purpose)}")
        if algorithm.formula:
            st.latex(algorithm.formula)
        st.caption(f"{escape(algorithm.source)}. At most {algorithm.longest} words: {escape(algorithm.why)}.")
