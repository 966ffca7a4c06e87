"""What the Joint page lists of a run."""

from types import SimpleNamespace

import numpy as np

from core.treebank import Treebank
from core.workspace.joint.views import listed_sentences, verdict


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


def test_the_verdict_counts_what_the_rounds_changed():
    scheme = {"name": "heads", "helped": 2, "hurt": 1, "words_helped": 5, "words_hurt": 1, "p_value": 0.25}
    counts = "heads: 2 of 3 sentences improved, 1 got worse; 5 words corrected, 1 harmed"
    assert verdict(scheme, 3) == f"{counts}: no evidence of a difference (p = 0.25)"
    assert verdict(scheme | {"p_value": 0.01}, 3) == f"{counts}: unlikely to be chance (p = 0.01)"
    nothing = dict.fromkeys(("helped", "hurt", "words_helped", "words_hurt"), 0)
    assert verdict(scheme | nothing | {"p_value": 1.0}, 3) == "heads: the rounds changed no score"
