"""The approximate gradient of druck2009 on one sentence, compared with the exact one.

The gradient of the objective by an arc's score is the covariance of that arc with the direction in which the
constraints move their shares. The paper computes it exactly from pairs of arcs in O(n^5). Or it approximates it
in O(n^3), taking arcs of different words as independent unless they form a cycle of two. ``matrix_tree_covariance`` is
exact in O(n^3).
"""

from dataclasses import dataclass

import numpy as np

from core.trees import approximate_covariance, matrix_tree_covariance, pairwise_covariance

ROUNDING = 1e-9  # of the largest exact value: below it an arc has no sign


@dataclass(frozen=True, eq=False)
class CovarianceComparison:
    """Three gradients of one sentence, each (n + 1, n + 1), divided by ``scale``; 0 where there is no arc.

    Attributes
    ----------
    exact, approximate, pairwise : ndarray
        ``pairwise`` is the paper's O(n^5) method: exact but for rounding.
    scale : float
        The largest exact value, in absolute terms, so that exact values lie in -1..1; 1 where all are 0.
    arcs : int
        The number of arcs: n heads for each of n words.
    """

    exact: np.ndarray
    approximate: np.ndarray
    pairwise: np.ndarray
    scale: float
    arcs: int

    @property
    def difference(self) -> np.ndarray:
        """Approximate minus exact."""
        return self.approximate - self.exact

    @property
    def worst(self) -> tuple[int, int]:
        """(head, modifier) of the largest error."""
        head, modifier = np.unravel_index(np.abs(self.difference).argmax(), self.exact.shape)
        return int(head), int(modifier)

    @property
    def largest_error(self) -> float:
        """The largest error, in units of the largest exact value."""
        return float(np.abs(self.difference).max())

    @property
    def wrong_way(self) -> np.ndarray:
        """bool (n + 1, n + 1): arcs that the approximation moves the other way."""
        exact, approximate = self._signs()
        return exact * approximate < 0

    @property
    def unmoved(self) -> np.ndarray:
        """bool (n + 1, n + 1): arcs that the approximation does not move, although the gradient does."""
        exact, approximate = self._signs()
        return (exact != 0) & (approximate == 0)

    def _signs(self):
        return (np.sign(np.where(np.abs(values) > ROUNDING, values, 0.0)) for values in (self.exact, self.approximate))

    @property
    def cosine(self) -> float | None:
        """The cosine of the angle between the two gradients; None where one of them is zero."""
        norms = np.linalg.norm(self.exact) * np.linalg.norm(self.approximate)
        return float((self.exact * self.approximate).sum() / norms) if norms else None

    @property
    def rounding(self) -> float:
        """The largest difference of the pairwise method from the exact one."""
        return float(np.abs(self.pairwise - self.exact).max())

    def ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """(heads, modifiers) of all arcs, the largest error first: int64 (arcs,) each."""
        side = len(self.exact)
        arcs = [(h, m) for m in range(1, side) for h in range(side) if h != m]
        heads, modifiers = np.array(arcs).T
        order = np.argsort(-np.abs(self.difference[heads, modifiers]), kind="stable")
        return heads[order], modifiers[order]


def compare_covariances(scores: np.ndarray, direction: np.ndarray, single_root: bool = True) -> CovarianceComparison:
    """The CovarianceComparison of one sentence.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), float64
        In nats; as in ``core.trees``.
    direction : ndarray of shape (n + 1, n + 1), float64
        The derivative of the objective by each arc's marginal.

    Raises
    ------
    As ``matrix_tree_covariance``.

    Notes
    -----
    O(n^5), for the paper's own exact method.
    """
    exact, approximate, pairwise = (
        method(scores, direction, single_root=single_root)
        for method in (matrix_tree_covariance, approximate_covariance, pairwise_covariance)
    )
    scale = float(np.abs(exact).max()) or 1.0
    return CovarianceComparison(exact / scale, approximate / scale, pairwise / scale, scale, (len(exact) - 1) ** 2)
