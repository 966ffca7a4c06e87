"""Training from constraints as a background job, and what a finished run leaves: trees, posteriors, shares."""

import hashlib
import io
import time
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import parse_constraints
from core.constraints.penalties import penalty_named
from core.constraints.train import GETrainer
from core.errors import WorkbenchError
from core.threads import unless_cancelled
from core.trees.packed import PackedScores
from core.workspace.constraints.change import right_heads
from core.workspace.constraints.settings import TrainingSettings
from core.workspace.corpora import text_brackets

KIND = "ge"
LIVE_SECONDS = 0.4  # trees to look at while training, so often and not more


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a model makes of a Text.

    Attributes
    ----------
    heads : ndarray of shape (rows,), dtype int32
        Laid out like ``Treebank.heads``.
    marginals : PackedScores
        Probability of every arc, values float32.
    weights : ndarray of shape (F,) or None
        None of the untrained model.
    run : int or None
        The run it came from.
    """

    heads: np.ndarray
    marginals: PackedScores
    weights: np.ndarray | None = None
    run: int | None = None

    def to_bytes(self):
        """As an npz file, for the store."""
        buffer = io.BytesIO()
        np.savez(buffer, heads=self.heads, marginals=self.marginals.values, weights=self.weights)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data, arc_offsets, run=None):
        """What ``to_bytes`` wrote. Raises WorkbenchError where it belongs to another text."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = cls(arrays["heads"], PackedScores(arrays["marginals"], arc_offsets), arrays["weights"], run)
        if len(found.marginals.values) != arc_offsets[-1]:
            raise WorkbenchError(f"run {run} was made on other sentences; train again on these")
        return found


def text_hash(text):
    """Names the sentences that runs were made on: equal hashes, equal rows."""
    return hashlib.sha256(text.key.encode()).hexdigest()


def said_of_tags(workspace, text):
    """How many sentences have tags and can teach, in words; "" where all have."""
    untagged = workspace.untagged_sentences(text.corpus, text.settings.tags)
    if not untagged:
        return ""
    count = len(workspace.treebank(text.corpus))
    return f"{count - untagged:,} of {count:,} sentences have tags; training leaves the others out"


def new_trainer(text):
    """Index a Text's features. O(arcs)."""
    brackets = None if text.settings.brackets == "none" else text_brackets(text.treebank, text.corpus.reference)
    return GETrainer(text.treebank, text.settings.ge_settings(), brackets=brackets)


def untrained(text):
    """The Outcome of a model that knows nothing: every tree as probable as every other. O(sum of n^3)."""
    scores = PackedScores.empty(text.treebank.lengths)
    scores.values[:] = 0.0
    return _outcome(text.settings.distribution, scores)


def start_training(workspace, text, constraint_text):
    """Begin to train on a Text in the background, in place of a run that is under way; returns the run's id.

    Raises ConstraintError for the first thing that refuses to train, WorkbenchError for trees that cannot be learned.
    """
    constraints = parse_constraints(constraint_text, text.matcher)
    if not constraints:
        raise WorkbenchError("there are no constraints to train on; write at least one")
    penalty_named(text.settings.score, constraints)  # these two say what is wrong before a run is begun
    workspace.known_trees(text)
    if text.settings.brackets != "none" and not any(workspace.brackets(text)):
        raise WorkbenchError("this text has no mark-up to respect; in Settings, Trees, choose None for Brackets")
    last = latest(workspace.store, text) if text.settings.warm else None
    fits = last is not None and TrainingSettings.from_dict(last.settings).shape == text.settings.shape
    settings = {"corpus": text.corpus.id, **text.settings.as_dict(), "start": last.id if fits else None}
    return workspace.jobs.start(
        text.corpus.project,
        KIND,
        settings,
        training_work(workspace, text, constraints, settings["start"]),
        constraint_text=constraint_text,
        data_hash=text_hash(text),
        replace=True,
    )


def is_behind(store, text, constraint_text):
    """Whether the newest run on a Text, however it stands, was begun with another set or with other settings.

    So too where there is none.
    """
    newest = next(iter(runs_on(store, text)), None)
    return newest is None or newest.constraint_text != constraint_text or bool(other_settings(newest, text))


def other_settings(run, text):
    """Names of the settings that a run was begun with otherwise than they are now; how it began is none of them."""
    return [name for name in text.settings.changed_from(TrainingSettings.from_dict(run.settings)) if name != "warm"]


def follow(workspace, text, constraint_text):
    """Train anew where ``is_behind``; returns the run's id, or None. Raises as ``start_training``."""
    if not is_behind(workspace.store, text, constraint_text):
        return None
    return start_training(workspace, text, constraint_text)


def resume_training(workspace, run_id):
    """Go on with a run that stopped half-way, on the text and constraints it was begun with."""
    run = workspace.store.run(run_id)
    return workspace.jobs.resume(run_id, work_of(workspace, run, text_of(workspace, run)))


