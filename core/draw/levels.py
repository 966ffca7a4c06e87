"""Heights of arcs and bars, row breaks and widths of text: the arithmetic under the layout."""

import unicodedata
from collections.abc import Sequence

import numpy as np

ROW_COST = 3.0  # arcs that may cross from row to row to save a row


def arc_levels(heads: Sequence[int] | np.ndarray) -> np.ndarray:
    """Height of the arc above each word of a tree.

    Parameters
    ----------
    heads : int array (n + 1,)
        ``heads[m]`` is the head of word m; 0 = root, -1 = unknown; entry 0 is ignored.

    Returns
    -------
    levels : int array (n + 1,)
        1.. for words with a head, 0 otherwise.

    Notes
    -----
    See ``pair_levels``.
    """
    heads = np.asarray(heads)
    modifiers = [m for m in range(1, len(heads)) if heads[m] >= 0]
    levels = np.zeros(len(heads), dtype=np.int64)
    levels[modifiers] = pair_levels([(int(heads[m]), m) for m in modifiers])
    return levels


def pair_levels(pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Height of each of a set of arcs, in whole steps from 1.

    Parameters
    ----------
    pairs : sequence of (head, modifier)
        Head 0 is the root, whose arrow comes from above and needs a level over every arc that covers its word.

    Returns
    -------
    levels : list of int
        An arc is higher than those nested in it, and arcs that overlap have different levels. The least height
        possible where no two arcs cross; where some do, each takes the lowest level free for it, short arcs first.

    Notes
    -----
    O(a^2) for a arcs.
    """
    spans = [
        (modifier, modifier) if head == 0 else (min(head, modifier), max(head, modifier)) for head, modifier in pairs
    ]
    levels = [0] * len(spans)
    # roots last: they stand above whatever touches their word, and nothing stands on them
    order = sorted(
        range(len(spans)), key=lambda i: (spans[i][0] == spans[i][1], spans[i][1] - spans[i][0], spans[i], i)
    )
    placed = []
    for i in order:
        left, right = spans[i]
        over = [j for j in placed if _share_ground(spans[j], spans[i])]
        level = 1 + max(
            (levels[j] for j in over if left == right or (left <= spans[j][0] and spans[j][1] <= right)), default=0
        )
        taken = {levels[j] for j in over}
        while level in taken:
            level += 1
        levels[i] = level
        placed.append(i)
    return levels


def _share_ground(first, second):
    """Whether spans overlap in more than an end point; a root arrow shares its word with every arc touching it."""
    if first[0] == first[1] or second[0] == second[1]:
        return max(first[0], second[0]) <= min(first[1], second[1])
    return max(first[0], second[0]) < min(first[1], second[1])


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


def text_width(text: str, size: float) -> float:
    """Estimated width of ``text`` in a serif face of font size ``size``, where no browser can measure it."""
    return size * sum(_advance(letter) for letter in text)


def widest(text: str, size: float, bold: bool = False) -> float:
    """How wide ``text`` may become in whatever face stands in for ours: for what must not be cut, nor cover its paper.

    DejaVu, the widest that is common, takes 1.1 times the estimate for words, 1.26 for numbers, a tenth more if bold.
    """
    most = sum(_advance(letter) * (1.13 if letter.isalpha() or letter == " " else 1.3) for letter in text)
    return size * most * (1.1 if bold else 1.0)


def _advance(letter):
    """Width of a letter in units of the font size: rounded averages over common faces."""
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in "iIjlt.,;:'’!|()[]/ ":
        return 0.33
    if letter in "mwMW@%—":
        return 0.88
    if category == "Lu":
        return 0.7
    return 0.53
