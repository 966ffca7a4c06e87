"""Versions of the constraint set: save it under a name, return to one, compare two."""

from functools import partial

import streamlit as st

from core.workspace.constraints.versions import changed_lines, expectation_table, keep_version, kept_versions
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, session, show_problem
from pages.shared.charts import target_chart
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.job_panel import cancel, progress_line, watch
from pages.shared.widgets import action_button, draw_table

NOW = 0  # the set as it is, beside the numbers of versions
SIGNS = {"added": ":green[**+**]", "removed": ":red[**−**]", "changed": ":orange[**~**]"}
FOLLOWED = "ge_version_followed"  # whether the address has been looked at
CURRENT = "the current constraints"


def versions_panel(text, source):
    """Draw it; ``source`` is the set as it is now."""
    with st.form("ge_version_form", border=False, clear_on_submit=True):
        name_column, button_column = st.columns([3, 2], vertical_alignment="bottom")
        name_column.text_input("Name of this version", key="ge_version_name", placeholder="such as first draft")
        keep = partial(_keep, text)
        button_column.form_submit_button("Save", key="ge_version_keep", icon=":material/bookmark_add:", on_click=keep)
    versions = {version.id: version for version in kept_versions(session().store, text.corpus)}
    if not versions:
        st.info("No versions yet. Save the current constraints under a name, to return to them or compare with them.")
        return
    _compare(versions, source)


def _compare(versions, source):
    names = {NOW: CURRENT} | {number: version.name for number, version in versions.items()}
    sets = {NOW: source} | {number: version.value for number, version in versions.items()}
    for key in (ConstraintsView.version, ConstraintsView.version_to):
        if st.session_state.get(key) not in sets:
            st.session_state.pop(key, None)  # of another corpus
    # no default of the widget: those are left out of the address
    st.session_state.setdefault(ConstraintsView.version, next(iter(versions)))
    linked = ConstraintsView.version in st.query_params and not st.session_state.get(FOLLOWED)
    st.session_state[FOLLOWED] = True
    old_column, new_column = st.columns(2)
    how = {"format_func": names.get, "bind": "query-params", "on_change": partial(_again, names, sets)}
    old = old_column.selectbox("From version", list(versions), index=None, key=ConstraintsView.version, **how)
    old = old or next(iter(versions))
    new = new_column.selectbox("to", [NOW, *versions], key=ConstraintsView.version_to, **how)
    if linked and sets[old] != sets[new]:
        ConstraintsView().compared = (names[old], sets[old], names[new], sets[new])
    version = versions[old]
    lines = changed_lines(sets[old], sets[new])
    counts = [f"{len(lines[change])} {change}" for change in SIGNS if lines[change]] or ["no difference"]
    st.caption(f"{', '.join(counts)} · {lines['kept']} the same · saved {version.time.astimezone():%d %b %Y %H:%M}")
    for change, sign in SIGNS.items():
        for line in lines[change]:
            st.markdown(f"{sign} {code(line)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        action_button(
            "Compare their trees", "ge_version_compare", "compare_arrows", _show, names, sets,
            disabled=sets[old] == sets[new],
            help="Trees, scores and shares of both, on the right. The address is a link to this comparison.",
        )  # fmt: skip
        label, same = f"Return to {escape(version.name)}", version.value == source
        action_button(label, "ge_version_restore", "history", _restore, version, disabled=same, help="Can be undone")


def _show(names, sets):
    """Compare the versions chosen, in the results; in a callback."""
    old, new = ConstraintsView().version, ConstraintsView().version_to
    ConstraintsView().compared = None if old is None else (names[old], sets[old], names[new], sets[new])
    st.rerun("app")


def _again(names, sets):
    if ConstraintsView().compared is not None:
        _show(names, sets)


@callback_errors(rerun=True)
def _keep(text):
    name = st.session_state.get("ge_version_name") or ""
    version = keep_version(session().store, text.corpus, text.treebank, name)
    flash(f"Saved as {escape(version.name)}")


@callback_errors(rerun=True)
def _restore(version):
    session().store.restore_version(version.id)
    flash(f"Returned to {escape(version.name)}")


def comparing():
    """Whether two versions are to be compared."""
    return ConstraintsView().compared is not None


def compared(text):
    """(old Run, new Run) of the versions compared, drawing their names; None while one of them has no model yet."""
    old_name, old, new_name, new = ConstraintsView().compared
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"From **{escape(old_name)}** to **{escape(new_name)}**", width="content")
        st.button("Close", key="ge_compare_close", icon=":material/close:", type="tertiary", on_click=_close)
    runs = [session().learner.version.model_of(text, source) for source in (old, new)]
    if all(runs):
        return runs
    missing = {
        name: source for name, source, run in zip((old_name, new_name), (old, new), runs, strict=True) if not run
    }
    watch(lambda: session().under_way(session().learner.version.kind), _train, text, missing)
    return None


def _train(active, text, missing):
    """Draw the button that trains versions without a model (``missing``, name -> set), or the training's progress."""
    if active:
        progress_line(active[0], lambda now: f"Training, {len(active)} to go · iteration {now.iteration}")
        action_button("Cancel", "ge_version_cancel", "stop", cancel, *[snapshot.run for snapshot in active])
        return
    show_problem("ge_version_problem")
    names = " and ".join(f"**{escape(name)}**" for name in missing)
    st.markdown(f"Not trained yet with the current settings: {names}.")
    label, sources = "Train both" if len(missing) > 1 else "Train it", tuple(missing.values())
    help_text = "In the background, from scratch; earlier runs are kept"
    action_button(label, "ge_version_train", "model_training", _start, text, sources, help=help_text)


@callback_errors("ge_version_problem", rerun=True)
def _start(text, sources):
    for source in sources:
        session().learner.version.train(text, source)


def _close():
    ConstraintsView().compared = None
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
    columns = {"constraint": 215, "old": ("Old target", 72), "new": ("New target", 76)}
    columns |= {"before": ("Before", 58, "%.2f"), "after": ("After", 54, "%.2f"), "of": ("Of", 60, "localized")}
    draw_table(shown, key="ge_version_table", most=260, columns=columns, alt=caption)
