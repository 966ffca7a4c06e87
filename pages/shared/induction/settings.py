"""Settings of induction, behind one button; each choice is kept at once."""

from functools import partial

import streamlit as st

from core.parsers.dmv.training import ALGORITHMS, INITS, SCHEDULES
from core.trees.brackets import LEVELS
from core.workspace.texts import listed_texts
from pages.shared.basics import callback_errors, session
from pages.shared.induction.view_state import InductionView
from pages.shared.preset import preset_choice
from pages.shared.setting import Settings

WIDTH = 400
TITLES = {
    "uniform": "Uniform", "harmonic": "Harmonic", "adhoc": "Ad-hoc", "none": "None", "tear": "Tear", "sprawl": "Sprawl",
    "loose": "Loose", "strict": "Strict", "viterbi": "Best trees (Viterbi)", "em": "All trees (EM)", "plain": "Plain",
    "baby-steps": "Baby steps", "leapfrog": "Leapfrog", "upos": "Universal (UPOS)", "xpos": "The text’s own (XPOS)",
    "": "Whichever is filled",
}  # fmt: skip
NAMED = ("init", "level", "algorithm", "schedule")  # settings whose values TITLES names
HELP = {
    "stages": "SCOPE. The maximum sentence length of each stage; each stage starts from the result of the one before. "
    "Empty: all sentences at once. The paper compares 45; 15; and 15, 45 (Spitkovsky et al. 2010, §6).",
    "init_from": "INIT. The text whose sentences of at most 8 and 15 words a harmonic or ad-hoc start is estimated on; "
    "the paper's is the WSJ (Spitkovsky et al. 2010, §6).",
    "adapt_to": "ADAPT. Upon convergence train once more, without mark-up, on another text of at most 45 words a "
    "sentence (Spitkovsky et al. 2010, §6).",
    "punctuation": "Usually left out, as in the paper (§4); in the CoNLL-U file it then hangs on words around it.",
    "tags": "The column that the grammar is learnt from; it does not see words.",
}


def more_settings(corpus, plan, marked):
    """Draw the button, and the settings behind it."""
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="ind_settings"), st.container(width=WIDTH):
        preset_choice(setting, induction(), corpus, **dict.fromkeys(NAMED, TITLES))
        of_grammar, of_text, of_training = st.tabs(["Start", "Text", "Training"])
        with of_grammar:
            setting.choice(st.segmented_control, "init", INITS, format_func=TITLES.get)
            if plan.settings.init != "uniform" or plan.init_from:
                _choose_text(setting, corpus, "init_from", "Start estimated on", "the text itself")
            if marked or plan.settings.level != "none":  # one that was kept is to be taken back
                setting.choice(st.segmented_control, "level", LEVELS[::-1], format_func=TITLES.get)
        with of_text:
            setting(st.text_input, "stages", "Maximum length of each stage")
            setting(st.selectbox, "tags", "Tags", ("", "upos", "xpos"), format_func=TITLES.get)
            if marked or plan.settings.trim:
                setting.choice(st.toggle, "trim")
            setting(st.toggle, "punctuation", "Keep punctuation")
            _choose_text(setting, corpus, "adapt_to", "Then adapt to", "nothing else")
        with of_training:
            setting.choice(st.selectbox, "algorithm", ALGORITHMS, format_func=TITLES.get)
            setting.choice(st.selectbox, "schedule", SCHEDULES, format_func=TITLES.get)
            setting.choice(st.number_input, "max_iterations")
            setting.choice(st.number_input, "smoothing")
            setting.choice(st.number_input, "seed")


def _choose_text(setting, corpus, name, label, nothing):
    """Draw the choice of another text of the project, or ``nothing``."""
    others = [other for other in listed_texts(session().store, session().project) if other.id != corpus.id]
    texts = {0: nothing} | {other.id: other.name for other in others}
    chosen = getattr(setting.plan, name)
    setting(st.selectbox, name, label, texts, value=chosen if chosen in texts else 0)


def induction():
    """The Induction of this process. Raises StoreError."""
    return session().system("induction")


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
    InductionView().run = run_id
