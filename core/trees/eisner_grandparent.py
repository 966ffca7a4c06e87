"""The best projective tree under scores of arcs, of neighbouring siblings and of grandparents.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from typing import overload

import numpy as np

from core.trees.checks import checked_errors
from core.trees.grandparent_chart import decode_range
from core.trees.packed import Heads, PackedHeads, PackedScores, PackedTriples, Scores
from core.trees.surviving import Cubes, SparseTriples, decode_surviving
from core.trees.triples import HigherOrder, required


@overload
def eisner_grandparent(
    scores: PackedScores, sibling_scores: PackedTriples | SparseTriples,
    grandparent_scores: PackedTriples | SparseTriples, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> PackedHeads: ...  # fmt: skip
@overload
def eisner_grandparent(
    scores: np.ndarray, sibling_scores: np.ndarray | SparseTriples,
    grandparent_scores: np.ndarray | SparseTriples, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> np.ndarray: ...  # fmt: skip
def eisner_grandparent(
    scores: Scores, sibling_scores: Cubes, grandparent_scores: Cubes, single_root: bool = True, *,
    threads: int | None = None, errors: str = "raise",
) -> Heads:  # fmt: skip
    """The projective tree of the highest score under arcs, siblings and grandparents, for a sentence or a corpus.

    Parameters
    ----------
    scores, sibling_scores, single_root, threads, errors
        As for ``eisner_sibling``.
    grandparent_scores : like ``sibling_scores``; SparseTriples of the same surviving arcs, if they are
        ``grandparent_scores[g, h, m]`` scores the chain g -> h -> m, h != 0; -inf forbids it. Entries that can be no
        part of a projective tree (g between h and m, or two nodes the same) are ignored. Not modified.

    Returns, Raises
    ---------------
    As ``eisner_sibling``.

    Notes
    -----
    O(n^4) time, O(n^3) memory: every span is kept once for each head that its own head may have.
    Source: Koo & Collins (2010), P10-1001, Model 1, whose scores are here sums of a sibling and a grandparent part.
    """
    mark, single_root = checked_errors(errors), bool(single_root)
    required(grandparent_scores, "grandparent_scores")
    if isinstance(sibling_scores, SparseTriples):
        return decode_surviving(scores, sibling_scores, grandparent_scores, single_root, threads, mark)
    task = HigherOrder.checked(scores, required(sibling_scores, "sibling_scores"), grandparent_scores)
    return task.decode(decode_range, single_root, threads, mark)
