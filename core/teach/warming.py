"""The kernels of the algorithms that are taught, run once."""

import numpy as np

from core.teach.algorithms import ALGORITHMS
from core.teach.step import Example
from core.warm import WORDS


def warm_teaching() -> None:
    """Run every kernel of the algorithms that are taught once."""
    words, tags = (("", *WORDS[name]) for name in ("forms", "upos"))
    for algorithm in ALGORITHMS.values():
        algorithm.steps(Example(words, tags, np.zeros((4, 4))))
