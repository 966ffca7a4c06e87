"""Pivots: how often each holds in both texts, how well it is predicted, and from what."""

import streamlit as st

from core.workspace.adaptation.tables import feature_table, pivot_table

ROW = 28


def features_list(for_it, against, titles, digits, alt):
    """Draw features with the largest weights beside those with the smallest."""
    table = feature_table(for_it, against)
    columns = {}
    for side, title in zip(("for", "against"), titles, strict=True):
        columns[side] = st.column_config.TextColumn(title, width=130)
        columns[f"weight {side}"] = st.column_config.NumberColumn("Weight", format=f"%+.{digits}f", width=60)
    height = ROW * (len(table["for"]) + 1) + 8
    st.dataframe(table, hide_index=True, row_height=ROW, height=height, column_config=columns, alt=alt)


def pivots_panel(outcome):
    """Draw the list, and the chosen pivot's features."""
    pivots = outcome.findings["pivots"]
    table = pivot_table(outcome.findings)
    places = {each["name"]: at for at, each in enumerate(pivots)}

    def choose():
        cells = st.session_state["scl_pivot_list"]["selection"]["cells"]
        if cells:
            st.session_state["pivot"] = pivots[cells[0][0]]["name"]

    left, right = st.columns([9, 7], gap="medium")
    with left:
        st.dataframe(
            table,
            key="scl_pivot_list",
            on_select=choose,
            selection_mode="single-cell",
            hide_index=True,
            row_height=ROW,
            height=min(ROW * (len(pivots) + 1) + 8, 480),
            column_config={
                "pivot": st.column_config.TextColumn("Pivot", width=95),
                "by": st.column_config.TextColumn("By", width=50, help="What decides: words (form) or tags"),
                "source": st.column_config.TextColumn("Word pairs of the source", width=170),
                "target": st.column_config.TextColumn("Of the target", width=150),
                "predicted": st.column_config.NumberColumn(
                    "Predicted", format="%.1f%%", width=75, help="Word pairs that the linear predictor has right"
                ),
                "majority": st.column_config.NumberColumn(
                    "Baseline",
                    format="%.1f%%",
                    width=70,
                    help="Word pairs that the more frequent answer alone has right",
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
