"""Sibling and grandparent parts between surviving arcs, as lists; and the value of a tree under such lists.

A part is named by its place: ``(h * side + m) * side + s`` for siblings [h, s, m], ``(h * side + m) * side + g`` for
grandparents [g, h, m]. So the parts of an arc stand together. Lists are in ascending order of places, which is the
order of ``SurvivingArcs``; chains that no projective tree has are left out.
"""

import numpy as np

from core.compilation.kernels import inner_kernel, kernel


@kernel
def surviving_siblings(active: np.ndarray, cube: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(places int64, scores float64) of the sibling parts of arcs that are alive (side, side)."""
    side = len(active)
    places, values, count = np.empty(64, np.int64), np.empty(64), 0
    for h in range(side):
        for m in range(1, side):
            if m == h or not active[h, m]:
                continue
            for s in range(min(h, m + 1), max(h + 1, m)):
                if s == h or active[h, s]:
                    if count == len(places):
                        places, values = _grown(places, values)
                    places[count], values[count] = (h * side + m) * side + s, cube[h, s, m]
                    count += 1
    return places[:count].copy(), values[:count].copy()


@kernel
def surviving_grandparents(active: np.ndarray, cube: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(places int64, scores float64) of the grandparent parts of arcs that are alive (side, side)."""
    side = len(active)
    places, values, count = np.empty(64, np.int64), np.empty(64), 0
    for h in range(1, side):
        for m in range(1, side):
            if m == h or not active[h, m]:
                continue
            for g in range(side):
                if active[g, h] and (g < min(h, m) or g > max(h, m)):
                    if count == len(places):
                        places, values = _grown(places, values)
                    places[count], values[count] = (h * side + m) * side + g, cube[g, h, m]
                    count += 1
    return places[:count].copy(), values[:count].copy()


@kernel
def packed_parts(
    numbers: np.ndarray,
    active: np.ndarray,
    arc_offsets: np.ndarray,
    cubes: np.ndarray,
    offsets: np.ndarray,
    chains: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(places, scores, ends): parts of some sentences back to back, and where each sentence's end.

    Sibling parts, or with ``chains`` grandparent parts, of packed cubes and packed living arcs.
    """
    places, values, count = np.empty(64 * len(numbers), np.int64), np.empty(64 * len(numbers)), 0
    ends = np.empty(len(numbers), np.int64)
    for number, k in enumerate(numbers):
        side = int(np.rint(np.sqrt(arc_offsets[k + 1] - arc_offsets[k])))
        living = active[arc_offsets[k] : arc_offsets[k + 1]].reshape(side, side)
        cube = cubes[offsets[k] : offsets[k + 1]].reshape(side, side, side)
        own = surviving_grandparents(living, cube) if chains else surviving_siblings(living, cube)
        while count + len(own[0]) > len(places):
            places, values = _grown(places, values)
        for part in range(len(own[0])):
            places[count + part], values[count + part] = own[0][part], own[1][part]
        count += len(own[0])
        ends[number] = count
    return places[:count].copy(), values[:count].copy(), ends


@inner_kernel
def _grown(places, values):
    size = 2 * len(places)
    more_places, more_values = np.empty(size, np.int64), np.empty(size)
    for part in range(len(places)):
        more_places[part], more_values[part] = places[part], values[part]
    return more_places, more_values


@kernel
def tree_value(
    heads: np.ndarray, scores: np.ndarray, sibling_places: np.ndarray, siblings: np.ndarray,
    grandparent_places: np.ndarray, grandparents: np.ndarray,
) -> float:  # fmt: skip
    """The value of a tree, heads (n + 1,), under scores (n + 1, n + 1) and parts; lists may be empty."""
    side = len(heads)
    value = 0.0
    for m in range(1, side):
        h = heads[m]
        value += scores[h, m]
        if len(sibling_places):
            s = _inner_sibling(heads, h, m)
            value += siblings[_found(sibling_places, (h * side + m) * side + s)]
        if len(grandparent_places) and h > 0:
            value += grandparents[_found(grandparent_places, (h * side + m) * side + heads[h])]
    return value


@inner_kernel
def _found(places, place):
    """Where a place is among sorted ones."""
    begin, end = 0, len(places)
    while begin < end:
        middle = (begin + end) // 2
        if places[middle] < place:
            begin = middle + 1
        else:
            end = middle
    return begin


def cube_value(
    heads: np.ndarray, scores: np.ndarray, siblings: np.ndarray | None = None, grandparents: np.ndarray | None = None
) -> float:
    """The value of a tree, heads (n + 1,), under whole arrays of scores (as the decoders take them)."""
    nothing = np.zeros((0, 0, 0))
    cubes = (nothing if cube is None else cube for cube in (siblings, grandparents))
    return float(_cube_value(np.array(heads, dtype=np.int32), scores, *cubes))


@kernel
def _cube_value(heads, scores, siblings, grandparents):
    value = 0.0
    for m in range(1, len(heads)):
        h = heads[m]
        value += scores[h, m]
        if len(siblings):
            value += siblings[h, _inner_sibling(heads, h, m), m]
        if len(grandparents) and h > 0:
            value += grandparents[heads[h], h, m]
    return value


@kernel
def packed_values(
    offsets: np.ndarray, heads: np.ndarray, scores: np.ndarray, score_offsets: np.ndarray, siblings: np.ndarray,
    sibling_offsets: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """float64 (S,): the values of trees of many sentences under whole arrays; no siblings where these are empty."""
    values, nothing = np.empty(len(offsets) - 1), np.zeros((0, 0, 0))
    for k in range(len(values)):
        side = offsets[k + 1] - offsets[k]
        table = scores[score_offsets[k] : score_offsets[k + 1]].reshape(side, side)
        cube = nothing
        if len(siblings):
            cube = siblings[sibling_offsets[k] : sibling_offsets[k + 1]].reshape(side, side, side)
        values[k] = _cube_value(heads[offsets[k] : offsets[k + 1]], table, cube, nothing)
    return values


@inner_kernel
def _inner_sibling(heads, h, m):
    """The next modifier of h from m towards it; h if there is none."""
    s, step = m, 1 if h > m else -1
    while s != h:
        s += step
        if s > 0 and heads[s] == h:  # the root is no sibling, and has heads[0] = -1
            return s
    return h
