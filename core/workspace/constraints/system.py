"""A tree CRF trained from constraints (druck2009) as a system of the workbench: its inputs and its runs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import tree_entropies
from core.callbacks import Cancel
from core.constraints import Constraint
from core.constraints.authoring.attribution import Attribution
from core.constraints.authoring.preview import ArcModel, ScoredArcs
from core.constraints.ge.approximation import CovarianceComparison
from core.constraints.ge.penalties import penalty_named
from core.constraints.ge.settings import NO_SETTINGS
from core.constraints.ge.training import GETrainer
from core.constraints.warming import EXPECTATION
from core.jobs import Job
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.optimize import Checkpoint
from core.store import Corpus, Run
from core.threads import run_cancellable
from core.treebank import Treebank
from core.trees.packed import PackedScores
from core.workspace.constraints.ablation import ablation_work
from core.workspace.constraints.explanations import Why, gradient_comparison, why
from core.workspace.constraints.inputs import (
    KIND,
    ConstraintInputs,
    checkpoint_bytes,
    learner_kinds,
    outcome_of,
    read_checkpoint,
    read_weights,
)
from core.workspace.constraints.known_trees import KnownTrees
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.plan import TrainingSettings, default_settings
from core.workspace.constraints.results import score
from core.workspace.corpora import tagged_sentences
from core.workspace.live import LiveParses
from core.workspace.scored_text import scored_text
from core.workspace.scoring import score_figures
from core.workspace.system import Citation, Kind, Work
from core.workspace.workspace import Workspace


def new_trainer(text: ConstraintInputs) -> GETrainer:
    """Index a text's features. O(arcs)."""
    plan = crf_settings(text)
    brackets = None if plan.brackets == "none" else text.brackets
    return GETrainer(text.treebank, plan.ge_settings(), brackets=brackets)


def crf_settings(text: ConstraintInputs) -> TrainingSettings:
    """The settings of a text of the tree CRF."""
    assert isinstance(text.settings, TrainingSettings)
    return text.settings


def training_work(
    workspace: Workspace, text: ConstraintInputs, trainer_of: Callable[[ConstraintInputs], GETrainer],
    known_trees: Callable[[ConstraintInputs], KnownTrees | None], learnt_by: Callable[[ConstraintInputs], np.ndarray],
) -> Work:  # fmt: skip
    """``work(job)`` for ``Jobs``: trains on a text from its set, reports every iteration and keeps checkpoints.

    It begins from the weights of the run ``text.start``, if its model has as many. Raises ConstraintError for a set
    that cannot be read.
    """
    constraints = text.constraint_set.required()

    def work(job):
        trainer = run_cancellable(lambda: trainer_of(text), job.cancelled)
        known, learnt = known_trees(text), learnt_by(text)
        start = _start(workspace, text, job, len(trainer.model.trained_index()))
        base = 0 if isinstance(start, Checkpoint) else job.iteration  # a Checkpoint counts on by itself
        most, brackets = trainer.settings.max_evaluations, text.respected
        watch = LiveParses(workspace, job.run)

        def progress(state):
            figures = {"objective": state.value, "expectations": state.details["expectations"].tolist()}
            job.report(base + state.iteration, min(state.evaluations / most, 1.0), figures)
            job.checkpoint(lambda: checkpoint_bytes(state.checkpoint))
            best = partial(trainer.model.distribution.best, brackets=brackets, level=text.settings.brackets)
            watch(base + state.iteration, lambda: best(trainer.scores(state.weights)).values)

        try:
            trees = None if known is None else known.treebank
            result = trainer.train(constraints, trees=trees, start=start, progress=progress, cancel=job.cancelled)
        finally:
            workspace.show_live(job.run, None, None)
        weights = result.model.weights
        outcome = outcome_of(text, trainer.model.distribution, trainer.scores(weights), weights)
        scored = score(scored_text(workspace, text.corpus), text, outcome, learnt)
        figures = _figures(result, known, base) | score_figures(scored, learnt)
        return figures, outcome.to_bytes()

    return work


def _start(workspace: Workspace, text: ConstraintInputs, job: Job, count: int) -> Checkpoint | np.ndarray | None:
    """The checkpoint, else the weights of the run to begin from; None where there are none, or not ``count``."""
    start = None
    if job.resumed is not None:
        start = read_checkpoint(job.resumed)
    elif text.start is not None:
        start = read_weights(workspace.store.result_bytes(text.start) or b"")
    weights = start.weights if isinstance(start, Checkpoint) else start
    return start if weights is not None and len(weights) == count else None


def _figures(result, known, base) -> dict:
    optimum = result.optimum
    figures = {
        "objective": optimum.value,
        "expectations": result.expectations.tolist(),
        "iterations": base + optimum.iterations,
        "evaluations": optimum.evaluations,
        "end": optimum.status,
        "training_seconds": optimum.seconds,
    }
    if base:
        figures["resumed_from"] = base
    if result.bracket_levels:
        figures["bracket_levels"] = result.bracket_levels
    if known is not None:
        figures["trees"] = known.counts(len(known.problems))
    return figures


