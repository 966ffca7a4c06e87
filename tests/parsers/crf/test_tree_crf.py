"""The tree CRF: its likelihood against enumeration, what it learns, what it saves, and which tree it returns."""

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.evaluation import attachment_scores
from core.parsers import TreeCRF, load_parser
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.crf.tree_crf import trainable
from core.treebank import Treebank
from core.trees import PackedScores, eisner, matrix_tree, maximum_spanning_tree
from tests.oracles import trees as oracle

DECODINGS = ("best", "projective", "posterior")


def treebank_of(*sentences):
    return Treebank.from_sentences(
        [{"forms": list(tags.lower()), "xpos": list(tags), "heads": heads} for tags, heads in sentences]
    )


TREES = treebank_of(("DNVDN", [2, 3, 0, 5, 3]), ("NVN", [2, 0, 2]), ("DNV", [2, 3, 0]), ("VDN", [0, 3, 1]))


@pytest.mark.parametrize("projective", [False, True])
def test_the_likelihood_is_the_share_of_the_gold_trees(projective):
    model = TreeCRF(projective=projective).fit(TREES)
    scores = model.scores(TREES)
    log_partitions, marginals = model.marginals(TREES)
    value = model.weights @ model.weights / (2 * model.variance)
    for i in range(len(TREES)):
        log_partition, expected = oracle.partition(scores[i], projective=projective)
        value += log_partition - oracle.tree_score(scores[i], TREES[i].heads)
        assert log_partitions[i] == pytest.approx(log_partition)
        np.testing.assert_allclose(marginals[i], expected, atol=1e-9)
    assert model.optimum.value == pytest.approx(value)


def test_it_learns_its_training_trees():
    model = TreeCRF().fit(TREES)
    assert model.skipped == 0
    assert attachment_scores(TREES, model.parse(TREES)).uas == 100
    unseen = treebank_of(("DNVN", [2, 3, 0, 3]))
    assert attachment_scores(unseen, model.parse(unseen)).uas == 100


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


@pytest.mark.parametrize("features", ["full", "lexicalized"])
def test_a_saved_parser_parses_alike(tmp_path, features):
    model = TreeCRF(features, variance=3.0, decoding="projective").fit(TREES)
    path = tmp_path / "model.npz"
    model.save(path)
    loaded = load_parser(path)
    other = treebank_of(("NVDNQ", [2, 0, 4, 2, 2]))
    np.testing.assert_array_equal(loaded.scores(other).values, model.scores(other).values)
    assert (loaded.variance, loaded.features, loaded.distribution.decoding) == (3.0, features, "projective")


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.npz").write_text("not a model")
    with pytest.raises(FormatError, match=r"text.npz: this is not a model saved by the workbench"):
        load_parser(tmp_path / "text.npz")
    with pytest.raises(WorkbenchError, match="there is no model file"):
        load_parser(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TreeCRF().parse(TREES), "has not been trained yet"),
        (lambda: TreeCRF(variance=0), "variance must be positive, got 0"),
        (lambda: TreeCRF(covariance="quick"), "no covariance called 'quick': choose one of exact"),
        (lambda: TreeCRF(covariance="approximate", projective=True), "leave covariance at 'exact'"),
        (lambda: TreeCRF().fit(treebank_of(("NV", [-1, 0]))), "none of the 1 sentences has a complete tree"),
        (lambda: TreeDistribution(decoding="greedy"), "'greedy': choose one of best, projective, posterior"),
    ],
)
def test_bad_uses_are_named(call, message):
    with pytest.raises(WorkbenchError, match=message):
        call()


def test_each_decoding_is_what_it_says():
    random = np.random.default_rng(5)
    scores = PackedScores.from_matrices([random.normal(0, 2, (n + 1, n + 1)) for n in (1, 2, 4, 6, 6)])
    best, projective, posterior = (TreeDistribution(decoding=name).best(scores) for name in DECODINGS)
    assert best.values.tolist() == maximum_spanning_tree(scores).values.tolist()
    assert projective.values.tolist() == eisner(scores).values.tolist()
    marginals = matrix_tree(scores)[1]
    most, other = (
        [sum(marginals[i][h, m] for m, h in enumerate(heads[i]) if m > 0) for i in range(len(scores))]
        for heads in (posterior, best)
    )
    assert (np.array(most) >= np.array(other) - 1e-12).all() and sum(most) > sum(other)
    scores[1][:, 1:] = [[0, -np.inf], [0, 0], [0, 0]]  # of equals, what the scores forbid stays forbidden
    assert TreeDistribution(decoding="posterior").best(scores)[1].tolist() == [-1, 0, 1]
