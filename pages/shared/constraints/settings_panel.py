"""Settings of training, behind one button: four short tabs, each choice saved at once and undone like any other."""

from functools import partial

import streamlit as st

from core.workspace.constraints.settings import LONG, default_settings
from core.workspace.constraints.settings import changed as with_changes
from core.workspace.wording import amount
from pages.shared.constraints.known_trees import known_trees_tab
from pages.shared.constraints.state import constraints
from pages.shared.setting import Settings
from pages.shared.state import attempt, boundary, remark, workspace

WIDTH = 400  # pixels, whatever is said inside
TAGS = {"upos": "Universal (UPOS)", "xpos": "The treebank’s own (XPOS)"}
FEATURES = {"full": "Full", "restricted": "Restricted", "lexicalized": "With words"}
SCORES = {"squared": "Squared", "kl": "KL", "kl-one-sided": "KL, one-sided"}
COVARIANCES = {"exact": "Exact", "approximate": "Approximate", "pairwise": "Pairwise"}
DECODINGS = {
    "best": "The most probable tree",
    "projective": "The most probable without crossing arcs",
    "posterior": "The most heads expected right",
}
BRACKETS = {"none": "None", "tear": "Tear", "sprawl": "Sprawl", "loose": "Loose", "strict": "Strict"}
PRESET_NAMES = {"best": "Ours", "paper": "The paper’s"}
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
    "warm": "Start from the weights of the last run where they fit: after an edit, training takes a moment.",
}  # fmt: skip


def settings_panel(text):
    """Draw the button and what is behind it."""
    now, usual = text.settings, default_settings(workspace().treebank(text.corpus))
    changed = now.changed_from(usual)
    label = f"Settings · {len(changed)} changed" if changed else "Settings"
    with st.popover(label, icon=":material/tune:", key="ge_settings"), st.container(width=WIDTH):
        _presets(text, now, usual)
        of_text, of_score, of_model, of_trees = st.tabs(["Text", "Score", "Model", "Trees"])
        setting = Settings("ge_set", now, partial(_change, text), HELP)
        each = partial(_setting, setting, usual)
        with of_text:
            filled = [name for name in TAGS if getattr(text.treebank, name).filled]
            each(st.selectbox, "tags", "Tags", {name: TAGS[name] for name in filled})
            each(st.number_input, "max_length", "Longest sentence, in words", 0, 500, value=now.max_length or 0)
            each(st.segmented_control, "features", "Features", FEATURES)
            each(st.number_input, "minimum_count", "Least count of a feature", 1, 1000)
        with of_score:
            each(st.segmented_control, "score", "Score", SCORES)
            each(st.number_input, "strength", "Weight of what you know", 0.01, 1000.0, step=1.0)
            each(st.number_input, "variance", "Variance of the prior", 0.001, 10000.0, step=1.0)
            each(st.toggle, "warm", "Start from the last run")
        with of_model:
            each(st.toggle, "projective", "Only trees without crossing arcs")
            if now.projective:
                st.caption("The covariance is always exact without crossing arcs.")
            else:
                each(st.segmented_control, "covariance", "Covariance", COVARIANCES)
                st.caption(MEANT[now.covariance])
            _warn_of_length(text)
            each(st.selectbox, "decoding", "Tree to show", DECODINGS)
        with of_trees:
            _brackets(text, each)
            known_trees_tab(text, setting, each)


def _setting(setting, usual, widget, name, label, *bounds, **how):
    """One of the Settings, marked where it is not as usual; of a choice ``bounds`` are its names by option."""
    default, names = getattr(usual, name), {True: "on", False: "off"}
    if widget in (st.selectbox, st.segmented_control):
        names, how = bounds[0], how | {"format_func": bounds[0].get}
        bounds = (list(names),)
    said = "no limit" if default is None else names.get(default, default) if widget is not st.number_input else default
    marked = label if getattr(setting.plan, name) == default else f"{label} :blue[●]"
    setting(widget, name, marked, *bounds, help=f"{HELP.get(name, '')} Default: {said}.".strip(), **how)


def _presets(text, now, usual):
    def choose():
        if st.session_state["ge_preset"] is not None:
            save_settings(text, now.with_preset(st.session_state["ge_preset"]))

    st.session_state["ge_preset"] = now.preset if now.preset in PRESET_NAMES else None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Features, score and model", list(PRESET_NAMES), format_func=PRESET_NAMES.get, key="ge_preset",
            on_change=choose,
            help="**Ours**: best on other texts. **The paper’s**: as in Druck et al. 2009, §3 and §5. Neither is "
            "selected when the choices below are your own.",
        )  # fmt: skip
        st.button(
            "Reset all",
            key="ge_settings_reset",
            type="tertiary",
            icon=":material/restart_alt:",
            disabled=now == usual,
            on_click=save_settings,
            args=(text, usual),
        )


def _warn_of_length(text):
    longest = int(text.treebank.lengths.max())
    if text.settings.covariance == "pairwise" and not text.settings.projective and longest > LONG:
        st.warning(
            f"The longest sentence has {longest} words, and time grows with its fifth power: choose sentences of at "
            f"most {LONG} words, or Exact, which gives the same result. Cancel takes effect after the current step.",
            icon=":material/hourglass_top:",
        )


@boundary(say=remark)
def _brackets(text, each):
    """How far trees should respect the text's mark-up, where it has some."""
    marked = sum(map(bool, constraints().brackets(text)))
    if not marked and text.settings.brackets == "none":
        return
    each(st.segmented_control, "brackets", "Brackets", BRACKETS)
    if text.settings.brackets != "none":
        each(st.number_input, "brackets_weight", "Weight of the brackets", 0.0, 1000.0, step=0.5)
    have = "has" if marked == 1 else "have"
    st.caption(f"{marked:,} of {amount(len(text.treebank), 'sentence')} {have} mark-up.")


def save_settings(text, chosen):
    """Keep TrainingSettings with the project, if there is a text to train on with them; in a callback."""
    with attempt():
        _save(text, chosen)
    st.rerun("app")


def _change(text, _, **changes):
    chosen = text.settings
    for name, value in changes.items():
        chosen = with_changes(chosen, name, value)
    _save(text, chosen)


def _save(text, chosen):
    constraints().text(text.corpus, chosen)
    constraints().save_settings(text.corpus, chosen)
