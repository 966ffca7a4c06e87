"""The hits of a request: one drawn with its words marked, the list of all, files to take away."""

from functools import partial

import streamlit as st

from core.workspace import escape
from core.workspace.corpus.search import draw_hit, hit_table, hits_conllu, hits_csv, hits_group, sentence_count
from core.workspace.groups import by_request
from core.workspace.wording import amount
from pages.shared.pager import pager
from pages.shared.save_group import save_as_group
from pages.shared.table import draw_table, number_column, sentence_column, text_column
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import download

BLOCK = 100  # hits listed at a time
HEIGHT = 430  # pixels; higher trees scroll
CLUSTER = "search_cluster"


def shown_hits(corpus, hits, chosen, name, text, own):
    """Draw the hits with the indices ``chosen`` of the request ``text``; ``name`` says which where they are not all.

    ``own``: whether they were found in the text's own trees.
    """
    count = len(chosen)
    if hits.missing:
        st.warning(f"Not all hits: {escape(hits.missing)}.", icon=":material/hourglass_bottom:")
    _heading(corpus, hits, chosen, name, text, own)
    if not count:
        if hits.missing:
            return
        st.info("No sentence matches. Remove a condition, or start from one of the examples.")
        return
    place = pager(count, "hit")
    hit = int(chosen[place - 1])
    sentence = hits.treebank[int(hits.sentences[hit])]
    st.caption(f"Sentence {sentence.index + 1:,}" + (f" · {escape(sentence.sent_id)}" if sentence.sent_id else ""))
    dependency_tree(draw_hit(hits, hit), key="search_tree", height=HEIGHT)
    _list(hits, chosen, place)


def _heading(corpus, hits, chosen, name, text, own):
    sentences = sentence_count(hits, chosen) if len(chosen) else 0
    stem = corpus.name.removesuffix(".conllu")
    with st.container(horizontal=True, vertical_alignment="center"):
        of = f" of {len(hits):,}" if name else ""
        noun = "hit" if len(chosen) == 1 and not name else "hits"
        whole = amount(len(hits.treebank), "sentence")
        st.markdown(f"**{len(chosen):,}**{of} {noun} in **{sentences:,}** of {whole}", width="content")
        if name:
            st.button(name, icon=":material/close:", key="search_all", on_click=_all, help="Show all hits again")
        st.space("stretch")
        if len(chosen):
            anew = own and not name  # a request is searched anew, in the text's own trees
            define = partial(by_request, text) if anew else partial(hits_group, hits, chosen)
            save_as_group(corpus, define, "search", hits.request.words)
        for label, make, ending in (("CSV", hits_csv, "csv"), ("CoNLL-U", hits_conllu, "conllu")):
            held = f"{amount(len(chosen), 'hit')}, one per row" if ending == "csv" else amount(sentences, "sentence")
            download(
                label, lambda make=make: make(hits, chosen), f"{stem} hits.{ending}", f"search_{ending}",
                disabled=not len(chosen), help=held,
            )  # fmt: skip


def _all():
    st.session_state[CLUSTER] = None
    st.session_state["hit"] = 1


def _list(hits, chosen, place):
    begin = (place - 1) // BLOCK * BLOCK
    rows = hit_table(hits, list(chosen[begin : begin + BLOCK]))
    key = f"search_list_{begin}"

    def choose(row, _):
        st.session_state["hit"] = begin + row + 1

    columns = {"sentence": number_column("Sentence", 70)}
    columns |= {name: text_column(name, 100) for name in hits.request.words}
    columns["text"] = sentence_column(rows["text"], 500, 350, "Text")
    draw_table(
        rows, key=key, choose=choose, most=230, column_config=columns,
        alt=f"Hits {begin + 1:,} to {begin + len(rows['text']):,} with their words and sentences",
    )  # fmt: skip
