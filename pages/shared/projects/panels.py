"""The parts of the Projects page: the list, this project's texts, name, backup and end, new ones, the trash."""

import os
from functools import partial

import streamlit as st

from core.serving.sign_in import NEXT_START, SIGN_IN
from core.store import ROLES
from core.workspace.leftovers import purge_project
from core.workspace.projects.overview import (
    backup_bytes,
    backup_name,
    holdings,
    project_table,
    room_table,
    room_words,
    time_text,
)
from core.workspace.texts import listed_texts, text_table
from pages.shared.basics import amount, callback_errors, escape, flash, session, show_problem
from pages.shared.invitation import invitation, member_fields
from pages.shared.project_menu import open_project
from pages.shared.text_menu import open_text, text_panel
from pages.shared.widgets import column, download, draw_table

UPLOAD = 100  # megabytes


@callback_errors()
def do(action, done=None):
    """Call ``action()`` in a callback and show ``done``, or its error; returns what ``action`` returned."""
    result = action()
    if done:
        flash(escape(done))
    return result


def list_projects(store, current):
    """Draw a table of all projects; a click on a row opens that project."""
    projects = store.projects()
    table = project_table(store, projects)
    if store.author == "local":
        del table["Your role"]
    draw_table(
        table, on_select=partial(_open_row, [project.id for project in projects]), key="projects_list",
        selection_mode="single-row", alt=f"{len(projects)} projects; open is {current.name}",
    )  # fmt: skip
    st.caption("Select a row to open that project. Every step is saved as you make it.")


def _open_row(ids):
    rows = st.session_state["projects_list"]["selection"]["rows"]
    if rows:
        open_project(do(lambda: session().store.project(ids[rows[0]])) or session().project)


def texts_panel(store, current):
    """Draw a table of the project's texts, of which a click opens one, and the fields that rename and remove it."""
    st.subheader(f"Texts of {escape(current.name)}", anchor=False)
    corpora = listed_texts(store, current)
    draw_table(
        text_table(corpora), on_select=partial(_open_text_row, [corpus.id for corpus in corpora]), key="projects_texts",
        selection_mode="single-row", alt=f"{len(corpora)} texts of {current.name}",
        columns={"Size, kB": column(None, format="%.1f")}, placeholder="–",
    )  # fmt: skip
    st.caption("Select a row to open that text.")
    if corpora:
        with st.container():  # what follows keeps its place, whichever fields a text has
            text_panel(session().corpus)


def _open_text_row(ids):
    rows = st.session_state["projects_texts"]["selection"]["rows"]
    if rows and rows[0] < len(ids):
        open_text(ids[rows[0]])


def room_panel(store, current):
    """Draw how much room the project takes, and by what."""
    # its label changes with every size: with on_change="rerun" a new label would make it a new element (Streamlit 1.67)
    with st.expander(f"Room: {room_words(store, current)}", key=f"projects_room_{current.id}"):
        columns = {"MB": column(None, format="%.2f")}
        draw_table(room_table(store, current), columns=columns, alt=f"What takes the room of {current.name}")
        _empty_panel(store, current)


def _empty_panel(store, current):
    """Draw the button that deletes what the undo of removed texts needs, with a warning."""
    count = store.removed_texts(current)
    if not count or store.role(current) != "owner":
        return
    with st.popover("Empty removed texts", icon=":material/delete:", key=f"projects_empty_{current.id}"):
        size = store.usage(current).removed / 1e6
        st.write(
            f"The contents of {amount(count, 'removed text')}, {size:.1f} MB, will be deleted. This cannot be undone, "
            "and Undo will not bring these texts back."
        )
        st.button("Empty now", type="primary", key="projects_empty_now", on_click=_empty, args=(current,))


def _empty(current):
    count = do(lambda: session().store.empty_removed(current))
    if count is not None:
        flash(f"Emptied {amount(count, 'removed text')}")


