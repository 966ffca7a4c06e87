"""Levels of brackets as masks of arcs, one per possible head of the bracket or side. Imports nothing from core.

A bracket is (start, end), words start..end-1 from 1; the root 0 lies outside, to the left.
"""

import numpy as np


def all_brackets(n):
    """Every bracket over n words."""
    return [(start, end) for start in range(1, n + 1) for end in range(start + 1, n + 2)]


def masks(n, start, end, level):
    """The sets of forbidden arcs (head, modifier), one per key; a tree satisfies a level iff it avoids one set."""
    inside = set(range(start, end))
    arcs = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m]
    into = {(h, m) for h, m in arcs if h not in inside and m in inside}
    out = {(h, m) for h, m in arcs if h in inside and m not in inside}
    if level == "tear":
        return [{(h, m) for h, m in into if h >= end}, {(h, m) for h, m in into if h < start}]
    if level == "sprawl":
        return [{(h, m) for h, m in into if m != r} for r in inside]
    if level == "loose":
        return [{(h, m) for h, m in into if m != r} | {(h, m) for h, m in out if h != r} for r in inside]
    return [{(h, m) for h, m in into if m != r} | out for r in inside]


def satisfying(listed, start, end, level):
    """Which rows of ``listed`` (trees) avoid one of the masks."""
    n = listed.shape[1] - 1
    found = np.full(len(listed), level == "none")
    for forbidden in masks(n, start, end, level) if level != "none" else ():
        mask = np.zeros((n + 1, n + 1), dtype=bool)
        mask[tuple(zip(*forbidden, strict=True)) if forbidden else ([], [])] = True
        found |= ~mask[listed[:, 1:], np.arange(1, n + 1)].any(axis=1)
    return found


def keep(listed, brackets, level):
    """The rows of ``listed`` that satisfy every bracket at the level."""
    for bracket in brackets:
        listed = listed[satisfying(listed, *bracket, level)]
    return listed
