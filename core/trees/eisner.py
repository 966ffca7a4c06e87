"""The best projective tree of a sentence, by Eisner's chart.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
Inside the kernels words count from 0 and the root stands apart: the chart covers words only, and the root joins in
O(n^2) at the top, whether one word or several hang from it.
"""

from typing import overload

import numpy as np

from core.compilation.kernels import inlined_kernel, inner_kernel, kernel
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.checks import checked_errors, checked_matrix, checked_packed
from core.trees.feasibility import require_tree
from core.trees.packed import Heads, PackedHeads, PackedScores, Scores


@overload
def eisner(
    scores: PackedScores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> PackedHeads: ...
@overload
def eisner(
    scores: np.ndarray, single_root: bool = True, *, threads: int | None = None, errors: str = "raise"
) -> np.ndarray: ...
def eisner(scores: Scores, single_root: bool = True, *, threads: int | None = None, errors: str = "raise") -> Heads:
    """The projective tree of the highest score, for a sentence or for each sentence of a corpus.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` scores the arc h -> m; -inf forbids it. Column 0 and the diagonal are ignored. Not modified.
    single_root : bool, default=True
        Ask for exactly one word attached to the root.
    threads : int, optional
        Threads over the sentences of a corpus; all cores by default. A single matrix takes one.
    errors : {"raise", "mark"}, default="raise"
        What to do when a sentence has no projective tree: raise, or return heads of -1.

    Returns
    -------
    heads : ndarray of shape (n + 1,), dtype int32, or PackedHeads
        ``heads[m]`` is the head of word m, 0 for the root; ``heads[0]`` is -1. Of several best trees, always the
        same: from the top down, the leftmost split of each span.

    Raises
    ------
    ScoreShapeError : ``scores`` is not square, holds no word, or holds NaN or +inf on an arc.
    InfeasibleError : every projective tree uses a forbidden arc; names the sentence of a corpus.

    Notes
    -----
    O(n^3) time, O(n A) where few arcs, A, are allowed; O(n^2) memory. The chart keeps no back-pointers: the splits of
    the n spans in the best tree are found again on the way down. That is cheaper than to store n^2 of them on
    the way up.
    Source: Eisner (1996), C96-1058.
    """
    mark, single_root = checked_errors(errors), bool(single_root)
    if not isinstance(scores, PackedScores):
        matrix = checked_matrix(scores)
        heads = np.empty(len(matrix), np.int32)
        if not _decode(matrix, single_root, heads) and not mark:
            require_tree(matrix, single_root, projective=True)
        return heads
    packed = checked_packed(scores)
    sides = packed.sides
    offsets = offsets_of(sides)
    heads = np.empty(offsets[-1], np.int32)

    def decode_range(begin, end):
        return _decode_range(packed.values, packed.offsets, offsets, begin, end, single_root, heads)

    infeasible = [sentence for sentence in run_ranges(decode_range, sides**3.0, threads) if sentence >= 0]
    if infeasible and not mark:
        require_tree(packed[infeasible[0]], single_root, projective=True, sentence=int(infeasible[0]))
    return PackedHeads(heads, offsets)


@kernel
def _decode_range(values, score_offsets, offsets, begin, end, single_root, heads):
    """Decode sentences begin..end-1, one workspace for all; the first that has no tree, or -1."""
    longest = 1
    for sentence in range(begin, end):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence] - 1)
    tables, rows, stack = _workspace(longest)
    infeasible = -1
    for sentence in range(begin, end):
        side = offsets[sentence + 1] - offsets[sentence]
        scores = values[score_offsets[sentence] : score_offsets[sentence + 1]].reshape(side, side)
        found = heads[offsets[sentence] : offsets[sentence + 1]]
        if not _decode_sentence(scores, single_root, tables, rows, stack, found) and infeasible < 0:
            infeasible = sentence
    return infeasible


