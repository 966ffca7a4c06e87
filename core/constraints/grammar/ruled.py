"""Rules as targets above a parser, beside constraints.

Rule r speaks of D_r words under the parser alone, in expectation. Its target is that at most (1 - share) D_r words
break it. The share is what somebody states of it: 1 for a law. Of all distributions over labelled trees the nearest to
the parser's whose expectations keep the targets is

    q(tree, relations) ~ p(tree, relations) exp(sum_c m_c n_c - sum_r t_r broken_r),

with the multipliers m_c of constraints and prices 0 <= t_r <= L. It is found by the dual ascent of
``core.parsers.dual_ascent``. There a rule is one more count, with the denominator (1 - share) D_r, the range 0..1 and
the multiplier -t_r. A law is approached as its price grows without end, so its denominator is 0 and its price L: a tree
with one breach less is e^L times as probable. A share just below 1 is no substitute: more than 99 % of words keep
``* has at most 1 nsubj`` under any parser.
Source: Ganchev et al. (2010), JMLR 11, sections 2 and 3, whose features are any functions of the tree, as long as their
expectations can be computed. druck2009, section 3.3, leaves constraints on several arcs open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import ConstraintError, WorkbenchError
from core.parsers.dmv.text import Expectations
from core.parsers.dual_ascent import DualPoint, Moments, PosteriorConstraints
from core.parsers.protocols import RelationScorer
from core.parsers.scores import ScoredWords
from core.rules.counted import RuleChart, RuledSums
from core.rules.reading import known_relations
from core.rules.rule import Rule, is_law
from core.treebank import Treebank
from core.trees import PackedScores

LAW = 1.0  # the share of a rule that holds without exception


@dataclass(frozen=True)
class RuleTarget:
    """A rule that was a target, and how far it is kept.

    Attributes
    ----------
    rule : CountRule or HeadRule
    words : float
        Of how many words of the text it speaks under the parser alone, in expectation.
    share : float
        At least so much of them should keep it.
    alone, kept : float
        The shares that keep it under the parser alone, and with all targets.
    price : float
        In nats: what a breach costs.
    """

    rule: Rule
    words: float
    share: float
    alone: float
    kept: float
    price: float

    @property
    def is_met(self) -> bool:
        """Whether it is kept as often as it should be; of a law, whether its price is the largest there is."""
        return self.share == LAW or self.kept >= self.share - 1e-3

    @property
    def values(self) -> dict[str, str | float | bool]:
        """All of it as JSON values, with ``met``."""
        return vars(self) | {"rule": self.rule.text, "met": self.is_met}


@dataclass(frozen=True, eq=False)
class RuledArcSums:
    """The PosteriorSums of trees whose arcs have log-weights, and whose breaches of rules have prices.

    Parameters
    ----------
    weights : PackedScores
        In nats; -inf forbids an arc.
    constraints : PosteriorConstraints
        Those of arcs; behind them a row for each of J rules, which has no arcs.
    text : RuleChart
    shares : ndarray of shape (J,), dtype float64
        Of the words of which each rule speaks at least so many should keep it.
    untrained : RuledSums
        Without multipliers and prices.
    """

    weights: PackedScores
    constraints: PosteriorConstraints
    text: RuleChart
    shares: np.ndarray
    untrained: RuledSums

    @property
    def token_count(self) -> int:
        return int((self.weights.sides - 1).sum())

    def moments(self, grammar: None, multipliers: np.ndarray) -> Moments:
        """The Moments of q; the variances of breaches are as if these were rare and independent."""
        first, sums = len(multipliers) - len(self.shares), self.untrained
        if multipliers.any():
            weights = self.weights.like(self.weights.values + self.constraints.log_weights(multipliers))
            sums = self.text.sums(weights, -multipliers[first:])
        counted = self.constraints.moments(sums.marginals.values)
        mass, variances = (np.concatenate([values[:first], sums.broken]) for values in counted)
        none = np.empty(0)
        arcs = Expectations(sums.totals, sums.marginals.values, none, none)
        return Moments(float(sums.totals.sum()), mass, variances, arcs=arcs)


def ruled_sums(
    weights: PackedScores, constraints: PosteriorConstraints, text: RuleChart, shares: np.ndarray, largest: float
) -> RuledArcSums:
    """The RuledArcSums of constraints and of rules with shares, (J,), and prices of at most ``largest`` nats."""
    untrained, ones = text.sums(weights, np.zeros(len(shares))), np.ones(len(shares))
    rows = {"denominators": (1 - shares) * untrained.spoken, "low": 0 * ones, "high": ones, "limits": largest * ones}
    joined = {name: np.concatenate([getattr(constraints, name), values]) for name, values in rows.items()}
    return RuledArcSums(weights, replace(constraints, **joined), text, shares, untrained)


def rule_targets(sums: RuledArcSums, point: DualPoint) -> tuple[RuleTarget, ...]:
    """The RuleTargets at a point of the dual."""
    first, words = len(point.multipliers) - len(sums.shares), sums.untrained.spoken
    kept, alone = (
        1 - np.divide(broken, words, out=np.zeros(len(words)), where=words > 0)
        for broken in (point.moments.mass[first:], sums.untrained.broken)
    )
    columns = words, sums.shares, alone, kept, np.abs(point.multipliers[first:])
    rows = zip(sums.text.rules, *(column.tolist() for column in columns), strict=True)
    return tuple(RuleTarget(*row) for row in rows)


def target_shares(rules: Sequence[Rule], names: Sequence[str]) -> dict[Rule, float]:
    """Rules as they were written as targets: the share of words that should keep each, 1 for a law.

    ``names`` are the relations of the parser below. Raises ConstraintError for a relation that neither UD nor the
    parser has, and for a rule with a price and no share.
    """
    known_relations(rules, names)
    for rule in rules:
        if rule.share is None and not is_law(rule):
            raise ConstraintError(
                f"{rule.text} has a price, and training asks for a share; end it with one, as in = 0.9"
            )
    return {rule: LAW if rule.share is None else rule.share for rule in rules}


def checked_shares(rules: Mapping[Rule, float]) -> np.ndarray:
    """float64 (J,): the shares of rules. Raises WorkbenchError for what is none."""
    for rule, share in rules.items():
        if not 0 < share <= LAW:
            raise WorkbenchError(f"{rule.text}: the share of words that keep it must be above 0 and at most 1: {share}")
    return np.array([*rules.values()], float)


def scored_by(parser: object, treebank: Treebank) -> ScoredWords:
    """A text's words and the relations of their arcs. Raises WorkbenchError for a parser that does not score these."""
    if not isinstance(parser, RelationScorer):
        raise WorkbenchError("rules need a parser that scores relations below the constraints; take the universal one")
    return parser.scored_words(treebank)
