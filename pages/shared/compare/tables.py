"""Parses by kinds of words, and what is confused with what; every number opens its words.

What a table shows is said above it, where its own toolbar, which comes up there, covers no control.
"""

import streamlit as st

from core.direction import side_name
from core.evaluation.comparison import KINDS
from core.workspace.compare.tables import OWN, REFERENCE, confusion_table, kind_table
from core.workspace.compare.tallies import NONE, TALLIES, UNITS, WORDS, tally_table
from core.workspace.constraints.known_trees import parse_numbers
from core.workspace.groups import by_lengths, by_relation, by_sentences, group_table, groups, remove_group, save_group
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.compare.scores import open_words
from pages.shared.widgets import choose_from, choose_one, choose_view, draw_table

CONFUSED = {"head tag": "Tag of head", "relation": "Relation", "direction": "Direction"}
TABLES = {**{kind: kind.capitalize() for kind in KINDS}, "sentence length": "Length", "confusion": "Confusion"}
TABLES |= {"group": "Groups", "constraint": "Constraints", "bracket": "Mark-up"}
TALL = 234
WIDE = {1: 140, 2: 140, 3: 124, 4: 95}  # of a parse's column, beside so many
EACH = 78  # pixels of a parse’s column
CLICK = {
    "group": "Click a percentage to see its errors.",
    "constraint": "✓ marks a target that is met. Click a percentage to see the words with another head.",
    "bracket": "Click a percentage to see the words whose arcs break the brackets.",
}
DEFINED_BY = {"length": "Sentence length", "relation": "Relation", "sentences": "Sentences by number"}


