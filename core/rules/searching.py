"""The best labelled tree that keeps rules: a best-first search over arcs and relations that are forbidden.

What is maximised is F(heads) plus, for each arc, how much the score of its relation is below that of the arc's best
one. Without rules the decoder's own tree under each arc's best relation is best. Where the best tree breaks a rule, the
trees are divided: each part forbids some arcs, or some relations of arcs, so that together the parts hold every tree
that does not break the rule at this word. A part's value bounds all its trees, so the first tree that breaks no rule is
the best of all. A rule with a price may also be broken at a word, which is a part of its own. A search that has to end
leaves parts open: then dual decomposition gives a bound on all trees.

n is the number of words and node 0 is the root; R relations have names.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from core.parsers.scores import LabelledScores
from core.rules.arcs import LabelledArcs, RuleArcs, labelled_values
from core.rules.checking import Breach, RuleTree, RuleWords, breaches
from core.rules.decomposing import decompose_values
from core.rules.given import GivenArc
from core.rules.rule import CountRule, Rule

DECODINGS = 300  # of one sentence at most
FEWEST = 1e6  # the price of a breach where no tree keeps all rules: fewer breaches before higher scores


@dataclass(frozen=True, eq=False)
class RuledTree:
    """A tree that was sought under rules.

    Attributes
    ----------
    heads : ndarray of shape (n + 1,), dtype int32
    relations : list of str
        "" of the root.
    value : float
        Of the tree, less the prices of its breaches; in the scores' units.
    bound : float
        No tree has a greater value. The tree is proved best where it has this value.
    decodings : int
        How many trees were decoded.
    breaches : tuple of Breach
        Where it breaks rules nevertheless.
    keeps_laws : bool
        Whether it breaks no rule without a price. One that does was the best found when the search ended.
    rounds : int
        Of dual decomposition, where the search had to end; each decodes a tree too.
    """

    heads: np.ndarray
    relations: list[str]
    value: float
    bound: float
    decodings: int
    breaches: tuple[Breach, ...]
    keeps_laws: bool = True
    rounds: int = 0

    @property
    def certified(self) -> bool:
        """Whether it is proved best."""
        return self.keeps_laws and self.value >= self.bound

    @property
    def gap(self) -> float:
        """By how much the best tree that keeps the rules may be better, at most."""
        return max(0.0, self.bound - self.value)


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the trees: those without what is forbidden, which may break rules where that is accepted."""

    banned: tuple[LabelledArcs, ...] = ()
    accepted: frozenset[tuple[Rule, int]] = frozenset()


@dataclass(eq=False)
class _Decoded:
    """The best tree of a part, and its value with what the part has accepted paid, which bounds the part's trees.

    What it breaks is looked up where it is asked for: most parts are never opened.
    """

    part: _Part
    tree: RuleTree
    value: float
    rules: Sequence[Rule]
    prices: Mapping[Rule, float]

    @cached_property
    def broken(self) -> list[Breach]:
        """Breaches that were not accepted."""
        accepted = self.part.accepted
        return [breach for breach in breaches(self.rules, self.tree) if (breach.rule, breach.word) not in accepted]

    @property
    def laws(self) -> int:
        """How many of them have no price."""
        return sum(breach.rule not in self.prices for breach in self.broken)

    @property
    def net(self) -> float:
        """The value with all prices paid."""
        return self.value - sum(self.prices.get(breach.rule, 0.0) for breach in self.broken)

    @property
    def rank(self) -> tuple[int, float]:
        return -self.laws, self.net


