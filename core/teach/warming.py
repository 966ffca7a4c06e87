"""The kernels of the algorithms that are taught, run once."""

import numpy as np

from core.compilation.warm import WORDS
from core.parsers.transitions.greedy import GreedyParser
from core.parsers.transitions.systems import STANDARD
from core.teach.algorithms import ALGORITHMS
from core.teach.step import Example
from core.treebank import Treebank


def warm_teaching() -> None:
    """Run every kernel of the algorithms that are taught once."""
    words, tags = (("", *WORDS[name]) for name in ("forms", "upos"))
    for algorithm in ALGORITHMS.values():
        algorithm.steps(Example(words, tags, np.zeros((4, 4))))
    GreedyParser.fit(STANDARD, Treebank.from_sentences([WORDS]), passes=1)
