"""The list of runs, one of which is chosen; its number is in the address."""

import streamlit as st

from core.errors import StoreError
from core.workspace import registry
from core.workspace.registry import kind_name
from core.workspace.runs.list import run_table
from pages.shared.address import warn_gone
from pages.shared.basics import amount, session
from pages.shared.job_panel import cancel_button, progress_line, watch
from pages.shared.navigation import MENU
from pages.shared.runs.view_state import RunsView
from pages.shared.widgets import choose_one, column, draw_table

NEWEST = "newest"


def no_runs():
    """Say where runs come from."""
    st.info(
        "There are no runs in this project yet. Each training or parsing becomes a run, listed here with its settings, "
        "data and figures, to compare, repeat and cite. These pages start one:",
        icon=":material/history:",
    )
    titles = {name: entry.title for pages in MENU.values() for name, entry in pages.items()}
    for system in (system for system in registry.SYSTEMS if system.invitation):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(f"pages/{system.page}.py", label=titles[system.page], width=130)
            st.caption(system.invitation, width="content")


def list_runs(runs):
    """Draw the list, newest first; the newest is chosen where none is."""
    numbers = [str(run.id) for run in runs]
    warn_gone(RunsView.run, (f"Run {number}" for number in numbers), "run", "the newest is shown")
    if (former := RunsView().run or NEWEST) not in numbers:
        if former.isdecimal() and _is_gone(int(former)):
            st.toast(f"Run {former} was deleted; the newest is shown", icon=":material/link_off:")
        RunsView().run = str(runs[0].id)
    table = run_table(session().store, runs)
    st.caption(f"{amount(len(runs), 'run')}, newest first. Click one to see all of it.")

    def choose(row, _):
        RunsView().run = str(runs[row].id)

    columns = {"run": 45, "kind": ("What", 125), "figure": ("Result", 195), "text": 185, "status": 70}
    columns |= {"started": st.column_config.DatetimeColumn("Started", format="YYYY-MM-DD HH:mm", width=125)}
    columns |= {"seconds": ("Seconds", 70, "%.1f")}
    columns |= {"constraints": column("Set", 75, help="SHA-256 of the constraint set, first digits")}
    columns |= {"data": column("Data", 75, help="Hash of the sentences, first digits")}
    columns |= {"code": column("Code", 130, help="Release, and hash of the library’s files")}
    alt = f"{amount(len(runs), 'run')}, newest first; click one to see all of it"
    draw_table(table, key="runs_list", choose=choose, most=290, columns=columns, alt=alt)


def _is_gone(number):
    """Whether there is no such run any more; else it is one of another project."""
    try:
        session().store.run(number)
    except StoreError:
        return True
    return False


def choose_run(runs):
    """Draw the choice by number, for a row of controls; returns the Run."""
    by_number = {str(run.id): run for run in runs}
    return by_number[choose_one("Run", {number: f"Run {number}" for number in by_number}, RunsView.run, width=120)]


def running_panel():
    """Draw a line for each; nothing where nothing runs."""
    watch(_active, _lines, len(_active()))


def _active():
    return [snapshot for snapshot in session().under_way() if snapshot.active]


def _lines(active, before):
    if len(active) < before:
        st.rerun("app")  # the list of runs says more now
    for snapshot in active:
        with st.container(horizontal=True, vertical_alignment="center"):
            prefix = f"Run {snapshot.run}, {kind_name(snapshot)}: "
            progress_line(snapshot, lambda now: f"Iteration {now.iteration}", prefix)
            cancel_button(snapshot, f"run_cancel_{snapshot.run}")
