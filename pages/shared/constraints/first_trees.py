"""The universal parser's trees, before anything is learnt from a text; they turn with the answers."""

import streamlit as st

from core.draw import draw_tree, show_change
from core.workspace.constraints.conditioning import first_tree, nearest_words
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.constraints.arc_panel import arc_panel
from pages.shared.constraints.begin import FORMER
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.job_panel import watch
from pages.shared.tree import dependency_tree
from pages.shared.widgets import pager

READING = "The universal parser reads the text; shares and reasons follow."


def followed_change(text, run):
    """The TreeChanges of a Run on a text, or None while the universal parser reads it: then the page is drawn anew."""
    learner = session().learner
    watch(lambda: not learner.has_first(text, run), lambda _: None)
    return learner.change(text, run) if learner.has_first(text, run) else None


@report_errors()
def first_trees(text, outcome, training):
    """Draw a sentence under the tree of the universal parser; arcs that the last answer turned are marked.

    ``outcome`` is its parse of the text, None while it reads it; ``training`` says whether a run is under way.
    """
    workspace = session().workspace
    nearest = nearest_words(workspace, text)
    st.caption(f"Trees of the universal parser, which learned from other languages: your answers turn them. {nearest}")
    index = pager(len(text.treebank), ConstraintsView.place, most=3) - 1
    tree, sentence = first_tree(workspace, text, index), text.treebank[index]
    key, order = st.session_state.get(FORMER, (None, ""))
    former = first_tree(workspace, text, index, order) if key == text.key else tree
    turned = tree.moved_from(former)
    name = f"Sentence {int(text.treebank.picks[index]) + 1:,}"
    name += f" · {escape(sentence.sent_id)}" if sentence.sent_id else ""
    st.caption(f"{name} · the last answer turned {amount(turned, 'arc')}" if turned else name)
    how = {"labels": tree.relations, "posteriors": tree.probabilities}
    if turned:
        drawing = show_change(sentence, former.heads, tree.heads, **how)
    else:
        drawing = draw_tree(sentence, tree.heads, kind="predicted", **how)
    choice = dependency_tree(drawing, key="ge_tree")
    if outcome is None:
        st.caption(READING)
    elif not training:
        arc_panel(text, outcome, index, choice)
