"""Numbers over the rounds of an algorithm: one panel a measure, one line a method, the present round marked."""

from dataclasses import dataclass

from core.draw.arcs import SMALL, WIDTH
from core.draw.levels import widest
from core.draw.scene import Scene, Shown, wrapped

STYLES = (("gold", "", "circle"), ("predicted", "7 4", "square"))  # the second line is dashed, its points are square


@dataclass(frozen=True, slots=True)
class CurvesPicture(Shown):
    """Lines over rounds.

    Attributes
    ----------
    title : str
        With the unit.
    names : tuple of str
        One or two lines.
    series : tuple of tuples of float or None
        Of equal length; None leaves a gap.
    index : int
        The round to mark, from 0; later ones are not drawn.
    first : int
        What the first round is called.
    digits : int
        Of numbers at the points.
    height : float
        Height of the picture, whose title takes one line.
    """

    title: str
    names: tuple
    series: tuple
    index: int
    first: int = 0
    digits: int = 2
    height: float = 190.0

    def _numbered(self, width):
        """The rounds whose numbers do not run into each other."""
        count = len(self.series[0])
        every = -(-count * 30 // int(max(width - 116, 30)))
        return [k for k in range(count) if k == self.index or (k % every == 0 and abs(k - self.index) >= every)]

    def _head(self, scene, title, under):
        """The lines of the title, and what the lines of the curves mean."""
        for row, line in enumerate(title):
            scene.headline(2, 18 + 20 * row, line, 16, scene.width - 4)
        x = 2.0
        for name, (color, dash, _) in zip(self.names, STYLES, strict=False):
            scene.line(x, 38 + under, x + 26, 38 + under, color, 2.4, dash=dash)
            scene.text(x + 32, 43 + under, name, SMALL, "quiet", "start")
            x += 52 + widest(name, SMALL)

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        width = min(width, 620.0)
        title = wrapped(self.title, 16.5, width - 4)
        under = 20.0 * (len(title) - 1)
        height = self.height + under
        scene = Scene(width, height, theme)
        left, right, top, bottom = 20.0, width - 96.0, 62.0 + under, height - 30.0
        values = [value for line in self.series for value in line if value is not None]
        low, high = min(values), max(values)
        reach = (high - low) or 1.0
        count = max(len(self.series[0]) - 1, 1)
        self._head(scene, title, under)
        scene.line(left, bottom, right, bottom, "quiet", 1)

        def at(k, value):
            return left + (right - left) * k / count, bottom - 8 - (bottom - top - 14) * (value - low) / reach

        for k in self._numbered(width):
            scene.text(at(k, low)[0], height - 10, str(k + self.first), SMALL, "ink" if k == self.index else "quiet")
        ends = []
        for line, (color, dash, shape) in zip(self.series, STYLES, strict=False):
            known = [(at(k, value), value) for k, value in enumerate(line[: self.index + 1]) if value is not None]
            if not known:
                continue
            scene.path("M" + "L".join(f"{a:.1f},{b:.1f}" for (a, b), _ in known), color, 2.2, dash=dash)
            for (a, b), _ in known:
                scene.marker(a, b, color, shape, radius=4.5, side=8)
            ends.append((*known[-1][0], known[-1][1], color))
        ends.sort(key=lambda end: end[1])
        if len(ends) == 2 and ends[1][1] - ends[0][1] < 16:  # numbers side by side would cover each other
            middle = (ends[0][1] + ends[1][1]) / 2
            ends = [(ends[0][0], middle - 8, *ends[0][2:]), (ends[1][0], middle + 8, *ends[1][2:])]
        for a, b, value, color in ends:
            text = f"{value:.{self.digits}f}".replace("-", "−")
            scene.text(a + 12, b + 5, text, 15, color, "start", paper=True, bold=True)
        return scene
