"""What lines are learnt on here: a small tagged text with trees, and runs waited for to their end."""

import pytest

from core.treebank import Treebank
from core.workspace.registry import Systems
from tests.advising import finished, written

CATS = Treebank.from_sentences(
    [
        {"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0]},
        {
            "forms": ["a", "dog", "sees", "the", "cat"],
            "upos": ["DET", "NOUN", "VERB", "DET", "NOUN"],
            "heads": [2, 3, 0, 5, 3],
        },
    ]
)


@pytest.fixture
def systems(workspace):
    return Systems(workspace)


@pytest.fixture
def cats(add):
    """Two sentences with their trees."""
    return add("cats.conllu", written(CATS))


@pytest.fixture
def train(ge):
    """train(corpus, source, settings) -> the Run of a tree CRF, which is done."""
    return lambda corpus, source, settings: finished(ge.workspace, ge.train(ge.text(corpus, settings), source))