def best_ruled(
    words: RuleWords | RuleTree, scores: LabelledScores, rules: Sequence[Rule],
    prices: Mapping[Rule, float] | None = None, most: int = DECODINGS, *,
    given: Sequence[GivenArc] = (), excused: frozenset[tuple[Rule, int]] = frozenset(),
) -> RuledTree | None:  # fmt: skip
    """The best tree of a sentence that keeps rules.

    Parameters
    ----------
    words : RuleWords or RuleTree
        Of a tree that breaks a rule: the search divides all trees by it first, in place of decoding the best of all.
    scores : LabelledScores
    rules : sequence of CountRule or HeadRule
    prices : mapping of rule to float, optional
        What breaking a rule costs at each word where it is broken; rules without a price are not broken.
    most : int
        Decodings after which the search ends. Dual decomposition then bounds all trees, and may find a better one. Of
        all trees that were found it is the one that breaks the fewest laws, then the best.
    given : sequence of GivenArc
        What every tree has.
    excused : frozenset of (rule, int)
        Words at which a rule may be broken for nothing. The search then ends without dual decomposition.

    Returns
    -------
    RuledTree or None
        None where no tree with the given arcs keeps the rules that have no price.

    Notes
    -----
    One decoding where the best tree keeps all rules. Else two to n for each breach where the search never turns back.
    """
    broken = words if isinstance(words, RuleTree) else None
    search = _Search(broken.words if broken else words, scores, rules, prices or {}, given, excused)
    every = _Part(accepted=excused)
    if broken is None:
        search.decode(every)
    else:
        search.divide(every, next(breaches(rules, broken)), broken)
    while search.queue:
        value, _, decoded = heappop(search.queue)
        if not decoded.broken:
            return search.result(decoded, -value)
        if search.decodings >= most:
            return search.bounded(-value)
        search.divide(decoded.part, decoded.broken[0], decoded.tree)
    return None


def fewest_breaches(
    words: RuleWords, scores: LabelledScores, rules: Sequence[Rule], most: int = DECODINGS, *,
    prices: Mapping[Rule, float] | None = None, given: Sequence[GivenArc] = (),
) -> RuledTree | None:  # fmt: skip
    """The best of the trees that break rules without a price at the fewest words; None where there is no tree at all.

    ``prices`` and ``given`` as ``best_ruled`` has them.
    """
    every = dict.fromkeys(rules, FEWEST) | dict(prices or {})
    tree = best_ruled(words, scores, rules, every, most, given=given)
    if tree is None:
        return None
    paid = FEWEST * sum(breach.rule not in (prices or {}) for breach in tree.breaches)
    return replace(tree, value=tree.value + paid, bound=tree.bound + paid)


def clashing(
    words: RuleWords, scores: LabelledScores, rules: Sequence[Rule], most: int = DECODINGS,
    given: Sequence[GivenArc] = (),
) -> list[Rule | GivenArc]:  # fmt: skip
    """Rules and given arcs that no tree has together, while some tree has all but any one; [] where one has all.

    Those that come last are left out first, given arcs before rules. A search for each.
    """

    def clash(some: Sequence[Rule | GivenArc]) -> bool:
        arcs = [each for each in some if isinstance(each, GivenArc)]
        laws = [each for each in some if not isinstance(each, GivenArc)]
        return best_ruled(words, scores, laws, most=most, given=arcs) is None

    kept: list[Rule | GivenArc] = [*rules, *given]
    if not clash(kept):
        return []
    for each in reversed(kept):
        others = [other for other in kept if other is not each]
        if clash(others):
            kept = others
    return kept


