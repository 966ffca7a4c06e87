"""Settings of induction, behind one button; each choice is kept at once."""

from functools import partial

import streamlit as st

from core.parsers.dmv.training import INITS, SCHEDULES
from core.trees.brackets import LEVELS
from pages.shared.basics import callback_errors, session
from pages.shared.induction.view_state import InductionView
from pages.shared.setting import Settings

WIDTH = 400
TITLES = {
    "uniform": "Uniform", "harmonic": "Harmonic", "adhoc": "Ad-hoc", "none": "None", "tear": "Tear", "sprawl": "Sprawl",
    "loose": "Loose", "strict": "Strict", "viterbi": "Best trees (Viterbi)", "em": "All trees (EM)", "plain": "Plain",
    "baby-steps": "Baby steps", "leapfrog": "Leapfrog", "upos": "Universal (UPOS)", "xpos": "The text’s own (XPOS)",
    "": "Whichever is filled",
}  # fmt: skip
HELP = {
    "init": r"INIT. **Uniform**: all trees alike. **Harmonic**: $P(h \to m) \propto 1 / |h - m|$, near words "
    "attach more often (Klein & Manning 2004). **Ad-hoc**: harmonic from sentences of at most 8 words, then EM up to "
    "15 (Spitkovsky et al. 2010, §6).",
    "level": "CONSTR. Trees in training respect the mark-up. **Strict**: one arc enters the marked words, none leaves. "
    "**Loose**: arcs may leave from the word where it enters. **Sprawl**: from any of the words. **Tear**: several may "
    "enter, all from the same side. Where no tree satisfies a level, the next softer one applies (Spitkovsky et al. "
    "2010, §5.3, §6).",
    "stages": "SCOPE. The maximum sentence length of each stage; each stage starts from the result of the one before. "
    "Empty: all sentences at once. The paper compares 45; 15; and 15, 45 (Spitkovsky et al. 2010, §6).",
    "schedule": "Baby steps add one word per stage, Leapfrog 15 (Spitkovsky et al. 2010a; compared in Spitkovsky et "
    "al. 2010, §7.1). Plain takes the stages above.",
    "algorithm": r"What an iteration counts: in the best tree of each sentence, $\arg\max_y P(x, y)$ (Viterbi "
    r"training, Spitkovsky et al. 2010, §6), or in all trees, weighted by $P(y \mid x)$ (EM).",
    "trim": "TRIM. Train only on sentences with a bracket of several words, shorter than the sentence (Spitkovsky et "
    "al. 2010, §6).",
    "adapt_to": "ADAPT. Upon convergence train once more, without mark-up, on another text of at most 45 words a "
    "sentence (Spitkovsky et al. 2010, §6).",
    "seed": "Ties between equally good trees are broken at random from this seed.",
    "punctuation": "Usually left out, as in the paper (§4); in the CoNLL-U file it then hangs on words around it.",
    "smoothing": r"Added to every count, $P(a \mid h) = (c_{ha} + \lambda) / \sum_b (c_{hb} + \lambda)$ (Laplace, as "
    "the start of Spitkovsky et al. 2010, §6). More smoothing keeps rare events possible and makes the grammar "
    "flatter.",
    "max_iterations": "A stage ends when its bits per token stop falling, at the latest after this many iterations.",
    "tags": "The column that the grammar is learnt from; it does not see words.",
}


def more_settings(corpus, plan, marked):
    """The button, and the settings behind it."""
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="ind_settings"), st.container(width=WIDTH):
        of_grammar, of_text, of_training = st.tabs(["Start", "Text", "Training"])
        with of_grammar:
            setting(st.segmented_control, "init", "Start", INITS, format_func=TITLES.get)
            if marked or plan.level != "none":  # one that was kept is to be taken back
                setting(st.segmented_control, "level", "Mark-up respected", LEVELS[::-1], format_func=TITLES.get)
        with of_text:
            setting(st.text_input, "stages", "Maximum length of each stage")
            setting(st.selectbox, "tags", "Tags", ("", "upos", "xpos"), format_func=TITLES.get)
            if marked or plan.trim:
                setting(st.toggle, "trim", "Only sentences with mark-up of several words")
            setting(st.toggle, "punctuation", "Keep punctuation")
            texts = {0: "nothing else"} | {
                each.id: each.name for each in session().store.corpora(session().project) if each.id != corpus.id
            }
            shown = plan.adapt_to if plan.adapt_to in texts else 0
            setting(st.selectbox, "adapt_to", "Then adapt to", texts, value=shown)
        with of_training:
            setting(st.selectbox, "algorithm", "Count", ("viterbi", "em"), format_func=TITLES.get)
            setting(st.selectbox, "schedule", "Schedule", SCHEDULES, format_func=TITLES.get)
            setting(st.number_input, "max_iterations", "Maximum iterations per stage", 1, 1000, step=1)
            setting(st.number_input, "smoothing", "Smoothing", 0.0, 1000.0, step=0.1)
            setting(st.number_input, "seed", "Seed", 0, 2**31 - 1, step=1)


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
