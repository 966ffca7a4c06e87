"""Corpus: what a text is made of, its sentences with their trees, search by structure, tagging if there is none."""

import streamlit as st

from core.workspace.corpus.tagging import is_untagged
from pages.shared.basics import report_errors, session
from pages.shared.corpus.browser import browser
from pages.shared.corpus.faults import faults_panel
from pages.shared.corpus.search_panel import search_panel
from pages.shared.corpus.tagging import tagging_step
from pages.shared.corpus.view_state import CorpusView
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.text_menu import text_panel
from pages.shared.widgets import choose_view

VIEWS = {"tag": "Tag the words", "browse": "Sentences", "search": "Search", "faults": "Validation"}

require_frame()
current = session().corpus
introduction("Look at a text, its sentences and trees, and search it by structure.")
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    views_place = st.container(width="content")
    with st.popover("Rename or remove", icon=":material/edit:", key=f"corpus_text_{current.id}"):
        text_panel(current)
with report_errors(stop=True):
    source = session().workspace.source(current)
    treebank = session().shown.standing(current).treebank
    statistics = session().shown.statistics(current)
views = {name: title for name, title in VIEWS.items() if name != "tag" or is_untagged(source)}
first = next(iter(views))
if st.session_state.pop("corpus_added", None) == current.id:
    CorpusView().view = first
with views_place:
    view = choose_view("Show", views, CorpusView.view)
if view == "tag":
    tagging_step(current, source)
elif view == "search":
    search_panel(current, treebank)
elif view == "faults":
    faults_panel(current)
else:
    browser(current, treebank, statistics)
