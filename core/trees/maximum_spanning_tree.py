"""The best non-projective tree of a sentence, with several roots or exactly one (Chu & Liu 1965, Edmonds 1967).

Every word takes its best head. Each cycle is contracted into one component, whose arcs are worth what they add to the
cycle; and so on until no cycle is left. Forbidden arcs (-inf) need no care: a component that no arc enters means that
there is no tree.

One root, without any assumption on the scores: let arcs from the root cost a price. At any price, the best tree that
happens to have one root is the best of all trees with one root, since all of those pay the same. Starting from a price
of zero, raise it just enough that one component gives up its arc from the root for its next best arc. Contract the
cycle if that closes one, and repeat until one root is left. No price enters the arithmetic: the components keep their
best arc from the root and their best other arc apart, and only the difference is compared with the price.
"""

from dataclasses import dataclass
from typing import overload

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.checks import as_matrix, as_packed, checked_errors, raise_bad_value
from core.trees.feasibility import require_tree
from core.trees.packed import Heads, PackedHeads, PackedScores, Scores

FOUND, INFEASIBLE, BAD_VALUE = 0, 1, 2
NEW, ON_PATH, DONE = 0, 1, 2
TAKES_HEAD, TAKES_ROOT, CONTRACTED, LEAVES_ROOT = range(4)  # kinds of events
# rows of the integers that describe components: words 1..n, then contracted ones from n + 1
PARENT, FIRST, LAST, ROW, HEAD, STATE, ROOTED, TOP, NEXT, PATH, ROOTS = range(11)


