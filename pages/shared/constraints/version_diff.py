"""Two versions of the set side by side: their models compared in the views of a training run."""

import streamlit as st

from core.workspace import escape
from core.workspace.constraints.versions import expectation_table
from core.workspace.wording import amount
from pages.shared.charts import target_chart
from pages.shared.job_panel import cancel, progress_line, watch
from pages.shared.messages import callback_errors, show_problem
from pages.shared.session import session
from pages.shared.table import count_column, draw_table, number_column, text_column

PAIR = "ge_compared"  # (old name, old text, new name, new text) of the versions compared, if any


def comparing():
    """Whether two versions are to be compared."""
    return st.session_state.get(PAIR) is not None


def compared(text):
    """(old Run, new Run) of the versions compared, drawing their names; None while one of them has no model yet."""
    old_name, old, new_name, new = st.session_state[PAIR]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"From **{escape(old_name)}** to **{escape(new_name)}**", width="content")
        st.button("Close", key="ge_compare_close", icon=":material/close:", type="tertiary", on_click=_close)
    runs = [session().learner.version.model_of(text, source) for source in (old, new)]
    if all(runs):
        return runs
    missing = {
        name: source for name, source, run in zip((old_name, new_name), (old, new), runs, strict=True) if not run
    }
    watch(lambda: session().jobs.running(session().project, session().learner.version.kind), _train, text, missing)
    return None


def _train(active, text, missing):
    """Models for versions, name -> set, that have none: a button, or how far the training is."""
    if active:
        progress_line(active[0], lambda now: f"Training, {len(active)} to go · iteration {now.iteration}")
        st.button(
            "Cancel",
            key="ge_version_cancel",
            icon=":material/stop:",
            on_click=cancel,
            args=[each.run for each in active],
        )
        return
    show_problem("ge_version_problem")
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
    with callback_errors("ge_version_problem"):
        for source in sources:
            session().learner.version.train(text, source)
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
    draw_table(
        shown, key="ge_version_table", most=260,
        column_config={
            "constraint": text_column("Constraint", 215),
            "old": text_column("Old target", 72),
            "new": text_column("New target", 76),
            "before": number_column("Before", 58, "%.2f"),
            "after": number_column("After", 54, "%.2f"),
            "of": count_column("Of", 60),
        },
        alt=caption,
    )  # fmt: skip
