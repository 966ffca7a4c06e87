"""The words behind a number with their heads in all trees, and two trees of a chosen one's sentence in a drawing."""

from functools import partial

import streamlit as st

from core.workspace.annotate.lists import ticks
from core.workspace.arc_lists import arcs_of_rows
from core.workspace.compare.opening import is_opening, opened_words, with_places
from core.workspace.compare.tables import REFERENCE, draw_two, listed_words, trees_to_draw, word_table
from pages.shared.annotate.todo import done_sentences, open_place
from pages.shared.basics import escape, session
from pages.shared.compare.filters import chosen_filter
from pages.shared.compare.places import parse_places
from pages.shared.compare.scores import open_words
from pages.shared.compare.view_state import CompareView
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, draw_table, sentence_column

HEIGHT = 460


def words_panel(corpus, parses):
    """Draw it."""
    opening = CompareView().open
    opening = opening if is_opening(opening) else None
    rows, title = opened_words(session().workspace, corpus, parses, opening)
    text, (source, listed, places) = parses.comparison.text, CompareView().listed
    counted = rows
    if source == _source(parses, opening):  # where all of them are corrected, the number itself is gone
        counted, title = rows if title == listed else rows[:0], listed
        rows = with_places(parses, counted, places)
    arcs = arcs_of_rows(text, rows, text.heads)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape(title)}**", width="content")
        st.space("stretch")
        if len(rows):
            save_results(corpus, text, arcs.sentences, "cmp_words", arcs.modifiers)
        if opening is not None:
            action_button("All disagreements", "cmp_close", "close", open_words, None, type="tertiary")
    if not len(rows):
        st.caption("There are none.")
        return
    st.caption(listed_words(parses, rows, counted))  # the list’s own toolbar covers its right end, and no button
    sentences, table = word_table(parses, rows)
    table = {"done": ticks(parses.comparison.text.picks[sentences], done_sentences(corpus))} | table
    row = _list(parses, table, opening)
    _trees(parses, int(sentences[row]), rows, partial(_open, corpus, parses, rows[: len(sentences)], title, opening))


def _open(corpus, parses, rows, title, opening):
    text = parses.comparison.text
    arcs = arcs_of_rows(text, rows, text.heads)
    places = list(zip(text.picks[arcs.sentences].tolist(), arcs.modifiers.tolist(), strict=True))
    row = min(CompareView().word, len(places) - 1)
    CompareView().listed = _source(parses, opening), title, tuple(places)
    open_place(corpus, "words", title, places, row, row_key=CompareView.word, first=0)


def _source(parses, opening):
    """What names a list of words, whatever is corrected meanwhile."""
    return opening, tuple(parses.names), parses.reference, chosen_filter()


def _list(parses, table, opening):
    row = min(CompareView().word, len(table["word"]) - 1)

    def choose(row, _):
        CompareView().word = row

    columns = {"done": 45, "sentence": ("No.", 50), "word": ("Word", 150), REFERENCE: (str(parses.reference), 185)}
    columns |= {name: (name, 185 if len(parses.names) < 3 else 150) for name in parses.names}
    columns |= {"around": sentence_column(table["around"], 560, 400, "Around it")}
    alt = f"{len(table['word'])} words with their heads in each parse and the words around; click one to see its trees"
    draw_table(table, key=f"cmp_list_{opening}", choose=choose, most=234, columns=columns, alt=alt, width="stretch")
    return row


def _trees(parses, index, rows, annotate):
    names = trees_to_draw(parses)
    chosen = CompareView().trees
    chosen = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else (None, None)
    above = chosen[0] if chosen[0] in names else names[0]
    below = chosen[1] if chosen[1] in names else names[min(1, len(names) - 1)]
    st.session_state["cmp_above"], st.session_state["cmp_below"] = above, below

    def change():
        CompareView().trees = (st.session_state["cmp_above"], st.session_state["cmp_below"])

    with st.container(horizontal=True, vertical_alignment="center"):
        for key, label in (("cmp_above", "First tree"), ("cmp_below", "Second tree")):
            st.selectbox(label, names, key=key, on_change=change, label_visibility="collapsed", width=230)
        apart = st.toggle(
            "Apart", key=CompareView.apart, bind="query-params", help="One tree above the words, one below"
        )  # fmt: skip
        sentence = parses.comparison.text[index]
        st.caption(f"Sentence {int(parses.comparison.text.picks[index]) + 1:,} {escape(sentence.sent_id or '')}")
        action_button("Open in Annotate", "cmp_annotate", "edit", annotate, type="tertiary")
    places = parse_places(parses)
    dependency_tree(draw_two(parses, above, below, index, rows, apart, places), key="cmp_tree", height=HEIGHT)
