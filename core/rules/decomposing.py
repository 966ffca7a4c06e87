"""The best labelled tree that keeps rules by dual decomposition, with a bound on all others.

Let v(y) be the value of a labelled tree y. Each factor f of a rule gives 0 where it is kept. Where it is broken it
gives less its price, or minus infinity. A factor sees of the arc into word m only a class, c_f(y_m). With a price
u[f, m, c] of each class,

    L(u) = sum over f of max_z (f(z) + sum over m of u[f, m, z_m])
           + max_y (v(y) - sum over f, m of u[f, m, c_f(y_m)])

is never below the value of the best tree that keeps the rules: for it, the prices on both sides cancel.
The second line is decoding: prices of classes are prices of arcs and relations, and each arc takes its best remaining
relation. Where the tree and all factors choose the same classes, the tree keeps the rules and L(u) is its value, which
proves it the best. Sources: rush2012 section 6; Koo, Rush, Collins, Jaakkola & Sontag (2010), D10-1125.

n is the number of words and node 0 is the root; R relations have names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.decomposition import Agreement, DualResult, DualSettings, dual_decomposition
from core.parsers.scores import Decode, LabelledScores
from core.rules.arcs import RuleArcs, labelled_values
from core.rules.checking import RuleTree, RuleWords
from core.rules.factors import CLASSES, NEITHER, SPEAKS, FactorSolver, factors_of
from core.rules.rule import Rule

ROUNDS = 200
STEP = 1.0  # the first one, in units of the scores
SETTINGS = DualSettings(step=STEP, iterations=ROUNDS, release=False, decay="decision")


@dataclass(frozen=True, eq=False)
class DecomposedTree:
    """The best tree that a run of dual decomposition found, and what it proves.

    Attributes
    ----------
    tree : RuleTree or None
        The best of those that were found and break no rule without a price; None where none was.
    value : float
        Of the tree, less the prices of its breaches; minus infinity without one.
    bound : float
        No tree that keeps the rules has a greater value; minus infinity where there is none.
    factors : FactorSolver
    result : DualResult or None
        The run, with its trace; None where a rule alone, or what is forbidden, leaves no tree.
    arcs : RuleArcs
        Of the sentence.
    """

    tree: RuleTree | None
    value: float
    bound: float
    factors: FactorSolver
    result: DualResult | None
    arcs: RuleArcs

    @property
    def rounds(self) -> int:
        """How many trees were decoded."""
        return 0 if self.result is None else self.result.state.iteration

    @property
    def certified(self) -> bool:
        """Whether the tree is proved best."""
        return self.tree is not None and self.value >= self.bound

    @property
    def gap(self) -> float:
        """By how much a better tree could be better, at most; 0 where certified."""
        return max(0.0, self.bound - self.value)


def decompose(
    words: RuleWords, scores: LabelledScores, rules: Sequence[Rule], prices: Mapping[Rule, float] | None = None,
    settings: DualSettings = SETTINGS,
) -> DecomposedTree:  # fmt: skip
    """The best labelled tree of a sentence that keeps rules, by prices on which trees and rules agree.

    Parameters
    ----------
    words, scores, rules, prices
        As ``best_ruled`` has them.
    settings : DualSettings
        Without release: laws stay.

    Returns
    -------
    DecomposedTree

    Notes
    -----
    Each round decodes once, O(n^2 * R) beside, and solves the factors whose prices moved. What rules without a price
    forbid of single arcs is forbidden before, without a search.
    """
    prices, arcs = prices or {}, RuleArcs(words, scores.names)
    values = labelled_values(scores, (ban for rule in rules if rule not in prices for ban in arcs.forbidden(rule)))
    return decompose_values(arcs, values, scores.decode, rules, prices, settings=settings)


def decompose_values(
    arcs: RuleArcs, values: np.ndarray, decode: Decode, rules: Sequence[Rule], prices: Mapping[Rule, float], *,
    settings: DualSettings = SETTINGS,
) -> DecomposedTree:  # fmt: skip
    """``decompose`` under values of labelled arcs, (n + 1, n + 1, R), -inf where forbidden, given by any caller."""
    factors = FactorSolver(list(factors_of(arcs, values, rules, prices)), values.shape[2])
    trees = _TreeSolver(factors, values, decode)
    count = len(factors.word_of)
    if not factors.can_hold() or not trees.decode(values):
        return DecomposedTree(None, -np.inf, -np.inf, factors, None, arcs)
    owner = np.repeat(np.arange(count), len(CLASSES)).astype(np.int32)
    agreement = Agreement(factors.factor_of, np.zeros(count, np.int64), owner)
    result = dual_decomposition(factors, trees, agreement, settings)
    found = result.primal > -np.inf
    bound = result.primal if found and result.is_certified else result.dual
    tree = tree_of(result.solution, arcs) if found else None
    return DecomposedTree(tree, result.primal, bound, factors, result, arcs)


def tree_of(solution: np.ndarray, arcs: RuleArcs) -> RuleTree:
    """The RuleTree of a solution of a run: heads (n + 1,), then numbers of relations (n + 1,)."""
    heads, relations = np.split(solution, 2)
    named = [str(arcs.names[number]) for number in relations[1:].tolist()]
    return RuleTree(arcs.words, heads.tolist(), ["", *named])


class _TreeSolver:
    """The ``Solver`` that decodes: one block, the sentence."""

    def __init__(self, factors, values, decode):
        self.factors, self._values, self._decode = factors, values, decode
        size = len(values)
        self.modifiers = np.arange(1, size)
        self.values, self.choice = np.zeros(1), np.zeros(len(factors.word_of), np.int64)
        self.solution, self.solution_blocks = np.full(2 * size, -1, np.int32), np.zeros(2 * size, np.int64)
        self._owns = np.flatnonzero(factors.is_own)

    def argmax(self, multipliers, blocks, preferred=None):
        """Decode under values + multipliers; see ``Solver``."""
        if not len(blocks):
            return
        factors, paid, prices = self.factors, self._values.copy(), multipliers.reshape(-1, len(CLASSES))
        moved = np.flatnonzero((prices != 0).any(axis=1))
        own = factors.is_own[moved]
        others = moved[~own]
        added = np.take_along_axis(prices[others], factors.classes[others].astype(np.int64), axis=1)
        np.add.at(paid, (factors.head_of[others], factors.word_of[others]), added - prices[others, NEITHER, None])
        for decision in moved[own].tolist():
            factor = factors.factors[factors.factor_of[decision]]
            paid[:, factor.word][factor.speaks] += prices[decision, SPEAKS] - prices[decision, NEITHER]
        self.decode(paid)
        self.values[0] += prices[moved, NEITHER].sum()

    def decode(self, values):
        """Take over the best tree under values of labelled arcs; whether there is one."""
        value, heads = self._decode(values.max(axis=2))
        self.values[0] = value
        if not value > -np.inf:
            return False
        relations = values[heads[1:], self.modifiers].argmax(axis=1)
        size = len(heads)
        self.solution[:size], self.solution[size + 1 :] = heads, relations
        self.choice[:] = len(CLASSES) * np.arange(len(self.choice)) + self._classes(heads, self.solution[size:])
        return True

    def _classes(self, heads, relations):
        """int64 (V,): the class of each decision in a tree."""
        words = self.factors.word_of
        rows = np.arange(len(words))
        classes = np.where(heads[words] == self.factors.head_of, self.factors.classes[rows, relations[words]], NEITHER)
        for decision in self._owns.tolist():
            factor = self.factors.factors[self.factors.factor_of[decision]]
            spoken = factor.speaks[heads[factor.word], relations[factor.word]]
            classes[decision] = SPEAKS if spoken else NEITHER
        return classes
