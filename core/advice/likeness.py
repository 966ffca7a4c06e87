"""How alike two texts are in the order of their tags: a hint at what a treebank teaches where nothing can be scored."""

import numpy as np

from core.treebank import Treebank

NEAR = 0.9  # nats up to which trees of one language taught another more in an hour than twenty corrected sentences


def tag_divergence(text: Treebank, other: Treebank) -> float | None:
    """KLcpos3: how far the trigrams of universal tags in a text are from those in another, in nats.

    Parameters
    ----------
    text, other : Treebank
        The text that is to be parsed, and what is to be learnt from.

    Returns
    -------
    float or None
        None where one of them has no universal tags.

    Notes
    -----
    Kullback-Leibler divergence of the text's trigrams from the other's, in which every trigram of the text is taken to
    occur once at least; sentences begin and end with a tag of their own. O(words log words).
    Source: Rosa & Zabokrtsky (2015), ACL.
    """
    if not (text.upos.filled and other.upos.filled):
        return None
    values = dict.fromkeys((*text.upos.values, *other.upos.values))
    tags = {value: number for number, value in enumerate(values, start=1)}
    (keys, counts), (their_keys, their_counts) = (_trigrams(each, tags) for each in (text, other))
    place = np.minimum(np.searchsorted(their_keys, keys), len(their_keys) - 1)
    seen = np.where(their_keys[place] == keys, their_counts[place], 1)
    shares = counts / counts.sum()
    return float(shares @ np.log(shares * their_counts.sum() / seen))


def _trigrams(treebank, tags):
    """(the numbers of the trigrams of a text, in order; how often each occurs)."""
    numbers = np.array([tags[value] for value in treebank.upos.values])[treebank.upos.ids]
    numbers[treebank.offsets[:-1]] = 0  # where a sentence begins the one before it ends
    numbers = np.append(numbers, 0)
    words = np.delete(np.arange(len(numbers) - 1), treebank.offsets[:-1])
    before, here, after = (numbers[words + step] for step in (-1, 0, 1))
    return np.unique((before * (len(tags) + 1) + here) * (len(tags) + 1) + after, return_counts=True)
