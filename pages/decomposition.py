"""Decomposition: a run of dual decomposition watched as its bounds meet, and played back iteration by iteration."""

from functools import partial
from typing import Any

import streamlit as st

from core.workspace.runs.examples import KINDS
from pages.shared.basics import report_errors, session, show_problem
from pages.shared.decomposition import runs as panels
from pages.shared.decomposition.player import player
from pages.shared.decomposition.rules import rules_panel
from pages.shared.decomposition.view_state import PROBLEMS, DecompositionView
from pages.shared.examples import example_of
from pages.shared.guide.link import introduction
from pages.shared.job_panel import stopped_line, watch
from pages.shared.navigation import require_frame
from pages.shared.widgets import choose_view

require_frame()
current = session().corpus
top = st.container()
problem = choose_view("Problem", PROBLEMS, DecompositionView.problem)
with top:
    introduction(*panels.ABOUT[problem], "Consensus and dual decomposition")
if problem == "rules":
    with report_errors(stop=True):
        rules_panel(current)
    st.stop()
played = panels.played_by(problem)
system = played.system
with st.container():
    show_problem(f"{played.key}_problem")
if panels.run_under_way(played) is not None:
    watch(partial(panels.run_under_way, played), panels.run_progress, played)  # the whole page anew once it has ended
    st.stop()
runs = system.runs(session().project)
finished = list(filter(system.has_outcome, runs))
panels.open_linked(played, finished, current)
with st.container():
    stopped_line(next(iter(panels.runs_of(current, runs)), None), system.resume, played.key)
outcome: Any = None
with report_errors(stop=True):
    if panels.runs_of(current, finished):
        outcome = system.load(panels.choose_run(played, finished, current))
    else:
        panels.no_run(played, current, finished)
        outcome = example_of(system.kind) if system.kind in KINDS else None
if outcome is None:
    st.stop()
if not len(outcome.trace):
    st.info("This run was stopped before its first iteration, so there is nothing to play.", icon=":material/info:")
    st.stop()
panels.proof(outcome)
player(outcome)
