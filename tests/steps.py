"""How much work a call makes, without a clock.

Where Python's own loops do the work its steps are counted. Where a compiled loop does, such as that of a regular
expression, a test gives it a text of ``MANY`` pieces instead: what takes the square of that does not come to an end.
"""

import sys
from collections.abc import Callable

MANY = 500_000


def steps(function: Callable[..., object], *arguments: object) -> int:
    """How many calls of functions, whatever language they are written in, and steps of generators a call makes."""
    count = 0

    def note(frame, event, what):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return count


def grows_in_proportion(function: Callable[..., object], make: Callable[[int], tuple], size: int) -> bool:
    """Whether twice the size takes about twice the steps; ``make`` gives the arguments of a size."""
    function(*make(3))  # what is loaded once
    few, many = (steps(function, *make(number)) for number in (size, 2 * size))
    return many <= 2.5 * few
