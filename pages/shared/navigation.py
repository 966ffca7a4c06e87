"""The menu: which pages there are."""

import streamlit as st

FRAMED = "shared_framed"


def navigation():
    """Draw the menu; returns the page that is open."""
    return st.navigation(
        {
            "Text": [
                _first("corpus", "Corpus"),
                _named("corpus", "Corpus"),
                _page("annotate", "Annotate"),
                _page("projects", "Projects"),
            ],
            "Knowledge": [
                _page("constraints", "Constraints"),
                _page("markup", "Mark-up"),
                _page("consensus", "Consensus"),
            ],
            "Learning": [
                _page("induction", "Induction"),
                _page("decomposition", "Decomposition"),
                _page("joint", "Joint"),
                _page("adaptation", "Adaptation"),
            ],
            "Evaluate": [_page("compare", "Compare"), _page("runs", "Runs")],
            "Teach": [_page("teach", "Teach")],
        },
        position="top",
    )


def require_frame():
    """Start again from app.py where Streamlit ran a page by itself; first thing on every page.

    The first visit after the server's start, if it goes straight to a page, finds the folder ``pages`` before
    app.py has had its say, and runs the page without menu and sidebar (Streamlit 1.67).
    """
    if not st.session_state.pop(FRAMED, False):
        navigation()  # from here on the folder is left alone
        st.rerun()


def _page(name, title):
    return st.Page(f"pages/{name}.py", title=title, url_path=name)  # an icon's name would be fetched from afar


def _first(name, title):
    """The page at ``/``. Its own path is never served (Streamlit 1.67): ``name`` stays free for ``_named``."""
    return st.Page(f"pages/{name}.py", title=title, url_path="start", default=True)


def _named(name, title):
    """The first page under its own name too, so that a link to it opens it like any other."""
    return st.Page(f"pages/{name}.py", title=title, url_path=name, visibility="hidden")
