"""A random sample of sentences to correct, for estimating a parser's accuracy (``evaluation.estimates``)."""

import numpy as np

from core.annotation.edits import SentenceAnnotation
from core.errors import WorkbenchError


def draw_sample(count: int, size: int, seed: int) -> tuple[int, ...]:
    """Indices of ``size`` of ``count`` sentences, drawn uniformly with a seed: tuple of int."""
    if not 1 <= size <= count:
        raise WorkbenchError(f"cannot draw {size} of {count} sentences; draw 1 to {count}")
    return tuple(int(index) for index in np.random.default_rng(seed).choice(count, size, replace=False))


def right_words(gold: SentenceAnnotation, system: SentenceAnnotation, labels: bool = False) -> tuple[int, int]:
    """(right, scored) words of a system's annotation; words without a gold head are not scored."""
    scored = [word for word in range(1, len(gold) + 1) if gold.heads[word] >= 0]
    right = [
        word
        for word in scored
        if gold.heads[word] == system.heads[word] and (not labels or gold.deprels[word] == system.deprels[word])
    ]
    return len(right), len(scored)
