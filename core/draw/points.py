"""Named points of a plane, as arrows from its origin: what two directions say of words."""

import math
from dataclasses import dataclass

from core.draw.arcs import SMALL, WIDTH
from core.draw.scene import Scene, fitted

SIDE, EDGE = 346.0, 26.0  # of the square plot, and the room around it
APART = 18.0  # between two names
NAMED = int(SIDE // APART)  # names on a side


@dataclass(frozen=True, slots=True)
class PointsPicture:
    """Arrows to points.

    Attributes
    ----------
    title, across, up : str
        What stands above, and the names of the two axes.
    names : tuple of str
    points : tuple of (float, float)
        As many, finite.
    marks : tuple of (int, str)
        Points to point out, and the colour of the palette to do it in.
    """

    title: str
    across: str
    up: str
    names: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    marks: tuple[tuple[int, str], ...] = ()

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene: names stand beside the plot, on both sides, on lines to their points.

        Where a side has too many, those of the marked and of the longest arrows do, and it is said how many more.
        """
        wide = min(width, SIDE + 420.0)
        left, top, half = (wide - SIDE) / 2, 44.0, SIDE / 2
        scene = Scene(wide, top + SIDE + 10, theme)
        scene.headline(2, 18, self.title, 16, wide - 4)
        middle, level = left + half, top + half
        scene.line(left, level, left + SIDE, level, "quiet", 1)
        scene.line(middle, top, middle, top + SIDE, "quiet", 1)
        scene.text(left + SIDE, level + 18, self.across, SMALL, "quiet", "end")
        scene.text(middle + 8, top + 12, self.up, SMALL, "quiet", "start")
        reach = max((abs(value) for point in self.points for value in point), default=0.0) or 1.0
        places = [(middle + x / reach * (half - EDGE), level - y / reach * (half - EDGE)) for x, y in self.points]
        marks, more = dict(self.marks), 0
        for k, (x, y) in enumerate(places):
            color = marks.get(k, "plain")
            scene.line(middle, level, x, y, color, 2.4 if k in marks else 1.4)
            scene.dot(x, y, 5 if k in marks else 3.5, color)
        for side in (-1, 1):
            chosen = [k for k, (x, _) in enumerate(places) if (x >= middle) == (side > 0)]
            chosen.sort(key=lambda k: (k not in marks, -math.hypot(*self.points[k])))
            more += len(chosen[NAMED:])
            self._names(scene, sorted(chosen[:NAMED], key=lambda k: places[k][1]), places, side, left, top, marks)
        if more:
            scene.text(wide - 2, 18, f"{more} more names not drawn", SMALL, "quiet", "end")
        return scene

    def _names(self, scene, order, places, side, left, top, marks):
        """The names of one side, the highest point first; none stands on another."""
        y = top
        edge = left - 8 if side < 0 else left + SIDE + 8
        spare = scene.height - 10 - APART * len(order)
        for number, k in enumerate(order):
            x, at = places[k]
            y = max(y + APART, min(at, spare + APART * (number + 1)))
            scene.line(x, at, edge - 4 * side, y - 4, "quiet", 0.6, "2 4")
            size = fitted(self.names[k], SMALL, left - 16, bold=k in marks)
            scene.text(edge, y, self.names[k], size, marks.get(k, "ink"), "end" if side < 0 else "start",
                       serif=k not in marks, bold=k in marks)  # fmt: skip
