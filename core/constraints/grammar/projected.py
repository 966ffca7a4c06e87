"""Constraints above a parser, such as that of other languages: its trees turn where they break one.

Of all distributions over trees the nearest to the parser's that keeps the constraints is sought
(``core.parsers.projection``), so nothing is estimated. A constraint may pull an arc by so many nats only, since what is
stated can be wrong: by ``CONFIRMED`` times its weight, or by ``trust`` where it is a range whose weight nobody wrote.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import numpy as np

from core.callbacks import Cancel
from core.constraints.grammar.ruled import (
    LAW,
    RuledArcSums,
    RuleTarget,
    checked_shares,
    rule_targets,
    ruled_sums,
    scored_by,
)
from core.constraints.grammar.settings import CANCELLED, CONVERGED, MET, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.strains import MOST, Strains, covariances, fighting
from core.constraints.grammar.text import GrammarText
from core.constraints.grammar.trainer import NO_KNOWLEDGE, Knowledge
from core.constraints.language.constraint import Constraint, format_constraints
from core.constraints.matching.check import parse_constraints
from core.constraints.matching.matcher import Matcher
from core.errors import FormatError, WorkbenchError
from core.parsers.arc_factored import ArcFactoredParser
from core.parsers.confidence import Confidence
from core.parsers.decoding import Posterior, PosteriorParser
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.embedded import load_embedded
from core.parsers.optimize import STOPPED
from core.parsers.projection import ArcWeightSums, TreeProjection, cell
from core.parsers.protocols import Labeller
from core.parsers.punctuation_arcs import marks_between
from core.parsers.scores import ScoredWords
from core.parsers.universal.parser import UniversalParser
from core.parsers.weights import as_model, file_array, finite, load_arrays, save_arrays
from core.rules.counted import RuleChart
from core.rules.reading import parse_rules
from core.rules.rule import Rule, format_rules
from core.treebank import Treebank
from core.treebank.unpunctuated import restore_punctuation
from core.trees import PackedScores, inside_outside

KIND, PARSER, MULTIPLIERS, PRICES = "projected", "parser", "multipliers", "prices"
NO_PRICES = np.empty(0)
CONFIRMED = 0.5  # nats: the largest multiplier of a constraint of weight 1 that somebody confirmed
DISPUTED = 0.15  # how far from its range the parser's share is where a constraint at its bound is not simply obeyed
TOLERANCE = 1e-5  # nats a word from the best multipliers
MOST_REPORTS = 30
STAGE = "the nearest trees that keep the constraints"


class ProjectedParser(ArcFactoredParser):
    """A parser whose arcs weigh more or less by the constraints that match them.

    Parameters
    ----------
    parser : PosteriorParser
        p. It gives the trees their relations.
    constraints : sequence of C Constraint
    multipliers : ndarray of shape (C,), dtype float64
        In nats.
    column : {"xpos", "upos"}
        The tag column that the constraints speak of.
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    rules : sequence of J rules
        Over relations and several arcs. Its trees and relations are the best ones under them together; arc weights are
        then logarithms of the arcs' probabilities.
    prices : ndarray of shape (J,), dtype float64
        In nats: what a tree pays for each word where it breaks the rule.
    """

    def __init__(
        self, parser: PosteriorParser, constraints: Sequence[Constraint], multipliers: np.ndarray, column: str,
        price: float = 1.0, rules: Sequence[Rule] = (), prices: np.ndarray = NO_PRICES,
    ):  # fmt: skip
        self.parser, self.constraints, self.multipliers = parser, tuple(constraints), multipliers
        self.column, self.price = column, price
        self.rules, self.prices = tuple(rules), prices

    @property
    def labeller(self) -> Labeller | None:
        return self.labels or (self.parser if self.parser.labelled else None)

    @property
    def mean_multipliers(self) -> np.ndarray:
        """The multipliers, by the name that they have in a ``Grammar``."""
        return self.multipliers

    def unconstrained(self) -> Self:
        """The same parser as if nothing were stated."""
        return self.reweighted(np.zeros(len(self.multipliers)))._with(rules=(), prices=NO_PRICES)

    def with_cache(self) -> Self:
        """The same parser, whose networks read each sentence once, whatever the multipliers."""
        return self.over(self.parser.with_cache()) if isinstance(self.parser, UniversalParser) else self

    def over(self, parser: PosteriorParser) -> Self:
        """The same constraints and multipliers above another parser."""
        return self._with(parser=parser)

    def reweighted(self, factors: np.ndarray) -> Self:
        """The same parser, the multipliers times ``factors``, (C,)."""
        return self._with(multipliers=self.multipliers * factors)

    def arc_weights(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        arcs = self._constrained(treebank, threads)
        if not self.rules or not len(arcs):
            return arcs
        with np.errstate(divide="ignore"):
            marginals = self._ruled(treebank, threads).sums(arcs, self.prices).marginals
            return arcs.like(np.log(marginals.values))

    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        arcs = self._constrained(treebank, threads)
        if not self.rules:
            return lambda bonuses: inside_outside(arcs.like(arcs.values + bonuses), threads=threads)
        ruled = self._ruled(treebank, threads)

        def posterior(bonuses: np.ndarray) -> tuple[np.ndarray, PackedScores]:
            sums = ruled.sums(arcs.like(arcs.values + bonuses), self.prices)
            return sums.totals, sums.marginals

        return posterior

    def best_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        words = treebank.without_punctuation()
        if not self.rules or not len(words):
            return super().best_heads(treebank, threads)
        arcs = self._constrained(treebank, threads)
        return restore_punctuation(treebank, words, self._ruled(treebank, threads).best(arcs, self.prices)[1])

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the most probable one, and relations.

        Under rules both are chosen together, unless the relations are those of ``labels``.
        """
        if not self.rules or self.labels is not None or not len(treebank.without_punctuation()):
            return super().parse(treebank, threads)
        arcs, text = self._constrained(treebank, threads), scored_by(self.parser, treebank)
        _, heads, relations = RuleChart.of(text, self.rules, threads).best(arcs, self.prices)
        return text.in_text(heads, relations)

    def _ruled(self, treebank, threads):
        """The RuleChart of a text's words."""
        return RuleChart.of(scored_by(self.parser, treebank), self.rules, threads)

    def _constrained(self, treebank, threads):
        """Log-weights of arcs under the constraints, whatever the rules."""
        words = treebank.without_punctuation()
        if not len(words):
            return PackedScores.empty(words.lengths)
        arcs = self.parser.arc_weights(words, threads)
        bonuses = Matcher(words, self.column).match(self.constraints).scatter(self.multipliers)
        return arcs.like(arcs.values + bonuses - self.price * marks_between(treebank, words))

    def scored_words(self, treebank: Treebank) -> ScoredWords:
        """A text's words under the parser's trees, and the scores of all labelled trees of them, without its own rules.

        Raises WorkbenchError where the parser below does not score relations.
        """
        if self.labels is not None or not isinstance(self.parser, UniversalParser):
            raise WorkbenchError(
                "rules need a parser that scores relations below the constraints; take the universal one"
            )
        return self.parser.scored_words(treebank, self._constrained(treebank, None))

    def confidence(self, parsed: Treebank) -> Confidence:
        """How probable the heads of a text are under the constraints, and its relations under these heads."""
        return replace(super().confidence(parsed), labels=self.parser.confidence(parsed).labels)

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the parser to an ``.npz`` file, with the file of the one below in it. No pickle."""
        settings = {"lines": format_constraints(self.constraints), "column": self.column, "price": self.price}
        arrays = {PARSER: file_array(self.parser), MULTIPLIERS: self.multipliers, **self._own_arrays()}
        if self.rules:
            settings["rules"], arrays[PRICES] = format_rules(self.rules), self.prices
        save_arrays(path, KIND, settings, compressed=True, **arrays)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "ProjectedParser":
        """Read what ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required={PARSER: "u1", MULTIPLIERS: "f1"})
        with as_model(path):
            parser, constraints = load_embedded(arrays, PARSER), parse_constraints(settings["lines"])
            if not isinstance(parser, PosteriorParser) or settings["column"] not in ("xpos", "upos"):
                raise FormatError("the parser below its constraints is none; save it again")
            multipliers = arrays[MULTIPLIERS]
            if multipliers.shape != (len(constraints),) or not np.isfinite(multipliers).all():
                raise FormatError("its multipliers are not those of its constraints; save it again")
            rules, prices = parse_rules(settings.get("rules", "")), arrays.get(PRICES, NO_PRICES)
            if prices.shape != (len(rules),) or not (prices >= 0).all() or not np.isfinite(prices).all():
                raise FormatError("its prices are not those of its rules; save it again")
            loaded = cls(parser, constraints, multipliers, settings["column"], finite(settings["price"]), rules, prices)
            return loaded._with_own(arrays)


