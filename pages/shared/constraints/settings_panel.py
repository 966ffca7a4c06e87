"""Settings of training, behind one button: each choice saved at once and undone like any other."""

import streamlit as st

from core.constraints.authoring.word_order import format_order, parse_order
from core.workspace.constraints.conditioning import begins_with_prior, source_language_names
from core.workspace.constraints.plan import LONG
from core.workspace.rules import rules_text
from pages.shared.basics import session
from pages.shared.constraints.plan_settings import PlanSettings, known_trees_tab, save_settings
from pages.shared.preset import differences
from pages.shared.widgets import choose_from

FEATURES = {"full": "Full", "restricted": "Restricted", "lexicalized": "With words"}
SCORES = {"squared": "Squared", "kl": "KL", "kl-one-sided": "KL, one-sided"}
COVARIANCES = {"exact": "Exact", "approximate": "Approximate", "pairwise": "Pairwise"}
DECODINGS = {
    "best": "The most probable tree",
    "projective": "The most probable without crossing arcs",
    "posterior": "The most heads expected right",
}
NAMES = {"score": SCORES, "covariance": COVARIANCES, "decoding": DECODINGS}
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
    "brackets": "The level at which trees should respect links, bold and italics (Spitkovsky et al. 2010, §5.3). The "
    r"mean log-probability that they do, $\ln Z_{held} - \ln Z$ over marked sentences, is added to the objective; a "
    "sentence without a tree at this level uses the next softer one.",
}
WORDS = {"auto": "Where they help", "yes": "Yes", "no": "No"}
PRIORS = {"none": "No", "universal": "Universal parser", "nearest": "With the nearest"}
GRAMMAR_HELP = {
    "prior": "The universal parser learned the trees of other languages; what it gives each arc weighs the arcs of the "
    "grammar, and your constraints and trees come on top. **With the nearest**: the languages whose tags are most like "
    "this text’s answer what you leave open; before them its own, where # lang names it and the parser knows it.",
    "word_order": "Answers about word order, as on the command line: before, after, both, or the share that stand "
    "before, such as adjective=0.8.",
    "rules": "The rules of this text, as Corpus and Validation have them, are targets beside the constraints: of each "
    "rule’s words its share should keep it, of a law’s all. Breaking a law costs the largest multiplier, in nats.",
    "kin": "In place of the nearest languages, these answer the questions that you leave open.",
    "tags": "The column of tags that constraints and the grammar use.",
    "max_length": "Train on sentences of at most this many words, punctuation not counted; 0 is no limit. Sentences of "
    "at most 20 come first. Time grows with the cube of the length.",
    "brackets": "The level at which trees must respect links, bold and italics (Spitkovsky et al. 2010, §5.3). A "
    "sentence without a tree at this level uses the next softer one.",
}
PRIOR_HELP = {
    "tags": "The column of tags that constraints use.",
    "max_length": "Parse sentences of at most this many words, punctuation not counted; 0 is no limit. Time grows with "
    "the cube of the length.",
}
WIDTH = 400  # pixels, whatever is said inside


def crf_settings(text, usual, changed):
    """Draw them."""
    setting = PlanSettings(text, usual, changed, HELP)
    _presets(text)
    of_text, of_score, of_model, of_trees = st.tabs(["Text", "Score", "Model", "Trees"])
    with of_text:
        setting.tags()
        setting.longest()
        setting.choice(st.segmented_control, "features", FEATURES)
        setting.choice(st.number_input, "minimum_count")
    with of_score:
        setting.choice(st.segmented_control, "score", SCORES)
        setting.choice(st.number_input, "strength")
        setting.choice(st.number_input, "variance")
        setting(st.toggle, "warm", "Start from the last run")
    with of_model:
        setting.choice(st.toggle, "projective")
        if setting.plan.settings.projective:
            st.caption("The covariance is always exact without crossing arcs.")
        else:
            setting.choice(st.segmented_control, "covariance", COVARIANCES)
            st.caption(MEANT[setting.plan.settings.covariance])
        _warn_of_length(text)
        setting.choice(st.selectbox, "decoding", DECODINGS)
    with of_trees:
        setting.brackets(lambda: setting.choice(st.number_input, "brackets_weight"))
        known_trees_tab(text, setting)


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
    differences("ge", session().learner, text.settings, NAMES)


