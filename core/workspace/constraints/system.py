"""Training a tree CRF from constraints (druck2009), as a system: its text, its runs, and what is asked of them."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import tree_entropies
from core.callbacks import Cancel
from core.constraints import parse_constraints
from core.constraints.approximation import CovarianceComparison
from core.constraints.attribution import Attribution
from core.constraints.penalties import penalty_named
from core.constraints.preview import ArcModel, ScoredArcs
from core.constraints.train import PRESETS, GETrainer
from core.parsers.crf.tree_crf import TreeCRF
from core.store import Corpus, Run
from core.threads import unless_cancelled
from core.treebank import Treebank
from core.trees.packed import PackedScores
from core.workspace.constraints.arcs import Why, why
from core.workspace.constraints.gradient import gradient_comparison
from core.workspace.constraints.learner import Learner, learner_kinds
from core.workspace.constraints.settings import TRAINED, TrainingSettings, default_settings
from core.workspace.constraints.text import KIND, Text
from core.workspace.constraints.training import crf_settings, new_trainer, training_work
from core.workspace.constraints.worth import worth_work
from core.workspace.corpora import tagged_sentences
from core.workspace.system import Citation, Kind, Work


class Constraints(Learner[TrainingSettings]):
    """A tree CRF over the sentences of a corpus, trained by generalized expectation."""

    kind = KIND
    name = "constraints"
    version, worth_kind = f"{KIND}-version", f"{KIND}-worth"
    kinds: ClassVar[Mapping[str, Kind]] = learner_kinds(
        KIND, "constraints", "A log-linear model of dependency trees was trained from expectation constraints"
    )
    has_gradient = True
    document = "training"
    plan_class = TrainingSettings
    citation = Citation(
        "Druck et al., 2009",
        "Gregory Druck, Gideon Mann and Andrew McCallum (2009). Semi-supervised Learning of Dependency Parsers using "
        "Generalized Expectation Criteria. ACL-IJCNLP.",
    )
    # the paper has several sets of tags and features
    paper: ClassVar[Mapping[str, object]] = {
        name: getattr(PRESETS["paper"], name) for name in TRAINED if name not in ("tags", "features")
    }

    def usual_plan(self, corpus: Corpus) -> TrainingSettings:
        """What suits a Corpus. Raises WorkbenchError where no word has a tag."""
        return default_settings(self.workspace.treebank(corpus))

    @staticmethod
    def usable(treebank: Treebank, tags: str) -> Treebank:
        """The sentences in which some word has a tag."""
        return tagged_sentences(treebank, tags)

    def _check(self, constraints, plan):
        super()._check(constraints, plan)
        penalty_named(plan.score, constraints)

    def work(self, inputs: Text, plan: TrainingSettings) -> Work:
        """Training on a Text from its set."""
        return training_work(self.workspace, inputs, self.trainer, self.known_trees)

    def parser(self, run: Run) -> TreeCRF:
        """The parser that a finished run trained. Seconds where the text is large and not indexed yet."""
        text, _ = self.inputs_of(run)
        return self.trainer(text).model.with_weights(self.weights(run))

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """Of the distribution over the trees of each sentence that it was trained on."""
        text, plan = self.inputs_of(run)
        return text.treebank.picks, tree_entropies(self.scores(run), plan.distribution)

    def trainer(self, text: Text) -> GETrainer:
        """The trainer of a Text, indexed once. Takes seconds on a large corpus: for jobs, not for pages."""
        return self._kept("trainers", (text.key, crf_settings(text).ge_settings()), lambda: new_trainer(text))

    def weights(self, run: Run) -> np.ndarray:
        """The feature weights that a finished run ended at, float64 (F,), in nats."""
        weights = self.load(run).weights
        assert weights is not None  # only the untrained model's outcome has none
        return weights

    def scores(self, run: Run) -> PackedScores:
        """Arc scores of a finished run on its text, in nats. Seconds where it is not indexed yet."""

        def make():
            return self.trainer(self.inputs_of(run)[0]).scores(self.weights(run))

        return self._kept("scores", run.id, make)

    def attribution(self, run: Run) -> Attribution:
        """The Attribution of a finished run. Takes seconds where the text is large and not indexed yet."""
        return self._kept("attributions", run.id, lambda: self.new_attribution(run))

    def new_attribution(self, run: Run, cancel: Cancel | None = None) -> Attribution:
        """The Attribution of a finished run, made anew: for jobs, that want to cancel it."""
        text, _ = self.inputs_of(run)
        constraints = parse_constraints(run.constraint_text, text.matcher)
        known, weights = self.known_trees(text), self.weights(run)
        trainer = unless_cancelled(lambda: self.trainer(text), cancel)
        return Attribution(trainer, constraints, weights, trees=known and known.treebank, cancel=cancel)

    def why(self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None) -> Why:
        """What pulled an arc of a run's text in or out: contributions to its score."""

        def make():
            attribution = self.attribution(run)
            return why(attribution.constraints, attribution.of_arc(sentence, head, modifier, against), against)

        return self._kept("arcs", (run.id, sentence, head, modifier, against), make)

    def gradient(
        self, text: Text, run: Run | None, source: str, sentence: int, line: int | None = None
    ) -> CovarianceComparison:
        """The gradient of a set on a sentence of a Text, as ``gradient_comparison``; None is the untrained model."""
        scores = None if run is None else lambda: self.scores(run)[sentence]

        def make():
            return gradient_comparison(text, self.outcome(text, run), source, sentence, line, scores)

        return self._kept("views", ("gradient", text.key, run and run.id, source, sentence, line), make)

    def arcs(self, run: Run) -> ArcModel:
        """The model of a finished run. Takes as long as ``scores``."""
        return ScoredArcs(self.inputs_of(run)[1].distribution, self.scores(run))

    def _worth_work(self, run: Run) -> Work:
        return worth_work(self.inputs_of(run)[0], partial(self.new_attribution, run))
