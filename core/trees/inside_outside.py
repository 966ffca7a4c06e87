"""Sums over every projective tree of a sentence: log-partition, arc marginals, and their covariance.

n is the number of words and node 0 is the root, so square arrays have shape (n + 1, n + 1) and are indexed
[head, modifier]. The sums run through Eisner's chart; see ``core.trees.chart_sums``.
"""

from typing import Any, overload

import numpy as np

from core.errors import NumericalError, ScoreShapeError, at_sentence
from core.threads import run_ranges
from core.trees.arc_weights import weigh_one, weigh_range
from core.trees.chart_sums import (
    LOG_SUM,
    MAX_PLUS,
    DualLogSum,
    DualSumProduct,
    Semiring,
    SumProduct,
    solve_range,
    sum_one,
    vary_range,
)
from core.trees.checks import as_corpus, as_matrix, as_packed, checked_errors, checked_matrix, raise_bad_direction
from core.trees.feasibility import require_tree
from core.trees.packed import Marginals, PackedScores, Scores, ScoresT


@overload
def inside_outside(
    scores: PackedScores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> tuple[np.ndarray, PackedScores]: ...
@overload
def inside_outside(
    scores: np.ndarray, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> tuple[float, np.ndarray]: ...
def inside_outside(
    scores: Scores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> Marginals:
    """Log-partition and arc marginals of the projective trees of a sentence, or of each sentence of a corpus.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` is the log-potential of the arc h -> m in nats. -inf forbids the arc. Column 0 and the
        diagonal are ignored. Not modified.
    single_root : bool, default=True
        Sum only over trees in which exactly one word is attached to the root.
    threads : int, optional
        Threads over the sentences of a corpus; all cores by default. A single matrix takes one.
    errors : {"raise", "mark"}, default="raise"
        What to do when a sentence has no projective tree: raise, or return -inf and marginals of 0.

    Returns
    -------
    log_partition : float, or ndarray of shape (S,) for a PackedScores
        Log of the sum over projective trees of exp(tree score), in nats.
    marginals : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        Probability of each arc. Columns 1..n sum to 1; 0 on impossible arcs, column 0 and the diagonal.

    Raises
    ------
    ScoreShapeError : ``scores`` is not square, holds no word, or holds NaN or +inf on an arc.
    InfeasibleError : every projective tree uses a forbidden arc; names the sentence of a corpus.
    NumericalError : the marginals fail their own check.

    Notes
    -----
    O(n^3) time, O(n^2) memory. Every tree takes one arc from each column, so each column is shifted by its maximum
    and the shifts are added back. Chart items are then plain numbers, not logarithms. Where Z overflows, comes near
    the smallest float, or the columns of marginals do not sum to one, the sentence is done again in logarithms.
    Sources: Eisner (1996), C96-1058, for the chart; Baker (1979) for inside-outside; marginals are the gradient of
    the log-partition, by the same loops run backwards.
    """
    single_root, mark = bool(single_root), checked_errors(errors)
    if not isinstance(scores, PackedScores):  # a shorter way for short sentences
        scores = checked_matrix(scores)
        weights, lost = weigh_one(scores, single_root)
        total = sum_one(weights, single_root, weights)
        if total == total:
            return total + lost, weights
    return solve(scores, single_root, SumProduct(), threads, mark)


def inside_outside_covariance(
    scores: ScoresT, direction: ScoresT, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> ScoresT:
    """Derivative of the marginals along ``scores + t * direction``: the covariance matrix of the arcs times direction.

    Parameters, Returns, Raises
    ---------------------------
    As for ``matrix_tree_covariance``, over projective trees.

    Notes
    -----
    O(n^3): inside-outside on dual numbers (forward-mode differentiation), about three times the work of the
    marginals. Source: Li & Eisner (2009), D09-1005, whose second-order expectation semiring computes the same.
    """
    return _vary(scores, direction, bool(single_root), threads, checked_errors(errors))


def solve(
    scores: np.ndarray | PackedScores, single_root: bool, semiring: Semiring, threads: int | None, mark: bool
) -> tuple[Any, Any]:
    """Total and value of each arc in SumProduct, with LOG_SUM where that underflows, or in MAX_PLUS.

    Takes and returns a matrix or a PackedScores as ``inside_outside`` does.
    """
    packed, named = as_corpus(scores)
    values, offsets = packed.values, packed.offsets
    totals, output = np.empty(len(packed)), np.empty(len(values))

    def run(begin, end):
        if semiring == MAX_PLUS:
            solve_range(values, offsets, begin, end, semiring, single_root, totals, output)
            return
        lost = weigh_range(values, offsets, begin, end, single_root, output)
        unsound = solve_range(output, offsets, begin, end, semiring, single_root, totals, output)
        totals[begin:end] += lost
        if unsound:
            for sentence in begin + np.flatnonzero(np.isnan(totals[begin:end])):
                solve_range(values, offsets, sentence, sentence + 1, LOG_SUM, single_root, totals, output)

    run_ranges(run, np.diff(offsets) ** 1.5, threads)
    _require_totals(totals, packed, named, single_root, mark)
    arcs = packed.like(output)
    return (totals, arcs) if named else (float(totals[0]), arcs[0])


def _vary(scores, direction, single_root, threads, mark) -> Any:
    """The covariance, packed like the scores."""
    packed, named = as_corpus(scores)
    values, offsets = packed.values, packed.offsets
    along = _checked_direction(direction, packed, named)
    totals, marginals, covariance = np.empty(len(packed)), np.empty(len(values)), np.empty(len(values))

    def run(begin, end):
        results = totals, marginals, covariance
        lost = weigh_range(values, offsets, begin, end, single_root, marginals)
        unsound = vary_range(marginals, along, offsets, begin, end, DualSumProduct(), single_root, results)
        totals[begin:end] += lost
        if unsound:
            for sentence in begin + np.flatnonzero(np.isnan(totals[begin:end])):
                vary_range(values, along, offsets, sentence, sentence + 1, DualLogSum(), single_root, results)

    run_ranges(run, np.diff(offsets) ** 1.5, threads)
    _require_totals(totals, packed, named, single_root, mark)
    return packed.like(covariance) if named else packed.like(covariance)[0]


def _checked_direction(direction, packed, named):
    """The values of ``direction``, laid out like ``packed`` and finite wherever an arc is allowed."""
    if named:
        along = as_packed(direction, "direction", layout=packed)
    else:
        matrix = as_matrix(direction, "direction")
        if matrix.shape != packed[0].shape:
            raise ScoreShapeError(f"direction must have the shape of the scores, {packed[0].shape}, got {matrix.shape}")
        along = packed.like(matrix.reshape(-1))
    if not np.isfinite(along.values).all():
        for sentence in range(len(packed)):
            raise_bad_direction(along[sentence], packed[sentence], sentence if named else None)
    return along.values


def _require_totals(totals, packed, named, single_root, mark):
    """Raise for the first sentence whose total is -inf (no projective tree; not if ``mark``) or NaN (check failed)."""
    if np.isfinite(totals).all():
        return
    for sentence in np.flatnonzero(~np.isfinite(totals)):
        name = int(sentence) if named else None
        if totals[sentence] != -np.inf:
            raise NumericalError(
                f"{at_sentence(name)}the marginals fail their own check; bring the scores closer together"
            )
        if not mark:
            require_tree(packed[sentence], single_root, projective=True, sentence=name)