@dataclass(frozen=True)
class LeftOut:
    """Constraints that are left out together, since known trees speak against them (``judging``).

    Attributes
    ----------
    constraints : tuple of Constraint
    gain, error : float
        How many more heads are right without them, in points, and its standard error, from folds.
    """

    constraints: tuple[Constraint, ...]
    gain: float
    error: float

    @property
    def values(self) -> dict:
        """The same as JSON values, with the names of the constraints."""
        return {"constraints": [each.name for each in self.constraints], "gain": self.gain, "error": self.error}


@dataclass(frozen=True, eq=False, kw_only=True)
class ProjectionResult(GrammarResult):
    """How a ProjectedParser came about.

    Attributes
    ----------
    alone : ndarray of shape (C,)
        The share of each constraint under the parser alone.
    disputed : tuple of Constraint
        Those that may pull, at their largest multiplier, from whose range the parser's own share is more than 0.15 off.
    costs : ndarray of shape (C,)
        In nats: what each constraint adds to KL(q | p), to second order.
    fights : tuple of (Constraint, Constraint, float)
        Pairs that pull against each other, of which not both are met, and how hard, in nats.
    left_out : tuple of LeftOut
        Those of weight 0, whatever weight is written.
    rules : tuple of RuleTarget
    """

    alone: np.ndarray
    disputed: tuple[Constraint, ...]
    costs: np.ndarray
    fights: tuple[tuple[Constraint, Constraint, float], ...]
    left_out: tuple[LeftOut, ...] = ()
    rules: tuple[RuleTarget, ...] = ()

    @property
    def strains(self) -> Strains:
        """The constraints to look at."""
        names = [constraint.name for constraint in self.constraints]
        alone, costs = (dict(zip(names, values.tolist(), strict=True)) for values in (self.alone, self.costs))
        costliest = sorted(costs.items(), key=lambda cost: -cost[1])[:MOST]
        return Strains(
            {constraint.name: alone[constraint.name] for constraint in self.disputed},
            [(name, nats) for name, nats in costliest if nats > 0],
            [(one.name, other.name, nats) for one, other, nats in self.fights],
        )


