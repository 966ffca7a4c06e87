"""A grammar trained in the background: progress, trees to look at meanwhile, checkpoints, figures."""

import math
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, partial

import numpy as np

from core.jobs import Job
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import DMVProgress
from core.workspace.cluster import maybe_distribute
from core.workspace.induction.outcome import drawn_heads
from core.workspace.induction.plan import InductionInputs, InductionPlan, OtherTexts
from core.workspace.live import LiveParses
from core.workspace.system import Work, array_file, file_array, file_bytes, packed, unpacked
from core.workspace.workspace import Workspace

CHECKPOINT = "induction-checkpoint"
WHOLE_TEXT = "the whole text"  # the stage of the last point: the grammar that is kept, on sentences of any length


def induction_work(
    workspace: Workspace, inputs: InductionInputs, plan: InductionPlan, others: Callable[[], OtherTexts]
) -> Work:
    """``work(job)`` for ``Jobs``: trains, reports every iteration, keeps checkpoints, returns figures and a grammar.

    ``others()`` reads the other texts of the plan.
    """

    def work(job: Job) -> tuple[dict, bytes]:
        settings = plan.dmv_settings()
        model = DMV(settings, tags=plan.tags or None)
        resumed = _resumed(job.resumed) if settings.resumable else None
        try:
            with maybe_distribute(job, inputs.treebank, inputs.brackets) as (text, engine):
                model.fit(
                    text, list(inputs.brackets), engine=engine, resumed=resumed, cancel=job.cancelled,
                    progress=_Progress(workspace, job, inputs, model, resumed), **others(),
                )  # fmt: skip
        finally:
            workspace.show_live(job.run, None, None)
        figures = grammar_figures(inputs, model, job.iteration)
        end = {"cross_entropy": figures["bits"], "stage": WHOLE_TEXT, "fallbacks": model.fallbacks}
        job.report(job.iteration + 1, 1.0, end | _accuracy(inputs, lambda: drawn_heads(model, inputs)))
        return figures, file_bytes(model)

    return work


def grammar_figures(inputs: InductionInputs, model: DMV, iterations: int) -> dict:
    """Bits per token, iterations, how training ended, sentences by the level they held at, and scores: JSON values."""
    bits = model.cross_entropy(inputs.treebank)
    figures = {
        "bits": bits if math.isfinite(bits) else None,
        "iterations": iterations,
        "end": model.status,
        "fallbacks": model.fallbacks,
        "skipped": model.skipped,
    }
    if not inputs.gold:
        return figures
    level = model.settings.level
    return figures | {"accuracy": model.accuracy(inputs.treebank, brackets=inputs.brackets, level=level)}


def _accuracy(inputs: InductionInputs, heads: Callable[[], np.ndarray]) -> dict:
    """The share of right heads of a text, in per cent, as a figure; none where it has no trees of its own."""
    if not inputs.gold:
        return {}
    gold = inputs.treebank.heads
    return {"accuracy": 100 * float((heads() == gold)[gold >= 0].mean())}


class _Progress:
    """Reports every iteration to a job, keeps its checkpoint, and now and then parses the text to look at."""

    def __init__(self, workspace, job, inputs, model, resumed):
        self.job, self.inputs, self.model, self.watch = job, inputs, model, LiveParses(workspace, job.run)
        self.iteration = job.iteration - (resumed is not None)  # the one it stopped in is done once more

    def __call__(self, state):
        settings = self.model.settings
        most = max(len(settings.lengths) + (settings.init == "adhoc") + settings.adapt, state.number)
        done = min((state.number - 1 + state.iteration / settings.max_iterations) / most, 1)
        figures = {"cross_entropy": state.cross_entropy, "stage": state.stage, "fallbacks": state.fallbacks}
        drawn = cache(partial(drawn_heads, self.model, self.inputs))  # once, for the score and to look at
        figures |= _accuracy(self.inputs, drawn)
        if not math.isfinite(state.cross_entropy):
            figures["cross_entropy"] = None
        self.iteration += 1
        words = f"{state.stage}, iteration {state.iteration}: {state.cross_entropy:.3f} bits per token"
        self.job.report(self.iteration, done, figures, words)
        self.job.checkpoint(lambda: packed(CHECKPOINT, asdict(state), grammar=file_array(self.model)))
        self.watch(self.iteration, drawn)


def _resumed(checkpoint):
    """(DMV, DMVProgress) to go on from; None where there is nothing. Raises FormatError."""
    if checkpoint is None:
        return None
    values, arrays = unpacked(checkpoint, CHECKPOINT, required=("grammar",))
    return DMV.load(array_file(arrays["grammar"])), DMVProgress(**values)
