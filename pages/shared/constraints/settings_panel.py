"""Settings of training, behind one button: each choice saved at once and undone like any other."""

import streamlit as st

from pages.shared.constraints.crf_settings import crf_settings
from pages.shared.constraints.grammar_settings import grammar_settings
from pages.shared.constraints.plan_settings import save_settings
from pages.shared.session import session

WIDTH = 400  # pixels, whatever is said inside
PANELS = {"ge": crf_settings, "grammar": grammar_settings}  # by the kind of a learner


def settings_panel(text):
    """Draw the button and what is behind it."""
    learner, now = session().learner, text.settings
    usual = learner.usual_plan(text.corpus)
    changed = now.changed_from(usual)
    label = f"Settings · {len(changed)} changed" if changed else "Settings"
    with st.popover(label, icon=":material/tune:", key="ge_settings"), st.container(width=WIDTH):
        PANELS[learner.kind](text, usual)
        st.button(
            "Reset all", key="ge_settings_reset", type="tertiary", icon=":material/restart_alt:",
            disabled=now == usual, on_click=save_settings, args=(text, usual),
        )  # fmt: skip
