"""The greedy parser learns as a naive perceptron does; it beats one move for all, and knows what it learnt from."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import Cancelled, WorkbenchError
from core.evaluation import attachment_scores
from core.parsers.transitions.greedy import (
    EXPLORED,
    GreedyParser,
    best_move,
    feature_ids,
    learnable,
    word_codes,
)
from core.parsers.transitions.oracles import Oracle
from core.parsers.transitions.systems import EAGER, HYBRID, STANDARD, SWAPPING, SYSTEMS, Configuration
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.oracles.transitions import averaged_perceptron

SAMPLE = load_sample()
SHORT = np.flatnonzero(SAMPLE.lengths <= 12)
LEARNT, HELD = SAMPLE.select(SHORT[SHORT % 5 > 0]), SAMPLE.select(SHORT[SHORT % 5 == 0])


@pytest.fixture(scope="module", params=SYSTEMS.values(), ids=SYSTEMS)
def parser(request):
    return GreedyParser.fit(request.param, LEARNT)


@pytest.mark.parametrize("system", [EAGER, HYBRID, STANDARD], ids=lambda system: system.key)
def test_weights_are_those_of_a_naive_perceptron(system):
    text = LEARNT.select(learnable(system, LEARNT)[:5])
    parser = GreedyParser.fit(system, text, passes=3, seed=4)
    sentences = [(word_codes(one.forms, one.upos), Oracle(system, one.heads.tolist())) for one in text]
    learner = SimpleNamespace(ids=lambda *state: feature_ids(*state).tolist(), explored=EXPLORED)
    weights = averaged_perceptron(system, sentences, learner, 3, 4)
    expected = np.zeros_like(parser.weights)
    for (feature, name), weight in weights.items():
        expected[feature, [move.name for move in system.transitions].index(name)] = weight
    np.testing.assert_allclose(parser.weights, expected, atol=1e-9)
    assert np.abs(expected).max() > 0.5


def test_it_beats_one_move_for_all(parser):
    def uas(heads):
        return attachment_scores(HELD, HELD.with_heads(heads)).uas

    def always(favourite):
        heads = np.full(len(HELD.heads), -1, np.int32)
        for begin, one in zip(HELD.offsets, HELD, strict=False):
            *_, configuration = parser.system.replay(len(one), [])
            while not parser.system.is_final(configuration):
                allowed = parser.system.allowed(configuration)
                move = next((move for move in allowed if move.name == favourite), allowed[0])
                configuration = move.apply(configuration)
            heads[begin + 1 : begin + 1 + len(one)] = configuration.heads[1:]
        return uas(heads)

    best = max(always(move.name) for move in parser.system.transitions if move.name != "Swap")
    assert uas(parser.parse(HELD).heads) > best + 25


def test_it_is_near_the_oracle_on_what_it_learnt_from(parser):
    known = LEARNT.select(learnable(parser.system, LEARNT))
    assert parser.sentences == len(known)
    assert attachment_scores(known, parser.parse(known)).uas > 95


def test_the_same_seed_learns_the_same(parser):
    again = GreedyParser.fit(parser.system, LEARNT)
    assert np.array_equal(again.weights, parser.weights)
    other = GreedyParser.fit(parser.system, LEARNT, seed=1)
    assert not np.array_equal(other.weights, parser.weights)


def test_moves_are_the_allowed_ones_of_the_highest_score(parser):
    for one in filled(HELD.select(range(3))):
        names, codes = parser.derivation(one.forms, one.upos), word_codes(one.forms, one.upos)
        configurations = list(parser.system.replay(len(one), names))
        for name, configuration in zip(names, configurations, strict=False):  # the last is final
            scores = parser.scores(codes, configuration)
            assert list(scores) == [move.name for move in parser.system.allowed(configuration)]
            assert scores[name] == max(scores.values()) and name == best_move(scores)


def test_features_read_the_top_of_the_stack_and_the_front_of_the_buffer():
    forms, tags = ["", *"abcdefghij"], ["", *["X"] * 10]
    configuration = Configuration((0, 2, 4, 6), (7, 8, 9, 10), (-1, 2, -1, 4, -1, 6, -1, -1, -1, -1, -1))
    ids = feature_ids(word_codes(forms, tags), configuration)
    changed = {}
    for word in range(1, 11):
        for column in (forms, tags):
            before, column[word] = column[word], "other"
            same = feature_ids(word_codes(forms, tags), configuration) == ids
            changed[word, "form" if column is forms else "tag"] = int((~same).sum())
            column[word] = before
    read = {key for key, count in changed.items() if count}
    assert read == {(word, "tag") for word in (2, 3, 4, 5, 6, 7, 8, 9)} | {(word, "form") for word in (4, 6, 7, 8)}
    assert len(set(ids.tolist())) > len(ids) - 2  # templates have features of their own


def test_crossing_trees_are_learnt_with_swap_alone():
    crossing = Treebank.from_sentences([{"forms": list("abcd"), "upos": ["X"] * 4, "heads": [3, 0, 2, 1]}])
    assert len(learnable(SWAPPING, crossing)) == 1 and not len(learnable(STANDARD, crossing))
    assert GreedyParser.fit(SWAPPING, crossing).parse(crossing).heads.tolist() == crossing.heads.tolist()
    with pytest.raises(WorkbenchError, match="Arc-standard has no tree to learn from in this text"):
        GreedyParser.fit(STANDARD, crossing)


def test_what_cannot_be_learnt_from_is_said_and_training_is_cancelled():
    with pytest.raises(WorkbenchError, match="reads tags, and this text has none"):
        GreedyParser.fit(EAGER, Treebank.from_sentences([{"forms": ["a"], "heads": [0]}]))
    with pytest.raises(Cancelled):
        GreedyParser.fit(EAGER, LEARNT, cancel=lambda: True)
