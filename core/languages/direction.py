"""Which way a text runs, and how a word of the other way stands in a sentence: the one place that decides.

Places in a sentence are *before* and *after*, never left and right: the first is true in every script.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

RIGHT_TO_LEFT = frozenset(("R", "AL"))  # Hebrew and its kin; Arabic and its kin
ISOLATE, END = "\u2068", "\u2069"  # what stands between has a direction of its own (Unicode, UAX 9, section 2.3)

# where the modifier of an arc stands, by what the arc is called in files, addresses and the papers
SIDES = MappingProxyType({"left": "before its head", "right": "after its head"})


def side_name(direction: str) -> str:
    """An arc's direction as the interface calls it; what is neither ``left`` nor ``right`` keeps its name."""
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
    """Words for a sentence of the interface: as they are, or, with a letter written from right to left, kept apart.

    Without that a sentence of English that names two Hebrew words shows them, and all between them, in reverse.
    """
    apart = not text.isascii() and not RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, text))
    return f"{ISOLATE}{text}{END}" if apart else text
