"""Accuracy of several ways to parse by how much each was given: a panel for each text, means with their intervals."""

import math
from dataclasses import dataclass

from core.draw.scene import Scene, beside, fitted

STYLES = (("predicted", "7 4", "square"), ("gold", "", "circle"), ("supported", "2 4", ""))  # more begin again
WIDTH, HEIGHT = 380.0, 340.0
STEPS = (1, 2, 5, 10, 20)  # points of accuracy between two lines of the grid
MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Series:
    """A way to parse.

    Attributes
    ----------
    name : str
    values : tuple of float or None
        In percent, one for each size of the panel; None leaves a gap.
    widths : tuple of float or None
        Half the interval around each; None where it is not known.
    """

    name: str
    values: tuple
    widths: tuple

    @property
    def ends(self) -> list[float]:
        """The lowest and the highest that is drawn, of each size."""
        pairs = [(value, width or 0.0) for value, width in zip(self.values, self.widths, strict=True) if value]
        return [value + sign * width for value, width in pairs for sign in (-1, 1)]


@dataclass(frozen=True, slots=True)
class SizesPicture:
    """A panel: sizes on a logarithmic axis, one line a way; a way with the same value throughout is level.

    Attributes
    ----------
    title, unit : str
        What stands above, and below the sizes.
    sizes : tuple of int
        Rising, one at least.
    series : tuple of Series
        With one value at least.
    """

    title: str
    unit: str
    sizes: tuple
    series: tuple

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        scene = Scene(width, HEIGHT, theme)
        scene.headline(8, 20, self.title, 15, width - 16)
        x = 8.0
        for number, series in enumerate(self.series):
            y = 42.0 + 18 * number
            color, dash, shape = STYLES[number % len(STYLES)]
            scene.line(x, y - 4, x + 28, y - 4, color, 2.2, dash=dash)
            scene.marker(x + 14, y - 4, color, shape)
            scene.text(x + 36, y, series.name, fitted(series.name, 12.5, width - 52), "quiet", "start")
        self._plot(scene, 42.0, width - 18.0, 64.0 + 18 * len(self.series), HEIGHT - 44.0)
        return scene

    def _plot(self, scene, left, right, top, bottom):
        ends = [end for series in self.series for end in series.ends]
        step = next((step for step in STEPS if max(ends) - min(ends) <= step * (MOST_LINES - 2)), STEPS[-1])
        low, high = step * math.floor(min(ends) / step), step * math.ceil(max(ends) / step + 1e-9)
        high = max(high, low + step)
        reach = math.log(self.sizes[-1] / self.sizes[0]) or 1.0

        def at(size, value):
            share = math.log(size / self.sizes[0]) / reach
            return left + 14 + (right - left - 28) * share, bottom - (bottom - top) * (value - low) / (high - low)

        for value in range(low, high + 1, step):
            y = at(self.sizes[0], value)[1]
            scene.grid_line(left, right, y)
            scene.text(left - 6, y + 4, f"{value}", 12, "quiet", "end")
        scene.text(8, top - 12, "% right", 12, "ink", "start")
        for size in self.sizes:
            scene.text(at(size, low)[0], bottom + 18, f"{size:,}", 12, "quiet")
        scene.text((left + right) / 2, bottom + 36, self.unit, 12.5, "ink")
        for number, series in enumerate(self.series):
            color, dash, shape = STYLES[number % len(STYLES)]
            measured = zip(self.sizes, series.values, series.widths, strict=True)
            known = [(size, value, width) for size, value, width in measured if value is not None]
            points = [at(size, value) for size, value, _ in known]
            scene.path("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points), color, 2.2, dash=dash)
            for size, value, width in known:
                if width:
                    (x, lower), (_, upper) = at(size, value - width), at(size, value + width)
                    scene.line(x, lower, x, upper, color, 1.4)
            for x, y in points:
                scene.marker(x, y, color, shape)


def sizes_svg(pictures: list[SizesPicture], title: str, *, theme: str = "light") -> str:
    """Panels side by side as SVG text, their figures in words for who does not see them.

    Raises WorkbenchError for an unknown theme.
    """
    descriptions = []
    for picture in pictures:
        parts = []
        for series in picture.series:
            pairs = zip(picture.sizes, series.values, strict=True)
            parts.append(f"{series.name} {', '.join(f'{size:,}: {value:.1f}' for size, value in pairs if value)}")
        descriptions.append(f"{picture.title}, by {picture.unit}: {'; '.join(parts)}")
    return beside([picture.scene(theme) for picture in pictures], 18).svg(title, "; ".join(descriptions))
