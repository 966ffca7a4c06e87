"""Back-off of the extended DMV, and words as its symbols."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.dmv.backoff import Backoff, estimate_backed_off, expand_to_symbols, extended
from core.parsers.dmv.parameters import Events, uniform_parameters
from core.parsers.dmv.symbols import Symbols, pair_counts
from core.treebank import Treebank

TEXT = [("the cat saw the Cat", "D N V D N"), ("the dog saw", "D N V"), ("cat", "N")]


@pytest.fixture
def text():
    return Treebank.from_sentences([{"forms": forms.split(), "xpos": tags.split()} for forms, tags in TEXT])


def test_frequent_pairs_are_symbols_whatever_their_case_and_the_rest_their_tag(text):
    symbols = Symbols.counted(pair_counts(text, "xpos"), "xpos", 3)
    assert symbols.tags == ("D", "N", "V") and symbols.words == (("cat", "N"), ("the", "D"))
    assert symbols.number(text)[1:6].tolist() == [4, 3, 2, 4, 3] and symbols.number(text)[8] == 1
    assert symbols.shares.tolist() == [0.0, 0.25, 1.0, 0.75, 1.0]
    assert symbols.tag_of.tolist() == [0, 1, 2, 1, 0]
    other = Treebank.from_sentences([{"forms": ["cat", "x"], "xpos": ["V", "Z"]}])
    assert symbols.number(other)[1:].tolist() == [2, 5]  # another tag's form is no symbol; an unknown tag is K


def test_without_a_tag_there_are_no_symbols():
    text = Treebank.from_sentences([{"forms": ["a"], "xpos": [""], "upos": ["X"]}])
    with pytest.raises(WorkbenchError, match="no word"):
        Symbols.counted(pair_counts(text, "xpos"), "xpos")


@pytest.mark.parametrize("threshold", [None, 3])
def test_all_distributions_sum_to_one_and_nothing_is_impossible(text, threshold):
    symbols = Symbols.counted(pair_counts(text, "xpos"), "xpos", threshold)
    rng, count = np.random.default_rng(0), symbols.count
    counts = Events(rng.random((2, 2, count, count)) * 9, rng.random((4, 2, count)) * 9, rng.random(count))
    found = estimate_backed_off(counts, symbols, Backoff())
    used = symbols.shares > 0
    np.testing.assert_allclose(found.take[..., used, :].sum(axis=-1), 1)
    np.testing.assert_allclose([found.valence[0] + found.valence[2], found.valence[1] + found.valence[3]], 1)
    assert found.root.sum() == pytest.approx(1) and (found.take > 0).all() and (found.root[used] > 0).all()


def test_without_counts_a_symbol_behaves_as_its_tag_and_with_many_as_its_counts(text):
    symbols = Symbols.counted(pair_counts(text, "xpos"), "xpos", 3)
    uniform = expand_to_symbols(extended(uniform_parameters(3)), symbols)
    found = estimate_backed_off(Events.like(uniform), symbols, Backoff())
    for ours, theirs in zip(found.arrays, uniform.arrays, strict=True):
        np.testing.assert_allclose(ours, theirs)
    counts = Events.like(uniform)
    counts.take[1, 0, 3, 2] = 1e9
    assert estimate_backed_off(counts, symbols, Backoff()).take[1, 0, 3, 2] == pytest.approx(1, abs=1e-5)


def test_choose_backs_off_to_itself_without_adjacency(text):
    symbols = Symbols.counted(pair_counts(text, "xpos"), "xpos")
    counts = Events(np.zeros((2, 2, 3, 3)), np.zeros((4, 2, 3)), np.zeros(3))
    counts.take[0, 1, 0, 1] = 6.0
    found = estimate_backed_off(counts, symbols, Backoff(smoothing=1.0, adjacency=3.0))
    coarse = np.array([1.0, 7.0, 1.0]) / 9
    np.testing.assert_allclose(found.take[1, 1, 0], coarse)
    np.testing.assert_allclose(found.take[0, 1, 0], (np.array([0, 6.0, 0]) + 3 * coarse) / 9)
