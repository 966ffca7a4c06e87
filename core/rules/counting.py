"""Rules as counts that a chart of projective trees can carry: cells of arcs, modes of words, states of their halves.

A rule about dependents counts those of one word, so the halves of ``core.trees.counted_chart`` carry the counts, each
up to where more makes no difference. Relations that no rule tells apart are one cell. What the rule asks of the word
itself, its relation and its head's tag, is known with the arc to it, as a mode. Rules about heads, and those of ROOT,
need no count: they speak of single arcs, since the root has one dependent.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from core.errors import WorkbenchError
from core.rules.checking import RuleWords, stands_well
from core.rules.rule import CountRule, HeadRule, Rule, WordTest
from core.treebank.relations import means
from core.trees.counted_chart import CountTables

MOST_STATES = 1024  # of the counts of a word, over all modes: a sentence of 40 words then takes about a second
BITS = 30  # of signatures that are compressed at a time


@dataclass(frozen=True, eq=False)
class Spoken:
    """Cells of arcs of which a rule speaks whatever else the tree has.

    ``owner`` is a rule's number, ``places`` is where the cell is; both int64 (total,). ``broken``, bool (total,), says
    whether a tree with it breaks the rule.
    """

    owner: np.ndarray
    places: np.ndarray
    broken: np.ndarray


@dataclass(frozen=True, eq=False)
class CountedText:
    """A text's arcs as rules count them.

    Attributes
    ----------
    cells : ndarray of shape (R,), dtype int64
        The cell of each relation.
    kinds, modes : ndarrays of shape (A * cells,), dtype int32
        Packed like arcs, with a row of cells for each.
    tables : CountTables
        Without charges.
    spoken : Spoken
    """

    cells: np.ndarray
    kinds: np.ndarray
    modes: np.ndarray
    tables: CountTables
    spoken: Spoken

    @property
    def cell_count(self) -> int:
        """How many classes of relations the rules tell apart."""
        return int(self.cells.max()) + 1


def require_countable(rules: Sequence[Rule]) -> None:
    """Raise WorkbenchError for the first rule that a chart of arcs cannot count: about the head's head of a word."""
    for rule in rules:
        if isinstance(rule, HeadRule) and rule.head.under is not None:
            raise WorkbenchError(
                f"{rule.text}: a target may speak of a word, its head and its dependents, not of the head of its head; "
                "leave out what 'its head is' says with 'under', or give the rule to parse --rules"
            )


def counted_text(sentences: Sequence[RuleWords], rules: Sequence[Rule], names: Sequence[str]) -> CountedText:
    """The arcs of sentences as rules count them, for a parser of R relations.

    Raises WorkbenchError as ``require_countable``, and where the counts of a word have more states than
    ``MOST_STATES``. O(sum of n^2 * cells * rules).
    """
    require_countable(rules)
    cells, fitting = _cells(rules, names)
    longest = max((len(words) for words in sentences), default=1)
    counters = [_Counter(j, rule, longest) for j, rule in enumerate(rules) if _is_counted(rule)]
    kinds, modes, single = _Signatures(2 * len(counters)), _Signatures(len(counters)), _SingleArcs()
    for words in sentences:
        arcs = _Arcs(words, fitting, int(cells.max()) + 1)
        kinds.add([bits for each in counters for bits in arcs.raised(each.rule)], arcs.shape)
        modes.add([arcs.fit(each.rule.word) for each in counters], arcs.shape)
        single.add(arcs, rules)
    tables = _tables(counters, kinds.different, modes.different, len(rules))
    return CountedText(cells, kinds.numbers, modes.numbers, tables, single.spoken)


def _is_counted(rule: Rule) -> TypeGuard[CountRule]:
    return isinstance(rule, CountRule) and not rule.word.is_root


def _cells(rules, names):
    """(the cell of each relation, {test: bool (cells,), which of them fit}): relations that no rule tells apart."""
    tests = list(dict.fromkeys(test for rule in rules for test in rule.tests))
    named = [[not test.relations or means(test.relations, name) for test in tests] for name in names]
    different, cells = np.unique(np.array(named, bool).reshape(len(names), -1), axis=0, return_inverse=True)
    return cells.ravel().astype(np.int64), {test: different[:, number] for number, test in enumerate(tests)}


