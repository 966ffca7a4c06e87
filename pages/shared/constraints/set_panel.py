"""The constraint set as a table with its figures, or as text; below it the form, or the mapping of foreign tags."""

from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import constraint_text, escape, save_text, survey, survey_table
from core.workspace.constraints.completion import TOKEN, contexts
from core.workspace.wording import amount
from pages.shared.constraints.ask import ask_me
from pages.shared.constraints.files import constraint_files
from pages.shared.constraints.form import LINE, constraint_form, edit_line, show_problem
from pages.shared.constraints.notation import notation
from pages.shared.constraints.occurrences import ask_for_places, show_places
from pages.shared.constraints.tag_mapping import tag_mapping
from pages.shared.constraints.versions import LINKED, versions_panel
from pages.shared.editor import text_editor
from pages.shared.state import flash, follows, workspace

VIEWS = {"table": "Table", "text": "Text", "ask": "Ask me", "versions": "Versions"}
SHOWN = 4  # problems written out
POLL = "0.3s"
EDITOR = "ge_editor"


@st.cache_data(max_entries=4, show_spinner=False)
def _completion(_text, key):
    return {"token": TOKEN, "contexts": [context.as_dict() for context in contexts(_text)]}


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
    if view == "ask":
        ask_me(text, source, after)
    elif view == "versions":
        versions_panel(text, source)
    else:
        _set(text, source, view, survey(text, source, before, after), after)
    show_places(text, after)


def _set(text, source, view, found, outcome):
    """The set as a table or as text, with what is wrong with it."""
    together = workspace().conflicts(text, source)
    if together is None:
        _await(text, source)
    if view == "text":
        save = partial(_save, text.corpus)
        problems = [*found.problems, *(together or ())]
        text_editor(source, EDITOR, save, problems, completion=_completion(text, text.key))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption("One constraint per line · Ctrl+Space suggests words", width="content")
            notation()
    else:
        _table(text, found, together or ())
    mapping = tag_mapping(text, source)
    if mapping == "open":
        return
    _problems(text, found, together or (), 0 if mapping else SHOWN)
    if view == "text":
        constraint_files(text, source)
    else:
        constraint_form(text, source, found.rows, outcome)


@st.fragment(run_every=POLL)
def _await(text, source):
    """Begin anew once it is known what no trees meet together."""
    if workspace().conflicts(text, source) is not None:
        st.rerun()


def _save(corpus, edited):
    try:
        save_text(workspace().store, corpus, edited, "editing the constraints")
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        if follows():
            st.rerun("app")  # which begins to train


def _table(text, found, together):
    if not found.rows:
        st.info("No constraints yet. Write the first in the form below and click Add.", icon=":material/edit:")
        return

    def choose():
        cells = st.session_state["ge_table"]["selection"]["cells"]
        row = found.rows[cells[0][0]] if cells and cells[0][0] < len(found.rows) else None
        if row is not None and cells[0][1] == "of":
            ask_for_places(row.constraint)
        else:
            edit_line(text, row)

    table = survey_table(found, together)
    st.caption(f"{amount(len(found.rows), 'line')} · click one to change it, or its “Of” to see the sentences")
    st.dataframe(
        table,
        key="ge_table",
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        height=min(30 * (len(found.rows) + 1) + 8, 248),
        row_height=30,
        column_config={
            "line": st.column_config.NumberColumn("Line", width=34, help="As numbered in the Text tab"),
            "constraint": st.column_config.TextColumn("Constraint"),
            "target": st.column_config.TextColumn("Target", width=50),
            "model": st.column_config.NumberColumn(
                "Model", format="%.2f", width=44, help="The share that the model gives it"
            ),
            "of": st.column_config.NumberColumn(
                "Of",
                format="localized",
                width=44,
                help="How many the shares are of; click a number to see the sentences",
            ),
            "note": st.column_config.TextColumn("Warning", width=92, help="In short; in full below the table"),
        },
        alt=f"{amount(len(found.rows), 'constraint')} with line, target, the model’s share, and out of how many",
    )


def _problems(text, found, together, most):
    for problem in found.errors[:most]:
        show_problem(problem)
    if len(found.errors) > most:
        more = amount(len(found.errors) - most, "more error" if most else "error")
        st.caption(f"{more}, each marked at its line; mend them to train")
    warnings = {(each.line, each.message): each for each in [*found.warnings, *together]}
    if len(warnings) == 1:
        show_problem(*warnings.values())
    elif warnings:
        with st.expander(f"{amount(len(warnings), 'warning')}; you can still train"):
            for problem in sorted(warnings.values(), key=lambda each: each.line):
                show_problem(problem)
    number = st.session_state.get(LINE)
    if number is not None and number not in [row.line for row in found.rows]:
        edit_line(text, None)
