"""Slow, obvious references for the heights of arcs."""

from itertools import product


def spans_of(pairs):
    """(left, right) of each arc; an arrow from the root is a point."""
    return [(m, m) if h == 0 else (min(h, m), max(h, m)) for h, m in pairs]


def overlap(first, second):
    """Whether two arcs cannot be level: they share ground, or one is a root arrow on the other's words."""
    steps = {x / 2 for x in range(2 * first[0], 2 * first[1] + 1)} & {
        x / 2 for x in range(2 * second[0], 2 * second[1] + 1)
    }
    if first[0] == first[1] or second[0] == second[1]:
        return bool(steps)
    return any(step != int(step) for step in steps)


def is_valid(pairs, levels):
    """No two overlapping arcs are level, an outer arc is over an inner one, a root arrow over all that touches it."""
    spans = spans_of(pairs)
    for i, outer in enumerate(spans):
        for j, inner in enumerate(spans):
            if i == j or not overlap(outer, inner):
                continue
            if levels[i] == levels[j]:
                return False
            is_root, other_is_root = outer[0] == outer[1], inner[0] == inner[1]
            contains = outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]
            if levels[i] < levels[j] and ((is_root and not other_is_root) or (contains and not other_is_root)):
                return False
    return min(levels, default=1) >= 1


def least_height(pairs):
    """The height of the lowest valid stack, by trying all."""
    for height in range(len(pairs) + 1):
        if any(is_valid(pairs, levels) for levels in product(range(1, height + 1), repeat=len(pairs))):
            return height
    raise AssertionError("a stack as high as there are arcs is always valid")


def crosses(first, second):
    """Whether two arcs cross."""
    (a, b), (c, d) = sorted([first, second])
    return a < c < b < d
