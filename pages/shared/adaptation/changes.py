"""Arcs that adaptation changed, the induced features' share of each difference, the tree before and after."""

import streamlit as st

from core.workspace.adaptation.tables import changed, changed_drawing, verdict_counts
from pages.shared.adaptation.view_state import AdaptationView
from pages.shared.group_choice import chosen_name, group_choice
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_view, draw_table, pager

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
    if AdaptationView().changed not in options:
        AdaptationView().changed = ALL
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = choose_view("Which", options, AdaptationView.changed, default=ALL)
        target = None if outcome.inputs.corpus is None else outcome.inputs.target  # an example has no text here
        places = None if target is None else group_choice(target, outcome.inputs.test, AdaptationView.edge)
        edges, table = changed(outcome, None if kind == ALL else kind, places)
        if edges and target is not None:
            sentences, words = zip(*((edge["sentence"], edge["word"]) for edge in edges), strict=True)
            save_results(target, outcome.inputs.test, sentences, "scl", words)
    if not edges:
        st.caption("None in this group.")
        return

    listed = ", ".join(f"{n:,} {TITLES[name].lower()}" for name, n in counts.items())
    st.caption(f"{sum(counts.values()):,} of {outcome.inputs.test.token_count:,} words: {listed}")
    _list(table, f"scl_changed_{kind}_{chosen_name()}")
    left, right = st.columns([4, 9], gap="medium", vertical_alignment="center")
    with left:
        position = pager(len(edges), AdaptationView.edge)
    edge = edges[position - 1]
    with right:
        st.caption(_description(table, position - 1))
    dependency_tree(changed_drawing(outcome, edge["sentence"]), key="scl_changed_tree", selected=edge["word"])


def _list(table, key):
    filled = {name: values for name, values in table.items() if any(value not in (None, "") for value in values)}
    columns = {"sentence": 65, "word": 140, "before": 190, "after": 190, "own": ("Own tree", 190)}
    columns |= {"difference": ("Difference", 80, "%+.2f", "Score of the arc after − before")}
    columns |= {"induced": ("Induced", 70, "%+.2f", "Part of it that comes from induced features")}
    columns |= {"share": ("Share", 60, "%.0f%%", "Induced features' share of the difference, both parts by size")}
    columns |= {"verdict": 85}
    alt = f"{len(table['word']):,} words with another head or relation after adaptation"
    draw_table(
        filled, key=key, choose=lambda row, _: st.session_state.update(edge=row + 1), most=206, columns=columns, alt=alt
    )


def _description(table, row):
    """The chosen change in words."""
    words = f"Sentence {table['sentence'][row]:,}, word {table['word'][row]}: {table['verdict'][row]}. "
    if table["difference"][row] is None:
        return words + "The head is the same, the relation differs."
    return words + (
        f"The adapted parser prefers the new arc by {table['difference'][row]:.2f}; induced features give "
        f"{table['induced'][row]:+.2f} of this, {table['share'][row]:.0f}% of the difference by size. The rest comes "
        "from the parser's other features, whose weights were learnt beside them."
    )
