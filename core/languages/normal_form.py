"""Unicode's normal forms; strings are compared in the composed one (NFC), in which é is one character."""

import unicodedata
from itertools import chain
from typing import Literal

import numpy as np
import regex

MARKS = regex.compile(r"\P{Canonical_Combining_Class=0}{32,}")  # more than any letter has


def composed(text: str) -> str:
    """A text in the composed form. O(characters log characters)."""
    return normalized("NFC", text)


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """A text in one of Unicode's normal forms.

    ``unicodedata`` sorts the marks on a letter in quadratic time. So long sequences of marks are sorted before.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, MARKS.sub(lambda marks: _ordered(marks[0]), text))


def _ordered(marks):
    """Combining marks, decomposed, in Unicode's order."""
    parts = chain.from_iterable(unicodedata.normalize("NFD", mark) for mark in marks)
    return "".join(sorted(parts, key=unicodedata.combining))


def merged(ids: np.ndarray, values: list[str]) -> tuple[np.ndarray, tuple[str, ...]]:
    """(ids, values) of interned strings without repeated values: "" first, then sorted."""
    distinct = ["", *sorted({*values} - {""})]
    number = {value: index for index, value in enumerate(distinct)}
    return np.array([number[value] for value in values])[ids], tuple(distinct)
