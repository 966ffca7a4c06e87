"""Who may do what in the open project, where people sign in; its owners say so."""

import streamlit as st

from core.store import ROLES
from core.workspace import escape
from pages.shared.projects.panels import do
from pages.shared.session import session
from pages.shared.table import draw_table

MEANING = {"reader": "can look", "annotator": "can look and change", "owner": "can also rename, share and delete"}


def people_panel(store, current):
    """The people and their roles; nothing where nobody signs in."""
    if session().person is None:
        return
    st.subheader("People", anchor=False)
    members = store.members(current)
    if store.role(current) != "owner":
        draw_table({"Person": list(members), "Role": list(members.values())}, alt="People and roles")
        return
    for name, role in members.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(escape(name), width="stretch")
            key = f"projects_role_{current.id}_{name}"
            st.session_state[key] = role
            st.selectbox(
                f"Role of {name}", ROLES, key=key, label_visibility="collapsed", width=160,
                on_change=_change, args=(current, name, key),
            )  # fmt: skip
            st.button("Remove", key=f"{key}_out", type="tertiary", on_click=_set, args=(current, name, None))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("E-mail address", key="projects_invite")
        st.selectbox("Role", ROLES, index=1, key="projects_invite_role", width=160)
        st.button("Add", key="projects_invite_add", on_click=_invite, args=(current,))
    st.caption("; ".join(f"{role}: {meaning}" for role, meaning in MEANING.items()) + ".")


def _change(current, name, key):
    _set(current, name, st.session_state[key])


def _set(current, name, role):
    said = f"{name} is now {role}" if role else f"Removed {name}"
    do(lambda: session().store.set_role(current, name, role), said)


def _invite(current):
    name, role = st.session_state["projects_invite"], st.session_state["projects_invite_role"]
    if do(lambda: session().store.set_role(current, name, role), f"{name.strip()} is now {role}"):
        st.session_state["projects_invite"] = ""
