"""What the parts of the Adaptation page share: the desk, and how a choice is kept."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.adaptation.plan import AdaptationDesk
from pages.shared.consensus.state import key_of as keyed
from pages.shared.state import flash, opened_by, workspace

VIEW, RUN = "adaptation", "adapted"  # keys that stand in the address
PROBLEM = "scl_problem"


@st.cache_resource(max_entries=32, show_spinner=False)
def _desk(*_places):
    return AdaptationDesk(workspace())


def desk():
    """The AdaptationDesk of this process. Raises StoreError."""
    return _desk(*opened_by())


def key_of(name, value):
    """The key of the widget that shows a value of the plan, begun anew where the value changed elsewhere."""
    return keyed(name, value, "scl")


def choose(corpus, label, name, value, **changes):
    """Keep what a widget of ``key_of`` was moved to, undoably; in a callback. ``changes`` are the plan's, if other."""
    st.session_state[f"scl_shown_{name}"] = value
    try:
        desk().save(corpus, label, **(changes or {name: value}))
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    st.rerun("app")  # the panel is a fragment, and was given the plan as it was
