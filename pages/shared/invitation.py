"""How somebody else works on the same project: adding a member, or a name and a link where nobody signs in."""

import json
from urllib.parse import urlencode

import streamlit as st

from core.store import ROLES
from core.workspace.annotations import checked_layer
from core.workspace.texts import address_of
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.guide.link import guide_link
from pages.shared.text_menu import PROJECT, TEXT, unique_names
from pages.shared.view_state import ViewState
from pages.shared.widgets import action_button

MEANING = {"reader": "can look", "annotator": "can look and change", "owner": "can also rename, share and delete"}
HERE_ALONE = ("127.0.0.1", "localhost", "::1")  # addresses that only this machine reaches


def invitation(current, corpus, key):
    """Draw it for the project ``current`` and, where nobody signs in, a Corpus of it or None; ``key`` begins keys."""
    if session().person is None:
        _link(corpus, key)
    elif session().store.role(current) == "owner":
        member_fields(current, key)
    else:
        owners = [name for name, role in session().store.members(current).items() if role == "owner"]
        st.caption(f"Owners of this project add people: {escape(', '.join(owners))}.")


def member_fields(current, key):
    """Draw the fields that give somebody a role in a project; for its owners."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("E-mail address", key=f"{key}_invite")
        st.selectbox("Role", ROLES, index=1, key=f"{key}_invite_role", width=160)
        action_button("Add", f"{key}_invite_add", None, _add, current, key)
    st.caption("; ".join(f"{role}: {meaning}" for role, meaning in MEANING.items()) + ".")


@callback_errors()
def _add(current, key):
    name, role = st.session_state[f"{key}_invite"], st.session_state[f"{key}_invite_role"]
    session().store.set_role(current, name, role)
    st.session_state[f"{key}_invite"] = ""
    flash(escape(f"{name.strip()} is now {role}"))


@report_errors()
def _link(corpus, key):
    """Without sign-in everybody is the same user; who annotates is said by the version that a link opens."""
    st.caption(
        "There is no sign-in: whoever opens this app works on all its projects. Name the second person: their link "
        "opens a version of the trees of their own, which *Agreement* compares with yours."
    )
    name = checked_layer(st.text_input("Their name", key=f"{key}_invite_name", max_chars=40))
    if name and corpus is not None:
        version = json.dumps(name, ensure_ascii=False)
        project = unique_names(session().store.projects())[corpus.project]
        query = urlencode({PROJECT: project, TEXT: address_of(corpus), str(ViewState.version): version})
        st.code(f"{(st.context.url or '').rsplit('/', 1)[0]}/annotate?{query}", language=None, wrap_lines=True)
    if (st.get_option("server.address") or "") in HERE_ALONE:
        st.caption(
            "This app answers this computer alone, so the link opens here. From other computers, one server serves "
            "all, with sign-in; or a backup takes the project along."
        )
    guide_link("Server", "", label="A server for a team")
