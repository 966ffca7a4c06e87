"""The constraint set as a table with its figures, or as text; below it the form."""

from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import constraint_text, escape, save_text, survey, survey_table
from pages.shared.ask import ask_me
from pages.shared.constraint_form import LINE, constraint_form, edit_line, show_problem
from pages.shared.editor import text_editor
from pages.shared.state import flash, follows, workspace
from pages.shared.versions import LINKED, versions_panel

VIEWS = {"table": "Table", "text": "Text", "ask": "Ask me", "versions": "Versions"}
SHOWN = 4  # problems written out


@st.fragment
def constraint_set(text, before, after):
    """Draw it. ``before`` and ``after`` are Outcomes, or None."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("What you know", anchor=False)
        first = "versions" if LINKED in st.query_params else "table"
        view = st.segmented_control(
            "View", list(VIEWS), default=first, format_func=VIEWS.get, key="ge_view", label_visibility="collapsed"
        )
    source = constraint_text(workspace().store, text.corpus, text.treebank)
    found = survey(text, source, before, after)
    if view == "ask":
        ask_me(text, source, after)
    elif view == "versions":
        versions_panel(text, source)
    elif view == "text":
        save = partial(_save, text.corpus)
        text_editor(source, key="ge_editor", save=save, problems=found.problems)
        st.caption("`head -> modifier` or `modifier <- head` in sentence order, `= share`; `#` opens a comment.")
        _problems(text, source, found)
    else:
        _table(text, found)
        _problems(text, source, found)
        constraint_form(text, source, found.rows, after)


def _save(corpus, edited):
    try:
        save_text(workspace().store, corpus, edited, "editing the constraints")
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        if follows():
            st.rerun("app")  # which begins to train


def _table(text, found):
    if not found.rows:
        st.info("No constraint yet. Say one thing you know in the form below, and press Add.", icon=":material/edit:")
        return

    def choose():
        cells = st.session_state["ge_table"]["selection"]["cells"]
        edit_line(text, found.rows[cells[0][0]] if cells and cells[0][0] < len(found.rows) else None)

    st.dataframe(
        survey_table(found),
        key="ge_table",
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        height=min(30 * (len(found.rows) + 1) + 8, 248),
        row_height=30,
        column_config={
            "constraint": st.column_config.TextColumn("Constraint", width=250),
            "target": st.column_config.TextColumn("Target", width=55),
            "model": st.column_config.NumberColumn(
                "Model", format="%.2f", width=50, help="Share the trained model gives"
            ),
            "of": st.column_config.NumberColumn("Of", format="localized", width=50, help="Out of how many"),
            "note": st.column_config.TextColumn("", width=30),
        },
        alt=f"{len(found.rows)} constraints with target, the model's share, and out of how many",
    )


def _problems(text, source, found):
    for problem in found.errors[:SHOWN]:
        show_problem(problem)
    together = workspace().conflicts(text, source) or []
    for problem in [*found.warnings, *together][:SHOWN]:
        show_problem(problem)
    more = len(found.errors[SHOWN:]) + len([*found.warnings, *together][SHOWN:])
    if more:
        st.caption(f"… and {more} more")
    number = st.session_state.get(LINE)
    if number is not None and number not in [row.line for row in found.rows]:
        edit_line(text, None)
