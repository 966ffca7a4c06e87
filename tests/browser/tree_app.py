"""A page with nothing but trees, for the browser tests of the component."""

import streamlit as st

from core.draw import Span, compare_trees, draw_tree, show_change
from core.treebank import Treebank
from pages.shared.tree import dependency_tree

WORDS = ["The", "old", "teacher", "quietly", "drew", "long", "branches", "on", "the", "blackboard"]
TAGS = ["DET", "ADJ", "NOUN", "ADV", "VERB", "ADJ", "NOUN", "ADP", "DET", "NOUN"]
HEADS = [3, 3, 5, 5, 0, 7, 5, 10, 10, 5]
RELATIONS = ["det", "amod", "nsubj", "advmod", "root", "amod", "obj", "case", "det", "obl"]


def board(copies):
    """The sentence so many times in one, the verb of each hanging from the first."""
    heads = [head + 10 * i if head else 5 * (i > 0) for i in range(copies) for head in HEADS]
    relations = ["conj" if i and name == "root" else name for i in range(copies) for name in RELATIONS]
    columns = {"forms": WORDS * copies, "upos": TAGS * copies, "heads": heads, "deprels": relations}
    return Treebank.from_sentences([columns | {"sent_id": f"board-{copies}"}], name="board")[0]


sentence, long = board(1), board(6)
after = sentence.heads.copy()
after[10] = 7

st.set_page_config(page_title="Trees", layout="wide")
st.header("Trees")
moved = st.toggle("Move an arc", key="moved")
changed = show_change(sentence, sentence.heads, after if moved else sentence.heads, labels=sentence.deprels)
choice = dependency_tree(changed, key="one")
st.text(f"chosen: {choice.word if choice else None} {choice.arc if choice else None}")
dependency_tree(compare_trees(sentence, after), key="two")
dependency_tree(draw_tree(long, spans=[Span(3, 6, "a"), Span(19, 23, "b")]), key="long", selected=17)
