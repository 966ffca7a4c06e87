"""The search for feature weights that meet constraints, on whatever sums the objective."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.callbacks import Cancel
from core.constraints.ge.objective import Objective
from core.constraints.ge.settings import GESettings
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.optimize import Checkpoint, Optimum, Progress, minimize


@dataclass(frozen=True, eq=False)
class GEResult:
    """A trained parser and how it came about.

    Attributes
    ----------
    model : TreeCRF
    expectations : ndarray of shape (C,)
        The model's share for each constraint, in the units of its target; 0 for one of ``skipped``.
    optimum : Optimum
    trace : list of dict
        Per iteration: ``iteration``, ``evaluations``, ``value``, ``seconds``, ``expectations``.
    seconds : float
        Training alone, without indexing.
    indexing_seconds : float
        What indexing the text took when it was first seen.
    bracket_levels : dict of str to int
        How many marked sentences were held at which level; empty where no brackets were asked for.
    skipped : tuple of Constraint
        Lines that match nothing in the text, and were left out.
    """

    model: TreeCRF
    expectations: np.ndarray
    optimum: Optimum
    trace: list = field(repr=False)
    seconds: float
    indexing_seconds: float = 0.0
    bracket_levels: dict = field(default_factory=dict)
    skipped: tuple = ()

    @property
    def status(self) -> str:
        """ "converged", "stopped" (evaluations used up) or "cancelled"."""
        return self.optimum.status


def untrained(settings: GESettings) -> TreeCRF:
    """A parser without features yet."""
    return TreeCRF(
        settings.features,
        tags=settings.tags,
        minimum_count=settings.minimum_count,
        projective=settings.projective,
        single_root=settings.single_root,
        covariance=settings.covariance,
        decoding=settings.decoding,
        variance=settings.variance,
    )


def search(
    objective: Objective, model: TreeCRF, settings: GESettings, start: np.ndarray | Checkpoint | None = None,
    progress: Callable[[Progress], object] | None = None, cancel: Cancel | None = None,
) -> GEResult:  # fmt: skip
    """The result of a search from ``start``, zeros by default, for the weights of ``model``'s features.

    Each iteration costs an evaluation of the objective or a few. ConstraintError for a target that no tree reaches.
    """
    trace = []

    def record(state):
        trace.append(
            {
                "iteration": state.iteration,
                "evaluations": state.evaluations,
                "value": float(state.value),
                "seconds": state.seconds,
                "expectations": state.details["expectations"].tolist(),
            }
        )
        if progress is not None:
            progress(state)

    optimum = minimize(
        objective,
        np.zeros(len(model.trained_index())) if start is None else start,
        tolerance=settings.tolerance,
        max_evaluations=settings.max_evaluations,
        progress=record,
        cancel=cancel,
    )
    targets, expectations = objective.targets, objective.expectations(optimum.weights)
    skipped = tuple(line for line, matched in zip(targets.constraints, targets.matched, strict=True) if not matched)
    return GEResult(model.with_weights(optimum.weights), expectations, optimum, trace, optimum.seconds, skipped=skipped)
