"""What the Consensus and Decomposition pages share: the system, the button of its runs, its settings."""

from functools import partial

import streamlit as st

from core.workspace.consensus.tags_plan import TagsPlan
from pages.shared.basics import session
from pages.shared.decomposition.view_state import PROBLEMS, DecompositionView
from pages.shared.job_panel import begin_button
from pages.shared.navigation import go_to
from pages.shared.setting import Settings
from pages.shared.widgets import action_button

KEY, TAGS_KEY = "cs", "ct"  # begin the keys of the controls of a run, here and on the Decomposition page
ICON = ":material/hub:"
FORMER = "cs_former"  # (kind of the system, corpus, what chose the contexts or groups before the last choice)
CHOOSING = {
    "consensus": ("threshold", "minimum_count", "width", "prefer_inside"), "consensus-tags": ("imports", "least"),
}  # fmt: skip


def start_button(system, inputs, plan, label, key):
    """Draw the button that trains, analyses the text and searches for what is consistent."""
    begin_button(label, partial(system.start, inputs, plan), key, icon=ICON, help=help_of(plan))


def help_of(plan):
    """What the button does."""
    if isinstance(plan, TagsPlan):
        tagger = "Takes the saved tagger" if plan.tagger is not None else (
            f"Trains a trigram tagger in {plan.epochs} passes over the tags")  # fmt: skip
        return (
            rf"{tagger}, tags the text sentence by sentence, then "
            r"maximises $\sum_s f(Y_s) + g(z)$ with $z = Y$ by dual decomposition: all occurrences of a word that "
            "training did not see should have one tag (Rush et al. 2012, §4, §7)."
        )
    if plan.parser is None:
        parser = f"Trains an MST parser of order {plan.order} in {plan.epochs} passes over the trees"
    else:
        parser = f"Takes the parser of run {plan.parser}"
    return (
        rf"{parser}, parses the text sentence by sentence, then maximises $\sum_s f(Y_s) + g(z)$ with $z = Y$ by dual "
        r"decomposition (Rush et al. 2012, §5, §6)."
    )


def consensus():
    """The Consensus system of this process. Raises StoreError."""
    return session().system("consensus")


def tagging():
    """The system of consistent tagging of this process. Raises StoreError."""
    return session().system("consensus-tags")


def settings(corpus, plan, help=None, prefix=None):
    """The Settings of a plan of this page, for heads or tags."""
    is_tags = isinstance(plan, TagsPlan)
    system = tagging() if is_tags else consensus()
    return Settings(prefix or (TAGS_KEY if is_tags else KEY), plan, partial(save, system, corpus), help)


def save(system, corpus, label, **changes):
    """Keep choices with the project, undoably; in a callback. Raises StoreError."""
    before = system.save(corpus, label, **changes).values()
    names = CHOOSING[system.kind]
    if any(name in names for name in changes):
        st.session_state[FORMER] = system.kind, corpus.id, {name: before[name] for name in names}


def former_selection(system, inputs, plan, selection):
    """What was selected before the last choice, of the same texts; ``selection`` itself where nothing was chosen."""
    kind, owner, values = st.session_state.get(FORMER, (None, None, {}))
    if (kind, owner) != (system.kind, inputs.corpus.id):
        return selection
    return system.selection(inputs, plan.with_values(**values))


def converged_button(problem, key):
    """Draw the button that opens the Decomposition page on heads, "consistency", or tags."""
    query = {DecompositionView.problem: [PROBLEMS[problem]]}
    action_button("How it converged", f"{key}_converged", "show_chart", go_to, "decomposition", query, type="tertiary")
