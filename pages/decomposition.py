"""Decomposition: a run of dual decomposition watched as its bounds meet, and played back iteration by iteration."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.consensus_runs import consensus_runs, has_outcome, load_outcome
from pages.shared.consensus_run import active_run, show_problem, stopped_run
from pages.shared.consensus_state import desk
from pages.shared.dual_player import player
from pages.shared.dual_runs import choose_run, no_run, proof, watch
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, project, refuse

require_frame()
current = corpus()
show_problem()
active = active_run()
if active is not None:
    watch()
    st.stop()
runs = consensus_runs(desk().store, project())
stopped_run(runs[0] if runs else None)
finished = [run for run in runs if has_outcome(run)]
if not finished:
    no_run(current)
    st.stop()
run = choose_run(finished)
try:
    outcome = load_outcome(desk(), run)
except WorkbenchError as error:
    refuse(error)
    st.stop()
if not len(outcome.trace):
    st.info("This run was stopped before its first iteration, so there is nothing to play.", icon=":material/info:")
    st.stop()
proof(outcome)
player(outcome)
