"""The points of a learning curve: a learner trained on nested draws, its trees scored; stopped and gone on with."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError
from core.evaluation import AccuracyCurve, attachment_scores
from core.experiments.curves.material import Material


@dataclass(frozen=True)
class CurvePoint:
    """One training: the accuracy in percent of draw ``draw``, from 0, at a size."""

    size: int
    draw: int
    accuracy: float


@dataclass(frozen=True, eq=False)
class MeasuredCurve:
    """Accuracies of a learner by size and draw, and how they were measured.

    Attributes
    ----------
    curve : AccuracyCurve
        NaN where a training was not reached.
    points : tuple of CurvePoint
        In the order in which they were measured.
    words : int
        Words scored in each.
    complete : bool
        False where it was stopped before the end.
    """

    curve: AccuracyCurve
    points: tuple[CurvePoint, ...]
    words: int
    complete: bool


def measure(
    material: Material, sizes: Sequence[int], draws: int = 3, *, seed: int = 0, known: Sequence[CurvePoint] = (),
    progress: Callable[[CurvePoint], object] | None = None, cancel: Cancel | None = None,
) -> MeasuredCurve:  # fmt: skip
    """Train and score at each size of each draw.

    Parameters
    ----------
    material : Material
    sizes : sequence of int
        Rising, of the learner's unit, at most what there is.
    draws : int, default=3
        Each a random order of its own, of which a size takes the first: a larger one holds the smaller. All there is
        is the same in every order, and measured once.
    seed : int
        The same seed gives the same points.
    known : sequence of CurvePoint
        Of an earlier call with the same arguments, which was stopped: they are not measured again.
    progress : callable, optional
        Called with each new CurvePoint.
    cancel : callable, optional
        Asked between trainings and within them; the training under way is given up.

    Returns
    -------
    Measured

    Raises
    ------
    WorkbenchError : sizes that do not rise, are not positive or are more than there is; no draw; what the learner
        raises, with size and draw.

    Notes
    -----
    Heads of punctuation are not scored. Draw by draw, so that a whole curve, of one draw, is there early.
    """
    sizes = checked_sizes(material, sizes)
    if draws < 1:
        raise WorkbenchError(f"a curve needs at least one draw, got {draws}")
    cancel = cancel or (lambda: False)
    points = list(known)
    reached = {(point.size, point.draw) for point in points}
    if not material.scored_words:
        raise WorkbenchError("the text to score on has heads of punctuation alone; give a text with trees")
    for size, draw in trainings(material, sizes, draws):
        if (size, draw) in reached:
            continue
        accuracy = None if cancel() else trained_accuracy(material, size, draw, seed, cancel)
        if accuracy is None:
            break
        points.append(CurvePoint(size, draw, accuracy))
        if progress is not None:
            progress(points[-1])
    is_complete = {(point.size, point.draw) for point in points}.issuperset(trainings(material, sizes, draws))
    curve = curve_of(material.learner.by, sizes, draws, points)
    return MeasuredCurve(curve, tuple(points), material.scored_words, is_complete)


def trainings(material: Material, sizes: Sequence[int], draws: int) -> list[tuple[int, int]]:
    """(size, draw) of each training, in order."""
    return [(size, draw) for draw in range(draws) for size in sizes if not draw or size < material.total]


def curve_of(by: str, sizes: Sequence[int], draws: int, points: Iterable[CurvePoint]) -> AccuracyCurve:
    """The AccuracyCurve of points measured at these sizes; NaN where a training was not reached."""
    accuracies = np.full((len(sizes), draws), np.nan)
    row = {size: at for at, size in enumerate(sizes)}
    for point in points:
        accuracies[row[point.size], point.draw] = point.accuracy
    return AccuracyCurve(np.array(sizes, float), accuracies, by)


def checked_sizes(material: Material, sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes as a tuple; WorkbenchError where they do not rise, are not positive or are more than there is."""
    by = material.learner.by
    sizes = tuple(int(size) for size in sizes)
    if not sizes or sizes[0] < 1 or any(later <= size for size, later in pairwise(sizes)):
        raise WorkbenchError(f"sizes must be whole numbers of at least 1 that rise, got {', '.join(map(str, sizes))}")
    if sizes[-1] > material.total:
        raise WorkbenchError(
            f"{sizes[-1]:,} {by} are asked for and there are {material.total:,} to learn from; take smaller sizes"
        )
    return sizes


def trained_accuracy(material: Material, size: int, draw: int, seed: int, cancel: Cancel) -> float | None:
    """The accuracy of one training, None where it was stopped."""
    try:
        parsed = material.learner.parse(material.portion(size, draw, seed, cancel))
    except Cancelled:
        return None
    except WorkbenchError as error:
        raise WorkbenchError(f"{size:,} {material.learner.by}, draw {draw + 1}: {error}") from error
    return None if cancel() else attachment_scores(material.test, parsed, punctuation=False).uas
