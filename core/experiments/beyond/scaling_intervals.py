"""Means over draws, their intervals, and how many trees alone are as good."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import scipy  # its parts load when first used

SHARE = 0.95


def mean(values: Sequence[float]) -> float:
    """The mean as a plain number."""
    return float(np.mean(values))


def half_width(values: Sequence[float]) -> float | None:
    """Half of the 95% interval of the mean of draws, by Student's t; None of a single one."""
    if len(values) < 2:
        return None
    quantile = scipy.stats.t.ppf((1 + SHARE) / 2, len(values) - 1)
    return float(quantile * np.std(values, ddof=1) / np.sqrt(len(values)))


def trees_alone(means: Mapping[int, float], accuracy: float) -> int | None:
    """The number of trees that alone reach an accuracy, interpolated on a logarithmic scale; None beyond the sizes."""
    sizes = list(means)
    for low, high in pairwise(sizes):
        if means[low] <= accuracy <= means[high]:
            share = (accuracy - means[low]) / (means[high] - means[low] or 1.0)
            return round(low * (high / low) ** share)
    return None
