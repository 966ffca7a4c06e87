"""Counting hits by one or two keys; every count knows its hits."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.errors import WorkbenchError
from core.search.budget import Budget
from core.search.keys import absent_keys
from core.search.match import Hits
from core.search.request import COLUMNS
from core.search.word_values import WordValues

MOST_KEYS = 2
MOST_CLUSTERS = 500_000


@dataclass(frozen=True, eq=False)
class HitCluster:
    """Hits with the same values: ``values`` one a key, ``hits`` int64 indices into the Hits."""

    values: tuple
    hits: np.ndarray

    @property
    def count(self) -> int:
        """The number of hits."""
        return len(self.hits)


def clusters(hits: Hits, keys: Sequence[str]) -> tuple[HitCluster, ...]:
    """Group hits by values.

    Parameters
    ----------
    hits : Hits
    keys : sequence of str
        One or two of ``X.upos`` (any column or feature of a word), ``e.label`` (of a named arc),
        ``e.length`` (signed: positive where the modifier follows) and ``X.place`` (number in the sentence).

    Returns
    -------
    tuple of HitCluster
        Most frequent first, ties by value.

    Raises
    ------
    WorkbenchError : a key that names no word or arc of the request; more than MOST_CLUSTERS different values.
    """
    if not 1 <= len(keys) <= MOST_KEYS:
        raise WorkbenchError(f"cluster by one or two keys, got {len(keys)}")
    values = WordValues(hits.treebank, Budget())
    columns = [_labels(hits, key, values) for key in keys]
    number = np.zeros(len(hits), np.int64)
    for ids, names in columns:
        number = number * len(names) + ids
    if not len(number):
        return ()
    order = np.argsort(number.astype(np.min_scalar_type(number.max())), kind="stable")
    bounds = np.flatnonzero(np.diff(number[order], prepend=-1, append=-1))
    if len(bounds) > MOST_CLUSTERS:
        raise WorkbenchError(
            f"{' and '.join(keys)} take {len(bounds) - 1:,} different values, more than {MOST_CLUSTERS:,}; "
            "count by something else"
        )
    groups = []
    for begin, end in pairwise(bounds.tolist()):
        rest, group = int(number[order[begin]]), []
        for _, names in reversed(columns):
            rest, value = divmod(rest, len(names))
            group.insert(0, names[value])
        groups.append(HitCluster(tuple(group), order[begin:end]))
    return tuple(sorted(groups, key=lambda cluster: (-cluster.count, tuple(map(str, cluster.values)))))


def _labels(hits, key, values):
    """(id per hit, names by id) of one key."""
    name, dot, part = key.partition(".")
    arcs = hits.request.arcs
    if dot and name in arcs and part in ("label", "length"):
        modifier = hits.column(arcs[name].modifier)
        if part == "label" and arcs[name].enhanced:
            chosen = values.enhanced(arcs[name])
            return _numbers(values.graph.labels(hits.column(arcs[name].head), modifier, chosen))
        if part == "label":
            ids, names = values.column("deprel")
            return ids[modifier], names
        return _numbers(modifier - hits.column(arcs[name].head))
    if dot and name in hits.request.words and part:
        if part == "place":
            return _numbers(hits.column(name) - hits.treebank.offsets[hits.sentences])
        ids, names = values.column(part)
        if part not in COLUMNS and len(names) == 1:
            raise WorkbenchError(f"cannot cluster by {key!r}: {absent_keys(hits.treebank, (part,))[0]}")
        return ids[hits.column(name)], names
    known = [*(f"{word}.upos" for word in hits.request.words), *(f"{arc}.label" for arc in arcs)]
    raise WorkbenchError(f"cannot cluster by {key!r}; use a key of this request, such as {', '.join(known)}")


def _numbers(numbers):
    names, ids = np.unique(numbers, return_inverse=True)
    return ids, names.tolist()
