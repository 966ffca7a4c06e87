"""Which trees break which rules, word by word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from core.annotation.edits import SentenceAnnotation
from core.annotation.label_inventories import value_of
from core.constraints.language.constraint import Item, Term
from core.errors import WorkbenchError
from core.languages.normal_form import composed
from core.rules.rule import AFTER, CountRule, HeadRule, Rule, WordTest
from core.treebank import Sentence, Treebank
from core.treebank.relations import OUTER, means

COLUMNS = {"tag": "upos", "form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats"}


TAGS = {"tag": "upos", "upos": "upos", "xpos": "xpos"}


@dataclass(frozen=True)
class Breach:
    """Where a tree breaks a rule.

    Attributes
    ----------
    rule : CountRule or HeadRule
    word : int
        Of which the rule speaks; 0 is the root.
    others : tuple of int
        The dependents that count, in order; with a HeadRule the head.
    """

    rule: Rule
    word: int
    others: tuple[int, ...]


class RuleWords:
    """The words of a sentence as rules ask for them; without its tree.

    Attributes
    ----------
    sentence : Sentence or SentenceAnnotation
        Of n words.
    places : sequence of int
        Where the root and each word stand, for distances; others than their numbers where punctuation is left out.
    """

    def __init__(self, sentence: Sentence | SentenceAnnotation, places: Sequence[int] | None = None):
        self.sentence, self._fitting = sentence, {}
        self.places = range(len(sentence.forms)) if places is None else places

    def __len__(self):
        return len(self.sentence.forms)

    def fitting(self, item: Item) -> list[bool]:
        """For the root and each word, whether it fits an item. O(words), once an item."""
        if item not in self._fitting:
            fits = [any(self._fits(term, word) for term in item.terms) for word in range(1, len(self))]
            self._fitting[item] = [item.has_root, *fits]
        return self._fitting[item]

    def _fits(self, term: Term, word: int) -> bool:
        if term.column == "any":
            return True
        if term.column == "root":
            return False
        value = getattr(self.sentence, COLUMNS[term.column])[word]
        if term.column == "feats":
            return set(term.value.split("|")) <= set(value.split("|"))
        return value == term.value or composed(value) == composed(term.value)

    def is_as(self, test: WordTest, word: int) -> bool:
        """Whether a word fits the items of a WordTest, whatever its relation and head."""
        return all(self.fitting(item)[word] == fits for item, fits in test.items)


class RuleTree:
    """The words of a sentence with the heads and relations of a tree, finished or not.

    Attributes
    ----------
    words : RuleWords
    heads : sequence of int
        Of the root (ignored) and each word, 0 for the root and -1 where unknown.
    relations : sequence of str
        Of the root (ignored) and each word, "" where unknown.
    """

    def __init__(self, words: RuleWords, heads: Sequence[int], relations: Sequence[str]):
        self.words, self.heads, self.relations = words, heads, relations

    @classmethod
    def of(cls, annotation: SentenceAnnotation) -> "RuleTree":
        """That of a SentenceAnnotation, with its tags."""
        relations = [
            f"{relation}:{OUTER}" if misc and ":" not in relation and value_of(misc, "Subject") == "Outer" else relation
            for relation, misc in zip_longest(annotation.deprels, annotation.misc, fillvalue="")
        ]  # UD has two ways to write it
        return cls(RuleWords(annotation), annotation.heads, relations)

    def __len__(self):
        return len(self.heads)

    @cached_property
    def dependents(self) -> list[list[int]]:
        """The dependents of the root and of each word, in order."""
        dependents: list[list[int]] = [[] for _ in self.heads]
        for word in range(1, len(self.heads)):
            if self.heads[word] >= 0:
                dependents[self.heads[word]].append(word)
        return dependents

    @cached_property
    def is_whole(self) -> bool:
        """Whether every word has a head."""
        return all(head >= 0 for head in self.heads[1:])

    def fits(self, test: WordTest, word: int) -> bool:
        """Whether a word fits a WordTest."""
        if test.relations and not (word and means(test.relations, self.relations[word])):
            return False
        if not self.words.is_as(test, word):
            return False
        if test.under is None:
            return True
        return word > 0 and self.heads[word] >= 0 and self.words.fitting(test.under)[self.heads[word]]


def require_tags(rules: Sequence[Rule], treebank: Treebank) -> None:
    """Raise WorkbenchError for the first rule about tags of a column that no word of a text has."""
    for _, message in lacking_tags(rules, treebank):
        raise WorkbenchError(message)


def lacking_tags(rules: Sequence[Rule], treebank: Treebank) -> Iterator[tuple[Rule, str]]:
    """(rule, what is wrong) of each rule about tags of a column that no word of a text has."""
    for rule in rules:
        terms = (term for test in rule.tests for item in test.all_items for term in item.terms)
        columns = dict.fromkeys(TAGS[term.column] for term in terms if term.column in TAGS)
        for column in (column for column in columns if not getattr(treebank, column).filled):
            name = treebank.name or "the text"
            yield rule, f"{name} has no {column.upper()} tags, of which the rule {rule.text} speaks"


def breaches(rules: Sequence[Rule], tree: RuleTree) -> Iterator[Breach]:
    """Where a tree breaks rules, by rule and word; too little in an unfinished tree is no breach. O(rules * words)."""
    for rule in rules:
        yield from _counted(rule, tree) if isinstance(rule, CountRule) else _headed(rule, tree)


def _counted(rule: CountRule, tree: RuleTree) -> Iterator[Breach]:
    for word in (0,) if rule.word.is_root else range(len(tree)):
        if not tree.dependents[word] and (rule.given is not None or not rule.low):
            continue
        if not _speaks_of(rule, tree, word):
            continue
        counted = counted_dependents(rule, tree, word)
        too_many = rule.high is not None and len(counted) > rule.high
        if too_many or (len(counted) < rule.low and tree.is_whole):
            yield Breach(rule, word, counted)


def _speaks_of(rule, tree, word):
    """Whether a CountRule says something of a word; ``*`` is no root."""
    if not (word or rule.word.is_root) or not tree.fits(rule.word, word):
        return False
    return rule.given is None or any(tree.fits(rule.given, dependent) for dependent in tree.dependents[word])


def counted_dependents(rule: CountRule, tree: RuleTree, word: int) -> tuple[int, ...]:
    """The dependents of a word, or of the root, that count for a rule, in order."""
    return tuple(dependent for dependent in tree.dependents[word] if _counts(rule, tree, dependent))


def _counts(rule, tree, dependent):
    return tree.fits(rule.dependent, dependent) and not any(tree.fits(test, dependent) for test in rule.exceptions)


def _headed(rule: HeadRule, tree: RuleTree) -> Iterator[Breach]:
    for word in range(1, len(tree)):
        head = tree.heads[word]
        if (
            head >= 0
            and tree.fits(rule.word, word)
            and not (stands_well(rule, tree.words, word, head) and tree.fits(rule.head, head))
        ):
            yield Breach(rule, word, (head,))


def stands_well(rule: HeadRule, words: RuleWords, word: int, head: int) -> bool:
    """Whether a head stands where a HeadRule wants it."""
    if rule.side and (head > word) != (rule.side == AFTER):
        return False
    return rule.farthest is None or abs(words.places[head] - words.places[word]) <= rule.farthest
