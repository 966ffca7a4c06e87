"""Where a text has no constraints: lines that hold in any language, and word order in a few answers."""

from functools import partial

import streamlit as st

from core.workspace import escape
from core.workspace.constraints.constraint_set import (
    ASKED,
    HEADS,
    UNKNOWN,
    begin,
    beginning,
    evidence,
    heads_offered,
    suggested_answers,
    suggestions,
)
from core.workspace.wording import amount, code
from pages.shared.messages import callback_errors, flash, report_errors
from pages.shared.session import session

SUGGESTED = "ge_begin_suggested"  # key of the text whose edges are shown beside the questions
ORDER = "ge_begin_order_"


@report_errors()
def begin_panel(text):
    """Draw it; what is added is one change, which can be undone."""
    with st.container(border=True, key="ge_begin"):
        st.markdown("**Begin with lines that hold in any language**")
        heads = _heads(text)
        answers = _answers(text) if heads == "content" else {}
        found = beginning(text, heads, answers)
        count = sum(1 for line in found.text.splitlines() if line.strip() and not line.startswith("#"))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Add {amount(count, 'line')}", key="ge_begin_add", icon=":material/playlist_add:", disabled=not count,
                on_click=partial(_add, text, found),
            )  # fmt: skip
            if heads == "content":
                st.button(
                    "Suggest from the text", key="ge_begin_suggest", type="tertiary", icon=":material/lightbulb:",
                    on_click=_suggest, args=(text,),
                    help="Reads the first and the last words of sentences, no tree: an adposition that begins "
                    "sentences and never ends one stands before its noun",
                )  # fmt: skip
        _left_out(found)


def _heads(text):
    offered = heads_offered(text)
    if len(offered) == 1:
        return offered[0]
    return st.segmented_control(
        "Heads are", offered, default=offered[0], format_func=HEADS.get, key="ge_begin_heads", required=True,
        help="Content words, as in Universal Dependencies, in any language; function words, as in the Penn Treebank "
        "with Collins’ rules, for English",
    )  # fmt: skip


def _answers(text):
    """name -> answer, of all questions."""
    shown = suggestions(text) if st.session_state.get(SUGGESTED) == text.key else None
    answers = {}
    grid = st.grid(2, min_column_width=220, gap=("xsmall", "small"), key="ge_begin_grid")
    for question in ASKED:
        with grid.cell():
            key = ORDER + question.name
            st.session_state.setdefault(key, UNKNOWN)
            answers[question.name] = st.segmented_control(
                question.asks, [*question.answers, UNKNOWN], key=key, required=True
            )
            if shown is not None:
                st.caption(escape(evidence(shown, question.name)))
    return answers


@callback_errors()
def _suggest(text):
    """In a callback, before the questions are drawn."""
    for name, answer in suggested_answers(suggestions(text)).items():
        st.session_state[ORDER + name] = answer
    st.session_state[SUGGESTED] = text.key


def _left_out(found):
    if found.left_out:
        names = ", ".join(code(line.name) for line in found.left_out)
        st.caption(
            f"{amount(len(found.left_out), 'line')} of the set left out, matching no words of this text: {names}"
        )


@callback_errors(rerun=True)
def _add(text, found):
    begin(session().store, text.corpus, found)
    flash("Lines added; Undo takes them out again")
