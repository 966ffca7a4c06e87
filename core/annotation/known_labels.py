"""What words of a treebank have as tag, lemma, features, gloss and transliteration, to be offered for other words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.annotation.edits import ENTRIES
from core.annotation.label_inventories import value_of
from core.treebank import Treebank
from core.treebank.source import Column

NAMES = {"xpos": "xpos", "lemmas": "lemma", "feats": "feats"}  # columns by the names that annotations give them
ENDING = 5  # letters at the end of a word by which the lemma of one that nobody has seen is formed


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """The labels of a treebank by word and tag, the most frequent first.

    Attributes
    ----------
    features : dict of str to tuple of str
        Tag -> ``Name=Value``: the most frequent names first, of each the most frequent values first.
    """

    features: Mapping[str, tuple[str, ...]]
    _tags: tuple[str, ...]
    _forms: Mapping[str, int]
    _values: Mapping[str, "_Values"]

    @classmethod
    def of(cls, treebank: Treebank) -> "KnownLabels":
        """Those of a Treebank; words are told apart without case. O(rows log rows)."""
        forms: dict[str, int] = {}
        folded = [forms.setdefault(form.lower(), len(forms)) for form in treebank.form.values]
        words = np.flatnonzero(treebank.is_word)
        keys = np.array(folded, np.int64)[treebank.form.ids[words]] * len(treebank.upos.values)
        keys += treebank.upos.ids[words]
        columns = {column: getattr(treebank, name) for column, name in NAMES.items()}
        columns |= {column: _entry(treebank.misc, name) for column, name in ENTRIES.items()}
        values = {column: _Values.of(keys, each.take(words)) for column, each in columns.items()}
        return cls(_features(treebank), treebank.upos.values, forms, values)

    def of_word(self, column: str, form: str, tag: str) -> list[str]:
        """The values of a column that a word has: those that it has under this tag come first.

        ``column`` is "xpos", "lemmas", "feats", "gloss" or "translit". O(values).
        """
        number = self._forms.get(form.lower())
        if number is None:
            return []
        tagged: Counter[str] = Counter()
        others: Counter[str] = Counter()
        for key, value, count in self._values[column].between(number * len(self._tags), (number + 1) * len(self._tags)):
            (tagged if self._tags[key % len(self._tags)] == tag else others)[value] += count
        return list(dict.fromkeys(value for counts in (tagged, others) for value, _ in counts.most_common()))

    def lemmas_by_ending(self, form: str, tag: str) -> list[str]:
        """Lemmas for a word that the treebank lacks, as words of this tag form theirs that end like it.

        The longest ending of at most ENDING letters decides.
        """
        form = form.lower()
        for length in range(min(ENDING, len(form)), 0, -1):
            if rules := self._endings.get((tag, form[-length:])):
                return [form[: len(form) - cut] + added for (cut, added), _ in rules.most_common()]
        return []

    @cached_property
    def _endings(self):
        """dict of (tag, ending) to Counter of (letters cut at the end, letters added), a word counted once."""
        rules: dict[tuple[str, str], Counter[tuple[int, str]]] = {}
        forms = list(self._forms)
        for key, lemma, _ in self._values["lemmas"].between(0, len(forms) * len(self._tags)):
            form, tag = forms[key // len(self._tags)], self._tags[key % len(self._tags)]
            same = _shared_start(form, lemma)
            rule = len(form) - same, lemma[same:]
            for length in range(max(rule[0], 1), min(ENDING, len(form)) + 1):
                rules.setdefault((tag, form[-length:]), Counter())[rule] += 1
        return rules


@dataclass(frozen=True, eq=False)
class _Values:
    """Values of a column by words under tags, sorted: ``keys`` are int64, of each word and tag one or more."""

    keys: np.ndarray
    ids: np.ndarray
    counts: np.ndarray
    names: tuple[str, ...]

    @classmethod
    def of(cls, keys, column):
        filled = column.ids > 0
        pairs, counts = np.unique(keys[filled] * len(column.values) + column.ids[filled], return_counts=True)
        return cls(*np.divmod(pairs, len(column.values)), counts, column.values)

    def between(self, first, end):
        """(key, value, count) of the keys from ``first`` up to ``end``."""
        some = slice(*np.searchsorted(self.keys, [first, end]))
        ids, counts = self.ids[some].tolist(), self.counts[some].tolist()
        return zip(self.keys[some].tolist(), map(self.names.__getitem__, ids), counts, strict=True)


def _entry(misc, name):
    """The Column of the values of an entry of MISC."""
    values = Column.intern(value_of(text, name) for text in misc.values)
    return Column(values.ids[misc.ids], values.values)


def _features(treebank):
    tags, feats = treebank.upos, treebank.feats
    keys = tags.ids.astype(np.int64) * len(feats.values) + feats.ids
    kinds, counts = np.unique(keys[(tags.ids > 0) & (feats.ids > 0)], return_counts=True)
    by_tag: dict[str, Counter[str]] = {}
    for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        tag, text = divmod(kind, len(feats.values))
        pairs = by_tag.setdefault(tags.values[tag], Counter())
        for pair in feats.values[text].split("|"):
            pairs[pair] += count
    return {tag: tuple(_grouped(pairs)) for tag, pairs in by_tag.items()}


def _grouped(pairs):
    """Pairs by how often their name occurs, then by how often they do."""
    names: Counter[str] = Counter()
    for pair, count in pairs.items():
        names[pair.partition("=")[0]] += count

    def rank(pair):
        name = pair.partition("=")[0]
        return -names[name], name, -pairs[pair], pair

    return sorted(pairs, key=rank)


def _shared_start(one, other):
    """How many letters two words begin with alike."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
