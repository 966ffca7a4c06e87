"""Word-by-word elimination in the log domain, for scores whose exponentials lie further apart than doubles reach.

The steps of ``core.trees.elimination`` with logs of weights and of gradients (which are never negative), and with
relative derivatives. About fifty times slower; scores of +-1000 are no trouble.
"""

import numpy as np

from core.compilation.kernels import inner_kernel, kernel


@kernel
def log_sum_trees(scores: np.ndarray, direction: np.ndarray, single_root: bool) -> tuple[float, np.ndarray, np.ndarray]:
    """(log_partition, marginals, derivative of the marginals along direction) of a sentence that has a tree.

    ``direction`` must be finite; it counts for nothing on forbidden arcs.
    """
    side = len(scores)
    weights = np.empty((side, side))  # logs of them
    change = np.zeros((side, side))  # relative, so it starts as the direction itself
    for head in range(side):
        for modifier in range(side):
            allowed = head != modifier and modifier > 0 and scores[head, modifier] > -np.inf
            weights[head, modifier] = scores[head, modifier] if allowed else -np.inf
            change[head, modifier] = direction[head, modifier] if allowed else 0.0
    start, start_change = weights.copy(), change.copy()
    order = np.arange(side)
    log_partition = _eliminate(weights, change, single_root, order)
    gradient, d_gradient = _differentiate(weights, change, single_root)
    marginals, derivative = np.zeros((side, side)), np.zeros((side, side))
    for i in range(side):
        for j in range(1, side):
            head, modifier = order[i], order[j]
            if start[head, modifier] > -np.inf and gradient[i, j] > -np.inf:
                marginals[head, modifier] = np.exp(start[head, modifier] + gradient[i, j])
                derivative[head, modifier] = marginals[head, modifier] * (
                    start_change[head, modifier] + d_gradient[i, j]
                )
    return log_partition, marginals, derivative


@inner_kernel
def _eliminate(weights, change, single_root, order):
    """In place, as ``elimination.eliminate``; the word with the likeliest arc from a remaining head leaves first."""
    log_partition = 0.0
    for k in range(len(weights) - 1, 0, -1):
        first = 1 if single_root and k > 1 else 0
        _bring_forward(weights, change, k, first, order)
        total = _log_sum(weights[first:k, k])
        d_total = 0.0
        for head in range(k):
            weights[head, k] -= total
            if head >= first and weights[head, k] > -np.inf:
                d_total += np.exp(weights[head, k]) * change[head, k]
        for head in range(k):
            change[head, k] -= d_total
        weights[k, k], change[k, k] = total, d_total
        log_partition += total
        for head in range(k):
            if weights[head, k] == -np.inf:
                continue
            for modifier in range(1, k):
                through = weights[head, k] + weights[k, modifier]
                if modifier == head or through == -np.inf:
                    continue
                both = np.logaddexp(weights[head, modifier], through)
                kept, added = np.exp(weights[head, modifier] - both), np.exp(through - both)
                d_through = change[head, k] + change[k, modifier]
                change[head, modifier] = kept * change[head, modifier] + added * d_through
                weights[head, modifier] = both
    return log_partition


@inner_kernel
def _bring_forward(weights, change, k, first, order):
    """Let the remaining word with the largest weight from a head change places with word k."""
    best, most = k, -np.inf
    for candidate in range(k, 0, -1):
        for head in range(first, k + 1):
            if head != candidate and weights[head, candidate] > most:
                best, most = candidate, weights[head, candidate]
    for i in range(len(weights)):
        weights[best, i], weights[k, i] = weights[k, i], weights[best, i]
        change[best, i], change[k, i] = change[k, i], change[best, i]
    for i in range(len(weights)):
        weights[i, best], weights[i, k] = weights[i, k], weights[i, best]
        change[i, best], change[i, k] = change[i, k], change[i, best]
    order[best], order[k] = order[k], order[best]


@inner_kernel
def _differentiate(eliminated, change, single_root):
    """Logs of the gradient of log Z, and their derivatives."""
    side = len(eliminated)
    gradient, d_gradient = np.full((side, side), -np.inf), np.zeros((side, side))
    gradient[0, 1], d_gradient[0, 1] = -eliminated[1, 1], -change[1, 1]
    terms = np.empty(side)
    for k in range(2, side):
        total, d_total = eliminated[k, k], change[k, k]
        mean, d_mean = 0.0, 0.0
        for head in range(k):
            for modifier in range(1, k):
                terms[modifier] = gradient[head, modifier] + eliminated[k, modifier]
            through, d_through = _log_sum(terms[1:k]), 0.0
            if through > -np.inf:
                for modifier in range(1, k):
                    if terms[modifier] > -np.inf:
                        relative = d_gradient[head, modifier] + change[k, modifier]
                        d_through += np.exp(terms[modifier] - through) * relative
                passing = np.exp(eliminated[head, k] + through)
                mean += passing
                d_mean += passing * (change[head, k] + d_through)
            gradient[head, k], d_gradient[head, k] = through, d_through
        for head in range(k):
            through, d_through = gradient[head, k], d_gradient[head, k]
            if not (single_root and head == 0):
                through, d_through = _add_signed(through, d_through, 1.0 - mean, -d_mean)
            gradient[head, k], d_gradient[head, k] = through - total, d_through - d_total
        for modifier in range(1, k):
            for head in range(k):
                terms[head] = gradient[head, modifier] + eliminated[head, k]
            onward, d_onward = _log_sum(terms[:k]), 0.0
            for head in range(k):
                if terms[head] > -np.inf:
                    relative = d_gradient[head, modifier] + change[head, k]
                    d_onward += np.exp(terms[head] - onward) * relative
            gradient[k, modifier], d_gradient[k, modifier] = onward, d_onward
    return gradient, d_gradient


@inner_kernel
def _add_signed(log_value, d_log_value, rest, d_rest):
    """Log of exp(log_value) + rest and its derivative, for a sum that only rounding can make negative."""
    scale = max(log_value, 0.0)
    own = np.exp(log_value - scale)
    total = own + rest * np.exp(-scale)
    if not total > 0.0:
        return -np.inf, 0.0
    return scale + np.log(total), (own * d_log_value + d_rest * np.exp(-scale)) / total


@inner_kernel
def _log_sum(terms):
    """Log of the sum of exp(terms); -inf of nothing. Compiled twice: for columns, and for what lies in one piece."""
    highest = -np.inf
    for term in terms:
        highest = max(highest, term)
    if highest == -np.inf:
        return highest
    total = 0.0
    for term in terms:
        total += np.exp(term - highest)
    return highest + np.log(total)
