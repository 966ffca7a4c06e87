"""Words in a row and any arcs over or under them, the root a node of its own where wanted: pictures of algorithms.

``core.draw.drawing`` describes a parsed sentence. Here a word stands in a column of its own, the same at all steps of
an algorithm, so that nothing moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.draw.drawing import Arc
from core.draw.levels import pair_levels, text_width, widest
from core.draw.palette import strength
from core.draw.scene import Scene, fitted, shortened
from core.languages.direction import right_to_left

WIDTH = 1120.0  # width of every picture that fills a page
ROOT = "root"
WIDEST, ROOM = 170.0, 12.0  # of a word's column, and what it has beside the word
LARGEST, LEAST = 21.0, 10.0  # font sizes of words
PORT = 8.0  # between arcs that meet at one word


@dataclass(frozen=True, slots=True)
class WordCluster:
    """Words that count as one, drawn as dots on a bar under them; ``mark`` is a colour of the palette."""

    name: str
    members: tuple
    mark: str = "quiet"
    note: str = ""


@dataclass(frozen=True, slots=True)
class ArcPicture:
    """Arcs over words.

    Attributes
    ----------
    words : tuple of str, length n + 1
        Entry 0 is the root's, which is drawn as a node.
    arcs : tuple of Arc
    groups : tuple of WordCluster
        From the innermost to the outermost.
    marks : dict of int to str
        Words to point out, and the colour of the palette to do it in.
    under : tuple of str, length n + 1
        A second line under the words, such as numbers; may be empty.
    levels : int
        Levels to leave room for, at least; ``group_room`` the same for groups.
    """

    words: tuple
    arcs: tuple = ()
    groups: tuple = ()
    marks: tuple = ()
    under: tuple = ()
    levels: int = 0
    group_room: int = 0

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        widths, size = word_columns(self.words, width)
        middles = middles_of(widths, right_to_left(self.words))
        most = max([self.levels, *arc_heights(self.arcs)])
        step = min(34.0, 330.0 / max(most, 1))
        floor = most * step + 34
        rows = max(self.group_room, len(self.groups))
        scene = Scene(sum(widths), floor + 56 + (18 if self.under else 0) + 30 * rows, theme)
        draw_arcs(scene, self.arcs, middles, floor, step)
        draw_words(scene, middles, floor + 26, dict(enumerate(self.words)), widths, dict(self.marks), size=size)
        for middle, text in zip(middles, self.under, strict=False):  # which may be empty
            if text:
                scene.text(middle, floor + 62, text, 13, "quiet")
        for level, group in enumerate(self.groups):
            xs, y = [middles[k] for k in group.members], floor + 66 + (18 if self.under else 0) + 30 * level
            scene.line(min(xs), y, max(xs), y, group.mark, 2.4)
            for x in xs:
                scene.dot(x, y, 5.5, group.mark)
            scene.text(min(xs) - 14, y + 5, group.name, 16, group.mark, "end", bold=True)
            if group.note:
                scene.text(max(xs) + 14, y + 5, group.note, 13, "quiet", "start")
        return scene


def word_columns(words: Sequence[str], width: float) -> tuple[list[float], float]:
    """(width of each word's column, font size of all): equal columns as long as all words fit, else by their length.

    Together they take ``width`` at most, and 170 pixels a word. ``words`` are of length n + 1, the root's first.
    """
    names = [word if number else ROOT for number, word in enumerate(words)]
    whole, size = min(width, WIDEST * len(names)), LARGEST
    while size > LEAST:
        needed = [widest(name, size) + ROOM for name in names]
        if max(needed) <= whole / len(names):
            break
        if sum(needed) <= whole:
            spare = (whole - sum(needed)) / len(names)
            return [wide + spare for wide in needed], size
        size -= 0.5
    return [whole / len(names)] * len(names), size


def middles_of(widths: Sequence[float], mirrored: bool) -> list[float]:
    """The middle of each column, side by side from the left, or from the right."""
    ends = list(accumulate(widths))
    middles = [end - wide / 2 for end, wide in zip(ends, widths, strict=True)]
    return [ends[-1] - middle for middle in middles] if mirrored else middles


def columns(words: Sequence[str], width: float, start: float = 0.0) -> list[float]:
    """The middle of each word's column, from ``start`` on, in the direction in which the words are read."""
    middles = [start + (k + 0.5) * width for k in range(len(words))]
    return middles[::-1] if right_to_left(words) else middles


def word_size(words: Sequence[str], room: float, largest: float = LARGEST, least: float = LEAST) -> float:
    """One font size for all words of a sentence, at which each fits into a room, unless it would be below ``least``."""
    return min((fitted(word, largest, room, least) for word in words), default=largest)


def draw_words(
    scene: Scene, middles: Sequence[float], y: float, words: Mapping[int, str], widths: Sequence[float],
    marks: Mapping[int, str] | None = None, *, size: float | None = None,
) -> None:  # fmt: skip
    """Words by number, or the root, with their numbers under them; ``marks`` have boxes of a colour by number.

    ``widths`` are those of the columns, by number; without a ``size`` it is one at which all words fit.
    """
    names = {number: word if number else ROOT for number, word in words.items()}
    size = size or word_size(list(names.values()), min(widths) - ROOM)
    for number, name in names.items():
        x, shown, mark = middles[number], shortened(name, size, widths[number] - 6), (marks or {}).get(number)
        if mark:
            wide = min(widths[number] - 4, text_width(shown, size) + 18)
            scene.box(x - wide / 2, y - size, wide, size + 6, mark, 2, fill=mark, shade=0.13)
        scene.text(x, y, shown, size, "ink" if number else "quiet", serif=True)
        scene.text(x, y + 18, str(number), 12, "quiet")


def arc_heights(arcs: Sequence[Arc]) -> list[int]:
    """The level of each arc, the root counted as a word before the first."""
    return pair_levels([(arc.head + 1, arc.modifier + 1) for arc in arcs])


def draw_arcs(
    scene: Scene, arcs: Sequence[Arc], middles: Sequence[float], floor: float, step: float, *, below: bool = False,
    size: float = 14.0,
) -> None:  # fmt: skip
    """Arcs on feet at ``floor``; ``middles[k]`` is the middle of word k, ``step`` the height of a level."""
    down, levels = 1 if below else -1, arc_heights(arcs)
    feet, labels = _feet(arcs, levels, middles), []
    for number, (arc, level) in enumerate(zip(arcs, levels, strict=True)):
        x1, x2 = feet[number, arc.head], feet[number, arc.modifier]
        top = floor + down * (level * step + 6)
        turn = min(14.0, abs(x2 - x1) / 2) * (1 if x1 < x2 else -1)
        bend = top - down * min(14.0, abs(top - floor))
        path = (
            f"M{x1:.1f},{floor:.1f}V{bend:.1f}Q{x1:.1f},{top:.1f} {x1 + turn:.1f},{top:.1f}H{x2 - turn:.1f}"
            f"Q{x2:.1f},{top:.1f} {x2:.1f},{bend:.1f}V{floor + down * 8:.1f}"
        )
        if arc.posterior is not None:
            scene.path(path, arc.kind, 6, fade=strength(arc.posterior))
        scene.path(path, arc.kind, 2.4 if arc.kind == "changed" else 1.7, dash=arc.dash)
        tip = f"M{x2:.1f},{floor:.1f}L{x2 - 4.5:.1f},{floor + down * 10:.1f}H{x2 + 4.5:.1f}Z"
        scene.path(tip, arc.kind, 0, fill=arc.kind)
        if arc.label:
            labels.append(((x1 + x2) / 2, top, arc))
    for x, top, arc in labels:
        scene.text(x, top + size * 0.35, arc.label, size, arc.kind, paper=True, bold=arc.kind == "changed")


def _feet(arcs, levels, middles):
    """(number of the arc, word) -> x: side by side at each word, the lowest arc outermost; none meets another."""
    feet, onward = {}, 1 if middles[-1] >= middles[1] else -1
    for word, middle in enumerate(middles):
        for side in (-1, 1):
            ports = [
                (-levels[number], number)
                for number, arc in enumerate(arcs)
                if word in (arc.head, arc.modifier) and (arc.head + arc.modifier - 2 * word) * side > 0
            ]
            for rank, (_, number) in enumerate(sorted(ports)):
                feet[number, word] = middle + onward * side * (4 + PORT * rank)
    return feet
