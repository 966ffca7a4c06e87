"""Consensus: which contexts parse alike, who votes in each, and what parsing a text consistently changes."""

import streamlit as st

from pages.shared.basics import refuse, report_errors, session
from pages.shared.consensus import tags
from pages.shared.consensus.context_panel import context_panel, selected_numbers
from pages.shared.consensus.effects_panel import effects_panel
from pages.shared.consensus.run import consensus, former_selection
from pages.shared.consensus.settings import of_address, run_panel, thresholds
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import group_choice
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.outliers import outliers_panel
from pages.shared.widgets import choose_view

VIEWS = {"contexts": "Contexts", "effects": "What changed", "outliers": "Inconsistencies"}

SUMMARY = (
    "Words in similar contexts should have similar heads: find such contexts in correct trees, and parse the rest "
    "accordingly."
)
HOW = r"""
A **context** is a window of tags around a word, such as `NN IN *DT* NN`. It is trusted if nearly all of its words in
the trees have a head of one tag. When the text is parsed, all words in one context then vote on the tag of their
heads; agreeing with the consensus pays $\delta_1$, being close to it $\delta_2$:

$$\max_{Y, z} \; \sum_s f(Y_s) + \sum_c \sum_{i \in c} \theta\big(z_c, \mathrm{tag}(Y, i)\big)$$

Dual decomposition finds the trees $Y$ and consensus tags $z$, most often with a proof that there are no better ones
(Rush et al. 2012, §4 to §6). The Decomposition page plays it back.
"""
TASKS = {"heads": "Heads", "tags": "Tags"}
ABOUT = {"heads": (SUMMARY, HOW), "tags": (tags.SUMMARY, tags.HOW)}


def results(corpus, plan, inputs, view, places):
    """What a plan, ``kept`` or under the thresholds of the address, selects, and what its newest run changed."""
    selection = consensus().selection(inputs, plan)
    former = former_selection(consensus(), inputs, plan, selection)
    outcome = consensus().latest(inputs)
    if view == "effects":
        effects_panel(outcome, inputs, plan, places)
        return
    thresholds(corpus, plan, kept)
    selected_numbers(selection, former)
    context_panel(corpus, selection, former, outcome, places)


require_frame()
current = session().corpus
top = st.container()
task = choose_view(
    "Task", TASKS, ConsensusView.task, help="What should be consistent: heads in similar contexts, or tags of new words"
)
with top:
    introduction(*ABOUT[task], "Consensus and dual decomposition")
if task == "tags":
    with report_errors(stop=True):
        tags.tags_panel(current)
    st.stop()
kept = consensus().plan(current)
plan = of_address(kept)


def refuse_texts(error):
    """Draw the panel, where other texts can be chosen, and what is wrong with these."""
    run_panel(current, plan, None)
    refuse(error)


inputs = None
with report_errors(show=refuse_texts):
    inputs = consensus().inputs(current, plan)
if inputs is not None:
    run_panel(current, plan, inputs)
if "cs_show" in st.session_state:
    ConsensusView().view = st.session_state.pop("cs_show")
with st.container(horizontal=True, vertical_alignment="center"):
    view = choose_view("Show", VIEWS, ConsensusView.view)
    places = range(0) if inputs is None else group_choice(current, inputs.test)
if view == "outliers":
    outliers_panel(current)
elif inputs is not None:
    with report_errors():
        results(current, plan, inputs, view, places)
