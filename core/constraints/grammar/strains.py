"""What constraints cost above a parser, and which of them pull against each other.

A multiplier m_i adds m_i n_i to the log-weight of a tree, n_i the number of its arcs that constraint i speaks of. To
first order it moves the mean of n_j by m_i cov(n_i, n_j). Where m_i m_j cov(n_i, n_j) < 0 each of the two pushes the
other's share away from its target: they fight. Covariances are summed word by word, as if words chose their heads
independently: a word has one head, so that two constraints on its different heads exclude each other.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.parsers.dual_ascent import PosteriorConstraints

MOST = 3  # named after a training, of those that cost most and of pairs
LEAST = 1.0  # nats: what pulls less is not named


@dataclass(frozen=True)
class Strains:
    """The constraints of a projection that somebody should look at, by name; JSON values.

    Attributes
    ----------
    disputed : dict of str to float
        Those at their largest multiplier from whose range the parser is far off, with the parser's share.
    costliest : list of (str, float)
        Those that cost most, in nats, the first most.
    fights : list of (str, str, float)
        Pairs of which not both are met, with -m_i m_j cov(n_i, n_j) in nats.
    """

    disputed: dict[str, float]
    costliest: list[tuple[str, float]]
    fights: list[tuple[str, str, float]]


def covariances(constraints: PosteriorConstraints, marginals: np.ndarray, modifiers: np.ndarray) -> np.ndarray:
    """float64 (C, C): of the numbers of arcs, as if words chose their heads independently. O(candidates * C).

    ``marginals`` (A,) are the probabilities of arcs and ``modifiers`` (A,) the rows of their modifiers.
    """
    shape = len(constraints.low)
    probability = marginals[constraints.arcs]
    at = scipy.sparse.csr_array((probability, (constraints.arcs, constraints.owner)), shape=(len(marginals), shape))
    is_at = scipy.sparse.csr_array((np.ones(len(probability)), (constraints.arcs, constraints.owner)), shape=at.shape)
    rows = modifiers[constraints.arcs]
    mass = scipy.sparse.csr_array(
        (probability, (rows, constraints.owner)), shape=(int(modifiers.max(initial=0)) + 1, shape)
    )
    return (is_at.T @ at - mass.T @ mass).toarray()


def fighting(
    constraints: PosteriorConstraints, multipliers: np.ndarray, covariance: np.ndarray, unmet: np.ndarray
) -> list[tuple[int, int, float]]:
    """(i, j, nats) of the pairs that pull hardest against each other and of which one is ``unmet``, bool (C,)."""
    nats = np.triu(-multipliers[:, None] * multipliers * covariance, 1)
    nats = np.where(unmet[:, None] | unmet, nats, 0.0)
    order = np.argsort(-nats, axis=None, kind="stable")[:MOST]
    pairs = zip(*(place.tolist() for place in np.unravel_index(order, nats.shape)), strict=True)
    return [(i, j, float(nats[i, j])) for i, j in pairs if nats[i, j] >= LEAST]
