"""Expectations of lines against their targets: of one line over its multiplier, and of several over the rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.draw.arcs import SMALL, WIDTH
from core.draw.levels import widest
from core.draw.scene import Scene, Shown, shortened, wrapped

BAND = 0.28  # opacity of a target's range


@dataclass(frozen=True, slots=True)
class ResponsePicture(Shown):
    """An expectation over a multiplier, with the target as a band.

    Attributes
    ----------
    title : str
    multipliers, expectations : tuple of float
        Points of the curve, multipliers in nats and rising.
    index : int
        The point to mark, from 0.
    low, high : float
        The target.
    meeting : int or None
        The point at which the target is met.
    height : float
        Height of the picture.
    """

    title: str
    multipliers: tuple
    expectations: tuple
    index: int
    low: float
    high: float
    meeting: int | None = None
    height: float = 200.0

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        width, height = min(width, 760.0), self.height
        scene = Scene(width, height, theme)
        left, right, top, bottom = 52.0, width - 90.0, 44.0, height - 44.0
        first, reach = self.multipliers[0], self.multipliers[-1] - self.multipliers[0]
        most = _top(self.expectations, self.high)
        scene.headline(2, 18, self.title, 16, width - 4)

        def at(multiplier, share):
            return left + (right - left) * (multiplier - first) / reach, bottom - (bottom - top) * share / most

        upper, lower = (at(first, share)[1] for share in (self.high, self.low))
        _band(scene, left, upper, right - left, lower - upper)
        scene.text(right + 10, (upper + lower) / 2 + 5, "target", SMALL, "supported", "start")
        scene.line(left, bottom, right, bottom, "quiet", 1)
        for share in (0.0, most):
            scene.text(left - 8, at(first, share)[1] + 5, f"{share:g}", SMALL, "quiet", "end")
        for multiplier in (first, 0.0, self.multipliers[-1]):
            scene.line(at(multiplier, 0)[0], bottom, at(multiplier, 0)[0], bottom + 5, "quiet", 1)
            scene.text(at(multiplier, 0)[0], bottom + 20, f"{multiplier:g}".replace("-", "−"), SMALL, "quiet")
        scene.text((left + right) / 2, height - 4, "λ in nats", SMALL, "quiet")
        points = [at(*pair) for pair in zip(self.multipliers, self.expectations, strict=True)]
        scene.path("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points), "predicted", 2.2)
        if self.meeting is not None:
            x = points[self.meeting][0]
            scene.line(x, top - 4, x, bottom, "supported", 1.6, dash="5 4")
            met = f"met at λ = {self.multipliers[self.meeting]:.2f}".replace("-", "−")
            inside = x + 11 + widest(met, SMALL) <= width
            scene.text(x + (8 if inside else -8), bottom - 8, met, SMALL, "supported", "start" if inside else "end",
                       paper=True)  # fmt: skip
        x, y = points[self.index]
        scene.line(x, bottom, x, y, "predicted", 1.2)
        scene.dot(x, y, 6, "predicted")
        share, below = f"{self.expectations[self.index]:.2f}", y < top + 24
        inside = x + 11 + widest(share, SMALL, bold=True) <= right + 4  # where "target" begins
        scene.text(x + (11 if inside else -11), y + (20 if below else -9), share, SMALL, "predicted",
                   "start" if inside else "end", paper=True, bold=True)  # fmt: skip
        return scene


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A line: its name, its target, its expectations in the rounds so far, the present one last, and a note."""

    name: str
    low: float
    high: float
    path: tuple
    note: str = ""


@dataclass(frozen=True, slots=True)
class TargetsPicture(Shown):
    """Lines one under the other: a range for the target, a dot for the expectation, smaller ones for earlier rounds.

    Attributes
    ----------
    title : str
    rows : tuple of TargetRow
    top : float
        The largest expectation that the axis has room for.
    note : str
        Under the rows.
    """

    title: str
    rows: tuple
    top: float = 1.0
    note: str = ""

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        width, high, first = min(width, 760.0), 25.0, 40.0
        notes = wrapped(self.note, SMALL, width - 8) if self.note else []
        scene = Scene(width, first + high * len(self.rows) + 24 + 18 * len(notes), theme)
        scene.headline(2, 18, self.title, 16, width - 4)
        left, right = width * 0.5, width - 78.0
        wide = right - left
        for row, line in enumerate(self.rows):
            y = first + high * (row + 0.5)
            size = SMALL
            scene.text(left - 12, y + 5, shortened(line.name, size, left - 14), size, "ink", "end")
            xs = [left + wide * min(share, self.top) / self.top for share in line.path]
            scene.grid_line(left, right, y, 0.8, 0.7)
            begin, end = (left + wide * min(share, self.top) / self.top for share in (line.low, line.high))
            _band(scene, begin, y - 9, end - begin, 18, upright=True)
            scene.line(xs[0], y, xs[-1], y, "predicted", 1.6)
            for x in xs[:-1]:
                scene.dot(x, y, 2.6, "predicted", shade=0.6)
            scene.dot(xs[-1], y, 5.5, "predicted")
            scene.text(width - 2, y + 5, line.note, SMALL, "quiet", "end")
        foot = first + high * len(self.rows)
        for share in (0.0, self.top):
            scene.text(left + wide * share / self.top, foot + 16, f"{share:g}", SMALL, "quiet")
        for k, words in enumerate(notes):
            scene.text(4, foot + 36 + 18 * k, words, SMALL, "quiet", "start")
        return scene


def largest(shares: Sequence[float]) -> float:
    """The top of an axis for these shares: 1, or the next half above what exceeds it."""
    return _top(shares, 1.0)


def _top(shares, least):
    most = max(1.0, least, *shares)
    return 1.0 if most <= 1.0 + 1e-9 else -(-most // 0.5) * 0.5


def _band(scene, x, y, width, height, upright=False):
    """A target's range; one that is a point is a line."""
    if (width if upright else height) < 2.5:
        middle = (x + width / 2, y + height / 2)
        ends = (middle[0], y, middle[0], y + height) if upright else (x, middle[1], x + width, middle[1])
        scene.line(*ends, "supported", 2.6)
    else:
        scene.box(x, y, width, height, "supported", 1.2, fill="supported", shade=BAND, radius=0)
