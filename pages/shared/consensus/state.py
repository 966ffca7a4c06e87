"""What the pages of consistency share: the system, its settings, what was selected before the last choice."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.shared.session import session
from pages.shared.setting import Settings

FORMER = "cs_former"  # (corpus, what chose the contexts before the last choice)
CHOOSING = ("threshold", "minimum_count", "width", "prefer_inside")


def consensus():
    """The Consensus system of this process. Raises StoreError."""
    return session().systems["consensus"]


def settings(corpus, plan, help=None):
    """The Settings of a plan of this page."""
    return Settings("cs", plan, partial(save, corpus), help)


def save(corpus, label, **changes):
    """Keep choices with the project, undoably; in a callback. Raises StoreError."""
    before = consensus().save(corpus, label, **changes)
    if any(name in CHOOSING for name in changes):
        st.session_state[FORMER] = corpus.id, {name: getattr(before, name) for name in CHOOSING}


def former_selection(inputs, plan, selection):
    """The Contexts before the last choice, of the same texts; ``selection`` itself where nothing was chosen."""
    owner, values = st.session_state.get(FORMER, (None, {}))
    return consensus().selection(inputs, replace(plan, **values)) if owner == inputs.corpus.id else selection
