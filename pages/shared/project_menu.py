"""The project's menu in the bar: the open project, who is signed in, links to the other projects."""

import streamlit as st

from core.workspace.texts import addressed
from pages.shared.basics import callback_errors, escape, flash, session
from pages.shared.guide.link import PAGES, guide_link
from pages.shared.session import forget, open_workspace
from pages.shared.text_menu import unique_names
from pages.shared.tour import tour_button
from pages.shared.widgets import choose_from

LONGEST = 24  # characters of a name in the bar
SINGLE = "One user, no sign-in: whoever opens this address can see and change every project."


def choose_project(page):
    """Draw the menu, which leads to what the guide says of the page; afterwards ``session().project`` is known.

    Raises StoreError.
    """
    store = session().store
    names = unique_names(store.projects())
    current = _current(store, names)
    if current not in names:  # just made
        names[current] = store.project(current).name
    if "project_id" not in st.session_state and st.query_params.get("project") != names[current]:
        st.query_params["project"] = names[current]  # afterwards the widget below sees to it
    if st.session_state.get("project_id") != current:
        forget()
    st.session_state["project"] = st.session_state["project_id"] = current
    name = names[current]
    short = name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
    # another one on each page and step of the tour: what stayed open would lie on what its links led to
    key = f"shared_menu_{page.title}_{st.session_state.get('tour_place')}"
    with (
        st.container(key="shared_project_menu", width="content"),
        st.popover(escape(short), icon=":material/folder:", key=key),
    ):
        choose_from(st.selectbox, "Project", names, index=None, key="project", bind="query-params", width=320)
        st.page_link("pages/projects.py", label="All projects")
        guide_link(PAGES, page.title, "This page in the guide")
        tour_button()
        if session().person is None:
            st.caption(SINGLE)
        else:
            st.caption(f"Signed in as {escape(str(session().person))}: {store.role(current)} here")
            st.button("Sign out", icon=":material/logout:", key="shared_sign_out", on_click=st.logout)
            everywhere = "In every browser in which you are signed in, such as one that you left open elsewhere."
            st.button(
                "Sign out everywhere", type="tertiary", key="shared_sign_out_all", on_click=_everywhere, help=everywhere
            )


@callback_errors()
def _everywhere():
    if (who := session().person) is not None:
        open_workspace().store.end_sessions(who)
    st.logout()


def open_project(project):
    """Open a Project with the next run; in a callback, or before a rerun."""
    st.session_state["shared_open_project"] = project.id


def _linked(store, names):
    """Ids of the projects that the address means: that of its name, unless another one alone has its text.

    Names of projects change and repeat; the text in the address tells which of them is meant.
    """
    project, text = st.query_params.get("project"), st.query_params.get("text", "")
    with_name = [number for number, name in names.items() if name == project]
    if "-" not in text or any(addressed(store.corpora(number), text) for number in with_name):  # or a built-in sample
        return with_name
    holding = [number for number in names if addressed(store.corpora(number), text)]
    return holding if len(holding) == 1 else with_name


def _current(store, names):
    """The id of the project to open: the one just chosen, the one in the link, else the one worked in last."""
    requested = st.session_state.pop("shared_open_project", None) or st.session_state.get("project")
    before = st.session_state.get("project_id")
    if requested in names:
        return requested
    if before in names:  # the choice was cleared
        return before
    recent = store.recent_project()
    linked = None if before is not None else st.query_params.get("project")
    linked_projects = [] if before is not None else _linked(store, names)
    if linked_projects:
        return linked_projects[0]
    if linked or before is not None:
        gone = "The project was deleted, or you no longer have access"
        lost = f"There is no project {linked!r} here" if linked else gone
        flash(f"{escape(lost)}; this is {escape(repr(recent.name))}", ":material/link_off:")
    return recent.id
