"""Consensus: which contexts parse alike, who votes in each, and what parsing a text consistently changes."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.consensus_runs import latest_outcome
from pages.shared.consensus_knobs import knobs, thresholds
from pages.shared.consensus_run import run_panel
from pages.shared.consensus_state import desk, former_selection
from pages.shared.consensus_texts import choose_texts
from pages.shared.context_panel import context_panel, selected_numbers
from pages.shared.effects_panel import effects_panel
from pages.shared.group_choice import group_choice
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse

VIEWS = {"contexts": "Contexts", "effects": "What changed"}

require_frame()
current = corpus()
known, learned = st.columns([4, 8], gap="large")
try:
    plan = desk().plan(current)
    with known:
        texts = choose_texts(current, plan)
    selection = desk().selection(texts, plan)
    former = former_selection(texts, plan, selection)
except WorkbenchError as error:
    refuse(error)
    st.stop()
with known:
    thresholds(current, plan)
    knobs(current, texts, plan)
    run_panel(texts, plan)
with learned:
    selected_numbers(selection, former)
    try:
        outcome = latest_outcome(desk(), texts)
    except WorkbenchError as error:
        refuse(error)
        outcome = None
    if "cs_show" in st.session_state:
        st.session_state["cs_view"] = st.session_state.pop("cs_show")
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "Show", list(VIEWS), default="contexts", format_func=VIEWS.get, key="cs_view", required=True,
            bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
        places = group_choice(current, texts.test)
    if view == "effects":
        effects_panel(outcome, plan, places)
    else:
        context_panel(current, selection, former, outcome, places)
