"""A page with nothing but trees, for the browser tests of the component."""

import json

import streamlit as st

from core.draw import Metrics, Span, compare_trees, draw_tree, lay_out, show_change
from core.treebank import Treebank
from pages.shared.tree import dependency_tree

WORDS = ["The", "old", "teacher", "quietly", "drew", "long", "branches", "on", "the", "blackboard"]
TAGS = ["DET", "ADJ", "NOUN", "ADV", "VERB", "ADJ", "NOUN", "ADP", "DET", "NOUN"]
HEADS = [3, 3, 5, 5, 0, 7, 5, 10, 10, 5]
RELATIONS = ["det", "amod", "nsubj", "advmod", "root", "amod", "obj", "case", "det", "obl"]
sentence = Treebank.from_sentences(
    [{"forms": WORDS, "upos": TAGS, "heads": HEADS, "deprels": RELATIONS, "sent_id": "board-1"}], name="board"
)[0]
after = sentence.heads.copy()
after[10] = 7

st.set_page_config(page_title="Trees", layout="wide")
st.header("Trees")
moved = st.toggle("Move an arc", key="moved")
drawing = show_change(sentence, sentence.heads, after if moved else sentence.heads)
choice = dependency_tree(drawing, key="one")
st.text(f"chosen: {choice.word if choice else None} {choice.arc if choice else None}")

st.subheader("Two trees")
dependency_tree(compare_trees(sentence, after), key="two")

if st.query_params.get("show") == "long":
    copies = 6
    long = Treebank.from_sentences(
        [
            {
                "forms": WORDS * copies,
                "upos": TAGS * copies,
                "heads": [h + 10 * i if h else 5 * (i > 0) for i in range(copies) for h in HEADS],
                "deprels": [*RELATIONS, *(["det", "amod", "nsubj", "advmod", "conj", *RELATIONS[5:]] * (copies - 1))],
            }
        ]
    )[0]
    dependency_tree(draw_tree(long, spans=[Span(3, 6, "a"), Span(19, 23, "b")]), key="long")

# What Python would place where every letter is half as wide as it is high; the test asks the browser's twin the same.
pair = compare_trees(sentence, after)


def measure(text, size):
    return len(text) * size / 2


metrics = Metrics()
layouts = [lay_out(pair, metrics, width=width, measure=measure) for width in (None, 700.0, 480.0)]
summary = [
    {
        "width": layout.width,
        "height": layout.height,
        "x": list(layout.x),
        "rows": [[row.start, row.end, row.y] for row in layout.rows],
        "segments": [
            [s.arc, s.row, s.x1, s.x2, s.level, s.tip, s.caption_left, s.caption_right] for s in layout.segments
        ],
    }
    for layout in layouts
]
st.code(json.dumps({"drawing": pair.as_data(), "layouts": summary}), language="json")
