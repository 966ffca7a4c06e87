"""A transition-based parser between two moves: stack and buffer as rows of boxes, and the arcs so far under them."""

from dataclasses import dataclass

from core.draw.arcs import ROOT, SMALL, WIDTH, ArcPicture
from core.draw.levels import widest
from core.draw.scene import Scene, Shown, fitted, shortened, stacked
from core.languages.direction import right_to_left

SIZE = 18.0  # of the words in boxes
GAP, INSIDE = 6.0, 9.0  # between two boxes, and beside a word in its box
WIDEST, OTHERS = 170.0, 90.0  # width of a box at most, and of "and 12 more"


@dataclass(frozen=True, slots=True)
class ParserStatePicture(Shown):
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
        band, way, middle = Scene(width, 74, theme), -1 if right_to_left(self.words) else 1, width / 2
        self._row(band, "Stack", self.stack[::-1], -way)
        self._row(band, "Buffer", self.buffer, way)
        band.line(middle, 22, middle, 72, "ink", 2.0)
        return stacked([band, self.arcs.scene(theme, width)], 10)

    def _row(self, band, title, words, way):
        """Boxes from the middle outwards, to the right or with ``way`` -1 to the left, the nearest first."""
        marks, x, anchor = dict(self.arcs.marks), band.width / 2 + 10 * way, "start" if way > 0 else "end"
        band.text(x, 14, title, SMALL, "quiet", anchor)
        boxes = [self._box(word) for word in words]
        fitting = _fitting([wide for _, _, wide in boxes], band.width / 2 - 10)
        for word, (name, size, wide) in zip(words[:fitting], boxes, strict=False):
            left, mark = x if way > 0 else x - wide, marks.get(word)
            band.box(left, 28, wide, 38, mark or "quiet", 2.2 if mark else 1.2, fill=mark or "quiet", shade=0.1)
            band.text(left + wide / 2, 53, name, size, "ink" if word else "quiet", serif=True)
            x += way * (wide + GAP)
        rest = "empty" if not words else f"and {len(words) - fitting} more" if fitting < len(words) else ""
        if rest:
            band.text(x + way * GAP, 53, rest, SMALL, "quiet", anchor)

    def _box(self, word):
        """(what stands in the box of a word, its font size, the width of the box)."""
        name = f"{self.words[word]} {word}" if word else ROOT
        size = fitted(name, SIZE, WIDEST - 2 * INSIDE, SMALL)
        name = shortened(name, size, WIDEST - 2 * INSIDE)
        return name, size, widest(name, size) + 2 * INSIDE


def _fitting(widths, room):
    """How many of the boxes fit, with room for the words that count the others."""
    count, left = 0, room
    while count < len(widths):
        left -= widths[count] + GAP
        if left < (0 if count + 1 == len(widths) else OTHERS):
            break
        count += 1
    return count
