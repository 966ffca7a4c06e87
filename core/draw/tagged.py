"""Words in a row with a tag under each, and prices on some of their tags: pictures of tagging."""

from dataclasses import dataclass
from itertools import pairwise

from core.draw.arcs import SMALL, WIDTH, columns, draw_gaps, draw_words, with_gaps
from core.draw.scene import Scene, Shown, fitted, stacked

COLUMN = 170.0  # most that a word takes
NARROWEST = 112.0  # a row has so many words that none takes less: as much as "PROPN −1.25" takes
LINE = 20.0  # between two prices


@dataclass(frozen=True, slots=True)
class TaggedPicture(Shown):
    """A tagged sentence.

    Attributes
    ----------
    words, tags : tuple of str, length n + 1
        Entry 0, the root's, is not drawn.
    kinds : tuple of str, length n + 1
        The colour of the palette of each tag, such as "predicted" or "changed".
    marks : tuple of (int, str)
        Words to point out, and the colour to do it in. Of a long sentence the others are folded, but for neighbours.
    prices : tuple of (int, tuple of str)
        Lines under the tags of some words, such as "NOUN −0.50".
    room : int
        Lines to leave room for, at least.
    """

    words: tuple
    tags: tuple
    kinds: tuple
    marks: tuple = ()
    prices: tuple = ()
    room: int = 0

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        n = len(self.words) - 1
        most = max(int(width // NARROWEST), 1)
        if n > most and (self.marks or self.prices):
            return self._row(self._in_sight(most), theme, width)
        count = -(-n // most)
        ends = [n * row // count for row in range(count + 1)]
        rows = [range(first + 1, last + 1) for first, last in pairwise(ends)]
        return stacked([self._row(row, theme, width) for row in rows], 0)

    def _in_sight(self, most):
        """The words that are drawn of a long sentence: those with prices, those pointed out, neighbours, and others."""
        pointed, shown = [*dict(self.prices), *dict(self.marks)], []
        near = [word for at in pointed for word in (at - 1, at + 1)]
        for word in dict.fromkeys((*pointed, *near, *range(1, len(self.words)))):
            longer = sorted([*shown, word])
            if 1 <= word < len(self.words) and len(with_gaps(longer)) <= most:
                shown = longer
        return shown

    def _row(self, shown, theme, width):
        """Words by number."""
        slots = with_gaps(shown)
        column = min(width / len(slots), COLUMN)
        middles = dict(zip(slots, columns(self.words[1 : len(slots) + 1], column), strict=True))
        most = max([self.room, *(len(lines) for _, lines in self.prices)])
        scene = Scene(column * len(slots), 72 + LINE * most, theme)
        named = {m: self.words[m] for m in shown}
        draw_words(scene, middles, 22, named, dict.fromkeys(shown, column), dict(self.marks))
        tag_size = min(fitted(tag, 16, column - 8, SMALL, bold=True) for tag in self.tags[1:])
        draw_gaps(scene, middles, 22)
        for m in shown:
            kind = self.kinds[m]
            scene.text(middles[m], 66, self.tags[m], tag_size, kind, bold=kind == "changed")
        for m, lines in self.prices:
            for place, line in enumerate(lines if m in middles else (), start=1):
                scene.text(middles[m], 66 + LINE * place, line, SMALL, "candidate")
        return scene
