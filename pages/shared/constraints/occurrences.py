"""The sentences behind a count, in a dialog: every place that a constraint speaks of, with its words marked."""

import streamlit as st

from core.workspace.constraints.coverage import KINDS, occurrences, shown_place
from core.workspace.wording import question
from pages.shared.basics import escape
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.widgets import choose_view

AT_ONCE = 12


def ask_for_places(constraint):
    """Have the places of a Constraint shown by the next ``show_places``; in a callback."""
    ConstraintsView().places_of = constraint


def show_places(text, outcome):
    """Open the dialog if ``ask_for_places`` was called; ``outcome`` is the model in use."""
    constraint = st.session_state.pop(ConstraintsView.places_of, None)
    if constraint is not None:
        ConstraintsView().places_page = 1
        _places(text, outcome, constraint)


@st.dialog("Sentences", width="large")
def _places(text, outcome, constraint):
    hits = occurrences(text, constraint)
    st.markdown(f"**{escape(question(constraint, len(hits)))}**")
    kind = "all"
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        if hits.known.any():
            kind = choose_view("Which", KINDS, "ge_places_kind", default="all", linked=False)
        chosen = hits.of_kind(kind)
        pages = -(-len(chosen) // AT_ONCE)
        if ConstraintsView().places_page > max(pages, 1):
            ConstraintsView().places_page = 1
        page = st.pagination(pages, key=ConstraintsView.places_page, max_visible_pages=5) if pages > 1 else 1
    for hit in chosen[(page - 1) * AT_ONCE : page * AT_ONCE].tolist():
        marked, share = shown_place(text, hits, hit, outcome)
        arc = " :green[✓]" if hits.edges[hit] else ""
        model = "" if share is None else f" :gray[model {share:.2f}]"
        number = text.treebank.picks[hits.sentences[hit]] + 1
        st.markdown(f":gray[{number}] {marked}{arc}{model}")
    st.caption(
        f"{len(chosen):,} of {len(hits):,} · :orange[**modifier**], :blue[**head**]"
        + (" · :green[✓] an arc of the text’s own trees" if hits.known.any() else "")
    )
