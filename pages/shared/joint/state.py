"""What the parts of the Joint page share: the desk, how a choice is kept, the keys of what stands in the address."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.joint.plan import JointDesk
from pages.shared.address import say
from pages.shared.group_choice import leave_group
from pages.shared.state import flash, opened_by, workspace

PLACE, STAGE, SHOWN, RUN = "joint_sentence", "joint_stage", "joint_list", "joint_run"
PROBLEM = "jt_problem"
VIEW = "joint_view"
RANKS = "jt_ranks"  # (sentence, stage, [rank of the candidate that is drawn of either list])


@st.cache_resource(max_entries=32, show_spinner=False)
def _open(*_places):
    return JointDesk(workspace())


def desk():
    """The JointDesk of this process. Raises StoreError."""
    return _open(*opened_by())


def chooser(corpus, plan, name, label):
    """(key, on_change) of the widget that shows a value of the plan, to be given that value as its own.

    Another key for another value, so that Undo, or another corpus, begins the widget anew.
    """
    key = f"jt_{name}_{corpus.id}_{getattr(plan, name)}"

    def keep():
        value = st.session_state[key]
        if value is None:
            return
        try:
            desk().save(corpus, label, **{name: value})
        except WorkbenchError as error:
            flash(escape(str(error)), ":material/error:")
        st.rerun("app")  # the button that starts a run knows the plan of the whole page's last run

    return key, keep


def show_list(name, said, stage, first):
    """List the sentences of a kind after a stage, and draw the first of them; in a callback."""
    st.session_state[SHOWN], st.session_state[STAGE], st.session_state[VIEW] = name, stage, "sentences"
    say(SHOWN, said)
    leave_group()
    st.session_state[PLACE] = first + 1


def ranks_of(index, stage):
    """Which candidate of either list is drawn: [rank, rank], 0 the best."""
    where, ranks = st.session_state.get(RANKS, (None, None))
    return list(ranks) if where == (index, stage) else [0, 0]


def choose_rank(index, stage, number, rank):
    """Draw another candidate of one list; in a callback."""
    ranks = ranks_of(index, stage)
    ranks[number] = rank
    st.session_state[RANKS] = (index, stage), ranks
