"""Arc features against their spelled-out names, and the two matrices against plain sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.features import extract_features, index_features
from core.features.kernels import ATTACHMENT_BITS, MOST_FIELDS, TEMPLATE_SHIFT, VARIANT_BITS, VARIANT_SHIFT
from core.features.templates import FEATURE_SETS
from tests.constraints.banks import tagged
from tests.oracles import features as oracle

tag_sequences = st.lists(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=8), min_size=1, max_size=4)


def arcs_of(treebank):
    """Every possible arc: (sentence, head, modifier, place in the packed layout)."""
    begin = 0
    for sentence, length in enumerate(treebank.lengths):
        for head in range(length + 1):
            for modifier in range(1, length + 1):
                if head != modifier:
                    yield sentence, head, modifier, begin + head * (length + 1) + modifier
        begin += (length + 1) ** 2


@given(tag_sequences, st.sampled_from(["restricted", "full"]))
def test_features_are_those_spelled_out(sequences, feature_set):
    treebank = tagged(*sequences)
    index, arc_features = index_features(treebank, feature_set)
    names_of = oracle.restricted_names if feature_set == "restricted" else oracle.full_names
    for sentence, head, modifier, arc in arcs_of(treebank):
        names = [index.name(feature) for feature in arc_features.of_arc(arc)]
        assert len(names) == len(set(names))
        assert set(names) == names_of(["ROOT", *sequences[sentence]], head, modifier)


@given(tag_sequences, st.sampled_from(["restricted", "full", "lexicalized"]), st.integers(0, 2**31))
def test_scores_and_expectations_are_plain_sums(sequences, feature_set, seed):
    treebank = tagged(*sequences)
    index, arc_features = index_features(treebank, feature_set)
    random = np.random.default_rng(seed)
    weights = random.normal(size=len(index))
    values = random.normal(size=arc_features.arc_offsets[-1])
    scores = arc_features.scores(weights).values
    expected = np.zeros(len(index))
    seen = np.zeros(len(scores), dtype=bool)
    for _, _, _, arc in arcs_of(treebank):
        features = arc_features.of_arc(arc)
        seen[arc] = True
        assert scores[arc] == pytest.approx(weights[features].sum())
        expected[features] += values[arc]
    assert (scores[~seen] == 0).all()
    np.testing.assert_allclose(arc_features.expectations(np.where(seen, values, 7.0)), expected, atol=1e-12)


def test_rare_features_are_dropped():
    treebank = tagged("ABAB", "ABC")
    (index, arc_features), (pruned, left) = index_features(treebank), index_features(treebank, minimum_count=3)
    frequent = np.flatnonzero(arc_features.counts() >= 3)
    assert {pruned.name(f) for f in range(len(pruned))} == {index.name(f) for f in frequent}
    assert (left.counts() >= 3).all() and left.counts().sum() == arc_features.counts()[frequent].sum()


def test_unseen_tags_and_features_are_left_out():
    (index, _), other = index_features(tagged("AB"), "restricted"), tagged("AZB")
    features = extract_features(other, index)
    names = {(head, word): [index.name(f) for f in features.of_arc(arc)] for _, head, word, arc in arcs_of(other)}
    assert names[0, 1] == ["head tag=ROOT, modifier tag=A, after its head"]
    assert names[1, 3] == ["head tag=A, modifier tag=B, after its head"]
    assert names[0, 2] == [] and names[2, 3] == []


def test_extracting_the_indexed_text_gives_the_same_scores():
    treebank = tagged("ABCABD", "BA", "DDDD")
    for feature_set in ("restricted", "full", "lexicalized"):
        index, arc_features = index_features(treebank, feature_set)
        weights = np.random.default_rng(1).normal(size=len(index))
        again = extract_features(treebank, index)
        np.testing.assert_allclose(again.scores(weights).values, arc_features.scores(weights).values, atol=1e-12)


def test_lexicalized_names_hold_forms():
    index, arc_features = index_features(tagged("AB"), "lexicalized")
    assert "head form=A, modifier form=B" in [index.name(f) for f in arc_features.of_arc(1 * 3 + 2)]


def test_long_sentences_fit():
    random = np.random.default_rng(2)
    treebank = tagged(random.choice(list("ABCDEFGH"), 192).tolist())  # more arcs than 16 bits number
    index, arc_features = index_features(treebank)
    weights = random.normal(size=len(index))
    again = extract_features(treebank, index).scores(weights)
    assert len(again[0]) == 193 and len(index) > 4096  # the tables of features have grown
    np.testing.assert_allclose(again.values, arc_features.scores(weights).values, atol=1e-12)


def test_an_unknown_feature_set_is_named():
    with pytest.raises(WorkbenchError, match="no feature set called 'huge': choose one of restricted, full"):
        index_features(tagged("A"), "huge")


def test_every_key_fits_its_bits():
    for feature_set in FEATURE_SETS.values():
        assert len(feature_set) < 1 << (64 - TEMPLATE_SHIFT)
        for template in feature_set:
            assert ATTACHMENT_BITS + sum(template.bits) <= VARIANT_SHIFT
            assert len(template.variants) <= 1 << VARIANT_BITS
            assert len(template.fields) <= MOST_FIELDS
