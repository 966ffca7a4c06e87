"""Joint inference the slow and obvious way. Imports nothing from core."""

from itertools import product

import numpy as np

from tests.oracles.higher_order import tree_values


def parts(heads):
    """A tree's parts by kind: edges, siblings (head, inner, outer), chains (grandparent, head, word), root words."""
    heads = [int(head) for head in heads]
    words = range(1, len(heads))
    found = {"edge": set(), "sibling": set(), "grandparent": set(), "root": set()}
    for word in words:
        head = heads[word]
        if head == 0:
            found["root"].add((0, word))
        else:
            found["edge"].add((head, word))
            found["grandparent"].add((heads[head], head, word))
        between = range(min(head, word) + 1, max(head, word))
        inner = [other for other in between if heads[other] == head]
        if inner:
            found["sibling"].add((head, inner[-1] if word > head else inner[0], word))
    return found


def consensus(tree, candidates, probabilities, kind):
    """The consensus of a tree with a list: equation 4 of zhou2013."""
    total, own = 0.0, parts(tree)[kind]
    for other, probability in zip(candidates, probabilities, strict=True):
        total += probability * len(own & parts(other)[kind])
    return total


def best_pair(one, other, rewards):
    """(value, heads, heads): two trees, each with (arcs, siblings, grandparents), and a reward for each shared arc."""
    (trees, first), (_, second) = tree_values(*one), tree_values(*other)
    best = -np.inf, None, None
    for (y, value), (z, added) in product(zip(trees, first, strict=True), zip(trees, second, strict=True)):
        shared = sum(rewards[y[m], m] for m in range(1, len(y)) if y[m] == z[m])
        if value + added + shared > best[0]:
            best = value + added + shared, y, z
    return best
