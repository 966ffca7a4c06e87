"""Parses by groups of words, constraints and mark-up; every number opens its words."""

import streamlit as st

from core.evaluation.comparison import UAS
from core.workspace.compare.tallies import NONE, TALLIES, UNITS, WORDS, groups_of_tallies, tally_table
from core.workspace.constraints.known_trees import parse_numbers
from core.workspace.groups import by_lengths, by_relation, by_sentences, group_table, groups, remove_group, save_group
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.compare.differences import differences
from pages.shared.compare.scores import open_words
from pages.shared.widgets import choose_from, draw_table

TALL = 290
PARSE_WIDTH = 110  # pixels of a parse’s column
CLICK = {
    "group": "Click a percentage to see its errors.",
    "constraint": "✓ marks a target that is met. Click a percentage to see the words with another head.",
    "bracket": "Click a percentage to see the words whose arcs break the brackets.",
}
DEFINED_BY = {"length": "Sentence length", "relation": "Relation", "sentences": "Sentences by number"}


def tallies_panel(corpus, parses, kind):
    """Draw the table of a kind of TALLIES; every number opens its words."""
    if kind == "group":
        _manage(corpus)
    tallies, problems = TALLIES[kind](session().workspace, corpus, parses)
    for problem in problems:
        st.caption(f":orange[:material/info:] {escape(problem)}")
    if not tallies:
        if not problems:
            st.info(NONE[kind])
        return
    names = [name for name in (parses.reference, *parses.names) if name in tallies[0].counts]
    st.caption(f"{UNITS[kind].capitalize()}. {CLICK[kind]}")
    _table(tallies, names, kind)
    if kind == "group":
        differences(parses, kind, groups_of_tallies(parses, tallies), UAS)


def _table(tallies, names, kind):
    table = tally_table(tallies, names)

    def choose(row, name):
        parse = name if name in names else WORDS
        open_words(("tally", kind, tallies[row].name, parse), (parse != WORDS and (None, parse)) or None)

    columns = {name: (name, PARSE_WIDTH) for name in names}
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
