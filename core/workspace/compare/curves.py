"""The learning curve of a text, measured in the background: by trees, by words, by lines; whole, or as far as it came.

A run's points stand in its trace, so that a curve shows while it grows, and stays where somebody stopped it.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import NotRequired, TypedDict

from core.constraints.language.reading import ConstraintDocument
from core.errors import WorkbenchError
from core.evaluation import AccuracyCurve, Extrapolation, NotKnown, fit_curve
from core.experiments.curves import (
    LEARNERS,
    CurveLearner,
    CurvePoint,
    Material,
    checked_sizes,
    curve_of,
    default_sizes,
    learner_named,
    measure,
    prepare,
    trainings,
)
from core.jobs import Job, Snapshot
from core.store import Corpus, CorpusId, Run, RunKind
from core.workspace.registry import Systems
from core.workspace.task import CorpusTask, Work
from core.workspace.workspace import Workspace

KIND = "learning-curve"
MOST_DRAWS = 20


class CurveSettings(TypedDict):
    """The stored settings of a run: its plan, and its numbers of trainings and words."""

    corpus: NotRequired[CorpusId]
    begun_trees: NotRequired[bool]
    by: str
    learner: str
    sizes: list[int]
    draws: int
    trainings: int
    words: int


STORED = (RunKind(KIND, CurveSettings),)


@dataclass(frozen=True)
class CurvePlan:
    """The plan of a learning curve: ``by`` and ``learner`` as in ``core.experiments.curves``, and the number of draws.

    Empty ``sizes`` stand for the usual sizes of the text.
    """

    by: str = "trees"
    learner: str = "second-order"
    draws: int = 3
    seed: int = 0
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class CurveInputs:
    """The inputs of a curve: the corpus, its trees and constraints; ``material`` is prepared at first use."""

    corpus: Corpus
    hash: str
    constraint_text: str
    prepare: Callable[[], Material]

    @property
    def project(self) -> int:
        """The id of the project of ``corpus``."""
        return self.corpus.project

    @property
    def word_count(self) -> int:
        """The number of words that teach or are scored."""
        return sum(bank.token_count for bank in (self.material.trees, self.material.text, self.material.test))

    @cached_property
    def material(self) -> Material:
        """The sentences that teach and those that are scored. Raises WorkbenchError where there are too few."""
        return self.prepare()


@dataclass(frozen=True, eq=False)
class CurveView:
    """The measurements of a run so far.

    Attributes
    ----------
    run : int
    learner : CurveLearner
    curve : AccuracyCurve
        The sizes and draws that were reached.
    law : Extrapolation or NotKnown
    points, expected : int
        Trainings done, and trainings in all.
    words : int
        Words scored after each training.
    """

    run: int
    learner: CurveLearner
    curve: AccuracyCurve
    law: Extrapolation | NotKnown
    points: int
    expected: int
    words: int


def learners_by(by: str) -> dict[str, str]:
    """The learners of a unit: title by name."""
    return {learner.name: learner.title for learner in LEARNERS if learner.by == by}


class LearningCurve(CorpusTask[CurvePlan, CurveInputs]):
    """Measures how accurate a learner is after less and more of a text's trees, words or constraints."""

    kind = KIND
    changed = "the text or the lines of run {run} have changed since; measure a new curve"

    def __init__(self, systems: Systems):
        super().__init__(systems.workspace)
        self.systems = systems

    def usual_learner(self, corpus: Corpus, by: str) -> str:
        """The name of the learner where nobody chose: one that learns from lines only where there are some."""
        source = self.systems.learner(corpus).source(corpus)
        return learner_named(by, lines=bool(ConstraintDocument.from_text(source).constraints)).name

    def inputs(self, corpus: Corpus, plan: CurvePlan) -> CurveInputs:
        """The corpus under its gold trees, and its constraints if the learner uses them."""
        learner, system = learner_named(plan.by, plan.learner), self.systems.learner(corpus)
        lines = system.source(corpus) if learner.lines else ""
        tags = system.plan(corpus).tags if learner.lines else ""
        parts = [self.workspace.corpus_key(corpus), lines, tags]

        def material():
            text = self.workspace.treebank(corpus)
            constraints = {"lines": ConstraintDocument.from_text(lines).constraints, "tags": tags}
            return prepare(text, learner, **(constraints if learner.lines else {}))

        return CurveInputs(corpus, hashlib.sha256(json.dumps(parts).encode()).hexdigest(), lines, material)

    def is_on(self, run: Run, inputs: CurveInputs) -> bool:
        return run.corpus == inputs.corpus.id and run.constraint_text == inputs.constraint_text

    def plan_of(self, run: Run) -> CurvePlan:
        names = ("by", "learner", "draws", "seed")
        return CurvePlan(**{name: run.settings[name] for name in names}, sizes=tuple(run.settings["sizes"]))

    def prepared(self, inputs: CurveInputs, plan: CurvePlan) -> tuple[CurveInputs, CurvePlan]:
        """The plan with its sizes filled in. Raises WorkbenchError for too small a text, and too few or many draws."""
        if not 1 <= plan.draws <= MOST_DRAWS:
            raise WorkbenchError(
                f"a curve takes 1 to {MOST_DRAWS} draws here, got {plan.draws}; the command takes more"
            )
        sizes = plan.sizes or default_sizes(plan.by, inputs.material.total)
        return inputs, replace(plan, sizes=tuple(checked_sizes(inputs.material, sizes)))

    def recorded(self, inputs: CurveInputs, plan: CurvePlan) -> dict:
        return {
            **self.workspace.recorded(inputs.corpus), **asdict(plan), "sizes": list(plan.sizes),
            "trainings": len(trainings(inputs.material, plan.sizes, plan.draws)), "words": inputs.material.scored_words,
        }  # fmt: skip

    def work(self, inputs: CurveInputs, plan: CurvePlan) -> Work:
        material = inputs.material
        expected = len(trainings(material, plan.sizes, plan.draws))

        def work(job: Job):
            points = [] if job.resumed is None else [CurvePoint(*values) for values in json.loads(job.resumed)]

            def to_bytes():
                return json.dumps([[point.size, point.draw, point.accuracy] for point in points]).encode()

            def progress(point):
                points.append(point)
                figures = {"size": point.size, "draw": point.draw, "accuracy": point.accuracy}
                job.report(len(points), len(points) / expected, figures)
                job.checkpoint(to_bytes())

            curve = measure(
                material, plan.sizes, plan.draws, seed=plan.seed, known=tuple(points), progress=progress,
                cancel=job.cancelled,
            ).curve  # fmt: skip
            means = curve.measured().means()
            figures = {"accuracy": float(means[-1]), "trainings": len(points)} if len(means) else {}
            return figures, to_bytes()

        return work

    def of(self, corpus: Corpus, by: str, learner: str) -> list[Run]:
        """Runs of a learner on a Corpus as it stands, constraints included, newest first."""
        inputs = self.inputs(corpus, CurvePlan(by, learner))
        return self.runs(corpus.project, inputs, corpus=corpus.id, by=by, learner=learner)

    def latest(self, corpus: Corpus, by: str, learner: str) -> CurveView | None:
        """The CurveView of the newest of these runs that has a point; None if none has."""
        views = (curve_view(self.workspace, run) for run in self.of(corpus, by, learner))
        return next((view for view in views if view is not None), None)


def curve_view(workspace: Workspace, run: Run) -> CurveView | None:
    """The CurveView of a Run; None before its first point."""
    points = tuple(
        CurvePoint(entry["size"], entry["draw"], entry["accuracy"])
        for entry in workspace.jobs.trace(run.id)
        if "accuracy" in entry
    )
    if not points:
        return None
    settings = run.settings
    learner = learner_named(settings["by"], settings["learner"])
    drawn = learner.by, tuple(settings["sizes"]), settings["draws"], points

    def fit():
        curve = curve_of(*drawn).measured()
        return curve, fit_curve(curve)

    curve, law = workspace.cache.get("fits", drawn, fit)
    return CurveView(run.id, learner, curve, law, len(points), settings["trainings"], settings["words"])


def training_words(snapshot: Snapshot) -> str:
    """The last training of a running job, in words."""
    figures = snapshot.figures
    if not figures:
        return "First training"
    return (
        f"{snapshot.iteration} trained: {figures['accuracy']:.1f}% at {figures['size']:,}, draw {figures['draw'] + 1}"
    )