def target_range(constraint: Constraint) -> tuple[float, float]:
    """The range that a constraint's target stands for above a parser: a number stands for its ``cell``."""
    return cell(constraint.low) if constraint.low == constraint.high else (constraint.low, constraint.high)


def largest_multiplier(constraint: Constraint, trust: float) -> float:
    """In nats; ``trust`` is that of a range whose weight nobody wrote."""
    unconfirmed = constraint.low < constraint.high and constraint.weight == 1 and not constraint.confirmed
    return constraint.weight * (trust if unconfirmed else CONFIRMED)


class Controls(NamedTuple):
    """How a projection runs: what it reports to, what may end it, on how many threads; as in ``train_grammar``."""

    progress: Callable[[GrammarProgress], object] | None = None
    cancel: Cancel | None = None
    threads: int | None = None


NO_CONTROLS = Controls()


def project(
    treebank: Treebank, constraints: Sequence[Constraint], settings: GrammarSettings, parser: PosteriorParser, *,
    known: Knowledge = NO_KNOWLEDGE, start: PosteriorParser | None = None, controls: Controls = NO_CONTROLS,
) -> ProjectionResult:  # fmt: skip
    """The nearest distribution over a text's trees to a parser's that keeps constraints, and rules if there are any.

    Parameters
    ----------
    treebank : Treebank
    constraints : sequence of Constraint
        Those that match nothing are left out; the result names them.
    settings : GrammarSettings
        ``tags``, ``trust``, ``price``, ``level`` and the longest of ``lengths`` are read, and with rules ``bound``.
    parser : PosteriorParser
        p, which knows the text's language. It may have learnt from trees.
    known : Knowledge
        Brackets, known heads and rules, as for ``train_grammar``.
    start : ProjectedParser, optional
        Its multipliers are where the ascent begins, constraint by constraint.
    controls : Controls

    Raises
    ------
    WorkbenchError : as ``train_grammar``; the parser cannot read the text's tags. With rules: it scores no relations,
        brackets hold as well, or a rule cannot be counted (``RuleChart.of``).

    Notes
    -----
    O(sum of n^3) an evaluation of the dual, about twenty of them. The same bits on any number of threads.
    """
    progress, cancel, threads = controls
    began, text = time.perf_counter(), GrammarText(treebank, settings, known.brackets, known.trees, threads)
    sentences, rules = text.sentences, known.rules
    matcher = Matcher(sentences.words, text.column)
    matched = np.array([coverage.pairs > 0 for coverage in matcher.counts(constraints)], bool)
    used, skipped = (_some(constraints, some) for some in (matched, ~matched))
    arcs = parser.arc_weights(sentences.words, threads)
    weights, targets = arcs.like(arcs.values + text.fixed), _targets(matcher, used, settings)
    if rules:
        shares, ruled = checked_shares(rules), _ruled(parser, text, rules, threads)
        sums = ruled_sums(weights, targets, ruled, shares, settings.bound)
        former = _former(start, used, rules, settings.bound)
    else:
        held = sentences.brackets if settings.level != "none" else None
        sums, former = ArcWeightSums(weights, targets, held, settings.level, threads), _multipliers(start, used)
    projection, count = TreeProjection(sums, former), len(used)
    status, trace = STOPPED, []
    for number in range(1, MOST_REPORTS + 1):
        is_best = projection.climb(TOLERANCE, cancel)
        multipliers = projection.point.multipliers
        model = ProjectedParser(
            parser, used, multipliers[:count], text.column, settings.price, tuple(rules), np.abs(multipliers[count:])
        )
        report = GrammarProgress(
            STAGE, number, 1.0 if is_best else number / MOST_REPORTS, projection.dual / sums.token_count,
            projection.point.expectations[:count], time.perf_counter() - began, model,
        )  # fmt: skip
        trace.append(replace(report, grammar=None))
        if progress:
            progress(report)
        status = CANCELLED if cancel and cancel() else CONVERGED if is_best else STOPPED
        if status != STOPPED:
            break
    gap, kept = projection.point.gap(sums.constraints) / sums.token_count, ()
    if isinstance(sums, RuledArcSums):
        kept = rule_targets(sums, projection.point)
    point, alone = _of_constraints(projection.point, count), projection.untrained.expectations[:count]
    outside = targets.distances(point.expectations) > MET
    at_bound = np.abs(point.multipliers) >= targets.limits
    disputed = at_bound & (targets.limits > 0) & (targets.distances(alone) > DISPUTED)
    return ProjectionResult(
        model, used, point.expectations, point.multipliers, projection.dual / sums.token_count, gap,
        _some(used, outside), skipped, text.crossing, text.untagged, {},
        status, trace, time.perf_counter() - began, alone=alone, disputed=_some(used, disputed),
        costs=0.5 * point.multipliers * targets.denominators * (point.expectations - alone),
        fights=_fights(used, targets, point, arcs, outside), rules=kept,
    )  # fmt: skip


