"""Decomposition: a run of dual decomposition watched as its bounds meet, and played back iteration by iteration."""

import streamlit as st

from pages.shared.consensus.run import KEY, consensus
from pages.shared.decomposition.player import player
from pages.shared.decomposition.runs import (
    HOW,
    LEAD,
    choose_run,
    follow_run,
    no_run,
    open_linked,
    proof,
    run_under_way,
    runs_of,
)
from pages.shared.examples import example_of
from pages.shared.guide.link import introduction
from pages.shared.job_panel import stopped_line
from pages.shared.messages import report_errors, show_problem
from pages.shared.navigation import require_frame
from pages.shared.session import session

require_frame()
current = session().corpus
introduction(LEAD, HOW, "Consensus and dual decomposition")
show_problem(f"{KEY}_problem")
if run_under_way() is not None:
    follow_run()
    st.stop()
runs = consensus().runs(session().project)
finished = list(filter(consensus().has_outcome, runs))
open_linked(finished, current)
stopped_line(next(iter(runs_of(current, runs)), None), consensus().resume, KEY)
outcome = None
with report_errors(stop=True):
    if runs_of(current, finished):
        outcome = consensus().load(choose_run(finished, current))
    else:
        no_run(current, finished)
        outcome = example_of(consensus().kind)
if outcome is None:
    st.stop()
if not len(outcome.trace):
    st.info("This run was stopped before its first iteration, so there is nothing to play.", icon=":material/info:")
    st.stop()
proof(outcome)
player(outcome)
