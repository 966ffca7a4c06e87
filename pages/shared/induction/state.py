"""What the parts of the Induction page share: the system, its settings, the run that is looked at."""

from functools import partial

import streamlit as st

from pages.shared.address import set_value
from pages.shared.messages import callback_errors
from pages.shared.session import session
from pages.shared.setting import Settings

SHOWN = "ind_run"  # the run that is looked at; None is the newest


def induction():
    """The Induction of this process. Raises StoreError."""
    return session().systems["induction"]


def settings(corpus, plan, help=None):
    """The Settings of a plan of this page."""
    return Settings(f"ind_{corpus.id}", plan, partial(induction().save, corpus), help, "ind_problem")


@callback_errors()
def use_all(corpus):
    """Train on sentences of any length, all at once; in a callback."""
    induction().save(corpus, "training on all sentences", stages="")
    st.rerun("app")  # the panel is a fragment, and was given the plan as it was


def show_run(run_id):
    """Look at a run, None the newest; in a callback."""
    set_value(SHOWN, run_id)
