"""Limits on the time, memory and regular expressions of one search, so that no request blocks other people.

Regular expressions are read by ``re``, whose notation they are, and matched by ``regex``, which stops at a time limit
and lets other threads run meanwhile. Linear-time engines know no ``(.+)\\1`` (reduplication), no ``(?!un)`` and no
letters but ASCII in ``\\w``, which linguists ask for.
"""

import re
import time

import regex

from core.errors import WorkbenchError

SECONDS = 5.0
BYTES = 1 << 30
LONGEST_VALUE = 10_000  # characters of a value that is tested against a regular expression
MOST_STATES = 100_000  # characters of a regular expression times its counted repetitions, which the engine writes out
COUNT = re.compile(r"\{(\d*),?(\d*)\}")
BRACE = re.compile(r"\\N\{[^}]*\}|\\.|\{(?![\d,]+\})", re.DOTALL)  # a brace that counts nothing stands for itself


class Spent(Exception):
    """The budget of a search is used up; the message says which part of it and what to do."""


class Budget:
    """Seconds and bytes of one search, from now on.

    Parameters
    ----------
    seconds : float
    most_bytes : int
        For the hits and the partial hits together.
    """

    def __init__(self, seconds: float = SECONDS, most_bytes: int = BYTES):
        self.seconds, self.most_bytes = seconds, most_bytes
        self.deadline = time.monotonic() + seconds
        self._compiled = {}

    def left(self) -> float:
        """Seconds left, more than 0; raises Spent if there are none."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Spent(f"the search stopped after {self.seconds:g} seconds")
        return left

    def require_bytes(self, size: int) -> None:
        """Raise Spent where hits take more than ``most_bytes``."""
        if size > self.most_bytes:
            raise Spent(f"the search stopped at {self.most_bytes / 2**30:g} GB of hits")

    def matches(self, pattern: str, value: str) -> bool:
        """Whether a regular expression matches a whole value; raises Spent where that takes too long."""
        try:
            if pattern not in self._compiled:
                self.left()
                self._compiled[pattern] = regex.compile(
                    BRACE.sub(lambda brace: rf"\{brace[0]}" if brace[0] == "{" else brace[0], pattern)
                )
            return self._compiled[pattern].fullmatch(value, timeout=self.left(), concurrent=True) is not None
        except (TimeoutError, MemoryError):
            raise Spent(f"the regular expression {pattern[:40]!r} takes more than {self.seconds:g} seconds") from None
        except (regex.error, RecursionError) as error:
            raise WorkbenchError(f"the regular expression {pattern[:40]!r} cannot be used: {error}") from None


def require_pattern(pattern: str) -> None:
    """Raise ValueError, with the reason, for what is no regular expression or grows too large when it is read."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError, ValueError) as error:
        raise ValueError(str(error) or "it is nested too deeply") from None
    states = len(pattern)
    for least, most in COUNT.findall(pattern):
        states *= max(1, int(least or 0), int(most or 0))
    if states > MOST_STATES:
        raise ValueError("its counted repetitions multiply to too much; write + or * for them")
