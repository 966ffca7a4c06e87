"""A grammar trained in the background: progress, trees to look at meanwhile, checkpoints, figures."""

import math
from collections.abc import Callable
from dataclasses import asdict

from core.jobs import Job
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import DMVProgress
from core.treebank import Treebank
from core.workspace.cluster import maybe_distribute
from core.workspace.induction.plan import InductionInputs, InductionPlan
from core.workspace.live import LiveParses
from core.workspace.system import Work, array_file, file_array, file_bytes, packed, unpacked
from core.workspace.workspace import Workspace

CHECKPOINT = "induction-checkpoint"


def induction_work(
    workspace: Workspace, inputs: InductionInputs, plan: InductionPlan, adapt_to: Callable[[], Treebank | None]
) -> Work:
    """``work(job)`` for ``Jobs``: trains, reports every iteration, keeps checkpoints, returns figures and a grammar.

    ``adapt_to()`` gives the text of the last stage, None if there is none.
    """

    def work(job: Job) -> tuple[dict, bytes]:
        settings = plan.dmv_settings()
        model = DMV(settings, tags=plan.tags or None)
        resumed = _resumed(job.resumed) if settings.resumable else None
        try:
            with maybe_distribute(job, inputs.treebank, inputs.brackets) as (text, engine):
                model.fit(
                    text, list(inputs.brackets), engine=engine, adapt_to=adapt_to(), resumed=resumed,
                    watch=inputs.treebank if inputs.gold else None,
                    progress=_Progress(workspace, job, inputs, model, resumed), cancel=job.cancelled,
                )  # fmt: skip
        finally:
            workspace.show_live(job.run, None, None)
        return grammar_figures(inputs, model, job.iteration), file_bytes(model)

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
    return figures | ({"accuracy": model.accuracy(inputs.treebank)} if inputs.gold else {})


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
        if state.accuracy is not None:
            figures["accuracy"] = state.accuracy
        if not math.isfinite(state.cross_entropy):
            figures["cross_entropy"] = None
        self.iteration += 1
        words = f"{state.stage}, iteration {state.iteration}: {state.cross_entropy:.3f} bits per token"
        self.job.report(self.iteration, done, figures, words)
        self.job.checkpoint(lambda: packed(CHECKPOINT, asdict(state), grammar=file_array(self.model)))
        self.watch(self.iteration, lambda: self.model.best_heads(self.inputs.treebank).values)


def _resumed(checkpoint):
    """(DMV, DMVProgress) to go on from; None where there is nothing. Raises FormatError."""
    if checkpoint is None:
        return None
    values, arrays = unpacked(checkpoint, CHECKPOINT, required=("grammar",))
    return DMV.load(array_file(arrays["grammar"])), DMVProgress(**values)
