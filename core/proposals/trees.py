"""The tree with one root that keeps the most proposed heads.

A maximum spanning arborescence in whole numbers, so that ties are exact. Among trees that keep equally many heads,
suggested heads decide, then those of a tree at hand, such as a parser's, then how short the other arcs are.
"""

from collections.abc import Sequence

import numpy as np

from core.trees import maximum_spanning_tree

Heads = Sequence[int] | np.ndarray


def fewest_changes(proposed: Heads, suggested: Heads | None = None, at_hand: Heads | None = None) -> np.ndarray:
    """The tree that changes the fewest proposed heads.

    Parameters
    ----------
    proposed : int sequence of length n + 1
        ``proposed[m]`` is the head of word m, 0 for a root; -1 where none was proposed, or none that can be. Entry 0 is
        not read. There may be several roots or none, and cycles.
    suggested, at_hand : int sequences of length n + 1, optional
        Heads that count among trees which keep equally many, the second after the first; -1 where unknown.

    Returns
    -------
    ndarray of shape (n + 1,), dtype int32
        A tree with exactly one root word; entry 0 is -1.

    Notes
    -----
    O(n^2), Chu-Liu-Edmonds on weights below 2^53 for n up to a thousand words, which float64 adds up without rounding.
    """
    side, places = len(proposed), np.arange(len(proposed))
    distances = np.abs(places[:, None] - places[None, :])
    distances[0] = side  # a root is no neighbour
    scores = (side - distances).astype(np.float64)
    unit = float(side * side)  # more than all words' nearness together
    for heads in (at_hand, suggested, proposed):
        if heads is not None:
            chosen = np.asarray(heads, dtype=np.int64)
            words = np.flatnonzero((chosen >= 0) & (chosen < side) & (chosen != places) & (places > 0))
            scores[chosen[words], words] += unit
        unit *= side
    np.fill_diagonal(scores, -np.inf)
    return np.asarray(maximum_spanning_tree(scores, single_root=True), np.int32)
