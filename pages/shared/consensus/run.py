"""What the Consensus and Decomposition pages share: the system, the button of its runs, its settings."""

from functools import partial

import streamlit as st

from pages.shared.basics import session
from pages.shared.job_panel import begin_button
from pages.shared.setting import Settings

KEY = "cs"  # begins the keys of the controls of a run, here and on the Decomposition page
ICON = ":material/hub:"
FORMER = "cs_former"  # (corpus, what chose the contexts before the last choice)
CHOOSING = ("threshold", "minimum_count", "width", "prefer_inside")


def start_button(inputs, plan, label):
    """Draw the button that trains a parser on the trees, parses the text and searches for consistent trees."""
    begin_button(label, partial(consensus().start, inputs, plan), KEY, icon=ICON, help=run_help(plan))


def run_help(plan):
    """What the button does."""
    return (
        f"Trains an MST parser of order {plan.order} in {plan.epochs} passes over the trees, parses the text "
        r"sentence by sentence, then maximises $\sum_s f(Y_s) + g(z)$ with $z = Y$ by dual decomposition (Rush et al. "
        r"2012, §5, §6)."
    )


def consensus():
    """The Consensus system of this process. Raises StoreError."""
    return session().system("consensus")


def settings(corpus, plan, help=None):
    """The Settings of a plan of this page."""
    return Settings("cs", plan, partial(save, corpus), help)


def save(corpus, label, **changes):
    """Keep choices with the project, undoably; in a callback. Raises StoreError."""
    before = consensus().save(corpus, label, **changes)
    if any(name in CHOOSING for name in changes):
        st.session_state[FORMER] = corpus.id, {name: getattr(before.settings, name) for name in CHOOSING}


def former_selection(inputs, plan, selection):
    """The Contexts before the last choice, of the same texts; ``selection`` itself where nothing was chosen."""
    owner, values = st.session_state.get(FORMER, (None, {}))
    return consensus().selection(inputs, plan.with_values(**values)) if owner == inputs.corpus.id else selection
