"""The list of runs, one of which is chosen; its number is in the address."""

import streamlit as st

from core.workspace.runs.list import run_table
from core.workspace.wording import amount
from pages.shared.address import say_gone
from pages.shared.state import workspace

NEWEST = "newest"
MAKERS = (
    ("constraints", "Constraints", "Train a parser from what you know about the language"),
    ("induction", "Induction", "Train a grammar from tags and mark-up alone"),
    ("consensus", "Consensus", "Parse so that similar contexts get similar trees, with a proof"),
    ("joint", "Joint", "Parse in two annotation schemes that help each other"),
    ("adaptation", "Adaptation", "Adapt a parser to a text of another kind"),
)


def no_runs():
    """Say where runs come from."""
    st.info(
        "There are no runs in this project yet. Each training or parsing becomes a run, listed here with its settings, "
        "data and figures, to compare, repeat and cite. These pages start one:",
        icon=":material/history:",
    )
    for name, label, made in MAKERS:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(f"pages/{name}.py", label=label, width=130)
            st.caption(made, width="content")


def list_runs(runs):
    """Draw the list, newest first; the newest is chosen where none is."""
    known = [str(run.id) for run in runs]
    say_gone("run", (f"Run {number}" for number in known), "run", "the newest is shown")
    if st.session_state.get("run", NEWEST) not in known:
        st.session_state["run"] = str(runs[0].id)
    table = run_table(workspace().store, runs)
    st.caption(f"{amount(len(runs), 'run')}, newest first. Click one to see all of it.")

    def choose():
        cells = st.session_state["runs_list"]["selection"]["cells"]
        if cells:
            st.session_state["run"] = str(runs[cells[0][0]].id)

    columns = {
        "run": st.column_config.NumberColumn("Run", width=45),
        "kind": st.column_config.TextColumn("What", width=125),
        "figure": st.column_config.TextColumn("Result", width=195),
        "text": st.column_config.TextColumn("Text", width=185),
        "status": st.column_config.TextColumn("Status", width=70),
        "started": st.column_config.DatetimeColumn("Started", format="YYYY-MM-DD HH:mm", width=125),
        "seconds": st.column_config.NumberColumn("Seconds", format="%.1f", width=70),
        "constraints": st.column_config.TextColumn("Set", width=75, help="SHA-256 of the constraint set, first digits"),
        "data": st.column_config.TextColumn("Data", width=75, help="Hash of the sentences, first digits"),
        "code": st.column_config.TextColumn("Code", width=130, help="Release, and hash of the library’s files"),
    }
    st.dataframe(
        table,
        key="runs_list",
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        row_height=28,
        height=min(28 * (len(runs) + 1) + 8, 290),
        column_config=columns,
        alt=f"{amount(len(runs), 'run')}, newest first; click one to see all of it",
    )


def choose_run(runs):
    """Draw the choice by number, for a row of controls; returns the Run."""
    known = {str(run.id): run for run in runs}
    chosen = st.selectbox(
        "Run", list(known), format_func=lambda number: f"Run {number}", key="run", bind="query-params",
        label_visibility="collapsed", width=120,
    )  # fmt: skip
    return known[chosen]
