"""A random sample of sentences to correct, for estimating a parser's accuracy (``evaluation.estimates``)."""

import numpy as np

from core.errors import WorkbenchError


def draw_sample(count: int, size: int, seed: int) -> tuple[int, ...]:
    """Indices of ``size`` of ``count`` sentences, drawn uniformly with a seed: tuple of int."""
    if not 1 <= size <= count:
        raise WorkbenchError(f"cannot draw {size} of {count} sentences; draw 1 to {count}")
    return tuple(int(index) for index in np.random.default_rng(seed).choice(count, size, replace=False))
