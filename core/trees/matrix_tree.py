"""Sums over every non-projective tree of a sentence: log-partition, arc marginals, and their covariance.

n is the number of words and node 0 is the root, so square arrays have shape (n + 1, n + 1) and are indexed
[head, modifier]. The sums are those of the Matrix-Tree theorem, taken by word-by-word elimination (see
``core.trees.elimination``). It is as fast as an inverse and loses no digits when scores lie far apart.
"""

from typing import overload

import numpy as np

from core.errors import NumericalError, ScoreShapeError, at_sentence
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.checks import as_matrix, as_packed, checked_errors, raise_bad_direction, raise_bad_value
from core.trees.elimination import Eliminated, sum_one, sum_range, vary_one, vary_range
from core.trees.feasibility import require_tree, tree_exists
from core.trees.log_elimination import log_sum_trees
from core.trees.packed import Marginals, PackedScores, Scores, ScoresT

TOLERANCE = 1e-7  # largest error of the sum of one word's marginals, in the log domain


@overload
def matrix_tree(
    scores: PackedScores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> tuple[np.ndarray, PackedScores]: ...
@overload
def matrix_tree(
    scores: np.ndarray, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> tuple[float, np.ndarray]: ...
def matrix_tree(
    scores: Scores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> Marginals:
    """Log-partition and arc marginals of an arc-factored distribution over trees.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` is the log-potential of the arc h -> m in nats. -inf forbids the arc. Column 0 and the
        diagonal are ignored. Not modified.
    single_root : bool, default=True
        Sum only over trees in which exactly one word is attached to the root.
    threads : int, optional
        Threads for packed scores; all cores if None.
    errors : "raise" or "mark"
        With "mark", a sentence without a tree has log-partition -inf and marginals of zero.

    Returns
    -------
    log_partition : float, or ndarray of shape (S,)
        Log of the sum over trees of exp(tree score), in nats.
    marginals : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        Probability of each arc. Columns 1..n sum to 1; column 0, the diagonal and forbidden arcs are 0.

    Raises
    ------
    ScoreShapeError : ``scores`` is not square, holds no word, or holds NaN or +inf on an arc.
    InfeasibleError : every tree uses a forbidden arc; names the sentence.
    NumericalError : the marginals fail their own check.

    Notes
    -----
    O(n^3): n^3 multiply-adds. Absolute error about 1e-13 whatever the spread of the scores. Source: the Matrix-Tree
    theorem (Tutte 1984; Koo, Globerson, Carreras & Collins 2007, section 3). The
    determinant and inverse are replaced by the subtraction-free elimination of Grassmann, Taksar & Heyman (1985) and
    its derivative.
    """
    if isinstance(scores, PackedScores):
        sums = TreeSums(scores, single_root, threads=threads, errors=errors, keep=False)
        return sums.log_partitions, sums.marginals
    mark = checked_errors(errors)
    scores = as_matrix(scores)
    log_partition, marginals = sum_one(scores, bool(single_root))
    if log_partition != log_partition:
        return _sum_apart(scores, None, single_root, mark)[:2]
    return log_partition, marginals


def matrix_tree_covariance(
    scores: ScoresT, direction: ScoresT, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> ScoresT:
    """Derivative of the marginals along ``scores + t * direction``: the covariance matrix of the arcs times direction.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        As for ``matrix_tree``.
    direction : ndarray of the same shape, or PackedScores packed alike
        A weight for each arc; not looked at on forbidden arcs, column 0 and the diagonal. Not modified.
    single_root, threads, errors
        As for ``matrix_tree``; a marked sentence has a covariance of zero.

    Returns
    -------
    covariance : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``covariance[h, m]``: of the arc h -> m with the sum of ``direction`` over a tree's arcs.
        Columns sum to 0, and so does row 0 with a single root.

    Raises
    ------
    As ``matrix_tree``, and ScoreShapeError when ``direction`` has another shape, or NaN or infinity on an allowed arc.

    Notes
    -----
    O(n^3), 3 n^3 multiply-adds, for what Druck, Mann & McCallum (2009), section 3.3, compute in O(n^5); see
    ``core.trees.druck_covariance``. The elimination of ``matrix_tree``, differentiated once more.
    """
    if isinstance(scores, PackedScores):
        return TreeSums(scores, single_root, threads=threads, errors=errors).covariance(direction)
    mark = checked_errors(errors)
    matrix, along = as_matrix(scores), as_matrix(direction, "direction")
    if along.shape != matrix.shape:
        raise ScoreShapeError(f"direction must have the shape of the scores, {matrix.shape}, got {along.shape}")
    log_partition, covariance = vary_one(matrix, along, bool(single_root))
    if log_partition != log_partition:
        covariance = _sum_apart(matrix, along, single_root, mark)[2]
    if not np.isfinite(covariance.sum()):
        _refuse(along, matrix)
    return covariance


class TreeSums:
    """Log-partitions and marginals of a packed corpus, stored so that covariances cost two thirds of the time.

    For training by expectations: the marginals of the whole corpus come first, a direction is made of them, and
    then come the covariances, many times over for the same sentence lengths.

        sums = TreeSums(scores, single_root=True)      # PackedScores
        sums.log_partitions, sums.marginals            # (S,), PackedScores
        sums.covariance(direction)                     # PackedScores
        sums.update(new_scores)                        # same layout; the arrays above are overwritten

    Parameters are those of ``matrix_tree``; ``keep=False`` saves memory where no covariance will be asked for.
    Memory: three matrices a sentence with ``keep``, beside the marginals.
    """

    def __init__(
        self, scores: PackedScores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise",
        keep: bool = True,
    ):  # fmt: skip
        scores = as_packed(scores)
        self._single_root, self._threads, self._mark = bool(single_root), threads, checked_errors(errors)
        sides = scores.sides
        self._costs = sides.astype(np.float64) ** 3
        self._rows = offsets_of(sides)
        self._keep, self._largest = keep, int(sides.max(initial=0))
        self._state = np.empty((3, scores.offsets[-1] if keep else 0))
        self._orders = np.empty(self._rows[-1] if keep else 0, dtype=np.int64)
        self._direct = np.empty(len(scores))  # log-partitions, NaN where the direct method gave up
        self.log_partitions = np.empty(len(scores))
        self.marginals = scores.like(np.empty(scores.offsets[-1]))
        self._sum(scores)

    def update(self, scores: PackedScores) -> "TreeSums":
        """Take new scores of the same layout; returns self."""
        return self._sum(as_packed(scores, layout=self.marginals))

    def _sum(self, scores):
        def run(begin, end):
            state, orders = self._state, self._orders
            if not self._keep:
                state, orders = np.empty((3, self._largest**2)), np.empty(self._largest, dtype=np.int64)
            sums, out = Eliminated(self._keep, state, orders, self._direct), self.marginals.values
            sum_range(scores.values, scores.offsets, self._rows, begin, end, self._single_root, sums, out)

        run_ranges(run, self._costs, self._threads)
        self.log_partitions[:] = self._direct
        self._others = {}  # scores of the sentences that are summed in another way
        for sentence in np.flatnonzero(np.isnan(self._direct)):
            matrix = scores[sentence].copy()
            self._others[int(sentence)] = matrix
            self.log_partitions[sentence], self.marginals[sentence][:], _ = _sum_apart(
                matrix, None, self._single_root, self._mark, int(sentence)
            )
        return self

    def covariance(self, direction: Scores, out: PackedScores | None = None) -> PackedScores:
        """``matrix_tree_covariance`` for the present scores; ``direction`` and ``out`` are packed like them."""
        if not self._keep:
            raise NumericalError("covariance needs what keep=False threw away; make TreeSums with keep=True")
        direction = as_packed(direction, "direction", layout=self.marginals)
        if out is None:
            out = self.marginals.like(np.empty_like(self.marginals.values))

        def run(begin, end):
            sums, single_root = Eliminated(True, self._state, self._orders, self._direct), self._single_root
            vary_range(direction.values, direction.offsets, self._rows, begin, end, single_root, sums, out.values)

        run_ranges(run, self._costs, self._threads)
        for sentence, matrix in self._others.items():
            out[sentence][:] = _sum_apart(matrix, direction[sentence], self._single_root, self._mark, sentence)[2]
        for sentence in range(len(out)) if not np.isfinite(out.values.sum()) else ():
            if not np.isfinite(out[sentence].sum()):
                possible = np.where(self.marginals[sentence] > 0, 0.0, -np.inf)
                _refuse(direction[sentence], self._others.get(sentence, possible), sentence)
        return out


def _refuse(direction, scores, sentence=None):
    """Say why a covariance is not finite."""
    raise_bad_direction(direction, scores, sentence)
    raise NumericalError(f"{at_sentence(sentence)}the covariance overflows; scale the direction down")


def _sum_apart(scores, direction, single_root, mark, sentence=None):
    """(log-partition, marginals, covariance) where the direct method gave up: scores very far apart, no tree, NaN."""
    raise_bad_value(scores, sentence)
    if mark and not tree_exists(scores, single_root):
        return -np.inf, np.zeros_like(scores), np.zeros_like(scores)
    require_tree(scores, single_root, sentence=sentence)
    along = np.zeros_like(scores) if direction is None else direction
    log_partition, marginals, covariance = log_sum_trees(scores, along, single_root)
    error = np.abs(marginals[:, 1:].sum(axis=0) - 1).max()
    if not error < TOLERANCE:
        raise NumericalError(f"{at_sentence(sentence)}marginals are off by {error:.1e}; rescale the scores")
    return log_partition, marginals, covariance
