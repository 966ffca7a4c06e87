"""A tree CRF learns from constraints over shards as from a file."""

import numpy as np
import pytest

from core.constraints import GESettings, parse_constraints, train_ge
from core.constraints.ge import shards as module
from core.constraints.ge.shards import Keys
from core.constraints.ge.training import GETrainer
from core.errors import ConstraintError, WorkbenchError
from tests.constraints.banks import SHARDED_LINES as LINES

ABSENT = parse_constraints(LINES + "INTJ <- NOUN = 0.5\n")
SETTINGS = GESettings(tags="upos", max_evaluations=12)


@pytest.mark.parametrize(
    "changes",
    [{}, {"projective": True}, {"features": "lexicalized", "minimum_count": 1}, {"score": "kl"}, {"minimum_count": 30}],
)
def test_the_objective_is_that_of_the_text(shards, whole, changes, monkeypatch):
    monkeypatch.setattr(module, "CELLS", 3000)  # several parts of a shard
    lines = parse_constraints(LINES)
    settings = GESettings(**{"tags": "upos", **changes})
    sharded, trainer = GETrainer(shards, settings), GETrainer(whole, settings)
    here, there = sharded.model.trained_index(), trainer.model.trained_index()
    assert (here.tags, here.forms) == (there.tags, there.forms)
    np.testing.assert_array_equal(here.keys, there.keys)
    weights = np.random.default_rng(0).normal(size=len(here)) / 10
    (value, gradient, details), expected = (each.objective(lines)(weights) for each in (sharded, trainer))
    assert value == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], atol=1e-11)
    np.testing.assert_allclose(details["expectations"], expected[2]["expectations"], atol=1e-12)


def values(result):
    return [each["value"] for each in result.trace]


@pytest.fixture(scope="module")
def alone(shards):
    return train_ge(shards, ABSENT, settings=SETTINGS)


def test_a_parser_from_shards_is_that_from_the_file_and_a_line_that_matches_nothing_is_left_out(alone, whole):
    there = train_ge(whole, parse_constraints(LINES), settings=SETTINGS)
    np.testing.assert_allclose(values(alone), values(there), rtol=1e-9)
    np.testing.assert_array_equal(alone.model.parse(whole).heads, there.model.parse(whole).heads)
    assert [line.name for line in alone.skipped] == ["INTJ <- NOUN"] and alone.expectations[-1] == 0


def test_trees_of_another_text_are_learnt_from_too(alone, shards, whole):
    lines, trees = parse_constraints(LINES), alone.model.parse(whole.limit(5))
    here, there = (train_ge(text, lines, settings=SETTINGS, trees=trees) for text in (shards, whole))
    assert here.optimum.value == pytest.approx(there.optimum.value, rel=1e-9)


def test_what_travels_gives_the_same_bits(alone, shards, apart):
    found = train_ge(shards, ABSENT, settings=SETTINGS, engine=apart)
    np.testing.assert_array_equal(found.model.weights, alone.model.weights)
    assert values(found) == values(alone)


def test_sentences_may_be_short_and_without_punctuation(shards, whole):
    sharded = GETrainer(shards, SETTINGS, longest=7, punctuation=False)
    text = whole.without_punctuation().max_length(7)
    sizes = sharded.text.sentences, sharded.text.words
    assert sizes == (len(text), text.token_count) and 0 < len(text) < len(whole)
    trainer, lines = GETrainer(text, SETTINGS), parse_constraints(LINES)
    here, there = sharded.train(lines), trainer.train(lines)
    assert here.optimum.value == pytest.approx(there.optimum.value, rel=1e-9)


def test_what_cannot_be_is_one_sentence(shards, whole):
    lines = parse_constraints(LINES)
    with pytest.raises(WorkbenchError, match="brackets are a term of a file's text"):
        train_ge(shards, lines, settings=GESettings(tags="upos", brackets="loose"))
    with pytest.raises(WorkbenchError, match="no sentence is left to train on; raise the maximum length"):
        GETrainer(shards, SETTINGS, longest=1)
    with pytest.raises(WorkbenchError, match="known heads are of a text in memory"):
        train_ge(shards, lines, settings=SETTINGS, trees=whole.heads)
    for text, message in (("", "write at least one"), ("INTJ <- SYM = 0.5", "no line matches two words of this text")):
        with pytest.raises(ConstraintError, match=message):
            train_ge(shards, parse_constraints(text), settings=SETTINGS)
    with pytest.raises(WorkbenchError, match="no feature set called 'odd'"):
        train_ge(shards, lines, settings=GESettings(tags="upos", features="odd"))


def test_keys_keep_the_order_of_their_first_occurrence():
    def keys(values, counts):
        return Keys(np.array(values, np.uint64), np.array(counts, np.float64))

    found = keys([9, 2, 5], [1, 2, 3]) + keys([5, 7, 9, 1], [10, 20, 30, 40])
    assert found.values.tolist() == [9, 2, 5, 7, 1] and found.counts.tolist() == [31, 2, 13, 20, 40]
