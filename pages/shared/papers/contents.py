"""The choice of a paper, and what of it stands on which page."""

import streamlit as st

from core.workspace.papers.contents import PAPERS, paper_named
from pages.shared.basics import escape
from pages.shared.papers.view_state import PapersView
from pages.shared.widgets import choose_view


def chosen_paper():
    """Draw the choice; returns the Paper."""
    return paper_named(choose_view("Paper", {paper.name: paper.short for paper in PAPERS}, PapersView.paper))


def parts_panel(paper):
    """Draw the paper's title, and its parts as links to their pages."""
    st.caption(escape(paper.title))
    for page, what in paper.parts:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(f"pages/{page}.py", label=_title(page), icon=":material/arrow_forward:", width="content")
            st.markdown(what, width="content")


def _title(page):
    from pages.shared.navigation import MENU  # which imports the view state beside this

    return next(pages[page].title for pages in MENU.values() if page in pages)
