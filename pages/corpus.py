"""Corpus: what a text is made of, its sentences with their trees, and the tagging of one that has no tags."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import is_untagged
from pages.shared.browser import browser
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse, workspace
from pages.shared.tagging import tagging_step

VIEWS = {"tag": ":material/sell: Tag the words", "browse": ":material/menu_book: Sentences"}

require_frame()
current = corpus()
try:
    source = workspace().source(current)
    treebank = workspace().treebank(current)
    statistics = workspace().statistics(current)
except WorkbenchError as error:
    refuse(error)
    st.stop()
view = "browse"
if is_untagged(source):
    view = st.segmented_control(
        "Show", list(VIEWS), default="tag", format_func=VIEWS.get, key="corpus_view", label_visibility="collapsed"
    )
if view == "tag":
    tagging_step(current, source)
else:
    browser(current, treebank, statistics)
