"""Settings of training, behind one button: each choice saved at once and undone like any other."""

import streamlit as st

from core.constraints.word_order import format_order, parse_order
from core.workspace.constraints.plan import LONG
from core.workspace.constraints.steering import kin_names
from pages.shared.basics import session
from pages.shared.constraints.plan_settings import PlanSettings, known_trees_tab, save_settings
from pages.shared.widgets import choose_from

FEATURES = {"full": "Full", "restricted": "Restricted", "lexicalized": "With words"}
SCORES = {"squared": "Squared", "kl": "KL", "kl-one-sided": "KL, one-sided"}
COVARIANCES = {"exact": "Exact", "approximate": "Approximate", "pairwise": "Pairwise"}
DECODINGS = {
    "best": "The most probable tree",
    "projective": "The most probable without crossing arcs",
    "posterior": "The most heads expected right",
}
PRESET_NAMES = {"best": "Ours", "text": "No trees", "paper": "The paper’s"}
MEANT = {
    "exact": "The exact covariance of arcs and constraints, O(n³) per sentence by one more matrix product. The best "
    "choice.",
    "approximate": "Druck et al. 2009, §3.3: arcs of different words count as independent unless they form a cycle, "
    "O(n³). The paper finds it usually within 5% of the exact one.",
    "pairwise": "Druck et al. 2009, §3.3: the marginals of all pairs of arcs, one by one, O(n⁵). The same result as "
    "Exact, for comparison.",
}
HELP = {
    "tags": "The column of tags that constraints and features use.",
    "max_length": "Train on sentences of at most this many words; 0 is no limit. Time grows with the cube of "
    "the length.",
    "features": "By what the model distinguishes arcs. **Restricted**: head tag, modifier tag, direction. **Full**: "
    "also tags between and around, and distance, as in McDonald et al. 2005 without words (Druck et al. 2009, §5). "
    "**With words**: also the words themselves.",
    "minimum_count": "Features that occur on fewer possible arcs of the text are left out. Druck et al. 2009, §6, "
    "footnote 10, drop those below 10.",
    "score": r"How far a share $E$ may be from its target $T$. **Squared** $-(T-E)^2$: Druck et al. 2009, eq. 1. "
    r"**KL** $-T\ln\frac{T}{E}-(1-T)\ln\frac{1-T}{1-E}$. **One-sided** $-T\ln\frac{T}{E}$: its slope is the $T/E$ of "
    "the paper’s footnote 4; it only pulls shares up. Inside a target that is a range nothing is lost.",
    "strength": r"The factor $s$ of all constraints against the prior: $s\sum_g w_g S_g(\lambda) + \ln p(\lambda)$. "
    "Druck et al. 2009, §3, have 1.",
    "variance": r"Weights of features are drawn from a Gaussian of variance $\sigma^2$: "
    r"$\ln p(\lambda) = -\sum_j \lambda_j^2 / 2\sigma^2$ (Druck et al. 2009, §3, footnote 3: 10).",
    "projective": "Sum over trees without crossing arcs only (inside-outside), instead of over all trees (Matrix-Tree, "
    "Druck et al. 2009, §3.2 and footnote 5).",
    "covariance": r"Of a constraint $G$ and a feature $F_j$, $E[GF_j]-E[G]E[F_j]$: the gradient, Druck et al. 2009, "
    "eq. 2.",
    "decoding": "Which tree to show of all that the model gives probability to (Druck et al. 2009: the most probable).",
    "brackets": "The level at which trees should respect links, bold and italics (Spitkovsky et al. 2010, §5.3). The "
    r"mean log-probability that they do, $\ln Z_{held} - \ln Z$ over marked sentences, is added to the objective; a "
    "sentence without a tree at this level uses the next softer one.",
    "brackets_weight": "The factor of that mean, in nats, beside the constraints.",
}  # fmt: skip
WORDS = {"auto": "Where they help", "yes": "Yes", "no": "No"}
PRIORS = {"none": "No", "universal": "Universal parser", "nearest": "With the nearest"}
GRAMMAR_HELP = {
    "prior": "The universal parser learned the trees of other languages; what it gives each arc weighs the arcs of the "
    "grammar, and your constraints and trees come on top. **With the nearest**: the languages whose tags are most like "
    "this text’s answer what you leave open; before them its own, where # lang names it and the parser knows it.",
    "word_order": "Answers about word order, as on the command line: before, after, both, or the share that stand "
    "before, such as adjective=0.8.",
    "kin": "In place of the nearest languages, these answer the questions that you leave open.",
    "tags": "The column of tags that constraints and the grammar use.",
    "max_length": "Train on sentences of at most this many words, punctuation not counted; 0 is no limit. Sentences of "
    "at most 20 come first. Time grows with the cube of the length.",
    "words": "Whether frequent words are symbols of their own beside the tags. **Where they help**: if they make "
    "held-out sentences more probable.",
    "together": "Two more parsers learn from the same constraints: a tree CRF on short sentences, and a grammar "
    "without extended valence. The probability of an arc is the mean of all three. About three times as long.",
    "second_order": "At the end a second-order parser learns one half of the trees and parses the other; training "
    "goes on with its arcs as votes. About twice as long.",
    "stacked": "A second-order parser learns the trees, and reads in each arc what the grammar thinks of it, once with "
    "and once without having seen the trees. Takes two sentences at least.",
    "price": "What an arc pays, in nats, for each punctuation mark between its two words.",
    "bound": r"The largest multiplier $|\lambda|$ of a constraint, in nats: an arc that it matches weighs "
    r"$e^{\lambda}$ times as much.",
    "brackets": "The level at which trees must respect links, bold and italics (Spitkovsky et al. 2010, §5.3). A "
    "sentence without a tree at this level uses the next softer one.",
}
WIDTH = 400  # pixels, whatever is said inside


