"""Drawings of many steps as one: every mark once, with the steps at which it shows."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

M = TypeVar("M", bound=Hashable)


@dataclass(slots=True, eq=False)
class FlipMark(Generic[M]):
    """One mark of a merged drawing, and the steps, from 0, at which it shows."""

    mark: M
    steps: list[int]


def merged(sequences: Iterable[Sequence[M]]) -> list[FlipMark[M]]:
    """The marks of all sequences in one order, such that those of each step stand in the order that they had there.

    Notes
    -----
    Sequence after sequence is laid into the order so far. Of its marks that are known, the most that are in that order
    already (a longest increasing subsequence) show once more. Every other one is put in anew behind the mark before it.
    O(steps · (marks of all + marks of one · log)).
    """
    order: list[FlipMark[M]] = []
    newest: dict[tuple[M, int], FlipMark[M]] = {}
    for step, marks in enumerate(sequences):
        place = {id(known): k for k, known in enumerate(order)}
        seen: Counter[M] = Counter()
        names = []
        for mark in marks:
            names.append((mark, seen[mark]))  # a mark that is drawn twice is two
            seen[mark] += 1
        known = [(k, place[id(newest[name])]) for k, name in enumerate(names) if name in newest]
        kept = dict(known[k] for k in increasing([at for _, at in known]))
        behind: dict[int, list[FlipMark[M]]] = {}
        last = -1
        for k, name in enumerate(names):
            if k in kept:
                last = kept[k]
                order[last].steps.append(step)
            else:
                newest[name] = FlipMark(name[0], [step])
                behind.setdefault(last, []).append(newest[name])
        order = [mark for k in range(-1, len(order)) for mark in (*order[k : k + 1], *behind.get(k, ()))]
    return order


def increasing(values: Sequence[int]) -> list[int]:
    """The places, in order, of a longest strictly increasing subsequence. O(n log n)."""
    ends: list[int] = []  # the least value that ends a subsequence of each length
    places: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1], places[length : length + 1] = [value], [place]
    chain, place = [], places[-1] if places else -1
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]
