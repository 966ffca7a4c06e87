"""The tree CRF: its likelihood against enumeration, what it learns, what it saves."""

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.evaluation import attachment_scores
from core.features import index_features
from core.parsers import TreeCRF, load_parser
from core.parsers.crf.tree_crf import gold_arcs, trainable
from core.treebank import Treebank
from tests.oracles import trees as oracle


def treebank_of(*sentences):
    return Treebank.from_sentences(
        [{"forms": list(tags.lower()), "xpos": list(tags), "heads": heads} for tags, heads in sentences]
    )


TREES = treebank_of(
    ("DNVDN", [2, 3, 0, 5, 3]),
    ("NVN", [2, 0, 2]),
    ("DNV", [2, 3, 0]),
    ("VDN", [0, 3, 1]),
)


@pytest.mark.parametrize("projective", [False, True])
def test_the_likelihood_is_the_share_of_the_gold_trees(projective):
    model = TreeCRF(projective=projective).fit(TREES)
    scores = model.scores(TREES)
    value = model.weights @ model.weights / (2 * model.variance)
    for i in range(len(TREES)):
        log_partition, _ = oracle.partition(scores[i], projective=projective)
        value += log_partition - oracle.tree_score(scores[i], TREES[i].heads)
    assert model.optimum.value == pytest.approx(value)


def test_it_learns_its_training_trees():
    model = TreeCRF().fit(TREES)
    assert model.skipped == 0
    assert attachment_scores(TREES, model.parse(TREES)).uas == 100
    unseen = treebank_of(("DNVN", [2, 3, 0, 3]))
    assert attachment_scores(unseen, model.parse(unseen)).uas == 100


def test_gold_arcs_lie_where_the_heads_say():
    _, arc_features = index_features(TREES)
    gold = gold_arcs(TREES, arc_features.arc_offsets)
    assert gold.sum() == TREES.token_count
    for i in range(len(TREES)):
        begin, side = arc_features.arc_offsets[i], TREES.lengths[i] + 1
        for modifier in range(1, side):
            assert gold[begin + TREES[i].heads[modifier] * side + modifier] == 1


def test_trees_without_probability_are_skipped_and_counted():
    mixed = treebank_of(
        ("NVN", [2, 0, 2]),
        ("NVN", [2, -1, 2]),  # a head is not known
        ("NVN", [0, 0, 2]),  # two roots
        ("NVDN", [3, 4, 0, 3]),  # non-projective
    )
    assert trainable(mixed, TreeCRF().distribution).tolist() == [True, False, False, True]
    assert trainable(mixed, TreeCRF(single_root=False).distribution).tolist() == [True, False, True, True]
    assert trainable(mixed, TreeCRF(projective=True).distribution).tolist() == [True, False, False, False]
    assert TreeCRF(projective=True).fit(mixed).skipped == 3


def test_marginals_come_from_the_model():
    model = TreeCRF().fit(TREES)
    log_partitions, marginals = model.marginals(TREES)
    for i in range(len(TREES)):
        log_partition, expected = oracle.partition(model.scores(TREES)[i])
        assert log_partitions[i] == pytest.approx(log_partition)
        np.testing.assert_allclose(marginals[i], expected, atol=1e-9)


@pytest.mark.parametrize("features", ["full", "lexicalized"])
def test_a_saved_parser_parses_alike(tmp_path, features):
    model = TreeCRF(features, variance=3.0).fit(TREES)
    path = tmp_path / "model.npz"
    model.save(path)
    loaded = load_parser(path)
    other = treebank_of(("NVDNQ", [2, 0, 4, 2, 2]))
    np.testing.assert_array_equal(loaded.scores(other).values, model.scores(other).values)
    assert (loaded.variance, loaded.features) == (3.0, features)


def test_other_files_are_refused(tmp_path):
    text = tmp_path / "text.npz"
    text.write_text("not a model")
    with pytest.raises(FormatError, match=r"text.npz: this is not a model saved by the workbench"):
        load_parser(text)
    arrays = tmp_path / "arrays.npz"
    np.savez(arrays, x=np.arange(3))
    with pytest.raises(FormatError, match="not a model saved by the workbench"):
        load_parser(arrays)
    with pytest.raises(WorkbenchError, match="there is no model file"):
        load_parser(tmp_path / "absent.npz")


def test_bad_uses_are_named():
    with pytest.raises(WorkbenchError, match="has not been trained yet"):
        TreeCRF().parse(TREES)
    with pytest.raises(WorkbenchError, match="variance must be positive, got 0"):
        TreeCRF(variance=0)
    with pytest.raises(WorkbenchError, match="no covariance called 'quick': choose one of exact"):
        TreeCRF(covariance="quick")
    with pytest.raises(WorkbenchError, match="leave covariance at 'exact'"):
        TreeCRF(covariance="approximate", projective=True)
    with pytest.raises(WorkbenchError, match="none of the 1 sentences has a complete tree"):
        TreeCRF().fit(treebank_of(("NV", [-1, 0])))