@kernel
def chart_range(
    values: np.ndarray, offsets: np.ndarray, begin: int, end: int, charts: np.ndarray, chart_offsets: np.ndarray
) -> None:
    """Fill the charts of sentences begin..end-1: ``right``, ``left`` and ``arc`` of ``_fill``, (3, n, n + 4) each."""
    for sentence in range(begin, end):
        side = round((offsets[sentence + 1] - offsets[sentence]) ** 0.5)
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        tables = charts[chart_offsets[sentence - begin] : chart_offsets[sentence - begin + 1]]
        chart = tables.reshape(3, side - 1, side + 3)
        _fill(scores, chart[0], chart[1], chart[2], np.zeros((4, side + 3)))


@kernel
def _decode(scores, single_root, heads):
    """Decode one sentence into ``heads``; whether it has a tree."""
    tables, rows, stack = _workspace(len(scores) - 1)
    return _decode_sentence(scores, single_root, tables, rows, stack, heads)


@inner_kernel
def _workspace(longest):
    """Space for sentences of up to ``longest`` words: chart, rows, stack of spans."""
    return np.zeros(3 * longest * (longest + 4)), np.zeros((4, longest + 4)), np.empty((2 * longest + 2, 2), np.int64)


@inner_kernel
def _decode_sentence(scores, single_root, tables, rows, stack, heads):
    """Fill the chart, join the root, and read off the heads; False, and heads of -1, where there is no tree."""
    n = len(scores) - 1
    stride = n + 4  # loops run to a multiple of four, so rows need up to three columns more
    chart = tables[: 3 * n * stride].reshape(3, n, stride)
    right, left, arc = chart[0], chart[1], chart[2]
    heads[0] = -1
    if _is_pruned(scores):
        _fill_pruned(scores, right, left, arc)
    else:
        _fill(scores, right, left, arc, rows)
    if single_root:
        best, value = -1, -np.inf
        for r in range(n):
            if scores[0, r + 1] + left[0, r] + right[r, n - 1] > value:
                best, value = r, scores[0, r + 1] + left[0, r] + right[r, n - 1]
        if best < 0:
            heads[1:] = -1
            return False
        heads[best + 1] = 0
        _read(right, left, arc, best, 0, stack, heads)
        _read(right, left, arc, best, n - 1, stack, heads)
        return True
    # prefix[e]: best trees over words 0..e-1; top[r]: the same up to r, a child of the root still without its right
    prefix, top = rows[0], rows[1]
    prefix[0] = 0.0
    for r in range(n):
        top[r] = prefix[r + 1] = -np.inf
        for k in range(r + 1):
            top[r] = max(top[r], prefix[k] + left[k, r])
        top[r] += scores[0, r + 1]
        for k in range(r + 1):
            prefix[r + 1] = max(prefix[r + 1], top[k] + right[k, r])
    if prefix[n] == -np.inf:
        heads[1:] = -1
        return False
    end = n
    while end > 0:
        r, value = 0, -np.inf
        for k in range(end):
            if top[k] + right[k, end - 1] > value:
                r, value = k, top[k] + right[k, end - 1]
        _read(right, left, arc, r, end - 1, stack, heads)
        heads[r + 1] = 0
        end, value = 0, -np.inf
        for k in range(r + 1):
            if prefix[k] + left[k, r] > value:
                end, value = k, prefix[k] + left[k, r]
        _read(right, left, arc, r, end, stack, heads)
    return True


@inner_kernel
def _fill(scores, right, left, arc, rows):
    """Fill the chart over words i <= j, ends inclusive.

    ``right[i, j]`` and ``left[i, j]`` are complete spans headed by i and by j. ``arc[m, h]`` is the span with the arc
    h -> m on top, [modifier, head] so that all three are read along rows. Once an item is final it is pushed into
    all longer spans that begin where it begins.
    """
    n = len(right)
    joined_row, right_row, left_row = rows[0], rows[1], rows[2]
    for i in range(n - 1, -1, -1):
        right[i, i] = left[i, i] = 0.0
        for j in range(i + 1, n):
            joined_row[j] = left[i + 1, j]
            right_row[j] = left_row[j] = -np.inf
        for k in range(i + 1, n):
            right_top = joined_row[k] + scores[i + 1, k + 1]
            left_top = joined_row[k] + scores[k + 1, i + 1]
            right_item = max(right_row[k], right_top)
            left_item = max(left_row[k], left_top)
            arc[k, i], arc[i, k] = right_top, left_top
            right[i, k], left[i, k] = right_item, left_item
            begin, end = k + 1, k + 1 + ((n - k + 2) & ~3)
            if begin < n:
                _push(joined_row[begin:end], left[begin, begin:end], right_item)
                _push(right_row[begin:end], right[k, begin:end], right_top)
                _push(left_row[begin:end], arc[k, begin:end], left_item)


