"""Similarity of two texts by the order of their tags: a hint at the use of a treebank where nothing can be scored."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from core.treebank import Treebank

NEAR = 0.65  # nats a tag; trees of texts so similar brought at least as much in an hour as correcting sentences
ENOUGH = 1_000  # words needed of each text
MOST = 3_000  # words used of a treebank, since a model of more text predicts better
BEGIN, END = "<", ">"  # pseudo-tags


def cross_entropy_difference(text: Treebank, other: Treebank) -> float | None:
    """Cross-entropy of a text's tags under another text's tag order, minus that under its own.

    Parameters
    ----------
    text, other : Treebank
        The text to parse and the text to learn from; their first ``ENOUGH`` and ``MOST`` words are used.

    Returns
    -------
    float or None
        Nats a tag; the end of a sentence counts as a tag. None if a text has fewer words than ``ENOUGH``, or no
        universal tags.

    Notes
    -----
    Cross-entropies are of trigram models with Witten-Bell smoothing; for the text itself each half predicts the other.
    Unlike divergences of trigram counts they hardly depend on the texts' lengths. O(words). Sources: Sogaard (2011),
    P11-2120, who selects training data by it; Moore & Lewis (2010), P10-2041, for the difference.
    """
    if not (text.upos.filled and other.upos.filled):
        return None
    target, source = _sentences(text, ENOUGH), _sentences(other, MOST)
    if min(_count(target), _count(source)) < ENOUGH:
        return None
    halves = target[::2], target[1::2]
    tags = {tag for sentence in (*target, *source) for tag in sentence} - {BEGIN}
    under_itself = sum(TagModel(one, len(tags)).surprise(two) for one, two in (halves, halves[::-1]))
    count = _count(target) + len(target)
    return (TagModel(source, len(tags)).surprise(target) - under_itself) / count


class TagModel:
    """Trigrams of tags, smoothed towards shorter ones by how many different tags follow (Witten & Bell 1991).

    Parameters
    ----------
    sentences : sequence of lists of str
        Tags after two ``BEGIN`` and before an ``END``.
    tags : int
        The number of possible tags, with ``END``; unseen contexts give all the same probability.
    """

    def __init__(self, sentences: Sequence[list[str]], tags: int):
        self.tags, self.followers = tags, defaultdict(Counter)
        for sentence in sentences:
            for position in range(2, len(sentence)):
                for before in range(3):
                    self.followers[tuple(sentence[position - before : position])][sentence[position]] += 1

    def probability(self, tag: str, context: tuple[str, ...]) -> float:
        """The probability of a tag after up to two others."""
        lower = self.probability(tag, context[1:]) if context else 1 / self.tags
        counts = self.followers.get(context)
        if not counts:
            return lower
        return (counts[tag] + len(counts) * lower) / (counts.total() + len(counts))

    def surprise(self, sentences: Sequence[list[str]]) -> float:
        """Cross-entropy in nats, summed over all tags and ends of sentences."""
        return -sum(
            log(self.probability(sentence[position], tuple(sentence[position - 2 : position])))
            for sentence in sentences
            for position in range(2, len(sentence))
        )


def _sentences(treebank, words):
    """The tags of the first sentences, with at least ``words`` words if there are so many."""
    count = min(int(np.searchsorted(np.cumsum(treebank.lengths), words)) + 1, len(treebank))
    values, ids, offsets = treebank.upos.values, treebank.upos.ids, treebank.offsets.tolist()
    return [
        [BEGIN, BEGIN, *(values[tag] for tag in ids[offsets[k] + 1 : offsets[k + 1]].tolist()), END]
        for k in range(count)
    ]


def _count(sentences):
    return sum(len(sentence) - 3 for sentence in sentences)
