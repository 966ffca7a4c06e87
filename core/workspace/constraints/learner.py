"""Parsers learnt from constraints as systems of the workbench: what all such learners share.

The constraint set of a text, the changes of a run, questions and proposals are the same for all. Each learner defines
how its texts are cut, how it trains, and how a trained model scores arcs.
"""

import json
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, TypeVar, cast

import numpy as np

from core.callbacks import Cancel
from core.constraints import Constraint, Matcher
from core.constraints.authoring.preview import ArcModel, Preview, preview
from core.constraints.authoring.proposals import Proposal
from core.constraints.matching.matcher import Matches
from core.errors import WorkbenchError
from core.store import Corpus, Run
from core.treebank import Treebank
from core.workspace.checks import Checks
from core.workspace.constraints.ablation import Ablation, read_ablation
from core.workspace.constraints.answers import plan_commands
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.coverage import conflicts
from core.workspace.constraints.files import parser_files
from core.workspace.constraints.inputs import (
    ConstraintInputs,
    ConstraintOutcome,
    constraint_set,
    read_outcome,
    untrained,
)
from core.workspace.constraints.known_trees import (
    Known,
    KnownTrees,
    known_heads,
    known_trees,
    learnt_from,
    trees_by_hand,
    trees_key,
)  # fmt: skip
from core.workspace.constraints.plan import ConstraintPlan, taught_by
from core.workspace.constraints.proposals import Hint, proposals, untrained_arcs
from core.workspace.constraints.results import (
    Mistakes,
    TreeChanges,
    compare,
    mistakes,
    other_settings,
    score,
    tags_changed,
)
from core.workspace.constraints.trained_version import TrainedVersion
from core.workspace.corpora import short_sentences, words_digest
from core.workspace.scored_text import scored_text
from core.workspace.scoring import Score, recorded_accuracy, score_figures
from core.workspace.system import NONE, System, Work, counting_learnt
from core.workspace.task import Task

PATIENCE = 0.25  # seconds that a page waits for a result in the background, rather than be drawn twice
PlanT = TypeVar("PlanT", bound=ConstraintPlan)


