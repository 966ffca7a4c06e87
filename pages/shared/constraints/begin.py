"""Beginning a constraint set: constraints that hold in any language, and questions about word order.

The answers are stored with the text; the universal parser follows them wherever it parses that text.
"""

from functools import partial

import streamlit as st

from core.constraints.authoring.word_order import NAMES as QUESTIONS
from core.constraints.authoring.word_order import format_order, parse_order
from core.workspace.constraints import constraint_set
from core.workspace.constraints.conditioning import begins_with_prior
from core.workspace.constraints.inputs import GRAMMAR
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.setting import Settings
from pages.shared.widgets import action_button, choose_from

SUGGESTED = "ge_begin_suggested"  # key of the text whose edges are shown beside the questions
BESIDE_PRIOR = (
    "They are for a grammar that begins from nothing. The universal parser knows more than they say: on top of it they "
    "made trees worse on average. Write constraints for what its trees get wrong."
)
FORMER = "ge_begin_former"  # (key of a text, its answers before the last one)
ORDER = "ge_begin_order"


@report_errors()
def begin_panel(text):
    """Draw it; the constraints are added in one step, which Undo takes back."""
    grammar = session().systems[GRAMMAR]
    with st.container(border=True, key="ge_begin"):
        st.markdown("**Begin with its word order, and constraints that hold in any language**")
        heads = _heads(text)
        answers = _answers(text, grammar) if heads == "content" else {}
        beginning = constraint_set.beginning(text, heads, answers)
        count = sum(1 for line in beginning.text.splitlines() if line.strip() and not line.startswith("#"))
        with st.container(horizontal=True, vertical_alignment="center"):
            label = f"Add {amount(count, 'constraint')}"
            how = {"type": "tertiary", "help": BESIDE_PRIOR} if begins_with_prior(text) else {}
            action_button(label, "ge_begin_add", "playlist_add", _add, text, beginning, disabled=not count, **how)
            if heads == "content":
                st.button(
                    "Suggest from the text", key="ge_begin_suggest", type="tertiary", icon=":material/lightbulb:",
                    on_click=_suggest, args=(text, grammar),
                    help="Reads the first and the last words of sentences, no tree: an adposition that begins "
                    "sentences and never ends one stands before its noun",
                )  # fmt: skip
        _left_out(beginning)


def answers_panel(text):
    """Draw the answers about word order beside constraints, closed: they go on to turn the universal parser's trees."""
    grammar = session().systems[GRAMMAR]
    now = parse_order(grammar.plan(text.corpus).word_order)
    with st.expander("Word order", key="ge_order", on_change="rerun") as panel:  # of one label, else it closes
        if panel.open:
            ask = Settings(ORDER, now, partial(_keep, text, grammar))
            _questions(ask, now, tuple(QUESTIONS.values()), None, constraint_set.doubts(text, now))
    answers = ", ".join(f"{name} {answer}" for name, answer in now.items())
    st.caption(f"Word order: {escape(answers) or 'no answer yet'}")


def _heads(text):
    offered = constraint_set.heads_offered(text)
    if len(offered) == 1:
        return offered[0]
    about = (
        "Content words, as in Universal Dependencies, in any language; function words, as in the Penn Treebank "
        "with Collins’ rules, for English"
    )
    names = {name: constraint_set.HEADS[name] for name in offered}
    return choose_from(
        st.segmented_control, "Heads are", names, default=offered[0], key="ge_begin_heads", required=True, help=about
    )


def _answers(text, grammar):
    """name -> answer, of all questions that have one."""
    shown = constraint_set.suggestions(text) if st.session_state.get(SUGGESTED) == text.key else None
    now = parse_order(grammar.plan(text.corpus).word_order)
    doubts = constraint_set.doubts(text, now)
    ask = Settings(ORDER, now, partial(_keep, text, grammar))
    _questions(ask, now, constraint_set.ASKED, shown, doubts)
    with st.expander("More questions", key="ge_begin_more", on_change="rerun") as more:
        if more.open:
            _questions(ask, now, constraint_set.FURTHER, shown, doubts)
    return now


def _questions(ask, now, questions, shown, doubts):
    grid = st.grid(2, min_column_width=220, gap=("xsmall", "small"), key=f"ge_begin_{questions[0].name}")
    for question in questions:
        with grid.cell():
            _ask(ask, question, now)
            if question.name in doubts:
                st.caption(f":orange[:material/warning:] {escape(doubts[question.name])}")
            elif shown is not None:
                st.caption(escape(constraint_set.evidence(shown, question.name)))


def _ask(ask, question, now):
    answer = now.get(question.name, constraint_set.UNKNOWN)
    offered = list(dict.fromkeys([*question.answers, answer, constraint_set.UNKNOWN]))
    ask(st.segmented_control, question.name, question.asks, offered, value=answer,
        doing="answering a question about word order")  # fmt: skip


def one_question(text, name, key, problem=None):
    """Draw one question about the word order of a text; ``key`` begins its own, ``problem`` as in ``Settings``."""
    grammar = session().systems[GRAMMAR]
    now = parse_order(grammar.plan(text.corpus).word_order)
    _ask(Settings(key, now, partial(_keep, text, grammar), problem=problem), QUESTIONS[name], now)


def _keep(text, grammar, label, **changes):
    answers = parse_order(grammar.plan(text.corpus).word_order) | changes
    _keep_answers(text, grammar, label, answers)


def _keep_answers(text, grammar, label, answers):
    answered = {name: answer for name, answer in answers.items() if answer != constraint_set.UNKNOWN}
    st.session_state[FORMER] = text.key, grammar.plan(text.corpus).word_order
    grammar.save(text.corpus, label, word_order=format_order(answered))


@callback_errors(rerun=True)
def _suggest(text, grammar):
    """In a callback, before the questions are drawn."""
    answers = constraint_set.suggested_answers(constraint_set.suggestions(text))
    _keep_answers(text, grammar, "answering as the text suggests", answers)
    st.session_state[SUGGESTED] = text.key


def _left_out(beginning):
    if beginning.left_out:
        names = ", ".join(code(line.name) for line in beginning.left_out)
        count = amount(len(beginning.left_out), "constraint")
        verb = "does" if len(beginning.left_out) == 1 else "do"
        st.caption(f"{count} {verb} not apply to this text", help=names)


@callback_errors(rerun=True)
def _add(text, beginning):
    constraint_set.begin(session().store, text.corpus, beginning)
    flash("Constraints added; Undo takes them out again")
