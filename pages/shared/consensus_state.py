"""What the pages of consistency share: the desk, saving a choice, what was selected before the last one."""

import os
from dataclasses import replace

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.consensus import ConsensusDesk
from pages.shared.state import ENVIRONMENT, flash, workspace

FORMER = "cs_former"  # (corpus, what chose the contexts before the last choice)
CHOOSING = ("threshold", "minimum_count", "width", "prefer_inside")


@st.cache_resource(max_entries=32, show_spinner=False)
def _open(*_places):
    return ConsensusDesk(workspace())


def desk():
    """The ConsensusDesk of this process. Raises StoreError."""
    return _open(*(os.environ.get(name) for name in ENVIRONMENT))


def save(corpus, label, **changes):
    """Keep choices with the project, undoably; in a callback."""
    try:
        before = desk().save(corpus, label, **changes)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
        return
    if any(name in CHOOSING for name in changes):
        st.session_state[FORMER] = corpus.id, {name: getattr(before, name) for name in CHOOSING}


def show(key, value):
    """Have a widget show what is kept. In every run anew: a run that said so may not have reached the browser."""
    st.session_state[key] = value


def former_selection(texts, plan, selection):
    """The Contexts before the last choice, of the same texts; ``selection`` itself where nothing was chosen."""
    owner, values = st.session_state.get(FORMER, (None, {}))
    return desk().selection(texts, replace(plan, **values)) if owner == texts.corpus.id else selection
