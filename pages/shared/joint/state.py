"""What the parts of the Joint page share: the system, its settings, the keys of what stands in the address."""

from functools import partial

import streamlit as st

from pages.shared.address import bind_value
from pages.shared.basics import session
from pages.shared.group_choice import leave_group
from pages.shared.joint.view_state import JointView
from pages.shared.setting import Settings


def joint():
    """The Joint system of this process. Raises StoreError."""
    return session().system("joint")


def settings(corpus, plan):
    """The Settings of a plan of this page."""
    return Settings(f"jt_{corpus.id}", plan, partial(joint().save, corpus))


def show_list(name, title, stage, first):
    """List the sentences of a kind after a stage, and draw the first of them; in a callback."""
    JointView().listed, JointView().stage, JointView().view = name, stage, "sentences"
    bind_value(JointView.listed, title)
    leave_group()
    JointView().sentence_of = first + 1


def ranks_of(index, stage):
    """Which candidate of a list is drawn, by the number of its scheme: 0, which is left out, is the best."""
    where, ranks = st.session_state.get(JointView.ranks, (None, {}))
    return dict(ranks) if where == (index, stage) else {}


def choose_rank(index, stage, number, rank):
    """Draw another candidate of one list; in a callback."""
    JointView().ranks = (index, stage), ranks_of(index, stage) | {number: rank}
