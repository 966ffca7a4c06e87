"""Rules as factors: what each rule says at each word, over the arcs of the words that it looks at.

A factor looks at words, and sees of the arc into each only its *class*. Of a word's dependents: whether the arc makes
one that counts, one that makes the rule speak of the word, both, or neither. Of the word itself: whether its own arc
is one of which the rule speaks. So a factor allows some combinations of classes, and the best one under prices of
classes is found exactly.

n is the number of words and node 0 is the root; R relations have names. A factor's decisions lie back to back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.rules.arcs import RuleArcs
from core.rules.rule import CountRule, Rule

CLASSES = NEITHER, COUNTS, SPEAKS, BOTH = 0, 1, 2, 3  # of an arc to a dependent; of a word's own NEITHER, or SPEAKS
SAME = 1e-12  # relative rounding of a sum of prices, within which two of them are equal


@dataclass(frozen=True, eq=False)
class Factor:
    """What one rule says at one word.

    Attributes
    ----------
    rule : CountRule or HeadRule
        A HeadRule is one of its heads: a head under a wrong tag has none of the rule's words as a dependent.
    word : int
        Of whose dependents it speaks.
    low, high : int, float
        How many dependents count at the least and at the most.
    given : bool
        Whether it speaks of the word only where a dependent makes it.
    price : float
        Of breaking it; infinite for a law.
    speaks : ndarray of shape (n + 1, R), dtype bool, or None
        By which heads and relations the word itself is spoken of; None where it always is.
    others : ndarray of shape (k,), dtype int64
        The words that may be dependents of another class than NEITHER.
    classes : ndarray of shape (k, R), dtype int8
        The class of the arc to each of them, by its relation.
    """

    rule: Rule
    word: int
    low: int
    high: float
    given: bool
    price: float
    speaks: np.ndarray | None
    others: np.ndarray
    classes: np.ndarray


def factors_of(
    arcs: RuleArcs, values: np.ndarray, rules: Sequence[Rule], prices: Mapping[Rule, float]
) -> Iterator[Factor]:
    """The factors of rules in a sentence; those that no tree can break are left out.

    Parameters
    ----------
    arcs : RuleArcs
    values : ndarray of shape (n + 1, n + 1, R), dtype float64
        -inf where there is no such arc with this relation.
    rules, prices
        As ``best_ruled`` has them. What rules without a price forbid of single arcs is forbidden in ``values``.

    Notes
    -----
    O(rules * n^2 * R).
    """
    possible = values > -np.inf
    for rule in rules:
        price = prices.get(rule, np.inf)
        drafts = _of_counts(arcs, possible, rule, price)
        if not isinstance(rule, CountRule):
            drafts = _of_heads(arcs, possible, rule, price)
        yield from filter(_can_break, drafts)


def _of_counts(arcs, possible, rule, price):
    """The factors of a CountRule, each at a word that it may speak of."""
    words = arcs.fitting_items(rule.word)
    words[1:] &= not rule.word.is_root
    words[0] = rule.word.is_root and words[0] and not rule.word.relations and rule.word.under is None
    seen = _Dependents(arcs, rule)
    for word in np.flatnonzero(words).tolist():
        speaks = None
        if rule.word.relations or rule.word.under is not None:
            speaks = np.outer(arcs.fitting(rule.word.under), arcs.named(rule.word.relations))
        others, classes = seen.of(word, possible[word])
        high = np.inf if rule.high is None else rule.high
        draft = Factor(rule, word, rule.low, high, rule.given is not None, price, speaks, others, classes)
        yield _spoken_of(draft, possible)


def _of_heads(arcs, possible, rule, price):
    """The factors of a HeadRule: of single arcs, where it has a price; of heads whose own heads are asked for."""
    words = [word for word in np.flatnonzero(arcs.fitting_items(rule.word)).tolist() if word]
    into = [(word, arcs.into(rule.word, word), arcs.wrong_heads(rule, word)) for word in words]
    for head in range(len(possible)):
        spoken = [(word, each.relations, wrong[head]) for word, each, wrong in into if each.heads[head]]
        if price < np.inf:  # forbidden before otherwise
            for word, relations, wrong in spoken:
                if wrong:
                    yield _without(rule, head, price, None, [(word, relations)], possible)
        if rule.head.under is not None and head:
            speaks = np.outer(~arcs.fitting(rule.head.under), arcs.any_relation())
            above = [(word, relations) for word, relations, wrong in spoken if not wrong and word != head]
            for pairs in [above] if price == np.inf else [[pair] for pair in above]:
                yield _without(rule, head, price, speaks, pairs, possible)


def _without(rule, head, price, speaks, pairs, possible):
    """The factor by which a head has none of some words as dependents: pairs of a word and relations."""
    others = np.array([word for word, _ in pairs], np.int64)
    classes = np.array([relations for _, relations in pairs], bool).reshape(len(others), possible.shape[2])
    classes = np.where(possible[head, others] & classes, np.int8(COUNTS), np.int8(NEITHER))
    return _spoken_of(Factor(rule, head, 0, 0.0, False, price, speaks, others, classes), possible)


def _spoken_of(factor, possible):
    """The factor without ``speaks`` if all possible arcs into its word are spoken of, without others if none is."""
    if factor.speaks is None:
        return factor
    into = possible[:, factor.word]
    if not (factor.speaks & into).any():
        return _replaced(factor, factor.speaks, factor.others[:0], factor.classes[:0], low=0)
    return factor if (into & ~factor.speaks).any() else _replaced(factor, None, factor.others, factor.classes)


def _replaced(factor, speaks, others, classes, low=None):
    low = factor.low if low is None else low
    return Factor(factor.rule, factor.word, low, factor.high, factor.given, factor.price, speaks, others, classes)


def _can_break(factor):
    """Whether some combination of classes breaks it."""
    counting = int(((factor.classes & COUNTS) > 0).any(axis=1).sum())
    if factor.given and not (factor.classes & SPEAKS).any():
        return False
    return factor.low > 0 or counting > factor.high


class _Dependents:
    """The classes of arcs to dependents, for one CountRule."""

    def __init__(self, arcs, rule):
        tests = (rule.dependent, *rule.exceptions, *([rule.given] if rule.given is not None else []))
        self.rule, self.fits = rule, np.array([arcs.fitting_items(test) for test in tests])  # (tests, n + 1)
        self.under = np.array([arcs.fitting(test.under) for test in tests])
        self.named = np.array([arcs.named(test.relations) for test in tests])  # (tests, R)

    def of(self, word, possible):
        """(words that may be dependents of another class than NEITHER, their classes by relation)."""
        holds = (self.fits & self.under[:, word, None])[:, :, None] & self.named[:, None, :]  # (tests, n + 1, R)
        exceptions = 1 + len(self.rule.exceptions)
        counts = holds[0] & ~holds[1:exceptions].any(axis=0)
        classes = counts * np.int8(COUNTS)
        if self.rule.given is not None:
            classes |= holds[-1] * np.int8(SPEAKS)
        classes = np.where(possible, classes, np.int8(NEITHER))
        classes[[0, word]] = NEITHER
        others = np.flatnonzero(classes.any(axis=1))
        return others, classes[others]


class FactorSolver:
    """The ``FirstSolver`` of factors: each finds its best combination of classes exactly.

    Attributes
    ----------
    factors : sequence of Factor
        A block each.
    factor_of : ndarray of shape (V,), dtype int64
        The factor of each decision.
    word_of : ndarray of shape (V,), dtype int64
        The word of whose arc it decides the class.
    head_of : ndarray of shape (V,), dtype int64
        The factor's own word.
    is_own : ndarray of shape (V,), dtype bool
        Whether these two are the same.

    Notes
    -----
    Outcome c of decision v is entry 4 v + c of the multipliers. A combination is allowed where the word is not spoken
    of, or no dependent makes the rule speak of it, or between low and high dependents count. The best of the three,
    each without the other conditions, is the best of all: in the last, the dependents that gain most by counting do.
    O(decisions log decisions) for those that are solved again.
    """

    def __init__(self, factors: Sequence[Factor], relations: int):
        self.factors = factors
        sizes = np.array([len(factor.others) + (factor.speaks is not None) for factor in factors], np.int64)
        self.offsets, count = offsets_of(sizes), int(sizes.sum())
        self.factor_of = np.repeat(np.arange(len(factors)), sizes)
        self.head_of = np.repeat(np.array([factor.word for factor in factors], np.int64), sizes)
        self.word_of, self.is_own = np.zeros(count, np.int64), np.zeros(count, bool)
        self.classes = np.zeros((count, relations), np.int8)
        for factor, begin, end in zip(factors, self.offsets, self.offsets[1:], strict=False):
            self.word_of[begin : begin + len(factor.others)] = factor.others
            self.classes[begin : begin + len(factor.others)] = factor.classes
            if factor.speaks is not None:
                self.word_of[end - 1], self.is_own[end - 1] = factor.word, True
        self.low = np.array([factor.low for factor in factors], np.int64)
        self.high = np.array([factor.high for factor in factors], float)
        self.price = np.array([factor.price for factor in factors], float)
        self.given = np.array([factor.given for factor in factors], bool)
        self.owns = np.array([factor.speaks is not None for factor in factors], bool)
        self._usual = self._possible_classes()
        self.choice, self.values = np.zeros(count, np.int64), np.zeros(len(factors))
        self.solution, self.solution_blocks = np.zeros(count, np.int32), self.factor_of

    def _possible_classes(self):
        """0 for the classes that a decision has, -inf for others; float64 (V, 4)."""
        usual = np.full((len(self.word_of), len(CLASSES)), -np.inf)
        usual[:, NEITHER] = 0.0
        for each in (COUNTS, SPEAKS, BOTH):
            usual[(self.classes == each).any(axis=1), each] = 0.0
        usual[self.is_own, SPEAKS] = 0.0
        return usual

    def possible(self, decision: int) -> list[int]:
        """The classes that a decision has."""
        return np.flatnonzero(self._usual[decision] == 0).tolist()

    def can_hold(self) -> bool:
        """Whether each factor allows some combination of classes, whatever the others say."""
        self.argmax(np.zeros(len(CLASSES) * len(self.word_of)), np.arange(len(self.factors)))
        return bool((self.values > -np.inf).all())

    def argmax(self, multipliers: np.ndarray, blocks: np.ndarray, preferred: np.ndarray | None = None) -> None:
        """The best combination of classes of each of some factors; see ``Solver``."""
        chosen, block = self._members(blocks)
        prices = multipliers.reshape(-1, len(CLASSES))[chosen] + self._usual[chosen]
        liked = (self.choice if preferred is None else preferred)[chosen] % len(CLASSES)
        problem = _Combinations(self, blocks, chosen, block, prices, liked)
        best, values = liked, problem.value(liked)
        for classes in (problem.unspoken(), problem.without_given(), problem.counting(), problem.free()):
            other = problem.value(classes)
            with np.errstate(invalid="ignore"):  # neither is allowed
                better = other > values + SAME * (1 + np.abs(other))
            values = np.where(better, other, values)
            best = np.where(better[block], classes, best)
        self.solution[chosen], self.values[blocks] = best, values
        self.choice[chosen] = len(CLASSES) * chosen + best

    def _members(self, blocks):
        """(the decisions of some factors, which of these factors each belongs to)."""
        sizes = np.diff(self.offsets)[blocks]
        block = np.repeat(np.arange(len(blocks)), sizes)
        return np.arange(len(block)) + np.repeat(self.offsets[blocks] - (np.cumsum(sizes) - sizes), sizes), block

    def value_at(self, choice: np.ndarray, blocks: np.ndarray) -> np.ndarray:
        """0 where classes are allowed, less the price of breaking a rule elsewhere; see ``FirstSolver``."""
        chosen, block = self._members(blocks)
        return np.where(self.allows(choice[chosen] % len(CLASSES), chosen, block, blocks), 0.0, -self.price[blocks])

    def allows(self, classes: np.ndarray, chosen: np.ndarray, block: np.ndarray, blocks: np.ndarray) -> np.ndarray:
        """bool (len(blocks),): whether classes of the ``chosen`` decisions break no rule, by their ``block``."""
        own, size = self.is_own[chosen], len(blocks)
        counted = np.bincount(block, ~own & ((classes & COUNTS) > 0), minlength=size)
        made = np.bincount(block, ~own & ((classes & SPEAKS) > 0), minlength=size) > 0
        spoken = ~self.owns[blocks] | (np.bincount(block, own & (classes == SPEAKS), minlength=size) > 0)
        spoken &= ~self.given[blocks] | made
        return ~spoken | ((counted >= self.low[blocks]) & (counted <= self.high[blocks]))

    def release(self, decisions: np.ndarray) -> None:
        """Not used: a law is not dropped, and what has a price may be broken."""
        raise WorkbenchError("rules that must hold are not released; use release=False")


class _Combinations:
    """The best classes of the decisions of some factors, case by case, under prices of classes.

    ``prices`` is (decisions, 4), -inf for classes that there are not; ``liked`` are classes favoured among equals.
    """

    def __init__(self, solver, blocks, chosen, block, prices, liked):
        self.solver, self.blocks, self.chosen, self.block = solver, blocks, chosen, block
        self.prices, self.liked, self.rows = prices, liked, np.arange(len(chosen))
        self.own = solver.is_own[chosen]

    def value(self, classes):
        """float64 (factors,): what classes are worth, less the price of a rule that they break."""
        paid = np.bincount(self.block, self.prices[self.rows, classes], minlength=len(self.blocks))
        allowed = self.solver.allows(classes, self.chosen, self.block, self.blocks)
        return paid - np.where(allowed, 0.0, self.solver.price[self.blocks])

    def free(self):
        """Each decision's best class."""
        return self._best(*CLASSES)

    def unspoken(self):
        """The word itself is not spoken of."""
        return np.where(self.own, NEITHER, self.free())

    def without_given(self):
        """No dependent makes the rule speak of the word."""
        return np.where(self.own, self.free(), self._best(NEITHER, COUNTS))

    def counting(self):
        """Between low and high dependents count: those that gain most by it."""
        count, rest = self._best(COUNTS, BOTH), self._best(NEITHER, SPEAKS)
        gain = self.prices[self.rows, count] - self.prices[self.rows, rest]
        gain[self.own] = -np.inf
        wanted = (self.liked & COUNTS) > 0
        order = np.lexsort((~wanted, -gain, self.block))
        begins = np.searchsorted(self.block, np.arange(len(self.blocks)))
        rank = np.empty(len(order), np.int64)
        rank[order] = self.rows - begins[self.block[order]]
        low, high = self.solver.low[self.blocks][self.block], self.solver.high[self.blocks][self.block]
        taken = (rank < low) | ((rank < high) & ((gain > 0) | ((gain == 0) & wanted)))
        taken &= gain > -np.inf
        return np.where(self.own, self.free(), np.where(taken, count, rest))

    def _best(self, *among):
        """The best class of each decision among some, the liked one of equals."""
        among = np.array(among)
        prices = self.prices[:, among]
        best = among[prices.argmax(axis=1)]
        is_liked = np.isin(self.liked, among) & (self.prices[self.rows, self.liked] >= prices.max(axis=1))
        return np.where(is_liked, self.liked, best)
