"""Runs of induction on a text, each a click away, and the factorial table of starts and levels."""

from functools import partial

import streamlit as st

from core.trees.brackets import LEVELS
from core.workspace.induction.grid import grid_table
from core.workspace.induction.system import GRID
from core.workspace.induction.views import best_run, run_table
from pages.shared.basics import amount
from pages.shared.induction.settings import TITLES, induction, show_run
from pages.shared.induction.view_state import InductionView
from pages.shared.job_panel import job_panel
from pages.shared.widgets import choose_view, draw_table

VIEWS = {"runs": "Runs", "grid": "Every start at every level"}


def runs_panel(plan, text):
    """Draw the choice and one of the two."""
    view = choose_view("Show", VIEWS, InductionView.view)
    if view == "runs":
        _runs(text)
        return
    system = induction()
    job_panel(
        GRID, "ind_grid", "Compute the table", start_key="ind_grid", type="secondary", icon=":material/grid_on:",
        start=partial(system.grid.start, text, plan), resume=system.resume, unit="cell",
        newest=partial(system.grid.latest_run, text), disabled=not text.marked,
        view=lambda snapshot: None if snapshot else _grid(text),
        help="Three starts by five levels, all else as set above (Spitkovsky et al. 2010, §6)",
    )  # fmt: skip


def _runs(text):
    runs = induction().finished(text)
    if not runs:
        st.caption("No run on these sentences yet. Each training adds a row.")
        return
    best, by = best_run(runs)
    if best is not None and len(runs) > 1:
        st.caption(f"Run {best.id} of {len(runs)} is best by {by}. Click a run to show it above.")
    table = run_table(runs)
    table |= {name: [TITLES[value] for value in table[name]] for name in ("init", "level")}
    columns = {"run": 50, "init": ("Start", 80), "level": 70, "stages": 80, "training": 130, "trim": 50, "adapt": 60}
    columns |= {"seed": 50, "bits": ("Bits per token", 100, "%.3f")}
    columns |= {"uas": ("Heads right, %", 100, "%.1f", "Mean of 5 ways to break ties")}
    alt = f"{amount(len(runs), 'run')} with settings and figures"
    draw_table(table, key="ind_runs", choose=lambda row, _: show_run(runs[row].id), most=278, columns=columns, alt=alt)


def _grid(text):
    run = induction().grid.latest_run(text)
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
    form = "%.1f" if text.gold else "%.3f"
    draw_table(
        grid_table(cells, by), alt="Starts down, levels across", width="content",
        columns={"start": 110}
        | {level: (level.capitalize(), 90, form) for level in LEVELS},
    )  # fmt: skip
