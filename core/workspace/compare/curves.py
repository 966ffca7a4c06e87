"""The learning curve of a text, measured in the background: by trees, by words, by lines; whole, or as far as it came.

A run's points stand in its trace, so that a curve shows while it grows, and stays where somebody stopped it.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.constraints.reading import ConstraintDocument
from core.errors import WorkbenchError
from core.evaluation import Curve, Extrapolation, NotKnown, fit_curve
from core.experiments.curves import (
    LEARNERS,
    Learner,
    Material,
    Point,
    checked_sizes,
    curve_of,
    default_sizes,
    learner_named,
    measure,
    prepare,
    trainings,
)
from core.jobs import Job, Snapshot
from core.store import Corpus, Run
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.registry import Systems
from core.workspace.system import Work
from core.workspace.workspace import Workspace

KIND = "learning-curve"
MOST_DRAWS = 20


@dataclass(frozen=True)
class CurvePlan:
    """What is measured: ``by`` and ``learner`` as ``core.experiments.curves`` names them, so many draws."""

    by: str = "trees"
    learner: str = "second-order"
    draws: int = 3
    seed: int = 0


@dataclass(frozen=True, eq=False)
class CurveView:
    """What a run has measured so far.

    Attributes
    ----------
    run : int
    learner : Learner
    curve : Curve
        Only sizes and draws that were reached.
    found : Extrapolation or NotKnown
    points, expected : int
        Trainings done, and of how many.
    words : int
        Words scored in each.
    """

    run: int
    learner: Learner
    curve: Curve
    found: Extrapolation | NotKnown
    points: int
    expected: int
    words: int

    @property
    def is_partial(self) -> bool:
        """Whether trainings are missing."""
        return self.points < self.expected


def learners_by(by: str) -> dict[str, str]:
    """The learners of a unit: title by name."""
    return {learner.name: learner.title for learner in LEARNERS if learner.by == by}


def usual_learner(systems: Systems, corpus: Corpus, by: str) -> str:
    """The name of the learner where nobody chose: one that learns from lines only where there are some."""
    return learner_named(by, lines=bool(_lines(systems, corpus))).name


def material_of(systems: Systems, corpus: Corpus, plan: CurvePlan) -> Material:
    """What a curve of a Corpus is made from: its own trees, those annotated by hand, the lines as they stand.

    Raises WorkbenchError where there is too little of something, as ``prepare``.
    """
    learner = learner_named(plan.by, plan.learner)
    text = _sentences(systems.workspace, corpus)
    if not learner.lines:
        return prepare(text, learner)
    system = systems.learner(corpus)
    return prepare(text, learner, lines=_lines(systems, corpus), tags=system.plan(corpus).tags)


def start_curve(systems: Systems, corpus: Corpus, plan: CurvePlan) -> int:
    """Begin to measure, in place of a curve under way in the project; returns the run's id.

    Raises as ``material_of``, and for draws that are none or too many.
    """
    if not 1 <= plan.draws <= MOST_DRAWS:
        raise WorkbenchError(f"a curve takes 1 to {MOST_DRAWS} draws here, got {plan.draws}; the command takes more")
    material = material_of(systems, corpus, plan)
    sizes = checked_sizes(material, default_sizes(plan.by, material.total))
    settings = {
        "corpus": corpus.id, "by": plan.by, "learner": plan.learner, "draws": plan.draws, "seed": plan.seed,
        "sizes": list(sizes), "trainings": len(trainings(material, sizes, plan.draws)),
        "words": material.scored_words,
    }  # fmt: skip
    return systems.workspace.jobs.start(
        corpus.project, KIND, settings, _work(material, sizes, plan), replace=True,
        constraint_text=systems.learner(corpus).source(corpus) if material.learner.lines else "",
        data_hash=_hash(systems, corpus, material.learner),
    )  # fmt: skip


def resume_curve(systems: Systems, run: Run) -> int:
    """Go on with a run that stopped half-way. Raises WorkbenchError where text or lines have changed since."""
    corpus, plan = systems.workspace.store.corpus(run.settings["corpus"]), plan_of(run)
    material = material_of(systems, corpus, plan)
    if _hash(systems, corpus, material.learner) != run.data_hash:
        raise WorkbenchError(f"the text or the lines of run {run.id} have changed since; measure a new curve")
    return systems.workspace.jobs.resume(run.id, _work(material, tuple(run.settings["sizes"]), plan))


def plan_of(run: Run) -> CurvePlan:
    """What a run measures."""
    return CurvePlan(**{name: run.settings[name] for name in ("by", "learner", "draws", "seed")})


def newest_curve(systems: Systems, corpus: Corpus, by: str, learner: str) -> Run | None:
    """The newest Run of a learner on a Corpus as it stands, lines included; None if there is none."""
    return next(_curves(systems, corpus, by, learner), None)


def newest_view(systems: Systems, corpus: Corpus, by: str, learner: str) -> CurveView | None:
    """What the newest of these Runs that has a point has measured so far; None if none has."""
    views = (curve_view(systems.workspace, run) for run in _curves(systems, corpus, by, learner))
    return next((view for view in views if view is not None), None)


def _curves(systems, corpus, by, learner) -> Iterator[Run]:
    """Runs of a learner on a Corpus as it stands, newest first."""
    wanted = (corpus.id, by, learner)
    data = _hash(systems, corpus, learner_named(by, learner))
    for run in systems.workspace.store.runs(corpus.project, KIND):
        same = (run.settings["corpus"], run.settings["by"], run.settings["learner"]) == wanted
        if same and run.data_hash == data:
            yield run


def curve_view(workspace: Workspace, run: Run) -> CurveView | None:
    """What a Run has measured so far; None before its first point."""
    points = tuple(
        Point(entry["size"], entry["draw"], entry["accuracy"])
        for entry in workspace.jobs.trace(run.id)
        if "accuracy" in entry
    )
    if not points:
        return None
    settings = run.settings
    learner = learner_named(settings["by"], settings["learner"])
    curve, found = _fitted(learner.by, tuple(settings["sizes"]), settings["draws"], points)
    return CurveView(run.id, learner, curve, found, len(points), settings["trainings"], settings["words"])


def training_words(snapshot: Snapshot) -> str:
    """What a run under way has done last."""
    figures = snapshot.figures
    if not figures:
        return "First training"
    return (
        f"{snapshot.iteration} trained: {figures['accuracy']:.1f} % at {figures['size']:,}, draw {figures['draw'] + 1}"
    )


@lru_cache(maxsize=32)
def _fitted(by, sizes, draws, points):
    curve = curve_of(by, sizes, draws, points).measured()
    return curve, fit_curve(curve)


def _sentences(workspace, corpus) -> Treebank:
    """The text, under the trees annotated by hand where there are some."""
    annotations = Annotations(workspace, corpus)
    return annotations.treebank() if annotations.annotations() else workspace.treebank(corpus)


def _lines(systems, corpus):
    return ConstraintDocument.from_text(systems.learner(corpus).source(corpus)).constraints


def _hash(systems, corpus, learner):
    """Names all that a curve is made from."""
    workspace = systems.workspace
    lines = systems.learner(corpus).source(corpus) if learner.lines else ""
    tags = systems.learner(corpus).plan(corpus).tags if learner.lines else ""
    parts = [workspace.corpus_key(corpus), Annotations(workspace, corpus).revision(), lines, tags]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _work(material: Material, sizes: Sequence[int], plan: CurvePlan) -> Work:
    expected = len(trainings(material, sizes, plan.draws))

    def work(job: Job):
        points = _from_bytes(job.resumed)

        def progress(point):
            points.append(point)
            figures = {"size": point.size, "draw": point.draw, "accuracy": point.accuracy}
            job.report(len(points), len(points) / expected, figures)
            job.checkpoint(_to_bytes(points))

        found = measure(
            material, sizes, plan.draws, seed=plan.seed, known=tuple(points), progress=progress, cancel=job.cancelled
        )
        means = found.curve.measured().means()
        figures = {"accuracy": float(means[-1]), "trainings": len(points)} if len(means) else {}
        return figures, _to_bytes(points)

    return work


def _to_bytes(points):
    return json.dumps([[point.size, point.draw, point.accuracy] for point in points]).encode()


def _from_bytes(data):
    return [] if data is None else [Point(*each) for each in json.loads(data)]
