"""A text as parsers of other languages read it: universal parts of speech, without punctuation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.errors import WorkbenchError
from core.offsets import selected_rows
from core.parsers.universal.morphology import feature_rows
from core.treebank import Treebank
from core.treebank.relations import base
from core.treebank.tag_sets import UNIVERSAL, parts_of_speech
from core.treebank.tag_shares import read_tag_shares

TAGS = tuple(UNIVERSAL.split())
ROOT = len(TAGS)  # the number of the root's own tag
MOST_STRANGE = 0.1  # the share of words that may have a tag that stands for nothing
NAMED = 5  # tags in a message


@dataclass(frozen=True, eq=False)
class TaggedWords:
    """The words of a text by numbers, a root before each sentence.

    Attributes
    ----------
    tags : ndarray of shape (rows,), dtype int64
        Places in TAGS; ROOT on root rows.
    offsets : ndarray of shape (S + 1,), dtype int64
    heads : ndarray of shape (rows,), dtype int64
    relations : ndarray of shape (rows,), dtype int64
        Places in a list of relations that the maker chose; 0 on root rows.
    forms : ndarray of shape (rows,), dtype int64
        The same number for the same word.
    features : ndarray of shape (rows, F), dtype bool
        As ``morphology.feature_rows`` reads them; nowhere True in a text without any.
    shares : ndarray of shape (rows, T + 1), dtype float32, or None
        The probability of each of TAGS, and of ROOT. Only of a text that says how probable its tags are. In a text to
        learn from, whose tags are known: what a list of words makes of them (``dictionary.lists.doubted``).
    """

    tags: np.ndarray
    offsets: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    forms: np.ndarray
    features: np.ndarray
    shares: np.ndarray | None = None

    def __len__(self):
        return len(self.offsets) - 1

    @classmethod
    def of(cls, words: Treebank, relations: Sequence[str] = (), tags: str | None = None) -> Self:
        """The words of a treebank without punctuation.

        Relations lose their subtypes; those that are not in ``relations`` have number -1.

        Raises WorkbenchError where no word has a tag, and for tags that stand for no part of speech.
        """
        known = {name: number for number, name in enumerate(relations)}
        names = [known.get(base(name), -1) for name in words.deprel.values]
        numbers = np.array(names or [-1], np.int64)[words.deprel.ids]
        numbers[words.offsets[:-1]] = 0
        heads = words.heads.astype(np.int64)
        forms = words.form.ids.astype(np.int64)
        parts = part_numbers(words, tags)
        return cls(parts, words.offsets, heads, numbers, forms, feature_rows(words), _shares(words, parts))

    def probable_tags(self, rows: slice = slice(None)) -> np.ndarray:
        """float32 (some, T + 1): ``shares`` of some rows, or 1 for each word's own tag."""
        return np.eye(len(TAGS) + 1, dtype=np.float32)[self.tags[rows]] if self.shares is None else self.shares[rows]

    def surer(self, power: float) -> Self:
        """The text with ``shares`` to a power, which add up to 1 for each word; as it is where it has none."""
        if self.shares is None:
            return self
        shares = self.shares**power
        return replace(self, shares=shares / shares.sum(axis=1, keepdims=True))

    def select(self, sentences: np.ndarray) -> Self:
        """Some sentences, in this order."""
        rows, offsets = selected_rows(self.offsets, sentences)
        columns = {name: values for name, values in vars(self).items() if name != "offsets" and values is not None}
        return replace(self, **{name: values[rows] for name, values in columns.items()}, offsets=offsets)


def _shares(words, parts):
    """The probabilities of doubtful tags that a text states; 1 for a tag that was corrected to another than the
    likeliest."""
    stated = read_tag_shares(words, TAGS)
    if stated is None:
        return None
    shares = np.eye(len(TAGS) + 1, dtype=np.float32)[parts]
    doubtful = np.flatnonzero(stated.any(axis=1) & (stated.argmax(axis=1) == parts))
    shares[doubtful, : len(TAGS)] = stated[doubtful]
    return shares


def can_be_read(words: Treebank) -> bool:
    """Whether a text has tags, nearly all of which stand for parts of speech."""
    try:
        part_numbers(words)
    except WorkbenchError:
        return False
    return True


def part_numbers(words: Treebank, tags: str | None = None) -> np.ndarray:
    """int64 (rows,): places in TAGS of the words' parts of speech, ROOT on root rows.

    Parameters
    ----------
    words : Treebank
    tags : None, "xpos" or "upos"
        The tag column; None takes UPOS where it is filled. Tags of other known tag sets stand for what they mainly are;
        a word without a tag is an X.

    Raises
    ------
    WorkbenchError : no word has a tag, or one word in ten has a tag that stands for no part of speech.
    """
    column = words.tag_column(tags or words.coarse_name)
    numbers, strange = [], {}
    for number, value in enumerate(column.values):
        parts = parts_of_speech(value)
        numbers.append(TAGS.index(parts[0] if parts else "X"))
        if value and not parts:
            strange[number] = value
    counts = Counter(column.ids[np.isin(column.ids, list(strange))].tolist())
    if counts.total() > MOST_STRANGE * words.token_count:
        named = ", ".join(strange[number] for number, _ in counts.most_common(NAMED))
        raise WorkbenchError(
            f"{counts.total():,} of {words.token_count:,} words have tags of no tag set that is known here: {named}; "
            "parts of speech as in Universal Dependencies are needed: convert the tags, or tag the text again"
        )
    parts_of_words = np.array(numbers, np.int64)[column.ids]
    parts_of_words[words.offsets[:-1]] = ROOT
    return parts_of_words
