"""Counting hits by one or two keys; every count knows its hits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.search.match import Hits, _Values

MOST_KEYS = 2


@dataclass(frozen=True, eq=False)
class Cluster:
    """Hits with the same values: ``values`` one a key, ``hits`` int64 indices into the Hits."""

    values: tuple
    hits: np.ndarray

    @property
    def count(self) -> int:
        """How many."""
        return len(self.hits)


def clusters(hits: Hits, keys: Sequence[str]) -> tuple[Cluster, ...]:
    """Group hits by values.

    Parameters
    ----------
    hits : Hits
    keys : sequence of str
        One or two of ``X.upos`` (any column or feature of a word), ``e.label`` (of a named arc),
        ``e.length`` (signed: positive where the modifier follows) and ``X.place`` (number in the sentence).

    Returns
    -------
    tuple of Cluster
        Most frequent first, ties by value.

    Raises
    ------
    WorkbenchError : a key that names no word or arc of the request.
    """
    if not 1 <= len(keys) <= MOST_KEYS:
        raise WorkbenchError(f"cluster by one or two keys, got {len(keys)}")
    values = _Values(hits.treebank)
    columns = [_labels(hits, key, values) for key in keys]
    ids = np.column_stack([np.asarray(ids, np.int64).reshape(-1) for ids, _ in columns])
    if not len(ids):
        return ()
    groups, place = np.unique(ids, axis=0, return_inverse=True)
    order = np.argsort(place.reshape(-1), kind="stable")
    bounds = np.searchsorted(place.reshape(-1)[order], np.arange(len(groups) + 1))
    found = [
        Cluster(
            tuple(names[number] for number, (_, names) in zip(group, columns, strict=True)),
            order[bounds[index] : bounds[index + 1]],
        )
        for index, group in enumerate(groups.tolist())
    ]
    return tuple(sorted(found, key=lambda each: (-each.count, tuple(map(str, each.values)))))


def _labels(hits, key, values):
    """(id per hit, names by id) of one key."""
    name, dot, part = key.partition(".")
    arcs = hits.request.arcs
    if dot and name in arcs and part in ("label", "length"):
        modifier = hits.column(arcs[name].modifier)
        if part == "label":
            ids, names = values.column("deprel")
            return ids[modifier], names
        return _numbers(modifier - hits.column(arcs[name].head))
    if dot and name in hits.request.words and part:
        if part == "place":
            return _numbers(hits.column(name) - hits.treebank.offsets[hits.sentences])
        ids, names = values.column(part)
        return ids[hits.column(name)], names
    known = [*(f"{word}.upos" for word in hits.request.words), *(f"{arc}.label" for arc in arcs)]
    raise WorkbenchError(f"cannot cluster by {key!r}; use a key of this request, such as {', '.join(known)}")


def _numbers(numbers):
    names, ids = np.unique(numbers, return_inverse=True)
    return ids, names.tolist()
