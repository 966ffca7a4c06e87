"""Two versions of the set side by side: their models compared in the views of a training run."""

from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import VERSION_KIND, escape, expectation_table, model_of, start_version
from pages.shared.charts import target_chart
from pages.shared.state import project, refuse, workspace

PAIR = "ge_compared"  # (old name, old text, new name, new text) of the versions compared, if any
POLL = "0.5s"


def compared(text):
    """(old Run, new Run) of the versions that are compared, drawing their names; None where nothing is compared."""
    pair = st.session_state.get(PAIR)
    if pair is None:
        return None
    old_name, old, new_name, new = pair
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"From **{escape(old_name)}** to **{escape(new_name)}**", width="content")
        st.button("Close", key="ge_compare_close", icon=":material/close:", type="tertiary", on_click=_close)
    try:
        runs = [model_of(workspace().store, text, source) for source in (old, new)]
    except WorkbenchError as error:
        refuse(error)
        return None
    if all(runs):
        return runs
    missing = [(name, source) for name, source, run in ((old_name, old, runs[0]), (new_name, new, runs[1])) if not run]
    active = workspace().jobs.running(project(), VERSION_KIND)
    st.fragment(_train, run_every=POLL if active else None)(text, *missing[0], bool(active))
    return None


def _train(text, name, source, was_active):
    """A model for a version that has none: a button, or how far the training is."""
    active = [each for each in workspace().jobs.running(project(), VERSION_KIND) if each.active]
    if was_active and not active:
        st.rerun()
    if active:
        now = active[-1]
        st.progress(now.fraction or 0.0, text=f"Training {escape(name)} · iteration {now.iteration}")
        cancel = partial(workspace().jobs.cancel, now.run)
        st.button("Cancel", key="ge_version_cancel", icon=":material/stop:", on_click=cancel)
        return
    problem = st.session_state.pop("ge_version_problem", None)
    if problem:
        refuse(problem)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Train {escape(name)}",
            key="ge_version_train",
            icon=":material/model_training:",
            on_click=_start,
            args=(text, source),
            help="In the background, from nothing; what is trained for the set as it is stays",
        )
        st.caption(f"{escape(name)} has not been trained on this text with the present settings.", width="content")


def _start(text, source):
    try:
        start_version(workspace(), text, source)
    except WorkbenchError as error:
        st.session_state["ge_version_problem"] = error
    st.rerun("app")


def _close():
    st.session_state[PAIR] = None
    st.rerun("app")


def version_targets(text, old, new, change):
    """Every constraint's share under the two models, against both targets: chart and table."""
    table = expectation_table(text, old, new, change)
    caption = f"Shares of {len(table['constraint'])} constraints under the two models"
    target_chart(
        table["constraint"], table["low"], table["high"], table["before"], table["after"], "ge_version_chart", caption
    )
    shown = {name: table[name] for name in ("constraint", "old", "new", "before", "after", "of")}
    st.dataframe(
        shown,
        key="ge_version_table",
        hide_index=True,
        row_height=28,
        height=min(28 * (len(table["constraint"]) + 1) + 8, 260),
        column_config={
            "constraint": st.column_config.TextColumn("Constraint", width=240),
            "old": st.column_config.TextColumn("Target before", width=80),
            "new": st.column_config.TextColumn("Target after", width=80),
            "before": st.column_config.NumberColumn("Share before", format="%.2f", width=80),
            "after": st.column_config.NumberColumn("Share after", format="%.2f", width=80),
            "of": st.column_config.NumberColumn("Of", format="localized", width=60),
        },
        alt=caption,
    )
