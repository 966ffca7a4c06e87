"""Dual decomposition under rules, played on one sentence: round by round the tree, what it breaks, and the bound."""

from functools import partial

import streamlit as st

from core.workspace.applied import ENGLISH, UNIVERSAL, offered_parsers
from core.workspace.corpora import language_of
from core.workspace.decomposition import ruled
from core.workspace.wording import amount
from pages.shared.basics import escape, session
from pages.shared.consensus.effects_panel import BADGES
from pages.shared.decomposition.charts import bounds_chart
from pages.shared.decomposition.player import played
from pages.shared.decomposition.view_state import DecompositionView
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_one, draw_table


def rules_panel(corpus):
    """Draw the choice of parser and sentence, the proof, and the player."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        offers = {offer.key: escape(offer.name) for offer in offered_parsers(session().systems, corpus)}
        usual = list(offers).index(ENGLISH.key if language_of(corpus) == "en" else UNIVERSAL.key)
        key = choose_one("Parser", offers, DecompositionView.parser, index=usual, width=230, label_visibility="visible")
        with st.spinner("Parsing", show_time=True):
            text = ruled.broken_text(session().systems, corpus, key)
        whose = "your rules" if text.is_own else "the rules of Universal Dependencies"
        if not text.names:
            st.info(
                f"No tree of the first {amount(len(text.words), 'sentence')} breaks {whose}.", icon=":material/check:"
            )
            return
        help_text = f"{amount(len(text.names), 'sentence')} of the first {len(text.words):,} break {whose}."
        if not any(DecompositionView.sentence in kept for kept in (st.session_state, st.query_params)):
            DecompositionView().sentence = next(iter(text.names))  # told to the browser, which may show another text's
        index = choose_one(
            "Sentence that breaks a rule", text.names, DecompositionView.sentence, width="stretch", help=help_text,
            label_visibility="visible",
        )  # fmt: skip
    run = session().workspace.cache.get("ruled run", (text.key, index), partial(ruled.ruled_run, text, index))
    verdict, words = ruled.verdict(run)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(verdict.capitalize(), color=BADGES[verdict])
        st.caption(escape(words), width="stretch")
    if run.rounds:
        played(
            ("rules", corpus.id, key, index), run.columns, partial(_course, run), partial(_tree, run),
            "Round", "Numbers and tree are shown as they are after this round",
        )  # fmt: skip


def _course(run, iteration):
    st.markdown(escape(ruled.round_words(run, iteration)))
    bounds_chart(run.columns, iteration, "dd_bounds", "round")


def _tree(run, iteration):
    rows = ruled.broken_table(run, iteration)
    dependency_tree(ruled.round_drawing(run, iteration), key="dd_rule_tree", height=380)
    if rows["word"]:
        columns = {"word": 110, "wrong": ("What is wrong", 260), "rule": 220}
        draw_table(
            rows, key=f"dd_broken_{iteration}", columns=columns, alt=f"What the tree of round {iteration} breaks"
        )
    else:
        st.caption("The tree of this round keeps the rules.")
