"""The relations, tags and features that a treebank uses, and whether it follows Universal Dependencies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from core.treebank import Treebank
from core.treebank.relations import base

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
# The subtypes that UD describes for all languages: universaldependencies.org/u/dep.
SUBTYPES = (
    "acl:relcl", "advcl:relcl", "advmod:emph", "advmod:lmod", "aux:pass", "cc:preconj", "compound:lvc", "compound:prt",
    "compound:redup", "compound:svc", "csubj:outer", "csubj:pass", "det:numgov", "det:nummod", "det:poss",
    "expl:impers", "expl:pass", "expl:pv", "flat:foreign", "flat:name", "nmod:poss", "nmod:tmod", "nsubj:outer",
    "nsubj:pass", "nummod:gov", "obl:agent", "obl:arg", "obl:lmod", "obl:tmod",
)  # fmt: skip
# The letter of each tag, on every page; C and R are kept by the browser's frame.
UPOS_KEYS = {
    "NOUN": "n", "VERB": "v", "ADJ": "j", "ADV": "b", "PROPN": "p", "PRON": "o", "DET": "d", "ADP": "a", "AUX": "x",
    "CCONJ": "k", "SCONJ": "s", "PART": "t", "NUM": "m", "INTJ": "i", "PUNCT": "u", "SYM": "y", "X": "q",
}  # fmt: skip
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
        """(tag, its key on the keyboard): that of UPOS_KEYS, for others a free one."""
        return list(keys_for(self.upos_names, UPOS_KEYS).items())


def value_of(text: str, name: str) -> str:
    """The value of ``name`` in a text of ``Name=Value|Name=Value``; "" where it has none."""
    if name not in text:
        return ""
    return next((value for key, _, value in (pair.partition("=") for pair in text.split("|")) if key == name), "")


def with_entry(text: str, name: str, value: str) -> str:
    """MISC with another value of an entry, which stays in its place or comes last; "" takes it away."""
    if value_of(text, name) == value:
        return text
    parts = text.split("|") if text else []
    at = next((k for k, part in enumerate(parts) if part.partition("=")[0] == name), len(parts))
    return "|".join([*parts[:at], *([f"{name}={value}"] if value else []), *parts[at + 1 :]])


def subtype_keys(inventories: Sequence[LabelInventories]) -> dict[str, list[tuple[str, str]]]:
    """The subtypes of each relation that some LabelInventories have, and UD where the first is universal.

    dict of relation to (subtype, its key on the keyboard), those of the first inventory in front.
    """
    names = [name for inventory in inventories for name in inventory.relations]
    names += SUBTYPES if inventories[0].universal else ()
    subtypes: dict[str, dict[str, str]] = {}
    for name in names:
        relation, colon, subtype = name.partition(":")
        if colon and subtype:
            subtypes.setdefault(relation, {})[name] = subtype
    return {
        relation: [(name, keys[subtype]) for name, subtype in named.items()]
        for relation, named in subtypes.items()
        for keys in [keys_for(named.values())]
    }


def keys_for(names: Iterable[str], given: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """A key for each name: the ``given`` one, or if possible one of its letters, small letters first; "" if none is
    left.
    """
    names = list(names)
    keys = {name: given[name] for name in names if name in given}
    taken = set(keys.values())
    for name in names:
        letters = [letter for letter in name if letter.isascii() and letter.isalpha()]
        wanted = [letter.lower() for letter in letters] + [letter.upper() for letter in letters]
        wanted += [*"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
        if name not in keys:
            keys[name] = next((letter for letter in wanted if letter not in taken), "")
            taken.add(keys[name])
    return {name: keys[name] for name in names}


def _counts(column):
    counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
    filled = [(value, count) for value, count in zip(column.values, counts, strict=True) if value and count]
    return dict(sorted(filled, key=lambda item: (-item[1], item[0])))


def _is_universal(counts, names):
    """Whether values are mostly universal ``names``: see MOSTLY."""
    other = [count for value, count in counts.items() if base(value) not in names and value.upper() not in names]
    share = 1 - sum(other) / sum(counts.values()) if counts else 1.0
    return share >= MOSTLY or (share >= HALF and len(other) <= FEW)
