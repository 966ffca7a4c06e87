"""What is counted as other words than are written: multiword tokens, and words that a tokeniser cut."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from core.languages.contractions import WRITTEN
from core.languages.marks import UNSPACED
from core.treebank.multiword import multiword_tokens
from core.treebank.treebank import Treebank

SHORT = 4  # letters before an apostrophe that is an elision: l', qu', dell'
SENT_CUTS = 10_000  # those that the process which reads a text sends to the one that shows them
REST = "…"  # the word to which a short one is written


class Cut(NamedTuple):
    """One way in which something written is counted as several words.

    ``is_token`` is for multiword tokens, whose parts may be spelt otherwise. Else a tokeniser cut it; what stands for
    any word is REST then.
    """

    written: str
    words: tuple[str, ...]
    count: int
    is_token: bool


def unusual_cuts(treebank: Treebank) -> list[Cut]:
    """Every Cut within letters, apostrophes and hyphens, once: multiword tokens first, then the most frequent.

    Capitals count as small letters. Scripts without spaces between words are left out. O(rows).
    """
    counts: Counter = Counter()
    words = treebank.form.strings()
    first, last, forms = multiword_tokens(treebank)
    is_free = treebank.is_word.copy()
    for begin, end, form in zip(first.tolist(), last.tolist(), forms, strict=True):
        counts[form.lower(), tuple(map(str.lower, words[begin : end + 1].tolist())), True] += 1
        is_free[begin : end + 1] = False
    for begin, end in _runs(treebank, is_free):
        pieces = [word.lower() for word in words[begin:end].tolist()]
        for written, parts in _cuts(pieces):
            counts[written, parts, False] += 1
    cuts = [Cut(written, parts, count, is_token) for (written, parts, is_token), count in counts.items()]
    return sorted(cuts, key=lambda cut: (not cut.is_token, -cut.count, cut.written))


def _runs(treebank, is_free):
    """Yield (first, behind the last) row of two or more free words without spaces between them."""
    column = treebank.misc
    tight = np.array(["SpaceAfter=No" in value.split("|") for value in column.values], dtype=bool)[column.ids]
    joined = tight[:-1] & is_free[:-1] & is_free[1:]  # of each row, to the next
    edges = np.diff(joined, prepend=False, append=False).nonzero()[0] if len(joined) else np.zeros(0, np.int64)
    yield from zip(edges[::2].tolist(), (edges[1::2] + 1).tolist(), strict=True)


def _cuts(pieces):
    """Yield (written, words) of the cuts between pieces that stand together."""
    begin = 0
    for end in range(1, len(pieces) + 1):
        if end < len(pieces) and all(_is_written(piece) for piece in pieces[end - 1 : end + 1]):
            continue
        if end - begin > 1:
            yield from _named(pieces[begin:end])
        begin = end


def _is_written(piece):
    return WRITTEN.fullmatch(piece) is not None and not UNSPACED.search(piece)


def _named(pieces):
    """Yield (written, words) for pieces of one written word, without what only leans on another word."""
    while len(pieces) > 1 and pieces[0][-1] in "'’" and len(pieces[0]) <= SHORT + 1:
        yield pieces[0] + REST, (pieces[0], REST)
        pieces = pieces[1:]
    while len(pieces) > 1 and pieces[-1][0] in "-'’":
        yield REST + pieces[-1], (REST, pieces[-1])
        pieces = pieces[:-1]
    if len(pieces) > 1:
        yield "".join(pieces), tuple(pieces)
