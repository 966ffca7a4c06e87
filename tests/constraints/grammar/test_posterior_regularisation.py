"""Posterior regularisation against the list of all trees: dual value, slopes, expectations, optimum."""

import numpy as np
import pytest

from core.constraints import Matcher, parse_constraints
from core.constraints.grammar.posterior_regularisation import TextSums
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import TaggedText, expect
from core.parsers.dual_ascent import DualAscent, PosteriorConstraints
from core.trees.brackets import LEVELS, Bracket, PackedBrackets
from tests.constraints.banks import slope_along, tagged
from tests.filled import filled
from tests.oracles import brackets as bracket_oracle
from tests.oracles import dmv, posterior, trees

TEXT = """A <- B = 0.9
ROOT -> B per head = 0.5..0.7
B -> C dist 1 = 0.25 weight 2
* -- C per modifier = 0.0..0.3
"""
SENTENCES = ("ABC", "B", "CABAB", "BCA", "ABBC")


class Case:
    """Some sentences, lines, brackets and fixed weights, for ours and for the oracle."""

    def __init__(self, seed, level="none", bound=6.0):
        rng = np.random.default_rng(seed)
        treebank = tagged(*SENTENCES)
        matches = Matcher(treebank, "xpos").match(parse_constraints(TEXT))
        self.lines = PosteriorConstraints.of(matches, bound)
        self.parameters = dmv.random_parameters(3, rng, extended=True)
        self.fixed = rng.normal(size=self.lines.size)
        spans = [bracket_oracle.all_brackets(len(tags))[:1] if level != "none" else [] for tags in SENTENCES]
        packed = PackedBrackets.from_lists([[Bracket(*span) for span in some] for some in spans])
        tags = np.concatenate([[0, *("ABC".index(tag) for tag in tags)] for tags in SENTENCES]).astype(np.int32)
        self.text = TaggedText(tags, treebank.offsets, packed, LEVELS.index(level))
        self.sentences, at = [], matches.arc_offsets
        for i, tags in enumerate(SENTENCES):
            side = len(tags) + 1
            candidates = np.zeros((4, side * side))
            for c in range(4):
                own = matches.of(c)
                candidates[c, own[(own >= at[i]) & (own < at[i + 1])] - at[i]] = 1
            listed = bracket_oracle.keep(trees.trees(len(tags), True, True), spans[i], level) if spans[i] else None
            fixed = self.fixed[at[i] : at[i + 1]].reshape(side, side)
            numbers = np.array(["ABC".index(tag) for tag in tags])
            self.sentences.append((numbers, fixed, candidates.reshape(4, side, side), listed))

    def oracle(self, multipliers):
        """(dual, expectations, KL) of the oracle."""
        lines = self.lines.denominators, self.lines.low, self.lines.high
        return posterior.dual(self.sentences, self.parameters, multipliers, lines)

    def ascent(self):
        return self.ascent_of(self.lines)

    def ascent_of(self, lines):
        return DualAscent(TextSums(self.text, lines, self.fixed), lines)

    @property
    def events(self):
        return Events(*self.parameters)

    def base(self):
        """log Z_0."""
        return expect(self.text, self.events, bonus=np.exp(self.fixed)).log_likelihoods.sum()


@pytest.mark.parametrize("level", LEVELS)
def test_the_dual_its_expectations_and_its_gap_match_enumeration(level):
    case, multipliers = Case(1, level), np.array([1.5, -0.7, 0.0, 2.0])
    point = case.ascent().point(case.events, multipliers)
    value, expectations, divergence = case.oracle(multipliers)
    assert point.value + case.base() == pytest.approx(value)
    np.testing.assert_allclose(point.expectations, expectations, atol=1e-9)
    penalty = case.lines.limits @ (case.lines.denominators * case.lines.distances(expectations))
    assert point.gap(case.lines) == pytest.approx(divergence + penalty - value)


