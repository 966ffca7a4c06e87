"""A learning curve: points with their spread, the fitted curve, and beyond the points its dashed course in a band."""

import math
from dataclasses import dataclass

import numpy as np

from core.draw.scene import Scene
from core.evaluation import AccuracyCurve, Extrapolation, NotKnown

BEYOND = 4.0  # times the largest size: as far as is drawn
STEPS = 60  # points of a curve
HEIGHT, REASON = 360.0, 28.0  # pixels, and of the line that says why nothing is extrapolated
TICKS = (1, 2, 5)  # and tens of them


@dataclass(frozen=True, eq=False)
class LearningCurvePicture:
    """The picture: sizes on a logarithmic axis, accuracy in percent.

    Attributes
    ----------
    curve : AccuracyCurve
        With at least one size measured.
    law : Extrapolation or NotKnown
        Of NotKnown the reason stands under the points.
    title : str
    """

    curve: AccuracyCurve
    law: Extrapolation | NotKnown
    title: str

    def scene(self, theme: str = "light", width: float = 640.0) -> Scene:
        """The picture as a Scene."""
        known = isinstance(self.law, Extrapolation)
        scene = Scene(width, HEIGHT if known else HEIGHT + REASON, theme)
        plot = _Plot(self, 58.0, width - 26.0, 92.0, HEIGHT - 46.0)
        scene.headline(10, 22, self.title, 16, width - 20)
        self._legend(scene)
        plot.axes(scene)
        if isinstance(self.law, Extrapolation):
            plot.band(scene, self.law)
            plot.course(scene, self.law)
        plot.points(scene)
        if isinstance(self.law, NotKnown):
            scene.text(10, scene.height - 10, self.law.reason, 11.5, "quiet", "start")
        return scene

    def _legend(self, scene):
        scene.dot(18, 42, 4.5, "gold")
        scene.line(18, 34, 18, 50, "gold", 1.4)
        scene.text(30, 46, "measured, lowest to highest", 12, "quiet", "start")
        if isinstance(self.law, Extrapolation):
            scene.line(218, 42, 248, 42, "predicted", 2.2)
            scene.text(254, 46, "fitted", 12, "quiet", "start")
            scene.box(308, 36, 30, 12, "predicted", 0, fill="predicted", shade=0.16, radius=0)
            scene.line(308, 42, 338, 42, "predicted", 2.2, dash="7 4")
            scene.text(344, 46, "extrapolated, 95% of single draws", 12, "quiet", "start")


class _Plot:
    """Axes, and what is drawn within them."""

    def __init__(self, picture, left, right, top, bottom):
        self.curve = curve = picture.curve.measured()
        self.left, self.right, self.top, self.bottom = left, right, top, bottom
        known, law = curve.accuracies[~np.isnan(curve.accuracies)], picture.law
        self.first, self.last = float(curve.sizes[0]), float(curve.sizes[-1])
        low, high = float(known.min()), float(known.max())
        if isinstance(law, Extrapolation):
            self.last *= BEYOND
            ends = law.band([self.first, self.last], single=True)
            low, high = min(low, float(ends[0].min())), max(high, float(ends[1].max()))
        if self.last == self.first:
            self.first, self.last = self.first / 2, self.last * 2
        step = next(step for step in (1, 2, 5, 10, 20) if high - low <= 5 * step or step == 20)
        self.low, self.high = max(0.0, step * math.floor(low / step)), min(100.0, step * math.ceil(high / step))
        if self.low == self.high:
            self.low, self.high = max(0.0, self.low - step), min(100.0, self.high + step)
        self.step = step

    def x(self, size):
        return self.left + (self.right - self.left) * math.log(size / self.first) / math.log(self.last / self.first)

    def y(self, accuracy):
        accuracy = min(max(accuracy, self.low), self.high)
        return self.bottom - (self.bottom - self.top) * (accuracy - self.low) / (self.high - self.low)

    def axes(self, scene):
        value = self.low
        while value <= self.high:
            scene.grid_line(self.left, self.right, self.y(value))
            scene.text(self.left - 8, self.y(value) + 4, f"{value:g}", 12, "quiet", "end")
            value += self.step
        scene.line(self.left, self.bottom, self.right, self.bottom, "quiet", 1)
        previous = -math.inf
        tens = range(math.floor(math.log10(self.first)), math.ceil(math.log10(self.last)) + 1)
        ticks = [round(step * 10**power) for power in tens if power >= 0 for step in TICKS]
        for size in [size for size in ticks if self.first <= size <= self.last]:
            at, words = self.x(size), f"{size:,}"
            scene.line(at, self.bottom, at, self.bottom + 5, "quiet", 1)
            if at - previous > 8 + 7 * len(words):
                scene.text(at, self.bottom + 18, words, 12, "quiet")
                previous = at
        scene.text((self.left + self.right) / 2, self.bottom + 36, self.curve.unit, 12.5, "ink")
        scene.text(10, self.top - 18, "% of heads right", 12.5, "ink", "start")

    def band(self, scene, law):
        sizes = np.geomspace(law.largest, self.last, STEPS)
        low, high = law.band(sizes, single=True)
        upper = [f"{self.x(size):.1f},{self.y(value):.1f}" for size, value in zip(sizes, high, strict=True)]
        lower = [f"{self.x(size):.1f},{self.y(value):.1f}" for size, value in zip(sizes, low, strict=True)]
        scene.path("M" + "L".join([*upper, *reversed(lower)]) + "Z", "predicted", 0, fill="predicted", shade=0.16)

    def course(self, scene, law):
        for begin, end, dash in ((self.first, law.largest, ""), (law.largest, self.last, "7 4")):
            sizes = np.geomspace(begin, end, STEPS)
            values = law.accuracy(sizes)
            line = [f"{self.x(size):.1f},{self.y(value):.1f}" for size, value in zip(sizes, values, strict=True)]
            scene.path("M" + "L".join(line), "predicted", 2.2, dash=dash)

    def points(self, scene):
        means = self.curve.means()
        for size, mean, row in zip(self.curve.sizes, means, self.curve.accuracies, strict=True):
            known = row[~np.isnan(row)]
            at = self.x(size)
            if len(known) > 1:
                scene.line(at, self.y(float(known.min())), at, self.y(float(known.max())), "gold", 1.4)
            scene.dot(at, self.y(mean), 4.5, "gold")


def learning_curve_svg(curve: AccuracyCurve, law: Extrapolation | NotKnown, title: str, *, theme: str = "light") -> str:
    """The picture as SVG text, with the points in words for who does not see it.

    Raises WorkbenchError for an unknown theme.
    """
    picture = LearningCurvePicture(curve, law, title)
    return picture.scene(theme).svg(title, curve_words(curve, law))


def curve_words(curve: AccuracyCurve, law: Extrapolation | NotKnown) -> str:
    """The curve in words: each mean, and how it would go on."""
    curve = curve.measured()
    pairs = zip(curve.sizes, curve.means(), strict=True)
    words = ", ".join(f"{mean:.1f}% of heads right at {size:,.0f} {curve.unit}" for size, mean in pairs)
    if isinstance(law, NotKnown):
        return f"{words}. {law.reason}"
    size = BEYOND * law.largest
    interval = law.at(size, single=True)
    assert not isinstance(interval, NotKnown)  # BEYOND is less than FAR
    return (
        f"{words}. Extrapolated: {interval.value:.1f}% at {size:,.0f} {curve.unit}, "
        f"95% of single draws between {interval.low:.1f} and {interval.high:.1f}."
    )
