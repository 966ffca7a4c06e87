"""Which trees teach and which text is parsed."""

import streamlit as st

from core.workspace import amount
from pages.shared.consensus.state import choose, desk, key_of

OWN = 0  # beside the numbers of corpora
TAGS = {"xpos": "XPOS", "upos": "UPOS"}


def choose_texts(corpus, plan):
    """Draw the choice; returns the ConsensusInputs. Raises WorkbenchError where the two do not go together."""
    treebank = desk().workspace.treebank(corpus)
    _choose_trees(corpus, plan, len(treebank))
    texts = desk().inputs(corpus, plan)
    _tags(corpus, plan, texts)
    where = "The first" if plan.trees is None else "All"
    rest = "the other " if plan.trees is None else ""
    st.caption(
        f"{where} {amount(len(texts.train), 'sentence')} ({amount(texts.train.token_count, 'word')}) teach; "
        f"{rest}{len(texts.test):,} ({amount(texts.test.token_count, 'word')}) are parsed."
    )
    return texts


def _choose_trees(corpus, plan, count):
    others = [each for each in desk().store.corpora(corpus.project) if each.id != corpus.id]
    names = {OWN: f"{corpus.name}: its first sentences"} | {each.id: each.name for each in others}
    if plan.trees not in (None, *names):
        names[plan.trees] = "a text that was removed"
    options, shown = list(names), plan.trees or OWN
    first = min(max(plan.first, 1), max(count - 1, 1))
    key, split = key_of("trees", shown), key_of("first", first)

    def pick():
        trees = st.session_state[key]
        choose(corpus, "choosing the trees that teach", "trees", trees, trees=trees or None)

    def divide():
        choose(corpus, "moving the split", "first", st.session_state[split])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Trees that teach", options, options.index(shown), format_func=names.get, key=key, on_change=pick,
            width="stretch",
            help="The text that is open is parsed. Contexts with their majority heads, and the parser, are learnt from "
            "these trees (Rush et al. 2012, §4, §7).",
        )  # fmt: skip
        if plan.trees is None and count > 1:
            st.number_input(
                "First", 1, count - 1, first, key=split, on_change=divide, width=110,
                help=f"How many of the {count:,} sentences teach; the others are parsed, and their trees are used for "
                "scores only.",
            )  # fmt: skip


def _tags(corpus, plan, texts):
    filled = [name for name in TAGS if all(getattr(part, name).filled for part in (texts.train, texts.test))]
    if len(filled) < 2:
        return
    shown = plan.tags or texts.index.labels.column
    key = key_of("tags", shown)

    def pick():
        choose(corpus, "choosing tags", "tags", st.session_state[key])

    st.segmented_control(
        "Tags of contexts", filled, default=shown, required=True, format_func=TAGS.get, key=key, on_change=pick,
        label_visibility="collapsed",
        help="Contexts are windows of these tags, and consensus is about the head's (Rush et al. 2012, §4).",
    )  # fmt: skip
