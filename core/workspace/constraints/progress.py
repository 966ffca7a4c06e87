"""How a training run went: the objective and every constraint's share, iteration by iteration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints import ConstraintDocument
from core.store import Run
from core.workspace.wording import amount

NAMES = {"tags": "tags", "words": "tags and frequent words"}  # what the symbols of a grammar are
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

    def of(self, used: np.ndarray) -> "Curve":
        """Of some of the constraints, bool (C,): those that a learner did not leave out."""
        kept = np.flatnonzero(used)
        lines, names, targets = (tuple(np.array(each, object)[kept]) for each in (self.lines, self.names, self.targets))
        low, high = self.low[kept], self.high[kept]
        return Curve(lines, names, targets, low, high, self.iterations, self.objective, self.shares[:, kept])

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


def course_words(run: Run, first: float) -> str:
    """How a finished Run went, from its ``first`` objective to the last, in a sentence or two."""
    figures = run.figures
    steps = amount(figures["iterations"], "iteration")
    if "evaluations" in figures:
        steps += f" and {amount(figures['evaluations'], 'evaluation')}"
    said = f"Run {run.id}: from {first:.3g} to {figures['objective']:.3g}, {figures['end']} after {steps}"
    said += f" in {figures['training_seconds']:.1f} s."
    if "gap" in figures:
        said += f" The last dual may lie {figures['gap']:.2g} nats a word from its maximum."
        unmet = len(figures["unmet"])
        said += " Each line meets its target." if not unmet else f" {amount(unmet, 'line')} cannot meet the target."
    if held_out := figures.get("held_out"):
        chosen, other = sorted(held_out, key=held_out.__getitem__, reverse=True)
        said += (
            f" Symbols are {NAMES[chosen]}: held-out sentences have {held_out[chosen]:.3f} nats a word, with "
            f"{NAMES[other]} {held_out[other]:.3f}."
        )
    return said


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
