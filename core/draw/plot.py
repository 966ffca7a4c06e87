"""Measured points and lines over a number, with the points and levels that a paper states: figures of papers."""

import math
from dataclasses import dataclass

from core.draw.scene import Scene, fitted

STYLES = (("predicted", "", "circle"), ("gold", "7 4", "square"), ("supported", "2 4", "triangle-up"))
STYLES += (("third", "9 3 2 3", "circle"),)
STATED = "changed"  # the colour of what a paper states
WIDTH, HEIGHT = 720.0, 400.0
STEPS = (1, 2, 2.5, 5, 10)  # between two lines of the grid, times a power of ten
MOST_LINES = 7
LEFT, RIGHT, BELOW = 58.0, 18.0, 52.0
NAMES, APART = 230.0, 14.0  # room beside the plot for the names of levels, and between two of them


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """Points of one kind.

    Attributes
    ----------
    name : str
    points : tuple of (float, float)
        In the order of their line; at least one.
    stated : bool
        Of a paper: diamonds without a line.
    joined : bool
        Whether a line joins the points.
    """

    name: str
    points: tuple
    stated: bool = False
    joined: bool = True


@dataclass(frozen=True, slots=True)
class PlotPicture:
    """Series over a linear axis.

    Attributes
    ----------
    title, across, up : str
        What stands above, under the horizontal axis, and above the vertical one, with the units.
    series : tuple of PlotSeries
        At least one; the first four of ours have signs of their own.
    levels : tuple of (str, float, bool)
        Horizontal lines, which are named beside the plot: what each is, where, and whether a paper states it.
    """

    title: str
    across: str
    up: str
    series: tuple
    levels: tuple = ()

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        rows = len(self.series)
        top = 60.0 + 18 * rows
        scene = Scene(width, HEIGHT + 18 * rows, theme)
        scene.headline(8, 20, self.title, 15, width - 16)
        styles = self._styles()
        for number, (series, (color, dash, shape)) in enumerate(zip(self.series, styles, strict=True)):
            self._entry(scene, number, series.name, color, dash if series.joined and not series.stated else None, shape)
        scene.text(8, top - 10, self.up, 12, "ink", "start")
        right = width - (NAMES if self.levels else RIGHT)
        self._plot(scene, styles, LEFT, right, top + 4, scene.height - BELOW)
        scene.text((LEFT + right) / 2, scene.height - 12, self.across, 12.5, "ink")
        return scene

    def _entry(self, scene, number, name, color, dash, shape):
        """A line of the legend; no line is drawn where ``dash`` is None."""
        y = 42.0 + 18 * number
        if dash is not None:
            scene.line(8, y - 4, 36, y - 4, color, 2.2, dash=dash)
        scene.marker(22, y - 4, color, shape)
        scene.text(44, y, name, fitted(name, 12.5, scene.width - 60), "quiet", "start")

    def _styles(self):
        """The colour, dashes and sign of each series."""
        ours = [index for index, series in enumerate(self.series) if not series.stated]
        signs = {index: STYLES[number % len(STYLES)] for number, index in enumerate(ours)}
        return [signs.get(index, (STATED, "", "diamond")) for index in range(len(self.series))]

    def _plot(self, scene, styles, left, right, top, bottom):
        points = [point for series in self.series for point in series.points]
        first, last, stride = _axis([x for x, _ in points])
        low, high, step = _axis([y for _, y in points] + [value for _, value, _ in self.levels])

        def at(x, y):
            across, up = (x - first) / (last - first), (y - low) / (high - low)
            return left + 10 + (right - left - 20) * across, bottom - (bottom - top) * up

        for value in _ticks(low, high, step):
            y = at(first, value)[1]
            scene.grid_line(left, right, y)
            scene.text(left - 6, y + 4, f"{value:g}", 12, "quiet", "end")
        for value in _ticks(first, last, stride):
            scene.text(at(value, low)[0], bottom + 18, f"{value:g}", 12, "quiet")
        levels = sorted(self.levels, key=lambda level: -level[1])
        heights = [at(first, value)[1] for _, value, _ in levels]
        for (name, _, stated), y, named in zip(levels, heights, _apart(heights, bottom), strict=True):
            color = STATED if stated else "quiet"
            scene.line(left, y, right, y, color, 1.4, dash="3 3")
            scene.line(right, y, right + 12, named, color, 1.0)
            scene.text(right + 16, named + 4, name, fitted(name, 11, scene.width - right - 20), color, "start")
        for series, style in zip(self.series, styles, strict=True):
            _draw_series(scene, series, [at(*point) for point in series.points], *style)

    @property
    def words(self) -> str:
        """The figures in words, for who does not see them."""
        parts = [f"{each.name} {', '.join(f'{x:g}: {y:.4g}' for x, y in each.points)}" for each in self.series]
        parts += [f"{name} {value:g}" for name, value, _ in self.levels]
        return f"{self.title}; {self.up} by {self.across}: {'; '.join(parts)}"

    def svg(self, theme: str = "light") -> str:
        """The picture as SVG text. Raises WorkbenchError for an unknown theme."""
        return self.scene(theme).svg(self.title, self.words)


def _draw_series(scene, series, places, color, dash, shape):
    """The line, if there is one, and the signs at these places."""
    if series.joined and not series.stated:
        scene.path("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in places), color, 2.2, dash=dash)
    for x, y in places:
        scene.marker(x, y, color, shape)


def _apart(heights, bottom):
    """Ascending heights moved so that names beside each other have room, the lowest not below the bottom."""
    places = []
    for y in heights:
        places.append(max(y, places[-1] + APART) if places else y)
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], bottom - APART * (len(places) - 1 - number))
    return places


def _axis(values):
    """(lowest, highest, step): an axis that holds the values, its ends on lines of the grid."""
    reach = (max(values) - min(values)) or abs(max(values)) or 1.0
    power = 10.0 ** math.floor(math.log10(reach / MOST_LINES))
    step = next(step * power for step in STEPS if reach / (step * power) <= MOST_LINES)
    low, high = math.floor(min(values) / step) * step, math.ceil(max(values) / step) * step
    return low, high if high > low else low + step, step


def _ticks(low, high, step):
    return [low + number * step for number in range(round((high - low) / step) + 1)]
