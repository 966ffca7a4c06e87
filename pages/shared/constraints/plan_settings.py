"""Settings of a learner as widgets: each says what is usual, marks what is not, and is saved at once."""

from functools import partial

import streamlit as st

from core.workspace.wording import amount
from pages.shared.messages import callback_errors, report_errors, show_quietly
from pages.shared.session import session
from pages.shared.setting import Settings

TAGS = {"upos": "Universal (UPOS)", "xpos": "The treebank’s own (XPOS)"}
BRACKETS = {"none": "None", "tear": "Tear", "sprawl": "Sprawl", "loose": "Loose", "strict": "Strict"}
HELP = {
    "warm": "Start from the last run where its model fits: after an edit, training takes a moment.",
}


class PlanSettings:
    """Draws the settings of a Text's plan; ``help`` by their names, ``usual`` the plan where nobody has chosen."""

    def __init__(self, text, usual, help):
        self.text, self.usual, self.help = text, usual, HELP | help
        self.bind = Settings("ge_set", text.settings, partial(_change, text), self.help)

    def __call__(self, widget, name, label, *bounds, **how):
        """Draw a widget of one setting, marked where it is not as usual; of a choice ``bounds`` are names by option."""
        default, names = getattr(self.usual, name), {True: "on", False: "off"}
        if widget in (st.selectbox, st.segmented_control):
            names, how = bounds[0], how | {"format_func": bounds[0].get}
            bounds = (list(names),)
        said = names.get(default, default) if widget is not st.number_input else default
        marked = label if getattr(self.text.settings, name) == default else f"{label} :blue[●]"
        help = f"{self.help.get(name, '')} Default: {'no limit' if default is None else said}.".strip()
        self.bind(widget, name, marked, *bounds, help=help, **how)

    def tags(self):
        """Draw the choice of a tag column."""
        filled = [name for name in TAGS if getattr(self.text.treebank, name).filled]
        self(st.selectbox, "tags", "Tags", {name: TAGS[name] for name in filled})

    def longest(self, label):
        """Draw the maximum length of sentences."""
        value = self.text.settings.max_length or 0
        self(st.number_input, "max_length", label, 0, 500, value=value)

    @report_errors(show=show_quietly)
    def brackets(self, weight=None):
        """Draw how far trees should respect the text's mark-up, if it has some; ``weight()`` draws what it counts."""
        marked = sum(map(bool, session().learner.brackets(self.text)))
        if not marked and self.text.settings.brackets == "none":
            return
        self(st.segmented_control, "brackets", "Brackets", BRACKETS)
        if weight is not None and self.text.settings.brackets != "none":
            weight()
        have = "has" if marked == 1 else "have"
        st.caption(f"{marked:,} of {amount(len(self.text.treebank), 'sentence')} {have} mark-up.")


def save_settings(text, chosen):
    """Keep a plan with the project, if there is a text to train on with it; in a callback."""
    with callback_errors():
        _save(text, chosen)
    st.rerun("app")


def _change(text, _, **changes):
    chosen = text.settings
    for name, value in changes.items():
        chosen = chosen.with_choice(name, value)
    _save(text, chosen)


def _save(text, chosen):
    session().learner.text(text.corpus, chosen)
    session().learner.save_settings(text.corpus, chosen)
