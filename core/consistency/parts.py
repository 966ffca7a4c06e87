"""Sibling and grandparent parts between surviving arcs, as lists; and the value of a tree under such lists.

A part is named by its place in the cube of its sentence, ``(h * side + s) * side + m`` for siblings [h, s, m] and
likewise for grandparents [g, h, m]. Lists are in ascending order of places.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def surviving_siblings(alive, cube):
    """(places int64, scores float64) of the sibling parts of arcs that are alive (side, side)."""
    side = len(alive)
    places, values, count = np.empty(64, np.int64), np.empty(64), 0
    for h in range(side):
        for s in range(side):
            if s != h and not (s > 0 and alive[h, s]):
                continue
            if s == h:
                first, last = 1, side
            elif s > h:
                first, last = s + 1, side
            else:
                first, last = 1, s
            for m in range(first, last):
                if m != h and alive[h, m]:
                    if count == len(places):
                        places, values = _grown(places, values)
                    places[count], values[count] = (h * side + s) * side + m, cube[h, s, m]
                    count += 1
    return places[:count].copy(), values[:count].copy()


@njit(cache=True, nogil=True)
def surviving_grandparents(alive, cube):
    """(places int64, scores float64) of the grandparent parts of arcs that are alive (side, side)."""
    side = len(alive)
    places, values, count = np.empty(64, np.int64), np.empty(64), 0
    for g in range(side):
        for h in range(1, side):
            if h == g or not alive[g, h]:
                continue
            for m in range(1, side):
                if m != h and m != g and alive[h, m]:
                    if count == len(places):
                        places, values = _grown(places, values)
                    places[count], values[count] = (g * side + h) * side + m, cube[g, h, m]
                    count += 1
    return places[:count].copy(), values[:count].copy()


@njit(cache=True, nogil=True)
def _grown(places, values):
    size = 2 * len(places)
    more_places, more_values = np.empty(size, np.int64), np.empty(size)
    more_places[: len(places)] = places
    more_values[: len(values)] = values
    return more_places, more_values


@njit(cache=True, nogil=True)
def tree_value(heads, scores, sibling_places, siblings, grandparent_places, grandparents):
    """The value of a tree, heads (n + 1,), under scores (n + 1, n + 1) and parts; lists may be empty."""
    side = len(heads)
    value = 0.0
    for m in range(1, side):
        h = heads[m]
        value += scores[h, m]
        if len(sibling_places):
            s, step = m, 1 if h > m else -1
            while s != h:
                s += step
                if s > 0 and heads[s] == h:  # the root is no sibling, and has heads[0] = -1
                    break
            value += siblings[np.searchsorted(sibling_places, (h * side + s) * side + m)]
        if len(grandparent_places) and h > 0:
            value += grandparents[np.searchsorted(grandparent_places, (heads[h] * side + h) * side + m)]
    return value


@njit(cache=True, nogil=True)
def fill_cube(places, values, cube):
    """Write parts into a cube, flat; other entries stay."""
    for k in range(len(places)):
        cube[places[k]] = values[k]
