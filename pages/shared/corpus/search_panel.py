"""Structural search: in whose trees, a request as it is typed, counts by its words and arcs, the hits, rewriting."""

from functools import partial

import streamlit as st

from core.parsers.labels import has_relations
from core.search import search
from core.search.subtypes import left_out_words, with_subtypes
from core.workspace.annotate.lists import ticks
from core.workspace.compare.side_by_side import OWN_TREES
from core.workspace.corpus import search as requests
from core.workspace.groups import by_request
from core.workspace.parses import available_trees, shown_parse
from pages.shared.address import warn_gone
from pages.shared.annotate.todo import done_sentences, open_place
from pages.shared.basics import amount, callback_errors, escape, report_errors, session
from pages.shared.corpus.search_rewrite import rewriting
from pages.shared.corpus.view_state import CorpusView
from pages.shared.editor import text_editor
from pages.shared.parse_menu import add_parse_button
from pages.shared.save_group import save_as_group
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import parse_key, parsed
from pages.shared.widgets import (
    action_button,
    choose_one,
    choose_view,
    download,
    draw_table,
    pager,
    sentence_column,
    share_column,
)

GOOD = "search_good"  # (corpus, the last request that could be read): its hits stay while the next one is typed
VIEWS = {"hits": "Hits", "rewrite": "Rewrite"}
BLOCK = 100  # hits listed at a time
HEIGHT = 430  # pixels; higher trees scroll


@st.fragment
@report_errors()
def search_panel(corpus, treebank):
    """Draw it; its controls rerun nothing else."""
    left, right = st.columns([4, 8], gap="large")
    with left:
        trees, treebank = _trees(corpus, treebank)
        text, request, current = _ask(corpus, treebank)
    if request is None:
        right.caption("The hits appear here as soon as the request can be read.")
        return
    with right, report_errors():
        key = session().shown.shown_key(corpus) if trees == OWN_TREES else parse_key(corpus, trees)
        hits = session().cache.get("hits", (key, text), lambda: search(treebank, request))
        with left:
            if current and hits.left_out:
                _subtypes(corpus, hits, text)
            chosen = _counts(hits, text)
        view = "hits"
        if request.commands and current:
            view = choose_view("Show", VIEWS, CorpusView.search_view)
        if view == "rewrite":
            rewriting(corpus, treebank, request, key, text)
        else:
            shown_hits(corpus, hits, *chosen, text, in_own_trees=trees == OWN_TREES)


def _trees(corpus, treebank):
    """Draw the choice of trees; returns (OWN_TREES or the key of a parse, the whole text under those trees).

    Raises WorkbenchError where they cannot be had.
    """
    offers = available_trees(session().systems, corpus)
    names = {OWN_TREES: "The text’s own trees"} | {offer.key: f"Trees of {offer.name}" for offer in offers}
    warn_gone(CorpusView.trees, names.values(), "parse", "the usual trees are searched")
    standing = session().shown.standing(corpus)
    has_own = standing.file_has_trees or len(standing.corrected) > 0
    usual = None if has_own else shown_parse(session().systems, corpus, offers)
    help_text = "Search the text’s own trees, or those of a run, a parser or another text with the same words."
    with st.container(horizontal=True, vertical_alignment="center"):
        index = list(names).index(usual or OWN_TREES)
        chosen = choose_one("Trees", names, CorpusView.trees, index=index, on_change=_first, help=help_text)
        add_parse_button(corpus, "search", _added, label="Add", type="tertiary")
    if chosen == OWN_TREES:
        return chosen, treebank
    parsed_text = parsed(corpus, chosen)
    if parsed_text.missing:
        st.caption(f"{parsed_text.parsed:,} of {amount(len(parsed_text.has_tree), 'sentence')} have trees of this run.")
    if not has_relations(parsed_text.treebank):
        st.caption("These arcs have no relations: ask for them as in `X -> Y`.")
    return chosen, parsed_text.treebank


def _added(parse):
    CorpusView().trees = parse
    _first()


def _first():
    CorpusView().hit = 1
    CorpusView().cluster = None


def _ask(corpus, treebank):
    """Draw the request; returns (text, Request, True), or of the last one that could be read (text, Request, False)."""
    text = requests.request_text(session().store, corpus, treebank)
    starters = requests.starters(treebank)

    def start():
        name = st.session_state["search_start"]
        if name is not None:
            _save(corpus, starters[name][0], f"asking for {name}")

    st.session_state["search_start"] = next((name for name in starters if starters[name][0] == text), None)
    st.pills("Examples", list(starters), key="search_start", on_change=start, wrap=True, label_visibility="collapsed")
    request, problems = requests.read_request(text)
    text_editor(text, f"search_editor_{corpus.id}", partial(_save, corpus), problems, "Request", "9.5rem")
    for problem in problems:
        st.caption(f":red[:material/error:] {escape(problem.message)}")
    if request is not None:
        st.session_state[GOOD] = corpus.id, text
        return text, request, True
    owner, former = st.session_state.get(GOOD, (None, ""))
    return (former, requests.read_request(former)[0], False) if owner == corpus.id else (text, None, False)


def _subtypes(corpus, hits, text):
    """Draw which subtypes the request passes over, and a button that takes them in."""
    passed = escape(left_out_words(hits.left_out))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{passed[0].upper()}{passed[1:]}.", width="content")
        action_button(
            "With subtypes", "search_subtypes", "unfold_more", _save, corpus, with_subtypes(text), type="tertiary"
        )


@callback_errors()
def _save(corpus, text, label="changing the request"):
    requests.save_request(session().store, corpus, text, label)
    CorpusView().hit = 1


