"""Sentences, treebanks, heads, scores and pictures draw themselves in a notebook, and words cannot break out of it."""

from xml.etree import ElementTree

import numpy as np
import pytest

from core.draw import draw_tree
from core.draw.matrix import MatrixPicture
from core.parsers import load_parser
from core.teach.algorithms import ALGORITHMS
from core.treebank import Treebank, load_sample
from core.trees import PackedScores, eisner
from tests.filled import filled
from tests.teach.problems import example

HOSTILE = Treebank.from_sentences(
    [{"forms": ["<script>alert(1)</script>", "&", 'a"b'], "upos": ["<b>", "X", "Y"], "heads": [2, 0, 2],
      "deprels": ["<i>", "root", "y"], "sent_id": "</div><script>"}]
)  # fmt: skip
SCORES = PackedScores.from_matrices([np.array([[0, 1.5, -np.inf], [0, 0, 2], [0, -3, 0]]), np.zeros((2, 2))])

ASKED = "_repr_svg_", "_repr_html_"  # what notebooks call


def drawn(shown):
    """What a notebook is given, as elements."""
    return ElementTree.fromstring(next(getattr(shown, name)() for name in ASKED if hasattr(shown, name)))


CHART = ALGORITHMS["eisner"].steps(example([[0, 1, 2], [0, 0, 3], [0, 4, 0]])).steps[-1]
MATRIX = MatrixPicture("<m>", ("a",), ("b",), (("1",),))


SHOWN = [HOSTILE, HOSTILE[0], draw_tree(HOSTILE[0]), SCORES, eisner(SCORES), MATRIX, CHART]


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: type(shown).__name__)
def test_it_draws_itself_and_words_cannot_break_out(shown):
    names = {part.tag.rpartition("}")[2] for part in drawn(shown).iter()}
    assert "svg" in names and names <= {"svg", "title", "desc", "rect", "path", "text", "circle", "div", "p"}


def test_words_tags_and_relations_are_there_and_so_are_numbers():
    texts = [part.text for part in drawn(HOSTILE[0]).iter()]
    assert {"<script>alert(1)</script>", "&", "<b>", "<i>", "root"} <= {*texts}
    assert {"1.5", "−∞", "−3", "root", "2 matrices"} <= {
        part.text.strip("\u2068\u2069") for part in drawn(SCORES).iter() if part.text
    }


def test_what_a_parser_returns_is_drawn_the_first_sentences_of_it():
    parsed = load_parser("english").parse(load_sample().limit(5))
    whole = drawn(parsed)
    trees = whole.findall("./div/{http://www.w3.org/2000/svg}svg")
    assert len(trees) == 3 and "5 sentences" in (whole.findtext("p") or "")
    for index, tree in filled(list(enumerate(trees))):
        texts = [part.text for part in tree.iter()]
        assert parsed[index].forms[1] in texts and parsed[index].deprels[1] in texts
    assert "0 sentences" in (drawn(parsed.limit(0)).findtext("p") or "")