def _targets(matcher, constraints, settings):
    """The PosteriorConstraints of constraints that match something."""
    ranges = np.array([target_range(constraint) for constraint in constraints]).reshape(-1, 2)
    return replace(
        PosteriorConstraints.of(matcher.match(constraints), 1.0),
        low=ranges[:, 0], high=ranges[:, 1],
        limits=np.array([largest_multiplier(constraint, settings.trust) for constraint in constraints]),
    )  # fmt: skip


def _ruled(parser, text, rules, threads):
    """The RuleChart of a GrammarText."""
    if text.settings.level != "none":
        raise WorkbenchError("rules are counted on trees without brackets; leave out the rules, or the brackets")
    return RuleChart.of(scored_by(parser, text.sentences.words), tuple(rules), threads)


def _former(start, constraints, rules, largest):
    """Where the ascent begins under rules: at an earlier parser's multipliers, a law at its largest price."""
    former, known = _multipliers(start, constraints), isinstance(start, ProjectedParser)
    former = np.zeros(len(constraints)) if former is None else former
    prices = dict(zip(start.rules, start.prices.tolist(), strict=True)) if known else {}
    of_rules = [-largest if share == LAW else -prices.get(rule, 0.0) for rule, share in rules.items()]
    return np.concatenate([former, of_rules])


def _of_constraints(point, count):
    """A DualPoint without the rules, which stand behind the constraints."""
    return replace(point, multipliers=point.multipliers[:count], expectations=point.expectations[:count])


def _fights(constraints, targets, point, arcs, unmet):
    """``ProjectionResult.fights`` at a DualPoint; ``arcs`` has the layout of the text."""
    sides = arcs.sides
    firsts = np.repeat(np.cumsum(sides) - sides, sides**2)
    within = np.arange(len(firsts)) - np.repeat(arcs.offsets[:-1], sides**2)
    covariance = covariances(targets, point.marginals, firsts + within % np.repeat(sides, sides**2))
    pairs = fighting(targets, point.multipliers, covariance, unmet)
    return tuple((constraints[i], constraints[j], nats) for i, j, nats in pairs)


def _some(constraints, chosen):
    return tuple(constraints[c] for c in np.flatnonzero(chosen).tolist())


def _multipliers(start, constraints):
    """The multipliers of an earlier parser by name, 0 for new constraints; None without one."""
    if not isinstance(start, ProjectedParser):
        return None
    names = (constraint.name for constraint in start.constraints)
    by_name = dict(zip(names, start.multipliers.tolist(), strict=True))
    return np.array([by_name.get(constraint.name, 0.0) for constraint in constraints])
