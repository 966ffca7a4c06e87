"""How many parsed sentences a parser is worth: supervised training on more and more of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.parsers import TreeCRF

SIZES = (10, 20, 40, 80, 160, 320, 640)
SPLITS = 5


def supervised_curve(column: Any, goal: float, *, quick: bool = False, seed: int = 0) -> list[tuple[int, float]]:
    """Mean accuracy of parsers trained on random sentences, at growing sizes, until one reaches ``goal``.

    Parameters
    ----------
    column
        With ``train`` and ``test`` (Treebank), ``tags``, ``score(parsed)`` and ``say(text)``.
    goal : float
        An accuracy in percent.
    quick : bool
        Two splits, at most 40 sentences.
    seed : int

    Returns
    -------
    list of (int, float)
        Sizes and accuracies. Each split adds sentences to those it had at the size before.
    """
    splits, sizes = (2, SIZES[:3]) if quick else (SPLITS, SIZES)
    orders = [np.random.default_rng([seed, split]).permutation(len(column.train)) for split in range(splits)]
    curve = []
    for size in sizes:
        if size > len(column.train):
            break
        scores = []
        for order in orders:
            model = TreeCRF("lexicalized", tags=column.tags).fit(column.train.select(order[:size]))
            scores.append(column.score(model.parse(column.test)))
        curve.append((size, float(np.mean(scores))))
        column.say(f"{column.name}: {size} parsed sentences give {curve[-1][1]:.1f}")
        if curve[-1][1] >= goal:
            break
    return curve


def matching_size(curve: Sequence[tuple[int, float]], score: float) -> str:
    """Between which sizes the curve reaches a score, as in Table 2: "20-40"; "<10" or ">640" beyond its ends."""
    sizes = [size for size, reached in curve if reached >= score]
    if not sizes:
        return f">{curve[-1][0]}"
    below = [size for size, _ in curve if size < sizes[0]]
    return f"{below[-1]}-{sizes[0]}" if below else f"<{sizes[0]}"
