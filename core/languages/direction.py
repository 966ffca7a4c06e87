"""The writing direction of a text, and the display of words of the other direction.

Positions in a sentence are *before* and *after*, not left and right, since that holds in every script.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

RIGHT_TO_LEFT = frozenset(("R", "AL"))  # bidirectional classes of letters: Hebrew and others; Arabic and others
ISOLATE, END = "\u2068", "\u2069"  # text between them has a direction of its own (Unicode, UAX 9, section 2.3)

# the position of an arc's modifier, by the arc's direction in files, addresses and the papers
SIDES = MappingProxyType({"left": "before its head", "right": "after its head"})


def side_name(direction: str) -> str:
    """An arc's direction in the interface; names other than ``left`` and ``right`` stay."""
    return SIDES.get(direction, direction)


def right_to_left(words: Sequence[str]) -> bool:
    """Whether most letters of some words belong to a script written from right to left.

    Parameters
    ----------
    words : str, or iterable of str
    """
    text = "".join(words)
    classes = Counter(() if text.isascii() else map(unicodedata.bidirectional, text))
    return sum(classes[kind] for kind in RIGHT_TO_LEFT) > classes["L"]


def bidi_isolate(text: str) -> str:
    """Words for a sentence of the interface, isolated if they have a letter written from right to left.

    Without that an English sentence with two Hebrew words shows them, and all words between them, in reverse.
    """
    needs_isolation = not text.isascii() and not RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, text))
    return f"{ISOLATE}{text}{END}" if needs_isolation else text
