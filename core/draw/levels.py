"""Heights of arcs over words, and estimated widths of text."""

import unicodedata
from collections.abc import Sequence


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
        over = []  # overlap in more than an end point; a root arrow shares its word with every arc touching it
        for j in placed:
            is_root = left == right or spans[j][0] == spans[j][1]
            shared = min(spans[j][1], right) - max(spans[j][0], left)
            over += [j] * (shared >= 0 if is_root else shared > 0)
        level = 1 + max(
            (levels[j] for j in over if left == right or (left <= spans[j][0] and spans[j][1] <= right)), default=0
        )
        taken = {levels[j] for j in over}
        while level in taken:
            level += 1
        levels[i] = level
        placed.append(i)
    return levels


def text_width(text: str, size: float) -> float:
    """Estimated width of ``text`` in a serif face of font size ``size``, where no browser can measure it."""
    return size * sum(_advance(letter) for letter in text)


def widest(text: str, size: float, bold: bool = False) -> float:
    """The largest width of ``text`` in any face that may replace ours, for text that must not be cut or cover its
    paper.

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
