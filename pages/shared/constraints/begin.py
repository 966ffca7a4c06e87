"""Where a text has no constraints: those that hold in any language, and word order in a few answers."""

import streamlit as st

from core.workspace.constraints import constraint_set
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.widgets import action_button, choose_from

SUGGESTED = "ge_begin_suggested"  # key of the text whose edges are shown beside the questions
ORDER = "ge_begin_order_"


@report_errors()
def begin_panel(text):
    """Draw it; what is added is one change, which can be undone."""
    with st.container(border=True, key="ge_begin"):
        st.markdown("**Begin with constraints that hold in any language**")
        heads = _heads(text)
        answers = _answers(text) if heads == "content" else {}
        found = constraint_set.beginning(text, heads, answers)
        count = sum(1 for line in found.text.splitlines() if line.strip() and not line.startswith("#"))
        with st.container(horizontal=True, vertical_alignment="center"):
            label = f"Add {amount(count, 'constraint')}"
            action_button(label, "ge_begin_add", "playlist_add", _add, text, found, disabled=not count)
            if heads == "content":
                st.button(
                    "Suggest from the text", key="ge_begin_suggest", type="tertiary", icon=":material/lightbulb:",
                    on_click=_suggest, args=(text,),
                    help="Reads the first and the last words of sentences, no tree: an adposition that begins "
                    "sentences and never ends one stands before its noun",
                )  # fmt: skip
        _left_out(found)


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


def _answers(text):
    """name -> answer, of all questions."""
    shown = constraint_set.suggestions(text) if st.session_state.get(SUGGESTED) == text.key else None
    answers = {}
    grid = st.grid(2, min_column_width=220, gap=("xsmall", "small"), key="ge_begin_grid")
    for question in constraint_set.ASKED:
        with grid.cell():
            key = ORDER + question.name
            st.session_state.setdefault(key, constraint_set.UNKNOWN)
            answers[question.name] = st.segmented_control(
                question.asks, [*question.answers, constraint_set.UNKNOWN], key=key, required=True
            )
            if shown is not None:
                st.caption(escape(constraint_set.evidence(shown, question.name)))
    return answers


@callback_errors()
def _suggest(text):
    """In a callback, before the questions are drawn."""
    for name, answer in constraint_set.suggested_answers(constraint_set.suggestions(text)).items():
        st.session_state[ORDER + name] = answer
    st.session_state[SUGGESTED] = text.key


def _left_out(found):
    if found.left_out:
        names = ", ".join(code(line.name) for line in found.left_out)
        count = amount(len(found.left_out), "constraint")
        verb = "does" if len(found.left_out) == 1 else "do"
        st.caption(f"{count} {verb} not apply to this text", help=names)


@callback_errors(rerun=True)
def _add(text, found):
    constraint_set.begin(session().store, text.corpus, found)
    flash("Constraints added; Undo takes them out again")
