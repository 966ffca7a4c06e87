"""What work takes, how many sentences at a time, and which further texts are learnt from."""

from functools import partial

import streamlit as st

from core.workspace.constraints.advice import other_texts
from core.workspace.constraints.plan import MOST_SENTENCES
from pages.shared.session import session
from pages.shared.setting import Settings

HELP = {
    "sentences": "How many sentences are corrected at a time",
    "minutes": "What it takes to correct the tree of a sentence of fifteen words; others in proportion",
    "line": "What it takes to think a line over",
    "text": "What it takes to find another text and look it through",
    "treebank": "What it takes to find another treebank and compare its scheme with yours",
    "texts": "Their sentences are learnt from beside the text’s own, and their trees where they have some",
}


def advice_settings(system, inputs, plan):
    """Draw them."""
    with st.popover("Work", icon=":material/timer:"):
        each = Settings("advice", plan, partial(system.save, inputs.corpus), HELP, problem="advice_problem")
        each(st.number_input, "sentences", "Sentences to correct next", 1, MOST_SENTENCES)
        each(st.number_input, "minutes", "Minutes a tree", 0.1, 60.0, step=0.5)
        each(st.number_input, "line", "Minutes a line", 0.1, 600.0, step=1.0)
        each(st.number_input, "text", "Minutes a text", 0.1, 600.0, step=5.0)
        each(st.number_input, "treebank", "Minutes a treebank", 0.1, 600.0, step=5.0)
        names = {other.id: other.name for other in other_texts(session().workspace, inputs.corpus)}
        if names:
            there = [text for text in plan.texts if text in names]

            def draw(label, *_, value, **how):
                return st.multiselect(label, list(names), default=value, format_func=names.get, **how)

            each(draw, "texts", "Learn from as well", value=there)
