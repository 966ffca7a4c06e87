"""Two versions of the set side by side: their models compared in the views of a training run."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import VERSION_KIND, escape, expectation_table, model_of, start_version
from core.workspace.wording import amount
from pages.shared.charts import target_chart
from pages.shared.state import cancel, project, refuse, workspace

PAIR = "ge_compared"  # (old name, old text, new name, new text) of the versions compared, if any
POLL = "0.5s"


def comparing():
    """Whether two versions are to be compared."""
    return st.session_state.get(PAIR) is not None


def compared(text):
    """(old Run, new Run) of the versions compared, drawing their names; None while one of them has no model yet."""
    old_name, old, new_name, new = st.session_state[PAIR]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"From **{escape(old_name)}** to **{escape(new_name)}**", width="content")
        st.button("Close", key="ge_compare_close", icon=":material/close:", type="tertiary", on_click=_close)
    runs = [model_of(workspace().store, text, source) for source in (old, new)]
    if all(runs):
        return runs
    missing = {
        name: source for name, source, run in zip((old_name, new_name), (old, new), runs, strict=True) if not run
    }
    active = workspace().jobs.running(project(), VERSION_KIND)
    st.fragment(_train, run_every=POLL if active else None)(text, missing, bool(active))
    return None


def _train(text, missing, was_active):
    """Models for versions, name -> set, that have none: a button, or how far the training is."""
    active = [each for each in workspace().jobs.running(project(), VERSION_KIND) if each.active]
    if was_active and not active:
        st.rerun()
    if active:
        now = active[0]
        message = now.message or f"Training, {len(active)} to go · iteration {now.iteration}"
        st.progress(now.fraction or 0.0, text=f"{escape(message)} · {now.seconds:.0f} s")
        st.button(
            "Cancel",
            key="ge_version_cancel",
            icon=":material/stop:",
            on_click=cancel,
            args=[each.run for each in active],
        )
        return
    problem = st.session_state.pop("ge_version_problem", None)
    if problem:
        refuse(problem)
    names = " and ".join(f"**{escape(name)}**" for name in missing)
    st.markdown(f"Not trained yet with the current settings: {names}.")
    st.button(
        "Train both" if len(missing) > 1 else "Train it",
        key="ge_version_train",
        icon=":material/model_training:",
        on_click=_start,
        args=(text, tuple(missing.values())),
        help="In the background, from scratch; earlier runs are kept",
    )


def _start(text, sources):
    try:
        for source in sources:
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
    caption = f"Shares of {amount(len(table['constraint']), 'constraint')} in the two models, with their targets"
    st.caption(caption)
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
            "constraint": st.column_config.TextColumn("Constraint", width=215),
            "old": st.column_config.TextColumn("Old target", width=72),
            "new": st.column_config.TextColumn("New target", width=76),
            "before": st.column_config.NumberColumn("Before", format="%.2f", width=58),
            "after": st.column_config.NumberColumn("After", format="%.2f", width=54),
            "of": st.column_config.NumberColumn("Of", format="localized", width=60),
        },
        alt=caption,
    )