def _counts(hits, text):
    """Draw them; returns (indices of the hits of the chosen count, its name or None)."""
    keys = requests.keys_of(hits.request, hits.treebank)
    key = f"search_keys_{text}"
    if st.session_state.get(key) is None:
        st.session_state[key] = requests.usual_keys(text, hits.request, hits.treebank)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "Count by", keys, key=key, max_selections=2, placeholder="Count by", label_visibility="collapsed",
            help="One or two properties of the words and arcs asked for. A length is positive where the modifier "
            "follows its head.",
        )  # fmt: skip
        with st.popover("Notation", icon=":material/help:", key="search_notation"), st.container(width=430):
            for part, name in zip(st.tabs(list(requests.NOTATION)), requests.NOTATION, strict=True):
                part.markdown(requests.NOTATION[name])
    clusters, table = requests.counted(hits, chosen)
    if clusters:
        st.caption("Click a row to see its hits.")
        _table(clusters, table, text, chosen)
    values = CorpusView().cluster
    for cluster in clusters:
        if values == (text, tuple(chosen), cluster.values):
            return cluster.hits, " · ".join(f"{k} {v}" for k, v in zip(chosen, cluster.values, strict=True))
    return range(len(hits)), None


def _table(clusters, table, text, chosen):
    def choose(row, _):
        CorpusView().cluster = text, tuple(chosen), clusters[row].values
        CorpusView().hit = 1

    columns = {name: (name, 80) for name in chosen}
    columns |= {"hits": ("Hits", 55, "localized"), "share": share_column(80)}
    draw_table(
        table, key=f"search_counts_{'_'.join(chosen)}", choose=choose, clear=_first, most=290, columns=columns,
        alt=f"Hits by {' and '.join(chosen)}: {amount(len(clusters), 'different value')}; click one to see its hits",
    )  # fmt: skip


def shown_hits(corpus, hits, chosen, name, text, in_own_trees):
    """Draw the hits with the indices ``chosen`` of the request ``text``; ``name`` says which where they are not all.

    ``in_own_trees``: whether they were found in the text's own trees.
    """
    count = len(chosen)
    for note in hits.notes:
        st.warning(f"{escape(note[0].upper() + note[1:])}.", icon=":material/help:")
    if hits.missing:
        st.warning(f"Not all hits: {escape(hits.missing)}.", icon=":material/hourglass_bottom:")
    _heading(corpus, hits, chosen, name, text, in_own_trees)
    if not count:
        if hits.missing:
            return
        st.info("No sentence matches. Remove a condition, or start from one of the examples.")
        return
    position = pager(count, CorpusView.hit)
    hit = int(chosen[position - 1])
    sentence = hits.treebank[int(hits.sentences[hit])]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Sentence {sentence.index + 1:,}" + (f" · {escape(sentence.sent_id)}" if sentence.sent_id else ""))
        action_button(
            "Open in Annotate", "search_annotate", "edit", _open, corpus, hits, chosen, position - 1, type="tertiary"
        )
    dependency_tree(requests.draw_hit(hits, hit), key="search_tree", height=HEIGHT)
    _list(corpus, hits, chosen, position)


def _open(corpus, hits, chosen, row):
    open_place(corpus, "hits", "Hits", requests.hit_places(hits, list(chosen)), row, row_key=CorpusView.hit, first=1)


def _heading(corpus, hits, chosen, name, text, in_own_trees):
    sentences = requests.sentence_count(hits, chosen) if len(chosen) else 0
    stem = corpus.name.removesuffix(".conllu")
    with st.container(horizontal=True, vertical_alignment="center"):
        of = f" of {len(hits):,}" if name else ""
        noun = "hit" if len(chosen) == 1 and not name else "hits"
        whole = amount(len(hits.treebank), "sentence")
        st.markdown(f"**{len(chosen):,}**{of} {noun} in **{sentences:,}** of {whole}", width="content")
        if name:
            st.button(name, icon=":material/close:", key="search_all", on_click=_first, help="Show all hits again")
        st.space("stretch")
        if len(chosen):
            anew = in_own_trees and not name  # a request is searched anew, in the text's own trees
            define = partial(by_request, text) if anew else partial(requests.hits_group, hits, chosen)
            save_as_group(corpus, define, "search", hits.request.words)
        for label, make, ending in (("CSV", requests.hits_csv, "csv"), ("CoNLL-U", requests.hits_conllu, "conllu")):
            held = f"{amount(len(chosen), 'hit')}, one per row" if ending == "csv" else amount(sentences, "sentence")
            download(
                label, lambda make=make: make(hits, chosen), f"{stem} hits.{ending}", f"search_{ending}",
                disabled=not len(chosen), help=held,
            )  # fmt: skip


def _list(corpus, hits, chosen, position):
    begin = (position - 1) // BLOCK * BLOCK
    listed = list(chosen[begin : begin + BLOCK])
    rows = {"done": ticks(hits.sentences[listed], done_sentences(corpus, session().version))}
    rows |= requests.hit_table(hits, listed)
    key = f"search_list_{begin}"

    def choose(row, _):
        CorpusView().hit = begin + row + 1

    columns = {"done": 45, "sentence": 70} | {name: (name, 100) for name in hits.request.words}
    columns |= {"around": sentence_column(rows["around"], 500, 350, "Around it")}
    alt = f"Hits {begin + 1:,} to {begin + len(rows['around']):,} with their words and sentences"
    draw_table(rows, key=key, choose=choose, most=230, columns=columns, alt=alt)
