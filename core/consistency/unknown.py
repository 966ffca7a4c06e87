"""Words that training did not see, in groups: one with and without a final s share a consensus (rush2012 section 7)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.parsers.tagger.features import KeyTable, hashes, known_words
from core.treebank import Treebank

SUFFIX = "s"
IMPORTS = 20  # sentences in which an unknown word is looked up
LEAST = 2  # occurrences of a group: one word alone has nothing to agree with


@dataclass(frozen=True, eq=False)
class UnknownWords:
    """Occurrences of unknown words in several texts, the test text first, whose rows follow each other.

    Attributes
    ----------
    texts : list of Treebank
        The test text, then the sentences that were imported, if there are any.
    names : tuple of str
        The forms of each group, joined by "/"; one of the occurrences of a group is in the test text.
    rows : ndarray of shape (V,), dtype int64
    group : ndarray of shape (V,), dtype int64
    """

    texts: list[Treebank]
    names: tuple
    rows: np.ndarray
    group: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[Treebank], unknown: Sequence[np.ndarray], least: int = LEAST) -> "UnknownWords":
        """The groups with ``least`` occurrences; ``unknown`` has a mask for each text, bool (rows,)."""
        rows, forms, first = [], [], 0
        for text, mask in zip(texts, unknown, strict=True):
            found = np.flatnonzero(mask)
            rows += (found + first).tolist()
            forms += [text.form[row] for row in found]
            first += len(text.heads)
        known = set(forms)
        keys = [group_key(form, known) for form in forms]
        counts, tested = {}, set()
        for row, key in zip(rows, keys, strict=True):
            counts[key] = counts.get(key, 0) + 1
            if row < len(texts[0].heads):
                tested.add(key)
        numbers = {key: n for n, key in enumerate(sorted(k for k in tested if counts[k] >= least))}
        members = {key: set() for key in numbers}
        for form, key in zip(forms, keys, strict=True):
            if key in members:
                members[key].add(form)
        chosen = [n for n, key in enumerate(keys) if key in numbers]
        return cls(
            list(texts),
            tuple("/".join(sorted(members[key])) for key in numbers),
            np.array([rows[n] for n in chosen], dtype=np.int64),
            np.array([numbers[keys[n]] for n in chosen], dtype=np.int64),
        )

    def __len__(self):
        return len(self.names)

    @property
    def imported(self) -> int:
        """How many sentences were imported."""
        return sum(len(text) for text in self.texts[1:])

    @property
    def sizes(self) -> np.ndarray:
        """int64 (G,): the occurrences of each group."""
        return np.bincount(self.group, minlength=len(self.names))

    def groups_of(self, test: Treebank) -> np.ndarray:
        """int64 (rows,): the group of each row of the test text; -1 for none."""
        groups = np.full(len(test.heads), -1, dtype=np.int64)
        tested = self.rows < len(groups)
        groups[self.rows[tested]] = self.group[tested]
        return groups

    def require_some(self) -> None:
        """Raise WorkbenchError where there is no group."""
        if not self.names:
            raise WorkbenchError(
                "no word that training did not see occurs twice, so there is nothing to agree on; give a longer text, "
                "or further text to look words up in"
            )


@dataclass(frozen=True, eq=False)
class UnknownIndex:
    """The unknown words of a test text and of a further text, found once, from which thresholds select groups.

    Attributes
    ----------
    test : Treebank
    extra : Treebank or None
        Text that needs no tags, from which sentences can be imported.
    in_test, in_extra : ndarray of shape (rows,), dtype bool
        Words whose form training did not see.
    """

    test: Treebank
    extra: Treebank | None
    in_test: np.ndarray
    in_extra: np.ndarray

    @classmethod
    def of(cls, known: KeyTable, test: Treebank, extra: Treebank | None = None) -> "UnknownIndex":
        """The index of two texts; ``known`` are the forms of training, such as a tagger's. O(words)."""
        in_extra = np.zeros(0, bool) if extra is None else unknown_words(known, extra)
        return cls(test, extra, unknown_words(known, test), in_extra)

    def select(self, imports: int = IMPORTS, least: int = LEAST) -> UnknownWords:
        """The groups of unknown words.

        Parameters
        ----------
        imports : int, default=20
            Sentences of the further text that are taken for each unknown word, and for its relative.
        least : int, default=2
            Occurrences that a group has at the least, those in imported sentences included.

        Raises
        ------
        WorkbenchError : numbers that cannot be.
        """
        if imports < 0:
            raise WorkbenchError(f"the number of sentences to import must be 0 or more, got {imports}")
        if least < LEAST:
            raise WorkbenchError(f"a group of unknown words has {LEAST} occurrences or more, got {least}")
        texts, masks = [self.test], [self.in_test]
        if self.extra is not None and imports and len(picks := self.imports(imports)):
            chosen = np.zeros(len(self.extra), bool)
            chosen[picks] = True
            texts.append(self.extra.select(picks))
            masks.append(self.in_extra[np.repeat(chosen, self.extra.lengths + 1)])
        return UnknownWords.of(texts, masks, least)

    def imports(self, count: int) -> np.ndarray:
        """int64: the first ``count`` sentences of the further text with each unknown word, or with its relative.

        Relatives, the word with or without a final s, are looked for only if unknown too.
        """
        extra = self.extra
        assert extra is not None
        wanted = {self.test.form[row] for row in np.flatnonzero(self.in_test)}
        wanted |= {form + SUFFIX for form in wanted} | {form[:-1] for form in wanted if form.endswith(SUFFIX)}
        worth = np.array([value in wanted for value in extra.form.values])
        rows = np.flatnonzero(worth[extra.form.ids] & self.in_extra)
        sentences = np.searchsorted(extra.offsets, rows, side="right") - 1
        pairs = np.unique(np.stack([extra.form.ids[rows].astype(np.int64), sentences]), axis=1)
        begins = np.searchsorted(pairs[0], pairs[0])
        early = np.arange(pairs.shape[1]) - begins < count
        return np.unique(pairs[1][early])


def seen_forms(train: Treebank) -> KeyTable:
    """The forms of a training text, as a tagger that learnt from all its sentences has them. O(words)."""
    return KeyTable(hashes(sorted({train.form.values[value] for value in np.unique(train.form.ids[train.is_word])})))


def unknown_words(known: KeyTable, text: Treebank) -> np.ndarray:
    """bool (rows,): words whose form is not among those of training."""
    return ~known_words(known, text) & text.is_word


def group_key(form: str, forms: Collection[str]) -> str:
    """The key of a form and its relatives: the form without a final s if that is among ``forms`` too."""
    stem = form[: -len(SUFFIX)]
    return stem if form.endswith(SUFFIX) and stem in forms else form
