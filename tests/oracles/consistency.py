"""Consistency across sentences by enumeration: consensus labels, trees and both together. Imports nothing from core.

Labels are numbers 0..L-1, 0 is ROOT, None is the consensus label NULL. ``close(a, b)`` says which labels are close;
``deltas`` are (same, close, null). A word is (context, outcomes), its outcomes a list of (key, label).
"""

from functools import cache
from itertools import product

import numpy as np

from tests.oracles.higher_order import tree_values


def edge(label, consensus, deltas, close):
    """What an edge pays: rush2012 section 4."""
    if consensus is None:
        return deltas[2]
    if label == consensus:
        return deltas[0]
    return deltas[1] if label is not None and close(label, consensus) else 0.0


def consensus_value(labels, size, deltas, close):
    """(value, label): the best consensus over words and observations that have these labels."""
    totals = {c: sum(edge(label, c, deltas, close) for label in labels) for c in (None, *range(size))}
    best = max(totals, key=totals.get)
    return totals[best], best


def star_value(words, observed, multipliers, size, deltas, close):
    """The best of one context: its label and the outcomes of its words, by trying all of both."""
    best = -np.inf
    for consensus in (None, *range(size)):
        fixed = sum(edge(label, consensus, deltas, close) for label in observed)
        for outcomes in product(*words):
            paid = sum(multipliers[key] + edge(label, consensus, deltas, close) for key, label in outcomes)
            best = max(best, fixed + paid)
    return best


def joint_value(sentences, contexts, observed, size, deltas, close, allowed=lambda sentence, tree: True):
    """(value, list of heads): the best of F(Y) + g(z), over all projective trees of all sentences that are allowed.

    ``sentences`` are tuples of arrays for ``tree_values`` and the labels of nodes 0..n (n + 1,) last; ``contexts``
    [s][m] is word m's context or -1; ``observed[c]`` lists labels.
    """
    listed = []
    for sentence, parts in enumerate(sentences):
        trees, values = tree_values(*parts[:-1])
        kept = [allowed(sentence, tree) for tree in trees]
        listed.append((trees[kept], values[kept]))
    best, answer = -np.inf, None

    @cache  # few trees differ in what they vote for
    def agreed(*labels):
        return consensus_value(labels, size, deltas, close)[0]

    for pick in product(*(range(len(trees)) for trees, _ in listed)):
        value = sum(values[k] for (_, values), k in zip(listed, pick, strict=True))
        if value == -np.inf:
            continue
        votes = [list(labels) for labels in observed]
        for (trees, _), k, parts, found in zip(listed, pick, sentences, contexts, strict=True):
            for m in range(1, trees.shape[1]):
                if found[m] >= 0:
                    votes[found[m]].append(int(parts[-1][trees[k][m]]))
        value += sum(agreed(*sorted(labels)) for labels in votes)
        if value > best:
            best, answer = value, [trees[k] for (trees, _), k in zip(listed, pick, strict=True)]
    return best, answer


def consensus_counts(labels, size, deltas, close):
    """(same, close, null): the edges of each kind under the best consensus on words that have these labels.

    Of consensus labels equally good the one comes first that most words have, then the smallest; NULL comes last.
    """

    def kinds(consensus):
        if consensus is None:
            return 0, 0, len(labels)
        same = sum(label == consensus for label in labels)
        near = sum(label not in (None, consensus) and close(label, consensus) for label in labels)
        return same, near, 0

    def rank(consensus):
        value = round(sum(delta * count for delta, count in zip(deltas, kinds(consensus), strict=True)), 9)
        return value, consensus is not None, kinds(consensus)[0], -(consensus or 0)

    return kinds(max((None, *range(size)), key=rank))


def nearest_in_order(values):
    """The nearest of all vectors with v[0] >= v[1] >= ... >= 0: the best of those that pool neighbours in any way.

    In the nearest one, neighbours that are equal have the mean of their values, and those that are 0 are the last.
    """
    count, answers = len(values), []
    for joined in product((False, True), repeat=count):  # whether each is equal to the next one, the last to 0
        blocks, begin = [], 0
        for end in range(1, count + 1):
            if not joined[end - 1] or end == count:
                mean = 0.0 if joined[end - 1] else sum(values[begin:end]) / (end - begin)
                blocks += [mean] * (end - begin)
                begin = end
        if all(one >= other for one, other in zip(blocks, [*blocks[1:], 0.0], strict=True)):
            answers.append(blocks)
    return min(answers, key=lambda answer: sum((a - b) ** 2 for a, b in zip(answer, values, strict=True)))
