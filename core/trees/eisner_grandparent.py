"""The best projective tree under scores of arcs, of neighbouring siblings and of grandparents.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

import numpy as np

from core.trees.checks import checked_errors
from core.trees.grandparent_chart import decode_range
from core.trees.packed import PackedHeads
from core.trees.surviving import SparseTriples, decode_surviving
from core.trees.triples import HigherOrder, required


def eisner_grandparent(scores, sibling_scores, grandparent_scores, single_root=True, *, threads=None, errors="raise"):
    """The projective tree of the highest score under arcs, siblings and grandparents, for a sentence or a corpus.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` scores the arc h -> m; -inf forbids it. Column 0 and the diagonal are ignored. Not modified.
    sibling_scores : ndarray of shape (n + 1, n + 1, n + 1), dtype float64, PackedTriples or SparseTriples
        As for ``eisner_sibling``. Not modified.
    grandparent_scores : like ``sibling_scores``; SparseTriples of the same surviving arcs, if they are
        ``grandparent_scores[g, h, m]`` scores the chain g -> h -> m, h != 0; -inf forbids it. Entries that can be no
        part of a projective tree (g between h and m, or two nodes the same) are ignored. Not modified.
    single_root : bool, default=True
        Ask for exactly one word attached to the root.
    threads : int, optional
        Threads over the sentences of a corpus; all cores by default. A single sentence takes one.
    errors : {"raise", "mark"}, default="raise"
        What to do when a sentence has no projective tree: raise, or return heads of -1.

    Returns
    -------
    heads : ndarray of shape (n + 1,), dtype int32, or PackedHeads
        ``heads[m]`` is the head of word m, 0 for the root; ``heads[0]`` is -1. Of several best trees, always the
        same: from the top down, the leftmost split of each span.

    Raises
    ------
    ScoreShapeError : an array has the wrong shape, or holds NaN or +inf on an arc or a part (parts of forbidden arcs
        are not looked at).
    InfeasibleError : every projective tree uses a forbidden arc or part; names the sentence of a corpus.

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
    offsets = task.head_offsets()
    heads = np.empty(offsets[-1], np.int32)

    def run(begin, end):
        cubes = task.siblings, task.grandparents, task.sibling_offsets
        return decode_range(task.values, task.offsets, *cubes, begin, end, single_root, heads, offsets)

    task.require(task.run(run, 4, threads), single_root, mark)
    return PackedHeads(heads, offsets) if task.named else heads
