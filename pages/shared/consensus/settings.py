"""Which trees teach and which text is parsed, which contexts are trusted, what agreeing pays, how to train."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.consensus.plan import format_groups, parse_groups
from pages.shared.basics import amount, callback_errors, report_errors
from pages.shared.consensus.run import ICON, KEY, consensus, run_help, save, settings
from pages.shared.job_panel import system_panel

WIDTH = 430  # pixels
HELP = {
    "threshold": "A context is trusted if at least this share of its words in the trees have a head of one tag, the "
    r"majority head: $\max_t c(t)/\sum_t c(t)$. Rush et al. 2012, §7, takes 1.0.",
    "minimum_count": r"A context is trusted if it occurs at least this often in the trees, $\sum_t c(t)$. Rush et al. "
    "2012, Table 1 (§7), counts contexts from 10 on.",
    "width": r"A template is a window of offsets $r..s$ around the word with $r \le 0 \le s$ and $s - r < 4$ "
    "(Rush et al. 2012, §7): four words at most.",
    "prefer_inside": "Of several contexts of a word, prefer one that contains its majority head; then the longer one, "
    "then the one more frequent in the trees (Rush et al. 2012, §7).",
    "delta1": r"What a word adds to the joint value, $\theta = \delta_1$, if its head's tag is the consensus of its "
    "context (Rush et al. 2012, §4).",
    "delta2": r"What it adds, $\theta = \delta_2$, if the two tags are close (Rush et al. 2012, §4).",
    "delta3": r"What it adds, $\theta = \delta_3$, whatever its head, if the consensus is NULL: the context is then "
    "switched off. The higher, the sooner that pays (Rush et al. 2012, §4).",
    "step": r"The first step $\alpha$ of $u \leftarrow u - \alpha_k (z - Y)$ (Rush et al. 2012, §6). Each word has a "
    r"step of its own, $\alpha_k = \alpha / (1 + r_k)$, where $r_k$ counts how often the word swung back: what was "
    r"raised for it was lowered next. (In Koo et al. 2010 all words share one, and $r_k$ counts how often the dual has "
    "risen.) Long steps overshoot the optimum, short ones take many iterations.",
    "iterations": "K, the maximum of iterations. After it, the constraints of sentences that still disagree are "
    "dropped, so that the others can be proved (Rush et al. 2012, §6, §9). The paper takes 200.",
    "order": r"Parts that the projective MST parser scores. 1: arcs, $f(y) = \sum_{h \to m} s(h, m)$; 2: neighbouring "
    r"siblings too, $+ \sum s(h, m', m)$, as in Rush et al. 2012, §8.",
    "epochs": r"How often MIRA goes through the trees. A step is $\min(1, (\ell - \Delta) / \|f(y) - f(y')\|^2)$ for a "
    r"tree $y'$ with $\ell$ wrong heads that the right tree beats by $\Delta$ (Rush et al. 2012, §8; McDonald et al. "
    "2005).",
}  # fmt: skip
OWN = 0  # beside the numbers of corpora
TAGS = {"xpos": "XPOS", "upos": "UPOS"}


def run_panel(corpus, plan, inputs):
    """Draw the button, what is chosen behind the others, and progress; a run under way is looked at again by itself.

    ``inputs`` is None where the texts do not go together; others can be chosen then.
    """

    def beside(_):
        _texts(corpus, plan, inputs)
        if inputs is not None:
            _settings(corpus, plan, inputs)

    def show_what_changed():
        st.session_state["cs_show"] = "effects"

    system_panel(
        consensus(), inputs, plan, KEY, "Parse consistently", icon=ICON, help=run_help(plan), ended=show_what_changed,
        beside=beside,
    )  # fmt: skip


def thresholds(corpus, plan):
    """Draw the two choices that select contexts; the numbers below follow at once."""
    setting = settings(corpus, plan, HELP)
    with st.container(horizontal=True, gap="large"):
        setting(st.slider, "threshold", "Share of the majority head", 0.5, 1.0, step=0.01, width=300)
        setting(st.slider, "minimum_count", "Minimum count", 1, 20, width=300)


def _settings(corpus, plan, inputs):
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="cs_settings"), st.container(width=WIDTH):
        contexts, rewards, close, parser = st.tabs(["Contexts", "Rewards", "Close tags", "Parser"])
        with contexts:
            setting(st.slider, "width", "Widest context, in words", 1, 4)
            setting(st.toggle, "prefer_inside", "Prefer contexts that contain the head")
            _tags(setting, plan, inputs)
        with rewards:
            _rewards(setting)
        with close:
            _close(setting, corpus, inputs, plan)
        with parser:
            setting(st.segmented_control, "order", "Order", [1, 2])
            setting(st.number_input, "epochs", "Passes over the trees", 1, 50)
            st.caption(f"MIRA, projective, unlabelled, a table of 2^{inputs.table_bits} weights, seed 0.")
    with report_errors():
        plan.settings()


def _rewards(setting):
    st.caption(
        "In units of the mean difference between a word's best and second best head. In order: δ1 ≥ δ2 ≥ δ3 ≥ 0."
    )
    labels = {"delta1": "δ1, same", "delta2": "δ2, close", "delta3": "δ3, NULL"}
    for column, (name, label) in zip(st.columns(3), labels.items(), strict=True):
        setting(column.number_input, name, label, 0.0, 100.0, step=0.05, format="%g")
    left, right = st.columns(2)
    setting(left.number_input, "step", "First step", 0.0001, 100.0, step=0.05, format="%g")
    setting(right.number_input, "iterations", "Iterations", 1, 10_000)


def _close(setting, corpus, inputs, plan):
    labels = inputs.index.labels

    def groups(text):
        try:
            labels.with_close(parse_groups(text) or {})
        except WorkbenchError as error:
            raise WorkbenchError(f"Close tags not changed: {error}") from error
        return {"close_tags": text.strip()}

    setting(
        st.text_area, "close_tags", "One group per line", value=plan.close_tags or format_groups(labels),
        changes=groups, doing="changing which tags are close", height=220,
        help="A head whose tag is close to the consensus earns δ2 (Rush et al. 2012, §4). By default tags are close "
        "that share a coarse tag. ROOT is close to none.",
    )  # fmt: skip
    st.button(
        "Restore the default", key="cs_close_reset", type="tertiary", disabled=not plan.close_tags,
        on_click=callback_errors()(save), args=(corpus, "restoring the default close tags"), kwargs={"close_tags": ""},
    )  # fmt: skip


def _texts(corpus, plan, inputs):
    with st.popover("Texts", icon=":material/menu_book:", key="cs_texts"), st.container(width=WIDTH):
        setting = settings(corpus, plan)
        _choose_trees(setting, corpus, plan, len(consensus().workspace.treebank(corpus)))
        if inputs is None:
            return
        where = "The first" if plan.trees is None else "All"
        rest = "the other " if plan.trees is None else ""
        st.caption(
            f"{where} {amount(len(inputs.train), 'sentence')} ({amount(inputs.train.token_count, 'word')}) teach; "
            f"{rest}{len(inputs.test):,} ({amount(inputs.test.token_count, 'word')}) are parsed."
        )


def _choose_trees(setting, corpus, plan, count):
    others = [each for each in consensus().store.corpora(corpus.project) if each.id != corpus.id]
    names = {OWN: f"{corpus.name}: its first sentences"} | {each.id: each.name for each in others}
    if plan.trees not in (None, *names):
        names[plan.trees] = "a text that was removed"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting(
            st.selectbox, "trees", "Training trees", names, value=plan.trees or OWN,
            doing="choosing the training trees", changes=lambda trees: {"trees": trees or None}, width="stretch",
            help="The text that is open is parsed. Contexts with their majority heads, and the parser, are learnt from "
            "these trees (Rush et al. 2012, §4, §7).",
        )  # fmt: skip
        if plan.trees is None and count > 1:
            setting(
                st.number_input, "first", "First", 1, count - 1, value=min(max(plan.first, 1), count - 1),
                doing="moving the split", width=110,
                help=f"How many of the {count:,} sentences teach; the others are parsed, and their trees are used for "
                "scores only.",
            )  # fmt: skip


def _tags(setting, plan, inputs):
    filled = [name for name in TAGS if all(getattr(part, name).filled for part in (inputs.train, inputs.test))]
    if len(filled) > 1:
        setting(
            st.segmented_control, "tags", "Tags of contexts", filled, value=plan.tags or inputs.index.labels.column,
            doing="choosing tags", format_func=TAGS.get, label_visibility="collapsed",
            help="Contexts are windows of these tags, and consensus is about the head's (Rush et al. 2012, §4).",
        )  # fmt: skip