def name_panel(store, current):
    """Draw the project's name with the buttons that rename and copy it."""
    st.subheader(f"This project: {escape(current.name)}", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name", value=current.name, key=f"projects_name_{current.id}_{current.name}", max_chars=200)
        owner = store.role(current) == "owner"
        st.button("Rename", key="projects_rename", on_click=_rename, args=(current,), disabled=not owner)
        st.button("Copy", key="projects_copy", on_click=_copy, args=(current,))


def _rename(current):
    name = st.session_state[f"projects_name_{current.id}_{current.name}"]
    do(lambda: session().store.rename_project(current, name), "Renamed")


def _copy(current):
    made = do(lambda: session().store.copy_project(current, current.name), f"Copied {current.name}; the copy is open")
    if made is not None:
        open_project(made)


def backup_panel(store, current):
    """Draw the download of the project's backup, which is made at the click."""
    download(
        "Download a backup", partial(backup_bytes, store, current), backup_name(current), "projects_backup",
        mime="application/zip", type="secondary",
        help="One file with all texts, changes, versions and runs, which any workbench can restore. "
        "On the command line: python -m core backup --out FILE",
    )  # fmt: skip


def delete_panel(store, current):
    """Draw the button that moves the project to the trash, from where it can be restored."""
    if store.role(current) != "owner":
        return
    held = holdings(store.project_size(current))
    key = f"projects_end_{current.id}"  # another project's is another popover, and closed
    with st.popover("Delete this project", icon=":material/delete:", key=key):
        st.write(f"**{escape(current.name)}** holds {held}. You can restore it from the trash.")
        st.button("Move to trash", type="primary", key="projects_delete", on_click=_delete, args=(current,))


def _delete(current):
    if do(lambda: session().store.delete_project(current), f"Moved {current.name} to the trash"):
        open_project(session().store.recent_project())


def new_panel():
    """Draw the fields that make a new project, empty or from a backup."""
    st.subheader("New project", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name of the new project", key="projects_new_name", max_chars=200)
        st.button("Create", key="projects_new", on_click=_make)
    upload = st.file_uploader("Or restore a backup", key="projects_upload", max_upload_size=UPLOAD)
    if upload is not None:
        st.button(f"Restore {escape(upload.name)}", key="projects_restore", type="primary", on_click=_restore)
    show_problem("projects_refusal")


def _make():
    made = do(lambda: session().store.create_project(st.session_state["projects_new_name"]))
    if made is not None:
        st.session_state["projects_new_name"] = ""
        open_project(made)
        flash(f"Created {escape(made.name)}, with the sample in it")


def _restore():
    upload = st.session_state["projects_upload"]
    if upload is None:
        return
    with callback_errors("projects_refusal"):  # too long for a toast
        made = session().store.restore_backup(upload)
        open_project(made)
        flash(f"Restored as {escape(made.name)}")


def trash_panel(store):
    """Draw the deleted projects, each with buttons that restore it or delete it permanently."""
    deleted = [project for project in store.trash() if store.role(project) == "owner"]
    if not deleted:
        return
    st.subheader("Trash", anchor=False)
    for project in deleted:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(project.name)}**, deleted {time_text((project.deleted, 'local'))}", width="stretch")
            st.button("Restore", key=f"projects_back_{project.id}", on_click=_take_back, args=(project,))
            with st.popover("Delete permanently", key=f"projects_gone_{project.id}"):
                held = holdings(store.project_size(project))
                st.write(
                    f"**{escape(project.name)}** with its {held} will be deleted; only a backup could bring it back."
                )
                key = f"projects_purge_{project.id}"
                st.button("Delete now", type="primary", key=key, on_click=_purge, args=(project,))


def _take_back(project):
    restored = do(lambda: session().store.restore_project(project), f"Restored {project.name}")
    if restored is not None:
        open_project(restored)


def _purge(project):
    do(lambda: purge_project(session().store, project), f"Deleted {project.name}")


def people_panel(store, current):
    """Draw the people and their roles; in a project of one user that was never shared, how somebody else joins."""
    members = store.members(current)
    st.subheader("People", anchor=False)
    if session().person is None and not members:
        corpora = store.corpora(current)
        with st.popover("Invite somebody", icon=":material/person_add:", key=f"projects_invitation_{current.id}"):
            invitation(current, session().corpus if corpora else None, "projects")
        return
    if session().person is None and os.environ.get(SIGN_IN) != "off":
        st.info(NEXT_START, icon=":material/login:")
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
    member_fields(current, "projects")


def _change(current, name, key):
    _set(current, name, st.session_state[key])


def _set(current, name, role):
    message = f"{name} is now {role}" if role else f"Removed {name}"
    do(lambda: session().store.set_role(current, name, role), message)
