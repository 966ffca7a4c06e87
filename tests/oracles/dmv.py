"""The dependency model with valence, tree by tree (Klein & Manning 2004). Imports nothing from core.

Parameters: ``take[side, head, modifier]``, with extended valence (Headden et al. 2009) ``take[adjacency, side, head,
modifier]``, 0 for the innermost modifier; ``valence[kind, side, tag]`` with kinds empty, done, first, next, and
``root[tag]``; side 0 is left. A sentence is a row of tag numbers.
"""

import numpy as np

from tests.oracles import trees

EMPTY, DONE, FIRST, NEXT = range(4)


def random_parameters(count, rng, extended=False):
    """Normalised parameters over ``count`` tags."""
    take = rng.random((2, 2, count, count) if extended else (2, count, count)) + 1e-12
    stop = rng.random((2, 2, count)) * 0.9 + 0.05
    root = rng.random(count)
    valence = np.stack([stop[0], stop[1], 1 - stop[0], 1 - stop[1]])
    return take / take.sum(axis=-1, keepdims=True), valence, root / root.sum()


def events(tags, heads, extended=False):
    """How often each event of a tree occurs: arrays shaped like the parameters need, as three dicts."""
    take, valence = {}, {}
    root = tags[list(heads).index(0, 1) - 1]
    for h in range(1, len(heads)):
        for side in range(2):
            taken = [m for m in range(1, len(heads)) if heads[m] == h and (m > h) == bool(side)]
            for m in taken:
                key = (side, tags[h - 1], tags[m - 1])
                if extended:
                    key = (int(abs(m - h) > min(abs(other - h) for other in taken)), *key)
                take[key] = take.get(key, 0) + 1
            kinds = [EMPTY] if not taken else [FIRST, DONE, *[NEXT] * (len(taken) - 1)]
            for kind in kinds:
                key = (kind, side, tags[h - 1])
                valence[key] = valence.get(key, 0) + 1
    return take, valence, root


def log_probability(tags, heads, parameters):
    """log P(tree, tags) in nats."""
    take, valence, root = parameters
    took, decided, top = events(tags, heads, take.ndim == 4)
    total = np.log(root[top])
    total += sum(count * np.log(take[key]) for key, count in took.items())
    return total + sum(count * np.log(valence[key]) for key, count in decided.items())


def log_bonus(heads, bonus):
    """The sum of the logarithms of the weights (n + 1, n + 1) of a tree's arcs."""
    return np.log(bonus[heads[1:], np.arange(1, len(heads))]).sum()


def arc_marginals(tags, parameters, bonus, listed=None):
    """(n + 1, n + 1): the probability of each arc, weights of arcs multiplied in."""
    listed = trees.trees(len(tags), True, True) if listed is None else listed
    totals = np.array([log_probability(tags, heads, parameters) + log_bonus(heads, bonus) for heads in listed])
    marginals = np.zeros_like(bonus)
    for heads, probability in zip(listed, np.exp(totals - np.logaddexp.reduce(totals)), strict=True):
        marginals[heads[1:], np.arange(1, len(heads))] += probability
    return marginals


def expected_counts(tags, parameters, listed=None, bonus=None):
    """(log-likelihood, expected counts shaped like the parameters) over trees, all projective ones by default."""
    listed = trees.trees(len(tags), True, True) if listed is None else listed
    totals = np.array([log_probability(tags, heads, parameters) for heads in listed])
    if bonus is not None:
        totals += [log_bonus(heads, bonus) for heads in listed]
    log_likelihood = np.logaddexp.reduce(totals)
    counts = [np.zeros_like(part) for part in parameters]
    for heads, probability in zip(listed, np.exp(totals - log_likelihood), strict=True):
        took, decided, top = events(tags, heads, parameters[0].ndim == 4)
        for key, count in took.items():
            counts[0][key] += probability * count
        for key, count in decided.items():
            counts[1][key] += probability * count
        counts[2][top] += probability
    return log_likelihood, counts
