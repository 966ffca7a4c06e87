"""Pivots: how often each holds in both texts, how well it is predicted, and from what."""

import streamlit as st

from core.workspace.adaptation.tables import feature_table, pivot_table
from pages.shared.table import draw_table, height_of, number_column, text_column


def features_list(for_it, against, titles, digits, alt):
    """Draw features with the largest weights beside those with the smallest."""
    table = feature_table(for_it, against)
    columns = {}
    for side, title in zip(("for", "against"), titles, strict=True):
        columns |= {side: text_column(title, 130), f"weight {side}": number_column("Weight", 60, f"%+.{digits}f")}
    draw_table(table, height=height_of(len(table["for"])), column_config=columns, alt=alt)


def pivots_panel(outcome):
    """Draw the list, and the chosen pivot's features."""
    pivots = outcome.findings["pivots"]
    table = pivot_table(outcome.findings)
    places = {each["name"]: at for at, each in enumerate(pivots)}

    left, right = st.columns([9, 7], gap="medium")
    with left:
        draw_table(
            table,
            key="scl_pivot_list",
            choose=lambda row, _: st.session_state.update(pivot=pivots[row]["name"]),
            most=480,
            column_config={
                "pivot": text_column("Pivot", 95),
                "by": text_column("By", 50, "What decides: words (form) or tags"),
                "source": text_column("Word pairs of the source", 170),
                "target": text_column("Of the target", 150),
                "predicted": number_column("Predicted", 75, "%.1f%%", "Word pairs that the linear predictor has right"),
                "majority": number_column(
                    "Baseline", 70, "%.1f%%", "Word pairs that the more frequent answer alone has right"
                ),
            },
            alt=f"{len(pivots)} pivots with the share of word pairs they hold of; select one to see what predicts it",
        )
        st.caption(
            "A pivot asks of two words whether something stands between them. Its predictor learns from the words at "
            "and beside the two, in both texts (Shimizu & Nakagawa 2007, §3)."
        )
    if st.session_state.get("pivot") not in places:
        st.session_state.pop("pivot", None)
    with right:
        name = st.selectbox("Pivot", list(places), key="pivot", bind="query-params", label_visibility="collapsed")
        chosen = pivots[places[name]]
        first = ", ".join(feature for feature, _ in chosen["strongest"][:3])
        features_list(
            chosen["strongest"], chosen["weakest"], ("For", "Against"), 2,
            f"Features with the largest and the smallest weights for {name}, {first} first",
        )  # fmt: skip