@pytest.mark.parametrize("level", LEVELS)
def test_arc_marginals_and_counts_are_those_of_the_enumerated_q(level):
    case, multipliers = Case(4, level), np.array([1.5, -0.7, 0.4, -2.0])
    point = case.ascent().point(case.events, multipliers)
    found, added = point.moments.arcs, case.ascent().sums.count(point.moments, case.events)
    assert not len(point.without_events().moments.arcs.nearest) and point.without_events().value == point.value
    counts = [np.zeros_like(part) for part in case.parameters]
    for i, (tags, fixed, candidates, listed) in enumerate(filled(case.sentences)):
        bonus = np.exp(fixed + np.tensordot(multipliers, candidates, 1))
        marginals = dmv.arc_marginals(tags, case.parameters, bonus, listed)
        own = found.marginals[case.text.arcs[i] : case.text.arcs[i + 1]]
        np.testing.assert_allclose(own.reshape(marginals.shape), marginals, atol=1e-9)
        log_likelihood, expected = dmv.expected_counts(tags, case.parameters, listed, bonus)
        assert found.log_likelihoods[i] == pytest.approx(log_likelihood)
        for total, part in zip(counts, expected, strict=True):
            total += part
    for ours, listed in zip(added.arrays, counts, strict=True):
        np.testing.assert_allclose(ours, listed, atol=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_slopes_are_the_derivative_of_the_enumerated_dual(level):
    case, multipliers = Case(2, level), np.array([1.5, -0.7, 0.4, -2.0])
    slopes = case.lines.slopes(multipliers, case.oracle(multipliers)[1])
    for slope, one in filled(zip(slopes, np.eye(4), strict=True)):
        assert slope == pytest.approx(slope_along(case.oracle, multipliers, one), abs=1e-6)


def test_at_zero_a_line_within_its_range_stays_and_one_outside_moves_towards_it():
    case = Case(3)
    expectations = np.array([0.5, 0.6, 0.25, 0.9])  # targets 0.9, 0.5..0.7, 0.25, 0.0..0.3
    slopes = case.lines.slopes(np.zeros(4), expectations)
    assert slopes[0] > 0 and slopes[1] == 0 and slopes[2] == 0 and slopes[3] < 0


@pytest.mark.parametrize("seed", range(4))
def test_the_ascent_ends_at_the_maximum_with_every_line_met_or_at_its_bound(seed):
    case = Case(seed, bound=3.0)
    ascent = case.ascent()
    point = ascent.climb(case.events, 400)
    assert point.gap(case.lines) == pytest.approx(0.0, abs=1e-3)
    rng = np.random.default_rng(seed)
    for _ in range(20):  # concave: no point nearby is higher
        other = np.clip(point.multipliers + 0.05 * rng.normal(size=4), -case.lines.limits, case.lines.limits)
        assert case.oracle(other)[0] <= case.oracle(point.multipliers)[0] + 1e-4
    free = np.abs(point.multipliers) < case.lines.limits
    assert (case.lines.distances(point.expectations)[free] < 0.01).all()


def test_a_line_that_matches_nothing_in_these_sentences_leaves_the_others_as_they_are():
    case = Case(3)
    matches = Matcher(tagged(*SENTENCES), "xpos").match(parse_constraints(TEXT + "Z -> A = 0.5"))
    more = PosteriorConstraints.of(matches, 6.0)
    found, plain = (each.climb(case.events, 20) for each in (case.ascent_of(more), case.ascent()))
    np.testing.assert_array_equal(found.multipliers, [*plain.multipliers, 0.0])
    assert found.value == plain.value and np.any(plain.multipliers != 0)


def test_an_ascent_never_ends_lower_than_it_began():
    case = Case(5)
    ascent, value = case.ascent(), -np.inf
    for _ in range(6):
        point = ascent.climb(case.events, 2)
        assert point.value >= value - 1e-9
        value = point.value
