"""Directions: their singular values, the features that each responds to, and arcs that show it."""

import streamlit as st

from core.workspace.adaptation.tables import SIDES, example_drawing, examples
from pages.shared.adaptation.pivots import features_list
from pages.shared.charts import chart_colors, draw_chart
from pages.shared.table import draw_table, number_column, text_column
from pages.shared.tree import dependency_tree

SIGNS = {"highest": "Positive", "lowest": "Negative"}


def directions_panel(outcome):
    """Draw the values, and the chosen direction."""
    directions = outcome.findings["directions"]
    numbers = [each["number"] for each in directions]
    if st.session_state.get("direction") not in numbers:
        st.session_state.pop("direction", None)
    left, right = st.columns([5, 8], gap="large")
    with left:
        number = st.selectbox(
            "Direction", numbers, format_func=lambda each: f"Direction {each}", key="direction", bind="query-params",
            label_visibility="collapsed",
        )  # fmt: skip
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
    values = [each["singular_value"] for each in directions]
    numbers = [each["number"] for each in directions]
    marked = [colors["predicted"] if each == number else colors["candidate"] for each in numbers]
    bars = dict(
        type="bar", x=numbers, y=values, marker=dict(color=marked),
        hovertemplate="direction %{x}: %{y:.3g}<extra></extra>",
    )  # fmt: skip
    draw_chart(
        [bars], key="scl_values", alt=f"Singular values, largest first: {', '.join(f'{each:.3g}' for each in values)}",
        height=180, xaxis=dict(title="direction", dtick=max(1, len(numbers) // 10)), bargap=0.35,
        yaxis=dict(title="singular value"),
    )  # fmt: skip


def _examples(outcome, number):
    side = st.segmented_control(
        "Arcs with", list(SIDES), default=SIDES[0], format_func=SIGNS.get, key="scl_side", required=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    edges, table = examples(outcome, number - 1, side)
    if not edges:
        st.caption("No arc of either text has it.")
        return

    def choose(row, _):
        st.session_state["scl_example"] = (number, side, row)

    draw_table(
        table,
        key=f"scl_examples_{number}_{side}",
        choose=choose,
        most=234,
        column_config={
            "text": text_column("Text", 65),
            "sentence": number_column("Sentence", 70),
            "head": text_column("Head", 150),
            "modifier": text_column("Modifier", 150),
            "value": number_column("Value", 70, "%+.2f"),
        },
        alt=f"{len(edges)} arcs that respond most to direction {number}; select one to see its sentence",
    )
    *owner, row = st.session_state.get("scl_example", (number, side, 0))
    text, edge = edges[row if owner == [number, side] else 0]
    whose = "its own tree" if text == "source" else "the adapted parser's tree"
    st.caption(f"Sentence {table['sentence'][edges.index((text, edge))]:,} of the {text}, {whose}")
    dependency_tree(example_drawing(outcome, text, edge), key="scl_example_tree", selected=edge["modifier"], height=380)
