"""The best projective tree under scores of arcs and of neighbouring siblings.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from typing import overload

import numpy as np

from core.trees.checks import checked_errors
from core.trees.packed import Heads, PackedHeads, PackedScores, PackedTriples, Scores
from core.trees.sibling_chart import decode_range
from core.trees.surviving import Cubes, SparseTriples, decode_surviving
from core.trees.triples import HigherOrder, required


@overload
def eisner_sibling(
    scores: PackedScores, sibling_scores: PackedTriples | SparseTriples, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> PackedHeads: ...  # fmt: skip
@overload
def eisner_sibling(
    scores: np.ndarray, sibling_scores: np.ndarray | SparseTriples, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> np.ndarray: ...  # fmt: skip
def eisner_sibling(
    scores: Scores,
    sibling_scores: Cubes,
    single_root: bool = True,
    *,
    threads: int | None = None,
    errors: str = "raise",
) -> Heads:
    """The projective tree of the highest score under arcs and siblings, for a sentence or each of a corpus.

    Parameters
    ----------
    sibling_scores : ndarray of shape (n + 1, n + 1, n + 1), dtype float64, PackedTriples or SparseTriples
        ``sibling_scores[h, s, m]`` scores h -> m. The sibling s is the next modifier of h from m towards h.
        s = h if there is none. The root has siblings too, all on its right. -inf forbids the part. Each word pays
        one part. Entries that can be no part (s neither h nor between h and m) are ignored. Not modified.
        SparseTriples hold the parts over surviving arcs; arcs that did not survive are then forbidden.
    scores, single_root, threads, errors
        As for ``eisner``.

    Returns
    -------
    heads : ndarray of shape (n + 1,), dtype int32, or PackedHeads
        As from ``eisner``, ties included.

    Raises
    ------
    As ``eisner``, and ScoreShapeError where a cube has the wrong shape, or holds NaN or +inf on a part. Parts of
    forbidden arcs are not looked at. InfeasibleError also where forbidden parts leave no tree.

    Notes
    -----
    O(n^3) time, O(n^2) memory beside the scores; see ``core.trees.surviving_chart`` for SparseTriples. No
    back-pointers are kept. Items of forbidden arcs are skipped.
    Sources: McDonald & Pereira (2006), E06-1011; Eisner (1996), C96-1058.
    """
    mark, single_root = checked_errors(errors), bool(single_root)
    if isinstance(sibling_scores, SparseTriples):
        return decode_surviving(scores, sibling_scores, None, single_root, threads, mark)
    task = HigherOrder.checked(scores, required(sibling_scores, "sibling_scores"))
    return task.decode(decode_range, single_root, threads, mark)
