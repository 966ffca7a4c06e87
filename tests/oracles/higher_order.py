"""Scores of whole trees under sibling and grandparent models, over the list of all trees. Imports nothing from core.

Scores have shape (n + 1, n + 1), row = head, column = modifier; ``siblings[h, s, m]`` scores the modifier m of h whose
next modifier towards h is s, s = h where there is none; ``grandparents[g, h, m]`` scores the chain g -> h -> m, h != 0.
-inf forbids an arc or a part. Meant for n <= 6; ``tree_value`` serves any n.
"""

import numpy as np

from tests.oracles.trees import trees


def parts(heads):
    """(h, s, m) of every arc of a tree, its inner sibling s or h beside it."""
    found = []
    for modifier in range(1, len(heads)):
        head = heads[modifier]
        between = range(min(head, modifier) + 1, max(head, modifier))
        siblings = [word for word in between if heads[word] == head]
        inner = head if not siblings else (siblings[-1] if modifier > head else siblings[0])
        found.append((int(head), int(inner), modifier))
    return found


def tree_value(heads, scores, siblings=None, grandparents=None):
    """The sum of all parts of a tree."""
    value = 0.0
    for head, inner, modifier in parts(heads):
        value += scores[head, modifier]
        if siblings is not None:
            value += siblings[head, inner, modifier]
        if grandparents is not None and head != 0:
            value += grandparents[heads[head], head, modifier]
    return float(value)


def tree_values(scores, siblings=None, grandparents=None, single_root=True):
    """(projective trees (count, n + 1), their values (count,))."""
    listed = trees(len(scores) - 1, single_root, True)
    return listed, np.array([tree_value(heads, scores, siblings, grandparents) for heads in listed])
