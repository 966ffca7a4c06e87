"""Pictures of the papers' figures: our rows, and the points that the papers' texts state."""

from collections.abc import Callable, Sequence

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.draw.plot import PlotPicture, PlotSeries
from core.draw.scene import Scene, stacked
from core.treebank import Sentence

Pictured = Callable[[str], str]  # theme -> SVG text
PRESET = "paper"  # whose curves stand beside the paper's
SUPERVISED = "supervised"


def curve(
    rows: Sequence[dict], name: str, wanted: Callable[[dict], int | None], key: str = "ours"
) -> PlotSeries | None:
    """The rows for which ``wanted`` returns a number, as points over it; None if there is none."""
    points = sorted((number, row[key]) for row in rows if row[key] is not None and (number := wanted(row)) is not None)
    return PlotSeries(name, tuple(points)) if points else None


def plotted(
    title: str, across: str, up: str, series: Sequence[PlotSeries | None], levels: Sequence[tuple] = ()
) -> Pictured | None:
    """A picture of the series that there are; None where there is none of ours."""
    known = tuple(each for each in series if each is not None)
    if all(each.stated for each in known):
        return None
    return PlotPicture(title, across, up, known, tuple(levels)).svg


def changed_trees(title: str, changes: Sequence[tuple[Sentence, np.ndarray, np.ndarray]]) -> Pictured | None:
    """Sentences one under the other, with the heads that changed: (sentence, heads before, heads after) of each."""
    if not changes:
        return None

    def draw(theme: str) -> str:
        pictures = [ArcPicture(("", *each.forms[1:]), _arcs(*heads)).scene(theme) for each, *heads in changes]
        top = Scene(pictures[0].width, 28, theme)
        top.headline(8, 20, f"{title}: dashed after, dotted before", 15, top.width - 16)
        words = "; ".join(" ".join(each.forms[1:]) for each, *_ in changes)
        return stacked([top, *pictures]).svg(title, f"{title}: {words}")

    return draw


def _arcs(before, after):
    """The arcs of a tree after a change, and those that were in their place."""
    arcs = []
    for word in range(1, len(after)):
        moved = before[word] != after[word]
        arcs.append(Arc(int(after[word]), word, kind="changed" if moved else "plain"))
        if moved:
            arcs.append(Arc(int(before[word]), word, kind="former"))
    return tuple(arcs)
