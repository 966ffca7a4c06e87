"""Accuracy of several parses by kinds of words: points with their intervals, one parse beside the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.draw.levels import widest
from core.draw.scene import Scene, fitted

# a parse keeps its colour and sign in all charts; the blue of gold trees is none of them
STYLES = (("predicted", "circle"), ("supported", "square"), ("third", "diamond"), ("fourth", "triangle-up"))
HEIGHT, LEAST, KIND_WIDTH = 360.0, 420.0, 62.0  # pixels: height, least width, width of a kind
APART, BETWEEN = 9.0, 10.0  # pixels between two parses of a kind, and between the names of two kinds


@dataclass(frozen=True, slots=True)
class KindSeries:
    """A parse: in percent, of each kind of words, the share that is right and the ends of its interval, if known.

    ``place`` is that of its style in STYLES.
    """

    name: str
    shares: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    place: int = 0

    @property
    def style(self) -> tuple[str, str]:
        """(colour, sign) of its points."""
        return STYLES[self.place % len(STYLES)]

    @property
    def above(self) -> list[float | None]:
        """From each share to the upper end of its interval."""
        return [end and end - share for end, share in zip(self.high, self.shares, strict=True)]

    @property
    def below(self) -> list[float | None]:
        """From each share to the lower end of its interval."""
        return [None if end is None else share - end for end, share in zip(self.low, self.shares, strict=True)]


@dataclass(frozen=True, slots=True)
class KindsPicture:
    """The picture: kinds of words from left to right, how many words each has below its name; 0 to 100 percent."""

    title: str
    names: tuple[str, ...]
    words: tuple[int, ...]
    series: tuple[KindSeries, ...]

    @property
    def words_of_figures(self) -> str:
        """The shares in words."""
        parts = []
        for series in self.series:
            shares = zip(self.names, series.shares, strict=True)
            parts.append(f"{series.name} {', '.join(f'{name} {share:.1f}' for name, share in shares)}")
        return "; ".join(parts)

    def scene(self, theme: str = "light", width: float = 0.0) -> Scene:
        """The picture as a Scene; it is as wide as its kinds need, or wider."""
        kind_width = max([KIND_WIDTH, *(widest(name, 12) + BETWEEN for name in self.names)])
        width = max(width, LEAST, 70 + kind_width * len(self.names))
        scene = Scene(width, HEIGHT + 18 * len(self.series), theme)
        scene.headline(8, 20, self.title, 15, width - 16)
        for number, series in enumerate(self.series):
            color, shape = series.style
            scene.marker(16, 38.0 + 18 * number, color, shape)
            scene.text(30, 42.0 + 18 * number, series.name, fitted(series.name, 12.5, width - 40), "quiet", "start")
        left, right, top, bottom = 46.0, width - 12.0, 70.0 + 18 * len(self.series), scene.height - 52.0
        for value in range(0, 101, 20):
            y = bottom - (bottom - top) * value / 100
            scene.grid_line(left, right, y)
            scene.text(left - 6, y + 4, f"{value}", 12, "quiet", "end")
        scene.text(8, top - 12, "% right", 12, "ink", "start")
        step = (right - left) / max(len(self.names), 1)
        for kind, (name, words) in enumerate(zip(self.names, self.words, strict=True)):
            x = left + step * (kind + 0.5)
            scene.text(x, bottom + 18, name, 12, "ink")
            scene.text(x, bottom + 34, f"{words:,}", 11, "quiet")
            for number in range(len(self.series)):
                self._point(scene, x + APART * (number - (len(self.series) - 1) / 2), kind, number, (top, bottom))
        return scene

    def _point(self, scene, x, kind, number, ends):
        top, bottom = ends
        series = self.series[number]
        color, shape = series.style
        low, high = series.low[kind], series.high[kind]
        if low is not None and high is not None:
            scene.line(x, bottom - (bottom - top) * low / 100, x, bottom - (bottom - top) * high / 100, color, 1.4)
        scene.marker(x, bottom - (bottom - top) * series.shares[kind] / 100, color, shape)


def kept_places(names: Sequence[str], former: dict[str, int]) -> dict[str, int]:
    """The place in STYLES of each parse, the same as before; places in ``former`` of other parses are kept too.

    A parse that comes back has its former place unless one that stayed holds it: the last given in ``former`` go first,
    and what is returned has ``names`` last.
    """
    places: dict[str, int] = {}
    for name in reversed(former):
        if name in names and former[name] not in places.values():
            places[name] = former[name]
    for name in names:
        free = (place for place in range(len(names)) if place not in places.values())
        places[name] = places[name] if name in places else next(free)
    return {name: place for name, place in former.items() if name not in places} | places


def kinds_svg(picture: KindsPicture) -> str:
    """The picture as SVG text in the light theme, its figures in words for who does not see it."""
    return picture.scene().svg(picture.title, picture.words_of_figures)
