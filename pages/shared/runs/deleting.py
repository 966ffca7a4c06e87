"""Deleting runs: one, all but the newest of each kind, or old ones, with what goes and what stays."""

import streamlit as st

from core.workspace.runs.deletion import delete_runs, deletion_words, kept_words, older_runs, runs_before
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.runs.view_state import RunsView
from pages.shared.widgets import action_button, choose_view

ONE, OLDER, BEFORE = "one", "older", "before"


def delete_button(run):
    """Draw the button, and behind it the choice of what to delete, for who may change the project."""
    if session().store.role(run.project) == "reader":
        return
    key = f"run_delete_{run.id}"  # another run's is another popover, and closed
    button = st.popover("Delete", icon=":material/delete:", key=key, on_change="rerun")
    if button.open:  # what stands in the way is looked for only then
        with button, st.container(width=400):
            _choice(run.id)


def _choice(number):
    with report_errors():
        store, project = session().store, session().project
        runs = store.runs(project)
        names = {ONE: f"Run {number}", OLDER: "All but the newest", BEFORE: "Old ones"}
        which = choose_view("Which", names, "run_delete_which", linked=False)
        numbers, later = {number}, False
        if which == OLDER:
            numbers = set(older_runs(runs))
            st.caption("Of each kind on each text the newest that is done stays, and what has begun since.")
        elif which == BEFORE:
            days = st.number_input("Ended more than so many days ago", 0, 3650, 30, key="run_delete_days")
            numbers = set(runs_before(runs, int(days)))
        deletable = store.deletable_runs(project, numbers)
        if which == ONE and not deletable.runs and (both := store.deletable_runs(project, numbers, later=True)).runs:
            label = f"Delete also the {amount(len(both.runs) - 1, 'run')} that begin from it"
            later = st.checkbox(label, key="run_delete_later")
            deletable = both if later else deletable
        if deletable.refused:
            st.caption(escape(kept_words(deletable)))
        if not deletable.runs:
            st.write("Nothing is to be deleted.")
            return
        st.write(
            f"**{deletion_words(deletable)}**: settings, figures, trees and parsers will be deleted. "
            "This cannot be undone."
        )
        label = f"Delete {amount(len(deletable.runs), 'run')}"
        action_button(label, "run_delete_now", "delete", _delete, deletable.runs, type="primary")


@callback_errors()
def _delete(numbers):
    gone = delete_runs(session().store, session().project, numbers)
    flash(f"Deleted {deletion_words(gone)}")
    if left := session().store.runs(session().project, limit=1):  # else the page says that there is none
        RunsView().run = str(left[0].id)
