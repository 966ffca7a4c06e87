"""The words behind a number: their sentences, most of them first, and two trees of one in a drawing."""

import streamlit as st

from core.workspace.compare.tables import draw_two, opened_sentences, trees_to_draw
from core.workspace.compare.tallies import is_opening, opened_words
from core.workspace.opened import arcs_of_rows
from pages.shared.address import get_place, get_value, set_value
from pages.shared.basics import amount, escape, session
from pages.shared.compare.scores import OPEN, PLACE, TREES, open_words
from pages.shared.save_group import keep_found
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, column, draw_table, sentence_column

HEIGHT = 460


def words_panel(corpus, found):
    """Draw it."""
    what = get_value(OPEN) if is_opening(get_value(OPEN)) else None
    rows, title = opened_words(session().workspace, corpus, found, what)
    indices, table = opened_sentences(found, rows)
    text = found.comparison.text
    arcs = arcs_of_rows(text, rows, text.heads)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape(title)}**", width="content")
        listed = f"{amount(len(rows), 'word')} in {len(indices):,} of {amount(found.sentences, 'sentence')}"
        st.caption(listed, width="content")
        st.space("stretch")  # the buttons stand to the right, clear of the list's own toolbar
        if len(indices):
            keep_found(corpus, text, arcs.sentences, "cmp_words", arcs.modifiers)
        if what is not None:
            action_button("All disagreements", "cmp_close", "close", open_words, None, type="tertiary")
    if not len(rows):
        st.caption("There are none.")
        return
    listed, drawn = st.columns([4, 8], gap="large")
    with listed:
        place = _list(table, what)
    with drawn:
        _trees(found, int(indices[place]), rows)


def _list(table, what):
    key = f"cmp_list_{what}"
    place = min(get_place(PLACE), len(table["text"]) - 1)

    def choose(row, _):
        set_value(PLACE, row)

    columns = {"sentence": ("No.", 50), "marked": column("Marked", 65, help="How many of these words are in it")}
    columns |= {"words": 60, "text": sentence_column(table["text"], 400, 160)}
    alt = f"{amount(len(table['text']), 'sentence')}, those with the most marked words first"
    draw_table(table, key=key, choose=choose, most=346, columns=columns, alt=alt)
    return place


def _trees(found, index, rows):
    names = trees_to_draw(found)
    wanted = get_value(TREES)
    wanted = wanted if isinstance(wanted, tuple) and len(wanted) == 2 else (None, None)
    above = wanted[0] if wanted[0] in names else names[0]
    below = wanted[1] if wanted[1] in names else names[min(1, len(names) - 1)]
    st.session_state["cmp_above"], st.session_state["cmp_below"] = above, below

    def change():
        set_value(TREES, (st.session_state["cmp_above"], st.session_state["cmp_below"]))

    with st.container(horizontal=True, vertical_alignment="center"):
        for key, label in (("cmp_above", "First tree"), ("cmp_below", "Second tree")):
            st.selectbox(label, names, key=key, on_change=change, label_visibility="collapsed", width=190)
        apart = st.toggle("Apart", key="cmp_apart", bind="query-params", help="One tree above the words, one below")
        sentence = found.comparison.text[index]
        st.caption(f"Sentence {int(found.comparison.text.picks[index]) + 1:,} {escape(sentence.sent_id or '')}")
    dependency_tree(draw_two(found, above, below, index, rows, apart), key="cmp_tree", height=HEIGHT)