class _Search:
    """The parts of a sentence's trees, and their best trees.

    Attributes
    ----------
    queue : list of (float, int, _Decoded)
        The parts that are open, a heap: less the bound of each, and a number that breaks ties.
    decodings : int
    """

    def __init__(self, words, scores, rules, prices, given, excused):
        self.words, self.scores, self.rules, self.prices, self.excused = words, scores, rules, prices, excused
        self.arcs = RuleArcs(words, scores.names)
        always = [ban for rule in rules if rule not in prices for ban in self.arcs.forbidden(rule, excused)]
        always += [ban for arc in given for ban in self.arcs.around(arc)]
        self.values = labelled_values(scores, always)
        self.queue: list[tuple[float, int, _Decoded]] = []
        self.decodings = 0
        self._found, self._seen = [], set()

    def decode(self, part: _Part) -> None:
        """Put a part with its best tree among those that are open, if it has one that was not decoded before."""
        self.decodings += 1
        values = self._left(self.values, part)
        same = np.packbits(values > -np.inf).tobytes(), part.accepted
        if same in self._seen:
            return
        self._seen.add(same)
        found = self._best_tree(values)
        if found is not None:
            value = found[0] - sum(self.prices[rule] for rule, _ in part.accepted - self.excused)
            self._open(part, value, *found[1:])

    def divide(self, part: _Part, breach: Breach, tree: RuleTree) -> None:
        """Decode the parts of a part that together have all its trees but those with a breach, as this tree has it."""
        for smaller in self.parts(part, breach, tree):
            self.decode(smaller)

    def bounded(self, bound: float) -> RuledTree | None:
        """What the search and dual decomposition found, under the lesser of their bounds; None where there is none."""
        found = self._found
        if self.excused:  # factors excuse no word
            return self.result(max(found, key=lambda decoded: decoded.rank), bound)
        run = decompose_values(self.arcs, self.values, self.scores.decode, self.rules, self.prices)
        if run.bound == -np.inf:
            return None
        if run.tree is not None:
            accepted = frozenset((breach.rule, breach.word) for breach in breaches(self.rules, run.tree))
            found = [*found, _Decoded(_Part(accepted=accepted), run.tree, run.value, self.rules, self.prices)]
        return self.result(max(found, key=lambda decoded: decoded.rank), min(bound, run.bound), run.rounds)

    def _open(self, part, value, heads, relations):
        names = ["", *(self.scores.names[number] for number in relations.tolist())]
        decoded = _Decoded(part, RuleTree(self.words, heads.tolist(), names), value, self.rules, self.prices)
        heappush(self.queue, (-value, len(self._found), decoded))
        self._found.append(decoded)

    def _left(self, values, part):
        """Values of labelled arcs without what a part forbids."""
        values = values.copy()
        for heads, modifiers, relations in part.banned:
            values[np.ix_(heads, modifiers, relations)] = -np.inf
        return values

    def _best_tree(self, values):
        """(value, heads, relations of the words by number) of the best tree; None where there is none."""
        value, heads = self.scores.decode(values.max(axis=2))
        if not value > -np.inf:
            return None
        return value, heads, values[heads[1:], np.arange(1, len(heads))].argmax(axis=1)

    def result(self, decoded: _Decoded, bound: float, rounds: int = 0) -> RuledTree:
        """A RuledTree of what was decoded."""
        tree, every = decoded.tree, tuple(breaches(self.rules, decoded.tree))
        heads, keeps_laws = np.array(tree.heads, np.int32), not decoded.laws
        if keeps_laws:
            bound = max(bound, decoded.net)  # they may differ by rounding
        relations = list(tree.relations)
        return RuledTree(heads, relations, decoded.net, bound, self.decodings, every, keeps_laws, rounds)

    def parts(self, part: _Part, breach: Breach, tree: RuleTree) -> Iterator[_Part]:
        """Parts that together have every tree of a part that does not break a rule at a word."""
        ways = self._of_count if isinstance(breach.rule, CountRule) else self._of_head
        for bans in ways(breach.rule, breach, tree):
            yield _Part((*part.banned, *bans), part.accepted)
        if breach.rule in self.prices:
            yield _Part(part.banned, part.accepted | {(breach.rule, breach.word)})

    def _of_count(self, rule, breach, tree):
        """Bans of each part, where a word has too many or too few dependents of a kind."""
        word = breach.word
        if rule.word.relations or rule.word.under is not None:  # another relation or head of the word itself
            yield [self.arcs.into(rule.word, word)]
        if rule.given is not None:  # no dependent that makes the rule speak of it
            yield [self.arcs.counted(rule.given, (), word, other) for other in self._others(word)]
        if rule.high is not None and len(breach.others) > rule.high:
            yield from self._divided(rule, word, breach.others[: rule.high + 1], counts=False)
        else:
            others = [other for other in self._others(word) if other not in breach.others]
            yield from self._divided(rule, word, others, counts=True)

    def _divided(self, rule, word, others, counts):
        """Bans of parts without a tree in common, by the first of some words that counts, or does not."""
        before = []
        for other in others:
            ban = self.arcs.counted(rule.dependent, rule.exceptions, word, other)
            if not ban.relations.any():
                continue
            elsewhere = LabelledArcs(~ban.heads, ban.modifiers, self.arcs.any_relation())
            made, unmade = [elsewhere, ban._replace(relations=~ban.relations)], [ban]
            yield [*before, *(made if counts else unmade)]
            before += unmade if counts else made

    def _of_head(self, rule, breach, tree):
        """Bans of each part, where the head of a word is none that a rule allows."""
        word, head = breach.word, breach.others[0]
        ban = self.arcs.into(rule.word, word)
        if self.arcs.is_wrong(rule, word, head):
            yield [ban._replace(heads=ban.heads & self.arcs.wrong_heads(rule, word))]
            return
        yield [ban._replace(heads=ban.heads & self.arcs.only(head))]
        above = ~self.arcs.fitting(rule.head.under)
        yield [LabelledArcs(above, self.arcs.only(head), self.arcs.any_relation())]

    def _others(self, word):
        return (other for other in range(1, len(self.words)) if other != word)
