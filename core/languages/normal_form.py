"""Unicode's normal forms: composed (NFC), in which strings are compared, é is é, whether one character or two."""

import unicodedata
from itertools import chain
from typing import Literal

import numpy as np
import regex

MARKS = regex.compile(r"\P{Canonical_Combining_Class=0}{32,}")  # as no letter has them


def composed(text: str) -> str:
    """A text in the composed form. O(characters log characters)."""
    return normalized("NFC", text)


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """A text in one of Unicode's normal forms.

    ``unicodedata`` puts the marks on a letter into their order one by one, in the square of their number. Many are
    put there before.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, MARKS.sub(lambda marks: _ordered(marks[0]), text))


def _ordered(marks):
    """Marks without letters in Unicode's order, each in its parts."""
    parts = chain.from_iterable(unicodedata.normalize("NFD", mark) for mark in marks)
    return "".join(sorted(parts, key=unicodedata.combining))


def merged(ids: np.ndarray, values: list[str]) -> tuple[np.ndarray, tuple[str, ...]]:
    """(ids, values) of interned strings whose values may repeat, in which each stands once; "" first, then in order."""
    distinct = ["", *sorted({*values} - {""})]
    number = {value: index for index, value in enumerate(distinct)}
    return np.array([number[value] for value in values])[ids], tuple(distinct)
