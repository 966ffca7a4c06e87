"""A transition-based parser between two moves: stack and buffer as rows of boxes, and the arcs so far under them."""

from dataclasses import dataclass

from core.draw.arcs import ROOT, WIDTH, ArcPicture
from core.draw.levels import widest
from core.draw.scene import Scene, fitted, stacked
from core.languages.direction import right_to_left

SIZE = 18.0  # of the words in boxes
GAP, INSIDE = 6.0, 9.0  # between two boxes, and beside a word in its box
WIDEST = 170.0


@dataclass(frozen=True, slots=True)
class ParserStatePicture:
    """Stack, buffer and arcs.

    Attributes
    ----------
    stack : tuple of int
        The bottom first; 0 is the root.
    buffer : tuple of int
        The next word first.
    arcs : ArcPicture
        Of all words, marks included; words marked there are marked in their boxes too.
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    arcs: ArcPicture

    @property
    def words(self) -> tuple[str, ...]:
        """Of length n + 1; entry 0 is the root's."""
        return self.arcs.words

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene: where words run from right to left, so do stack and buffer."""
        band, mirrored, middle = Scene(width, 74, theme), right_to_left(self.words), width / 2
        self._row(band, "Stack", self.stack[::-1], middle - 10, -1, mirrored)
        self._row(band, "Buffer", self.buffer, middle + 10, 1, mirrored)
        band.line(middle, 22, middle, 72, "ink", 2.0)
        return stacked([band, self.arcs.scene(theme, width)], 10)

    def _row(self, band, title, words, start, way, mirrored):
        """Boxes from the middle outwards, the nearest first; those that do not fit are counted at the end."""
        marks, x, room = dict(self.arcs.marks), start, band.width / 2 - 10

        def place(left, wide):
            return band.width - left - wide if mirrored else left

        band.text(place(start, 0), 14, title, 14, "quiet", "end" if (way < 0) != mirrored else "start")
        if not words:
            band.text(place(start + way * 8, 0), 53, "empty", 14, "quiet", "end" if (way < 0) != mirrored else "start")
        used = 0.0
        for count, word in enumerate(words):
            name = f"{self.words[word]} {word}" if word else ROOT
            size = fitted(name, SIZE, WIDEST - 2 * INSIDE)
            wide = widest(name, size) + 2 * INSIDE
            more = "" if count + 1 == len(words) else f"and {len(words) - count - 1} more"
            if used + wide + (widest(more, 14) + GAP if more else 0) > room:
                left = f"and {len(words) - count} more"
                band.text(place(x + way * GAP, 0), 53, left, 14, "quiet", "end" if (way < 0) != mirrored else "start")
                return
            at, mark = place(x if way > 0 else x - wide, wide), marks.get(word)
            band.box(at, 28, wide, 38, mark or "quiet", 2.2 if mark else 1.2, fill=mark or "quiet", shade=0.1)
            band.text(at + wide / 2, 53, name, size, "ink" if word else "quiet", serif=True)
            x += way * (wide + GAP)
            used += wide + GAP