class LearningSystem(System[PlanT, ConstraintInputs, ConstraintOutcome]):
    """Constraints over the sentences of a corpus, and the parsers trained from them.

    Attributes
    ----------
    name : str
        The title of the learner.
    objective : str
        The objective of training, in words.
    has_gradient : bool
        Whether the learner has ``gradient``.
    """

    name: ClassVar[str]
    objective: ClassVar[str] = "objective"
    has_gradient: ClassVar[bool] = False
    plan_class: ClassVar[type[ConstraintPlan]]
    _cut: ClassVar[tuple[str, ...]] = ()  # part of the key of a text: how its sentences are cut
    page = "constraints"
    gives_entropies = True

    # What each learner defines

    @staticmethod
    @abstractmethod
    def usable(treebank: Treebank, tags: str) -> Treebank:
        """The sentences that tags of that column let be learnt from, as the learner sees them.

        Raises WorkbenchError where there is none.
        """

    @abstractmethod
    def arcs(self, run: Run) -> ArcModel:
        """The model of a finished run, to which log-weights of arcs can be added. Seconds where the text is large."""

    @abstractmethod
    def ablation_work(self, text: ConstraintInputs, run: Run) -> Work:
        """Measures a finished run without each of its constraints, on the text that it was trained on."""

    def keeps_learnt(self, run: Run) -> bool:
        """Whether ablation leaves out multipliers alone, and the model of a run keeps what it has learnt."""
        return False

    # Further tasks

    @property
    def version(self) -> "TrainedVersion[PlanT]":
        """Trains versions of the set to compare them, which the page does not show as trained."""
        return TrainedVersion(self, f"{self.kind}-version")

    @property
    def ablation(self) -> "AblationTask":
        """Measures a finished run without each of its constraints."""
        return AblationTask(self)

    @property
    def further(self) -> tuple[Task, ...]:
        return self.version, self.ablation

    # Settings and texts

    def save_settings(self, corpus: Corpus, settings: PlanT) -> None:
        """Store training settings with the project, undoably."""
        self.save(corpus, "changing what is trained on", **settings.as_dict())

    def save(self, corpus: Corpus, label: str, **changes: object) -> PlanT:
        before = self.plan(corpus)
        commands = plan_commands(self.store, corpus, before, before.with_values(**changes), self.document)
        self.store.execute(corpus.project, *commands, label=label)
        return before

    def inputs(self, corpus: Corpus, plan: PlanT) -> ConstraintInputs:
        """The text that settings let in, with the constraints as they stand.

        Raises WorkbenchError where no sentence is short enough, or no word has a tag.
        """
        chosen = [*plan.selection, *filter(None, [self.untagged_sentences(corpus, plan.tags)]), *self._cut]
        key, read_key = (
            json.dumps([name(corpus), *chosen]) for name in (self.workspace.corpus_key, self.workspace.read_key)
        )

        def make():
            treebank = short_sentences(self.sentences(corpus, plan.tags), plan.max_length)
            words = words_digest([self.workspace.words_key(corpus), *plan.selection, *self._cut], treebank)
            return treebank, Matcher(treebank, plan.tags), self.whole(self.workspace.treebank(corpus), treebank), words

        treebank, matcher, whole, words = self.cached("texts", key, make)
        return ConstraintInputs(
            corpus=corpus, key=key, read=read_key, words=words, treebank=treebank, settings=plan, matcher=matcher,
            whole=whole, constraint_set=constraint_set(self.workspace, self.source(corpus), matcher),
        )  # fmt: skip

    @staticmethod
    def whole(bank: Treebank, treebank: Treebank) -> Treebank | None:
        """The sentences ``treebank`` that ``usable`` took from ``bank``, with their punctuation; None if it has it."""
        return None

    def text(self, corpus: Corpus, settings: PlanT | None = None) -> ConstraintInputs:
        """The text of a corpus under settings, by default its own. Raises as ``inputs``."""
        return self.inputs(corpus, settings or self.plan(corpus))

    def source(self, corpus: Corpus) -> str:
        """The constraint set of a Corpus as it stands now."""
        return constraint_text(self.store, corpus, self.workspace.treebank(corpus))

    def sentences(self, corpus: Corpus, tags: str) -> Treebank:
        """The ``usable`` sentences of a Corpus, kept."""
        make = partial(self.usable, self.workspace.treebank(corpus), tags)
        return self.cached("usable", (self.workspace.corpus_key(corpus), tags), make)

    def untagged_sentences(self, corpus: Corpus, tags: str) -> int:
        """How many sentences of a Corpus lack tags and are left out of training."""
        return len(self.workspace.treebank(corpus)) - len(self.sentences(corpus, tags))

    def known_trees(self, text: ConstraintInputs) -> KnownTrees | None:
        """The trees to learn from beside the constraints, or None. Raises as ``known_trees.known_trees``."""
        key = trees_key(self.workspace, text)
        return None if key is None else self.cached("trees", key, lambda: known_trees(self.workspace, text))

    def learnt_by(self, text: ConstraintInputs) -> np.ndarray:
        """The sentences whose trees training on a text, or the run that it begins from, learns from; as ``learnt``."""
        learnt = learnt_from(self.workspace, text, self.known_trees(text))
        return learnt if text.start is None else np.union1d(learnt, self.learnt(self.store.run(text.start)))

    @staticmethod
    def takes_own_trees(run: Run) -> bool:
        return any(map(run.settings.get, ("marked", "corrections", "trees")))

    def _learnt_as_recorded(self, run: Run) -> np.ndarray:
        """The sentences of a run that did not record them, by its settings; all annotated by now count as manual."""
        plan, start = self.plan_of(run), run.settings.get("start")
        if not (plan.marked or plan.corrections or plan.treebank is not None):
            return NONE if start is None else self.learnt(self.store.run(start))
        return self.learnt_by(self.inputs_of(run)[0])

    def brackets(self, text: ConstraintInputs) -> list:
        """``text.brackets``, kept."""
        return self.cached("views", ("brackets", text.key), lambda: text.brackets)

    def matches(self, text: ConstraintInputs, source: str) -> Matches:
        """The Matches of all constraints of a set that can be read."""
        key, edited = (text.read, source), text.with_set(self.workspace, source)
        return self.cached("matches", key, lambda: edited.constraint_set.matches)

    def conflicts(self, text: ConstraintInputs, source: str) -> list | None:
        """The conflicts of a set, worked out in the background: None until they are known."""
        key = (text.read, text.settings.distribution, source)
        checks = self.cached("checks", text.corpus.id, Checks)  # a text's new question ends no other text's
        return checks.ask(key, lambda cancel: conflicts(text.with_set(self.workspace, source), cancel), PATIENCE)

    # Runs

    def train(self, text: ConstraintInputs, source: str) -> int:
        """Begin to train on a text from a set, in place of a run under way; returns the run's id.

        Raises ConstraintError for the first thing that refuses to train, WorkbenchError for trees that cannot be
        learned.
        """
        return self.start(text.with_set(self.workspace, source), cast(PlanT, text.settings))

    def prepared(self, inputs: ConstraintInputs, plan: PlanT) -> tuple[ConstraintInputs, PlanT]:
        """The inputs with the run to begin from. Raises WorkbenchError for inputs that cannot be trained on."""
        self.require_trainable(inputs.constraint_set.required(), plan)
        self.known_trees(inputs)
        if plan.brackets != "none" and not any(self.brackets(inputs)):
            raise WorkbenchError("this text has no mark-up to respect; in Settings, Trees, choose None for Brackets")
        return replace(inputs, start=self._start(inputs, plan)), plan

    def _start(self, inputs, plan):
        """The number of the newest run, if training can begin from its model; else None."""
        last = self.newest(inputs) if plan.warm else None
        if last is None or self.plan_class.from_dict(last.settings).shape != plan.shape:
            return None
        try:
            return last.id if self.continues(self.load(last), inputs) else None
        except WorkbenchError:  # what it left cannot be read: training begins anew
            return None

    def continues(self, former: ConstraintOutcome, inputs: ConstraintInputs) -> bool:
        """Whether training on a text can begin from the model of a former outcome on the same words."""
        return not tags_changed(inputs, former)

    def require_trainable(self, constraints: Sequence[Constraint], plan: PlanT) -> None:
        """Raise WorkbenchError unless a set can be trained on under a plan."""
        if not constraints:
            raise WorkbenchError("there are no constraints to train on; write at least one")

    def recorded(self, inputs: ConstraintInputs, plan: PlanT) -> dict:
        return super().recorded(inputs, plan) | {"start": inputs.start}

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """The work and texts of a run; the text of an ablation is called ``text`` alone."""
        work, texts = super().repeated(run)
        return work, {"text": texts["training text"]} if run.kind == self.ablation.kind else texts

    def inputs_of(self, run: Run) -> tuple[ConstraintInputs, PlanT]:
        """The text with the set that a run was trained from. Raises WorkbenchError where its sentences are others."""
        text, plan = super().inputs_of(run)
        return replace(text.with_set(self.workspace, run.constraint_text), start=run.settings.get("start")), plan

    def train_on_corrections(self, corpus: Corpus) -> int:
        """Train on a Corpus from its set and the trees that were corrected, and store that they are learnt from.

        Returns the run's id. Raises as ``train``; WorkbenchError where none is corrected and done.
        """
        plan = self.plan(corpus)
        chosen = replace(plan, corrections=True)
        trees_by_hand(self.workspace, corpus)
        number = self.train(self.text(corpus, chosen), self.source(corpus))
        if chosen != plan:
            self.save_settings(corpus, chosen)
        return number

    def follow(self, text: ConstraintInputs, source: str) -> int | None:
        """Train anew where ``is_behind``; returns the run's id, or None. Raises as ``train``."""
        return self.train(text, source) if self.is_behind(text, source) else None

    def is_behind(self, text: ConstraintInputs, source: str) -> bool:
        """Whether the newest run on a text, finished or not, has another set or other settings, or there is none."""
        newest = next(iter(self.runs(text.corpus.project, text)), None)
        return newest is None or newest.constraint_text != source or bool(other_settings(newest, text))

    def newest(self, text: ConstraintInputs, before: int | None = None) -> Run | None:
        """The newest run on a text that left trees (older than run ``before``), or None."""
        return next((run for run in self.finished(text) if before is None or run.id < before), None)

    def has_outcome(self, run: Run) -> bool:
        """Whether a run left trees: it was done, or cancelled after it had begun."""
        return run.status in ("done", "cancelled") and "expectations" in run.figures

    def parts(self, run: Run) -> dict[str, str]:
        return {"": taught_by(run) or self.name} if self.has_outcome(run) else {}

    def with_score(self, run: Run) -> Run:
        """A Run whose figures hold its score, which is worked out for runs of versions that did not record it.

        The Run is unchanged where there is nothing to score, and without a score where the text has changed since.
        """
        if "learnt" in run.figures.get("model", ()) or not self.has_outcome(run):
            return run
        try:
            outcome = self.load(run)
        except WorkbenchError:
            return counting_learnt(run) if len(self.learnt(run)) else run
        known, learnt = scored_text(self.workspace.as_of(run), outcome.inputs.corpus), self.learnt(run)
        scored = score(known, outcome.inputs, outcome, learnt)
        return replace(run, figures=run.figures | score_figures(scored, learnt))

    # What runs left

    def read(self, run: Run, inputs: ConstraintInputs, plan: PlanT, data: bytes) -> ConstraintOutcome:
        files = parser_files(self.workspace, inputs.corpus, run, partial(self.labelled_parser, run))
        return replace(read_outcome(data, run, inputs, self.kind), files=files)

    def outcome(self, text: ConstraintInputs, run: Run | None = None) -> ConstraintOutcome:
        """The outcome of a finished run, or what training on a text begins with."""
        if run is not None:
            return self.load(run)
        return replace(self.first_outcome(text), inputs=text)

    def first_outcome(self, text: ConstraintInputs, cancel: Cancel | None = None) -> ConstraintOutcome:
        """The outcome before anything is trained on a text: here of the untrained model."""
        return self.cached("changes", (text.read, text.settings.distribution), lambda: untrained(text))

    def has_first(self, text: ConstraintInputs, run: Run | None) -> bool:
        """Whether the trees that ``change`` needs, besides those of runs, are there; else they are begun."""
        return True

    def change(self, text: ConstraintInputs, run: Run | None, former: Run | None = None) -> TreeChanges:
        """The TreeChanges that a run made, from run ``former`` or else from the run before it or the untrained model;
        without a run, none."""
        former = former or (run and self.newest(text, before=run.id))
        outcomes = self.outcome(text, former), self.outcome(text, run)
        saved = self.store.last_saved(text.corpus.project)  # a draw, or a tree marked done, are conditions of scores
        key = ("change", text.key, *(outcome.key for outcome in outcomes), saved)

        def make():
            learnt = [self.learnt(trained) for trained in (former, run) if trained is not None]
            return compare(scored_text(self.workspace, text.corpus), text, *outcomes, np.concatenate([NONE, *learnt]))

        return self.cached("changes", key, make)

    def score(self, text: ConstraintInputs, outcome: ConstraintOutcome) -> Score:
        """The Score of an Outcome on a text, without what its parser has learnt from."""
        learnt = NONE if outcome.run is None else self.learnt(outcome.run)
        key = ("score", text.key, outcome.key, self.store.last_saved(text.corpus.project))
        make = partial(scored_text, self.workspace, text.corpus)
        return self.cached("views", key, lambda: score(make(), text, outcome, learnt))

    def left_out(self, run: Run, whole: Treebank) -> np.ndarray:
        """The usable sentences, of any length, that were not trained on."""
        if not self.has_outcome(run):
            return super().left_out(run, whole)
        text, plan = self.inputs_of(run)
        return np.isin(whole.picks, self.usable(whole, plan.tags).picks) & ~np.isin(whole.picks, text.treebank.picks)

    def known(self, text: ConstraintInputs) -> Known | None:
        """The trees that a model of a text is scored against, or None."""
        return known_heads(self.workspace, text)

    def unseen(self, known: Known, outcome: ConstraintOutcome) -> Known:
        """The Known trees without those that the parser of an outcome has learnt from."""
        run, key = outcome.run, ("unseen", known.text.key, known.key, outcome.number)
        return known if run is None else self.cached("views", key, lambda: known.without(self.learnt(run)))

    def mistakes(self, known: Known, outcome: ConstraintOutcome) -> Mistakes:
        """The Mistakes of an Outcome against what is Known of its text."""
        key = ("mistakes", known.text.key, known.key, outcome.key)
        return self.cached("views", key, lambda: mistakes(known, outcome.heads))

    def proposals(self, known: Known, source: str, outcome: ConstraintOutcome) -> list[Proposal]:
        """Constraints that would have prevented errors of an outcome, besides those of a set, best first."""
        key = ("proposals", known.text.key, known.key, source, outcome.key)
        model = partial(self._arcs_of, known.text, outcome.run)
        current_set = known.text.with_set(self.workspace, source).constraint_set
        return self.cached("views", key, lambda: proposals(known, current_set.constraints, outcome, model))

    def preview(self, text: ConstraintInputs, run: Run | None, line: Constraint) -> Preview:
        """The Preview of one more constraint in the trees of a run on a text, or of what training begins with."""
        key = ("preview", text.key, self.outcome(text, run).key, line)
        return self.cached("views", key, lambda: preview(self._arcs_of(text, run), text.matcher, line))

    def _arcs_of(self, text, run):
        return self.first_arcs(text) if run is None else self.arcs(run)

    def first_arcs(self, text: ConstraintInputs) -> ArcModel:
        """The model of ``first_outcome``."""
        return untrained_arcs(text)

    def hint(self, corpus: Corpus, text: ConstraintInputs, constraint: Constraint) -> Hint:
        """The Hint of another Corpus on a Constraint. Raises WorkbenchError where it lacks the tags of the text."""
        coverage = self.text(corpus, cast(PlanT, self.plan_class(text.settings.tags))).matcher.counts([constraint])[0]
        return Hint(corpus.name, coverage.edges, coverage.known_denominator)

    def figures(self, run: Run) -> dict[str, str]:
        figures = self.with_score(run).figures
        shown = {"UAS, no punctuation": recorded_accuracy(figures.get("model"))}
        if "objective" in figures:
            shown[self.objective] = f"{figures['objective']:.4g}"
        if "iterations" in figures:
            end = f" ({figures['end']})" if figures.get("end") else ""
            shown["iterations"] = f"{figures['iterations']}{end}"
        return shown


