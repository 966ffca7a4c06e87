"""How sure a parser is, in MISC: beside what stands there, and in place of what an earlier parser wrote."""

import numpy as np

from core.parsers.confidence import Confidence, with_confidence
from core.treebank import Treebank


def test_confidence_stands_in_misc():
    text = Treebank.from_sentences(
        [{"forms": ["a", "b", "."], "heads": [2, 0, 2], "misc": ["SpaceAfter=No", "ArcConf=0.11|Gloss=x", None]}]
    )
    sure = Confidence(np.array([np.nan, 0.934, 1, np.nan]), np.array([np.nan, 0.5, np.nan, np.nan]))
    assert with_confidence(text, sure)[0].misc == (
        "", "SpaceAfter=No|ArcConf=0.93|LabelConf=0.50", "Gloss=x|ArcConf=1.00", "",
    )  # fmt: skip
    assert with_confidence(text, Confidence(sure.arcs))[0].misc[1] == "SpaceAfter=No|ArcConf=0.93"
