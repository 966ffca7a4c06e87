"""Which trees teach and which text is parsed."""

import streamlit as st

from core.workspace import amount
from pages.shared.consensus.state import consensus, settings

OWN = 0  # beside the numbers of corpora
TAGS = {"xpos": "XPOS", "upos": "UPOS"}


def choose_texts(corpus, plan):
    """Draw the choice; returns the ConsensusInputs. Raises WorkbenchError where the two do not go together."""
    setting = settings(corpus, plan)
    _choose_trees(setting, corpus, plan, len(consensus().workspace.treebank(corpus)))
    inputs = consensus().inputs(corpus, plan)
    _tags(setting, plan, inputs)
    where = "The first" if plan.trees is None else "All"
    rest = "the other " if plan.trees is None else ""
    st.caption(
        f"{where} {amount(len(inputs.train), 'sentence')} ({amount(inputs.train.token_count, 'word')}) teach; "
        f"{rest}{len(inputs.test):,} ({amount(inputs.test.token_count, 'word')}) are parsed."
    )
    return inputs


def _choose_trees(setting, corpus, plan, count):
    others = [each for each in consensus().store.corpora(corpus.project) if each.id != corpus.id]
    names = {OWN: f"{corpus.name}: its first sentences"} | {each.id: each.name for each in others}
    if plan.trees not in (None, *names):
        names[plan.trees] = "a text that was removed"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting(
            st.selectbox, "trees", "Trees that teach", list(names), value=plan.trees or OWN, format_func=names.get,
            doing="choosing the trees that teach", changes=lambda trees: {"trees": trees or None}, width="stretch",
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
