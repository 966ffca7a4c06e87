"""Which sentence comes next: the order, and measuring in the background how unsure a parser is."""

from functools import partial

import streamlit as st

from core.workspace.annotate.queue import ALL, DRAWN, KIND, ORDERS, UNSURE, Measuring, chosen_sentences, next_sentence
from core.workspace.applied import ENGLISH
from core.workspace.groups import group_sentences, groups
from core.workspace.random_sample import drawn
from pages.shared.annotate.state import PROPOSAL, states
from pages.shared.basics import callback_errors, session
from pages.shared.job_panel import cancel_button, progress_line, under_way, watch
from pages.shared.widgets import choose_from

ORDER = "ann_order"


def go(corpus, layer, index, by):
    """Index of the sentence ``by`` places after ``index`` (before it, if negative) in the order that is chosen."""
    kind, count = st.session_state.get(ORDER, ALL), len(layer.source)
    if kind == ALL:
        return min(max(index + by, 0), count - 1)
    sample = (drawn(session().store, corpus) or {}).get("sentences", [])
    if kind not in ORDERS:
        sample = _members(corpus, kind)
    uncertainty = Measuring(session().systems).latest(corpus, _parser())[0] if kind == UNSURE else None
    order = (
        sample if kind == DRAWN or kind not in ORDERS else range(count) if uncertainty is None else uncertainty.order
    )
    return next_sentence(index, by, chosen_sentences(kind, states(corpus).get(layer.layer, {}), count, sample), order)


def choose_order(corpus):
    """Draw the choice and, where sentences are to be ordered by uncertainty, what is known of it."""
    names = ORDERS | {group.key: f"{group.name}, not done" for group in groups(session().store, corpus)}
    if st.session_state.get(ORDER, ALL) not in names:
        st.session_state[ORDER] = ALL  # the group was removed, or another text is open
    choose_from(
        st.selectbox, "Next sentence", names, key=ORDER, persist_state="session", icon=":material/sort:",
        help="What Enter and n open next. Uncertainty is that of the parser that proposes, if it has one, else of the "
        "English parser: the entropy of its trees per word, or how close the second-best tree comes.",
    )  # fmt: skip
    if st.session_state.get(ORDER) == UNSURE:
        watch(partial(under_way, KIND), _measure, corpus)


def _members(corpus, key):
    """Indices of the sentences of the group under a key; of none where it cannot be found, which is said."""
    group = next((group for group in groups(session().store, corpus) if group.key == key), None)
    if group is None:
        return []
    with callback_errors():
        return group_sentences(session().workspace.treebank(corpus), group).tolist()
    return []


def _parser():
    """The key of the parser whose uncertainty counts."""
    key = st.session_state.get(PROPOSAL, ENGLISH.key)
    return key if Measuring(session().systems).can_measure(key) else ENGLISH.key


def _measure(running, corpus):
    if running is not None:
        progress_line(running)
        cancel_button(running, "ann_measure_stop", type="tertiary")
        return
    uncertainty, run = Measuring(session().systems).latest(corpus, _parser())
    if uncertainty is None:
        st.button(
            "Measure uncertainty", icon=":material/speed:", key="ann_measure", on_click=_start, args=(corpus,),
            help="Parses the whole text once, in the background" + ("; the last attempt did not finish" if run else ""),
        )  # fmt: skip


@callback_errors(rerun=True)  # which begins to poll
def _start(corpus):
    measuring, key = Measuring(session().systems), _parser()
    measuring.start(measuring.inputs(corpus, key), key)
