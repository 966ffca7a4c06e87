"""Shared candidates, contradictions and attainable shares against enumeration of trees."""

from dataclasses import replace
from itertools import combinations
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints.matching import overlap
from core.constraints.matching.check import parse_constraints
from core.constraints.matching.conflicts import conflicts
from core.constraints.matching.matcher import Matcher, match_counts
from core.constraints.matching.overlap import attainable, attainable_together, bounds, overlaps, overlaps_with
from core.errors import Cancelled, ConstraintError
from tests.constraints.banks import constraints, corners, matching, plain_constraint, plain_sentences, tagged, treebanks
from tests.oracles import constraints as oracle

BANK = tagged("DNVV", "NV", heads=[[2, 3, 0, 3], [2, 0]])


@given(treebanks(), st.lists(constraints(), max_size=4))
def test_shared_candidates_are_counted_by_sets(treebank, some):
    matches = Matcher(treebank, "xpos").match(some)
    sets = [set(matches.of(c).tolist()) for c in range(len(some))]
    expected = {(a, b): len(sets[a] & sets[b]) for a, b in combinations(range(len(some)), 2) if sets[a] & sets[b]}
    found = overlaps(some, Matcher(treebank, "xpos"))
    assert {(each.first, each.second): each.shared for each in found} == expected
    assert [each.shared for each in found] == sorted(expected.values(), reverse=True)


@pytest.mark.parametrize(
    ("text", "conflict"),
    [
        ("N <- V = 1\nV -- N = 0.25", "N <- V = 1.0 needs 3.0 arcs among the 3 shared pairs, V -- N = 0.25 allows 0.8"),
        ("N <- V = 0.25\nN <- V dist 1 = 1.0", "N <- V dist 1 = 1.0 needs 2.0 arcs among the 2 shared pairs"),
        ("N <- V per modifier = 0.5\nN <- V dist 1 = 1.0", "needs 2.0 arcs"),
        ("N <- V = 0.75\nN <- V dist 1 = 1.0", ""),
        ("N <- V = 0.0..1.0\nN <- V dist 1 = 1.0", ""),
    ],
)
def test_conflicts_on_shared_candidates(text, conflict):
    (found,) = overlaps(parse_constraints(text), BANK)
    assert conflict in found.conflict and bool(conflict) == bool(found.conflict)


@given(treebanks(size=4), st.lists(constraints(), min_size=1, max_size=2), st.booleans())
def test_attainable_shares_are_those_of_all_trees(treebank, some, projective):
    plain, matcher = plain_sentences(treebank), Matcher(treebank, "xpos")
    for constraint, found in zip(some, attainable(some, matcher, projective=projective), strict=True):
        ranges = [oracle.edge_range(plain_constraint(constraint), sentence, projective) for sentence in plain]
        (coverage,) = matcher.counts([constraint])
        if found is None:
            assert coverage.pairs == 0
            continue
        assert found.exact
        assert found.least == sum(low for low, _ in ranges) / coverage.denominator
        assert found.most == sum(high for _, high in ranges) / coverage.denominator
        cheap = bounds(coverage)
        assert cheap.least <= found.least and found.most <= cheap.most


def test_parts_of_a_corpus_add_up(monkeypatch):
    bank = BANK.select([0, 1, 0, 0, 1])
    some = parse_constraints("N <- V = 1\nROOT -> V = 1")
    whole = attainable(some, bank), attainable_together(some, bank).shares.tolist()
    monkeypatch.setattr("core.constraints.matching.overlap.CHUNK", 30)
    assert (attainable(some, bank), attainable_together(some, bank).shares.tolist()) == whole


def test_two_roots_are_more_than_one_tree_gives():
    (constraint,) = parse_constraints("ROOT -> V = 1.0")
    (found,) = attainable([constraint], BANK)
    assert found.most == 2 / 3 and not found.allows(constraint)


