"""Constraints that simulate a linguist: chosen, and their targets set, from gold trees (druck2009, sections 4.1 and 6).

For a constraint function g: its count c(g), candidates in the corpus; its edge count c_edge(g), those that are
edges of the trees; its edge probability p(edge|g) = c_edge(g) / c(g).
"""

from collections.abc import Sequence
from functools import reduce
from operator import iadd

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.constraints.language.constraint import Constraint, Item, Term
from core.errors import WorkbenchError
from core.threads import run_ranges
from core.treebank import Treebank

TEMPLATE = ("head", "modifier", "direction", "distance")
BINS = ("0", "0.1", "0.25", "0.5", "0.75", "1")
MIDPOINTS = np.array([2, 7, 15, 25, 35])  # fortieths: halfway between the bins
DISTANCES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, None))  # the rows of Table 3
BLOCK = 8_000_000  # counters at a time: 64 MB
ROOT = Item((Term("root"),))
ANY = Item((Term("any"),))


def oracle_constraints(
    treebank: Treebank,
    count: int | None = 20,
    minimum_count: int = 15,
    template: Sequence[str] = ("head", "modifier", "direction"),
    *,
    minimum_edge_count: int = 0,
    binned: bool = True,
    tags: str | None = None,
) -> list[Constraint]:
    """The constraints with the highest edge probability in gold trees.

    Parameters
    ----------
    treebank : Treebank
        With heads and tags.
    count : int or None
        How many at most; None gives all (section 6's possible-parent constraints: with
        ``template=TEMPLATE, minimum_edge_count=101`` for "more than 100").
    minimum_count : int
        Least c(g).
    template : sequence of str
        Which of "head", "modifier", "direction" and "distance" a constraint names; without "head" (or
        "modifier") it speaks of any word. The root counts as a head, at no distance.
    minimum_edge_count : int
        Least c_edge(g).
    binned : bool
        Set the target to the nearest of 0, 0.1, 0.25, 0.5, 0.75 and 1 (halfway goes up), else to p(edge|g).
    tags : None, "xpos" or "upos"
        The tag column.

    Returns
    -------
    list of Constraint
        By p(edge|g), ties by c(g), then by name. Counts and probability stand in each comment, which
        ``format_constraints`` writes.

    Raises
    ------
    WorkbenchError : unknown template part, no tags, or sentences without heads.

    Notes
    -----
    O(sum of n^2), over all pairs of words once (more often only with very many tags). Source: druck2009, 4.1, 5, 6.
    """
    template = tuple(template.split(",")) if isinstance(template, str) else tuple(template)
    for part in template:
        if part not in TEMPLATE:
            raise WorkbenchError(f"there is no template part {part!r}; take some of {', '.join(TEMPLATE)}")
    if "head" not in template and "modifier" not in template:
        raise WorkbenchError(f"the template {','.join(template)} names no word; add head or modifier")
    require_heads(treebank)
    column = treebank.tag_column(tags)
    keys, pairs, edges = _statistics(treebank, column, template)
    frequent = (pairs >= max(minimum_count, 1)) & (edges >= minimum_edge_count)
    keys, pairs, edges = keys[frequent], pairs[frequent], edges[frequent]
    if count is not None and len(pairs) > count:  # name only those that can be chosen; ties decide by name below
        share = edges / pairs
        last = np.lexsort((-pairs, -share))[max(count, 1) - 1]
        near = (share > share[last]) | ((share == share[last]) & (pairs >= pairs[last]))
        keys, pairs, edges = keys[near], pairs[near], edges[near]
    constraints = [
        _constraint(key, template, column, int(c), int(e), binned)
        for key, c, e in zip(keys.tolist(), pairs, edges, strict=True)
    ]
    order = sorted(range(len(constraints)), key=lambda k: (-edges[k] / pairs[k], -pairs[k], constraints[k].name))
    return [constraints[k] for k in order[: count if count is not None else len(order)]]


def binned_target(edges: int, pairs: int) -> float:
    """The nearest of 0, 0.1, 0.25, 0.5, 0.75 and 1 to edges / pairs, in exact arithmetic; halfway goes up."""
    return float(BINS[np.searchsorted(MIDPOINTS * pairs, 40 * edges, side="right")])


