"""A correspondence learnt of a target text in shards is that of the same text in memory."""

import warnings

import numpy as np
import pytest
import scipy.sparse

from core.adaptation import StructuralCorrespondence, correspondence, drawn_pairs, predictors
from core.adaptation.drawn_pairs import KnownAnswers, Questions, draw
from core.adaptation.predictors import sum_predictors, train_predictors
from core.adaptation.settings import CorrespondenceSettings
from core.errors import Cancelled, WorkbenchError
from core.features.edges import WordVocabulary, sample_edges
from core.shards import LocalEngine
from core.treebank import load_sample
from tests.shards.corpora import in_memory, sample_shards
from tests.shards.crawl import extract, folder

ALL = 10**7
SETTINGS = {"predictor": "logistic", "frequent": 3, "between": 2, "minimum_count": 4, "penalty": 1e-2}


@pytest.fixture(scope="module")
def source():
    return load_sample().limit(30)


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return sample_shards(tmp_path_factory.mktemp("plain"), most=4, part_size=4_000)


@pytest.fixture(scope="module")
def whole(shards):
    """The same in memory."""
    return in_memory(shards)


@pytest.fixture(scope="module")
def expected(source, whole):
    return StructuralCorrespondence(edges=ALL, **SETTINGS).fit(source, whole)


def answers(rows, features=7, pivots=3, seed=0):
    """Answers of made-up pairs; the second predictor must not see features 1 and 4."""
    random = np.random.default_rng(seed)
    design = scipy.sparse.csr_matrix((random.random((rows, features)) < 0.4).astype(float))
    hidden = [None, np.isin(np.arange(features), (1, 4)), None]
    return KnownAnswers(design, random.random((rows, pivots)) < 0.3, hidden)


def test_the_loss_is_that_of_logistic_regression():
    """By its definition, pair by pair; and the derivative by differences."""
    found = answers(20)
    weights = np.random.default_rng(1).normal(size=(8, 3))
    weights[[1, 4], 1] = 0.0
    loss = found.loss(weights)
    for pivot in range(3):
        expected = 0.0
        for features, holds in zip(found.design.toarray(), found.targets[:, pivot], strict=True):
            margin = features @ weights[:-1, pivot] + weights[-1, pivot]
            expected -= np.log(1 / (1 + np.exp(-margin if holds else margin)))
        assert loss[-1, pivot] == pytest.approx(expected, rel=1e-12)
        for row in range(8):
            step = np.zeros_like(weights)
            step[row, pivot] = 1e-6
            change = (found.loss(weights + step) - found.loss(weights - step))[-1, pivot] / 2e-6
            is_hidden = pivot == 1 and row in (1, 4)
            assert loss[row, pivot] == pytest.approx(0.0 if is_hidden else change, abs=1e-6)


def test_far_from_the_border_the_loss_is_finite():
    found = answers(5).loss(np.full((8, 3), 1e5))
    assert np.isfinite(found).all() and (found[-1] > 1e5).any()


def test_predictors_by_sums_are_those_of_the_library():
    parts = answers(300), answers(200, seed=5)
    found = sum_predictors(parts, penalty=1e-2)
    design, targets = np.vstack([part.design.toarray() for part in parts]), np.vstack([part.targets for part in parts])
    settings = CorrespondenceSettings(predictor="logistic", penalty=1e-2)
    known = train_predictors(scipy.sparse.csr_matrix(design), targets, parts[0].hidden, settings)
    np.testing.assert_allclose(found.weights, known.weights, atol=2e-3)
    np.testing.assert_allclose(found.intercepts, known.intercepts, atol=2e-3)
    np.testing.assert_allclose(found.right, known.right, atol=0.005)
    assert not found.weights[[1, 4], 1].any() and found.weights[[1, 4], 0].all()


def test_a_search_that_is_cut_short_says_so(source, shards, whole, monkeypatch):
    monkeypatch.setattr(predictors, "ITERATIONS", 2)
    monkeypatch.setattr(correspondence, "ITERATIONS", 2)
    assert not sum_predictors([answers(300)]).converged
    for target in (shards, whole):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library's own, of the same
            found = StructuralCorrespondence(edges=200, **SETTINGS).fit(source, target)
        assert "stopped at its limit of 2, before it converged; give a larger penalty" in found.notes[-1]


