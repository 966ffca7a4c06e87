"""The relations, tags and features that a treebank uses, and whether it follows Universal Dependencies."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.treebank import Treebank

# Universal Dependencies, version 2; the most frequent first, so that they get the best keys.
RELATIONS = (
    "punct", "case", "nsubj", "det", "advmod", "obj", "obl", "root", "nmod", "amod", "conj", "mark", "aux", "cc",
    "compound", "cop", "advcl", "xcomp", "ccomp", "acl", "nummod", "appos", "flat", "iobj", "parataxis", "expl",
    "fixed", "csubj", "discourse", "vocative", "dislocated", "list", "orphan", "goeswith", "reparandum", "clf", "dep",
)  # fmt: skip
UPOS = (
    "NOUN", "VERB", "ADP", "DET", "PRON", "ADJ", "PUNCT", "PROPN", "ADV", "AUX", "CCONJ", "PART", "NUM", "SCONJ",
    "INTJ", "SYM", "X",
)  # fmt: skip
ROOT_RELATION = "root"  # given with the head, so it needs no key
# The scheme is UD's if this share of the words with a relation, and with a tag, have a universal one: MOSTLY, or HALF
# where at most FEW other names occur, which then are taken for errors.
MOSTLY, HALF, FEW = 0.9, 0.5, 3


@dataclass(frozen=True)
class LabelInventories:
    """The values of a treebank with their numbers of words, the most frequent first.

    ``features`` counts ``Name=Value`` pairs. ``universal`` says whether relations and tags are those of UD; it is True
    if there are none yet.
    """

    relations: dict
    upos: dict
    features: dict
    universal: bool

    @classmethod
    def of(cls, treebank: Treebank) -> "LabelInventories":
        """The LabelInventories of a Treebank. O(rows)."""
        relations, upos = _counts(treebank.deprel), _counts(treebank.upos)
        features = {}
        for text, count in _counts(treebank.feats).items():
            for pair in text.split("|"):
                features[pair] = features.get(pair, 0) + count
        universal = _is_universal(relations, RELATIONS) and _is_universal(upos, UPOS)
        return cls(relations, upos, dict(sorted(features.items(), key=lambda item: -item[1])), universal)

    @property
    def relation_names(self) -> list[str]:
        """Relations to choose from: those of the treebank, then, in a universal scheme, UD's others."""
        return [*self.relations, *(name for name in RELATIONS if self.universal and name not in self.relations)]

    @property
    def upos_names(self) -> list[str]:
        """Tags to choose from, likewise."""
        return [*self.upos, *(name for name in UPOS if self.universal and name not in self.upos)]

    @cached_property
    def feature_names(self) -> frozenset[str]:
        """The names of the features."""
        return frozenset(pair.partition("=")[0] for pair in self.features)

    @cached_property
    def related(self) -> int:
        """The number of words that have a relation."""
        return sum(self.relations.values())

    @cached_property
    def relation_keys(self) -> list[tuple[str, str]]:
        """(relation, its key on the keyboard) of all but the root's, which is given with the head."""
        return list(keys_for(name for name in self.relation_names if name != ROOT_RELATION).items())

    @cached_property
    def upos_keys(self) -> list[tuple[str, str]]:
        """(tag, its key on the keyboard)."""
        return list(keys_for(self.upos_names).items())


def base(relation: str) -> str:
    """The universal part of a relation: ``nsubj`` of ``nsubj:pass``."""
    return relation.partition(":")[0]


def value_of(text: str, name: str) -> str:
    """The value of ``name`` in a text of ``Name=Value|Name=Value``; "" where it has none."""
    if name not in text:
        return ""
    return next((value for key, _, value in (pair.partition("=") for pair in text.split("|")) if key == name), "")


def keys_for(names: Iterable[str]) -> dict[str, str]:
    """A key for each name: if possible one of its letters, small letters first; "" where all are taken."""
    taken, keys = set(), {}
    for name in names:
        letters = [letter for letter in name if letter.isascii() and letter.isalpha()]
        wanted = [letter.lower() for letter in letters] + [letter.upper() for letter in letters]
        wanted += [*"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
        keys[name] = next((letter for letter in wanted if letter not in taken), "")
        taken.add(keys[name])
    return keys


def _counts(column):
    counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
    filled = [(value, count) for value, count in zip(column.values, counts, strict=True) if value and count]
    return dict(sorted(filled, key=lambda item: (-item[1], item[0])))


def _is_universal(counts, names):
    """Whether values are mostly universal ``names``: see MOSTLY."""
    other = [count for value, count in counts.items() if base(value) not in names and value.upper() not in names]
    share = 1 - sum(other) / sum(counts.values()) if counts else 1.0
    return share >= MOSTLY or (share >= HALF and len(other) <= FEW)
