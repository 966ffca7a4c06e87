"""Consensus: which contexts parse alike, who votes in each, and what parsing a text consistently changes."""

import streamlit as st

from pages.shared.basics import report_errors, session
from pages.shared.consensus.context_panel import context_panel, selected_numbers
from pages.shared.consensus.effects_panel import effects_panel
from pages.shared.consensus.run import consensus, former_selection, run_panel
from pages.shared.consensus.settings import choose_texts, settings_form, thresholds
from pages.shared.group_choice import group_choice
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.widgets import choose_view

VIEWS = {"contexts": "Contexts", "effects": "What changed"}

SUMMARY = (
    "Words in similar contexts should have similar heads. This page finds such contexts in trees that are right, and "
    "parses the rest of the text so that it follows them."
)
HOW = r"""
A **context** is a window of tags around a word, such as `NN IN *DT* NN`. It is trusted if nearly all of its words in
the trees have a head of one tag. When the text is parsed, all words in one context then vote on the tag of their
heads; agreeing with the consensus pays $\delta_1$, being close to it $\delta_2$:

$$\max_{Y, z} \; \sum_s f(Y_s) + \sum_c \sum_{i \in c} \theta\big(z_c, \mathrm{tag}(Y, i)\big)$$

Dual decomposition finds the trees $Y$ and consensus tags $z$, most often with a proof that there are no better ones
(Rush et al. 2012, §4 to §6). The Decomposition page plays it back.
"""

require_frame()
current = session().corpus
introduction(SUMMARY, HOW, "Consensus and dual decomposition")
known, learned = st.columns([4, 8], gap="large")
outcome = None
with report_errors(stop=True), known:
    plan = consensus().plan(current)
    inputs = choose_texts(current, plan)
    selection = consensus().selection(inputs, plan)
    former = former_selection(inputs, plan, selection)
with known:
    thresholds(current, plan)
    settings_form(current, inputs, plan)
    run_panel(inputs, plan)
with learned:
    selected_numbers(selection, former)
    with report_errors():
        outcome = consensus().latest(inputs)
    if "cs_show" in st.session_state:
        st.session_state["cs_view"] = st.session_state.pop("cs_show")
    with st.container(horizontal=True, vertical_alignment="center"):
        view = choose_view("Show", VIEWS, "cs_view")
        places = group_choice(current, inputs.test)
    if view == "effects":
        effects_panel(outcome, plan, places)
    else:
        context_panel(current, selection, former, outcome, places)
