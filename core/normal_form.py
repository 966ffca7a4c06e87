"""Unicode's composed form (NFC), in which strings are compared: é is é, whether it is one character or two."""

import unicodedata

import numpy as np


def composed(text: str) -> str:
    """A text in the composed form."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def merged(ids: np.ndarray, values: list[str]) -> tuple[np.ndarray, tuple[str, ...]]:
    """(ids, values) of interned strings whose values may repeat, in which each stands once; "" first, then in order."""
    distinct = ["", *sorted({*values} - {""})]
    number = {value: index for index, value in enumerate(distinct)}
    return np.array([number[value] for value in values])[ids], tuple(distinct)
