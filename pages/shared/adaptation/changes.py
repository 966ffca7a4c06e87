"""Arcs that adaptation changed, the induced features' share of each difference, the tree before and after."""

import streamlit as st

from core.workspace.adaptation.tables import changed, changed_drawing, verdict_counts
from pages.shared.group_choice import chosen_name, group_choice
from pages.shared.pager import pager
from pages.shared.save_group import keep_found
from pages.shared.tree import dependency_tree

ROW = 28
TITLES = {
    "corrected": "Corrected", "harmed": "Harmed", "both wrong": "Both wrong", "relation": "Relation only",
    "unknown": "No own tree",
}  # fmt: skip
ALL = "all"


def changes_panel(outcome):
    """Draw the list, and the chosen word's sentence."""
    counts = verdict_counts(outcome)
    if not counts:
        st.caption("Adaptation changed no arc: both parsers draw the same trees of the target.")
        return
    options = {ALL: "All"} | {name: TITLES[name] for name in counts}
    if st.session_state.get("changed", ALL) not in options:
        st.session_state["changed"] = ALL
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = st.segmented_control(
            "Which", list(options), default=ALL, format_func=options.get, key="changed", required=True,
            bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
        target = None if outcome.inputs.corpus is None else outcome.inputs.target  # an example has no text here
        places = None if target is None else group_choice(target, outcome.inputs.test, "edge")
        listed = ", ".join(f"{n:,} {TITLES[name].lower()}" for name, n in counts.items())
        st.caption(f"{sum(counts.values()):,} of {outcome.inputs.test.token_count:,} words: {listed}")
        edges, table = changed(outcome, None if kind == ALL else kind, places)
        if edges and target is not None:
            found, words = zip(*((edge["sentence"], edge["word"]) for edge in edges), strict=True)
            keep_found(target, outcome.inputs.test, found, "scl", words)
    if not edges:
        st.caption("None in this group.")
        return

    def choose():
        cells = st.session_state[key]["selection"]["cells"]
        if cells:
            st.session_state["edge"] = cells[0][0] + 1

    key = f"scl_changed_{kind}_{chosen_name()}"
    _list(table, key, choose)
    left, right = st.columns([4, 9], gap="medium", vertical_alignment="center")
    with left:
        place = pager(len(edges), "edge")
    edge = edges[place - 1]
    with right:
        st.caption(_said(table, place - 1))
    dependency_tree(changed_drawing(outcome, edge["sentence"]), key="scl_changed_tree", selected=edge["word"])


def _list(table, key, choose):
    st.dataframe(
        {name: values for name, values in table.items() if any(value not in (None, "") for value in values)},
        key=key,
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        row_height=ROW,
        height=min(ROW * (len(table["word"]) + 1) + 8, 206),
        column_config={
            "sentence": st.column_config.NumberColumn("Sentence", width=65),
            "word": st.column_config.TextColumn("Word", width=140),
            "before": st.column_config.TextColumn("Before", width=190),
            "after": st.column_config.TextColumn("After", width=190),
            "own": st.column_config.TextColumn("Own tree", width=190),
            "difference": st.column_config.NumberColumn(
                "Difference", format="%+.2f", width=80, help="Score of the arc after − before"
            ),
            "induced": st.column_config.NumberColumn(
                "Induced", format="%+.2f", width=70, help="Part of it that comes from induced features"
            ),
            "share": st.column_config.NumberColumn(
                "Share", format="%.0f%%", width=60, help="Induced features' share of the difference, both parts by size"
            ),
            "verdict": st.column_config.TextColumn("Verdict", width=85),
        },
        alt=f"{len(table['word']):,} words with another head or relation after adaptation",
    )


def _said(table, row):
    """The chosen change in words."""
    said = f"Sentence {table['sentence'][row]:,}, word {table['word'][row]}: {table['verdict'][row]}. "
    if table["difference"][row] is None:
        return said + "The head is the same, the relation differs."
    return said + (
        f"The adapted parser prefers the new arc by {table['difference'][row]:.2f}; induced features give "
        f"{table['induced'][row]:+.2f} of this, {table['share'][row]:.0f}% of the difference by size. The rest comes "
        "from the parser's other features, whose weights were learnt beside them."
    )
