"""Mark-up: brackets that links, bold, italics and underlines put on the text, and whether its trees respect them."""

import streamlit as st

from pages.shared.basics import escape, report_errors, session
from pages.shared.markup import state
from pages.shared.markup.pages import import_button
from pages.shared.markup.reading import reading_panel, trees_panel
from pages.shared.markup.tables import report, tables
from pages.shared.markup.view import explorer, filters, headline, learners, level_choice, trees_choice, under_trees
from pages.shared.navigation import require_frame

SUMMARY = "Links, bold and italics of web pages mark phrases: see how many of them the trees respect."

require_frame()
current, text = session().corpus, None
bar = st.empty()
with report_errors():
    text = state.room().text(current, lambda share, doing: bar.progress(share, text=escape(doing)))
bar.empty()
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(SUMMARY, width="stretch")
    import_button()
if text is not None and text.marks:
    text, trees = under_trees(text)
    state.begin(text)
    with st.container(horizontal=True, vertical_alignment="center"):
        level_choice()
        headline(text)
        trees_choice(current, trees)
        places = filters(text)
        learners()
elif text is not None:
    st.markdown("This text has no mark-up. Import web pages, or open the sample to see an example.")
reading_panel()
if text is None:
    st.stop()
with st.container():
    trees_panel(text)
if text.problem:
    st.warning(escape(text.problem), icon=":material/warning:")
if text.marks:
    explorer(text, places)
    tables(text)
else:
    report(current)
