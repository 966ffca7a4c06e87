"""Settings of adaptation: the texts, the pivots, the induced features, the training."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.adaptation.pivots import ANY, languages
from core.errors import WorkbenchError
from core.languages import language_name
from core.workspace.adaptation.plan import OWN
from core.workspace.texts import listed_texts
from pages.shared.basics import report_errors, session
from pages.shared.preset import preset_choice
from pages.shared.setting import Settings

WIDTH = 440  # pixels
DECIDERS = {"tags": "Tags, where there are any", "words": "Words"}
HELP = {
    "target": "The text of another kind. Its words are read; its trees, if it has any, are used for scores only.",
    "unlabelled": "Words of the target domain from which the correspondence is learnt, beside the source's "
    "(Shimizu & Nakagawa 2007, §3, step 1).",
    "few": "The trees of the first sentences of the target teach one of the baselines. No system is scored on them.",
    "rounds": "How often the parser is trained on the trees it draws of the unlabelled text. 0 leaves this baseline "
    "out.",
    "epochs": r"How often MIRA goes through the source's trees (Shimizu & Nakagawa 2007, §2.3; four times in §5). A "
    r"step is $\min(1, (\ell - \Delta) / \|f(y) - f(y')\|^2)$ for a tree $y'$ with $\ell$ wrong heads that the right "
    r"one beats by $\Delta$. Every iteration is scored.",
    "pivots": "Each asks whether one of these words stands between two others (Shimizu & Nakagawa 2007, §3).",
    "decide": "What decides whether a pivot holds, such as a preposition between the two words: tags or words. The "
    "paper's unlabelled text had no tags.",
    "language": "Which words are prepositions, determiners and helping verbs, the paper's three pivots (Shimizu & "
    "Nakagawa 2007, §3); at first those of the text's language, where there are some.",
}


def choose_target(corpus, plan):
    """Draw the choice of the target."""
    targets = adaptation().targets(corpus)
    if not targets:
        st.caption("Add a text of another kind to adapt to.")
        return
    _select(settings(corpus, plan, HELP), "target", "Target", targets, width=260)


def settings_button(corpus, plan):
    """Draw the button, and the settings behind it."""
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="scl_settings_button"), st.container(width=WIDTH):
        preset_choice(setting, adaptation(), corpus, decide=DECIDERS)
        features, training = st.tabs(["Induced features", "Training"])
        with features:
            left, right = st.columns(2)
            setting.choice(left.number_input, "dimensions")
            setting.choice(right.number_input, "scale", format="%g")
            for name in ("standardize", "directed", "tags", "distance", "lowercase"):
                setting.choice(st.toggle, name)
            setting.choice(st.number_input, "minimum_count")
            setting.choice(st.number_input, "edges")
        with training:
            texts = {other.id: other.name for other in listed_texts(adaptation().store, corpus.project)}
            _select(setting, "unlabelled", "Unlabelled text", {OWN: "The target's own words"} | texts)
            setting(st.number_input, "epochs", "Iterations", 1, 50)
            setting(st.number_input, "rounds", "Rounds of self-training", 0, 5)
            setting(st.number_input, "few", "Target trees for the last baseline", 0, 10_000)
            setting.choice(st.number_input, "seed")


def pivots_button(corpus, plan):
    """Draw the button, and the pivots behind it."""
    setting = settings(corpus, plan, HELP)
    with st.popover("Pivots", icon=":material/anchor:", key="scl_pivots_button"), st.container(width=WIDTH):
        left, right = st.columns(2)
        with left:
            names = {name: "Any, by tags alone" if name == ANY else language_name(name) for name in languages()}
            _select(setting, "language", "Word lists", names, changes=lambda chosen: {"language": chosen, "pivots": ""})
        with right:
            _select(setting, "decide", "Decided by", DECIDERS)
        setting(
            st.text_area, "pivots", "One pivot per line: name = words upos:TAG", value=plan.pivot_lines(), height=190,
            doing="changing pivots", changes=partial(_changed_pivots, plan),
        )  # fmt: skip
        left, right = st.columns(2)
        setting.choice(left.number_input, "between")
        setting.choice(right.number_input, "frequent")
        with report_errors():
            plan.correspondence()


def _changed_pivots(plan, text):
    text = text.strip()
    try:
        replace(plan, pivots=text).chosen_pivots()
    except WorkbenchError as error:
        raise WorkbenchError(f"Pivots not changed: {error}") from error
    return {"pivots": text}


def _select(setting, name, label, names, **how):
    """Draw a choice by name; the plan's value is an option even if its text was removed."""
    names = names | {value: "a text that was removed" for value in {getattr(setting.plan, name)} - names.keys()}
    setting(st.selectbox, name, label, names, doing=f"choosing {label.lower()}", **how)


def adaptation():
    """The Adaptation system of this process. Raises StoreError."""
    return session().system("scl")


def settings(corpus, plan, help=None):
    """The Settings of a plan of this page."""
    return Settings("scl", plan, partial(adaptation().save, corpus), help)
