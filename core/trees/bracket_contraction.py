"""Non-projective trees that respect brackets: sums over all of them, and the best one.

At strict and sprawl a bracket has one in-arc, so its words can be contracted to a single node, innermost brackets
first, and matrix-tree does the rest. At loose and tear, and where brackets cross, the trees are a disjoint union over
masks of forbidden arcs: one for each choice of every bracket's head (or side). Each mask takes a matrix-tree.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from core.errors import InfeasibleError, WorkbenchError
from core.trees.bracket_charts import require_brackets
from core.trees.brackets import LOOSE, NONE, SPRAWL, STRICT, TEAR, Bracket, PackedBrackets, level_number
from core.trees.checks import checked_matrix
from core.trees.feasibility import require_tree
from core.trees.matrix_tree import matrix_tree
from core.trees.packed import PackedScores

Span = tuple[int, int]  # a bracket's words start..end-1
MASKS = 20_000  # combinations of heads and sides that are tried


def bracketed_matrix_tree(
    scores: np.ndarray, brackets: Sequence[Bracket], level: str, single_root: bool = True
) -> tuple[float, np.ndarray]:
    """Log-partition and arc marginals of the trees of a sentence that satisfy all brackets.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64
        As for ``matrix_tree``.
    brackets : list of Bracket
    level : {"none", "tear", "sprawl", "loose", "strict"}
    single_root : bool, default=True

    Returns
    -------
    log_partition : float
        In nats.
    marginals : ndarray of shape (n + 1, n + 1), dtype float64
        Columns 1..n sum to 1.

    Raises
    ------
    ScoreShapeError : as ``matrix_tree``.
    InfeasibleError : no tree without forbidden arcs satisfies the brackets.
    WorkbenchError : an unknown level, a bracket that ends after the sentence, or so many brackets at tear or loose, or
        crossing, that more than 20,000 masks would be needed.

    Notes
    -----
    O(n^3) where brackets are nested or apart and the level is strict or sprawl; else O(masks * n^3).
    """
    matrix, spans, number = checked_spans(scores, brackets, level)
    if number in (STRICT, SPRAWL) and not spans_cross(spans):
        total, marginals = _contract(matrix, [set(range(*span)) for span in spans], number == STRICT, single_root)
    else:
        packed = _masked(matrix, spans, number)
        totals, by_mask = matrix_tree(packed, single_root, errors="mark")
        total = np.logaddexp.reduce(totals)
        shares = np.exp(totals - total) if total > -np.inf else np.zeros(len(packed))
        marginals = np.zeros(matrix.shape)
        for i, share in enumerate(shares):
            if share > 0:
                marginals += share * by_mask[i]
    if total == -np.inf:
        require_tree(matrix, bool(single_root))
        raise InfeasibleError(
            f"no tree satisfies the sentence's brackets at level {level}; take a softer level or fewer brackets"
        )
    return float(total), marginals


def checked_spans(scores: np.ndarray, brackets: Sequence[Bracket], level: str) -> tuple[np.ndarray, list[Span], int]:
    """(matrix, distinct spans of several words or, at strict, of any; level's number)."""
    matrix, number = checked_matrix(scores), level_number(level)
    require_brackets(PackedBrackets.from_lists([list(brackets)]), np.array([len(matrix) - 1]))
    least = 1 if number == STRICT else 2
    spans = {(bracket.start, bracket.end) for bracket in brackets if len(bracket) >= least}
    if number == TEAR:  # nothing lies to the right of the last word
        spans = {span for span in spans if span[1] < len(matrix)}
    return matrix, sorted(spans, key=lambda span: span[1] - span[0]) if number != NONE else [], number


def spans_cross(spans: Sequence[Span]) -> bool:
    """Whether two of these brackets cross."""
    return any(a[0] < b[0] < a[1] < b[1] for a in spans for b in spans)


def _masked(matrix, spans, number):
    """A PackedScores of the matrix under each mask: one key a bracket (``forbid_arcs``), all combinations."""
    count = mask_count(spans, number)
    if count > MASKS:
        raise WorkbenchError(
            f"the brackets of this sentence allow {count:.0f} combinations of heads or sides, more than {MASKS}; "
            "take sprawl or strict, or projective trees"
        )
    return PackedScores.from_matrices(list(np.where(bracket_masks(len(matrix) - 1, spans, number), -np.inf, matrix)))


def bracket_masks(length: int, spans: Sequence[Span], number: int) -> np.ndarray:
    """bool (masks, n + 1, n + 1): the arcs that each combination of the brackets' keys forbids at a level."""
    masks = np.zeros((int(mask_count(spans, number)), length + 1, length + 1))
    for i, chosen in enumerate(product(*(span_keys(span, number) for span in spans))):
        for span, key in zip(spans, chosen, strict=True):
            forbid_arcs(masks[i], span, key, number)
    return masks < 0


def span_keys(span: Span, number: int) -> range:
    """The keys of a bracket's masks at a level: its possible heads, or for tear the sides."""
    return range(2) if number == TEAR else range(*span)


def mask_count(spans: Sequence[Span], number: int) -> float:
    """float: how many masks the brackets of a sentence have together."""
    return float(np.prod([float(len(span_keys(span, number))) for span in spans]))


def forbid_arcs(scores: np.ndarray, span: Span, key: int, number: int) -> None:
    """Set the arcs to -inf, in place, that one key of a bracket forbids at a level.

    An in-arc leads into the bracket, an out-arc from it. A key r is the bracket's head, or for tear a side:

        strict    in-arcs to all words but r, all out-arcs
        loose     in-arcs to all words but r, out-arcs from all words but r.
        sprawl    in-arcs to all words but r
        tear      in-arcs from the right (key 0), or from the left (key 1)
    """
    start, end = span
    if number == TEAR:
        scores[slice(end, None) if key == 0 else slice(0, start), start:end] = -np.inf
        return
    words = np.arange(len(scores))
    inside = (start <= words) & (words < end)
    scores[np.ix_(~inside, inside & (words != key))] = -np.inf
    if number in (LOOSE, STRICT):
        out = inside & (words != key) if number == LOOSE else inside
        scores[np.ix_(out, ~inside)] = -np.inf


def _contract(matrix, inner_first, strict, single_root):
    """(log-partition, marginals) with one node for each bracket; brackets are sets of nodes, innermost first."""
    if not inner_first:
        totals, marginals = matrix_tree(PackedScores.from_matrices([matrix]), single_root, errors="mark")
        return float(totals[0]), marginals[0]
    inside = sorted(inner_first[0])
    outside = [node for node in range(len(matrix)) if node not in inner_first[0]]
    parts = _rooted_sums(matrix[np.ix_(inside, inside)])
    into, out_of = matrix[np.ix_(outside, inside)], matrix[np.ix_(inside, outside)]
    small = np.full((len(outside) + 1,) * 2, -np.inf)  # the bracket is the last node
    small[:-1, :-1] = matrix[np.ix_(outside, outside)]
    small[:-1, -1] = np.logaddexp.reduce(into + parts, axis=1)
    if not strict:
        small[-1, :-1] = np.logaddexp.reduce(out_of, axis=0)
    renumbered = {node: number for number, node in enumerate(outside)}
    larger = [
        {renumbered[node] for node in bracket if node in renumbered}
        | ({len(outside)} if bracket >= inner_first[0] else set())
        for bracket in inner_first[1:]
    ]
    total, inner = _contract(small, larger, strict, single_root)
    marginals = np.zeros_like(matrix)
    if total == -np.inf:
        return total, marginals
    with np.errstate(divide="ignore", invalid="ignore"):
        chosen = np.where(inner[:-1, -1] > 0, np.log(inner[:-1, -1]) - small[:-1, -1], -np.inf)
        left = np.where(inner[-1, :-1] > 0, np.log(inner[-1, :-1]) - small[-1, :-1], -np.inf)
    marginals[np.ix_(outside, outside)] = inner[:-1, :-1]
    marginals[np.ix_(outside, inside)] = np.exp(chosen[:, None] + into + parts)
    marginals[np.ix_(inside, outside)] = np.exp(left + out_of)
    rooted = np.full((len(inside) + 1,) * 2, -np.inf)
    rooted[1:, 1:] = matrix[np.ix_(inside, inside)]
    rooted[0, 1:] = np.logaddexp.reduce(chosen[:, None] + into, axis=0)
    marginals[np.ix_(inside, inside)] = matrix_tree(rooted, True)[1][1:, 1:]
    return total, marginals


def _rooted_sums(scores):
    """Log of the sum over trees of some words rooted at each of them, (k,); -inf if there is none."""
    k = len(scores)
    rooted = np.full((k + 1, k + 1), -np.inf)
    rooted[1:, 1:], rooted[0, 1:] = scores, 0.0
    if k == 1:
        return np.zeros(1)
    packed = PackedScores.from_matrices([rooted] * k)
    for r in range(k):
        packed[r][0, [word for word in range(1, k + 1) if word != r + 1]] = -np.inf
    return matrix_tree(packed, True, errors="mark")[0]
