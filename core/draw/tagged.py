"""Words in a row with a tag under each, and prices on some of their tags: pictures of tagging."""

from dataclasses import dataclass

from core.draw.arcs import WIDTH, columns, draw_words
from core.draw.scene import Scene, fitted

COLUMN = 150.0  # most that a word takes
LINE = 20.0  # between two prices


@dataclass(frozen=True, slots=True)
class TaggedPicture:
    """A tagged sentence.

    Attributes
    ----------
    words, tags : tuple of str, length n + 1
        Entry 0, the root's, is not drawn.
    kinds : tuple of str, length n + 1
        The colour of the palette of each tag, such as "predicted" or "changed".
    marks : tuple of (int, str)
        Words to point out, and the colour to do it in.
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
        column = min(width / (len(self.words) - 1), COLUMN)
        middles = [0.0, *columns(self.words[1:], column)]
        rows = max([self.room, *(len(lines) for _, lines in self.prices)])
        scene = Scene(column * (len(self.words) - 1), 86 + LINE * rows, theme)
        widths, named = [column] * len(self.words), dict(enumerate(self.words[1:], start=1))
        draw_words(scene, middles, 24, named, widths, dict(self.marks))
        tag_size = min(fitted(tag, 16, column - 8, bold=True) for tag in self.tags[1:])
        for m, (tag, kind) in enumerate(zip(self.tags, self.kinds, strict=True)):
            if m:
                scene.text(middles[m], 70, tag, tag_size, kind, bold=kind == "changed")
        size = min((fitted(line, 14, column - 8) for _, lines in self.prices for line in lines), default=14)
        for m, lines in self.prices:
            for place, line in enumerate(lines, start=1):
                scene.text(middles[m], 70 + LINE * place, line, size, "candidate")
        return scene
