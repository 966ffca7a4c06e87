"""What the parts of the Induction page share: the desk, and how a choice is kept."""

from dataclasses import replace

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.induction.runs import InductionDesk
from pages.shared.markup.state import desk as markup_desk
from pages.shared.state import opened_by, workspace

PROBLEM = "ind_problem"
SHOWN = "ind_run"  # the run that is looked at; None is the newest


@st.cache_resource(max_entries=32, show_spinner=False)
def _desk(*_places):
    return InductionDesk(workspace(), markup_desk())


def desk():
    """The InductionDesk of this process."""
    return _desk(*opened_by())


def choose(corpus, field, key):
    """Keep what was chosen for one field of the plan; what cannot be is said above the results. In a callback."""
    attempt(lambda: desk().save_plan(corpus, replace(desk().plan(corpus), **{field: st.session_state[key]})))


def use_all(corpus):
    """Train on sentences of any length, all at once; in a callback."""
    st.session_state[key_of(corpus, "stages")] = ""
    choose(corpus, "stages", key_of(corpus, "stages"))
    st.rerun("app")  # the panel is a fragment, and was given the plan as it was


def key_of(corpus, field):
    """The key of the widget that shows a field of the plan of a corpus."""
    return f"ind_{field}_{corpus.id}"


def attempt(action):
    """Do it; what cannot be done is said above the results."""
    try:
        return action()
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
        return None
