"""The k best spanning trees, crossing arcs or not, by partition of the set of all trees.

Source: Lawler (1972) for the partition. The trees beside the best one fall into n sets, by the first word with another
head. The best tree of each set is a maximum spanning tree with some heads fixed and one arc forbidden. Camerini, Fratta
& Maffioli (1980) need fewer of them.
"""

import heapq

import numpy as np

from core.trees.maximum_spanning_tree import maximum_spanning_tree


def best_spanning_trees(scores: np.ndarray, k: int, single_root: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """The k best trees, best first.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64
        ``scores[h, m]`` scores the arc h -> m, in nats; -inf forbids it. Not modified.
    k : int
    single_root : bool, default=True

    Returns
    -------
    heads : ndarray of shape (K, n + 1), dtype int32
        K = k, or the number of trees where there are fewer.
    values : ndarray of shape (K,), dtype float64

    Notes
    -----
    O(k n) maximum spanning trees.
    """
    n = len(scores) - 1
    words, found, queue = np.arange(1, n + 1), [], []

    def add(allowed, fixed):
        """The best tree of a set: ``allowed`` are its scores, the heads of its first words fixed."""
        heads = maximum_spanning_tree(allowed, single_root, errors="mark")
        if n and heads[1] >= 0:
            value = float(scores[heads[1:], words].sum())
            if value > -np.inf:
                heapq.heappush(queue, (-value, tuple(heads.tolist()), fixed, allowed))

    add(np.array(scores, dtype=np.float64), 0)
    while queue and len(found) < k:
        value, heads, fixed, allowed = heapq.heappop(queue)
        found.append((heads, -value))
        for m in range(fixed + 1, n + 1):
            other = allowed.copy()
            other[heads[m], m] = -np.inf
            add(other, m - 1)
            kept, allowed = allowed, allowed.copy()  # in the sets after this one word m keeps its head
            allowed[:, m] = -np.inf
            allowed[heads[m], m] = kept[heads[m], m]
    return (
        np.array([heads for heads, _ in found], dtype=np.int32).reshape(-1, n + 1),
        np.array([value for _, value in found]),
    )
