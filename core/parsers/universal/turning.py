"""Synthetic languages made from real ones: dependents of some kinds are moved to the other side of their heads.

A parser that has seen only real languages takes an answer for a hint of the family; among turned ones an answer alone
says which way arcs run. After Wang & Eisner (2016, Q16-1035), who permute dependents as other languages order them.
"""

from dataclasses import replace

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.parsers.universal.text import TaggedWords

FARTHER = 1.01  # a turned word stands outside of one that stood as far from the head on that side


def turned(words: TaggedWords, turn: np.ndarray, share: float, generator: np.random.Generator) -> TaggedWords:
    """These sentences with some dependents, whole subtrees, at the mirrored place on the other side of their heads.

    Parameters
    ----------
    words : TaggedWords
        Each sentence a tree; crossing arcs come apart, as subtrees are kept together.
    turn : ndarray of shape (T + 1, T + 1, R), dtype bool
        By the parts of speech of head and dependent, and its relation.
    share : float
        Of these dependents, from 0 to 1; each is turned by chance.
    generator : numpy.random.Generator

    Notes
    -----
    O(rows), and O(n^2) for a head of n dependents.
    """
    roots = np.repeat(words.offsets[:-1], np.diff(words.offsets))
    head_rows = np.where(words.heads < 0, np.arange(len(roots)), roots + words.heads)  # of a root its own
    flips = turn[words.tags[head_rows], words.tags, words.relations]
    if share < 1:
        flips &= generator.random(len(flips)) < share
    order, heads = _reordered(words.heads, words.offsets, flips)
    names = ("tags", "relations", "forms", "features", *(() if words.shares is None else ("shares",)))
    return replace(words, heads=heads, **{name: getattr(words, name)[order] for name in names})


@kernel
def _reordered(heads, offsets, flips):
    """(rows of the old text in the new order, new heads)."""
    order, new = np.empty(len(heads), np.int64), np.empty_like(heads)
    for i in range(len(offsets) - 1):
        begin, side = offsets[i], offsets[i + 1] - offsets[i]
        ends = np.zeros(side + 1, np.int64)  # ends of each head's dependents among those of all
        for m in range(1, side):
            ends[heads[begin + m] + 1] += 1
        for h in range(side):
            ends[h + 1] += ends[h]
        dependents, filled = np.empty(side - 1, np.int64), ends[:-1].copy()
        for m in range(1, side):
            h = heads[begin + m]
            dependents[filled[h]] = m
            filled[h] += 1
        places = np.zeros(side)  # place of each dependent beside its head, the nearest before it -1
        for h in range(side):
            left = 0
            for k in range(ends[h], ends[h + 1]):
                left += dependents[k] < h
            for k in range(ends[h], ends[h + 1]):
                m = dependents[k]
                place = k - ends[h] - left + (1 if m > h else 0)
                places[m] = -place * FARTHER if h > 0 and flips[begin + m] else place
            for k in range(ends[h] + 1, ends[h + 1]):  # insertion sort
                m, at = dependents[k], k
                while at > ends[h] and places[dependents[at - 1]] > places[m]:
                    dependents[at] = dependents[at - 1]
                    at -= 1
                dependents[at] = m
        line, position = _in_line(dependents, ends, places), np.zeros(side, np.int64)
        for place in range(side):
            position[line[place]] = place
        for place in range(side):
            order[begin + place] = begin + line[place]
            h = heads[begin + line[place]]
            new[begin + place] = position[h] if h >= 0 else h
    return order, new


@inner_kernel
def _in_line(dependents, ends, places):
    """The words of a tree, its root first, in their order: dependents with places below 0 stand before their head."""
    side = len(places)
    line, stack, top, filled = np.zeros(side, np.int64), np.empty(2 * side, np.int64), 0, 1
    for k in range(ends[1] - 1, -1, -1):
        stack[top] = dependents[k]
        top += 1
    while top > 0:
        top -= 1
        word = stack[top]
        if word < 0:  # its dependents before it are written
            line[filled] = -word
            filled += 1
            continue
        between = False
        for k in range(ends[word + 1] - 1, ends[word] - 1, -1):
            if not between and places[dependents[k]] < 0:
                stack[top] = -word
                top += 1
                between = True
            stack[top] = dependents[k]
            top += 1
        if not between:
            stack[top] = -word
            top += 1
    return line
