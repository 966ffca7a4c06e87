"""The switch between our settings and those of a system's paper, with all that differs from the paper below it."""

import streamlit as st

from core.settings import BEST, PAPER, value_text
from pages.shared.basics import amount, callback_errors, escape
from pages.shared.widgets import choose_from

NAMES = {BEST: "Ours", PAPER: "The paper’s"}
DOING = {BEST: "taking our settings", PAPER: "taking the paper’s settings"}
HELP = (
    "**Ours**: those that did best on other texts. **The paper’s**: every value that it states. None is selected where "
    "the choices below are your own. Texts, and what the paper leaves open, stay as they are."
)


def preset_choice(setting, system, corpus, **names):
    """Draw the switch, which sets all that a paper states, and the differences; ``setting`` is the Settings of a plan.

    ``system`` is the plan's, ``corpus`` its text. ``names`` are dicts of what the page calls the values of a setting.
    """
    plan, usual, key = setting.plan, system.usual_plan(corpus), f"{setting.prefix}_preset"

    @callback_errors(setting.problem, rerun=True)
    def choose():
        if (chosen := st.session_state[key]) is not None:
            values = plan.under(chosen, usual).values()
            setting.save(DOING[chosen], **{name: values[name] for name in plan.paper()})

    st.session_state[key] = plan.preset_by(usual)
    choose_from(st.segmented_control, "Settings of", NAMES, key=key, on_change=choose, help=HELP)
    differences(setting.prefix, system, plan, names)


def differences(prefix, system, plan, names):
    """Draw the list of what differs from the paper of a system under a plan; ``prefix`` begins its key."""

    def shown(name, value):
        return escape(names.get(name, {}).get(value) or value_text(value))

    lines = [
        f"- **{escape(each.label)}**: {shown(each.name, each.ours)}; paper: {shown(each.name, each.paper)}"
        f"{f' ({escape(each.why)})' if each.why else ''}"
        for each in plan.departures()
    ]
    lines += [f"- {escape(words[:1].upper() + words[1:])}" for words in system.beside_settings]
    with st.expander(f"{amount(len(lines), 'difference')} from the paper", key=f"{prefix}_differences"):
        st.markdown("\n".join(lines))
