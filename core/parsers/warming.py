"""The kernels of parsers, run once."""

import numpy as np

from core import trees
from core.compilation.compiling import Warming
from core.compilation.warm import WORDS
from core.parsers import DMV, ENGLISH, DMVSettings, load_parser
from core.treebank import Treebank, warming
from core.trees.brackets import Bracket


def warm_english() -> None:
    """Tag and parse one sentence with the weights that come along."""
    load_parser(ENGLISH).parse(Treebank.from_sentences([{"forms": WORDS["forms"]}]))


def warm_second_order() -> None:
    """Decode two sentences with scores of siblings and grandparents."""
    cubes = trees.PackedTriples.from_arrays([np.zeros((4, 4, 4))] * 2)
    trees.eisner_grandparent(trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2), cubes, cubes)


def warm_induction() -> None:
    """Run every kernel of the DMV once: both ways to train, brackets at two levels."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    for algorithm in ("em", "viterbi"):
        for level in ("tear", "loose"):
            settings = DMVSettings("harmonic", (None,), algorithm=algorithm, level=level, max_iterations=2)
            DMV(settings).fit(treebank, [[Bracket(1, 3)], []])


MST = ("core.parsers.mst.kernels", "core.parsers.mst.update_kernels", "core.parsers.tagger.features")
PARSING = Warming(
    (warming.warm_reading, warm_english, warm_second_order),
    (
        *warming.MODULES, *MST, "core.parsers.mst.label_kernels", "core.parsers.tagger.trigram", "core.trees.checks",
        "core.trees.grandparent_chart",
    ),
)  # fmt: skip
INDUCTION = Warming(
    (warming.warm_reading, warm_induction),
    ("core.parsers.dmv.chart", "core.parsers.dmv.text", "core.trees.brackets", "core.trees.bracket_kernels"),
)
