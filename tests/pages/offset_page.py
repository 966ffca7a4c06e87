"""Offset: a page from outside, of the system in ``tests/workspace/offset.py``."""

from functools import partial

import streamlit as st

from pages.shared.basics import report_errors, session
from pages.shared.job_panel import system_panel
from pages.shared.navigation import require_frame
from pages.shared.setting import Settings
from pages.shared.widgets import pager
from tests.pages.offset_view import OffsetView

require_frame()
current, system = session().corpus, session().system("offset")
plan = system.plan(current)
with report_errors(stop=True):
    inputs = system.inputs(current, plan)
    Settings("offset", plan, partial(system.save, current))(st.number_input, "farthest", "Farthest head", 1, 20)
    system_panel(
        system, inputs, plan, "offset", "Learn the distance", icon=":material/straighten:",
        help="Attach every word at the distance that is right most often", start=partial(system.start, inputs, plan),
    )  # fmt: skip
    outcome = system.latest(inputs)
if outcome is not None:
    place = pager(len(outcome.tree), OffsetView.shown)
    st.metric(f"Words of sentence {place}", len(outcome.tree[place - 1]))
    st.caption(f"Words by distance: {system.distances(outcome)}")
    st.toggle("Apart", key=OffsetView.apart, bind="query-params")
    st.button("Look at it", key="offset_look", on_click=OffsetView.word.keep, args=((1, place),))
    st.caption(f"Looking at {OffsetView().word}")
