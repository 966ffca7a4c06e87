"""Settings of consistent parsing: texts, contexts, rewards for agreement, close tags, the parser."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.consensus.plan import format_groups, parse_groups
from pages.shared.basics import amount, callback_errors, report_errors
from pages.shared.consensus.run import ICON, KEY, consensus, run_help, save, settings
from pages.shared.job_panel import system_panel

WIDTH = 430  # pixels
HELP = {
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
        setting.choice(st.slider, "threshold", width=300)
        setting.choice(st.slider, "minimum_count", width=300)


def _settings(corpus, plan, inputs):
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="cs_settings"), st.container(width=WIDTH):
        contexts, rewards, close, parser = st.tabs(["Contexts", "Rewards", "Close tags", "Parser"])
        with contexts:
            setting.choice(st.slider, "width")
            setting.choice(st.toggle, "prefer_inside")
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
        plan.checked()


def _rewards(setting):
    st.caption(
        "In units of the mean difference between a word's best and second best head. In order: δ1 ≥ δ2 ≥ δ3 ≥ 0."
    )
    for column, name in zip(st.columns(3), ("delta1", "delta2", "delta3"), strict=True):
        setting.choice(column.number_input, name, format="%g")
    left, right = st.columns(2)
    setting.choice(left.number_input, "step", format="%g")
    setting.choice(right.number_input, "iterations")


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
    others = [other for other in consensus().store.corpora(corpus.project) if other.id != corpus.id]
    names = {OWN: f"{corpus.name}: its first sentences"} | {other.id: other.name for other in others}
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
