"""Versions of the constraint set: keep it under a name, return to one, see what differs between two."""

from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import changed_lines, escape, keep_version, kept_versions
from pages.shared.state import flash, workspace

NOW = 0  # the set as it is, beside the numbers of versions
SIGNS = {"added": ":green[**+**]", "removed": ":red[**−**]", "changed": ":orange[**~**]"}
LINKED = "version"  # in the address: the version that is compared with


def versions_panel(text, source):
    """Draw it; ``source`` is the set as it is now."""
    with st.form("ge_version_form", border=False, clear_on_submit=True):
        name_column, button_column = st.columns([3, 2], vertical_alignment="bottom")
        name_column.text_input("Keep this version as", key="ge_version_name", placeholder="A name")
        keep = partial(_keep, text)
        button_column.form_submit_button("Keep", key="ge_version_keep", icon=":material/bookmark_add:", on_click=keep)
    kept = {version.id: version for version in kept_versions(workspace().store, text.corpus)}
    if not kept:
        st.info("No version kept yet. Name the set as it is now, to return to it or compare with it later.")
        return
    _compare(kept, source)


def _compare(kept, source):
    def name(number):
        return kept[number].name if number in kept else "the set as it is now"

    if st.session_state.get(LINKED) not in kept:
        st.session_state.pop(LINKED, None)  # of another corpus
    old_column, new_column = st.columns(2)
    old = old_column.selectbox("From version", list(kept), format_func=name, key=LINKED, bind="query-params")
    new = new_column.selectbox("to", [NOW, *kept], format_func=name, key="ge_version_to")
    version = kept[old]
    lines = changed_lines(version.value, source if new == NOW else kept[new].value)
    said = [f"{len(lines[what])} {what}" for what in SIGNS if lines[what]] or ["nothing differs"]
    st.caption(f"{', '.join(said)} · {lines['kept']} the same · kept {version.time.astimezone():%d %b %Y %H:%M}")
    for what, sign in SIGNS.items():
        for line in lines[what]:
            st.markdown(f"{sign} `{line}`", help=what)
    st.button(
        f"Return to {escape(version.name)}",
        key="ge_version_restore",
        icon=":material/history:",
        on_click=_restore,
        args=(version,),
        disabled=version.value == source,
        help="Can be undone. The address of this page is a link to the version.",
    )


def _keep(text):
    try:
        version = keep_version(
            workspace().store, text.corpus, text.treebank, st.session_state.get("ge_version_name") or ""
        )
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        flash(f"Kept as {escape(version.name)}")
    st.rerun("app")


def _restore(version):
    try:
        workspace().store.restore_version(version.id)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        flash(f"Returned to {escape(version.name)}")
    st.rerun("app")
