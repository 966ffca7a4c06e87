"""How a training run went: the objective and every constraint's share, iteration by iteration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints import ConstraintDocument
from core.store import Run

NEAR = 0.05  # of a share: so near its target a constraint counts as met


@dataclass(frozen=True, eq=False)
class Curve:
    """A run's trace as arrays over its T iterations and C constraints.

    Attributes
    ----------
    lines : tuple of int
    names, targets : tuple of str
        Per constraint.
    low, high : ndarray of shape (C,)
        Ends of each target.
    iterations : ndarray of shape (T,), dtype int64
    objective : ndarray of shape (T,)
    shares : ndarray of shape (T, C)
    """

    lines: tuple
    names: tuple
    targets: tuple
    low: np.ndarray
    high: np.ndarray
    iterations: np.ndarray
    objective: np.ndarray
    shares: np.ndarray

    @property
    def met(self) -> np.ndarray:
        """How many constraints' shares lie within NEAR of their targets, at each iteration: int64 (T,)."""
        near = (self.shares >= self.low - NEAR) & (self.shares <= self.high + NEAR)
        return near.sum(axis=1)


def curve(run: Run, trace: Sequence) -> Curve:
    """The Curve of a Run of the store and its trace, live or not."""
    constraints = ConstraintDocument.from_text(run.constraint_text).constraints
    entries = [entry for entry in trace if "expectations" in entry]
    shares = np.array([entry["expectations"] for entry in entries]).reshape(len(entries), len(constraints))
    return Curve(
        tuple(constraint.line for constraint in constraints),
        tuple(constraint.name for constraint in constraints),
        tuple(constraint.target_text for constraint in constraints),
        np.array([constraint.low for constraint in constraints]),
        np.array([constraint.high for constraint in constraints]),
        np.array([entry["iteration"] for entry in entries], dtype=np.int64),
        np.array([entry["objective"] for entry in entries]),
        shares,
    )


def course_table(course: Curve, counts: Sequence[int]) -> dict[str, list]:
    """Columns of a table over a Curve's constraints: line, target, last share, the share along training, met.

    ``counts`` says out of how many each share is.
    """
    met = (course.shares[-1] >= course.low - NEAR) & (course.shares[-1] <= course.high + NEAR)
    return {
        "line": list(course.lines),
        "constraint": list(course.names),
        "target": list(course.targets),
        "model": course.shares[-1].tolist(),
        "of": list(counts),
        "met": met.tolist(),
        "course": course.shares.T.tolist(),
    }