@given(treebanks(size=1), st.lists(constraints(), max_size=3, unique_by=lambda each: each.name))
def test_nearest_shares_of_one_sentence(treebank, some):
    """The trees of one short sentence are few enough to check the nearest point against every vertex."""
    some = matching(some, treebank)
    matcher = Matcher(treebank, "xpos")
    matches, together = matcher.match(some), attainable_together(some, matcher)
    shares = corners(treebank, matches)
    nearest = np.clip(together.shares, 0.25, 0.75)  # the targets of all constraints here
    np.testing.assert_allclose(together.pull, nearest - together.shares, atol=1e-9)
    assert together.distance == pytest.approx(((together.shares - nearest) ** 2).sum())
    slope = 2 * (together.shares - nearest)
    assert ((together.shares - shares) @ slope).max() <= 1e-4
    assert together.distance <= ((np.clip(shares, 0.25, 0.75) - shares) ** 2).sum(axis=1).min() + 1e-6


def test_targets_that_exclude_each_other_pull():
    some = parse_constraints("N <- V = 1.0\nROOT -> N = 1.0\nD <- N = 1.0\nform:zz -> * = 1.0")
    together = attainable_together(some, tagged("DNV"))
    np.testing.assert_allclose(together.shares, [0.5, 0.5, 1.0, np.nan], atol=1e-3)
    np.testing.assert_allclose(together.pull, [0.5, 0.5, 0, 0], atol=1e-3)
    assert together.distance > together.gap


targets = st.lists(st.tuples(*[st.integers(0, 20).map(lambda share: share / 20)] * 4), min_size=2, max_size=4)


@given(treebanks(), st.lists(constraints(), max_size=3, unique_by=lambda each: each.name), targets)
def test_what_was_searched_before_changes_no_answer(treebank, some, edits):
    """Edited targets, one after the other, on one Matcher, and each on a new one."""
    some, kept = matching(some, treebank), Matcher(treebank, "xpos")
    for shares in edits:
        edited = [replace(each, low=share, high=share) for each, share in zip(some, shares, strict=False)]
        new = Matcher(treebank, "xpos")
        assert attainable(edited, kept) == attainable(edited, new)
        again, anew = attainable_together(edited, kept), attainable_together(edited, new)
        assert (again.distance, again.gap) == (anew.distance, anew.gap)
        np.testing.assert_array_equal(again.shares, anew.shares)
        np.testing.assert_array_equal(again.pull, anew.pull)


def test_an_edited_target_costs_no_decoding(monkeypatch):
    decode = Mock(wraps=overlap.trees.maximum_spanning_tree)
    monkeypatch.setattr(overlap.trees, "maximum_spanning_tree", decode)
    kept = Matcher(BANK, "xpos")
    for share, costs in ((0.9, True), (0.91, False), (0.97, False)):
        decode.reset_mock()
        found = attainable_together(parse_constraints(f"D <- N = 0.0..1.0\nROOT -> V = {share}"), kept)
        assert found.pull[1] > 0
        assert decode.called == costs


def test_nothing_to_attain():
    some = parse_constraints("form:zz -> * = 1")
    assert attainable(some, BANK) == [None]
    assert bounds(match_counts(some, BANK)[0]) is None
    with pytest.raises(ConstraintError, match="none of the constraints matches anything here"):
        attainable_together(some, BANK)


@pytest.mark.parametrize("search", [attainable, attainable_together, conflicts])
def test_cancel(search):
    with pytest.raises(Cancelled):
        search(parse_constraints("D <- N = 0.9\nROOT -> D = 0.9"), BANK, cancel=lambda: True)


@given(treebanks(), st.lists(constraints(), max_size=4), constraints())
def test_those_of_one_constraint_are_among_those_of_all(treebank, others, one):
    of_all = [pair for pair in overlaps([*others, one], treebank) if pair.second == len(others)]
    assert overlaps_with(one, others, treebank) == of_all