@overload
def maximum_spanning_tree(
    scores: PackedScores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> PackedHeads: ...
@overload
def maximum_spanning_tree(
    scores: np.ndarray, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> np.ndarray: ...
def maximum_spanning_tree(
    scores: Scores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> Heads:
    """Heads of a tree whose arcs have the highest total score.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` is the score of the arc h -> m; -inf forbids it. Column 0 and the diagonal are ignored.
        Not modified.
    single_root : bool, default=True
        Attach exactly one word to the root. Exact for any scores.
    threads : int, optional
        Threads for packed scores; all cores if None.
    errors : "raise" or "mark"
        With "mark", a sentence without a tree has heads of -1.

    Returns
    -------
    heads : ndarray of shape (n + 1,), dtype int32, or PackedHeads
        ``heads[m]`` is the head of word m, 0 the root; ``heads[0]`` is -1. Among equally good trees the choice depends
        on the scores alone: each component prefers its lowest head.

    Raises
    ------
    ScoreShapeError : ``scores`` is not square, holds no word, or holds NaN or +inf on an arc.
    InfeasibleError : every tree uses a forbidden arc; names the sentence, and the word where one has no head.

    Notes
    -----
    O(n^2) time for dense scores. Source: Tarjan (1977) for the contraction; the price on the root's arcs
    is the Lagrangian form of Gabow & Tarjan (1984), see also Zmigrod, Vieira & Cotterell (2020).
    """
    mark = checked_errors(errors)
    if isinstance(scores, PackedScores):
        return _decode_packed(as_packed(scores), bool(single_root), threads, mark)
    scores = as_matrix(scores)
    status, heads = decode_one(scores, bool(single_root))
    if status != FOUND:
        return _explain(scores, status, single_root, mark)
    return heads


@dataclass(frozen=True, eq=False)
class SpanningTreeRecord:
    """The steps on the way to a tree. Components are words 1..n, then contracted cycles from n + 1.

    Attributes
    ----------
    heads : ndarray of shape (n + 1,), dtype int32
        As ``maximum_spanning_tree`` returns them.
    events : ndarray of shape (E, 2), dtype int64
        (kind, component) in order: the component takes its best arc from a word, or from the root. It was contracted
        from those whose ``parent`` it is; it gives up its arc from the root for its best other one.
    parent : ndarray of shape (C,), dtype int64
        The component that each was contracted into, 0 for none.
    head, best, root : ndarrays of shape (C,)
        Each component's best head outside it, that arc's worth, and the worth of its best arc from the root.
    """

    heads: np.ndarray
    events: np.ndarray
    parent: np.ndarray
    head: np.ndarray
    best: np.ndarray
    root: np.ndarray


def record_spanning_tree(scores: np.ndarray, single_root: bool = True) -> SpanningTreeRecord:
    """``maximum_spanning_tree`` of one sentence with all that its kernel did: a SpanningTreeRecord.

    Raises as ``maximum_spanning_tree``.
    """
    scores = as_matrix(scores)
    side = len(scores)
    heads, ints, floats = np.empty(side, np.int32), np.zeros((11, 2 * side), np.int64), np.zeros((3, 2 * side))
    events = np.full((8 * side, 2), -1, np.int64)  # a component takes a head, the root, and leaves it, once each
    status = decode(scores, bool(single_root), heads, ints, floats, np.empty((side // 2 + 1, side)), events)
    if status != FOUND:
        heads = _explain(scores, status, single_root, False)  # raises, or a bad value sat in an ignored place
        clean = np.where(scores < np.inf, scores, 0.0)
        return record_spanning_tree(clean, single_root)
    events = events[events[:, 0] >= 0]
    count = side + int((events[:, 0] == CONTRACTED).sum())
    return SpanningTreeRecord(
        heads, events, *(ints[row, :count].copy() for row in (PARENT, HEAD)), *(floats[:2, :count].copy())
    )


def _decode_packed(packed, single_root, threads, mark):
    sides = packed.sides
    rows = offsets_of(sides)
    heads = PackedHeads(np.empty(rows[-1], dtype=np.int32), rows)
    statuses = np.empty(len(packed), dtype=np.int8)

    def run(begin, end):
        decode_range(packed.values, packed.offsets, rows, begin, end, single_root, heads.values, statuses)

    run_ranges(run, sides.astype(np.float64) ** 2, threads)
    for sentence in np.flatnonzero(statuses != FOUND):
        heads[sentence][:] = _explain(packed[sentence], statuses[sentence], single_root, mark, int(sentence))
    return heads


def _explain(scores, status, single_root, mark, sentence=None):
    """Raise, or return heads of -1, or the tree where the bad value sat in an ignored place."""
    if status == BAD_VALUE:
        raise_bad_value(scores, sentence)
        scores = scores.copy()
        scores[:, 0] = 0.0
        np.fill_diagonal(scores, 0.0)
        status, heads = decode_one(scores, bool(single_root))
        if status == FOUND:
            return heads
    if not mark:
        require_tree(scores, single_root, sentence=sentence)
    return np.full(len(scores), -1, dtype=np.int32)


@kernel
def decode_one(scores: np.ndarray, single_root: bool) -> tuple[int, np.ndarray]:
    """(status, heads) of one sentence."""
    side = len(scores)
    heads = np.empty(side, np.int32)
    ints, floats, rows = np.empty((11, 2 * side), np.int64), np.empty((3, 2 * side)), np.empty((side // 2 + 1, side))
    return decode(scores, single_root, heads, ints, floats, rows, np.empty((0, 2), np.int64)), heads


@kernel
def decode_range(
    values: np.ndarray,
    offsets: np.ndarray,
    row_offsets: np.ndarray,
    begin: int,
    end: int,
    single_root: bool,
    heads: np.ndarray,
    statuses: np.ndarray,
) -> None:
    """Heads and statuses of sentences begin..end of a packed corpus; sentence i has n + 1 = the step of row_offsets."""
    largest = 0
    for sentence in range(begin, end):
        largest = max(largest, row_offsets[sentence + 1] - row_offsets[sentence])
    ints, floats = np.empty((11, 2 * largest), np.int64), np.empty((3, 2 * largest))
    rows, events = np.empty((largest // 2 + 1) * largest), np.empty((0, 2), np.int64)
    for sentence in range(begin, end):
        first, last = row_offsets[sentence], row_offsets[sentence + 1]
        side = last - first
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        own_rows = rows[: (side // 2 + 1) * side].reshape(side // 2 + 1, side)
        statuses[sentence] = decode(scores, single_root, heads[first:last], ints, floats, own_rows, events)


@kernel
def decode(
    scores: np.ndarray,
    single_root: bool,
    heads: np.ndarray,
    ints: np.ndarray,
    floats: np.ndarray,
    rows: np.ndarray,
    events: np.ndarray,
) -> int:
    """Heads of the best tree into ``heads``; the other arrays are scratch. Returns a status.

    ``events`` gets what happened, (kind, component) a row; where it is full, or empty, no more is noted.
    """
    side = len(scores)
    best, root, given = floats[0], floats[1], floats[2]
    if not _best_arcs(scores, best, ints[HEAD]):
        return BAD_VALUE
    for word in range(1, side):
        root[word], given[word] = scores[0, word], 0.0
        ints[FIRST, word] = ints[LAST, word] = ints[TOP, word] = word
        ints[ROW, word], ints[STATE, word], ints[ROOTED, word] = -1, NEW, 0
    used = np.array([side, 0, 0])  # the next component, the next row, the next event
    count = _grow(scores, single_root, ints, floats, rows, used, events)
    if count > 1 and single_root:
        count = _leave_root(scores, count, ints, floats, rows, used, events)
    if count == 0:
        return INFEASIBLE
    _expand(scores, ints, given, used[0], heads)
    return FOUND


@inner_kernel
def _best_arcs(scores, best, head):
    """For each word its best arc from a word, the lowest head among equals; False if a NaN or +inf is seen."""
    side = len(scores)
    good = True
    for modifier in range(side):
        good &= scores[0, modifier] < np.inf
        best[modifier], head[modifier] = -np.inf, 0
    for candidate in range(1, side):
        own_best, own_head = best[candidate], head[candidate]
        for modifier in range(side):
            score = scores[candidate, modifier]
            good &= score < np.inf
            better = score > best[modifier]
            best[modifier] = score if better else best[modifier]
            head[modifier] = candidate if better else head[modifier]
        best[candidate], head[candidate] = own_best, own_head  # the diagonal does not count
    return good


@inner_kernel
def _takes_root(root, best, price, single_root):
    """Whether a component prefers its arc from the root; a single root is avoided among equals."""
    if root == -np.inf:
        return False
    return root - best > price if single_root else root >= best


@inner_kernel
def _note(events, used, kind, component):
    """Write down what happened, where somebody wants to know."""
    if used[2] < len(events):
        events[used[2], 0], events[used[2], 1] = kind, component
        used[2] += 1


@inner_kernel
def _grow(scores, single_root, ints, floats, rows, used, events):
    """Follow best arcs to the root and contract each cycle on the way; returns the number of roots, 0 for no tree."""
    best, root, head = floats[0], floats[1], ints[HEAD]
    top_of, state, path = ints[TOP], ints[STATE], ints[PATH]
    count = 0
    for word in range(1, len(scores)):
        top, length = top_of[word], 0
        while state[top] != DONE:
            if state[top] == ON_PATH:
                start = length - 1
                while path[start] != top:
                    start -= 1
                top = _contract(scores, path[start:length], ints, floats, rows, used)
                _note(events, used, CONTRACTED, top)
                length = start
            state[top] = ON_PATH
            path[length] = top
            length += 1
            if _takes_root(root[top], best[top], 0.0, single_root):
                ints[ROOTED, top], ints[ROOTS, count] = 1, top
                count += 1
                _note(events, used, TAKES_ROOT, top)
                break
            if best[top] == -np.inf:
                return 0
            _note(events, used, TAKES_HEAD, top)
            top = top_of[head[top]]
        for i in range(length):
            state[path[i]] = DONE
    return count


@inner_kernel
def _leave_root(scores, count, ints, floats, rows, used, events):
    """Raise the price of arcs from the root until one is left; returns 1, or 0 if no tree has a single root."""
    best, root, head = floats[0], floats[1], ints[HEAD]
    top_of, rooted, path, roots = ints[TOP], ints[ROOTED], ints[PATH], ints[ROOTS]
    while count > 1:
        cheapest, price = 0, np.inf
        for i in range(count):
            difference = root[roots[i]] - best[roots[i]]
            if difference < price:
                cheapest, price = i, difference
        if price == np.inf:
            return 0
        top = roots[cheapest]
        count -= 1
        roots[cheapest] = roots[count]
        rooted[top] = 0
        _note(events, used, LEAVES_ROOT, top)
        while True:
            path[0], length, above = top, 1, top_of[head[top]]
            while above != top and not rooted[above]:
                path[length] = above
                length += 1
                above = top_of[head[above]]
            if above != top:
                break
            top = _contract(scores, path[:length], ints, floats, rows, used)
            _note(events, used, CONTRACTED, top)
            if _takes_root(root[top], best[top], price, True):
                rooted[top], roots[count] = 1, top
                count += 1
                _note(events, used, TAKES_ROOT, top)
                break
            if best[top] == -np.inf:
                return 0
            _note(events, used, TAKES_HEAD, top)
    return count


@inner_kernel
def _contract(scores, members, ints, floats, rows, used):
    """Make one component of a cycle; returns it.

    Its row holds, for each head outside, the best arc into any member, less what that member's own arc in the cycle
    gives; words inside are -inf. ``floats[2]`` adds up what was taken off each word's arcs.
    """
    side = len(scores)
    best, root, given = floats[0], floats[1], floats[2]
    parent, first, last, top_of, following = ints[PARENT], ints[FIRST], ints[LAST], ints[TOP], ints[NEXT]
    new = used[0]
    used[0] += 1
    row_number = -1
    for i in range(len(members)):
        row_number = max(row_number, ints[ROW, members[i]])
    if row_number < 0:
        row_number = used[1]
        used[1] += 1
        rows[row_number, :] = -np.inf
    row, highest = rows[row_number], -np.inf
    for i in range(len(members)):
        member = members[i]
        highest = max(highest, root[member] - best[member])
        parent[member] = new
        if ints[ROW, member] == row_number:  # before the others join
            for head in range(1, side):
                row[head] -= best[member]
    for i in range(len(members)):
        if ints[ROW, members[i]] != row_number:
            _merge(scores, rows, row, members[i], ints[ROW, members[i]], best[members[i]])
    first[new] = first[members[0]]
    for i in range(len(members)):
        member = members[i]
        if i > 0:
            following[last[members[i - 1]]] = first[member]
        word = first[member]
        while True:
            row[word] = -np.inf
            given[word] += best[member]
            top_of[word] = new
            if word == last[member]:
                break
            word = following[word]
    last[new] = last[members[len(members) - 1]]
    ints[ROW, new], ints[ROOTED, new], ints[STATE, new] = row_number, 0, NEW
    root[new], best[new] = highest, -np.inf
    for head in range(1, side):
        if row[head] > best[new]:
            best[new], ints[HEAD, new] = row[head], head
    return new


@inner_kernel
def _merge(scores, rows, row, member, source, taken):
    """row = max(row, the member's arcs - taken); ``source`` is the member's own row, -1 for a word."""
    if source < 0:
        for head in range(1, len(row)):
            value = scores[head, member] - taken
            row[head] = value if value > row[head] else row[head]
    else:
        other = rows[source]
        for head in range(1, len(row)):
            value = other[head] - taken
            row[head] = value if value > row[head] else row[head]


@inner_kernel
def _expand(scores, ints, given, components, heads):
    """Undo the contractions, outermost first: the arc into a component replaces one arc of its cycle."""
    parent, first, last, following, entered = ints[PARENT], ints[FIRST], ints[LAST], ints[NEXT], ints[STATE]
    heads[0] = -1
    entered[:components] = 0
    for component in range(components - 1, 0, -1):
        if entered[component]:
            continue
        head = 0 if ints[ROOTED, component] else ints[HEAD, component]
        word = modifier = first[component]
        most = scores[head, word] - given[word]
        while word != last[component]:
            word = following[word]
            if scores[head, word] - given[word] > most:
                most, modifier = scores[head, word] - given[word], word
        heads[modifier] = head
        node = modifier
        while node != component:
            entered[node] = 1
            node = parent[node]
