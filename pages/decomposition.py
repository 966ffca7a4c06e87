"""Decomposition: a run of dual decomposition watched as its bounds meet, and played back iteration by iteration."""

from typing import Any

import streamlit as st

from pages.shared.basics import report_errors, session, show_problem
from pages.shared.consensus.run import KEY, consensus
from pages.shared.decomposition import runs as panels
from pages.shared.decomposition.player import player
from pages.shared.examples import example_of
from pages.shared.guide.link import introduction
from pages.shared.job_panel import stopped_line, watch
from pages.shared.navigation import require_frame

require_frame()
current = session().corpus
introduction(panels.SUMMARY, panels.HOW, "Consensus and dual decomposition")
with st.container():
    show_problem(f"{KEY}_problem")
if panels.run_under_way() is not None:
    watch(panels.run_under_way, panels.run_progress)  # the whole page anew once it has ended
    st.stop()
runs = consensus().runs(session().project)
finished = list(filter(consensus().has_outcome, runs))
panels.open_linked(finished, current)
with st.container():
    stopped_line(next(iter(panels.runs_of(current, runs)), None), consensus().resume, KEY)
outcome: Any = None
with report_errors(stop=True):
    if panels.runs_of(current, finished):
        outcome = consensus().load(panels.choose_run(finished, current))
    else:
        panels.no_run(current, finished)
        outcome = example_of(consensus().kind)
if outcome is None:
    st.stop()
if not len(outcome.trace):
    st.info("This run was stopped before its first iteration, so there is nothing to play.", icon=":material/info:")
    st.stop()
panels.proof(outcome)
player(outcome)
