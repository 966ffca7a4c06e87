"""The reference for assets/components/tree-layout.js: where everything in a drawing of a tree goes, in pixels.

Levels are heights of arcs in whole steps: an arc stands above every arc nested in it, and no two arcs that share
ground share a level. A sentence too wide for the page is broken into rows where the fewest arcs cross; an arc from
one row to another leaves at the edge, where its relation and the word at its other end are written.

x runs to the right and y down. The browser measures its own words; here a width is an estimate or a given function.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.draw.drawing import Drawing
from core.draw.levels import pair_levels, text_width

ROW_COST = 3.0  # arcs that may cross from row to row to save a row


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in pixels."""

    word: float = 18.0  # font size
    tag: float = 10.5
    label: float = 11.0
    step: float = 18.0  # height of one level
    lead: float = 9.0  # from the words to level 0
    gap: float = 16.0  # least space between words
    port: float = 7.0  # between arcs that meet at one word
    margin: float = 12.0
    row_gap: float = 26.0
    gutter: float = 132.0  # most that a broken row gives up at each side to the names of words in other rows


@dataclass(frozen=True, slots=True)
class Segment:
    """The part of arc number ``arc`` in row ``row``, from ``left`` to ``right``; open ends leave the row.

    ``x1`` and ``x2`` are equal for an arrow from the root. ``tip`` is "left", "right" or "" where the modifier is in
    another row. ``caption_left`` and ``caption_right`` are what stands at an open end.
    """

    arc: int
    row: int
    x1: float
    x2: float
    level: int
    below: bool
    open_left: bool = False
    open_right: bool = False
    tip: str = ""
    caption_left: str = ""
    caption_right: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Words ``start`` .. ``end - 1``; ``y`` is the baseline of their text; ``top`` and ``bottom`` bound the row."""

    start: int
    end: int
    y: float
    top: float
    bottom: float
    above: int  # levels above the words
    below: int


@dataclass(frozen=True, slots=True)
class Layout:
    """``x[m]`` is the middle of word m (``x[0]`` unused), ``rows`` and ``segments`` in reading order."""

    width: float
    height: float
    x: tuple
    rows: tuple
    segments: tuple


def lay_out(
    drawing: Drawing, metrics: Metrics | None = None, *, width: float | None = None, labels: bool = True,
    measure: Callable[[str, float], float] = text_width,
) -> Layout:  # fmt: skip
    """Place the words and arcs of a drawing.

    Parameters
    ----------
    drawing : Drawing
    metrics : Metrics, optional
    width : float, optional
        Break the sentence into rows no wider than this; one endless row by default.
    labels : bool
        Leave room for the relations.
    measure : callable (text, font size) -> float

    Returns
    -------
    Layout
    """
    metrics = metrics or Metrics()
    widths = [0.0] + [
        max(measure(word, metrics.word), 1.1 * measure(tag, metrics.tag))
        for word, tag in zip(drawing.words[1:], drawing.tags[1:], strict=True)
    ]
    needs = [measure(arc.label, metrics.label) + 16 if labels and arc.label else 16.0 for arc in drawing.arcs]
    line = _word_positions(drawing, widths, needs, metrics, 1, len(drawing) + 1)
    edges = [(x - w / 2, x + w / 2) for x, w in zip(line, widths[1:], strict=True)]
    bounds = [1, len(drawing) + 1]
    if width is not None and edges[-1][1] + 2 * metrics.margin > width:
        bounds = _bounds(drawing, edges, metrics, width, measure)
    x = [0.0]
    for start, end in pairwise(bounds):
        x += _word_positions(drawing, widths, needs, metrics, start, end)
    gutters = _gutters(drawing, bounds, metrics, measure)
    inset = metrics.margin + gutters[0]
    x = [0.0] + [position + inset for position in x[1:]]
    total = max(x[end - 1] + widths[end - 1] / 2 for end in bounds[1:]) + metrics.margin + gutters[1]
    segments = _cut(drawing, bounds)
    rows = _stack_rows(drawing, metrics, bounds, segments)
    placed = _place(drawing, metrics, bounds, segments, x, widths, inset)
    layout = Layout(total, rows[-1].bottom + metrics.margin, tuple(x), rows, placed)
    return _mirrored(layout) if drawing.right_to_left else layout


def _word_positions(drawing, widths, needs, metrics, start, end):
    """Middles of words start..end-1 on one line, as close as words and the relations over them allow."""
    meeting = Counter((word, arc.below) for arc in drawing.arcs for word in {arc.head or arc.modifier, arc.modifier})
    incoming = {}
    for arc, need in zip(drawing.arcs, needs, strict=True):
        left, right = sorted((arc.head, arc.modifier))
        if start <= left and right < end:
            feet = meeting[left, arc.below] + meeting[right, arc.below] - 2  # they push the arc's feet inwards
            incoming.setdefault(right, []).append((left, need + feet * metrics.port / 2))
    x = []
    for word in range(start, end):
        place = widths[word] / 2
        if word > start:
            place = x[-1] + (widths[word - 1] + widths[word]) / 2 + metrics.gap
        place = max([place, *(x[left - start] + need for left, need in incoming.get(word, []))])
        x.append(place)
    return x


def _bounds(drawing, edges, metrics, width, measure):
    """First word of each row, and one past the last: broken for the widest gutters, then for those in fact needed."""
    room, crossings = width - 2 * metrics.margin, _crossings(drawing)

    def broken(gutters):
        return [start + 1 for start in break_rows(edges, crossings, max(room - gutters, 160.0))] + [len(drawing) + 1]

    first = broken(2 * metrics.gutter)
    needed = sum(_gutters(drawing, first, metrics, measure))
    second = broken(needed)
    return second if sum(_gutters(drawing, second, metrics, measure)) <= needed else first


def _gutters(drawing, bounds, metrics, measure):
    """Room at the left and at the right for the captions of arcs that change rows."""
    rows = np.searchsorted(bounds, np.arange(len(drawing) + 1), side="right")
    cut = [arc for arc in drawing.arcs if arc.head and rows[arc.head] != rows[arc.modifier]]
    sides = ([_caption(drawing, arc, side, not side) for arc in cut] for side in (True, False))
    widths = (max((measure(caption, metrics.label) + 14 for caption in side), default=0.0) for side in sides)
    return tuple(min(metrics.gutter, width) for width in widths)


def _crossings(drawing):
    counts = [0] * len(drawing)
    for arc in drawing.arcs:
        if arc.head:
            for gap in range(min(arc.head, arc.modifier), max(arc.head, arc.modifier)):
                counts[gap - 1] += 1
    return counts


def _cut(drawing, bounds):
    """(arc, row, left, right, level, below) for each part of an arc; left and right in words, halves at row ends."""
    pieces = []
    for number, arc in enumerate(drawing.arcs):
        left, right = (arc.modifier, arc.modifier) if arc.head == 0 else sorted((arc.head, arc.modifier))
        for row, (start, end) in enumerate(pairwise(bounds)):
            touches = start <= left < end or start <= right < end  # rows only passed over stay clear
            if touches:
                pieces.append((number, row, max(left, start - 0.5), min(right, end - 0.5), arc.below))
    levels = {}
    for row in range(len(bounds) - 1):
        for below in (False, True):
            here = [piece for piece in pieces if piece[1] == row and piece[4] == below]
            pairs = [(0, piece[2]) if piece[2] == piece[3] else (piece[2], piece[3]) for piece in here]
            levels.update(zip(here, pair_levels(pairs), strict=True))
    return [
        (number, row, left, right, levels[number, row, left, right, below], below)
        for number, row, left, right, below in pieces
    ]


def _stack_rows(drawing, metrics, bounds, pieces):
    rows, top = [], metrics.margin
    tag_line = metrics.tag * 1.5 if any(drawing.tags) else 0.0
    bars = 1 + max(span_levels(drawing.spans), default=-1)
    for row, (start, end) in enumerate(pairwise(bounds)):
        above = max((piece[4] for piece in pieces if piece[1] == row and not piece[5]), default=0)
        below = max((piece[4] for piece in pieces if piece[1] == row and piece[5]), default=0)
        height = metrics.lead + above * metrics.step + metrics.label if above else 0.0
        y = top + height + metrics.word
        depth = metrics.word * 0.35 + tag_line + bars * metrics.label * 1.6
        bottom = y + depth + (metrics.lead + below * metrics.step + metrics.label if below else 0.0)
        rows.append(Row(start, end, y, top, bottom, above, below))
        top = bottom + metrics.row_gap
    return tuple(rows)


def _place(drawing, metrics, bounds, pieces, x, widths, inset):
    """Segments with pixel ends: arcs that meet at a word stand side by side, the longest innermost."""
    ports = {}
    for index, (_, _, left, right, level, below) in enumerate(pieces):
        if left == right:
            ports.setdefault((left, below), []).append((1, 0, 0, index, "root"))
            continue
        for word, leaves_left in ((right, True), (left, False)):
            if word == int(word):
                order = (0, right - left, level) if leaves_left else (2, left - right, -level)
                ports.setdefault((int(word), below), []).append((*order, index, "right" if leaves_left else "left"))
    ends = {}
    for (word, _), here in ports.items():
        room = widths[word] + metrics.gap / 2
        port = min(metrics.port, room / len(here))
        for rank, (*_, index, side) in enumerate(sorted(here)):
            ends[index, side] = x[word] + (rank - (len(here) - 1) / 2) * port
    segments = []
    for index, (number, row, left, right, level, below) in enumerate(pieces):
        arc = drawing.arcs[number]
        if left == right:
            at = ends[index, "root"]
            segments.append(Segment(number, row, at, at, level, below, tip="left"))
            continue
        open_left, open_right = left != int(left), right != int(right)
        last = bounds[row + 1] - 1
        x1 = inset - 8 if open_left else ends[index, "left"]
        x2 = x[last] + widths[last] / 2 + 8 if open_right else ends[index, "right"]
        caption = _caption(drawing, arc, open_left, open_right)
        tip = "left" if arc.modifier == left else "right" if arc.modifier == right else ""
        segments.append(
            Segment(
                number, row, x1, x2, level, below, open_left, open_right, tip,
                caption if open_left else "", caption if open_right else "",
            )
        )  # fmt: skip
    return tuple(segments)


def _caption(drawing, arc, open_left, open_right):
    """The word at the other end, and the relation, for an arc that leaves its row."""
    if not (open_left or open_right):
        return ""
    other = min(arc.head, arc.modifier) if open_left else max(arc.head, arc.modifier)
    word = drawing.words[other]
    word = word if len(word) <= 12 else word[:11] + "…"
    return f"{arc.label} · {word}" if arc.label else word


def _mirrored(layout):
    """The same layout for a script written from right to left."""
    flip = {"left": "right", "right": "left", "": ""}
    segments = tuple(
        replace(
            segment,
            x1=layout.width - segment.x2,
            x2=layout.width - segment.x1,
            open_left=segment.open_right,
            open_right=segment.open_left,
            tip=flip[segment.tip],
            caption_left=segment.caption_right,
            caption_right=segment.caption_left,
        )
        for segment in layout.segments
    )
    return replace(layout, x=(0.0, *(layout.width - place for place in layout.x[1:])), segments=segments)


def span_levels(spans: Sequence) -> list[int]:
    """0 for the bar next to the words, 1 for the one under it: a bar lies under those it contains or overlaps."""
    levels = [0] * len(spans)
    order = sorted(range(len(spans)), key=lambda i: (spans[i].end - spans[i].start, spans[i].start, i))
    for rank, i in enumerate(order):
        over = [levels[j] for j in order[:rank] if spans[j].start < spans[i].end and spans[i].start < spans[j].end]
        levels[i] = 1 + max(over, default=-1)
    return levels


def break_rows(positions: Sequence[tuple[float, float]], crossings: Sequence[int], limit: float) -> list[int]:
    """Where to break a line of words so that rows fit and few arcs cross from one row to another.

    Parameters
    ----------
    positions : sequence of (left, right), one a word
        Edges of words 1..n on one endless line.
    crossings : sequence of int, length n
        ``crossings[j]`` is the number of arcs over the gap after word j + 1.
    limit : float
        Widest row; a single word may exceed it.

    Returns
    -------
    starts : list of int
        Index (from 0) of the first word of each row. Least in sum: ``ROW_COST`` a row, 1 for each arc that crosses
        from row to row, and the squared share of each row that stays empty.

    Notes
    -----
    Dynamic programme over the last break, O(n^2).
    """
    n = len(positions)
    best = [(0.0, 0)] + [(float("inf"), 0)] * n  # (cost, start of the last row) for the first j words
    for end in range(1, n + 1):
        for start in range(end - 1, -1, -1):
            width = positions[end - 1][1] - positions[start][0]
            if width > limit and start < end - 1:
                break
            cost = best[start][0] + (crossings[end - 1] if end < n else 0) + row_cost(width, limit)
            if cost < best[end][0]:
                best[end] = (cost, start)
    starts, end = [], n
    while end > 0:
        end = best[end][1]
        starts.append(end)
    return starts[::-1]


def row_cost(width: float, limit: float) -> float:
    """What a row costs by itself."""
    return ROW_COST + (1 - min(width / limit, 1.0)) ** 2
