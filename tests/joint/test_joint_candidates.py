"""Candidate lists and consensus features against a naive count over trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of
from core.joint import KINDS, Candidates, best_temperature, consensus_features, posteriors
from core.joint.candidates import brier_score
from core.joint.consensus import checked_kinds
from core.parsers.mst.features import FIELDS, Templates
from core.treebank import Treebank
from core.trees import PackedScores, eisner_kbest
from tests.oracles import joint as oracle
from tests.oracles.trees import trees

LENGTHS = np.array([4, 1, 3])


def random_lists(seed, k=6):
    random = np.random.default_rng(seed)
    scores = PackedScores.from_matrices([random.normal(size=(n + 1, n + 1)) for n in LENGTHS])
    return Candidates(LENGTHS, eisner_kbest(scores, k), 0.7)


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=5), st.integers(0, 3), st.floats(0.01, 100))
@settings(deadline=None)
def test_posteriors_sum_to_one(values, missing, temperature):
    values = np.array([sorted(values, reverse=True) + [-np.inf] * missing])
    found = posteriors(values, temperature)
    assert found.sum() == pytest.approx(1) and (found[values == -np.inf] == 0).all()
    finite = values[np.isfinite(values)]
    expected = np.exp((finite - finite.max()) / temperature)
    np.testing.assert_allclose(found[0, : len(finite)], expected / expected.sum(), atol=1e-12)
    assert posteriors(np.full((1, 3), -np.inf)).sum() == 0


@pytest.mark.parametrize("seed", range(3))
def test_parts_have_the_probability_of_the_trees_that_have_them(seed):
    lists = random_lists(seed)
    found, probabilities, offsets = lists.parts
    starts = arc_offsets_of(LENGTHS)
    for sentence, n in enumerate(LENGTHS):
        candidates, shares = lists.trees[sentence][0], lists.posteriors[sentence]
        arcs = lists.arcs[starts[sentence] : starts[sentence + 1]].reshape(n + 1, n + 1)
        assert arcs[:, 1:].sum(axis=0) == pytest.approx(1)
        rows = slice(*offsets[sentence : sentence + 2])
        own = {tuple(part.tolist()): p for part, p in zip(found[rows], probabilities[rows], strict=True)}
        expected = {}
        for tree, share in zip(candidates, shares, strict=False):
            listed = oracle.parts(tree)
            for number, kind in enumerate(("sibling", "grandparent")):
                for part in listed[kind]:
                    expected[(number, *part)] = expected.get((number, *part), 0) + share
        assert own == pytest.approx(expected)


@pytest.mark.parametrize("conjoined", ["ours", "baseline"])
@pytest.mark.parametrize("kind", ["edge", "sibling", "grandparent", "root"])
def test_consensus_features_are_those_of_the_paper(kind, conjoined):
    """Summed over a tree, the feature that reads no word is the consensus of equation 4, for every tree."""
    lists = random_lists(5)
    fields = np.random.default_rng(0).integers(1, 1 << 32, (LENGTHS.sum() + 4, len(FIELDS)), dtype=np.uint32)
    fields[:, 0] = 0
    templates = None
    if conjoined == "baseline":  # which has no template of siblings without words, so these are all the same here
        templates, fields = Templates.of("lexicalized", ("xpos", "upos")), np.zeros_like(fields)
    features = consensus_features({1: lists}, fields, (kind,), 20, templates)
    plain = None
    for sentence, n in enumerate(LENGTHS):
        candidates, shares = lists.trees[sentence][0], lists.posteriors[sentence][: len(lists.trees[sentence][0])]
        for tree in trees(int(n), projective=True):
            first, last = _collected(features, sentence, tree)
            plain = plain or (first[0][0] if first else last[0][0] if last else None)
            total = sum(value for id_, value in (*first, *last) if id_ == plain)
            assert total == pytest.approx(oracle.consensus(tree, candidates, shares, kind), abs=1e-6)


def _collected(features, sentence, tree):
    """(id, value) of the features of a tree: of its arcs, of its parts."""
    side, arcs, parts = len(tree), [], []
    begin = features.arc_offsets[sentence]
    for modifier in range(1, side):
        arc = begin + tree[modifier] * side + modifier
        places = slice(*features.offsets[arc : arc + 2])
        arcs += zip(features.ids[places].tolist(), features.values[places].tolist(), strict=True)
    listed = oracle.parts(tree)
    for part in range(*features.part_offsets[sentence : sentence + 2]):
        kind, *words = features.parts[part].tolist()
        if tuple(words) in listed[("sibling", "grandparent")[kind]]:
            places = slice(*features.part_feature_offsets[part : part + 2])
            parts += zip(features.part_ids[places].tolist(), features.part_values[places].tolist(), strict=True)
    return arcs, parts


def test_conjoined_with_the_baseline_a_part_has_all_of_its_templates_twice():
    templates = Templates.of("lexicalized", ("xpos", "upos"))
    fields = np.random.default_rng(1).integers(1, 1 << 32, (LENGTHS.sum() + 4, len(FIELDS)), dtype=np.uint32)
    features = consensus_features({1: random_lists(5)}, fields, KINDS, 20, templates)
    assert set(np.diff(features.offsets).tolist()) >= {0, 2 * len(templates.arcs)}
    widths = 2 * (len(templates.pairs) + len(templates.triples))
    assert set(np.diff(features.part_feature_offsets).tolist()) == {widths}
    middle, parts = fields.copy(), features.parts[: features.part_offsets[1]]
    sibling = np.flatnonzero(parts[:, 0] == 0)[0]
    middle[parts[sibling, 1], 1:] += 1  # the head, which pairs of sibling and modifier do not read
    other = consensus_features({1: random_lists(5)}, middle, KINDS, 20, templates)
    places = slice(*features.part_feature_offsets[sibling : sibling + 2])
    same = features.part_ids[places] == other.part_ids[places]
    assert same.tolist() == [False] * 2 * len(templates.triples) + [True] * 2 * len(templates.pairs)


def test_reversed_edges_and_several_sources_have_features_of_their_own():
    lists = random_lists(7)
    fields = np.zeros((LENGTHS.sum() + 4, len(FIELDS)), np.uint32)
    edge, reverse, other = (
        consensus_features({number: lists}, fields, (kind,), 20)
        for number, kind in ((0, "edge"), (0, "reverse"), (1, "edge"))
    )
    assert not set(edge.ids.tolist()) & (set(reverse.ids.tolist()) | set(other.ids.tolist()))
    carried = np.diff(edge.offsets)[:25].reshape(5, 5) > 0
    np.testing.assert_array_equal(np.diff(reverse.offsets)[:25].reshape(5, 5) > 0, carried.T)
    both = consensus_features({0: lists, 1: lists}, fields, ("edge",), 20)
    assert len(both.ids) == len(edge.ids) + len(other.ids)
    half = consensus_features({0: lists}, fields, KINDS, 20).select(np.array([2, 0]))
    assert half.arc_offsets.tolist() == [0, 16, 41] and half.part_offsets[-1] == len(half.parts)
    again = consensus_features({0: lists.select([2, 0])}, fields[[6 + 1, 8, 9, 10, 0, 1, 2, 3, 4, 0]], KINDS, 20)
    np.testing.assert_array_equal(half.parts, again.parts)


def test_the_temperature_that_foretells_the_trees_best():
    lists = random_lists(3)
    gold = Treebank.from_sentences(
        [{"forms": ["x"] * n, "heads": lists.trees[i][0][0][1:].tolist()} for i, n in enumerate(LENGTHS)]
    )
    assert best_temperature(lists, gold) == 2.0**-6  # the first candidate is always right: be as sure as can be
    assert brier_score(lists.at(2.0**-6), gold) == pytest.approx(0, abs=1e-3)
    with pytest.raises(WorkbenchError, match="no gold heads"):
        best_temperature(lists, gold.with_heads(np.full(len(gold.heads), -1)))
    with pytest.raises(WorkbenchError, match="temperature must be a positive number"):
        lists.at(0)


def test_lists_say_what_they_lack():
    scores = PackedScores.from_matrices([np.zeros((4, 4)), np.full((3, 3), -np.inf)])
    lists = Candidates(np.array([3, 2]), eisner_kbest(scores, 16, errors="mark"))
    assert lists.failed.tolist() == [1] and lists.short == 1  # seven trees of three words
    assert lists.best.tolist()[4:] == [-1, -1, -1] and lists.posteriors.sum(axis=1).tolist() == pytest.approx([1, 0])
    assert lists.arcs[16:].sum() == 0


def test_kinds_are_checked():
    assert checked_kinds(("root", "edge"), 2) == ("edge", "root")
    assert checked_kinds(KINDS, 1) == ("edge", "root", "reverse")
    with pytest.raises(WorkbenchError, match="no consensus feature called 'cousin'"):
        checked_kinds(("cousin",))
