"""What the parts of the Adaptation page share: the system, and how a choice is kept."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from pages.shared.consensus.state import key_of as keyed
from pages.shared.state import flash, systems

VIEW, RUN = "adaptation", "adapted"  # keys that stand in the address
PROBLEM = "scl_problem"


def adaptation():
    """The Adaptation system of this process. Raises StoreError."""
    return systems()["scl"]


def key_of(name, value):
    """The key of the widget that shows a value of the plan, begun anew where the value changed elsewhere."""
    return keyed(name, value, "scl")


def choose(corpus, label, name, value, **changes):
    """Keep what a widget of ``key_of`` was moved to, undoably; in a callback. ``changes`` are the plan's, if other."""
    st.session_state[f"scl_shown_{name}"] = value
    try:
        adaptation().save(corpus, label, **(changes or {name: value}))
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    st.rerun("app")  # the panel is a fragment, and was given the plan as it was
