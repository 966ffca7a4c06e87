"""The kernels of the algorithms that are taught, run once."""

import numpy as np

from core.compilation.warm import WORDS
from core.teach.algorithms import ALGORITHMS
from core.teach.step import Example


def warm_teaching() -> None:
    """Run every kernel of the algorithms that are taught once."""
    words, tags = (("", *WORDS[name]) for name in ("forms", "upos"))
    for algorithm in ALGORITHMS.values():
        algorithm.steps(Example(words, tags, np.zeros((4, 4))))
