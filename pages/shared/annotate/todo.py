"""Going through a list of another page in Annotate: opening a place of it, the line that says how far one is."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.annotate.lists import MOST, PlaceList, keep_list, kept_list
from pages.shared.annotate.state import states
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import amount, callback_errors, escape, session
from pages.shared.messages import error_text
from pages.shared.navigation import go_to, opened_page
from pages.shared.text_menu import TEXT, open_text
from pages.shared.widgets import action_button, draw_table, sentence_column

OF_READERS = "ann_lists"  # (kind, key) -> PlaceList, of somebody who may not write
BLOCK = 100  # places listed at a time


@callback_errors(rerun=True)
def open_place(corpus, kind, title, places, row, *, row_key="", first=None):
    """Open Annotate at a row of a list, in whose order Next goes from there; in a callback.

    Parameters
    ----------
    corpus : Corpus
    kind, title : str
    places : sequence of (int, int)
        Index of a sentence, and number of a word from 1; 0 for the whole sentence.
    row : int
    row_key, first
        As in PlaceList.
    """
    query = {name: st.query_params.get_all(name) for name in st.query_params if name not in ("list", "list_row")}
    begin = max(0, min(row - MOST // 2, len(places) - MOST))
    listed = tuple((int(sentence), int(word)) for sentence, word in places[begin : begin + MOST])
    words = session().workspace.corrections(corpus).words_key("")
    found = PlaceList(kind, title, listed, opened_page(), query, row_key, first, words)
    if session().store.role(corpus.project) == "reader":
        st.session_state.setdefault(OF_READERS, {})[kind, found.key] = found
    else:
        keep_list(session().store, corpus, found)
    view = {"view": "tree", "sentence": listed[row - begin][0] + 1, "list": (kind, found.key), "row": row - begin}
    open_text(corpus.id, AnnotateView, **view)
    if opened_page() != "annotate":
        go_to("annotate")
        return
    AnnotateView().list, AnnotateView().row = view["list"], view["row"]  # the address may say another one


def open_list(corpus):
    """The PlaceList that the address says, None if it says none; says once that it is not here any more."""
    address = AnnotateView().list
    if address is None:
        return None
    try:
        if not (isinstance(address, tuple) and len(address) == 2 and all(isinstance(part, str) for part in address)):
            raise WorkbenchError("this link names no list; sentences follow one another")
        found = st.session_state.get(OF_READERS, {}).get(address)
        return found or kept_list(session().store, corpus, *address, session().workspace.source(corpus))
    except WorkbenchError as error:
        st.toast(error_text(error), icon=":material/link_off:")
        AnnotateView().list = None
        return None


def row_in(places):
    """The row of a PlaceList that is gone through."""
    return min(AnnotateView().row, len(places.places) - 1)


def go_on(corpus, layer, places, by):
    """Go to the next row of a PlaceList (``by`` > 0) or to that before."""
    row = row_in(places)
    for _ in range(abs(by)):
        row = places.next_row(row, by, done_sentences(corpus, layer.layer))
    go_to_row(places, row)


def go_to_row(places, row):
    """Go to a row of a PlaceList."""
    AnnotateView().row = row
    AnnotateView().sentence = places.places[row][0] + 1


def done_sentences(corpus, version=""):
    """Indices of the sentences that are done in a person's version, or the project's: a set."""
    return {index for index, state in states(corpus).get(version, {}).items() if state.status == "done"}


def word_of(places, index):
    """The word of the sentence at ``index`` at which the list stands, None if it is elsewhere."""
    sentence, word = places.places[row_in(places)]
    return (word or None) if sentence == index else None


def list_line(corpus, layer, places, index):
    """Draw how far one is in a PlaceList, what of it is done, the way back to its page."""
    row, done = row_in(places), done_sentences(corpus, layer.layer)
    sentence, _ = places.places[row]
    with st.container(horizontal=True, vertical_alignment="center", key="ann_list"):
        ticked = ":material/check: " if sentence in done else ""
        elsewhere = "" if sentence == index else f", in sentence {sentence + 1:,}"
        st.markdown(
            f"{ticked}**{escape(places.title)}** · {row + 1:,} of {len(places.places):,}{elsewhere} · "
            f"{places.done_count(done):,} done",
            width="content",
        )
        for label, icon, by in (("Previous", "chevron_left", -1), ("Next", "chevron_right", 1)):
            action_button(label, f"ann_list_{label}", icon, go_on, corpus, layer, places, by, type="tertiary")
        opened = st.popover("List", icon=":material/checklist:", key="ann_list_rows", on_change="rerun")
        if opened.open:
            with opened, st.container(width=600):
                _rows(layer, places, row, done)
        action_button("Back to the list", "ann_list_back", "undo", _back, places, row, type="tertiary")
        action_button("Close", "ann_list_close", "close", _close, type="tertiary")


def _rows(layer, places, row, done):
    begin = row // BLOCK * BLOCK
    table = places.columns(layer.source, done, begin, begin + BLOCK)

    def choose(chosen, _):
        go_to_row(places, begin + chosen)

    columns = {"done": 45, "sentence": ("No.", 50), "around": sentence_column(table["around"], 600, 460, "Around it")}
    alt = f"{amount(len(table['done']), 'place')} of the list, those in sentences that are done ticked"
    draw_table(table, key=f"ann_list_table_{begin}", choose=choose, most=320, columns=columns, alt=alt)


def _back(places, row):
    query = {name: values for name, values in places.query_at(row).items() if name != TEXT}
    go_to(places.page, query | {TEXT: st.query_params.get_all(TEXT)})


def _close():
    AnnotateView().list = None