class TreeCRFSystem(LearningSystem[TrainingSettings]):
    """A tree CRF over the sentences of a corpus, trained by generalized expectation."""

    kind = KIND
    name = "constraints"
    kinds: ClassVar[Mapping[str, Kind]] = learner_kinds(
        KIND, "constraints", "A log-linear model of dependency trees was trained from expectation constraints"
    )
    warming = EXPECTATION
    invitation = "Train a parser from what you know about the language"
    has_gradient = True
    document = "training"
    plan_class = TrainingSettings
    citation = Citation(
        "Druck et al., 2009",
        "Gregory Druck, Gideon Mann and Andrew McCallum (2009). Semi-supervised Learning of Dependency Parsers using "
        "Generalized Expectation Criteria. ACL-IJCNLP.",
    )
    beside_settings = NO_SETTINGS

    def usual_plan(self, corpus: Corpus) -> TrainingSettings:
        """The usual plan of a Corpus. Raises WorkbenchError where no word has a tag."""
        settled = self.workspace.settled(corpus)
        return default_settings(settled.treebank, settled.file_has_trees)

    @staticmethod
    def usable(treebank: Treebank, tags: str) -> Treebank:
        """The sentences in which some word has a tag."""
        return tagged_sentences(treebank, tags)

    def require_trainable(self, constraints: Sequence[Constraint], plan: TrainingSettings) -> None:
        super().require_trainable(constraints, plan)
        penalty_named(plan.settings.score, constraints)

    def work(self, inputs: ConstraintInputs, plan: TrainingSettings) -> Work:
        return training_work(self.workspace, inputs, self.trainer, self.known_trees, self.learnt_by)

    def parser(self, run: Run) -> TreeCRF:
        """The parser that a finished run trained. Seconds where the text is large and not indexed yet."""
        text, _ = self.inputs_of(run)
        return self.trainer(text).model.with_weights(self.weights(run))

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """The entropies of the trees of each sentence that it was trained on."""
        text, plan = self.inputs_of(run)
        return text.treebank.picks, tree_entropies(self.scores(run), plan.distribution)

    def trainer(self, text: ConstraintInputs) -> GETrainer:
        """The trainer of a text, indexed once. Takes seconds on a large corpus: for jobs, not for pages."""
        return self.cached("trainers", (text.key, crf_settings(text).ge_settings()), lambda: new_trainer(text))

    def weights(self, run: Run) -> np.ndarray:
        """The feature weights that a finished run ended at, float64 (F,), in nats."""
        weights = self.load(run).weights
        assert weights is not None  # only the untrained model's outcome has none
        return weights

    def scores(self, run: Run) -> PackedScores:
        """Arc scores of a finished run on its text, in nats. Seconds where it is not indexed yet."""
        return self.cached("scores", run.id, lambda: self.trainer(self.inputs_of(run)[0]).scores(self.weights(run)))

    def attribution(self, run: Run) -> Attribution:
        """The Attribution of a finished run. Takes seconds where the text is large and not indexed yet."""
        return self.cached("attributions", run.id, lambda: self.new_attribution(run))

    def new_attribution(self, run: Run, cancel: Cancel | None = None) -> Attribution:
        """The Attribution of a finished run, made anew: for jobs, that want to cancel it."""
        text, _ = self.inputs_of(run)
        constraints = text.constraint_set.required()
        known, weights = self.known_trees(text), self.weights(run)
        trainer = run_cancellable(lambda: self.trainer(text), cancel)
        return Attribution(trainer, constraints, weights, trees=known and known.treebank, cancel=cancel)

    def why(self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None) -> Why:
        """The Why of an arc of a run's text: contributions to its score."""

        def make():
            attribution = self.attribution(run)
            return why(attribution.constraints, attribution.of_arc(sentence, head, modifier, against), against)

        return self.cached("arcs", (run.id, sentence, head, modifier, against), make)

    def gradient(
        self, text: ConstraintInputs, run: Run | None, source: str, sentence: int, line: int | None = None
    ) -> CovarianceComparison:
        """The gradient of a set on a sentence of a text, as ``gradient_comparison``; None is the untrained model."""
        scores = None if run is None else lambda: self.scores(run)[sentence]

        def make():
            inputs = text.with_set(self.workspace, source)
            return gradient_comparison(inputs, self.outcome(text, run), sentence, line, scores)

        return self.cached("views", ("gradient", text.key, run and run.id, source, sentence, line), make)

    def arcs(self, run: Run) -> ArcModel:
        """The model of a finished run. Takes as long as ``scores``."""
        text, plan = self.inputs_of(run)
        return ScoredArcs(plan.distribution, self.scores(run), text.respected, plan.brackets)

    def ablation_work(self, text: ConstraintInputs, run: Run) -> Work:
        return ablation_work(text, partial(self.new_attribution, run))
