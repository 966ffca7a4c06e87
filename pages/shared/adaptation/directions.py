"""Directions: their singular values, the features that each responds to, and arcs that show it."""

import streamlit as st

from core.workspace.adaptation.tables import SIDES, example_drawing, examples, feature_table, pivot_table
from pages.shared.adaptation.view_state import AdaptationView
from pages.shared.charts import chart_colors, draw_chart
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_one, choose_view, column, draw_table, height_of

SIGNS = {"highest": "Positive", "lowest": "Negative"}


def directions_panel(outcome):
    """Draw the values, and the chosen direction."""
    directions = outcome.findings["directions"]
    numbers = [direction["number"] for direction in directions]
    left, right = st.columns([5, 8], gap="large")
    with left:
        number = choose_one(
            "Direction", {number: f"Direction {number}" for number in numbers}, AdaptationView.direction
        )
        chosen = directions[numbers.index(number)]
        _values(directions, number)
        parts = ", ".join(f"{name} {loading:+.2f}" for name, loading in chosen["pivots"][:5])
        st.caption(f"Pivots of direction {number} by loading: {parts}.")
        features_list(
            chosen["positive"][:8], chosen["negative"][:8], ("Positive", "Negative"), 3,
            f"Features with the largest entries in direction {number}, by sign",
        )  # fmt: skip
    with right:
        _examples(outcome, number)


def _values(directions, number):
    colors = chart_colors()
    values = [direction["singular_value"] for direction in directions]
    numbers = [direction["number"] for direction in directions]
    marked = [colors["predicted"] if other == number else colors["candidate"] for other in numbers]
    bars = dict(
        type="bar", x=numbers, y=values, marker=dict(color=marked),
        hovertemplate="direction %{x}: %{y:.3g}<extra></extra>",
    )  # fmt: skip
    draw_chart(
        [bars], key="scl_values", height=180, bargap=0.35, yaxis=dict(title="singular value"),
        alt=f"Singular values, largest first: {', '.join(f'{value:.3g}' for value in values)}",
        xaxis=dict(title="direction", dtick=max(1, len(numbers) // 10)),
    )  # fmt: skip


def _examples(outcome, number):
    side = choose_view("Arcs with", SIGNS, AdaptationView.side, options=list(SIDES), default=SIDES[0])
    edges, table = examples(outcome, number - 1, side)
    if not edges:
        st.caption("No arc of either text has it.")
        return

    def choose(row, _):
        AdaptationView().example = (number, side, row)

    columns = {"text": 65, "sentence": 70, "head": 150, "modifier": 150, "value": ("Value", 70, "%+.2f")}
    alt = f"{len(edges)} arcs that respond most to direction {number}; select one to see its sentence"
    draw_table(table, key=f"scl_examples_{number}_{side}", choose=choose, most=234, columns=columns, alt=alt)
    *owner, row = st.session_state.get(AdaptationView.example, (number, side, 0))
    text, edge = edges[row if owner == [number, side] else 0]
    tree_name = "its own tree" if text == "source" else "the adapted parser's tree"
    st.caption(f"Sentence {table['sentence'][edges.index((text, edge))]:,} of the {text}, {tree_name}")
    dependency_tree(example_drawing(outcome, text, edge), key="scl_example_tree", selected=edge["modifier"], height=380)


def features_list(for_it, against, titles, digits, alt):
    """Draw features with the largest weights beside those with the smallest."""
    table = feature_table(for_it, against)
    columns = {}
    for side, title in zip(("for", "against"), titles, strict=True):
        columns |= {side: (title, 130), f"weight {side}": ("Weight", 60, f"%+.{digits}f")}
    draw_table(table, height=height_of(len(table["for"])), columns=columns, alt=alt)


def pivots_panel(outcome):
    """Draw the list, and the chosen pivot's features."""
    pivots = outcome.findings["pivots"]
    table = pivot_table(outcome.findings)
    by_name = {pivot["name"]: pivot for pivot in pivots}

    def choose(row, _):
        AdaptationView().pivot = pivots[row]["name"]

    left, right = st.columns([9, 7], gap="medium")
    with left:
        columns = {"pivot": 95, "by": column("By", 50, help="What decides: words (form) or tags")}
        columns |= {"source": ("Word pairs of the source", 170), "target": ("Of the target", 150)}
        columns |= {"predicted": ("Predicted", 75, "%.1f%%", "Word pairs that the linear predictor has right")}
        columns |= {"majority": ("Baseline", 70, "%.1f%%", "Word pairs that the more frequent answer alone has right")}
        alt = f"{len(pivots)} pivots with the share of word pairs they hold of; select one to see what predicts it"
        draw_table(table, key="scl_pivot_list", choose=choose, most=480, columns=columns, alt=alt)
        st.caption(
            "A pivot asks of two words whether something stands between them. Its predictor learns from the words at "
            "and beside the two, in both texts (Shimizu & Nakagawa 2007, §3)."
        )
    with right:
        name = choose_one("Pivot", {name: name for name in by_name}, AdaptationView.pivot)
        chosen = by_name[name]
        first = ", ".join(feature for feature, _ in chosen["strongest"][:3])
        st.caption("Features of the predictor by weight")  # the list’s own toolbar covers this, and no control
        features_list(
            chosen["strongest"], chosen["weakest"], ("For", "Against"), 2,
            f"Features with the largest and the smallest weights for {name}, {first} first",
        )  # fmt: skip