@inner_kernel
def _is_pruned(scores):
    """Whether so few arcs are allowed, an eighth at the most, that ``_fill_pruned`` is the faster one."""
    allowed = 0
    for score in scores.flat:
        allowed += score > -np.inf
    return 8 * allowed < scores.size


@inner_kernel
def _fill_pruned(scores, right, left, arc):
    """``_fill`` that looks at allowed arcs only: O(n) for each. All items come out the same to the last bit."""
    n = len(right)
    inner, counts = np.empty((n, n), np.int32), np.zeros(n, np.int32)  # modifiers on the left of each word so far
    for i in range(n - 1, -1, -1):
        right[i, i] = left[i, i] = 0.0
        right[i, i + 1 : n] = -np.inf
        for j in range(i + 1, n):
            forward, backward = scores[i + 1, j + 1], scores[j + 1, i + 1]
            arc[j, i] = arc[i, j] = -np.inf
            if forward > -np.inf or backward > -np.inf:
                joined = -np.inf
                for k in range(i, j):
                    joined = max(joined, right[i, k] + left[k + 1, j])
                arc[j, i], arc[i, j] = joined + forward, joined + backward
            if arc[j, i] > -np.inf:
                _push(right[i, j : j + ((n - j + 3) & ~3)], right[j, j : j + ((n - j + 3) & ~3)], arc[j, i])
            if arc[i, j] > -np.inf:
                inner[j, counts[j]] = i
                counts[j] += 1
            best = -np.inf
            for at in range(counts[j]):
                best = max(best, left[i, inner[j, at]] + arc[inner[j, at], j])
            left[i, j] = best


@inlined_kernel
def _push(row, items, score):
    """row = max(row, score + items), over a length that is a multiple of four."""
    count = len(row) & ~3  # tells the compiler that no scalar remainder is left: short rows take half the time
    for j in range(count):
        value = score + items[j]
        row[j] = value if value > row[j] else row[j]


@inner_kernel
def _read(right, left, arc, head, end, stack, heads):
    """Heads of all words but ``head`` in the complete span from ``head`` to ``end``, on either side of it."""
    stack[0, 0], stack[0, 1] = head, end
    waiting = 1
    while waiting > 0:
        waiting -= 1
        head, end = stack[waiting, 0], stack[waiting, 1]
        if head == end:
            continue
        modifier, value = end, -np.inf
        if head < end:
            for k in range(head + 1, end + 1):
                if arc[k, head] + right[k, end] > value:
                    modifier, value = k, arc[k, head] + right[k, end]
        else:
            for k in range(end, head):
                if left[end, k] + arc[k, head] > value:
                    modifier, value = k, left[end, k] + arc[k, head]
        heads[modifier + 1] = head + 1
        begin, last = min(head, modifier), max(head, modifier)
        split, value = begin, -np.inf
        for k in range(begin, last):
            if right[begin, k] + left[k + 1, last] > value:
                split, value = k, right[begin, k] + left[k + 1, last]
        # Each word heads at most one span to its left and one to its right, so the stack never holds more than 2 n.
        stack[waiting, 0], stack[waiting, 1] = modifier, end
        stack[waiting + 1, 0], stack[waiting + 1, 1] = begin, split
        stack[waiting + 2, 0], stack[waiting + 2, 1] = last, split + 1
        waiting += 3