def require_heads(treebank: Treebank) -> None:
    """Raise WorkbenchError unless the treebank holds sentences and every word has a head."""
    if not len(treebank):
        raise WorkbenchError("oracle constraints are counted in gold trees, and the treebank holds no sentence")
    unknown = (treebank.heads < 0) & treebank.is_word
    if unknown.any():
        row = int(np.flatnonzero(unknown)[0])
        sentence = int(np.searchsorted(treebank.offsets, row, side="right"))
        raise WorkbenchError(
            f"oracle constraints are counted in gold trees, and sentence {sentence} has a word without a head; "
            "give a treebank with heads"
        )


def _statistics(treebank, column, template):
    """(keys (K, 4), c(g) (K,), c_edge(g) (K,)) of all that occurs; -1 in a key for what the template leaves out."""
    # head tag (0: untagged, last: root), modifier tag, left or right, distance class
    shape = len(column.values) + 1, len(column.values), 2, len(DISTANCES)
    block = max(1, BLOCK // (2 * int(np.prod(shape[1:]))))
    dropped = tuple(axis for axis, part in enumerate(TEMPLATE) if part not in template)
    keys, counts, any_head = [], [], 0
    for first in range(0, shape[0], block):
        last = min(first + block, shape[0])

        def run(begin, end, first=first, last=last):
            axes = np.array(shape[1:])
            return _count_pairs(begin, end, treebank.offsets, treebank.heads, column.ids, first, last, axes)

        totals = reduce(iadd, run_ranges(run, treebank.lengths**2 + 1))
        if 0 in dropped:
            words = totals[: shape[0] - 1 - first]  # any word, not the root
            any_head = any_head + words.sum(axis=dropped, keepdims=True)
        else:
            _collect(totals.sum(axis=dropped, keepdims=True), first, dropped, keys, counts)
    if 0 in dropped:
        _collect(any_head, 0, dropped, keys, counts)
    counts = np.concatenate(counts)
    return np.concatenate(keys), counts[:, 0], counts[:, 1]


def _collect(totals, first, dropped, keys, counts):
    """Append the keys that occur, and their counts; an untagged word cannot be named."""
    places = np.argwhere(totals[..., 0] > 0)
    unnamed = ((places[:, 0] + first == 0) & (0 not in dropped)) | ((places[:, 1] == 0) & (1 not in dropped))
    places = places[~unnamed]
    counts.append(totals[tuple(places.T)])
    places[:, 0] += first
    places[:, list(dropped)] = -1
    keys.append(places)


def _tag(column, tag):
    return Item((Term("tag", column.values[tag]),))


def _constraint(key, template, column, pairs, edges, binned):
    """The Constraint of one key of the statistics."""
    head, modifier, direction, distance = key
    arrow = "--" if "direction" not in template else ("<-", "->")[direction]
    root = head == len(column.values)
    target = binned_target(edges, pairs) if binned else edges / pairs
    return Constraint(
        head=ANY if head < 0 else ROOT if root else _tag(column, head),
        modifier=ANY if modifier < 0 else _tag(column, modifier),
        arrow="->" if root else arrow,
        low=target,
        high=target,
        distance=None if distance < 0 or root else DISTANCES[distance],
        comment=f"{edges:,} of {pairs:,} are arcs, p = {edges / pairs:.3f}",
    )


@inner_kernel
def _distance_class(distance):
    """Index into DISTANCES."""
    return min(distance, 6) - 1 if distance <= 10 else 6


@kernel
def _count_pairs(begin, end, offsets, heads, tags, first_tag, last_tag, shape):
    """(head tags, modifier tags, 2, distances, 2): pairs and edges by key; the root's distance class is 0."""
    totals = np.zeros((last_tag - first_tag, shape[0], shape[1], shape[2], 2), dtype=np.int64)
    for i in range(begin, end):
        root = offsets[i]
        for h in range(offsets[i + 1] - root):
            tag = tags[root + h] if h > 0 else shape[0]
            if tag < first_tag or tag >= last_tag:
                continue
            for m in range(1, offsets[i + 1] - root):
                if m == h:
                    continue
                kind = _distance_class(abs(m - h)) if h > 0 else 0
                cell = totals[tag - first_tag, tags[root + m], int(m > h), kind]
                cell[0] += 1
                cell[1] += heads[root + m] == h
    return totals
