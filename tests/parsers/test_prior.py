"""A grammar under a prior: without constraints, under some that contradict it, beside trees, in files."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.authoring.preview import GrammarArcs
from core.constraints.grammar.ensemble import ParserEnsemble
from core.errors import ConstraintError, FormatError, WorkbenchError
from core.parsers import load_parser
from core.parsers.prior import Prior
from core.parsers.stacked import Stacked
from core.parsers.universal.parser import UniversalParser
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import load_sample
from core.trees import eisner
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")
SETTINGS = GrammarSettings(tags="upos", words="no", lengths=(12,), iterations=(3,), price=0.0)


@pytest.fixture(scope="module")
def text():
    return load_sample().without_punctuation().max_length(9).limit(30)


@pytest.fixture(scope="module")
def prior(text):
    """A parser that knows nothing of English."""
    return UniversalParser([small_network()], RELATIONS).for_text(text)


@pytest.fixture(scope="module")
def result(text, prior):
    return train_grammar(text, [], SETTINGS, prior=prior)


def test_votes_are_log_probabilities_times_the_weight(text, prior):
    votes, values = Prior(prior, 2.0).votes(text), prior.log_probabilities(text).values
    possible = values > -np.inf
    for i in range(len(text)):
        best = prior.log_probabilities(text)[i].max(axis=0)
        rows = slice(*prior.log_probabilities(text).offsets[i : i + 2])
        expected = 2 * (prior.log_probabilities(text)[i] - best)
        np.testing.assert_allclose(votes[rows][possible[rows]], expected.ravel()[possible[rows]])
    assert not votes[~possible].any() and votes.max() == 0


def test_a_prior_needs_no_constraint_and_names_relations(text, prior, result):
    assert result.constraints == () and result.expectations.shape == (0,) and result.status == "converged"
    parsed = result.model.parse(text)
    assert parsed.deprel.strings().tolist() == prior.label(text, parsed.heads)
    with pytest.raises(ConstraintError, match="write at least one, or take a prior"):
        train_grammar(text, [], SETTINGS)


def test_the_heavier_it_is_the_more_trees_are_its_own(text, prior, result):
    own = eisner(prior.log_probabilities(text)).values
    alike = []
    for weight in (0.01, 6.0, 1000.0):
        model = train_grammar(text, [], replace(SETTINGS, prior_weight=weight), prior=prior).model
        alike.append((model.parse(text).heads == own).mean())
    assert alike == sorted(alike) and alike[0] < 0.8 and alike[2] > 0.97
    with pytest.raises(WorkbenchError, match="the weight of a prior must be a positive number, got 0"):
        replace(SETTINGS, prior_weight=0)


def test_a_constraint_outweighs_it(text, prior, result):
    lines = parse_constraints("DET <- NOUN per modifier = 0.9..1.0\n")
    constrained = train_grammar(text, lines, replace(SETTINGS, iterations=(8,)), prior=prior)
    assert constrained.expectations[0] > 0.85
    nothing = parse_constraints("SYM <- NOUN per modifier = 0.9..1.0\n")
    assert train_grammar(text, nothing, SETTINGS, prior=prior).skipped == tuple(nothing)


def test_it_is_saved_with_the_model(text, result, tmp_path):
    result.model.save(tmp_path / "m.npz")
    again = load_parser(tmp_path / "m.npz")
    assert again.prior.weight == SETTINGS.prior_weight
    assert (again.parse(text).heads == result.model.parse(text).heads).mean() > 0.97  # float16
    settings, arrays = load_arrays(tmp_path / "m.npz", "grammar")
    arrays["prior_parser"] = arrays.pop("prior_parser")[:0]
    save_arrays(tmp_path / "bad.npz", "grammar", settings, compressed=True, **arrays)
    with pytest.raises(FormatError):
        load_parser(tmp_path / "bad.npz")
    del arrays["prior_parser"]
    save_arrays(tmp_path / "bad.npz", "grammar", settings, compressed=True, **arrays)
    with pytest.raises(FormatError, match="its prior is no universal parser"):
        load_parser(tmp_path / "bad.npz")


def test_what_votes_together_has_one_prior(text, prior, tmp_path):
    lines = parse_constraints("DET <- NOUN per modifier = 0.9..1.0\n")
    together = replace(SETTINGS, together=True, second_order=True)
    model = train_grammar(text, lines, together, prior=prior).model
    assert isinstance(model, ParserEnsemble) and model.second_order is not None
    votes = model.votes(text)
    np.testing.assert_allclose(votes, model.second_order.votes(text) + Prior(prior, SETTINGS.prior_weight).votes(text))
    silent = model.without_votes()
    assert silent.votes(text) is None and silent.grammar.prior is None
    shares = model.marginals(text)[1].values
    np.testing.assert_allclose(silent.marginals(text, votes=votes)[1].values, shares)
    np.testing.assert_allclose(GrammarArcs.of(model, text).marginals(np.zeros(len(shares))), shares)
    model.save(tmp_path / "m.npz")
    assert (load_parser(tmp_path / "m.npz").parse(text).heads == model.parse(text).heads).mean() > 0.97


def test_trees_are_stacked_on_it(text, prior):
    trees = np.where(np.repeat(np.arange(len(text)) < 6, text.lengths + 1), text.heads, -1)
    model = train_grammar(text, [], replace(SETTINGS, stacked=True), prior=prior, trees=trees).model
    assert isinstance(model.second_order, Stacked) and model.prior is not None
    known = (trees >= 0) & text.is_word
    assert (model.parse(text).heads == trees)[known].mean() > 0.6
