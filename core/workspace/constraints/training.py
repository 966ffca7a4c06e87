"""Training from constraints as a background job."""

from collections.abc import Callable

import numpy as np

from core.constraints import parse_constraints
from core.constraints.train import GETrainer
from core.jobs import Job
from core.parsers.optimize import Checkpoint
from core.store import Run
from core.threads import unless_cancelled
from core.workspace.constraints.change import right_heads
from core.workspace.constraints.known_trees import KnownTrees
from core.workspace.constraints.settings import TrainingSettings
from core.workspace.constraints.text import (
    Text,
    TextOutcome,
    checkpoint_bytes,
    outcome_of,
    read_checkpoint,
    read_weights,
)  # fmt: skip
from core.workspace.corpora import text_brackets
from core.workspace.live import Watch
from core.workspace.system import Work
from core.workspace.workspace import Workspace


def new_trainer(text: Text) -> GETrainer:
    """Index a Text's features. O(arcs)."""
    plan = crf_settings(text)
    brackets = None if plan.brackets == "none" else text_brackets(text.treebank, text.corpus.reference)
    return GETrainer(text.treebank, plan.ge_settings(), brackets=brackets)


def crf_settings(text: Text) -> TrainingSettings:
    """The settings of a Text of the tree CRF."""
    assert isinstance(text.settings, TrainingSettings)
    return text.settings


def training_work(
    workspace: Workspace, text: Text, trainer_of: Callable[[Text], GETrainer],
    known_trees: Callable[[Text], KnownTrees | None],
) -> Work:  # fmt: skip
    """``work(job)`` for ``Jobs``: trains on a Text from its set, reports every iteration and keeps checkpoints.

    It begins from the weights of the run ``text.start``, if its model has as many. Raises ConstraintError for a set
    that cannot be read.
    """
    constraints = parse_constraints(text.constraint_text, text.matcher)

    def work(job):
        trainer = unless_cancelled(lambda: trainer_of(text), job.cancelled)
        known, start = known_trees(text), _start(workspace, text, job, len(trainer.model.trained_index()))
        base = 0 if isinstance(start, Checkpoint) else job.iteration  # a Checkpoint counts on by itself
        most = trainer.settings.max_evaluations
        watch = Watch(workspace, job.run)

        def progress(state):
            figures = {"objective": state.value, "expectations": state.details["expectations"].tolist()}
            job.report(base + state.iteration, min(state.evaluations / most, 1.0), figures)
            job.checkpoint(lambda: checkpoint_bytes(state.checkpoint))
            best = trainer.model.distribution.best
            watch(base + state.iteration, lambda: best(trainer.scores(state.weights)).values)

        try:
            trees = None if known is None else known.treebank
            result = trainer.train(constraints, trees=trees, start=start, progress=progress, cancel=job.cancelled)
        finally:
            workspace.show_live(job.run, None, None)
        weights = result.model.weights
        outcome = outcome_of(text, trainer.model.distribution, trainer.scores(weights), weights)
        return _figures(text, result, outcome, known, base), outcome.to_bytes()

    return work


def _start(workspace: Workspace, text: Text, job: Job, count: int) -> Checkpoint | np.ndarray | None:
    """The checkpoint, else the weights of the run to begin from; None where there are none, or not ``count``."""
    found = None
    if job.resumed is not None:
        found = read_checkpoint(job.resumed)
    elif text.start is not None:
        found = read_weights(workspace.store.result_bytes(text.start) or b"")
    weights = found.weights if isinstance(found, Checkpoint) else found
    return found if weights is not None and len(weights) == count else None


def _figures(text, result, outcome, known, base) -> dict:
    optimum = result.optimum
    figures = {
        "objective": optimum.value,
        "expectations": result.expectations.tolist(),
        "iterations": base + optimum.iterations,
        "evaluations": optimum.evaluations,
        "end": optimum.status,
        "training_seconds": optimum.seconds,
        **score_figure(text, outcome),
    }
    if base:
        figures["resumed_from"] = base
    if result.bracket_levels:
        figures["bracket_levels"] = result.bracket_levels
    if known is not None:
        figures["trees"] = {"complete": known.complete, "partial": known.partial, "left_out": len(known.problems)}
    return figures


def other_settings(run: Run, text: Text) -> list[str]:
    """Names of the settings that a run was begun with otherwise than they are now; how it began is none of them."""
    return [name for name in text.settings.changed_from(type(text.settings).from_dict(run.settings)) if name != "warm"]


def score_figure(text: Text, outcome: TextOutcome) -> dict:
    """The figure "model": right heads of the words with a gold head, punctuation left out; {} without gold trees."""
    right, words = right_heads(text.treebank, outcome.heads)
    return {"model": {"right": right, "words": words}} if words else {}
