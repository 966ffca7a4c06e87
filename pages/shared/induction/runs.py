"""Runs of induction on a text, each a click away, and the factorial table of starts and levels."""

import streamlit as st

from core.store import RESUMABLE
from core.workspace import amount
from core.workspace.induction.grid import KIND, grid_table, latest_grid, resume_grid, start_grid
from core.workspace.induction.runs import best_run, run_table
from pages.shared.induction import state
from pages.shared.induction.panel import show_run
from pages.shared.induction.settings import TITLES
from pages.shared.state import project, workspace

VIEWS = {"runs": "Runs", "grid": "Every start at every level"}
POLL = "0.7s"


def runs_panel(plan, text):
    """Draw the choice and one of the two."""
    view = st.segmented_control(
        "Show", list(VIEWS), default="runs", format_func=VIEWS.get, key="ind_view", required=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    if view == "runs":
        _runs(text)
        return
    active = workspace().jobs.running(project(), KIND)
    st.fragment(_grid, run_every=POLL if active else None)(plan, text, bool(active))


def _runs(text):
    runs = state.desk().finished(text)
    if not runs:
        st.caption("No run on these sentences yet. Each training adds a row here; click it to show it above.")
        return

    def choose():
        cells = st.session_state["ind_runs"]["selection"]["cells"]
        if cells and cells[0][0] < len(runs):
            show_run(runs[cells[0][0]].id)

    best, by = best_run(runs)
    if best is not None and len(runs) > 1:
        st.caption(f"Run {best.id} of {len(runs)} is best by {by}. Click a run to show it above.")
    table = run_table(runs)
    st.dataframe(
        table | {name: [TITLES[value] for value in table[name]] for name in ("init", "level")},
        key="ind_runs",
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        row_height=30,
        height=min(30 * (len(runs) + 1) + 8, 278),
        column_config={
            "run": st.column_config.NumberColumn("Run", width=50),
            "init": st.column_config.TextColumn("Start", width=80),
            "level": st.column_config.TextColumn("Level", width=70),
            "stages": st.column_config.TextColumn("Stages", width=80),
            "training": st.column_config.TextColumn("Training", width=130),
            "trim": st.column_config.CheckboxColumn("Trim", width=50),
            "adapt": st.column_config.CheckboxColumn("Adapt", width=60),
            "seed": st.column_config.NumberColumn("Seed", width=50),
            "bits": st.column_config.NumberColumn("Bits per token", format="%.3f", width=100),
            "uas": st.column_config.NumberColumn("Heads right, %", format="%.1f", width=100, help="Mean of 5 ways to "
                                                 "break ties"),
        },
        alt=f"{amount(len(runs), 'run')} with settings and figures",
    )  # fmt: skip


def _grid(plan, text, was_active):
    active = [snapshot for snapshot in workspace().jobs.running(project(), KIND) if snapshot.active]
    if was_active and not active:
        st.rerun()
    run = latest_grid(state.desk(), text)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute the table", key="ind_grid", icon=":material/grid_on:", disabled=bool(active) or not text.marked,
            on_click=_start, args=(text, plan),
            help="Three starts by five levels, all else as set above (Spitkovsky et al. 2010, §6)",
        )  # fmt: skip
        if active:
            st.button("Cancel", key="ind_grid_cancel", icon=":material/stop:", on_click=_cancel, args=(active[-1].run,))
        elif run is not None and run.status in RESUMABLE:
            st.button("Resume", key="ind_grid_resume", icon=":material/play_arrow:", on_click=_resume, args=(run.id,))
    if active:
        st.progress(active[-1].fraction or 0.0, text=f"{active[-1].message or 'Waiting'} · {active[-1].seconds:.0f} s")
        return
    cells = run.figures.get("cells", []) if run is not None else []
    if not cells:
        st.caption(
            "Fifteen trainings, one per cell, show how much start and level matter."
            if text.marked
            else "This text has no mark-up, so there are no levels to compare."
        )
        return
    by = "uas" if text.gold else "bits"
    st.caption(
        f"{'Heads right in per cent, mean of 5 ways to break ties' if text.gold else 'Bits per token'}; {len(cells)} "
        "of 15 cells. One run per cell and one seed: small differences mean nothing."
    )
    st.dataframe(
        grid_table(cells, by), hide_index=True, row_height=30, alt="Starts down, levels across",
        column_config={
            name: st.column_config.NumberColumn(name.capitalize(), format="%.1f" if text.gold else "%.3f", width=90)
            for name in ("none", "tear", "sprawl", "loose", "strict")
        } | {"start": st.column_config.TextColumn("Start", width=110)},
        width="content",
    )  # fmt: skip


def _start(text, plan):
    state.attempt(lambda: start_grid(state.desk(), text, plan))
    st.rerun("app")


def _cancel(run):
    state.attempt(lambda: workspace().jobs.cancel(run))


def _resume(run):
    state.attempt(lambda: resume_grid(state.desk(), run))
    st.rerun("app")