class AblationTask(Task[Run, ConstraintInputs]):
    """Measures a finished run, the plan, without each of its constraints."""

    def __init__(self, learner: LearningSystem):
        super().__init__(learner.workspace)
        self.learner, self.kind, self.warming = learner, f"{learner.kind}-worth", learner.warming

    def recorded(self, inputs: ConstraintInputs, plan: Run) -> dict:
        return {"corpus": inputs.corpus.id, "of": plan.id}

    def inputs_of(self, run: Run) -> tuple[ConstraintInputs, Run]:
        judged = self.store.run(run.settings["of"])
        return self.learner.inputs_of(judged)[0], judged

    def work(self, inputs: ConstraintInputs, plan: Run) -> Work:
        return self.learner.ablation_work(inputs, plan)

    def start_for(self, run: Run) -> int:
        """Begin to measure a finished run; returns the job's run id. Raises as ``inputs_of``."""
        return self.start(self.learner.inputs_of(run)[0], run)

    def latest(self, run: Run) -> tuple[Ablation | None, Run | None]:
        """(its Ablation or None, the newest Run of the ablation or None) of a finished run."""
        job = next(iter(self.runs(run.project, of=run.id)), None)
        if job is None or job.status != "done":
            return None, job
        make = partial(read_ablation, self.store.result_bytes(job.id) or b"", job.constraint_text)
        return self.learner.cached("views", ("ablation", job.id), make), job
