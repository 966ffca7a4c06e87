"""Adding a parse, wherever trees are chosen: a saved parser, a file with the words of the text, pasted trees."""

import streamlit as st

from core.workspace.parses import add_file
from core.workspace.texts import added_parses
from pages.shared.answers import answer_button
from pages.shared.basics import callback_errors, escape, flash, session, show_problem
from pages.shared.reading import upload_field
from pages.shared.widgets import choose_from

HELP = (
    "A parser saved by the workbench (.npz) parses this text. A file of this text brings its own trees, also where it "
    "divides the text into other words or sentences: then words are compared by their characters."
)


def add_parse_button(corpus, key, added, *, label="Add a parse", **how):
    """Draw a popover with ``add_parse_file``, and what was added; ``how`` is as ``st.popover`` takes it."""
    menu = f"{key}_add"
    with st.popover(label, icon=":material/add:", key=menu, on_change="rerun", **how), st.container(width=430):
        add_parse_file(corpus, key, added, "in the list beside this button")
        answer_button(corpus, key, added, menu)
        if names := {parse.id: parse.name for parse in added_parses(session().store, corpus)}:
            _removal(names, key)


def add_parse_file(corpus, key, added, place):
    """Draw the field that takes the file.

    Parameters
    ----------
    corpus : Corpus
    key : str
        Begins the keys of its parts.
    added : callable
        ``added(parse)`` is called with the key of what was added; in a callback.
    place : str
        Where the parsers are that need no file.
    """
    problem = f"{key}_add_problem"

    def add(name, data, asker):
        added(add_file(session().systems, corpus, name, data, asker))
        flash(f"{escape(name)} can be chosen wherever trees of this text are")

    st.caption(f"Without a file: the English parser, the universal one and those of other runs are {place}.")
    upload_field("Saved parser, or CoNLL-U with other trees", f"{key}_upload", add, problem, help=HELP)
    show_problem(problem)


def _removal(names, key):
    """Draw the choice of an added file, by corpus id, and the button that removes it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = choose_from(st.selectbox, "Files added to this text", names, key=f"{key}_added")

        @callback_errors(rerun=True)
        def remove():
            session().store.remove_corpus(number)
            flash(f"Removed {escape(names[number])}; Undo brings it back", ":material/delete:")

        st.button("Remove", icon=":material/delete:", key=f"{key}_remove", on_click=remove)
