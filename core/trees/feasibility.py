"""Whether any tree avoids the forbidden arcs: a question about the graph, not about numbers.

An arc h -> m is allowed when ``scores[h, m] > -inf``; the diagonal and column 0 are ignored.
"""

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.errors import InfeasibleError, at_sentence


def tree_exists(scores: np.ndarray, single_root: bool = True, projective: bool = False) -> bool:
    """Whether some tree uses allowed arcs only.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64
    single_root : bool
        Ask for exactly one word attached to the root.
    projective : bool
        Ask for a tree without crossing arcs.

    Notes
    -----
    O(n^2) for any tree, O(n^3) for a projective one. With several roots every word must be reachable from the root.
    With one root, some word that may attach to the root must reach all others without passing the root again.
    """
    if projective:
        return _projective(scores, single_root)
    return _single_root(scores) if single_root else _unreachable(scores) == 0


def require_tree(
    scores: np.ndarray, single_root: bool = True, projective: bool = False, sentence: int | None = None
) -> None:
    """Raise InfeasibleError that says what is in the way unless ``tree_exists``; ``sentence`` is named if given."""
    if not tree_exists(scores, single_root, projective):
        reason = _reason(scores, single_root)
        raise InfeasibleError(f"{at_sentence(sentence)}no tree is possible: {reason}", sentence=sentence)


def _reason(scores, single_root):
    """One clause on why no tree exists, with a remedy."""
    allowed = np.asarray(scores) > -np.inf
    np.fill_diagonal(allowed, False)
    headless = np.flatnonzero(~allowed[:, 1:].any(axis=0)) + 1
    if len(headless):
        return f"every head of word {headless[0]} is forbidden; allow one"
    if not allowed[0, 1:].any():
        return "every arc from the root is forbidden; allow one"
    unreachable = _unreachable(scores)
    if unreachable:
        return f"no path of allowed arcs leads from the root to word {unreachable}; allow an arc on the way"
    if single_root and not _single_root(scores):
        return "it would need several words on the root; allow arcs between words, or several roots"
    return "every one has crossing arcs; allow more arcs, or use a parser that permits crossing"


@kernel
def _unreachable(scores):
    """The first word that no path from the root reaches, or 0."""
    side = len(scores)
    reached = np.zeros(side, np.bool_)
    _reach_from(scores, 0, reached, np.empty(side, np.int64))
    for word in range(1, side):
        if not reached[word]:
            return word
    return 0


@kernel
def _single_root(scores):
    """Whether a word that may attach to the root reaches all words through words."""
    side = len(scores)
    reached, queue = np.zeros(side, np.bool_), np.empty(side, np.int64)
    source = 1
    for word in range(1, side):  # if any word reaches all others, the last start of this sweep does
        if not reached[word]:
            source = word
            _reach_from(scores, word, reached, queue)
    reached[:] = False
    _reach_from(scores, source, reached, queue)
    for word in range(1, side):
        if not reached[word]:
            return False
    reached[:] = False  # the words that reach the source reach all words too: one of them must be a root
    _reach_from(scores.T, source, reached, queue)
    for word in range(1, side):
        if reached[word] and scores[0, word] > -np.inf:
            return True
    return False


@inner_kernel
def _reach_from(scores, start, reached, queue):
    """Mark in ``reached`` the words that paths of allowed arcs lead to from the node ``start``, and it.

    Compiled twice: for scores, and for scores with rows and columns exchanged.
    """
    reached[start] = True
    queue[0], filled, at = start, 1, 0
    while at < filled:
        head = queue[at]
        at += 1
        for modifier in range(1, len(scores)):
            if not reached[modifier] and scores[head, modifier] > -np.inf:
                reached[modifier] = True
                queue[filled] = modifier
                filled += 1


@kernel
def _projective(scores, single_root):
    """Eisner's chart over booleans. Spans include both ends; the name says which end is the head."""
    side = len(scores)
    first = 1 if single_root else 0
    left_complete = np.zeros((side, side), np.bool_)  # [start, end], headed by the start
    right_complete = np.zeros((side, side), np.bool_)
    left_incomplete = np.zeros((side, side), np.bool_)  # with the arc start -> end
    right_incomplete = np.zeros((side, side), np.bool_)
    for word in range(first, side):
        left_complete[word, word] = right_complete[word, word] = True
    for width in range(1, side - first):
        for start in range(first, side - width):
            end = start + width
            joined = False
            for split in range(start, end):
                joined |= left_complete[start, split] and right_complete[split + 1, end]
            left_incomplete[start, end] = joined and scores[start, end] > -np.inf
            right_incomplete[start, end] = joined and start > 0 and scores[end, start] > -np.inf
            for split in range(start, end):
                left_complete[start, end] |= left_incomplete[start, split + 1] and left_complete[split + 1, end]
                right_complete[start, end] |= right_complete[start, split] and right_incomplete[split, end]
    if not single_root:
        return left_complete[0, side - 1]
    for root in range(1, side):
        if scores[0, root] > -np.inf and right_complete[1, root] and left_complete[root, side - 1]:
            return True
    return False
