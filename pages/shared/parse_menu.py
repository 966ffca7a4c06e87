"""Adding a parse, wherever trees are chosen: a parser saved as a file, or a file with the words of the text."""

import streamlit as st

from core.workspace.parses import add_file
from pages.shared.basics import escape, flash, session, show_problem
from pages.shared.reading import upload_field

HELP = (
    "A parser saved by the workbench (.npz) parses this text. A file with the words of this text brings its own trees."
)


def add_parse_button(corpus, key, added, *, label="Add a parse", **how):
    """Draw a popover with ``add_parse_file``; ``how`` is as ``st.popover`` takes it."""
    with st.popover(label, icon=":material/add:", key=f"{key}_add", **how), st.container(width=430):
        add_parse_file(corpus, key, added)


def add_parse_file(corpus, key, added):
    """Draw the field that takes the file.

    Parameters
    ----------
    corpus : Corpus
    key : str
        Begins the keys of its parts.
    added : callable
        ``added(parse)`` is called with the key of what was added; in a callback.
    """
    problem = f"{key}_add_problem"

    def add(name, data, asker):
        added(add_file(session().systems, corpus, name, data, asker))
        flash(f"{escape(name)} can be chosen wherever trees of this text are")

    st.caption("Our parsers, English and universal, and those of other runs are in the list beside this button.")
    upload_field("Saved parser, or CoNLL-U with other trees", f"{key}_upload", add, problem, help=HELP)
    show_problem(problem)
