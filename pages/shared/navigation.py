"""The menu: which pages there are."""

import streamlit as st

FRAMED = "shared_framed"


MENU = {
    "Text": {"corpus": "Corpus", "annotate": "Annotate", "projects": "Projects"},
    "Knowledge": {"constraints": "Constraints", "markup": "Mark-up", "consensus": "Consensus"},
    "Learning": {
        "induction": "Induction", "decomposition": "Decomposition", "joint": "Joint", "adaptation": "Adaptation",
    },
    "Evaluate": {"compare": "Compare", "runs": "Runs"},
    "Teach": {"teach": "Teach", "guide": "Guide"},
}  # fmt: skip
FIRST = "corpus"
NEXT = "shared_next_page"  # the page that a button asked for


def navigation():
    """Draw the menu; returns the page that is open."""
    menu = {  # an icon's name would be fetched from afar
        section: [st.Page(f"pages/{name}.py", title=title, url_path=name) for name, title in pages.items()]
        for section, pages in MENU.items()
    }
    # the page at ``/``, whose own path is never served (Streamlit 1.67); a link opens it under its own name
    start = st.Page(f"pages/{FIRST}.py", title="Corpus", url_path="start", default=True)
    named = st.Page(f"pages/{FIRST}.py", title="Corpus", url_path=FIRST, visibility="hidden")
    menu["Text"] = [start, named, *menu["Text"][1:]]
    return st.navigation(menu, position="top")


def follow():
    """Open the page that a button asked for; before anything of the present one is drawn."""
    page = st.session_state.pop(NEXT, None)
    if page is not None:
        st.switch_page(f"pages/{page}.py", query_params={})


def script(title):
    """The script of the page of that title, None if there is none."""
    names = {name for pages in MENU.values() for name, each in pages.items() if each == title}
    return f"pages/{names.pop()}.py" if names else None


def require_frame():
    """Start again from app.py where Streamlit ran a page by itself; first thing on every page.

    The first visit after the server's start, if it goes straight to a page, finds the folder ``pages`` before
    app.py has had its say, and runs the page without menu and sidebar (Streamlit 1.67).
    """
    if not st.session_state.pop(FRAMED, False):
        navigation()  # from here on the folder is left alone
        st.rerun()
