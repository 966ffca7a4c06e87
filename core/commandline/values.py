"""What the values of options are read with: types of argparse, which names them in its messages."""

import math
from argparse import ArgumentTypeError

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def positive(text: str) -> int:
    """A whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def whole(text: str) -> int:
    """A whole number of at least 0."""
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def weight(text: str) -> float:
    """A number of at least 0."""
    number = float(text)
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError
    return number


def size(text: str) -> int:
    """A number of bytes, such as 64M or 500K."""
    number, factor = text, 1
    if text[-1:].upper() in UNITS:
        number, factor = text[:-1], UNITS[text[-1].upper()]
    return positive(number) * factor


def names(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(name.strip().lower() for name in text.split(",") if name.strip())


def lengths(text: str) -> tuple[int, ...]:
    """Whole numbers of at least 1 with commas between."""
    return tuple(positive(part) for part in text.split(","))


def sizes(text: str) -> tuple[int, ...]:
    """Whole numbers of at least 1 that rise, with commas between."""
    numbers = [int(part) if part.isdecimal() else 0 for part in text.split(",")]
    if min(numbers) < 1 or numbers != sorted(set(numbers)):
        raise ArgumentTypeError("sizes that rise, such as 10,25,50")
    return tuple(numbers)


def counts(text: str) -> tuple[int, ...]:
    """Different whole numbers of at least 1, with commas between."""
    numbers = [int(part) if part.isdecimal() else 0 for part in text.split(",")]
    if min(numbers) < 1 or len(set(numbers)) < len(numbers):
        raise ArgumentTypeError("numbers of processes, such as 1,2,4")
    return tuple(numbers)


def percent(text: str) -> float:
    """A number above 0, of at most 100."""
    number = float(text)
    if not 0 < number <= 100:
        raise ValueError
    return number


positive.__name__ = "positive whole number"
whole.__name__ = "whole number"
weight.__name__ = "number of at least 0"
size.__name__ = "number of bytes, such as 64M"
lengths.__name__ = "list of positive whole numbers"
percent.__name__ = "percentage"
