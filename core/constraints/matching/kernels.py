"""Loops over the candidate pairs of one constraint, sentence by sentence: counting, listing, showing."""

from collections import namedtuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

EITHER_HEAD = 2  # a direction: the row of the first item stands before that of the second, either is the head
# What a kernel needs to know of one constraint: rows of its items and where each sentence's begin, (direction,
# least, greatest distance), for EITHER_HEAD whether each row is of the first and of the second item, and per
# ``between`` condition the running count of its rows and what must be found.
Plan = namedtuple("Plan", "head_rows head_begins modifier_rows modifier_begins reach ordered running wanted")


@inner_kernel
def _admits(head, modifier, plan):
    """Whether two rows of one sentence, both of the right items, stand as the constraint says."""
    distance = modifier - head
    direction = plan.reach[0]
    first, last = min(head, modifier), max(head, modifier)
    if direction == EITHER_HEAD:
        if distance == 0 or not (plan.ordered[0, first] and plan.ordered[1, last]):
            return False
    elif distance == 0 or distance * direction < 0:
        return False
    if last - first < plan.reach[1] or last - first > plan.reach[2]:
        return False
    for k in range(len(plan.wanted)):
        found = plan.running[k, last] > plan.running[k, first + 1]
        if found != plan.wanted[k]:
            return False
    return True


@kernel
def count(begin: int, end: int, offsets: np.ndarray, heads: np.ndarray, plan: Plan) -> np.ndarray:
    """COUNTS over sentences begin..end-1. ``from_words`` and ``from_root`` count each modifier's candidate heads."""
    totals = np.zeros(10, dtype=np.int64)
    longest = 0
    for i in range(begin, end):
        longest = max(longest, offsets[i + 1] - offsets[i])
    from_words = np.zeros(longest, dtype=np.int64)
    from_root = np.zeros(longest, dtype=np.int64)
    for i in range(begin, end):
        root, words = offsets[i], offsets[i + 1] - offsets[i] - 1
        first, last = plan.modifier_begins[i], plan.modifier_begins[i + 1]
        if first == last or plan.head_begins[i] == plan.head_begins[i + 1]:
            continue
        from_words[: words + 1] = 0
        from_root[: words + 1] = 0
        before = totals[0]
        for a in range(plan.head_begins[i], plan.head_begins[i + 1]):
            head = plan.head_rows[a]
            pairs, known = 0, 0
            for b in range(first, last):
                modifier = plan.modifier_rows[b]
                if _admits(head, modifier, plan):
                    pairs += 1
                    # which of two words is the head is known when both have one
                    if heads[modifier] >= 0 and (plan.reach[0] != EITHER_HEAD or heads[head] >= 0):
                        known += 1
                        totals[7] += heads[modifier] == head - root
                    if head == root:
                        from_root[modifier - root] = 1
                    else:
                        from_words[modifier - root] += 1
            totals[0] += pairs
            totals[4] += known
            totals[2] += pairs > 0
            totals[6] += known > 0
        totals[3] += totals[0] > before
        taken, forced, freed, rooted, roots = 0, 0, False, False, 0
        for b in range(first, last):
            m = plan.modifier_rows[b] - root
            if from_words[m] + from_root[m] > 0:
                totals[1] += 1
                totals[5] += heads[root + m] >= 0
            taken += from_words[m] > 0
            roots += from_root[m]
            rooted = rooted or (from_words[m] == 0 and from_root[m] > 0)
            if from_words[m] == words - 1:  # every word heads it: only the root would be another head
                forced += 1
                freed = freed or from_root[m] == 0
        totals[8] += max(forced - freed, int(roots == words))  # one word is the root's modifier
        totals[9] += min(taken + rooted, words if roots > 0 else words - 1)
    return totals


@kernel
def count_pairs(begin: int, end: int, plan: Plan, pairs: np.ndarray) -> None:
    """Number of candidates of each sentence, into ``pairs`` (S,)."""
    for i in range(begin, end):
        for a in range(plan.head_begins[i], plan.head_begins[i + 1]):
            for b in range(plan.modifier_begins[i], plan.modifier_begins[i + 1]):
                pairs[i] += _admits(plan.head_rows[a], plan.modifier_rows[b], plan)


@kernel
def fill_arcs(
    begin: int, end: int, offsets: np.ndarray, arc_offsets: np.ndarray, plan: Plan, starts: np.ndarray, arcs: np.ndarray
) -> None:
    """The packed index of every candidate, from ``starts[i]`` on for sentence i, ascending."""
    for i in range(begin, end):
        root, side, at = offsets[i], offsets[i + 1] - offsets[i], starts[i]
        for a in range(plan.head_begins[i], plan.head_begins[i + 1]):
            head = plan.head_rows[a]
            for b in range(plan.modifier_begins[i], plan.modifier_begins[i + 1]):
                modifier = plan.modifier_rows[b]
                if _admits(head, modifier, plan):
                    arcs[at] = arc_offsets[i] + (head - root) * side + modifier - root
                    at += 1


@kernel
def first_examples(
    begin: int, end: int, offsets: np.ndarray, heads: np.ndarray, plan: Plan, wish: int, found: np.ndarray
) -> int:
    """First candidate of each sentence that is as wished (-1 any, 0 no edge, 1 edge); how many were found."""
    filled = 0
    for i in range(begin, end):
        if filled == len(found):
            break
        filled += _example(i, offsets[i], heads, plan, wish, found[filled])
    return filled


@inner_kernel
def _example(i, root, heads, plan, wish, found):
    for a in range(plan.head_begins[i], plan.head_begins[i + 1]):
        head = plan.head_rows[a]
        for b in range(plan.modifier_begins[i], plan.modifier_begins[i + 1]):
            modifier = plan.modifier_rows[b]
            edge = heads[modifier] == head - root
            if wish == 0 and plan.reach[0] == EITHER_HEAD:  # no edge in the other direction either
                edge = edge or heads[head] == modifier - root
            if _admits(head, modifier, plan) and (wish < 0 or wish == edge):
                found[0], found[1], found[2] = i, head - root, modifier - root
                return 1
    return 0
