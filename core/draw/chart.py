"""The chart of a projective parser as a pyramid: one cell a span, its words below, the arcs of a derivation under them.

A cell holds four items, each with its sign: incomplete spans, drawn as trapezia, have an arc on top; complete ones,
triangles, have their head at the upright side. Of each pair the first is headed by the span's last word. Where words
run from left to right it stands at the left, and the whole pyramid is mirrored where they run from right to left.

Where cells are too narrow for numbers they are shaded, and the new ones and what they are made of are enlarged over
the others. Of more than ``UNFOLDED`` words those at the ends of marked spans are in sight, with their neighbours; the
others are folded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.draw.arc import Arc
from core.draw.arcs import (
    BESIDE,
    IN_A_ROW,
    LOWER,
    SMALL,
    WIDTH,
    Slot,
    arc_heights,
    draw_arcs,
    draw_gaps,
    draw_words,
    middles_of,
    with_gaps,
)
from core.draw.levels import widest
from core.draw.palette import DASHES
from core.draw.scene import Scene, Shown, fitted, shortened
from core.languages.direction import right_to_left

INCOMPLETE_LEFT, INCOMPLETE_RIGHT, COMPLETE_LEFT, COMPLETE_RIGHT = range(4)
MARKS = {"now": "changed", "part": "predicted", "best": "gold", "chosen": "supported", "out": "changed"}
LEGEND = (("now", "just found"), ("part", "made of"), ("best", "in the best tree"))
SHAPES = ((COMPLETE_RIGHT, "complete: upright at its head"), (INCOMPLETE_RIGHT, "incomplete: an arc on top"))
LEGIBLE = 150.0  # width of a column in which four numbers can be read on a wall
MADE_OF = 3  # cells at most
READABLE = (158.0, 44.0)  # width and height of the cells that are enlarged where columns are narrower
SIGN = 30  # from a legend's sign to its text
UNFOLDED, IN_SIGHT = IN_A_ROW, 14  # words of a chart that is not folded, and of those in sight in one that is
NOTES = 4  # lines under the first where numbers stand in enlarged cells
PYRAMID, ARCS = 210.0, 48.0  # height of a pyramid without numbers, and of the arcs under the words


class NoteLine(NamedTuple):
    """A line in the corner of a chart: its baseline, font size and mark, or ""."""

    text: str
    y: float
    size: float
    mark: str
    bold: bool

    @property
    def end(self) -> float:
        """Where it ends at the right."""
        return 8 + widest(self.text, self.size, self.bold)


@dataclass(frozen=True, slots=True)
class ChartPicture(Shown):
    """A pyramid.

    Attributes
    ----------
    words : tuple of str, length n + 1
    values : mapping of (kind, i, j) to str
        What stands in the cells: kinds as above, words i < j counted 1..n.
    marks : dict of (kind, i, j) to str
        ``MARKS``: items to point out.
    arcs : tuple of Arc
        Under the words.
    notes : tuple of (text, mark or "")
        Lines in the corner at the left above the pyramid, the first one large.
    legend : tuple of (mark, text)
    levels : int
        Levels of arcs to leave room for, at least.
    """

    words: tuple[str, ...]
    values: Mapping
    marks: dict
    arcs: tuple[Arc, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    legend: tuple = LEGEND
    levels: int = 1

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        shown = self._in_sight()
        slots = with_gaps(shown)
        n, wide = len(shown), len(slots)
        column = min((width - 2 * BESIDE) / wide, 190.0)
        legible = column >= LEGIBLE
        height = READABLE[1] + 2 if legible else min(READABLE[1], PYRAMID / max(n - 1, 1))
        top = 8.0 if n > 3 else 112.0
        base = top + max(n - 1, 1) * height + 30
        arcs = [arc for arc in self.arcs if {arc.head, arc.modifier} <= {0, *shown}]
        most = max([self.levels if n == len(self.words) - 1 else 1, *arc_heights(arcs)])
        step = min(24.0, ARCS / most)
        lower = 0.0 if legible else LOWER
        scene = Scene(width, base + lower + 46 + most * step + 26, theme)
        start = (width - wide * column) / 2
        at = middles_of([column] * wide, right_to_left(self.words))
        middles: dict[Slot, float] = {slot: start + middle for slot, middle in zip(slots, at, strict=True)}
        spans = [(a, b) for b in range(n) for a in range(b)]
        places = {
            (shown[a], shown[b]): ((middles[shown[a]] + middles[shown[b]]) / 2, base - 26 - (b - a) * height)
            for a, b in spans
        }
        for (i, j), (x, y) in places.items():
            self._cell(scene, (x, y), (column, height), (i, j), legible)
        lines = self._lines(min(width, WIDTH), (n, column, height))
        if not legible:
            self._enlarged(scene, places, height, lines)
        self._word_rows(scene, middles, shown, base, column, 2 if lower else 1)
        draw_gaps(scene, middles, base)
        _draw_under(scene, arcs, middles, base + 28 + lower, (step, most))
        for line in lines:
            scene.text(4, line.y, line.text, line.size, MARKS.get(line.mark, "ink"), "start", bold=line.bold)
        self._legend(scene, min(width, WIDTH))
        return scene

    def _word_rows(self, scene, middles, shown, base, column, rows):
        """The words; where columns are narrow every other one stands a row lower and has twice the room."""
        for row in range(rows):
            below = {word: self.words[word] for place, word in enumerate(shown) if place % rows == row}
            if below:
                draw_words(scene, middles, base + row * LOWER, below, {word: rows * column for word in shown})

    def _in_sight(self):
        """The numbers of the words that are drawn: the ends of marked spans, the new ones first, and neighbours."""
        n = len(self.words) - 1
        if n <= UNFOLDED:
            return list(range(1, n + 1))
        order = sorted(self.marks, key=lambda item: list(MARKS).index(self.marks[item]))
        ends = dict.fromkeys(word for _, i, j in order for word in (i, j))
        near = dict.fromkeys(word for end in ends for word in (end - 1, end + 1) if 1 <= word <= n)
        return sorted(list(dict.fromkeys((*ends, *near, *range(1, n + 1))))[:IN_SIGHT])

    def _enlarged(self, scene, places, height, lines):
        """In a large chart the cells that are new, at a size that can be read, over others, beside notes and legend.

        Those that they are made of too, unless they are many: then the notes have them.
        """
        marked = {mark: [(i, j) for (_, i, j), each in self.marks.items() if each == mark] for mark in ("now", "part")}
        parts, taken = set(marked["part"]), []
        lowest = max((y for _, y in places.values()), default=0.0) + height - READABLE[1]
        new = [span for span in dict.fromkeys(marked["now"]) if span in places]
        made_of = [span for span in dict.fromkeys(marked["part"]) if span in places] if len(parts) <= MADE_OF else []
        for span in dict.fromkeys((*new[: 1 if len(new) > MADE_OF else MADE_OF], *made_of)):
            x, y = places[span]
            x = min(max(x, READABLE[0] / 2), scene.width - READABLE[0] / 2)
            x, at = _apart(x, max(min(y + height / 2 - READABLE[1] / 2, lowest), 1.0), height, taken, lines)
            if self.legend and at < 20 * (len(self.legend) + len(SHAPES)) + 10:
                x = min(x, self._legend_start(min(scene.width, WIDTH)) - READABLE[0] / 2 - 6)
            taken.append((x, at))
            scene.box(x - READABLE[0] / 2, at, *READABLE, "paper", 0, fill="paper")
            self._cell(scene, (x, at), (READABLE[0] + 6, READABLE[1] + 2), span, True)

    def _cell(self, scene, place, size, span, legible):
        wide, high, (i, j) = size[0] - 6, size[1] - 2, span
        left, top = place[0] - wide / 2, place[1]
        items, mirrored = [(kind, i, j) for kind in range(4)], right_to_left(self.words)
        filled = any(item in self.values for item in items)
        now = any(self.marks.get(item) == "now" for item in items)
        scene.box(left, top, wide, high, "changed" if now else "quiet", 2 if now else 1, fade=1 if filled else 0.3)
        if not legible and filled:
            marked = next((MARKS[self.marks[item]] for item in items if item in self.marks), "quiet")
            scene.box(left, top, wide, high, marked, 0, fill=marked, shade=0.3 if marked != "quiet" else 0.12)
        for kind, item in enumerate(items):
            if legible and item in self.values:
                x, y = left + (kind % 2 ^ mirrored) * wide / 2, top + (kind // 2) * high / 2
                self._item(scene, item, x, y, wide / 2, high / 2, mirrored)

    def _item(self, scene, item, x, y, wide, high, mirrored):
        mark = self.marks.get(item)
        color = MARKS.get(mark or "", "ink")
        if mark:
            scene.box(x + 1.5, y + 1.5, wide - 3, high - 3, color, 1.4, fill=color, shade=0.16, radius=3,
                      dash=DASHES["changed"] if mark == "now" else "")  # fmt: skip
        glyph = min(high * 0.42, 11.0)
        upright = (item[0] in (INCOMPLETE_RIGHT, COMPLETE_RIGHT)) ^ mirrored
        _glyph(scene, item[0], upright, x + 5, y + high / 2 - glyph / 2, glyph, color if mark else "quiet")
        text = self.values[item]
        size = fitted(text, min(high * 0.75, 17.0), wide - glyph - 12, SMALL, bool(mark))
        end = min(x + wide - 4, x + glyph + 62)
        scene.text(end, y + high / 2 + size * 0.36, text, size, "ink", "end", bold=bool(mark))

    def _lines(self, width, pyramid):
        """The notes as NoteLines."""
        (n, column, height), y, lines = pyramid, 22.0, []
        notes = list(self.notes)
        if column < LEGIBLE and len(notes) > NOTES + 1:
            kept = sorted(range(1, len(notes)), key=lambda k: (not notes[k][1], k))[: NOTES - 1]
            more = f"{len(notes) - 1 - len(kept)} more not drawn"
            notes = [notes[0], *(notes[k] for k in kept), (more, "")]
        for row, (text, mark) in enumerate(notes):
            size = 19.0 if row == 0 else SMALL
            # the pyramid's flank leaves less room the further down a line stands
            room = max(190.0, width / 2 - column / 2 * min(n - 1, 1 + max(y - 8, 0) / height))
            bold = bool(mark) or row == 0
            size = fitted(text, size, room, SMALL, bold)
            text = shortened(text, size * (1.1 if bold else 1), room)
            lines.append(NoteLine(text, y, size, mark, bold))
            y += size * 1.4
        return lines

    def _legend_start(self, width):
        """Where the legend begins, at the right above the pyramid."""
        return width - SIGN - 4 - max(widest(text, SMALL) for _, text in (*self.legend, *SHAPES))

    def _legend(self, scene, width):
        if not self.legend:
            return
        y, left = 20.0, self._legend_start(width)
        for mark, text in self.legend:
            scene.box(left, y - 12, 22, 15, MARKS[mark], 1.6, fill=MARKS[mark], shade=0.16, radius=3,
                      dash=DASHES["changed"] if mark == "now" else "")  # fmt: skip
            scene.text(left + SIGN, y, text, SMALL, "quiet", "start")
            y += 20
        for kind, text in SHAPES:
            _glyph(scene, kind, True, left + 5, y - 11, 13, "quiet")
            scene.text(left + SIGN, y, text, SMALL, "quiet", "start")
            y += 20


def _apart(x, at, height, taken, lines):
    """Where a cell at (x, at) is enlarged so that it covers no cell that is, and stands beside the notes."""
    away = -height if at > 2 * READABLE[1] else height  # near the top there is no room above
    while any(abs(x - other) < READABLE[0] and abs(at - there) < READABLE[1] for other, there in taken):
        at += away
    beside = [line.end for line in lines if at < line.y + 4 and line.y - line.size < at + READABLE[1]]
    return max([x, *(end + READABLE[0] / 2 for end in beside)]), at


def _glyph(scene, kind, at_left, x, y, size, color):
    """The sign of an item: a triangle or a trapezium, upright at its head, which may stand at the left."""
    a, b = (x, x + size) if at_left else (x + size, x)  # head's side, other side
    far = y + size if kind in (COMPLETE_LEFT, COMPLETE_RIGHT) else y + size * 0.5
    scene.path(f"M{a:.1f},{y:.1f}L{b:.1f},{far:.1f}V{y + size:.1f}H{a:.1f}Z", color, 1, fill=color, shade=0.55)


def _draw_under(scene, arcs, middles, feet, levels):
    """Arcs under the words, and arrows to root words from below; ``levels`` are a level's height and their number."""
    step, most = levels
    draw_arcs(scene, [arc for arc in arcs if arc.head], middles, feet, step, below=True)
    for arc in arcs:
        if not arc.head:
            x, end = middles[arc.modifier], feet + step * most + 8
            tip = f"M{x:.1f},{feet:.1f}L{x - 4.5:.1f},{feet + 10:.1f}H{x + 4.5:.1f}Z"
            scene.line(x, end, x, feet + 8, arc.kind, 1.8)
            scene.path(tip, arc.kind, 0, fill=arc.kind)
            scene.text(x, end + 15, f"root {arc.label}".strip(), SMALL, arc.kind, paper=True)
