"""Adapting a parser as a background job.

A run trains one parser after the other: without adaptation, self-trained, with a few target trees, adapted. Its
checkpoint holds the parsers that are trained, so a run that was stopped goes on with the next one.
"""

from collections.abc import Iterable, Mapping

from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING, AdaptationTask, adapt
from core.errors import Cancelled
from core.evaluation import sign_test
from core.workspace.adaptation.outcome import checkpoint_bytes, counts_of, read_checkpoint, result_bytes, scores_of
from core.workspace.adaptation.plan import TARGET, AdaptationInputs, AdaptationPlan
from core.workspace.system import Work

LEARNING = 0.1  # of the progress bar, for the correspondence
WORDS = {
    NONE: "the parser without adaptation",
    SELF_TRAINING: "the self-trained parser",
    FEW: "the parser with a few target trees",
    SCL: "the adapted parser",
}


def adaptation_work(inputs: AdaptationInputs, plan: AdaptationPlan) -> Work:
    """``work(job)`` for ``Jobs``."""

    def work(job):
        trained = {} if job.resumed is None else read_checkpoint(job.resumed, inputs)
        progress = _Progress(job, len(trained), 2 + bool(plan.rounds) + (inputs.few is not None))

        def keep(system):
            trained[system.name] = system
            progress.done = len(trained)
            if system.name != SCL:
                job.checkpoint(lambda: checkpoint_bytes(trained))

        task = AdaptationTask(
            inputs.source, inputs.scored, inputs.tags, plan.epochs, plan.settings.seed, inputs.bits, done=dict(trained),
            cancel=job.cancelled, progress=progress.training, scored=progress.scored, learning=progress.learning,
            keep=keep,
        )  # fmt: skip
        job.report(job.iteration, 0.0, message="Reading the word pairs of both texts")
        result = adapt(task, inputs.unlabelled, plan.correspondence(), few=inputs.few, rounds=plan.rounds)
        if job.cancelled():
            raise Cancelled
        job.report(job.iteration, 1.0, message="Finding what changed")
        return _figures(inputs, result), result_bytes(inputs, result)

    return work


class _Progress:
    """Reports how far a job is: the correspondence first, then the training of each of ``count`` parsers in turn."""

    def __init__(self, job, done, count):
        self.job, self.done, self.count = job, done, count
        self.figures = {}  # the figures of the last scored iteration

    def learning(self, trained, pivots):
        self.job.report(self.job.iteration, LEARNING * trained / pivots, message=f"Predictor {trained} of {pivots}")

    def training(self, name, state):
        fraction = LEARNING + (1 - LEARNING) * min((self.done + state.fraction) / self.count, 1.0)
        words = f"Training {WORDS[name]}: iteration {state.epoch}"
        self.job.report(self.job.iteration, fraction, self.figures, words)

    def scored(self, name, scores):
        self.figures = {"system": name, "scores": {text: counts_of(series) for text, series in scores.items()}}
        self.job.report(self.job.iteration + 1, None, self.figures, f"Scored {WORDS[name]}")


def live_scores(trace: Iterable[Mapping]) -> dict[str, dict[str, list]]:
    """The scores so far, laid out like ``AdaptationOutcome.scores``, from the trace of a running job."""
    scores, last = {}, None
    for entry in trace:
        if "system" in entry and entry["iteration"] != last:
            last = entry["iteration"]
            for text, counts in entry["scores"].items():
                scores.setdefault(entry["system"], {}).setdefault(text, []).append(scores_of(counts))
    return scores


def _figures(inputs, result):
    """The figures of a run, as JSON values."""
    last = {name: system.scores[TARGET][-1] for name, system in result.systems.items()}
    correspondence = result.systems[SCL].correspondence.trained()
    learnt = {"learnt": inputs.learnt} if inputs.has_gold or inputs.learnt else {}
    learnt |= inputs.conditions if inputs.has_gold else {}
    figures = {
        "model": (_last(last[SCL]) if inputs.has_gold else {}) | learnt,
        "base": (_last(last[NONE]) if inputs.has_gold else {}) | learnt,
        "seconds": {name: system.seconds for name, system in result.systems.items()},
        "dimensions": correspondence.dimensions,
        "skipped": result.systems[SCL].parser.skipped,
        "notes": list(result.notes),
        "scores": {
            name: {text: [counts_of(score) for score in scores] for text, scores in system.scores.items()}
            for name, system in result.systems.items()
        },
    }
    if inputs.has_gold:
        base = result.systems[NONE].parsed[TARGET]
        figures["tests"] = {
            name: _tests(inputs.test, base, system.parsed[TARGET], last[name].labelled)
            for name, system in result.systems.items()
            if name != NONE
        }
    return figures


def _last(scores):
    return {"right": scores.heads, "words": scores.words, "uas": scores.uas, "las": scores.las}


def _tests(gold, base, parsed, labelled):
    tests = {"heads": sign_test(gold, base, parsed)}
    if labelled:
        tests["labels"] = sign_test(gold, base, parsed, column="deprel")
    return {
        column: {"better": test.only_second, "worse": test.only_first, "p_value": test.p_value}
        for column, test in tests.items()
    }
