"""Lines, boxes and words on paper, as SVG text that stands on its own: what the pictures of algorithms are made of.

Pixels, x to the right and y down. Colours are names of the palette (``core.draw.palette``), so one picture serves light
and dark paper and print without colour. No scripts, no style sheet, colours as attributes, text as text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol
from xml.sax.saxutils import escape, quoteattr

from core.draw.levels import widest
from core.draw.palette import INKS, PALETTES
from core.errors import WorkbenchError

SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, serif"
SANS = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")  # in XML


class Scene:
    """One picture under construction; every method adds one thing on top of what is there.

    Parameters
    ----------
    width, height : float
    theme : {"light", "dark", "grey"}

    Raises
    ------
    WorkbenchError : unknown theme.
    """

    def __init__(self, width: float, height: float, theme: str = "light"):
        if theme not in PALETTES:
            raise WorkbenchError(f"unknown theme {theme!r}; use one of {', '.join(PALETTES)}")
        self.width, self.height, self.theme = float(width), float(height), theme
        self.colors, self._inks = PALETTES[theme], INKS[theme]
        self._parts = list[str | tuple[str, "Scene"]]()

    def text(
        self, x: float, y: float, words: str, size: float, color: str = "ink", anchor: str = "middle", *,
        serif: bool = False, bold: bool = False, paper: bool = False,
    ) -> None:  # fmt: skip
        """Words with their baseline at y; on ``paper`` of their own no line shows through or beside them."""
        words = str(words)
        if paper:
            width = widest(words, size, bold) + 6
            start = {"start": x - 3, "middle": x - width / 2, "end": x - width + 3}[anchor]
            self.box(start, y - size * 0.95, width, size * 1.2, line=0, fill="paper", radius=2)
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-family={quoteattr(SERIF if serif else SANS)} '
            f'fill="{self._inks[color]}" text-anchor="{anchor}"{weight}>{xml_text(words)}</text>'
        )

    def headline(self, x: float, y: float, words: str, size: float, width: float) -> None:
        """A bold line from x on, made smaller where it would be wider than ``width``."""
        self.text(x, y, words, fitted(words, size, width, bold=True), anchor="start", bold=True)

    def path(
        self, path: str, color: str = "ink", width: float = 1.4, *, dash: str = "", fill: str | None = None,
        fade: float = 1.0, shade: float = 1.0,
    ) -> None:  # fmt: skip
        """A line along an SVG path; ``fill`` names the colour inside, ``shade`` is its opacity."""
        self._outlined(f'<path d="{path}"', color, width, dash, fill, fade, shade)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: str = "quiet", width: float = 1.0, dash: str = ""
    ) -> None:
        """A straight line."""
        self.path(f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}", color, width, dash=dash)

    def grid_line(self, x1: float, x2: float, y: float, width: float = 1.0, fade: float = 0.25) -> None:
        """A faint horizontal line, to read values off."""
        self.path(f"M{x1:.1f},{y:.1f}L{x2:.1f},{y:.1f}", "quiet", width, fade=fade)

    def box(
        self, x: float, y: float, width: float, height: float, color: str = "quiet", line: float = 1.0, *,
        fill: str | None = None, shade: float = 1.0, fade: float = 1.0, dash: str = "", radius: float = 5,
    ) -> None:  # fmt: skip
        """A rectangle with round corners."""
        shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius}"'
        self._outlined(shape, color, line, dash, fill, fade, shade)

    def _outlined(self, shape, color, width, dash, fill, fade, shade):
        inside = "none" if fill is None else self.colors[fill]
        stroke = f'stroke="{self.colors[color]}" stroke-width="{width:g}"' if width else 'stroke="none"'
        dashes = f' stroke-dasharray="{dash}"' if dash and width else ""
        opacity = _faded("stroke-opacity", fade) + _faded("fill-opacity", shade)
        self._parts.append(f'{shape} {stroke}{dashes} fill="{inside}"{opacity}/>')

    def dot(self, x: float, y: float, radius: float, color: str = "ink", *, shade: float = 1.0) -> None:
        """A filled circle."""
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{self.colors[color]}"'
            f"{_faded('fill-opacity', shade)}/>"
        )

    def marker(self, x: float, y: float, color: str, shape: str, radius: float = 4.2, side: float = 7.6) -> None:
        """A point of a chart: a "circle", a "square", a "diamond" or a "triangle-up"; "" draws none."""
        if shape == "circle":
            self.dot(x, y, radius, color)
        elif shape == "square":
            self.box(x - side / 2, y - side / 2, side, side, color, 0, fill=color, radius=0)
        elif shape:
            low = y + (5 if shape == "diamond" else 4)
            end = f"L{x:.1f},{low:.1f}" if shape == "diamond" else ""
            middle = y if shape == "diamond" else low
            path = f"M{x:.1f},{y - 5:.1f}L{x + 5:.1f},{middle:.1f}{end}L{x - 5:.1f},{middle:.1f}Z"
            self.path(path, color, 0, fill=color)

    def inset(
        self, scene: "Scene", x: float, y: float, width: float | None = None, height: float | None = None
    ) -> None:
        """Another scene, as large as fits into width x height, in the middle of that."""
        width, height = width or scene.width, height or scene.height
        place = (
            f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'viewBox="0 0 {scene.width:.1f} {scene.height:.1f}">'
        )
        self._parts.append((place, scene))

    def inner(self) -> str:
        """The parts without the element around them."""
        return "\n".join(part if isinstance(part, str) else f"{part[0]}{part[1].inner()}</svg>" for part in self._parts)

    def marks(self, place: str = "") -> Iterator[tuple[str, str]]:
        """Every single element with the ``<svg ...>`` tags that it stands in, outermost first: (tags, element)."""
        for part in self._parts:
            if isinstance(part, str):
                yield place, part
            else:
                yield from part[1].marks(place + part[0])

    def svg(self, title: str, description: str) -> str:
        """The whole as one ``<svg>`` element with a title and a description for who does not see it."""
        ground = f'<rect width="100%" height="100%" fill="{self.colors["paper"]}"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" height="{self.height:.0f}" '
            f'viewBox="0 0 {self.width:.1f} {self.height:.1f}" role="img" font-family={quoteattr(SANS)}>'
            f"<title>{xml_text(title)}</title><desc>{xml_text(description)}</desc>{ground}\n{self.inner()}\n</svg>"
        )


class Shown:
    """A picture that draws itself in a notebook; it adds no state."""

    __slots__ = ()

    def _repr_svg_(self: "Picture") -> str:
        """The picture."""
        return self.scene().svg(type(self).__name__, "A step of an algorithm")


class Picture(Protocol):
    """A picture of an algorithm, drawn on a Scene of its own."""

    def scene(self, theme: str = "light", width: float = ...) -> Scene: ...


def stacked(scenes: Sequence[Scene], gap: float = 18) -> Scene:
    """Scenes one under the other, each in the middle."""
    width = max(scene.width for scene in scenes)
    whole = Scene(width, sum(scene.height for scene in scenes) + gap * (len(scenes) - 1), scenes[0].theme)
    y = 0.0
    for scene in scenes:
        whole.inset(scene, (width - scene.width) / 2, y)
        y += scene.height + gap
    return whole


def beside(scenes: Sequence[Scene], gap: float = 36) -> Scene:
    """Scenes side by side, their feet on one line."""
    height = max(scene.height for scene in scenes)
    whole = Scene(sum(scene.width for scene in scenes) + gap * (len(scenes) - 1), height, scenes[0].theme)
    x = 0.0
    for scene in scenes:
        whole.inset(scene, x, height - scene.height)
        x += scene.width + gap
    return whole


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Text broken into lines no wider than ``width`` at a font size; a word that is wider stands alone."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and widest(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fitted(words: str, size: float, width: float, least: float = 9.0, bold: bool = False) -> float:
    """The font size, ``size`` at most, at which words fit into a width; ``least`` even where they do not."""
    needed = widest(words, size, bold)
    return size if needed <= width else max(least, size * width / needed)


def shortened(words: str, size: float, width: float) -> str:
    """The words, or as many letters of them as fit into a width, and ``…``."""
    if widest(words, size) <= width:
        return words
    length = next((k for k in range(len(words) - 1, 0, -1) if widest(words[:k] + "…", size) <= width), 1)
    return words[:length] + "…"


def xml_text(text: str) -> str:
    """Escaped, and without the control characters that XML forbids."""
    return escape(_FORBIDDEN.sub("\ufffd", text))


def _faded(name, value):
    return "" if value >= 1 else f' {name}="{max(value, 0.0):.2f}"'