def crf_settings(text, usual):
    """Draw them."""
    each = PlanSettings(text, usual, HELP)
    _presets(text)
    of_text, of_score, of_model, of_trees = st.tabs(["Text", "Score", "Model", "Trees"])
    with of_text:
        each.tags()
        each.longest("Longest sentence, in words")
        each(st.segmented_control, "features", "Features", FEATURES)
        each(st.number_input, "minimum_count", "Least count of a feature", 1, 1000)
    with of_score:
        each(st.segmented_control, "score", "Score", SCORES)
        each(st.number_input, "strength", "Weight of the constraints", 0.01, 1000.0, step=1.0)
        each(st.number_input, "variance", "Variance of the prior", 0.001, 10000.0, step=1.0)
        each(st.toggle, "warm", "Start from the last run")
    with of_model:
        each(st.toggle, "projective", "Only trees without crossing arcs")
        if text.settings.projective:
            st.caption("The covariance is always exact without crossing arcs.")
        else:
            each(st.segmented_control, "covariance", "Covariance", COVARIANCES)
            st.caption(MEANT[text.settings.covariance])
        _warn_of_length(text)
        each(st.selectbox, "decoding", "Tree to show", DECODINGS)
    with of_trees:
        each.brackets(lambda: each(st.number_input, "brackets_weight", "Weight of the brackets", 0.0, 1000.0, step=0.5))
        known_trees_tab(text, each)


def _presets(text):
    def choose():
        if st.session_state["ge_preset"] is not None:
            save_settings(text, text.settings.with_preset(st.session_state["ge_preset"]))

    st.session_state["ge_preset"] = text.settings.preset if text.settings.preset in PRESET_NAMES else None
    choose_from(
        st.segmented_control, "Features, score and model", PRESET_NAMES, key="ge_preset",
        on_change=choose,
        help="**Ours**: best on other texts. **No trees**: for text of all lengths in a language whose arcs seldom "
        "cross. **The paper’s**: as in Druck et al. 2009, §3 and §5. None is selected when the choices below are your "
        "own.",
    )  # fmt: skip


def _warn_of_length(text):
    longest = int(text.treebank.lengths.max())
    if text.settings.covariance == "pairwise" and not text.settings.projective and longest > LONG:
        st.warning(
            f"The longest sentence has {longest} words, and time grows with its fifth power: choose sentences of at "
            f"most {LONG} words, or Exact, which gives the same result. Cancel takes effect after the current step.",
            icon=":material/hourglass_top:",
        )


def grammar_settings(text, usual):
    """Draw them."""
    each = PlanSettings(text, usual, GRAMMAR_HELP)
    of_text, of_languages, of_model, of_trees = st.tabs(["Text", "Languages", "Model", "Trees"])
    with of_text:
        each.tags()
        each.longest("Longest sentence, in words")
        each(st.toggle, "warm", "Start from the last run")
    with of_languages:
        _other_languages(text, each)
    with of_model:
        each(st.segmented_control, "words", "Frequent words as symbols", WORDS)
        each(st.toggle, "together", "Ensemble with a CRF and a DMV")
        each(st.toggle, "second_order", "A second-order parser votes")
        each(st.number_input, "price", "Price of crossing punctuation", 0.0, 20.0, step=0.5)
        each(st.number_input, "bound", "Largest multiplier", 0.1, 20.0, step=0.5)
    with of_trees:
        each.brackets()
        known_trees_tab(text, each)
        if text.settings.marked or text.settings.corrections:
            each(st.toggle, "stacked", "A second-order parser learns the trees")


def _other_languages(text, each):
    """What other languages know, and which answer what nobody does."""
    each(st.segmented_control, "prior", "Begin with what other languages know", PRIORS)
    if text.settings.prior == "none":
        return
    each.bind(
        st.text_input, "word_order", "Word order", placeholder="such as adposition=before, object=after",
        changes=lambda typed: {"word_order": format_order(parse_order(typed))}, help=each.help["word_order"],
    )  # fmt: skip
    if text.settings.prior == "nearest":
        names = kin_names(session().workspace)
        each.bind(st.multiselect, "kin", "Languages that answer the rest", names, placeholder="the nearest",
                  value=list(text.settings.kin), help=each.help["kin"])  # fmt: skip


def settings_panel(text, before, after):
    """Draw the button and what is behind it, ``before()`` above the settings and ``after()`` below them."""
    learner, now = session().learner, text.settings
    usual = learner.usual_plan(text.corpus).with_answers_of(now)
    changed = now.changed_from(usual)
    label = f"Settings · {len(changed)} changed" if changed else "Settings"
    with st.popover(label, icon=":material/tune:", key="ge_settings"), st.container(width=WIDTH):
        before()
        draw = crf_settings if learner.kind == "ge" else grammar_settings
        draw(text, usual)
        st.button(
            "Reset all", key="ge_settings_reset", type="tertiary", icon=":material/restart_alt:",
            disabled=now == usual, on_click=save_settings, args=(text, usual),
        )  # fmt: skip
        after()
