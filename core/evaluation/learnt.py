"""Sentences that are not scored because a parser has learnt from their trees, or a tagger from their tags.

A sentence counts as learnt from where its very words stood among those learnt from, with a head, in whatever file.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from core.offsets import any_of_each
from core.treebank import Treebank


def learnt_sentences(
    text: Treebank, *taught: Treebank, teaches: Callable[[Treebank], np.ndarray] | None = None
) -> np.ndarray:
    """bool (S,): the sentences of a text whose words are those of one that teaches in the treebanks ``taught``.

    ``teaches`` says which do, bool (S,); by default those with a known head.
    """
    chosen = teaches or has_heads
    words = {tuple(sentence.forms) for bank in taught for sentence in bank.select(chosen(bank))}
    if not words:
        return np.zeros(len(text), bool)
    return np.fromiter((tuple(sentence.forms) in words for sentence in text), bool, len(text))


def has_heads(treebank: Treebank) -> np.ndarray:
    """bool (S,): the sentences of which some word has a known head."""
    return any_of_each(treebank.heads >= 0, treebank.offsets)


def having_tags(column: str) -> Callable[[Treebank], np.ndarray]:
    """The function of a treebank that says which sentences have a tag in a column on some word, bool (S,)."""
    return partial(_has_tags, column)


def _has_tags(column, treebank):
    return any_of_each(getattr(treebank, column).ids > 0, treebank.offsets)


def without_trees_of(text: Treebank, sentences: np.ndarray) -> Treebank:
    """The text with unknown heads in some sentences, bool (S,): words without a head are not scored."""
    if not sentences.any():
        return text
    return text.with_heads(np.where(np.repeat(sentences, text.lengths + 1), -1, text.heads), text.deprel)
