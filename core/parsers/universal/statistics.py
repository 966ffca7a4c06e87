"""Statistics of a text's tags that say much of its word order: the order of neighbours, and how common tags are.

That such counts tell much of a language's trees is shown by Wang & Eisner (2017, Q17-1011; 2018, Q18-1046).
"""

import numpy as np

from core.compilation.kernels import kernel
from core.parsers.universal.text import TAGS, TaggedWords

CAUTION = 3  # added to the counts of a pair: few of them say little
PAIRS = np.triu_indices(len(TAGS), 1)
COUNT = len(PAIRS[0]) + len(TAGS)


def surface_statistics(words: TaggedWords) -> np.ndarray:
    """float32 (N,): 153 numbers of a text.

    For every two tags a, b how much oftener a stands right before b than after it, from -1 to 1:
    (c(ab) - c(ba)) / (c(ab) + c(ba) + 3); then the square roots of the tags' shares. O(rows).
    """
    pairs, shares = np.zeros((len(TAGS), len(TAGS))), np.zeros(len(TAGS))
    _count(words.tags, words.offsets, pairs, shares)
    before, after = pairs[PAIRS], pairs.T[PAIRS]
    sides = (before - after) / (before + after + CAUTION)
    return np.concatenate([sides, np.sqrt(shares / max(shares.sum(), 1))]).astype(np.float32)


@kernel
def _count(tags, offsets, pairs, shares):
    """Add up neighbours, and words, by their tags."""
    for i in range(len(offsets) - 1):
        for row in range(offsets[i] + 1, offsets[i + 1]):
            shares[tags[row]] += 1
            if row + 1 < offsets[i + 1]:
                pairs[tags[row], tags[row + 1]] += 1
