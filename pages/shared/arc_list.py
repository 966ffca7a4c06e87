"""A list of arcs, such as those behind a number, and the sentence of the chosen one with the arc marked."""

import streamlit as st

from core.draw import draw_tree
from core.workspace.arc_lists import arc_table
from pages.shared.annotate.todo import done_sentences, open_place
from pages.shared.basics import amount, session
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.group_choice import leave_group
from pages.shared.relations import arc_labels
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, column, draw_table, sentence_column

HEIGHT = 460  # pixels; longer sentences scroll


def open_pairs(text, change, arcs, key):
    """Draw the pairs that a constraint matches as ``open_arcs`` does, each marked in the tree after a Change."""

    def draw(index):
        heads = change.after.heads[slice(*text.treebank.offsets[index : index + 2])]
        in_sentence = arcs.sentences == index
        pairs = zip(arcs.heads[in_sentence].tolist(), arcs.modifiers[in_sentence].tolist(), strict=True)
        posteriors = change.after.marginals[index]
        labels = arc_labels(session().learner, change.after, text.treebank, index)
        sentence = text.treebank[index]
        return draw_tree(sentence, heads, kind="predicted", labels=labels, posteriors=posteriors, supported=pairs)

    open_arcs(text, change, arcs, key, draw, ("Possible head",))


def open_arcs(text, change, arcs, key, draw, titles=("Head",), of="Words of a constraint"):
    """Draw the list and the tree.

    Parameters
    ----------
    text : ConstraintInputs
    change : Change
        In whose order the Trees view pages through the sentences.
    arcs : Arcs
    key : str
        Names the list, so that another one begins at its first row.
    draw : callable
        ``draw(sentence)``, an index -> Drawing.
    titles : tuple of str
        Of the column with the head, and of that with the other one.
    of : str
        What the list is called in Annotate.
    """
    if not len(arcs):
        st.caption("None.")
        return
    table = arc_table(text.treebank, arcs, done=done_sentences(text.corpus))
    listed = len(table["word"])
    row = min(st.session_state.get(f"{key}_row", 0), listed - 1)
    columns = {"done": 45, "sentence": 70, "word": 170, "head": (titles[0], 170)}
    if arcs.others is not None:
        columns["other"] = column(titles[1], 170)
    columns["around"] = sentence_column(table["around"], 460, 300, "Around it")
    alt = f"{listed:,} of {amount(len(arcs), 'word')} in {amount(arcs.sentence_count, 'sentence')}"
    draw_table(table, key=f"{key}_list", keep=f"{key}_row", most=176, columns=columns, alt=alt)
    index, word = int(arcs.sentences[row]), int(arcs.modifiers[row])
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        some = f"the first {listed:,} of " if listed < len(arcs) else ""
        number = int(text.treebank.picks[index]) + 1
        every = f"{amount(len(arcs), 'word')} in {amount(arcs.sentence_count, 'sentence')}"
        st.caption(f"Sentence {number:,} · {some}{every}", width="content")
        save_results(text.corpus, text.treebank, arcs.sentences, "ge_arcs", arcs.modifiers)
        help_text = "To ask why an arc is there, or to make a constraint of it"
        action_button(
            "Open in Trees", f"{key}_open", "open_in_new", open_sentence, change, index, word, type="tertiary",
            help=help_text,
        )  # fmt: skip
        here = (text, arcs, listed, row, of)
        action_button("Open in Annotate", f"{key}_annotate", "edit", _open, *here, type="tertiary")
    dependency_tree(draw(index), key="ge_opened_tree", selected=word, height=HEIGHT)


def _open(text, arcs, listed, row, of):
    sentences, words = text.treebank.picks[arcs.sentences[:listed]], arcs.modifiers[:listed]
    open_place(text.corpus, "arcs", of, list(zip(sentences.tolist(), words.tolist(), strict=True)), row)


def open_sentence(change, index, word):
    """Show a sentence in the Trees view, with a word chosen; in a callback."""
    ConstraintsView().open = (index, word)
    leave_group()
    ConstraintsView().place = change.place_of(index) + 1
    ConstraintsView().results = "trees"
    ConstraintsView().tree_view = "after"
