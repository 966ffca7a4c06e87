"""Of which words of a text rules speak, and where its trees break them: the whole text at once, for who is typing.

Rows are those of a ``Treebank``: each sentence's root, then its words.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from core.annotation.label_inventories import value_of
from core.constraints.language.constraint import PREFIXES, Item
from core.constraints.matching.matcher import Matcher, term_values
from core.offsets import all_of_each, any_of_each
from core.rules.checking import Breach, RuleTree, RuleWords
from core.rules.rule import AFTER, CountRule, HeadRule, Rule, WordTest
from core.treebank import Treebank
from core.treebank.relations import OUTER, means

CACHED = 4096  # rules
TESTED = 64  # tests of words whose rows are kept


@dataclass(frozen=True, eq=False)
class RuleCoverage:
    """What a rule says of the trees of a text.

    Attributes
    ----------
    spoken : int
        Of how many words it speaks, roots among them, in the sentences that have a head at all.
    broken : ndarray of shape (B,), dtype int64
        The rows at which trees break it, ascending.
    """

    spoken: int
    broken: np.ndarray


class RuleText:
    """A text as rules ask for it, with what was found of each rule: keep one while rules are typed.

    Words that no item can tell apart are one *type*; number 0 is the root.

    Attributes
    ----------
    treebank : Treebank
    types : ndarray of shape (rows,), dtype int64
    places : ndarray of shape (rows,), dtype int64
        Where each word stands, for distances: its number, or that in the text whose punctuation is left out.
    matcher : Matcher
        Of the same text, whose bare tags are UPOS.
    """

    def __init__(self, treebank: Treebank):
        self.treebank, self.matcher = treebank, Matcher(treebank, "upos")
        self.types, self._columns = _types(treebank)
        self.is_word, self.numbers = treebank.is_word, treebank.numbers
        self.places = treebank.rows - treebank.rows[treebank.root_rows]
        self.has_head = self.is_word & (treebank.heads >= 0)
        self.head_rows = np.where(self.has_head, treebank.root_rows + treebank.heads, 0)
        self._relation_ids, self.relations = _relations(treebank)
        self.coverage: Callable[[Rule], RuleCoverage] = lru_cache(CACHED)(self._coverage)
        self.fitting_types: Callable[[Item], np.ndarray] = lru_cache(CACHED)(self._fitting_types)
        self._fits = lru_cache(TESTED)(self._fitting)

    @cached_property
    def type_counts(self) -> np.ndarray:
        """int64 (types,): how many rows each type has."""
        return np.bincount(self.types)

    @cached_property
    def _has_tree(self):
        return self._each_row(any_of_each(self.has_head, self.treebank.offsets))

    @cached_property
    def _is_whole(self):
        return self._each_row(all_of_each(self.has_head | ~self.is_word, self.treebank.offsets))

    def _each_row(self, of_sentences):
        return np.repeat(of_sentences, self.treebank.lengths + 1)

    def types_as(self, test: WordTest) -> np.ndarray:
        """bool (types,): those that fit the items of a WordTest, whatever relation and head are. O(types)."""
        as_asked = np.ones(len(self.type_counts), bool)
        for item, fits in test.items:
            as_asked &= self.fitting_types(item) == fits
        return as_asked

    def _fitting_types(self, item):
        """bool (types,): those that fit an item."""
        fitting = np.zeros(len(self.type_counts), bool)
        for term in item.terms:
            if term.column == "any":
                fitting[:] = True
            elif term.column != "root":
                ids, column = self._columns["upos" if term.column == "tag" else term.column]
                fitting |= term_values(term, column)[ids]
        fitting[:1] = item.has_root  # there is none in a text without sentences
        return fitting

    def _fitting(self, test):
        """bool (rows,): those that fit a WordTest in the trees."""
        fits = self.types_as(test)[self.types]
        if test.relations:
            named = np.array([means(test.relations, name) for name in self.relations], bool)
            fits &= named[self._relation_ids] & self.is_word
        if test.under is not None:
            fits &= self.has_head & self.fitting_types(test.under)[self.types[self.head_rows]]
        return fits

    def speaks_of(self, rule: Rule) -> np.ndarray:
        """bool (rows,): the words of which a rule speaks in sentences that have a head at all. O(rows)."""
        spoken = self._fits(rule.word) & self._has_tree
        if isinstance(rule, HeadRule):
            return spoken & self.has_head
        spoken &= ~self.is_word if rule.word.is_root else self.is_word
        if rule.given is not None:
            spoken &= self._dependents(self._fits(rule.given)) > 0
        return spoken

    def _dependents(self, fits):
        """int64 (rows,): how many dependents each row has among rows that fit something."""
        return np.bincount(self.head_rows[fits & self.has_head], minlength=len(self.types))

    def _coverage(self, rule):
        """The RuleCoverage of a rule, as ``checking.breaches`` defines it. O(rows)."""
        spoken = self.speaks_of(rule)
        broken = spoken & (self._wrong_counts(rule) if isinstance(rule, CountRule) else self._wrong_heads(rule))
        return RuleCoverage(int(spoken.sum()), np.flatnonzero(broken))

    def _counted(self, rule):
        """bool (rows,): the dependents that count for a CountRule, of whichever word."""
        counted = self._fits(rule.dependent) & self.has_head
        for exception in rule.exceptions:
            counted &= ~self._fits(exception)
        return counted

    def _wrong_counts(self, rule):
        counts = self._dependents(self._counted(rule))
        wrong = np.zeros(len(counts), bool) if rule.high is None else counts > rule.high
        return wrong | ((counts < rule.low) & self._is_whole) if rule.low else wrong

    def _wrong_heads(self, rule):
        heads = self.treebank.heads
        wrong = ~self._fits(rule.head)[self.head_rows]
        if rule.side:
            wrong |= (heads > self.numbers) != (rule.side == AFTER)
        if rule.farthest is None:
            return wrong
        apart = np.abs(np.where(heads > 0, self.places[self.head_rows], 0) - self.places)
        return wrong | (apart > rule.farthest)

    def breaches(self, rule: Rule) -> Iterator[tuple[int, Breach]]:
        """(index of the sentence, Breach) of each word at which a tree breaks a rule, in order. O(rows)."""
        rows = self.coverage(rule).broken
        sentences = self.sentences_of(rows)
        words = rows - self.treebank.offsets[sentences]
        if isinstance(rule, HeadRule):
            others = [(head,) for head in self.treebank.heads[rows].tolist()]
        else:
            counted = np.flatnonzero(self._counted(rule))
            counted = counted[np.argsort(self.head_rows[counted], kind="stable")]
            numbers, heads = self.numbers[counted].tolist(), self.head_rows[counted]
            spans = np.searchsorted(heads, rows), np.searchsorted(heads, rows, side="right")
            others = [tuple(numbers[begin:end]) for begin, end in zip(*(span.tolist() for span in spans), strict=True)]
        for index, word, other in zip(sentences.tolist(), words.tolist(), others, strict=True):
            yield index, Breach(rule, word, other)

    def tree(self, index: int) -> RuleTree:
        """The tree of a sentence."""
        sentence, rows = self.treebank[index], slice(*self.treebank.offsets[index : index + 2].tolist())
        relations = [self.relations[number] for number in self._relation_ids[rows].tolist()]
        return RuleTree(RuleWords(sentence, self.places[rows].tolist()), sentence.heads.tolist(), relations)

    def sentences_of(self, rows: np.ndarray) -> np.ndarray:
        """int64: the index of the sentence of each row."""
        return np.searchsorted(self.treebank.offsets, rows, side="right") - 1


def _types(treebank):
    """(int64 (rows,) type of each row; name of a column -> (the id of each type in it, Column))."""
    columns = {name: getattr(treebank, name) for name in PREFIXES}
    types = np.zeros(len(treebank.heads), np.int64)
    for column in columns.values():
        _, types = np.unique(types * (len(column.values) + 1) + column.ids, return_inverse=True)
    types = np.where(treebank.is_word, types + 1, 0)  # roots apart, also from words without any value
    _, first, types = np.unique(types, return_index=True, return_inverse=True)
    return types, {name: (column.ids[first], column) for name, column in columns.items()}


def _relations(treebank):
    """(int64 (rows,), list of str): the relation of each row, and their names; UD writes outer subjects in two ways."""
    names, ids = list(treebank.deprel.values), treebank.deprel.ids.astype(np.int64)
    outer = treebank.misc.mask(lambda misc: value_of(misc, "Subject") == "Outer")
    for number in np.unique(ids[outer]).tolist():
        if ":" not in names[number]:
            ids[outer & (ids == number)] = len(names)
            names.append(f"{names[number]}:{OUTER}")
    return ids, names
