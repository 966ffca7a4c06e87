"""What there is to know of a text before any of its word pairs is drawn."""

from collections import Counter
from dataclasses import dataclass

from core.features.edges import pair_counts
from core.treebank import Treebank


@dataclass(frozen=True)
class WordCounts:
    """The number of words with each form and tag, and of ordered pairs of two words of a sentence.

    Counts of parts of a text add up.
    """

    form: Counter[str]
    upos: Counter[str]
    xpos: Counter[str]
    words: int
    pairs: int

    @classmethod
    def of(cls, text: Treebank) -> "WordCounts":
        """The counts of a text. O(words)."""
        pairs = int(pair_counts(text).sum())
        return cls(text.form.counts(), text.upos.counts(), text.xpos.counts(), text.token_count, pairs)

    def __add__(self, other: "WordCounts") -> "WordCounts":
        return WordCounts(
            self.form + other.form, self.upos + other.upos, self.xpos + other.xpos, self.words + other.words,
            self.pairs + other.pairs,
        )  # fmt: skip
