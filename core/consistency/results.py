"""What consistent parsing and consistent tagging have in common in their results."""

from dataclasses import dataclass

import numpy as np

from core.decomposition import DualResult, Trace
from core.treebank import Treebank


@dataclass(frozen=True, eq=False, kw_only=True)
class Consistent:
    """Analyses of a test text that agree with each other, and how they were found.

    Attributes
    ----------
    treebank : Treebank
        The test text with these analyses.
    labels : ndarray of shape (C,), dtype int32
        The consensus on each context, or group of words; -1 is NULL.
    dual : DualResult
    primal, bound : float
        Value of the analyses under the constraints that were kept, and a bound on the best such value.
    certified : ndarray of shape (S,), dtype bool
        Test sentences proved to be analysed as in the best joint solution; none of those released.
    released : ndarray of int
        Test sentences whose constraints had to go.
    unit : float
        What deltas and step were multiplied by.
    seconds : dict
        ``single``, the test text analysed without consistency, ``total``, and more.
    """

    treebank: Treebank
    labels: np.ndarray
    dual: DualResult
    primal: float
    bound: float
    certified: np.ndarray
    released: np.ndarray
    unit: float
    seconds: dict

    @property
    def trace(self) -> Trace:
        return self.dual.trace

    @property
    def status(self) -> str:
        return self.dual.status

    @property
    def is_certified(self) -> bool:
        """Whether this is proved the best joint solution, no constraint released."""
        return bool(self.certified.all())

    def search_statistics(self) -> dict:
        """Plain numbers: shares of active, certified and released, bounds, time against a single pass."""
        sentences, active = len(self.certified), int((self.labels >= 0).sum())
        return {
            "active": active,
            "active_share": 100 * active / len(self.labels) if len(self.labels) else None,
            "sentences": sentences,
            "certified_sentences": int(self.certified.sum()),
            "certified_share": 100 * float(self.certified.mean()) if sentences else None,
            "released_sentences": len(self.released),
            "released_share": 100 * len(self.released) / sentences if sentences else None,
            "status": self.status,
            "primal": self.primal,
            "bound": self.bound,
            "iterations": len(self.trace),
            "unit": self.unit,
            "relative_time": self.seconds["total"] / self.seconds["single"] if self.seconds["single"] else None,
            "seconds": self.seconds["total"],
        }
