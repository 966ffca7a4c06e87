"""Decomposition: a run of dual decomposition watched as its bounds meet, and played back iteration by iteration."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared.consensus.run import active_run, show_problem, stopped_run
from pages.shared.consensus.state import desk
from pages.shared.decomposition.player import player
from pages.shared.decomposition.runs import HOW, LEAD, choose_run, no_run, open_linked, proof, runs_of, watch
from pages.shared.examples import example_of
from pages.shared.lead import lead
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, project, refuse

require_frame()
current = corpus()
lead(LEAD, HOW)
show_problem()
if active_run() is not None:
    watch()
    st.stop()
runs = desk().runs(project())
finished = list(filter(desk().has_outcome, runs))
open_linked(finished, current)
own = runs_of(current, runs)
stopped_run(own[0] if own else None)
try:
    if runs_of(current, finished):
        outcome = desk().load(choose_run(finished, current))
    else:
        no_run(current, finished)
        outcome = example_of(desk().kind)
except WorkbenchError as error:
    refuse(error)
    st.stop()
if outcome is None:
    st.stop()
if not len(outcome.trace):
    st.info("This run was stopped before its first iteration, so there is nothing to play.", icon=":material/info:")
    st.stop()
proof(outcome)
player(outcome)
