"""Annotate: draw, move and relabel arcs by mouse or keyboard, with what is wrong beside them."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared.annotate_panel import annotate_panel
from pages.shared.annotate_state import annotations
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse

require_frame()
current = corpus()
try:
    layer = annotations(current)
except WorkbenchError as error:
    refuse(error)
    st.stop()
annotate_panel(current, layer)
