"""The menu: which pages there are, and what is looked at on them."""

from typing import NamedTuple

import streamlit as st

from pages.shared.adaptation.view_state import AdaptationView
from pages.shared.address import forget_bound, is_history_navigation, read_anew, release
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.compare.view_state import CompareView
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.corpus.view_state import CorpusView
from pages.shared.decomposition.view_state import DecompositionView
from pages.shared.guide.view_state import GuideView
from pages.shared.induction.view_state import InductionView
from pages.shared.joint.view_state import JointView
from pages.shared.markup.view_state import MarkupView
from pages.shared.papers.view_state import PapersView
from pages.shared.runs.view_state import RunsView
from pages.shared.teach.view_state import TeachView
from pages.shared.view_state import ViewState

FRAMED = "shared_framed"


class Entry(NamedTuple):
    """A page: what it is called, and the class of what is looked at on it."""

    title: str
    view: type[ViewState] = ViewState


MENU = {
    "Text": {
        "corpus": Entry("Corpus", CorpusView), "annotate": Entry("Annotate", AnnotateView),
        "projects": Entry("Projects"),
    },
    "Knowledge": {
        "constraints": Entry("Constraints", ConstraintsView), "markup": Entry("Mark-up", MarkupView),
        "consensus": Entry("Consensus", ConsensusView),
    },
    "Learning": {
        "induction": Entry("Induction", InductionView), "decomposition": Entry("Decomposition", DecompositionView),
        "joint": Entry("Joint", JointView), "adaptation": Entry("Adaptation", AdaptationView),
    },
    "Evaluate": {
        "compare": Entry("Compare", CompareView), "runs": Entry("Runs", RunsView),
        "papers": Entry("Papers", PapersView),
    },
    "Teach": {"teach": Entry("Teach", TeachView), "guide": Entry("Guide", GuideView)},
}  # fmt: skip
FIRST = "corpus"
NEXT, NEXT_QUERY = "shared_next_page", "shared_next_query"  # what a button asked for
OPENED = "shared_opened_page"


def navigation():
    """Draw the menu; returns the page that is open."""
    menu = {section: [] for section in MENU}
    for section, pages in MENU.items():
        for name, entry in pages.items():  # an icon's name would be fetched from afar
            menu[section].append(st.Page(f"pages/{name}.py", title=entry.title, url_path=name))
    # the page at ``/``, whose own path is never served (Streamlit 1.67); a link opens it under its own name
    start = st.Page(f"pages/{FIRST}.py", title="Corpus", url_path="start", default=True)
    named = st.Page(f"pages/{FIRST}.py", title="Corpus", url_path=FIRST, visibility="hidden")
    menu["Text"] = [start, named, *menu["Text"][1:]]
    return st.navigation(menu, position="top")


def follow(opened):
    """Open the page that a button asked for; before anything of the present one, ``opened``, is drawn.

    After Back or Forward, what is looked at is read from the address again.
    """
    st.session_state[OPENED] = _name(opened.title)
    if is_history_navigation():
        read_anew(_entry(opened_page()).view.fields())
    page, query = st.session_state.pop(NEXT, None), st.session_state.pop(NEXT_QUERY, None)
    if page is not None:
        if query is not None:
            forget_bound(_entry(page).view.fields())
            release(query)
        st.switch_page(f"pages/{page}.py", query_params=query or {})


def go_to(page, query=None):
    """Open a page with the next run; with a query, str -> list of str, its address says what is looked at."""
    st.session_state[NEXT], st.session_state[NEXT_QUERY] = page, query


def opened_page():
    """The name of the page that is open."""
    return st.session_state[OPENED]


def script(title):
    """The script of the page of that title, None if there is none."""
    name = _name(title)
    return name and f"pages/{name}.py"


def _name(title):
    return next((name for pages in MENU.values() for name, entry in pages.items() if entry.title == title), None)


def _entry(name):
    return next(pages[name] for pages in MENU.values() if name in pages)


def require_frame():
    """Start again from app.py where Streamlit ran a page by itself; first thing on every page.

    The first visit after the server's start, if it goes straight to a page, finds the folder ``pages`` before
    app.py has had its say, and runs the page without menu and sidebar (Streamlit 1.67).
    """
    if not st.session_state.pop(FRAMED, False):
        navigation()  # from here on the folder is left alone
        st.rerun()