def _warn_of_length(text):
    longest, chosen = int(text.treebank.lengths.max()), text.settings.settings
    if chosen.covariance == "pairwise" and not chosen.projective and longest > LONG:
        st.warning(
            f"The longest sentence has {longest} words, and time grows with its fifth power: choose sentences of at "
            f"most {LONG} words, or Exact, which gives the same result. Cancel takes effect after the current step.",
            icon=":material/hourglass_top:",
        )


def grammar_settings(text, usual, changed):
    """Draw them."""
    is_above = begins_with_prior(text)
    setting = PlanSettings(text, usual, changed, GRAMMAR_HELP | (PRIOR_HELP if is_above else {}))
    of_text, of_languages, of_model, of_trees = st.tabs(["Text", "Languages", "Model", "Trees"])
    with of_text:
        setting.tags()
        setting.longest()
        setting(st.toggle, "warm", "Start from the last run")
    with of_languages:
        _other_languages(text, setting)
    with of_model:
        if not is_above:
            setting.choice(st.segmented_control, "words", WORDS)
            setting.choice(st.toggle, "together")
            setting.choice(st.toggle, "second_order")
        setting.choice(st.number_input, "price")
        setting.choice(st.number_input, "trust" if is_above else "bound")
        if is_above:
            _rules(text, setting)
            st.caption("Trees are those of the universal parser, so there is no grammar to set.")
    with of_trees:
        setting.brackets()
        known_trees_tab(text, setting)
        if text.settings.marked or text.settings.corrections:
            setting.choice(st.toggle, "keep_all" if is_above else "stacked")


def _other_languages(text, setting):
    """What other languages know, and which answer what nobody does."""
    setting(st.segmented_control, "prior", "Begin with what other languages know", PRIORS)
    if not begins_with_prior(text):
        return
    setting.bind(
        st.text_input, "word_order", "Word order", placeholder="such as adposition=before, object=after",
        changes=lambda typed: {"word_order": format_order(parse_order(typed))}, help=setting.help["word_order"],
    )  # fmt: skip
    if text.settings.prior == "nearest":
        names = source_language_names(session().workspace)
        setting.bind(
            st.multiselect, "kin", "Languages that answer the rest", names, placeholder="the nearest",
            value=list(text.settings.kin), help=setting.help["kin"],
        )  # fmt: skip


def _rules(text, setting):
    """Whether trees turn to keep the rules that serve the text, where some do."""
    rules = rules_text(session().store, text.corpus)
    if not rules.strip() and not text.settings.rules:
        return
    setting.bind(
        st.toggle, "rules", "Turn to keep the rules", value=bool(text.settings.rules),
        changes=lambda on: {"rules": rules if on else ""},
    )  # fmt: skip
    if text.settings.rules:
        setting.choice(st.number_input, "bound")


def settings_panel(text, before, after):
    """Draw the button and what is behind it, ``before()`` above the settings and ``after()`` below them."""
    learner, now = session().learner, text.settings
    usual = learner.usual_plan(text.corpus).with_answers_of(now)
    changed = now.changed_from(usual)
    label = f"Settings · {len(changed)} changed" if changed else "Settings"
    with st.popover(label, icon=":material/tune:", key="ge_settings"), st.container(width=WIDTH):
        before()
        draw = crf_settings if learner.kind == "ge" else grammar_settings
        draw(text, usual, changed)
        st.button(
            "Reset all", key="ge_settings_reset", type="tertiary", icon=":material/restart_alt:",
            disabled=now == usual, on_click=save_settings, args=(text, usual),
        )  # fmt: skip
        after()
