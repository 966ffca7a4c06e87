"""Relations for trees that have none: by rules over the parts of speech of both ends, or learnt from other trees.

The table of rules gives relations of Universal Dependencies. It was written from the guidelines
(universaldependencies.org/u/dep, read as of version 2), not from counts in a treebank. It is meant for trees whose
heads are content words, as the guidelines have them; arcs from function words, other than those listed, stay "dep".
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import WorkbenchError
from core.offsets import any_of_each
from core.parsers.mst.corpus import learnable
from core.parsers.mst.parser import MSTParser
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Treebank
from core.treebank.tag_sets import parts_of_speech

KIND = "label-rules"
MEASURED = {"rules": (85.6, 83.5), 25: (79.6, 77.1), 100: (86.7, 84.9)}
"""Label accuracy in per cent, (of all words, of all but punctuation), on EWT test with gold heads and tags: by rules,
and learnt from so many sentences of EWT train, the mean of five random draws."""
NO_RELATIONS = frozenset(("", "_", "root", "dep", "ROOT"))  # written where a parser predicts none
NOMINAL, VERBAL = "NOUN PROPN PRON NUM SYM X", "VERB AUX"
CONTENT = f"{NOMINAL} {VERBAL} ADJ ADV"

# Modifier; head; the side of the head on which the modifier stands; a part of speech that the modifier itself has as
# modifier; relation. The first row that fits holds; * is anything.
RULES = (
    ("PUNCT", "*", "*", "*", "punct"),
    ("ADP", NOMINAL, "*", "*", "case"),
    ("ADP", "VERB", "left", "*", "mark"),
    ("ADP", "VERB", "right", "*", "compound:prt"),
    ("DET", CONTENT, "*", "*", "det"),
    ("AUX", f"{VERBAL}", "*", "*", "aux"),
    ("AUX", CONTENT, "*", "*", "cop"),
    ("CCONJ", "*", "*", "*", "cc"),
    ("SCONJ", "*", "*", "*", "mark"),
    ("PART", VERBAL, "*", "*", "mark"),
    ("PART", NOMINAL, "*", "*", "case"),
    ("INTJ", "*", "*", "*", "discourse"),
    (CONTENT, CONTENT, "right", "CCONJ", "conj"),
    ("ADV PART", "*", "*", "*", "advmod"),
    ("NUM", "NOUN PROPN SYM PRON", "*", "*", "nummod"),
    ("ADJ", NOMINAL, "*", "*", "amod"),
    ("ADJ", VERBAL, "*", "*", "xcomp"),
    (NOMINAL, f"{VERBAL} ADJ ADV", "*", "ADP", "obl"),
    (NOMINAL, NOMINAL, "*", "ADP PART", "nmod"),
    ("PRON", NOMINAL, "left", "*", "nmod:poss"),
    ("PROPN", "PROPN", "right", "*", "flat"),
    (NOMINAL, NOMINAL, "left", "*", "compound"),
    (NOMINAL, NOMINAL, "right", "*", "nmod"),
    (NOMINAL, f"{VERBAL} ADJ ADV", "left", "*", "nsubj"),
    (NOMINAL, VERBAL, "right", "*", "obj"),
    (VERBAL, VERBAL, "*", "SCONJ ADP", "advcl"),
    (VERBAL, VERBAL, "*", "PART", "xcomp"),
    (VERBAL, VERBAL, "left", "*", "advcl"),
    (VERBAL, f"{VERBAL} ADJ", "right", "*", "ccomp"),
    ("VERB", NOMINAL, "left", "*", "amod"),
    (VERBAL, NOMINAL, "right", "*", "acl"),
)
ARGUMENTS = ("nsubj", "obj")


def has_relations(treebank: Treebank) -> bool:
    """Whether the relations of a Treebank say more than which word is the root."""
    return bool(_says_something(treebank).any())


def trees_with_relations(treebank: Treebank) -> Treebank:
    """The sentences from which ``learn_relations`` learns: whole trees with one root and with some relation."""
    usable, _ = learnable(treebank, projective=False)
    return treebank.select(usable & any_of_each(_says_something(treebank), treebank.offsets))


def _says_something(treebank):
    """bool (rows,): words with a relation of their own."""
    return treebank.deprel.mask(lambda value: value not in NO_RELATIONS)


def learn_relations(treebank: Treebank, tags: str | None = None) -> MSTParser:
    """An MSTParser that has learnt the relations of a treebank's trees and nothing else, to label other trees.

    ``tags`` as of the MSTParser. Raises WorkbenchError where no whole tree has relations. O(words * relations).
    """
    trees = trees_with_relations(treebank)
    if not len(trees):
        raise WorkbenchError(
            f"{treebank.name or 'the text of trees'} has no whole tree with relations to learn; give trees with DEPREL,"
            " or take relations by rules"
        )
    return MSTParser.labeller(trees, tags)


class RuleLabels:
    """Relations by ``RULES``.

    Of several arguments of a predicate on one side, which only languages with both there have, the first is the
    subject and the others are objects.
    """

    def label(self, treebank: Treebank, heads: np.ndarray) -> list[str]:
        """Relations of some trees, a str for each row, "" where a word has no head. O(rows).

        Raises WorkbenchError where no word has a tag that is known to stand for a universal part of speech.
        """
        column = treebank.coarse_tags
        names = [(parts_of_speech(value) or ("",))[0] for value in column.values]
        if not any(names):
            raise WorkbenchError(
                "relations by rules need universal parts of speech, and no tag of this text stands for one; give the "
                "text UPOS tags, or some trees with relations to learn them from"
            )
        tags = [names[value] for value in column.ids.tolist()]
        relations = [""] * len(treebank.heads)
        for begin, end in pairwise(treebank.offsets.tolist()):
            relations[begin:end] = _label(tags[begin:end], np.asarray(heads)[begin:end].tolist())
        return relations

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank with its own trees and these relations."""
        return treebank.with_heads(treebank.heads, self.label(treebank, treebank.heads))

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write a file that stands for these rules."""
        save_arrays(path, KIND, {})

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "RuleLabels":
        """Read a file that ``save`` wrote. Raises FormatError for any other file."""
        load_arrays(path, KIND)
        return cls()


def _label(tags: Sequence[str], heads: Sequence[int]):
    """Relations of one sentence, row 0 the root's."""
    inside = [set() for _ in tags]
    for m in range(1, len(tags)):
        if heads[m] > 0:
            inside[heads[m]].add(tags[m])
    relations = [""] + [
        "root" if heads[m] == 0 else _fitting(tags, heads[m], m, inside[m]) for m in range(1, len(tags))
    ]
    for h in range(1, len(tags)):
        arguments = [m for m in range(1, len(tags)) if heads[m] == h and relations[m] in ARGUMENTS]
        if len(arguments) > 1 and (arguments[0] > h or arguments[-1] < h):
            for m in arguments:
                relations[m] = "nsubj" if m == arguments[0] else "obj"
    return relations


def _fitting(tags, h, m, inside):
    """The relation of the first row that fits an arc; "" where the word has no head."""
    if h < 0:
        return ""
    side = "left" if m < h else "right"
    for modifier, head, where, has, relation in _TABLE:
        if _fits(modifier, tags[m]) and _fits(head, tags[h]) and where in ("*", side) and (has is None or has & inside):
            return relation
    return "dep"


def _fits(wanted, tag):
    return wanted is None or tag in wanted


_TABLE = tuple(
    (*(None if names == "*" else frozenset(names.split()) for names in (modifier, head)), side,
     None if has == "*" else frozenset(has.split()), relation)
    for modifier, head, side, has, relation in RULES
)  # fmt: skip