def text_of(workspace, run):
    """The Text that a Run was made on, tags as they were. Raises WorkbenchError where its sentences are others now."""
    corpus = workspace.store.corpus(run.settings["corpus"])
    text = workspace.as_of(run).text(corpus, TrainingSettings.from_dict(run.settings))
    if text_hash(text) != run.data_hash:
        raise WorkbenchError(f"the text of run {run.id} has changed since; train again")
    return text


def work_of(workspace, run, text):
    """``work(job)`` with the constraints and settings of a Run."""
    constraints = parse_constraints(run.constraint_text, text.matcher)
    return training_work(workspace, text, constraints, run.settings.get("start"))


def training_work(workspace, text, constraints, start=None):
    """``work(job)`` for ``Jobs``: trains, reports every iteration, keeps checkpoints, returns figures and bytes.

    ``start`` is the run whose weights to begin from, if its model has as many.
    """

    def work(job):
        trainer = unless_cancelled(lambda: workspace.trainer(text), job.cancelled)
        known = workspace.known_trees(text)
        weights, base = _weights(job.resumed), job.iteration
        if weights is None and start is not None:
            weights = _weights(workspace.store.result_bytes(start))
        if weights is not None and len(weights) != len(trainer.model.index):
            weights = None
        most = trainer.settings.max_evaluations
        watch = _Watch(workspace, job.run, trainer)

        def progress(state):
            figures = {"objective": state.value, "expectations": state.details["expectations"].tolist()}
            job.report(base + state.iteration, min(state.evaluations / most, 1.0), figures)
            job.checkpoint(lambda: _weights_bytes(state.weights))
            watch(base + state.iteration, state.weights)

        try:
            trees = None if known is None else known.treebank
            result = trainer.train(constraints, trees=trees, start=weights, progress=progress, cancel=job.cancelled)
        finally:
            workspace.show_live(job.run, None, None)
        outcome = _outcome(trainer.model.distribution, trainer.scores(result.model.weights), result.model.weights)
        optimum = result.optimum
        figures = {
            "objective": optimum.value,
            "expectations": result.expectations.tolist(),
            "iterations": base + optimum.iterations,
            "evaluations": optimum.evaluations,
            "end": optimum.status,
            "training_seconds": optimum.seconds,
            **_score(text, outcome),
        }
        if base:
            figures["resumed_from"] = base
        if result.bracket_levels:
            figures["bracket_levels"] = result.bracket_levels
        if known is not None:
            figures["trees"] = {"complete": known.complete, "partial": known.partial, "left_out": len(known.problems)}
        return figures, outcome.to_bytes()

    return work


class _Watch:
    """Parses the text now and then while its model is trained, for people to look at."""

    def __init__(self, workspace, run, trainer):
        self.workspace, self.run, self.trainer = workspace, run, trainer
        self.looked = float("-inf")  # at once: what an edit changes shows after the first iteration

    def __call__(self, iteration, weights):
        if time.monotonic() - self.looked < LIVE_SECONDS:
            return
        heads = self.trainer.model.distribution.best(self.trainer.scores(weights))
        self.workspace.show_live(self.run, iteration, heads.values)
        self.looked = time.monotonic()


def runs_on(store, text):
    """Training runs made on these very sentences, newest first."""
    wanted = text_hash(text)
    return [run for run in store.runs(text.corpus.project, KIND) if run.data_hash == wanted]


def latest(store, text, before=None):
    """The newest run on a Text that left trees (older than run ``before``), or None."""
    for run in runs_on(store, text):
        if (before is None or run.id < before) and has_trees(run):
            return run
    return None


def has_trees(run):
    """Whether a run left an Outcome: it was done, or cancelled after it had begun."""
    return run.status in ("done", "cancelled") and "expectations" in run.figures


def load_outcome(store, run, text):
    """The Outcome that a run left."""
    return Outcome.from_bytes(store.result_bytes(run.id), text.matcher.arc_offsets, run.id)


def with_score(workspace, run):
    """A Run whose figures hold its score, as runs record it; worked out here for one that was made before they did.

    As it is where there is nothing to score, or the text has changed since.
    """
    if "model" in run.figures or not has_trees(run):
        return run
    try:
        text = text_of(workspace, run)
        found = _score(text, workspace.outcome(text, run))
    except WorkbenchError:
        return run
    return replace(run, figures=run.figures | found)


def _score(text, outcome):
    """The figure "model": right heads of the words with a gold head, punctuation left out; {} without gold trees."""
    right, words = right_heads(text.treebank, outcome.heads)
    return {"model": {"right": right, "words": words}} if words else {}


def _outcome(distribution, scores, weights=None):
    heads = distribution.best(scores).values
    marginals = distribution.marginals(scores)[1]
    return Outcome(heads, marginals.like(marginals.values.astype(np.float32)), weights)


def _weights_bytes(weights):
    buffer = io.BytesIO()
    np.savez(buffer, weights=weights)
    return buffer.getvalue()


def _weights(data):
    if data is None:
        return None
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return arrays["weights"]
