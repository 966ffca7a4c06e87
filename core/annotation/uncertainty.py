"""The uncertainty of a parser about each sentence, so that people first check where it most likely errs.

It is the entropy of a tree distribution or of heads, or minus the margin between the best and the second-best tree.
These are "sequence entropy" and "margin" for active learning in Settles & Craven (2008), D08-1112, section 3.1.
"""

from collections.abc import Callable

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import Cancelled
from core.parsers import MSTParser
from core.parsers.crf.distribution import TreeDistribution
from core.treebank import Treebank
from core.trees import PackedScores

AT_ONCE = 50  # sentences between two calls of ``cancel``


def tree_entropies(scores: PackedScores, distribution: TreeDistribution, threads: int | None = None) -> np.ndarray:
    """Entropy of a TreeDistribution for each sentence of a PackedScores: (S,) nats a word.

    ``H = log Z - sum of marginals * scores``, divided by the number of words. O(sum of n^3).
    """
    log_partitions, marginals = distribution.marginals(scores, threads=threads)
    expected, possible = np.zeros(len(scores.values)), marginals.values > 0
    expected[possible] = marginals.values[possible] * scores.values[possible]
    totals = np.add.reduceat(expected, scores.offsets[:-1])
    words = np.sqrt(np.diff(scores.offsets)) - 1
    return (log_partitions - totals) / words


def head_entropies(marginals: PackedScores) -> np.ndarray:
    """Mean entropy of the heads of each sentence: (S,) nats a word, at least ``tree_entropies``.

    ``marginals`` are probabilities of arcs. O(arcs).
    """
    values, possible = np.zeros(len(marginals.values)), marginals.values > 0
    values[possible] = -marginals.values[possible] * np.log(marginals.values[possible])
    words = np.sqrt(np.diff(marginals.offsets)) - 1
    return np.add.reduceat(values, marginals.offsets[:-1]) / words


def margins(
    parser: MSTParser, treebank: Treebank, cancel: Cancel | None = None,
    progress: Progress | None = None, prepare: Callable | None = None,
) -> np.ndarray:  # fmt: skip
    """Minus the difference of score between the best and the second-best tree of each sentence: (S,), at most 0.

    Parameters
    ----------
    parser : MSTParser
    treebank : Treebank
        Tagged as the parser needs it, unless ``prepare`` tags it. A sentence with a single tree gets ``-inf``.
    cancel : callable, optional
        When it returns True, Cancelled is raised.
    progress : callable, optional
        Called with the number of sentences done.
    prepare : callable, optional
        Applied to each part of the text before it is parsed, such as a tagger.
    """
    differences = np.full(len(treebank), -np.inf)
    for start in range(0, len(treebank), AT_ONCE):
        if cancel is not None and cancel():
            raise Cancelled
        chunk = np.arange(start, min(start + AT_ONCE, len(treebank)))
        part = treebank.select(chunk)
        trees = parser.kbest(part if prepare is None else prepare(part), 2, errors="mark")
        both = trees.counts > 1
        differences[chunk[both]] = trees.values[both, 1] - trees.values[both, 0]
        if progress is not None:
            progress(int(chunk[-1]) + 1)
    return differences
