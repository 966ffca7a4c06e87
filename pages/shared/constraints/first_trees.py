"""Before anything is learnt from a text: its trees as other languages have them, which turn with the answers."""

import streamlit as st

from core.draw import draw_tree, show_change
from core.workspace.constraints.conditioning import first_tree, nearest_words
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.constraints.begin import FORMER
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.tree import dependency_tree
from pages.shared.widgets import pager


@report_errors()
def first_trees(text):
    """Draw a sentence under the tree of the universal parser; arcs that the last answer turned are marked."""
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
    dependency_tree(drawing, key="ge_tree")
