"""What charts do with values: weights (LINEAR), logarithms of weights (LOG), or scores of which the best counts (BEST).

Each function is for kernels, which name the semiring by its number.
"""

from math import exp, log1p

import numpy as np

from core.compilation.kernels import kernel

LINEAR, LOG, BEST = range(3)


@kernel(forceinline=True)
def nothing(semiring: int) -> float:
    """The value of no tree."""
    return 0.0 if semiring == LINEAR else -np.inf


@kernel(forceinline=True)
def plus(a: float, b: float, semiring: int) -> float:
    """The value of one or the other; -inf in logarithms and scores is nothing."""
    if semiring == LINEAR:
        return a + b
    high, low = (a, b) if a > b else (b, a)
    if semiring == BEST or low == -np.inf:
        return high
    return high + log1p(exp(low - high))


@kernel(forceinline=True)
def times(a: float, b: float, semiring: int) -> float:
    """The value of both together."""
    return a * b if semiring == LINEAR else a + b
