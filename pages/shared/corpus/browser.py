"""The sentence browser: counts that open their sentences, filters, one sentence drawn, the list of those found."""

from pathlib import PurePath

import streamlit as st

from core.draw import draw_graph, draw_tree
from core.search.browse import KINDS, Query, find_sentences, sentence_table, value_table
from core.treebank import WRITERS, conllu_text
from core.workspace.annotate.view import lines_below
from core.workspace.groups import by_indices, by_query, restrict_order
from pages.shared.basics import amount, escape, session
from pages.shared.corpus.view_state import CorpusView
from pages.shared.group_choice import ALL, chosen_name, group_choice, has_groups, leave_group
from pages.shared.save_group import save_as_group
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import into_file
from pages.shared.widgets import action_button, choose_one, download, draw_table, pager, sentence_column, share_column

BLOCK = 100  # sentences listed at a time
SIDE = 255  # pixels of the table of counts
COUNTS = {"upos": "UPOS", "xpos": "XPOS", "deprel": "Relations"}


@st.fragment
def browser(corpus, treebank, statistics):
    """Draw the whole page below the menu; its controls rerun nothing else."""
    key = session().shown.shown_key(corpus)
    _heading(treebank, statistics)
    with st.container(horizontal=True, gap="large"):  # the table keeps its width on a narrow window, or goes below
        main, side = st.container(), st.container(width=SIDE)
    with main:
        query, places = _filters(corpus, treebank, statistics)
        indices = session().cache.get("found", (key, query), lambda: find_sentences(treebank, query))
        if len(places) < len(treebank):
            indices = restrict_order(indices, places)
        if len(indices):
            _sentence(corpus, treebank, indices, query)
        else:
            st.info(
                "No sentence matches. Shorten the words to find, or widen the range of lengths.",
                icon=":material/search_off:",
            )
    with side:
        _counts(statistics)


def _heading(treebank, statistics):
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _number(_counted(statistics.sentences, "sentence"), "all", help="Show all sentences")
        words = _counted(statistics.tokens, "word")
        st.markdown(f":small[{words}, **{statistics.forms:,}** different]")  # as small as on a button
        _number(f"longest {_counted(statistics.longest, 'word')}", "longest", statistics.longest)
        if statistics.with_heads:
            of = f"Of the {statistics.with_heads:,} sentences with a whole tree; show them"
            _number(f"**{statistics.non_projective:,}** with crossing arcs", "kind", "non-projective", help=of)
        if statistics.several_roots:
            _number(f"**{statistics.several_roots:,}** with several roots", "kind", "several roots")
        if statistics.with_heads < statistics.sentences:
            missing = statistics.sentences - statistics.with_heads
            _number(f"**{missing:,}** without a whole tree", "kind", "without heads")
    for warning in treebank.warnings:
        st.caption(f":material/info: {escape(warning)}")


def _counted(count, noun):
    number, name = amount(count, noun).split()
    return f"**{number}** {name}"


def _number(label, field, value=None, help="Show these sentences"):
    action_button(label, f"corpus_number_{field}_{value}", None, _show, field, value, type="tertiary", help=help)


def _show(field, value):
    """Filter by one number; the filters before it go."""
    _reset()
    if field == "longest":
        CorpusView().lengths = (value, value)
    elif field != "all":
        CorpusView().only = (field, value)


def _reset():
    CorpusView().only = None
    CorpusView().lengths = None
    CorpusView().find = ""
    leave_group()
    _first()


def _first():
    CorpusView().sentence = 1


def _filters(corpus, treebank, statistics):
    """Draw them; returns (the Query, places of the sentences of the group that is chosen)."""
    columns = st.columns([4, 2, 2] if has_groups(corpus) else [2, 1], vertical_alignment="bottom")
    text_column, length_column, group_column = (*columns, columns[-1])[:3]
    text = text_column.text_input(
        "Find words", key=CorpusView.find, type="search", live=True, bind="query-params", placeholder="Find words",
        label_visibility="collapsed", icon=":material/search:", on_change=_first,
    )  # fmt: skip
    shortest, longest = 1, max(statistics.longest, 2)
    # all; a slider whose value only went would take it from the address
    if st.session_state.get(CorpusView.lengths, ()) is None:
        CorpusView().lengths = (shortest, longest)
    lengths = length_column.slider(
        "Words in the sentence", shortest, longest, (shortest, longest), key=CorpusView.lengths, bind="query-params",
        on_change=_first,
    )  # fmt: skip
    with group_column:
        places = group_choice(corpus, treebank, CorpusView.sentence, width="stretch")
    field, value = _only()
    kind, column = (value, None) if field == "kind" else (None, field)
    shortest, longest = lengths
    return Query(text or "", shortest=shortest, longest=longest, kind=kind, column=column, value=value), places


