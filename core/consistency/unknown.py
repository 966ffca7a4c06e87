"""Words that training did not see, in groups: one with and without a final s share a consensus (rush2012 section 7)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.parsers import Tagger
from core.parsers.tagger.features import TextFeatures
from core.treebank import Treebank

SUFFIX = "s"


@dataclass(frozen=True, eq=False)
class UnknownWords:
    """Occurrences of unknown words in several texts, the test text first, whose rows follow each other.

    Attributes
    ----------
    names : tuple of str
        The forms of each group, joined by "/"; groups have two occurrences or more, one of them in the test text.
    rows : ndarray of shape (V,), dtype int64
    group : ndarray of shape (V,), dtype int64
    """

    names: tuple
    rows: np.ndarray
    group: np.ndarray

    @classmethod
    def of(cls, tagger: Tagger, texts: Sequence[Treebank]) -> "UnknownWords":
        """The unknown words of texts, for a trained tagger."""
        rows, forms, first = [], [], 0
        for text in texts:
            unknown = np.flatnonzero(unknown_words(tagger, text))
            rows += (unknown + first).tolist()
            forms += [text.form[row] for row in unknown]
            first += len(text.heads)
        known = set(forms)
        keys = [group_key(form, known) for form in forms]
        counts, tested = {}, set()
        for row, key in zip(rows, keys, strict=True):
            counts[key] = counts.get(key, 0) + 1
            if row < len(texts[0].heads):
                tested.add(key)
        numbers = {key: n for n, key in enumerate(sorted(k for k in tested if counts[k] > 1))}
        members = {key: set() for key in numbers}
        for form, key in zip(forms, keys, strict=True):
            if key in members:
                members[key].add(form)
        chosen = [n for n, key in enumerate(keys) if key in numbers]
        return cls(
            tuple("/".join(sorted(members[key])) for key in numbers),
            np.array([rows[n] for n in chosen], dtype=np.int64),
            np.array([numbers[keys[n]] for n in chosen], dtype=np.int64),
        )

    def groups_of(self, test: Treebank) -> np.ndarray:
        """int64 (rows,): the group of each row of the test text; -1 for none."""
        groups = np.full(len(test.heads), -1, dtype=np.int64)
        tested = self.rows < len(groups)
        groups[self.rows[tested]] = self.group[tested]
        return groups


def unknown_words(tagger: Tagger, text: Treebank) -> np.ndarray:
    """bool (rows,): words whose form the tagger's training did not see."""
    return ~tagger.trained().known(TextFeatures(text)) & text.is_word


def group_key(form: str, forms: Collection[str]) -> str:
    """The key of a form and its relatives: the form without a final s if that is among ``forms`` too."""
    stem = form[: -len(SUFFIX)]
    return stem if form.endswith(SUFFIX) and stem in forms else form


def import_sentences(tagger: Tagger, test: Treebank, extra: Treebank, count: int) -> Treebank:
    """The first ``count`` sentences of ``extra`` with each unknown word of the test text, or with its relative.

    Relatives, the word with or without a final s, are looked for only if unknown too. Returns a Treebank.
    """
    wanted = {test.form[row] for row in np.flatnonzero(unknown_words(tagger, test))}
    wanted |= {form + SUFFIX for form in wanted} | {form[:-1] for form in wanted if form.endswith(SUFFIX)}
    worth = np.array([value in wanted for value in extra.form.values])
    rows = np.flatnonzero(worth[extra.form.ids] & unknown_words(tagger, extra))
    sentences = np.searchsorted(extra.offsets, rows, side="right") - 1
    pairs = np.unique(np.stack([extra.form.ids[rows].astype(np.int64), sentences]), axis=1)
    begins = np.searchsorted(pairs[0], pairs[0])
    early = np.arange(pairs.shape[1]) - begins < count
    return extra.select(np.unique(pairs[1][early]))
