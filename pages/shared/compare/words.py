"""The words behind a number, each with its heads in all trees, and two trees of its sentence in a drawing."""

import streamlit as st

from core.workspace.arc_lists import arcs_of_rows
from core.workspace.compare.opening import is_opening, opened_words
from core.workspace.compare.tables import REFERENCE, draw_two, listed_words, trees_to_draw, word_table
from pages.shared.basics import escape, session
from pages.shared.compare.scores import open_words
from pages.shared.compare.view_state import CompareView
from pages.shared.save_group import keep_found
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, draw_table, sentence_column

HEIGHT = 460


def words_panel(corpus, found):
    """Draw it."""
    what = CompareView().open
    what = what if is_opening(what) else None
    rows, title = opened_words(session().workspace, corpus, found, what)
    text = found.comparison.text
    arcs = arcs_of_rows(text, rows, text.heads)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape(title)}**", width="content")
        st.space("stretch")
        if len(rows):
            keep_found(corpus, text, arcs.sentences, "cmp_words", arcs.modifiers)
        if what is not None:
            action_button("All disagreements", "cmp_close", "close", open_words, None, type="tertiary")
    if not len(rows):
        st.caption("There are none.")
        return
    st.caption(listed_words(found, rows))  # the list’s own toolbar covers its right end, and no button
    sentences, table = word_table(found, rows)
    place = _list(found, table, what)
    _trees(found, int(sentences[place]), rows)


def _list(found, table, what):
    place = min(CompareView().word, len(table["word"]) - 1)

    def choose(row, _):
        CompareView().word = row

    columns = {"sentence": ("No.", 50), "word": ("Word", 150), REFERENCE: (str(found.reference), 185)}
    columns |= {name: (name, 185 if len(found.names) < 3 else 150) for name in found.names}
    columns |= {"around": sentence_column(table["around"], 560, 400, "Around it")}
    alt = f"{len(table['word'])} words with their heads in each parse and the words around; click one to see its trees"
    draw_table(table, key=f"cmp_list_{what}", choose=choose, most=234, columns=columns, alt=alt, width="stretch")
    return place


def _trees(found, index, rows):
    names = trees_to_draw(found)
    wanted = CompareView().trees
    wanted = wanted if isinstance(wanted, tuple) and len(wanted) == 2 else (None, None)
    above = wanted[0] if wanted[0] in names else names[0]
    below = wanted[1] if wanted[1] in names else names[min(1, len(names) - 1)]
    st.session_state["cmp_above"], st.session_state["cmp_below"] = above, below

    def change():
        CompareView().trees = (st.session_state["cmp_above"], st.session_state["cmp_below"])

    with st.container(horizontal=True, vertical_alignment="center"):
        for key, label in (("cmp_above", "First tree"), ("cmp_below", "Second tree")):
            st.selectbox(label, names, key=key, on_change=change, label_visibility="collapsed", width=230)
        apart = st.toggle(
            "Apart", key=CompareView.apart, bind="query-params", help="One tree above the words, one below"
        )  # fmt: skip
        sentence = found.comparison.text[index]
        st.caption(f"Sentence {int(found.comparison.text.picks[index]) + 1:,} {escape(sentence.sent_id or '')}")
    dependency_tree(draw_two(found, above, below, index, rows, apart), key="cmp_tree", height=HEIGHT)