def _only():
    """What was chosen, or a link says: (a name in COUNTS or "kind", value), or (None, "")."""
    only = CorpusView().only
    if not isinstance(only, tuple) or len(only) != 2 or not all(isinstance(part, str) for part in only):
        return None, ""
    return only if only[0] in COUNTS or (only[0] == "kind" and only[1] in KINDS) else (None, "")


def _sentence(corpus, treebank, indices, query):
    count = len(indices)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        position = pager(count, CorpusView.sentence, most=3)
        with st.container(horizontal=True, vertical_alignment="center", width="content"):  # what follows stays in place
            _chosen(count, len(treebank))
        define = (lambda _: by_query(query)) if chosen_name() == ALL else (lambda _: by_indices(treebank, indices))
        save_as_group(corpus, define, "corpus")
        _take_away(corpus, treebank, indices)
    index = int(indices[position - 1])
    sentence = treebank[index]
    st.caption(f"Sentence {sentence.index + 1:,}" + (f" · {sentence.sent_id}" if sentence.sent_id else ""))
    if treebank.has_graphs:
        help_text = "Empty nodes, and under the words the enhanced arcs that differ from the tree’s"
        st.toggle("Enhanced graph", key=CorpusView.graph, bind="query-params", help=help_text)
    drawing = (draw_graph if treebank.has_graphs and CorpusView().graph else draw_tree)(sentence)
    dependency_tree(drawing, key="corpus_tree", lines=lines_below(treebank, index, len(drawing)))
    _list(treebank, indices, position)


def _take_away(corpus, treebank, indices):
    stem = PurePath(corpus.name).stem
    with st.popover("Export", icon=":material/download:", key="corpus_take_away"):
        st.caption(f"{amount(len(indices), 'sentence')} found")
        for writer in WRITERS:
            download(
                writer.title, lambda writer=writer: writer.write(treebank.select(indices)), f"{stem}{writer.suffix}",
                f"corpus_download_{writer.suffix.removeprefix('.')}", mime=writer.mime, icon=None,
            )  # fmt: skip
        into_file(treebank, lambda: conllu_text(treebank.select(indices)), f"{stem}.conllu", "corpus")


def _chosen(count, total):
    field, value = _only()
    if field is not None:
        name = f"{COUNTS.get(field, field)} {value}" if field != "kind" else value
        st.button(name, icon=":material/close:", key="corpus_clear", on_click=_reset, help="Show all sentences again")
    st.caption(f"{count:,} of {amount(total, 'sentence')}", width="content")


def _list(treebank, indices, position):
    begin = (position - 1) // BLOCK * BLOCK
    rows = sentence_table(treebank, indices[begin : begin + BLOCK])

    def choose(row, _):
        CorpusView().sentence = begin + row + 1

    columns = {"number": ("No.", 50), "words": 60, "text": sentence_column(rows["text"], 700, 690)}
    alt = f"Sentences found, {begin + 1} to {begin + len(rows['text'])}, with their lengths"
    draw_table(rows, key=f"corpus_list_{begin}", choose=choose, height=280, columns=columns, alt=alt)


def _counts(statistics):
    names = [name for name in COUNTS if _values(statistics, name)]
    if not names:
        return
    shown = choose_one("Count", {name: COUNTS[name] for name in names}, CorpusView.counts)
    table = value_table(_values(statistics, shown), statistics.tokens)

    def choose(row, _):
        _reset()
        CorpusView().only = (shown, table["value"][row])

    columns = {"value": (COUNTS[shown], 70), "words": ("Words", 50, "localized"), "share": share_column(110)}
    alt = f"Words by {COUNTS[shown]}, the most frequent first: {len(table['value'])} values"
    draw_table(table, key=f"corpus_values_{shown}", choose=choose, clear=_reset, most=460, columns=columns, alt=alt)


def _values(statistics, name):
    return statistics.relations if name == "deprel" else getattr(statistics, name)
