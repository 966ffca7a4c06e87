"""How alike two texts are in the order of their tags: a hint at what a treebank teaches where nothing can be scored."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from core.treebank import Treebank

NEAR = 0.65  # nats a tag; trees of texts so near taught about as much in an hour as correcting sentences, or more
ENOUGH = 1_000  # words of each text, for less would say too little
MOST = 3_000  # words of the treebank: of all texts alike, as a model of more foresees more
BEGIN, END = "<", ">"  # no tags


def cross_entropy_difference(text: Treebank, other: Treebank) -> float | None:
    """How much worse the order of tags in another text predicts a text's tags than its own order does.

    Parameters
    ----------
    text, other : Treebank
        The text that is to be parsed, and what is to be learnt from: the first ``ENOUGH`` and ``MOST`` words of them.

    Returns
    -------
    float or None
        Nats a tag; the end of a sentence counts as one. None where one of the texts has fewer words than ``ENOUGH``, or
        no universal tags.

    Notes
    -----
    Cross-entropies are of trigram models with Witten-Bell smoothing, the text's own by halves. Unlike divergences of
    counted trigrams they hardly depend on the texts' lengths. O(words). Sources: Sogaard (2011), P11-2120, who chooses
    what to learn from by it; Moore & Lewis (2010), P10-2041, for the difference.
    """
    if not (text.upos.filled and other.upos.filled):
        return None
    ours, theirs = _sentences(text, ENOUGH), _sentences(other, MOST)
    if min(_count(ours), _count(theirs)) < ENOUGH:
        return None
    halves = ours[::2], ours[1::2]
    tags = {tag for sentence in (*ours, *theirs) for tag in sentence} - {BEGIN}
    crossed = sum(TagModel(one, len(tags)).surprise(two) for one, two in (halves, halves[::-1]))
    ends = _count(ours) + len(ours)
    return (TagModel(theirs, len(tags)).surprise(ours) - crossed) / ends


class TagModel:
    """Trigrams of tags, smoothed towards shorter ones by how many different tags follow (Witten & Bell 1991).

    Parameters
    ----------
    sentences : sequence of lists of str
        Between two ``BEGIN`` and an ``END``.
    tags : int
        How many there may be, ``END`` among them: where nothing was seen all are alike.
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
        seen = self.followers.get(context)
        if not seen:
            return lower
        return (seen[tag] + len(seen) * lower) / (seen.total() + len(seen))

    def surprise(self, sentences: Sequence[list[str]]) -> float:
        """Nats of all tags and ends of sentences together."""
        return -sum(
            log(self.probability(sentence[position], tuple(sentence[position - 2 : position])))
            for sentence in sentences
            for position in range(2, len(sentence))
        )


def _sentences(treebank, words):
    """The tags of the first sentences, until they have so many words, each between two beginnings and an end."""
    count = min(int(np.searchsorted(np.cumsum(treebank.lengths), words)) + 1, len(treebank))
    values, ids, offsets = treebank.upos.values, treebank.upos.ids, treebank.offsets.tolist()
    return [
        [BEGIN, BEGIN, *(values[tag] for tag in ids[offsets[k] + 1 : offsets[k + 1]].tolist()), END]
        for k in range(count)
    ]


def _count(sentences):
    return sum(len(sentence) - 3 for sentence in sentences)
