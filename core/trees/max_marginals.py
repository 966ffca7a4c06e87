"""The best projective tree through each arc.

n is the number of words and node 0 is the root, so square arrays have shape (n + 1, n + 1) and are indexed
[head, modifier].
"""

from typing import cast

import numpy as np

from core.trees import grandparent_chart, sibling_chart
from core.trees.chart_sums import MAX_PLUS
from core.trees.checks import checked_errors
from core.trees.inside_outside import solve
from core.trees.packed import PackedScores, ScoresT
from core.trees.surviving import Cubes
from core.trees.triples import HigherOrder


def max_marginals(
    scores: ScoresT, sibling_scores: Cubes | None = None, grandparent_scores: Cubes | None = None,
    single_root: bool = True, *, threads: int | None = None, errors: str = "raise",
) -> ScoresT:  # fmt: skip
    """The value of the best projective tree through each arc, of a sentence or of each sentence of a corpus.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` scores the arc h -> m; -inf forbids it. Column 0 and the diagonal are ignored. Not modified.
    sibling_scores, grandparent_scores : ndarray of shape (n + 1, n + 1, n + 1) or PackedTriples, optional
        As for ``eisner_sibling`` and ``eisner_grandparent``; trees are then scored as those decoders do. Not modified.
    single_root : bool, default=True
        Consider only trees in which exactly one word is attached to the root.
    threads : int, optional
        Threads over the sentences of a corpus; all cores by default. A single matrix takes one.
    errors : {"raise", "mark"}, default="raise"
        What to do when a sentence has no projective tree: raise, or return -inf everywhere.

    Returns
    -------
    values : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``values[h, m]`` is the best score of a projective tree with that arc: the value of the best tree on
        its own arcs, less elsewhere; -inf on impossible arcs, column 0 and the diagonal. The best of each column
        1..n is the value of the best tree.

    Raises
    ------
    ScoreShapeError : an array has the wrong shape, or holds NaN or +inf on an arc or a part.
    InfeasibleError : every projective tree uses a forbidden arc or part; names the sentence of a corpus.

    Notes
    -----
    Inside-outside with sums replaced by maxima and products by sums: O(n^3) time and O(n^2) memory with arcs alone or
    with siblings, O(n^4) and O(n^3) with grandparents. A use: prune the arcs below
    ``alpha * best + (1 - alpha) * mean`` (Weiss & Taskar 2010, Structured Prediction Cascades).
    """
    mark, single_root = checked_errors(errors), bool(single_root)
    if sibling_scores is None and grandparent_scores is None:
        return solve(scores, single_root, MAX_PLUS, threads, mark)[1]
    task = HigherOrder.checked(scores, sibling_scores, grandparent_scores)
    output = np.empty(len(task.values))
    kernel = (sibling_chart if task.order == 2 else grandparent_chart).max_marginals_range

    def run(begin, end):
        return kernel(task.corpus, begin, end, single_root, output)

    task.require(task.run(run, 1 + task.order, threads), single_root, mark)
    values = PackedScores(output, task.offsets) if task.named else output.reshape(int(task.sides[0]), -1)
    return cast("ScoresT", values)
