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


def distribution(tags, parameters, weights=None, listed=None):
    """(listed trees, their log-probabilities, log Z): the grammar times exp of log-weights (n + 1, n + 1) of arcs.

    All projective trees are listed by default.
    """
    listed = trees.trees(len(tags), True, True) if listed is None else listed
    with np.errstate(divide="ignore"):
        totals = np.array([log_probability(tags, heads, parameters) for heads in listed])
    if weights is not None:
        totals += weights[listed[:, 1:], np.arange(1, len(tags) + 1)].sum(axis=1)
    log_partition = np.logaddexp.reduce(totals)
    return listed, totals - max(log_partition, np.finfo(float).min), log_partition


def arc_marginals(tags, parameters, bonus, listed=None):
    """(n + 1, n + 1): the probability of each arc, weights of arcs multiplied in."""
    listed, logs, _ = distribution(tags, parameters, np.log(bonus), listed)
    return trees.expected_arcs(listed, np.exp(logs))


def expected_counts(tags, parameters, listed=None, bonus=None):
    """(log-likelihood, expected counts shaped like the parameters) over trees, all projective ones by default."""
    listed, logs, log_likelihood = distribution(tags, parameters, None if bonus is None else np.log(bonus), listed)
    counts = [np.zeros_like(part) for part in parameters]
    for heads, probability in zip(listed, np.exp(logs), strict=True):
        took, decided, top = events(tags, heads, parameters[0].ndim == 4)
        for key, count in took.items():
            counts[0][key] += probability * count
        for key, count in decided.items():
            counts[1][key] += probability * count
        counts[2][top] += probability
    return log_likelihood, counts


def contrast(sentences, weights, deletes, variance):
    """(value, gradients shaped like the weights) of contrastive estimation (Smith & Eisner 2005), tree by tree."""
    parameters = tuple(np.exp(part) for part in weights)
    value = -sum((part**2).sum() for part in weights) / (2 * variance)
    gradients = [-part / variance for part in weights]
    for sentence in sentences:
        n = len(sentence)
        near = {tuple(sentence)}
        for i in range(n):
            if deletes and n > 1:
                near.add(tuple(sentence[:i]) + tuple(sentence[i + 1 :]))
            if i:
                swapped = list(sentence)
                swapped[i - 1], swapped[i] = swapped[i], swapped[i - 1]
                near.add(tuple(swapped))
        known = {other: expected_counts(list(other), parameters) for other in sorted(near)}
        total = np.logaddexp.reduce([log_partition for log_partition, _ in known.values()])
        value += known[tuple(sentence)][0] - total
        for other, (log_partition, counts) in known.items():
            share = float(other == tuple(sentence)) - np.exp(log_partition - total)
            gradients = [gradient + share * part for gradient, part in zip(gradients, counts, strict=True)]
    return value, gradients
