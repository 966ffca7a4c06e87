"""What rules ask of words, as sets of relations and of words of a text: which of them contain which others.

Words that the items of the rules cannot tell apart are one *class*; relations that the rules cannot tell apart have one
representative. So sets are exact for this text, and are bits of integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from core.constraints.language.constraint import Item
from core.rules.coverage import RuleText
from core.rules.rule import CountRule, Rule, WordTest
from core.treebank.relations import OUTER, means

OTHER = "~"  # stands for relations, or subtypes of one, that no rule names


@dataclass(frozen=True)
class ArcSet:
    """The arcs to dependents that a CountRule asks of words of some classes.

    Attributes
    ----------
    classes : int
        Bits of the words' classes.
    counted : int
        Bits of pairs of a relation and a dependent's class: what counts.
    given : int or None
        Such bits of what the word has, or the rule says nothing of it; None where it asks for nothing.
    """

    classes: int
    counted: int
    given: int | None


class RuleSets:
    """The sets of some rules over a text. O(types * items), and for each rule classes times relations."""

    def __init__(self, text: RuleText, rules: Sequence[Rule]):
        self.text = text
        tests = [test for rule in rules for test in rule.tests]
        self.relations = _representatives({name for test in tests for name in test.relations})
        items = list(dict.fromkeys(item for test in tests for item in test.all_items))
        is_root = np.arange(len(text.type_counts)) == 0
        fitting = np.array([is_root, *(text.fitting_types(item) for item in items)])
        _, first, classes = np.unique(np.packbits(fitting, axis=0).T, axis=0, return_index=True, return_inverse=True)
        self._classes, self._of_words = classes.ravel(), ~is_root[first]  # of each type; of each class
        self._fitting = dict(zip(items, fitting[1:, first], strict=True))
        self._counts = np.bincount(self._classes, text.type_counts).astype(np.int64)

    @cached_property
    def all_arcs(self) -> int:
        """Bits of all arcs to words."""
        return bits(np.ones((len(self.relations), 1), bool) & self._of_words)

    def size(self, classes: int) -> int:
        """How many rows of the text are of classes, given as bits."""
        return int(self._counts[self.unpacked(classes)].sum())

    def unpacked(self, classes: int) -> np.ndarray:
        """bool (classes,): bits as an array."""
        return np.unpackbits(_bytes(classes, len(self._counts)), count=len(self._counts)).astype(bool)

    def marked(self, classes: np.ndarray) -> np.ndarray:
        """bool (rows,): the rows of the text that are of some classes."""
        return classes[self._classes][self.text.types]

    def classes_as(self, test: WordTest) -> np.ndarray:
        """bool (classes,): those that fit the items of a test."""
        fits = np.ones(len(self._counts), bool)
        for item, wanted in test.items:
            fits &= self._fitting[item] == wanted
        return fits

    def heads_as(self, item: Item | None) -> np.ndarray:
        """bool (classes,): those that a head may be of, by what stands behind ``under``."""
        return np.ones(len(self._counts), bool) if item is None else self._fitting[item]

    def relations_as(self, test: WordTest) -> np.ndarray:
        """bool (relations,): those that fit a test."""
        return np.array([not test.relations or means(test.relations, name) for name in self.relations], bool)

    def arcs_as(self, test: WordTest) -> np.ndarray:
        """bool (relations, classes): what fits a test of a dependent, whatever its head is."""
        return self.relations_as(test)[:, None] & (self.classes_as(test) & self._of_words)

    def words_as(self, test: WordTest) -> np.ndarray:
        """bool (classes,): those of which a rule speaks that begins with a test."""
        return self.classes_as(test) & (~self._of_words if test.is_root else self._of_words)


class RuleSet:
    """What one rule asks.

    Attributes
    ----------
    classes : int
        Bits of the classes of which it may speak.
    relations : int
        Bits of the relations that such a word may have.
    under : int
        Bits of the classes of which its head may be.
    given : WordTest or None
    is_sure : bool
        Whether it speaks of such words in every tree.
    """

    def __init__(self, sets: RuleSets, rule: Rule):
        self.rule, self._sets = rule, sets
        self._words = sets.words_as(rule.word)
        self.classes = bits(self._words)
        self.relations = bits(sets.relations_as(rule.word))
        self.under = bits(sets.heads_as(rule.word.under))
        self.given = rule.given if isinstance(rule, CountRule) else None
        self.is_sure = not rule.word.relations and rule.word.under is None and self.given is None

    def may_meet(self, other: "RuleSet") -> bool:
        """Whether a word of the text may be one of which both speak in the same tree."""
        return bool(self.classes & other.classes and self.relations & other.relations and self.under & other.under)

    def speaks_within(self, other: "RuleSet") -> bool:
        """Whether the other speaks of each word of which this one does, what is given apart."""
        pairs = ((self.classes, other.classes), (self.relations, other.relations), (self.under, other.under))
        return all(is_within(*pair) for pair in pairs)

    @cached_property
    def arcs(self) -> tuple[ArcSet, ...]:
        """The ArcSets of a CountRule, each of the classes that make the same of what stands behind ``under``."""
        rule, sets = self.rule, self._sets
        assert isinstance(rule, CountRule)
        tests = [rule.dependent, *rule.exceptions, *([] if rule.given is None else [rule.given])]
        asked = list(dict.fromkeys(test.under for test in tests if test.under is not None))
        found = []
        for chosen in product((True, False), repeat=len(asked)):
            classes, holds = self._words.copy(), dict(zip(asked, chosen, strict=True))
            for item in asked:
                classes &= sets.heads_as(item) == holds[item]
            if classes.any():
                counted, *others = (sets.arcs_as(test) & (test.under is None or holds[test.under]) for test in tests)
                given = others.pop() if rule.given is not None else None
                for exception in others:
                    counted = counted & ~exception
                found.append(ArcSet(bits(classes), bits(counted), None if given is None else bits(given)))
        return tuple(found)

    def countable(self, arcs: ArcSet) -> np.ndarray:
        """bool (classes,): of which a dependent may be that counts."""
        relations, classes = len(self._sets.relations), len(self._words)
        counted = np.unpackbits(_bytes(arcs.counted, relations * classes), count=relations * classes)
        return np.logical_or.reduce(counted.reshape(relations, classes), axis=0)


def bits(marks: np.ndarray) -> int:
    """Marks, in any shape, as the bits of an integer."""
    return int.from_bytes(np.packbits(marks).tobytes(), "big")


def is_within(some: int, others: int) -> bool:
    """Whether all bits of one integer are bits of another."""
    return not some & ~others


def _bytes(number, count):
    return np.frombuffer(number.to_bytes(-(-count // 8), "big"), np.uint8)


def _representatives(names):
    """Relations of which each one stands for all that ``means`` cannot tell apart by these names."""
    bases = {name.partition(":")[0] for name in names}
    return sorted({*names, *bases, *(f"{base}:{kind}" for base in bases for kind in (OUTER, OTHER)), OTHER})
