"""Which arcs and relations of a sentence the tests of a rule mean.

n is the number of words and node 0 is the root; R relations have names.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.constraints.language.constraint import Item
from core.parsers.scores import LabelledScores
from core.rules.checking import RuleWords, stands_well
from core.rules.given import GivenArc
from core.rules.rule import CountRule, HeadRule, Rule, WordTest
from core.treebank.relations import means


class LabelledArcs(NamedTuple):
    """These relations of the arcs from these heads to these modifiers.

    Attributes
    ----------
    heads, modifiers : ndarray of shape (n + 1,), dtype bool
    relations : ndarray of shape (R,), dtype bool
    """

    heads: np.ndarray
    modifiers: np.ndarray
    relations: np.ndarray


class RuleArcs:
    """The arcs of a sentence as the tests of rules mean them.

    Attributes
    ----------
    words : RuleWords
    names : sequence of str
        Of the relations.
    """

    def __init__(self, words: RuleWords, names: Sequence[str]):
        self.words, self.names, self._named = words, names, {}

    def any_relation(self) -> np.ndarray:
        """bool (R,): all of them."""
        return np.ones(len(self.names), bool)

    def named(self, names: tuple[str, ...]) -> np.ndarray:
        """bool (R,): which relations are one of these; all for ()."""
        if names not in self._named:
            chosen = [not names or means(names, name) for name in self.names]
            self._named[names] = np.array(chosen, bool)
        return self._named[names]

    def only(self, place: int) -> np.ndarray:
        """bool (n + 1,): one place alone."""
        chosen = np.zeros(len(self.words), bool)
        chosen[place] = True
        return chosen

    def fitting(self, item: Item | None) -> np.ndarray:
        """bool (n + 1,): which words fit an item; all for None."""
        return np.ones(len(self.words), bool) if item is None else np.array(self.words.fitting(item))

    def fitting_items(self, test: WordTest) -> np.ndarray:
        """bool (n + 1,): which words fit the items of a WordTest, whatever their relations and heads."""
        return np.array([self.words.is_as(test, word) for word in range(len(self.words))])

    def into(self, test: WordTest, word: int) -> LabelledArcs:
        """The arcs to a word by which it fits a WordTest, given that it fits its items."""
        return LabelledArcs(self.fitting(test.under), self.only(word), self.named(test.relations))

    def counted(self, test: WordTest, exceptions: Iterable[WordTest], word: int, other: int) -> LabelledArcs:
        """The relations by which a word is a dependent that fits a test, and no exception, of another."""
        relations = self._of_dependent(test, word, other)
        for exception in exceptions:
            relations = relations & ~self._of_dependent(exception, word, other)
        return LabelledArcs(self.only(word), self.only(other), relations)

    def _of_dependent(self, test, word, other):
        """bool (R,): with which relations a dependent of a word fits a test."""
        fits = self.words.is_as(test, other) and (test.under is None or self.words.fitting(test.under)[word])
        return self.named(test.relations) if fits else np.zeros(len(self.names), bool)

    def wrong_heads(self, rule: HeadRule, word: int) -> np.ndarray:
        """bool (n + 1,): the heads that a rule does not allow of a word, whatever their own heads are."""
        return np.array([self.is_wrong(rule, word, head) for head in range(len(self.words))])

    def is_wrong(self, rule: HeadRule, word: int, head: int) -> bool:
        """Whether a rule does not allow a head of a word, whatever the head's own head is."""
        if not stands_well(rule, self.words, word, head) or not self.words.is_as(rule.head, head):
            return True
        return rule.head.under is not None and head == 0

    def forbidden(self, rule: Rule, excused: frozenset[tuple[Rule, int]] = frozenset()) -> Iterator[LabelledArcs]:
        """What a rule about heads forbids whatever the rest of the tree is; nothing of a CountRule.

        Nothing either at the words where it is ``excused``.
        """
        if isinstance(rule, CountRule):
            return
        for word in range(1, len(self.words)):
            if self.words.is_as(rule.word, word) and (rule, word) not in excused:
                arcs = self.into(rule.word, word)
                yield arcs._replace(heads=arcs.heads & self.wrong_heads(rule, word))

    def around(self, given: GivenArc) -> Iterator[LabelledArcs]:
        """What a given arc forbids: other arcs into its word, and other relations of it."""
        word, heads = self.only(given.word), np.ones(len(self.words), bool)
        if given.head >= 0:
            heads = self.only(given.head)
            yield LabelledArcs(~heads, word, self.any_relation())
        if given.relation:
            yield LabelledArcs(heads, word, np.array([name != given.relation for name in self.names]))


def labelled_values(scores: LabelledScores, forbidden: Iterable[LabelledArcs] = ()) -> np.ndarray:
    """float64 (n + 1, n + 1, R): what each arc with each relation gives to the value of a tree; -inf where forbidden.

    The value is that of the arc plus how much the score of the relation is below that of the arc's best one:
    ``arcs[h, m] + labels[h, m, r] - max labels[h, m]``.
    """
    best = scores.labels.max(axis=2, keepdims=True)
    with np.errstate(invalid="ignore"):
        values = scores.arcs[:, :, None] + np.where(scores.labels > -np.inf, scores.labels - best, -np.inf)
    for heads, modifiers, relations in forbidden:
        values[np.ix_(heads, modifiers, relations)] = -np.inf
    return values
