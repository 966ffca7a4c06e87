"""Corpus: what a text is made of, its sentences with their trees, search by structure, tagging if there is none."""

import streamlit as st

from core.workspace.corpus.tagging import is_untagged
from pages.shared.corpus.browser import browser
from pages.shared.corpus.search_panel import search_panel
from pages.shared.corpus.tagging import tagging_step
from pages.shared.messages import report_errors
from pages.shared.navigation import require_frame
from pages.shared.session import session
from pages.shared.text_menu import text_panel

VIEWS = {"tag": "Tag the words", "browse": "Sentences", "search": "Search"}

require_frame()
current = session().corpus
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    views_place = st.container(width="content")
    with st.popover("Rename or remove", icon=":material/edit:", key=f"corpus_text_{current.id}"):
        text_panel(current)
with report_errors(stop=True):
    source = session().workspace.source(current)
    treebank = session().workspace.treebank(current)
    statistics = session().workspace.statistics(current)
views = [name for name in VIEWS if name != "tag" or is_untagged(source)]
if st.session_state.pop("corpus_added", None) == current.id:
    st.session_state["corpus_view"] = views[0]
view = views_place.segmented_control(
    "Show", views, default=views[0], format_func=VIEWS.get, key="corpus_view", required=True, bind="query-params",
    label_visibility="collapsed",
)  # fmt: skip
if view == "tag":
    tagging_step(current, source)
elif view == "search":
    search_panel(current, treebank)
else:
    browser(current, treebank, statistics)
