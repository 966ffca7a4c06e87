"""What the Joint page lists of a run."""

from types import SimpleNamespace

import numpy as np

from core.treebank import Treebank
from core.workspace.joint.views import listed_sentences


def test_sentences_helped_are_not_those_hurt():
    sentence = {"forms": ["a", "b", "c"], "heads": [0, 1, 2], "deprels": ["root", "dep", "dep"]}
    text = Treebank.from_sentences([sentence] * 3)
    right, wrong = [-1, 0, 1, 2], [-1, 0, 1, 1]
    before = np.array(right + wrong + right, np.int32)  # hurt, helped, as it was
    after = np.array(wrong + right + right, np.int32)
    outcome = SimpleNamespace(
        inputs=SimpleNamespace(test=text, gold=(text, None)), heads=lambda number, at: before if at == 0 else after
    )
    for kind, index in (("helped", 1), ("hurt", 0)):
        indices, table = listed_sentences(outcome, (kind, 0))
        assert indices == [index] and table["words"] == [1] and table["sentence"] == [index + 1]
