"""The covariance of arcs as Druck, Mann & McCallum (2009), section 3.3, compute it: exactly, and approximately.

Kept to learn from and to check ``matrix_tree_covariance`` against, which gives the exact result in O(n^3).
"""

from typing import cast

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.errors import NumericalError, ScoreShapeError
from core.threads import run_ranges
from core.trees.checks import as_matrix, as_packed, checked_matrix
from core.trees.matrix_tree import matrix_tree
from core.trees.packed import PackedScores, ScoresT

ROUNDING = 1e-13  # a marginal below this may be an impossible arc's; its covariances are no larger


def pairwise_covariance(
    scores: ScoresT, direction: ScoresT, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> ScoresT:
    """The exact covariance from the marginals of pairs of arcs: one inverse for every possible arc.

    Parameters, result and errors are those of ``matrix_tree_covariance``, and NumericalError where scores lie so far
    apart that a matrix cannot be inverted.

    Notes
    -----
    O(n^5). For each arc the Kirchhoff matrix in which its modifier has no other head is inverted, which gives the
    marginals of all arcs given this one. These conditional marginals lose digits where scores lie far apart
    (more than about 20 nats): an arc that is hardly possible makes its matrix nearly singular.
    Source: Druck, Mann & McCallum (2009), section 3.3, second paragraph.
    """
    return cast("ScoresT", _covariance(_pairwise_range, scores, direction, single_root, threads, errors))


def approximate_covariance(
    scores: ScoresT, direction: ScoresT, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> ScoresT:
    """The paper's approximation: arcs of different words are independent, unless they form a cycle of two.

    Parameters, result and errors are those of ``matrix_tree_covariance``. Columns do not sum to zero.

    Notes
    -----
    O(n^3) for the marginals, O(n^2) for the rest. Source: Druck, Mann & McCallum (2009), the last formula of section
    3.3, as a product with ``direction``.
    """
    return cast("ScoresT", _covariance(_approximate_range, scores, direction, single_root, threads, errors))


def _covariance(kernel, scores, direction, single_root, threads, errors):
    """Pack what is not packed, take the marginals, run the kernel over ranges of sentences."""
    packed = isinstance(scores, PackedScores)
    if not packed:
        scores, direction = checked_matrix(scores), as_matrix(direction, "direction")
        if direction.shape != scores.shape:
            raise ScoreShapeError(f"direction must have the shape of the scores, {scores.shape}, got {direction.shape}")
        scores, direction = PackedScores.from_matrices([scores]), PackedScores.from_matrices([direction])
    scores = as_packed(scores)
    direction = as_packed(direction, "direction", layout=scores)
    marginals = matrix_tree(scores, single_root, threads=threads, errors=errors)[1]
    along = np.where(marginals.values > 0, direction.values, 0.0)
    covariance = scores.like(np.zeros_like(scores.values))

    def run(begin, end):
        try:
            kernel(scores.values, marginals.values, along, scores.offsets, begin, end, single_root, covariance.values)
        except np.linalg.LinAlgError as error:
            where = f"sentence {begin}" if end == begin + 1 else f"one of the sentences {begin} to {end - 1}"
            raise NumericalError(
                f"the scores of {where} lie too far apart for pairs of arcs; take matrix_tree_covariance"
            ) from error

    run_ranges(run, scores.sides.astype(np.float64) ** 5, threads)
    if not np.isfinite(along).all():
        index = int(np.flatnonzero(~np.isfinite(along))[0])
        raise ScoreShapeError(f"direction holds {along[index]} on a possible arc; it must be finite")
    return covariance if packed else covariance[0]


@kernel
def _pairwise_range(scores, marginals, direction, offsets, begin, end, single_root, out):
    for sentence in range(begin, end):
        first, last = offsets[sentence], offsets[sentence + 1]
        side = int(np.sqrt(last - first) + 0.5)
        _pairwise(
            scores[first:last].reshape(side, side),
            marginals[first:last].reshape(side, side),
            direction[first:last].reshape(side, side),
            single_root,
            out[first:last].reshape(side, side),
        )


@inner_kernel
def _pairwise(scores, marginals, direction, single_root, out):
    side = len(scores)
    weights = np.zeros((side, side))
    for modifier in range(1, side):
        highest = -np.inf
        for head in range(side):
            if head != modifier:
                highest = max(highest, scores[head, modifier])
        for head in range(side):
            if head != modifier and highest > -np.inf:
                weights[head, modifier] = np.exp(scores[head, modifier] - highest)
    mean = (marginals * direction).sum()
    required = weights.copy()
    for modifier in range(1, side):
        for head in range(side):
            if not marginals[head, modifier] > ROUNDING:
                continue
            required[:, modifier] = 0.0
            required[head, modifier] = 1.0
            conditional = _arc_marginals(required, single_root)
            out[head, modifier] = marginals[head, modifier] * ((conditional * direction).sum() - mean)
        for head in range(side):
            required[head, modifier] = weights[head, modifier]


@inner_kernel
def _arc_marginals(weights, single_root):
    """Marginals by inverting the Kirchhoff matrix, or with a single root the one whose first row holds the root."""
    side = len(weights)
    n = side - 1
    matrix = np.zeros((n, n))
    for m in range(n):
        for h in range(n):
            if h != m:
                matrix[h, m] = -weights[h + 1, m + 1]
                matrix[m, m] += weights[h + 1, m + 1]
        if not single_root:
            matrix[m, m] += weights[0, m + 1]
    if single_root:
        matrix[0] = weights[0, 1:]
    inverse = np.linalg.inv(matrix)
    marginals = np.zeros((side, side))
    for m in range(n):
        own = 0.0 if single_root and m == 0 else inverse[m, m]
        for h in range(n):
            other = 0.0 if single_root and h == 0 else inverse[m, h]
            marginals[h + 1, m + 1] = weights[h + 1, m + 1] * (own - other)
        marginals[0, m + 1] = weights[0, m + 1] * inverse[m, 0 if single_root else m]
    return marginals


@kernel
def _approximate_range(scores, marginals, direction, offsets, begin, end, single_root, out):
    for sentence in range(begin, end):
        first, last = offsets[sentence], offsets[sentence + 1]
        side = int(np.sqrt(last - first) + 0.5)
        p, v = marginals[first:last].reshape(side, side), direction[first:last].reshape(side, side)
        covariance = out[first:last].reshape(side, side)
        for modifier in range(1, side):
            mean = 0.0
            for head in range(side):
                mean += p[head, modifier] * v[head, modifier]
            for head in range(side):
                reverse = 0.0 if head == 0 else p[modifier, head] * v[modifier, head]
                covariance[head, modifier] = p[head, modifier] * (v[head, modifier] - mean - reverse)
