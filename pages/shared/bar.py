"""The bar below the menu: which corpus is open, what was saved when, undo and redo."""

import streamlit as st

from pages.shared.address import one_entry_an_act
from pages.shared.basics import escape, session
from pages.shared.corpus.upload import AGAIN, add_text
from pages.shared.editor import step
from pages.shared.messages import show_flash
from pages.shared.project_menu import SINGLE, choose_project
from pages.shared.session import warm_up
from pages.shared.text_menu import choose_text
from pages.shared.tour import tour
from pages.shared.version import version_sign
from pages.shared.widgets import TABLES, action_button

# where there is little room: no keys, and the names of Undo and Redo are only read aloud; what keeps the history is in
# nobody's sight, and takes no line of the page
NARROW = """<style>@media (max-width: 1100px) {
  .st-key-shared_bar kbd { display: none }
  :is(.st-key-shared_undo, .st-key-shared_redo) p { clip-path: inset(50%); height: 1px; position: absolute; width: 1px }
} :has(> .st-key-shared_history) { height: 0; overflow: hidden; position: absolute }</style>"""
# a click on nothing gives the page the focus, and with the next key a frame; who goes there by Tab is to see one
CLICKED = '<style>[data-testid="stMain"]:hover:focus-visible::before { box-shadow: none }</style>'
COMPILING = 2  # seconds between two looks at how many kernels are compiled


def bar(page):
    """Draw it, the title of the page first; afterwards ``session().project`` and ``session().corpus`` are known."""
    st.html(NARROW + CLICKED + TABLES)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shared_bar"):
        st.header(page.title, anchor=False, width="content")
        choose_project(page)
        choose_text(page)
        reads = session().store.role(session().project) == "reader"
        asked = st.button("Add a text", icon=":material/add:", type="tertiary", key="shared_add_text", disabled=reads)
        if st.session_state.pop(AGAIN, False) or asked:
            add_text()
        _history()
    with st.container():  # always there, so that the page below stays in its place when the strip goes
        tour(page.title)
        version_sign(page.title)
    with st.container(key="shared_history"):
        one_entry_an_act()
    show_flash()


def _history():
    standing = session().store.save_status(session().project)
    st.fragment(_saved, run_every=COMPILING if warm_up().compiling else None)()
    for direction, shortcut, label in (("undo", "Mod+Z", standing.undo), ("redo", "Mod+Shift+Z", standing.redo)):
        undone = f"Nothing to {direction}" if label is None else f"{direction.capitalize()} {escape(label)}"
        action_button(
            direction.capitalize(), f"shared_{direction}", direction, step, direction,
            shortcut=shortcut, type="tertiary", disabled=label is None, help=undone,
        )  # fmt: skip


def _saved():
    """Draw when the project was saved last and, while kernels are compiled, their progress, in what room is left."""
    store, warmup = session().store, warm_up()
    when, who = store.save_status(session().project).saved or (None, None)
    by = f" by {escape(who)}" if who not in (None, store.author) else ""
    saved = f"Saved {when.astimezone():%H:%M}{by}" if when else "No change yet"
    line = {"width": "stretch", "text_alignment": "right", "wrap": False}
    compiling = warmup.compiling
    if warmup.error:
        st.warning(warmup.error)
    if compiling:
        ready, most = compiling
        help_text = f"{ready} of at most {most} functions are ready; training waits for all of them. {saved}."
        # more would not stay on the line at 1280 pixels
        st.caption(f"Compiling, once: {ready / most:.0%}", **line, help=help_text)
    else:
        alone = session().person is None
        st.caption(f"One user · {saved}" if alone else saved, **line, help=SINGLE if alone else None)
