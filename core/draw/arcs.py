"""Words in a row and any arcs over or under them, the root a node of its own where wanted: pictures of algorithms.

A wall of 1080 lines shows a picture of 1076 x 400 so large that ``SMALL`` is 24 pixels: nothing in one is written
smaller, as long as the sentence has ``IN_A_ROW`` words at most. A longer one stands in several rows.

``core.draw.drawing`` describes a parsed sentence. Here a word stands in a column of its own, the same at all steps of
an algorithm, so that nothing moves.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from types import MappingProxyType

from core.draw.arc import Arc
from core.draw.levels import pair_levels, text_width, widest
from core.draw.palette import strength
from core.draw.scene import Scene, Shown, fitted, shortened, stacked
from core.languages.direction import right_to_left

WIDTH = 1076.0  # width of every picture that fills a page
ROOT = "root"
WIDEST, ROOM = 170.0, 12.0  # of a word's column, and what it has beside the word
SMALL = 15.0  # the smallest font size
LARGEST, LEAST = 21.0, SMALL  # font sizes of words
PORT = 8.0  # between arcs that meet at one word
IN_A_ROW, OVER_TAGS = 20, 16  # words, and where something stands under them, which takes room too
BESIDE = 22.0  # room at both ends of rows where every other word stands lower
LOWER = 40.0  # from a row of words with their numbers to the next, where every other word stands lower
RANKS = MappingProxyType({"changed": 0, "plain": 2, "candidate": 3, "former": 3})  # of labels that meet
LOWEST, HIGHEST = 7.0, 34.0  # of a level of arcs: below that candidates go
OVER, UNDER_LABEL = 6.0, 24.0  # of the first level, more than its height, and at least where labels stand on it
TOP, NOTE = 18.0, 30.0  # over the arcs, and where a note stands there
EDGE = 34.0  # room at both ends of a row for the numbers of words in another one
ROW_ARCS = 150.0  # height of the arcs of one row of several


Slot = int | tuple[int, int]  # a word by its number, or what is folded between two
Places = Sequence[float] | Mapping[Slot, float] | Mapping[int, float]


@dataclass(frozen=True, slots=True)
class WordCluster:
    """Words that count as one, drawn as dots on a bar under them; ``mark`` is a colour of the palette."""

    name: str
    members: tuple
    mark: str = "quiet"
    note: str = ""


@dataclass(frozen=True, slots=True)
class ArcPicture(Shown):
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
    high : float
        Of the whole picture at most, where the sentence stands in one row.
    note : str
        Above the arcs, such as how many more there are.

    Candidates for which there is no room are left out, and said how many they are.
    """

    words: tuple
    arcs: tuple = ()
    groups: tuple = ()
    marks: tuple = ()
    under: tuple = ()
    levels: int = 0
    group_room: int = 0
    high: float = 400.0
    note: str = ""

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        n, mirrored = len(self.words) - 1, right_to_left(self.words)
        most = OVER_TAGS if self.under else IN_A_ROW
        if n > most:
            count = -(-n // most)
            ends = [n * row // count for row in range(count + 1)]
            rows = [self._row(first + 1, last, theme, width) for first, last in pairwise(ends)]
            return self._noted(stacked(rows, 6), 0)
        widths, size, lower = staggered_columns(self.words, width, under=self.under)
        ends = [BESIDE] if lower else []
        middles = middles_of([*ends, *widths, *ends], mirrored)[len(ends) : len(ends) + n + 1]
        groups = max(self.group_room, len(self.groups))
        foot = 56 + (18 if self.under else 0) + lower + between_groups(groups) * groups
        highest = max([self.levels, *arc_heights(self.arcs)])
        crowded = highest * LOWEST > self.high - foot - TOP
        top = NOTE if self.note or crowded else TOP
        room = self.high - foot - top
        arcs = in_levels(self.arcs, int(room // LOWEST)) if crowded else self.arcs
        most = max([min(self.levels, int(room // LOWEST)), *arc_heights(arcs)])
        step = _level(arcs, most, room)
        floor = min(most * HIGHEST, room) + top
        scene = Scene(sum(widths) + 2 * sum(ends), floor + foot, theme)
        draw_arcs(scene, arcs, middles, floor, step)
        self._words(scene, dict(enumerate(middles)), floor, widths, size, lower)
        return self._noted(scene, len(self.arcs) - len(arcs))

    def _noted(self, scene, left_out):
        """The Scene with its note, and with how many arcs were left out."""
        more = f"{left_out} more arc{'s' * (left_out > 1)} not drawn" if left_out else ""
        if note := " · ".join(filter(None, (self.note, more))):
            scene.text(2, 13, note, SMALL, "quiet", "start")
        return scene

    def _row(self, first, last, theme, width):
        """Words ``first`` to ``last``: an arc to another row ends at the edge, with the number of the word there."""
        shown = list(range(first if first > 1 else 0, last + 1))
        names = ["", *(self.words[word] for word in shown)]  # the edge stands where the root would
        under = [self.under[word] for word in shown] if self.under else ()
        widths, size, lower = staggered_columns(names, width - 2 * EDGE, len(shown), not shown[0], under)
        middles = middles_of([EDGE, *widths, EDGE], right_to_left(self.words))
        places = {word: place for place, word in enumerate(shown, start=1)}
        ends = 0, len(shown) + 1

        def place(word):
            return places.get(word, ends[0] if word < first else ends[1])

        crossing, inside = [], []
        for arc in self.arcs:
            if arc.head in places or arc.modifier in places:
                moved = replace(arc, head=place(arc.head), modifier=place(arc.modifier))
                inside.append(moved)
                crossing.append(str(arc.modifier if arc.head in places else arc.head or ROOT))
        groups = max(self.group_room, len(self.groups))
        room = min(ROW_ARCS, 0.6 * self.high)
        step = _level(inside, max([0, *arc_heights(inside)]), room)
        scene = Scene(
            width, 24 + room + 56 + lower + (18 if self.under else 0) + between_groups(groups) * groups, theme
        )
        draw_arcs(scene, inside, middles, 24 + room, step, ends=crossing)
        shown_middles = {word: middles[place] for word, place in places.items()}
        self._words(scene, shown_middles, 24 + room, dict(zip(shown, widths, strict=True)), size, lower)
        return scene

    def _words(self, scene, middles, floor, widths, size, lower):
        """Words by number, what stands under them, and groups."""
        for row in range(2 if lower else 1):
            words = {word: self.words[word] for word in middles if not lower or word % 2 == row}
            room = {word: widths[word] * (2 if lower else 1) for word in words}
            draw_words(scene, middles, floor + 26 + row * LOWER, words, room, dict(self.marks), size=size)
        foot = floor + 62 + lower
        for word, middle in middles.items() if self.under else ():
            if self.under[word]:
                scene.text(middle, foot, self.under[word], SMALL, "quiet")
        self._groups(scene, middles, foot + 4 + (18 if self.under else 0))

    def _groups(self, scene, middles, top):
        apart = between_groups(max(self.group_room, len(self.groups)))
        for level, group in enumerate(self.groups):
            xs, y = [middles[k] for k in group.members if k in middles], top + apart * level
            if not xs:
                continue
            scene.line(min(xs), y, max(xs), y, group.mark, 2.4)
            for x in xs:
                scene.dot(x, y, 5.5, group.mark)
            scene.text(min(xs) - 14, y + 5, group.name, 16, group.mark, "end", bold=True)
            if group.note:
                scene.text(max(xs) + 14, y + 5, group.note, SMALL, "quiet", "start")


def between_groups(count: int) -> float:
    """The height of a group where there are so many one under the other."""
    return 30.0 if count <= 3 else max(90.0 / count, 12.0)


def staggered_columns(
    words: Sequence[str], width: float, count: int | None = None, rooted: bool = True, under: Sequence[str] = ()
) -> tuple[list[float], float, float]:
    """(widths of columns, font size, by how much every other word stands lower: 0 where all fit on one line).

    As ``word_columns``; ``count`` columns, of the last words, where the first stands in none; ``rooted`` says whether
    the first that is drawn is the root. ``under`` is what stands under the words that are drawn.
    """
    names = [word or ROOT for word in words] if count is None else [word or ROOT * rooted for word in words[-count:]]
    widths, size = _columns(names, width, under)
    if max(widest(name, size) + ROOM - wide for name, wide in zip(names, widths, strict=True)) <= 1e-6:
        return widths, size, 0.0
    return [wide * (1 - 2 * BESIDE / width) for wide in widths], size, LOWER


def word_columns(words: Sequence[str], width: float) -> tuple[list[float], float]:
    """(width of each word's column, font size of all): equal columns as long as all words fit, else by their length.

    Together they take ``width`` at most, and 170 pixels a word. ``words`` are of length n + 1, the root's first.
    """
    return _columns([word if number else ROOT for number, word in enumerate(words)], width)


def _columns(names, width, under=()):
    whole, size = min(width, WIDEST * len(names)), LARGEST
    least = [widest(text, SMALL) for text in under] or [0.0] * len(names)
    while size > LEAST:
        needed = [max(widest(name, size), wide) + ROOM for name, wide in zip(names, least, strict=True)]
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
    scene: Scene, middles: Places, y: float, words: Mapping[int, str], widths: Places,
    marks: Mapping[int, str] | None = None, *, size: float | None = None,
) -> None:  # fmt: skip
    """Words by number, or the root, with their numbers under them; ``marks`` have boxes of a colour by number.

    ``widths`` are those of the columns, by number; without a ``size`` it is one at which all words fit.
    """
    names = {number: word if number else ROOT for number, word in words.items()}
    size = size or word_size(list(names.values()), min(widths[number] for number in names) - ROOM)
    for number, name in names.items():
        x, shown, mark = middles[number], shortened(name, size, widths[number] - 6), (marks or {}).get(number)
        if mark:
            wide = min(widths[number] - 4, text_width(shown, size) + 18)
            scene.box(x - wide / 2, y - size, wide, size + 5, mark, 2, fill=mark, shade=0.13)
        scene.text(x, y, shown, size, "ink" if number else "quiet", serif=True)
        scene.text(x, y + 20, str(number), SMALL, "quiet")


def arc_heights(arcs: Sequence[Arc]) -> list[int]:
    """The level of each arc, the root counted as a word before the first."""
    return pair_levels([(arc.head + 1, arc.modifier + 1) for arc in arcs])


def in_levels(arcs: Sequence[Arc], most: int) -> list[Arc]:
    """The arcs that stand in so many levels, or in as many as all but candidates need: of those the least probable, and
    the longest, are left out. O(a^2 log a) for a arcs."""
    spare = [arc for arc in arcs if arc.kind == "candidate"]
    spare.sort(key=lambda arc: (arc.posterior or 0.0, -abs(arc.head - arc.modifier)))

    def kept(count):
        out = {id(arc) for arc in spare[:count]}
        return [arc for arc in arcs if id(arc) not in out]

    most = max([most, *arc_heights(kept(len(spare)))])
    return kept(bisect_left(range(len(spare)), True, key=lambda count: max(arc_heights(kept(count))) <= most))


def _level(arcs, most, room):
    """The height of a level where ``most`` have so much room, the first as ``_first_level`` has it."""
    step = min(HIGHEST, room / max(most, 1))
    if most < 2 or _first_level(arcs, step) <= step + OVER:
        return step
    return (room + OVER - UNDER_LABEL) / (most - 1)


def _first_level(arcs, step):
    """How high the lowest arcs are: enough for their arrows to be seen under their labels."""
    return max(step + OVER, UNDER_LABEL) if any(arc.label for arc in arcs) else step + OVER


def draw_arcs(
    scene: Scene, arcs: Sequence[Arc], middles: Places, floor: float, step: float, *, below: bool = False,
    ends: Sequence[str] = (),
) -> None:  # fmt: skip
    """Arcs on feet at ``floor``; ``middles[k]`` is the middle of word k, ``step`` the height of a level.

    With ``ends`` the first and the last place are the edges of a row, and no words: an arc into one of them ends there,
    with what ``ends`` has for it, where there is room.
    """
    down, levels = 1 if below else -1, arc_heights(arcs)
    first = step + OVER if below else _first_level(arcs, step)
    feet, labels, edges = _feet(arcs, levels, middles), [], (0, len(middles) - 1) if ends else ()
    named: list[tuple[int, float, str, str]] = []  # at the edges, over all lines
    for number, (arc, level) in enumerate(zip(arcs, levels, strict=True)):
        x1, x2 = feet[number, arc.head], feet[number, arc.modifier]
        top, lands = floor + down * (first + (level - 1) * step), arc.modifier not in edges
        path = _outline((x1, x2), top, floor, down)
        if arc.head in edges:
            path = (f"M{middles[arc.head]:.1f},{top:.1f}", path[1])
        if not lands:
            path = (path[0], f"H{middles[arc.modifier]:.1f}")
        if arc.posterior is not None:
            scene.path("".join(path), arc.kind, 6, fade=strength(arc.posterior))
        scene.path("".join(path), arc.kind, 2.4 if arc.kind == "changed" else 1.7, dash=arc.dash)
        for edge in {arc.head, arc.modifier} & {*edges}:
            named.append((edge, top, ends[number], arc.kind))
        if lands:
            tip = f"M{x2:.1f},{floor:.1f}L{x2 - 4.5:.1f},{floor + down * 10:.1f}H{x2 + 4.5:.1f}Z"
            scene.path(tip, arc.kind, 0, fill=arc.kind)
        if arc.label and lands:
            labels.append((_beside_ends((x1 + x2) / 2, arc, [middles[edge] for edge in edges]), top, arc))
    _draw_ends(scene, named, middles)
    for x, top, arc in _apart(labels):
        scene.text(x, top + SMALL * 0.35, arc.label, SMALL, arc.kind, paper=True, bold=arc.kind == "changed")


def _draw_ends(scene, named, middles):
    """Numbers (edge, height, number, colour) at the edges of a row: those that cover no other."""
    drawn = []
    for edge, top, name, kind in named:
        if all(other != edge or abs(there - top) >= SMALL - 3 for other, there in drawn):
            drawn.append((edge, top))
            scene.text(middles[edge], top + SMALL * 0.35, name, SMALL, kind, paper=True)


def _beside_ends(x, arc, edges):
    """Where the label of an arc stands that might cover the numbers at the edges of a row."""
    if not edges:
        return x
    away = widest("99", SMALL) / 2 + widest(arc.label, SMALL, arc.kind == "changed") / 2 + 6
    return min(max(x, min(edges) + away), max(edges) - away)


def _outline(feet, top, floor, down):
    """(path from the head's foot to the top, path from there to the modifier's)."""
    x1, x2 = feet
    turn = min(14.0, abs(x2 - x1) / 2) * (1 if x1 < x2 else -1)
    bend = top - down * min(14.0, abs(top - floor))
    rises = f"M{x1:.1f},{floor:.1f}V{bend:.1f}Q{x1:.1f},{top:.1f} {x1 + turn:.1f},{top:.1f}"
    return rises, f"H{x2 - turn:.1f}Q{x2:.1f},{top:.1f} {x2:.1f},{bend:.1f}V{floor + down * 8:.1f}"


def _feet(arcs, levels, middles):
    """(number of the arc, word) -> x: side by side at each word, the lowest arc outermost; none meets another."""
    places = dict(middles) if isinstance(middles, Mapping) else dict(enumerate(middles))
    across = list(places.values())
    feet, onward = {}, 1 if across[-1] >= across[0] else -1
    for word, middle in places.items():
        for side in (-1, 1):
            ports = [
                (-levels[number], number)
                for number, arc in enumerate(arcs)
                if word in (arc.head, arc.modifier) and (arc.head + arc.modifier - 2 * word) * side > 0
            ]
            for rank, (_, number) in enumerate(sorted(ports)):
                feet[number, word] = middle + onward * side * (4 + PORT * rank)
    return feet


def with_gaps(shown: Sequence[int]) -> list[Slot]:
    """Words by number, and between two that are no neighbours a pair of both, for what is folded."""
    slots: list[Slot] = []
    for before, word in zip((0, *shown), shown, strict=False):
        if slots and word - before > 1:
            slots.append((before, word))
        slots.append(word)
    return slots


def draw_gaps(scene: Scene, middles: Mapping[Slot, float], y: float) -> None:
    """What stands for folded words, in the row of words with their baseline at y: ``…``, and their numbers."""
    for slot, x in middles.items():
        if isinstance(slot, tuple):
            first, last = slot[0] + 1, slot[1] - 1
            scene.text(x, y, "…", 18, "quiet")
            scene.text(x, y + 20, str(first) if first == last else f"{first}–{last}", SMALL, "quiet")


def _apart(labels):
    """Those labels that cover no other one: what has just changed comes first, and what might be last."""
    placed = []
    for x, top, arc in sorted(labels, key=lambda label: RANKS.get(label[2].kind, 1)):
        half = widest(arc.label, SMALL, arc.kind == "changed") / 2
        if all(abs(x - other) >= half + wide or abs(top - there) >= SMALL for other, there, wide, _ in placed):
            placed.append((x, top, half, arc))
    return [(x, top, arc) for x, top, _, arc in placed]
