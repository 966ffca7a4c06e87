"""What the values of options are read with: types of argparse, which names them in its messages."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import TypeVar

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


T = TypeVar("T", int, float)


def _number(kind: type[T], name: str, fits: Callable[[T], bool]) -> Callable[[str], T]:
    """What reads a number, by the name that messages give it."""

    def read(text):
        number = kind(text)
        if not fits(number):
            raise ValueError
        return number

    read.__name__ = name
    return read


positive = _number(int, "positive whole number", lambda number: number >= 1)
whole = _number(int, "whole number", lambda number: number >= 0)
weight = _number(float, "number of at least 0", lambda number: 0 <= number < math.inf)
percent = _number(float, "percentage", lambda number: 0 < number <= 100)


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


def counts(text: str, meant: str = "numbers of processes, such as 1,2,4") -> tuple[int, ...]:
    """Different whole numbers of at least 1, with commas between."""
    numbers = tuple(int(part) if part.isdecimal() else 0 for part in text.split(","))
    if min(numbers) < 1 or len(set(numbers)) < len(numbers):
        raise ArgumentTypeError(meant)
    return numbers


def sizes(text: str) -> tuple[int, ...]:
    """Whole numbers of at least 1 that rise, with commas between."""
    meant = "sizes that rise, such as 10,25,50"
    numbers = counts(text, meant)
    if list(numbers) != sorted(numbers):
        raise ArgumentTypeError(meant)
    return numbers


size.__name__ = "number of bytes, such as 64M"
lengths.__name__ = "list of positive whole numbers"
