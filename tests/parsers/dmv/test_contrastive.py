"""Contrastive estimation and structural annealing of the DMV, against every tree of short sentences."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.dmv.annealing import AnnealingSettings, arc_lengths, biased_em, train_annealed
from core.parsers.dmv.contrastive import NEIGHBOURHOODS, Contrast, ContrastiveSettings, neighbours, train_contrastive
from core.parsers.dmv.parameters import Events, estimate
from core.parsers.dmv.text import TaggedText
from core.treebank import Treebank
from tests.filled import filled
from tests.oracles import dmv as oracle

TEXT = ["D N V", "N V", "D A N V D N", "N", "P V P D N", "D N P N V", "V D N", "N V"]


def treebank(rows=TEXT):
    return Treebank.from_sentences({"forms": row.split(), "xpos": row.split()} for row in rows)


def tagged(sentences):
    """The TaggedText of rows of tag numbers."""
    tags = np.concatenate([[0, *row] for row in sentences]).astype(np.int32)
    return TaggedText(tags, np.concatenate([[0], np.cumsum([len(row) + 1 for row in sentences])]))


def test_neighbours_are_counted_once_and_are_never_empty():
    assert neighbours([1], "del1-or-trans1") == [(1,)]
    assert neighbours([1, 1], "del1-or-trans1") == [(1, 1), (1,)]
    assert neighbours([1, 2, 3], "trans1") == [(1, 2, 3), (2, 1, 3), (1, 3, 2)]
    for n in filled(range(2, 8)):
        assert len(neighbours(range(n), "del1-or-trans1")) == 2 * n


@pytest.mark.parametrize("neighbourhood", NEIGHBOURHOODS)
@pytest.mark.parametrize("variance", [0.3, 5.0])
def test_objective_and_gradient_are_those_of_all_trees_of_all_neighbours(neighbourhood, variance):
    rng = np.random.default_rng(7)
    for _ in filled(range(4)):
        sentences = [rng.integers(0, 3, n).tolist() for n in (1, 2, 3, 4)]
        contrast = Contrast(tagged(sentences), 3, ContrastiveSettings(neighbourhood, variance))
        weights = rng.normal(size=contrast.size)
        value, gradient, _ = contrast(weights)
        parts = contrast.events(weights).arrays
        best, gradients = oracle.contrast(sentences, parts, neighbourhood == "del1-or-trans1", variance)
        assert value == pytest.approx(-best)
        assert gradient == pytest.approx(-np.concatenate([part.ravel() for part in gradients]), abs=1e-9)


def test_a_contrastive_parser_reads_tags_alone_on_any_number_of_threads():
    text = treebank()
    result = train_contrastive(text, ContrastiveSettings(variance=0.5), threads=1)
    again = train_contrastive(
        text.with_heads(np.full(len(text.heads), -1)), ContrastiveSettings(variance=0.5), threads=2
    )
    assert result.status == "converged" and result.objective < 0
    for mine, theirs in filled(list(zip(result.model.parameters.arrays, again.model.parameters.arrays, strict=True))):
        np.testing.assert_array_equal(mine, theirs)
    heads = result.model.parse(text).heads
    assert sorted(set(heads[1:4].tolist())) != [0] and (heads[text.is_word] >= 0).all()
    stopped = train_contrastive(text, cancel=lambda: True)
    assert stopped.status == "cancelled" and stopped.evaluations == 0


def test_em_under_a_bias_is_that_of_all_trees():
    rng = np.random.default_rng(11)
    sentences = [rng.integers(0, 3, n).tolist() for n in (1, 2, 3, 4)]
    text, parameters = tagged(sentences), oracle.random_parameters(3, rng)
    once = AnnealingSettings(max_iterations=1, smoothing=0.2)
    got = biased_em(text, Events(*parameters), np.exp(-0.4 * arc_lengths(text)), once)
    total = [np.zeros_like(part) for part in parameters]
    for row in sentences:
        side = len(row) + 1
        far = np.abs(np.subtract.outer(np.arange(side), np.arange(side)))
        bonus = np.exp(-0.4 * np.where(np.arange(side)[:, None] > 0, far, 0))
        _, counts = oracle.expected_counts(row, parameters, bonus=bonus)
        total = [before + part for before, part in zip(total, counts, strict=True)]
    for mine, theirs in filled(list(zip(got.arrays, estimate(Events(*total), 0.2).arrays, strict=True))):
        assert mine == pytest.approx(theirs)


def test_annealing_goes_through_all_biases_and_begins_with_short_arcs():
    assert AnnealingSettings(-0.3, 0.0, 0.1).biases == pytest.approx([-0.3, -0.2, -0.1, 0.0])
    assert AnnealingSettings(0.0, 0.0).biases == [0.0]
    text = treebank()
    short = train_annealed(text, AnnealingSettings(-8.0, -8.0)).parse(text)
    words = text.is_word & (short.heads > 0)
    lengths = np.abs(short.heads - short.numbers)[words]
    assert (lengths == 1).mean() > 0.8  # a bias of -8 leaves few others
    cancelled = train_annealed(text, cancel=lambda: True)
    assert (cancelled.parameters.root == 1 / len(cancelled.tags)).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ContrastiveSettings("del2"), "the neighbourhood must be one of"),
        (lambda: ContrastiveSettings(variance=0.0), "the variance of weights must be positive"),
        (lambda: AnnealingSettings(step=0.0), "must grow by more than 0"),
        (lambda: AnnealingSettings(0.1, 0.0), "must not be above the last"),
        (lambda: AnnealingSettings(smoothing=-1.0), "smoothing must be 0 or more"),
        (lambda: train_contrastive(treebank().limit(0)), "no word has a tag"),
        (lambda: train_annealed(treebank(["D _ V"])), "a word of the text has no tag"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(wrong, message):
    with pytest.raises(WorkbenchError, match=message):
        wrong()
