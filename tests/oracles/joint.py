"""Joint inference the slow and obvious way. Imports nothing from core."""

from itertools import product

import numpy as np

from tests.oracles import higher_order

PARTS = "edge", "sibling", "grandparent", "root"


def parts(heads):
    """A tree's parts by kind: edges, siblings (head, inner, outer), chains (grandparent, head, word), root words."""
    found = {"edge": set(), "sibling": set(), "grandparent": set(), "root": set()}
    for head, inner, word in higher_order.parts(heads):
        found["edge" if head else "root"].add((head, word))
        if head:
            found["grandparent"].add((int(heads[head]), head, word))
        if inner != head:
            found["sibling"].add((head, int(inner), word))
    return found


def consensus(tree, candidates, probabilities, kind):
    """The consensus of a tree with a list: equation 4 of zhou2013."""
    total, own = 0.0, parts(tree)[kind]
    for other, probability in zip(candidates, probabilities, strict=True):
        total += probability * len(own & parts(other)[kind])
    return total


def best_pair(one, other, rewards):
    """(value, heads, heads): two trees, each with (arcs, siblings, grandparents), and a reward for each shared arc."""
    (trees, first), (_, second) = higher_order.tree_values(*one), higher_order.tree_values(*other)
    best = -np.inf, None, None
    for (y, value), (z, added) in product(zip(trees, first, strict=True), zip(trees, second, strict=True)):
        shared = sum(rewards[y[m], m] for m in range(1, len(y)) if y[m] == z[m])
        if value + added + shared > best[0]:
            best = value + added + shared, y, z
    return best


def grand_siblings(heads):
    """(grandparent, head, sibling or None, word) of each word whose head is a word; the nearest sibling inside."""
    found = []
    for word in range(1, len(heads)):
        head = int(heads[word])
        if head > 0:
            inside = [m for m in range(min(head, word) + 1, max(head, word)) if heads[m] == head]
            nearest = min(inside, key=lambda m: abs(m - word), default=None)
            found.append((int(heads[head]), head, nearest, word))
    return found


def rounds(scores, weight, size, count):
    """Algorithm 1 of zhou2013 over the list of all trees, each kind of subtree of one weight.

    [[(trees, values) of each parser] after each round], round 0 being each parser alone. ``scores`` are those of arcs
    alone, one array a parser; ``size`` trees make a list, and a tree counts by its share of it.
    """
    lists = [[_best(*higher_order.tree_values(own), size) for own in scores]]
    for _ in range(count):
        latest, new = lists[-1], []
        for number, own in enumerate(scores):
            trees, values = higher_order.tree_values(own)
            for other, (seen, worth) in enumerate(latest):
                if other != number:
                    shares = np.exp(worth - worth.max())
                    agreed = [sum(consensus(tree, seen, shares / shares.sum(), kind) for kind in PARTS)
                              for tree in trees]  # fmt: skip
                    values = values + weight * np.array(agreed)
            new.append(_best(trees, values, size))
        lists.append(new)
    return lists


def _best(trees, values, size):
    order = np.argsort(-values, kind="stable")[:size]
    return np.array(trees)[order], values[order]