def test_pairs_are_drawn_once_and_asked_again(shards, whole, expected, monkeypatch):
    drawn = []
    monkeypatch.setattr(drawn_pairs, "sample_edges", lambda *asked: drawn.append(asked[1]) or sample_edges(*asked))
    learnt = expected.model
    questions = Questions(learnt.features, learnt.pivots, learnt.columns)
    (pairs,) = draw([shards], 500, 1, LocalEngine())
    pairs.words(WordVocabulary.counted("form", [whole.form.counts()]))
    pairs.held(questions)
    pairs.answers(questions).right(np.zeros((learnt.features.count + 1, len(learnt.pivots))))
    assert len(drawn) == len(shards) and sum(drawn) == 500


def test_a_target_in_shards_teaches_what_it_teaches_in_memory(source, shards, expected):
    assert len(shards) > 3
    found = StructuralCorrespondence(edges=ALL, **SETTINGS).fit(source, shards)
    ours, theirs = found.model, expected.model
    words = [[each.words for each in model.features.vocabularies] for model in (ours, theirs)]
    assert found.notes == expected.notes and words[0] == words[1]
    assert ours.pivots == theirs.pivots and ours.columns == theirs.columns and len(ours.pivots) == 8
    np.testing.assert_array_equal(ours.counts, theirs.counts)
    np.testing.assert_array_equal(ours.sampled, theirs.sampled)
    np.testing.assert_allclose(ours.predictors.weights, theirs.predictors.weights, atol=0.02)
    np.testing.assert_allclose(ours.singular_values, theirs.singular_values, rtol=2e-3)
    again = StructuralCorrespondence(edges=ALL, **SETTINGS, scale=1.0).fit(source, shards)
    values = again.features(source).values
    assert values.mean() == pytest.approx(expected.scaled(1.0).features(source).values.mean(), abs=0.05)


def test_the_loss_over_shards_is_that_of_the_text(source, shards, whole, expected):
    learnt = expected.model
    questions = Questions(learnt.features, learnt.pivots, learnt.columns)
    weights = np.random.default_rng(3).normal(size=(learnt.features.count + 1, len(learnt.pivots))) / 10
    parts = [draw((source, text), ALL, 0, LocalEngine())[1].answers(questions) for text in (shards, whole)]
    assert len(parts[0]) == len(parts[1]) and parts[0].shape == parts[1].shape
    here, there = (part.loss(weights) for part in parts)
    np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(*(part.right(weights) for part in parts))
    directions = weights[:-1, :2]
    mean = parts[1].moments(directions) / len(parts[1])
    np.testing.assert_allclose(*(part.moments(directions) for part in parts), rtol=1e-9)
    np.testing.assert_allclose(*(part.moments(directions, mean) for part in parts), rtol=1e-9)


def test_each_shard_draws_its_part(shards, whole):
    vocabulary = WordVocabulary.counted("form", [whole.form.counts()])
    (few,) = draw([shards], 500, 1, LocalEngine())
    assert len(few) == 500 and few.words(vocabulary).sum(axis=1).tolist() == [500] * 6
    (other,) = draw([shards], 500, 2, LocalEngine())
    assert (few.words(vocabulary) != other.words(vocabulary)).any()


def test_what_travels_teaches_the_same_bits(source, shards, apart):
    found, there = (StructuralCorrespondence(edges=2000, **SETTINGS).fit(source, shards, engine=engine)
                    for engine in (None, apart))  # fmt: skip
    for name in ("directions", "mean", "deviation", "counts"):
        np.testing.assert_array_equal(getattr(there.model, name), getattr(found.model, name), name)


def test_what_cannot_be_done_is_one_sentence(source, shards, tmp_path):
    with pytest.raises(WorkbenchError, match="no sum over shards; choose the logistic predictor"):
        StructuralCorrespondence().fit(source, shards)
    with pytest.raises(WorkbenchError, match="penalty of predictors must be positive"):
        StructuralCorrespondence(**{**SETTINGS, "penalty": 0}).fit(source, shards)
    pages = folder(tmp_path / "pages", {"a.html": b"<p>Yes<p>No<p>Oh"})
    lone = extract([pages], tmp_path / "shards").shards
    with pytest.raises(WorkbenchError, match=r"the target text .* has no sentence of two words"):
        StructuralCorrespondence(**SETTINGS, edges=2).fit(source, lone)
    with pytest.raises(Cancelled):
        StructuralCorrespondence(**SETTINGS).fit(source, shards, cancel=lambda: True)