def tables_panel(corpus, found):
    """Draw the table that is chosen."""
    shown = choose_from(
        st.pills, "Table", TABLES, default="tag", key="cmp_table", required=True, wrap=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    with report_errors():
        if shown == "confusion":
            _confusion(found)
        elif shown in TALLIES:
            tallies_panel(corpus, found, shown)
        else:
            _kinds(found, shown)


def _kinds(found, kind):
    groups, table = kind_table(found, kind)
    st.caption(f"{_counts(found, kind)}. Click a percentage to see its errors.")

    def choose(row, name):
        parse = name if name in found.names else None
        open_words(("kind", kind, groups[row].name, parse or "words"), parse and (None, parse))

    columns = {"kind": (TABLES[kind], 90), "words": ("Words", 58, "localized")}
    columns |= {name: (name, WIDE[len(found.names)]) for name in found.names}
    alt = f"Share of words with the right head by {kind}, {len(groups)} rows; click one to see its errors"
    draw_table(table, key=f"cmp_by_{kind}", choose=choose, most=TALL, columns=columns, alt=alt)


def _counts(found, kind):
    """What the table counts, by what the parses are scored against."""
    if found.reference == OWN:
        return f"Right heads by {kind} in the text’s own trees"
    if found.is_scored:
        return f"Heads that are those of {escape(str(found.reference))}, by {kind} there"
    return f"Heads that most of the parses choose, by {kind} in {escape(found.names[0])}"


def _confusion(found):
    with st.container(horizontal=True, vertical_alignment="center"):
        by = choose_view("Confusion of", CONFUSED, "cmp_confused")
        names = found.names if found.is_scored else found.names[1:]
        if not names:
            st.caption("Choose a second parse to compare with this one.")
            return
        index = len(names) - 1
        name = choose_one("Parse", {name: name for name in names}, "cmp_confused_parse", index=index, width=200)
    reference = None if found.is_scored else found.names[0]
    rows = str(found.reference or reference)
    confusion = found.comparison.confusion(name, by, reference)
    st.caption(
        f"Rows: {CONFUSED[by].lower()} in {escape(rows)}. Columns: in {escape(name)}. Click a number to see its words."
    )

    def choose(row, label):
        if label != REFERENCE:
            open_words(("cell", by, reference, name, confusion.labels[row], label), (rows, name))

    columns = {label: (side_name(label), 62, "localized") for label in confusion.labels}
    columns |= {REFERENCE: st.column_config.TextColumn(f"{rows} ↓", width=110, pinned=True)}
    draw_table(
        confusion_table(confusion), key=f"cmp_cells_{by}", choose=choose, most=TALL - 30, columns=columns,
        placeholder="",
        alt=f"{CONFUSED[by]} in {rows}, a row each, and in {name}, a column each; click a number to see its words",
    )  # fmt: skip


def tallies_panel(corpus, found, kind):
    """Draw the table of a kind of TALLIES; every number opens its words."""
    if kind == "group":
        _manage(corpus)
    tallies, problems = TALLIES[kind](session().workspace, corpus, found)
    for problem in problems:
        st.caption(f":orange[:material/info:] {escape(problem)}")
    if not tallies:
        if not problems:
            st.info(NONE[kind])
        return
    parses = [name for name in (found.reference, *found.names) if name in tallies[0].counts]
    st.caption(f"{UNITS[kind].capitalize()}. {CLICK[kind]}")
    _table(tallies, parses, kind)


def _table(tallies, parses, kind):
    table = tally_table(tallies, parses)

    def choose(row, name):
        parse = name if name in parses else WORDS
        open_words(("tally", kind, tallies[row].name, parse), (parse != WORDS and (None, parse)) or None)

    columns = {name: (name, EACH) for name in parses}
    columns |= {"name": ({"group": "Group", "bracket": "Level"}.get(kind, "Line"), 125), "asked": ("Target", 60)}
    columns |= {"of": ("Of", 52, "localized")}
    alt = f"{UNITS[kind].capitalize()} of each parse, {len(tallies)} rows; click one to see its words"
    draw_table(table, key=f"cmp_tally_{kind}", choose=choose, most=TALL, columns=columns, placeholder="–", alt=alt)


def _manage(corpus):
    present = groups(session().store, corpus)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Create a group", icon=":material/add:", key="cmp_group_new"):
            _form(corpus)
        if present:
            with st.popover(amount(len(present), "group"), icon=":material/list:", key="cmp_group_all"):
                _list(corpus, present)


def _form(corpus):
    st.caption("What you search or filter on the Corpus page is saved as a group there.")
    kind = choose_from(st.segmented_control, "By", DEFINED_BY, default="length", key="cmp_group_by", required=True)
    if kind == "length":
        with st.container(horizontal=True):
            st.number_input("Shortest, in words", min_value=1, value=1, key="cmp_group_low", width=150)
            st.number_input("Longest, in words", min_value=1, value=10, key="cmp_group_high", width=150)
    elif kind == "relation":
        st.text_input("Relation", key="cmp_group_relation", placeholder="nsubj, or nsubj:* with its subtypes")
    else:
        st.text_input("Sentences", key="cmp_group_numbers", placeholder="3, 8-12")
    st.text_input("Name", key="cmp_group_name", placeholder="short sentences")

    def make():
        state = st.session_state
        with callback_errors():
            if kind == "length":
                definition = by_lengths(state["cmp_group_low"], state["cmp_group_high"])
            elif kind == "relation":
                definition = by_relation(state["cmp_group_relation"])
            else:
                count = len(session().workspace.treebank(corpus))
                definition = by_sentences(parse_numbers(state["cmp_group_numbers"], count))
            group = save_group(session().workspace, corpus, state["cmp_group_name"], definition)
            flash(f"Created the group {escape(group.name)}")
            state["cmp_group_name"] = ""
        st.rerun("app")  # so that it is said

    st.button("Create", icon=":material/check:", key="cmp_group_make", on_click=make)


@report_errors()
def _list(corpus, present):
    table = group_table(session().workspace, corpus)
    if not any(table["problem"]):
        del table["problem"]
    alt = f"{amount(len(present), 'group')} with what they hold, their words and sentences"
    draw_table(table, placeholder="–", alt=alt)
    names = {group.key: group.name for group in present}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = choose_from(st.selectbox, "Group", names, key="cmp_group_chosen", width=240)

        @callback_errors(rerun=True)
        def remove():
            remove_group(session().store, corpus, key)
            flash(f"Removed the group {escape(names[key])}; Undo brings it back", ":material/delete:")

        st.button("Remove", icon=":material/delete:", key="cmp_group_remove", on_click=remove)
