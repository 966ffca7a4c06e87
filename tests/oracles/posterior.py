"""Posterior regularisation over listed trees (Ganchev et al. 2010). Imports nothing from core.

Each sentence is a row of tag numbers with ``fixed`` log-weights (n + 1, n + 1) and, for each line, a 0/1 matrix of its
candidate arcs; parameters are those of ``oracles.dmv``.
"""

import numpy as np

from tests.oracles.dmv import distribution


def matched(tree, candidates):
    """How many arcs of a tree are candidates."""
    return candidates[tree[1:], np.arange(1, len(tree))].sum()


def dual(sentences, parameters, multipliers, lines):
    """(value, expectations (C,), KL to the grammar with its fixed weights).

    ``sentences``: tuples (tags, fixed, candidates (C, n + 1, n + 1), listed trees or None). ``lines``: denominators,
    low, high, each (C,).
    """
    denominators, low, high = lines
    value = denominators @ (low * np.maximum(multipliers, 0) + high * np.minimum(multipliers, 0))
    mass, divergence = np.zeros(len(multipliers)), 0.0
    for tags, fixed, candidates, listed in sentences:
        weights = fixed + np.tensordot(multipliers, candidates, 1)
        found, logs, log_partition = distribution(tags, parameters, weights, listed)
        _, plain, plain_partition = distribution(tags, parameters, fixed, listed)
        value -= log_partition - plain_partition
        probabilities = np.exp(logs)
        mass += np.array([[matched(tree, line) for line in candidates] for tree in found]).T @ probabilities
        divergence += probabilities @ (logs - plain)
    return value, mass / denominators, divergence