class _Counter:
    """A rule, by its ``number`` among all, that counts the dependents of a word: up to ``cap``."""

    def __init__(self, number: int, rule: CountRule, longest: int):
        self.number, self.rule = number, rule
        self.cap = min(rule.low if rule.high is None else rule.high + 1, longest)

    @property
    def shape(self) -> tuple[int, int]:
        """How many values its count has, and whether a dependent makes it speak of the word."""
        return self.cap + 1, 1 if self.rule.given is None else 2

    def judged(self, count: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(where it speaks of a word, where the word breaks it), both bool, at values of its count."""
        low, high = self.rule.low, self.rule.high
        speaks = np.ones(len(count), bool) if self.rule.given is None else given > 0
        return speaks, speaks & ((count < low) | (False if high is None else count > high))


class _SingleArcs:
    """Collects the Spoken of rules that need no count, sentence by sentence."""

    def __init__(self):
        none = np.empty(0, np.int64)
        self._begin, self._owner, self._places, self._broken = 0, [none], [none], [none.astype(bool)]

    def add(self, arcs: "_Arcs", rules: Sequence[Rule]) -> None:
        """The cells of the arcs of one more sentence."""
        for number, rule in enumerate(rules):
            if not _is_counted(rule):
                spoken, wrong = arcs.headed(rule) if isinstance(rule, HeadRule) else arcs.rooted(rule)
                places = np.flatnonzero(spoken)
                self._owner.append(np.full(len(places), number))
                self._places.append(self._begin + places)
                self._broken.append(wrong.ravel()[places])
        self._begin += int(np.prod(arcs.shape))

    @property
    def spoken(self) -> Spoken:
        """Of all sentences so far."""
        return Spoken(*(np.concatenate(parts) for parts in (self._owner, self._places, self._broken)))


class _Arcs:
    """Which cells of the arcs of a sentence fit tests, as bool (n + 1, n + 1, cells)."""

    def __init__(self, words: RuleWords, fitting: Mapping[WordTest, np.ndarray], cells: int):
        self.words, self.fitting = words, fitting
        self.shape = len(words), len(words), cells

    def fit(self, test: WordTest) -> np.ndarray:
        """Arcs and cells by which the dependent fits a test."""
        size = len(self.words)
        fits = np.array([word > 0 and self.words.is_as(test, word) for word in range(size)], bool)
        above = np.ones(size, bool) if test.under is None else np.array(self.words.fitting(test.under), bool)
        return above[:, None, None] & fits[None, :, None] & self.fitting[test]

    def raised(self, rule: CountRule) -> tuple[np.ndarray, np.ndarray]:
        """(arcs that the rule counts, those that make it speak of the head)."""
        counted = self.fit(rule.dependent)
        for test in rule.exceptions:
            counted = counted & ~self.fit(test)
        return counted, np.zeros(self.shape, bool) if rule.given is None else self.fit(rule.given)

    def rooted(self, rule: CountRule) -> tuple[np.ndarray, np.ndarray]:
        """(arcs from the root by which a rule speaks of it, those by which it is broken)."""
        counted, given = self.raised(rule)
        spoken = np.zeros(self.shape, bool)
        spoken[0, 1:] = True if rule.given is None else given[0, 1:]
        too_many = counted if rule.high == 0 else np.zeros(self.shape, bool)
        return spoken, spoken & (too_many | (counted < rule.low))

    def headed(self, rule: HeadRule) -> tuple[np.ndarray, np.ndarray]:
        """(arcs by which a rule about heads speaks of the dependent, those by which it is broken)."""
        size, spoken = len(self.words), self.fit(rule.word)
        right = np.array([
            [self.words.is_as(rule.head, head) and stands_well(rule, self.words, word, head) for word in range(size)]
            for head in range(size)
        ], bool)  # fmt: skip
        return spoken, spoken & ~right[:, :, None]


class _Signatures:
    """What is true of each cell of the arcs of sentences, ``width`` bits; the first signature is that of nothing."""

    def __init__(self, width: int):
        self.width, self._known, self._numbers = width, {bytes(width): 0}, []

    @property
    def different(self) -> np.ndarray:
        """bool (signatures, width)."""
        return np.array([list(each) for each in self._known], bool).reshape(len(self._known), self.width)

    @property
    def numbers(self) -> np.ndarray:
        """int32 (A * cells,): the number of each cell's signature."""
        return np.concatenate([np.empty(0, np.int32), *self._numbers])

    def add(self, bits: Sequence[np.ndarray], shape: tuple[int, int, int]) -> None:
        """Number the cells of the arcs of one more sentence."""
        rows = np.zeros((int(np.prod(shape)), self.width), bool)
        numbers = np.zeros(len(rows), np.int64)
        for place, each in enumerate(bits):
            rows[:, place] = np.broadcast_to(each, shape).ravel()
        for begin in range(0, self.width, BITS):
            some = rows[:, begin : begin + BITS]
            values = some @ (1 << np.arange(some.shape[1], dtype=np.int64))
            numbers = np.unique(numbers << np.int64(BITS) | values, return_inverse=True)[1].ravel()
        _, first, own = np.unique(numbers, return_index=True, return_inverse=True)
        known = [self._known.setdefault(rows[place].tobytes(), len(self._known)) for place in first.tolist()]
        self._numbers.append(np.array(known, np.int32)[own.ravel()])


def _tables(counters, vectors, active, rule_count):
    """The CountTables of modes, whose ``active`` rules (M, counters) are known, and of kinds with their bits."""
    chosen = [[counters[c] for c in np.flatnonzero(mode).tolist()] for mode in active]
    sizes = [math.prod(size for each in some for size in each.shape) for some in chosen]
    if sum(sizes) > MOST_STATES:
        raise WorkbenchError(
            f"{len(counters)} rules together give a word {sum(sizes):,} states of counts, and as targets at most "
            f"{MOST_STATES:,} are possible; give fewer of them, or smaller numbers"
        )
    states, pairs = (np.concatenate([[0], np.cumsum(counts)]).astype(np.int64) for counts in (sizes, np.square(sizes)))
    broken, spoken = np.zeros((2, rule_count, pairs[-1]))
    merged, modes = np.zeros((len(active), len(vectors)), np.int64), []
    for number, (some, own) in enumerate(zip(chosen, active, strict=True)):
        mode = _Mode(some, sizes[number])
        modes.append(mode)
        mode.steps, merged[number] = mode.after(vectors[:, np.repeat(own, 2)])
        for counter, count, given in mode.together():
            place = counter.number, slice(pairs[number], pairs[number + 1])
            spoken[place], broken[place] = counter.judged(count, given)
    counts = np.array([len(mode.steps) for mode in modes], np.int64)
    steps = np.zeros((counts.max(), states[-1]), np.int64)
    for number, mode in enumerate(modes):
        steps[: counts[number], states[number] : states[number + 1]] = mode.steps + states[number]
    return CountTables(states, pairs, merged, counts, steps, np.zeros(pairs[-1]), broken, spoken)


class _Mode:
    """The counts of some rules: ``values`` int (counts, states), and the largest of each, (counts, 1)."""

    steps: np.ndarray

    def __init__(self, counters: Sequence[_Counter], size: int):
        shape = [count for each in counters for count in each.shape]
        self.counters, self.shape, self.most = counters, shape, np.array(shape, int)[:, None] - 1
        self.values = np.array(np.unravel_index(np.arange(size), shape)) if shape else np.zeros((0, 1), int)

    def after(self, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(states after each kind of arcs that differs here, the number of each among them); kinds bool (K, counts)."""
        steps = np.zeros((len(kinds), self.values.shape[1]), np.int64)
        for number, raised in enumerate(kinds.astype(int)):
            if self.shape:
                values = np.minimum(self.values + raised[:, None], self.most)
                steps[number] = np.ravel_multi_index(tuple(values), self.shape)
        different, numbers = np.unique(steps, axis=0, return_inverse=True)
        return different, numbers.ravel()

    def together(self) -> Iterator[tuple[_Counter, np.ndarray, np.ndarray]]:
        """(counter, its count, whether it speaks) of all pairs of states of both halves."""
        both = np.minimum(self.values[:, :, None] + self.values[:, None], self.most[:, :, None])
        for number, counter in enumerate(self.counters):
            yield counter, both[2 * number].ravel(), both[2 * number + 1].ravel()
