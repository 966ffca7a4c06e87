"""The best tree that respects brackets, by any decoder: a best-first search over the masks of broken brackets.

The trees that satisfy a bracket at a level are a disjoint union over masks of forbidden arcs: one for each possible
head of the bracket or, for tear, each side (``bracket_contraction.forbid_arcs``). The decoder's best tree is asked
first. Where it breaks a bracket, the trees are divided by that bracket's masks and each part is decoded; the part
with the highest value is looked at next. A part's value bounds all its trees, so the first tree without a broken
bracket is the best of all.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np

from core.errors import InfeasibleError, WorkbenchError
from core.trees.bracket_contraction import checked_spans, forbid_arcs, span_keys
from core.trees.brackets import LEVELS, Bracket, satisfies

DECODINGS = 2_000  # decodings of one sentence at most


def best_bracketed(
    decode: Callable[[np.ndarray], tuple[float, np.ndarray]], scores: np.ndarray, brackets: list[Bracket], level: str,
    *, most: int = DECODINGS,
) -> np.ndarray:  # fmt: skip
    """Heads of the tree of the highest value among those that satisfy all brackets.

    Parameters
    ----------
    decode : callable
        Takes arc scores, (n + 1, n + 1) float64, some arcs of which are -inf. Returns (value, heads) of a best tree
        without these arcs; (-inf, anything) if there is none. It must not change them.
    scores : ndarray of shape (n + 1, n + 1), dtype float64
        What ``decode`` is given with more and more arcs forbidden. Not modified.
    brackets : list of Bracket
    level : {"none", "tear", "sprawl", "loose", "strict"}
    most : int
        Decodings after which the search gives up.

    Returns
    -------
    ndarray of shape (n + 1,), dtype int32

    Raises
    ------
    ScoreShapeError : as ``matrix_tree``.
    InfeasibleError : no tree that the decoder knows satisfies the brackets.
    WorkbenchError : an unknown level, a bracket that ends after the sentence, more than ``most`` decodings.

    Notes
    -----
    As many decodings as the longest broken bracket has words, for each broken bracket, where the search never has to
    turn back. One where nothing is broken. Equal values: the part that was made first.
    """
    matrix, spans, number = checked_spans(scores, brackets, level)
    value, heads = decode(matrix)
    queue, made = [(-value, 0, heads, matrix)] if value > -np.inf else [], 1
    while queue:
        _, _, heads, allowed = heappop(queue)
        broken = next((span for span in spans if not satisfies(heads, Bracket(*span), LEVELS[number])), None)
        if broken is None:
            return np.asarray(heads, dtype=np.int32)
        for key in span_keys(broken, number):
            part = allowed.copy()
            forbid_arcs(part, broken, key, number)
            value, heads = decode(part)
            made += 1
            if value > -np.inf:
                heappush(queue, (-value, made, heads, part))
        if made > most:
            raise WorkbenchError(f"the brackets take more than {most:,} decodings at level {level}; take a softer one")
    raise InfeasibleError(
        f"no tree satisfies the sentence's brackets at level {level}; take a softer level or fewer brackets"
    )
