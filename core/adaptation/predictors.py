"""One linear predictor a pivot, and the directions that their weights have in common.

Sources: shimizu2007 section 3; Blitzer, McDonald & Pereira (2006), W06-1615, Figure 2; Ando & Zhang (2005), JMLR 6.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.adaptation.drawn_pairs import Answers
from core.adaptation.settings import CorrespondenceSettings
from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError
from core.extras import require
from core.parsers.optimize import CONVERGED, minimize
from core.shards.engine import pairwise_sum
from core.threads import run_cancellable, run_ranges

PASSES = 5  # passes of stochastic gradient descent over all edges
ITERATIONS = 2000  # iterations of L-BFGS at most
SUM_TOLERANCE = 1e-9  # tolerance of the objective's value, in the search by sums
SMALLEST = 1e-9  # singular values below this share of the largest are no directions


@dataclass(frozen=True, eq=False)
class Predictors:
    """``weights`` float64 (F, P), a column a pivot; ``intercepts`` (P,); ``right`` (P,): share of edges predicted;
    ``converged``: whether the search for the optimum of logistic regression came to its end."""

    weights: np.ndarray
    intercepts: np.ndarray
    right: np.ndarray
    converged: bool = True


def train_predictors(
    design: "scipy.sparse.csr_matrix", targets: np.ndarray, hidden: Sequence[np.ndarray | None],
    settings: CorrespondenceSettings, *, progress: Progress | None = None, cancel: Cancel | None = None,
) -> Predictors:  # fmt: skip
    """Train a linear classifier for every pivot.

    Parameters
    ----------
    design : csr_matrix (E, F)
        Features of edges.
    targets : ndarray of shape (E, P), dtype bool
        Whether a pivot holds of an edge; of each both occur.
    hidden : sequence of P bool (F,) or None
        Features that a predictor must not see, as they would give its pivot away.
    settings : CorrespondenceSettings
        ``predictor`` "sgd" is modified Huber loss by stochastic gradient descent (Blitzer et al. 2006), "logistic"
        logistic regression by L-BFGS, whose optimum is unique. ``penalty`` is of half the squared length of the
        weights, beside the mean loss of an edge.
    progress : callable, optional
        Called with (trained pivots, P).
    cancel : callable, optional
        Asked before every pivot and pass; raises Cancelled when it returns True.

    Returns
    -------
    Predictors

    Notes
    -----
    O(passes · nonzeros · P), in the thread pool.
    """
    _require_positive(settings.penalty)
    require("adaptation")
    count = targets.shape[1]
    weights, intercepts, right = np.zeros((design.shape[1], count)), np.zeros(count), np.zeros(count)
    done = []
    run_cancellable(lambda: import_module("sklearn.linear_model"), cancel)

    def work(begin, end):
        for pivot in range(begin, end):
            if cancel is not None and cancel():
                raise Cancelled
            seen, unseen = design, hidden[pivot]
            if unseen is not None:
                visible = design.data * ~unseen[design.indices]
                seen = scipy.sparse.csr_matrix((visible, design.indices, design.indptr), design.shape)
            classifier = _fitted(settings, seen, targets[:, pivot], cancel)
            coefficients, intercept = np.asarray(classifier.coef_)[0], np.asarray(classifier.intercept_)[0]
            weights[:, pivot], intercepts[pivot] = coefficients, intercept
            right[pivot] = np.mean((seen @ coefficients + intercept > 0) == targets[:, pivot])
            done.append(bool(np.all(np.asarray(classifier.n_iter_) < ITERATIONS)))
            if progress is not None:
                progress(len(done), count)

    run_ranges(work, np.ones(count))
    return Predictors(weights, intercepts, right, all(done))


def sum_predictors(answers: Sequence[Answers], *, penalty: float = 1e-4, cancel: Cancel | None = None) -> Predictors:
    """The logistic predictors of ``train_predictors``, by sums over the word pairs of several texts.

    Parameters
    ----------
    answers : sequence of Answers
        Of each text, P pivots and F features.
    penalty : float
    cancel : callable, optional

    Returns
    -------
    Predictors

    Notes
    -----
    L-BFGS on all P at once, O((nonzeros + E) · P) an evaluation; what the texts tell are F · P numbers.
    """
    _require_positive(penalty)
    features, pivots = answers[0].shape
    edges = sum(map(len, answers))

    def objective(flat):
        weights = flat.reshape(features + 1, pivots)
        sums = pairwise_sum(pairs.loss(weights) for pairs in answers) / edges
        gradient = sums[:-1]
        gradient[:-1] += penalty * weights[:-1]
        value = float(sums[-1].sum() + penalty / 2 * (weights[:-1] ** 2).sum())
        return value, gradient.ravel(), {}

    start = np.zeros((features + 1) * pivots)
    optimum = minimize(objective, start, tolerance=SUM_TOLERANCE, max_evaluations=ITERATIONS, cancel=cancel)
    if cancel is not None and cancel():
        raise Cancelled
    weights = optimum.weights.reshape(features + 1, pivots)
    right = pairwise_sum(pairs.right(weights) for pairs in answers)
    return Predictors(weights[:-1].copy(), weights[-1].copy(), right / edges, optimum.status == CONVERGED)


def _require_positive(penalty):
    if not penalty > 0:
        raise WorkbenchError(f"the penalty of predictors must be positive, got {penalty}")


def _fitted(settings, seen, target, cancel):
    """A classifier; stochastic gradient descent goes a pass at a time, as one over a large text takes a second."""
    from sklearn.linear_model import LogisticRegression, SGDClassifier  # takes a second, and few ask for this

    if settings.predictor == "logistic":
        return LogisticRegression(C=1 / (settings.penalty * len(target)), max_iter=ITERATIONS, tol=1e-6).fit(
            seen, target
        )
    order = np.random.RandomState(settings.seed)  # a number would give all passes the same order
    classifier = SGDClassifier(loss="modified_huber", alpha=settings.penalty, random_state=order)
    for _ in range(PASSES):
        if cancel is not None and cancel():
            raise Cancelled
        classifier.partial_fit(seen, target, classes=(False, True))
    return classifier


def principal_directions(weights: np.ndarray, dimensions: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The strongest left singular vectors of a weight matrix.

    Parameters
    ----------
    weights : ndarray (F, P)
    dimensions : int

    Returns
    -------
    directions : ndarray (F, K)
        Orthonormal columns, strongest first; each has its largest entry positive. K <= ``dimensions``: the rank.
    values : ndarray (K,)
    loadings : ndarray (K, P)
        ``weights`` is about ``directions @ diag(values) @ loadings``.

    Notes
    -----
    LAPACK, O(F·P²); where fewer than half of many directions are wanted, ARPACK.
    """
    features, pivots = weights.shape
    if pivots > 64 and dimensions < pivots // 2 and dimensions < features:
        left, values, right = scipy.sparse.linalg.svds(weights, k=dimensions, v0=np.full(min(weights.shape), 1.0))
        order = np.argsort(-values)
        left, values, right = left[:, order], values[order], right[order]
    else:
        left, values, right = np.linalg.svd(weights, full_matrices=False)
    rank = int(np.count_nonzero(values > SMALLEST * values.max(initial=0.0)))
    rank = min(rank, dimensions)
    left, values, right = left[:, :rank], values[:rank], right[:rank]
    signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(left.shape[1])])
    return left * signs, values, right * signs[:, None]
