"""The network as NumPy runs it against what JAX trains, and against one written out word by word."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.errors import FormatError
from core.parsers.universal.examples import Batch, as_input
from core.parsers.universal.morphology import FEATURES
from core.parsers.universal.network import Network
from core.parsers.universal.questions import QUESTIONS, arc_classes
from core.parsers.universal.statistics import COUNT
from core.parsers.universal.text import TAGS
from core.parsers.universal.training import network_scores
from tests.parsers.universal.conftest import random_words

LENGTHS = (1, 2, 5, 5, 3)


@pytest.fixture
def asked():
    """(words, answers, statistics)."""
    generator = np.random.default_rng(2)
    answers = np.where(generator.random(len(QUESTIONS)) < 0.3, np.nan, generator.uniform(-1, 1, len(QUESTIONS)))
    return random_words(LENGTHS, generator), answers, generator.uniform(-1, 1, COUNT).astype(np.float32)


def padded(words, answers, statistics):
    """The same as one Batch."""
    side, count = max(LENGTHS) + 3, len(LENGTHS)
    heads, relations, present = (np.zeros((count, side), np.int32) for _ in range(3))
    shares = np.zeros((count, side, len(TAGS) + 1), np.float32)
    features = np.zeros((count, side, len(FEATURES)), np.float32)
    for row, begin, end in zip(range(count), words.offsets[:-1], words.offsets[1:], strict=True):
        shares[row, : end - begin], present[row, : end - begin] = words.probable_tags(slice(begin, end)), 1
        features[row, : end - begin] = words.features[begin:end]
        heads[row, : end - begin] = np.maximum(words.heads[begin:end], 0)
    answers, statistics = (np.repeat(each[None], count, axis=0) for each in (as_input(answers), statistics))
    return Batch(shares, heads, relations, present.astype(np.float32), answers, statistics, features)


@pytest.mark.parametrize("doubts", [False, True])
def test_it_computes_what_was_trained(network, asked, doubts):
    words, answers, statistics = asked
    if doubts:
        words = replace(words, shares=np.random.default_rng(4).dirichlet(np.ones(len(TAGS) + 1), len(words.tags)))
    read = network.read(words, answers, statistics)
    arcs, heads, modifiers = map(np.asarray, network_scores(network.weights, padded(words, answers, statistics)))
    for i, length in enumerate(LENGTHS):
        side = length + 1
        possible = ~np.eye(side, dtype=bool)
        np.testing.assert_allclose(read.arcs[i][possible], arcs[i, :side, :side][possible], atol=1e-4)
        rows = slice(words.offsets[i], words.offsets[i + 1])
        np.testing.assert_allclose(read.heads[rows], heads[i, :side], atol=1e-5)
        np.testing.assert_allclose(read.modifiers[rows], modifiers[i, :side], atol=1e-5)


def test_tags_in_doubt_are_read_as_the_mean_of_what_they_may_be(network, asked):
    """Of one tag each it is what that tag gives; of two the inputs are their mean, so the first layer's are too."""
    words, answers, statistics = asked
    sure = replace(words, shares=np.eye(len(TAGS) + 1, dtype=np.float32)[words.tags])
    np.testing.assert_allclose(
        network.read(sure, answers, statistics).arcs.values, network.read(*asked).arcs.values, atol=1e-4
    )
    row = int(words.offsets[2]) + 1
    doubt = sure.shares.copy()
    doubt[row] = 0
    doubt[row, [0, 1]] = 0.5
    found = network.read(replace(words, shares=doubt), answers, statistics).arcs
    assert (found[2] != network.read(*asked).arcs[2]).any()
    np.testing.assert_allclose(found[0], network.read(*asked).arcs[0], atol=1e-4)


def test_any_number_of_threads_gives_the_same_bits(network, asked):
    one, two = (network.read(*asked, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.arcs.values, two.arcs.values)


def squash(value):
    return 1 / (1 + math.exp(-value))


def plain_layer(inputs, weights, layer, direction):
    """One direction of an LSTM, a number at a time."""
    name = f"{direction}_{layer}"
    enters, recurrent, bias = (weights[f"{kind}_{name}"] for kind in ("input", "recurrent", "bias"))
    size = len(recurrent)
    state, cell, states = [0.0] * size, [0.0] * size, {}
    for place in range(len(inputs)) if direction == "forward" else range(len(inputs) - 1, -1, -1):
        drive = [
            bias[k]
            + sum(x * enters[i, k] for i, x in enumerate(inputs[place]))
            + sum(h * recurrent[i, k] for i, h in enumerate(state))
            for k in range(4 * size)
        ]
        cell = [
            squash(drive[size + k]) * cell[k] + squash(drive[k]) * math.tanh(drive[3 * size + k]) for k in range(size)
        ]
        state = [squash(drive[2 * size + k]) * math.tanh(cell[k]) for k in range(size)]
        states[place] = state
    return [states[place] for place in range(len(inputs))]


def test_it_computes_what_the_equations_say(network, asked):
    words, answers, statistics = asked
    w = {name: values.astype(np.float64) for name, values in network.weights.items()}
    number = 4
    rows = slice(words.offsets[number], words.offsets[number + 1])
    tags, features = words.tags[rows], words.features[rows]
    known = ~np.isnan(answers)
    said = np.concatenate([np.where(known, answers, 0), known])
    parts = (said, "answers"), (statistics, "statistics")
    beside = np.concatenate([np.tanh(values @ w[name] + w[f"{name}_bias"]) for values, name in parts])
    read = [w["tags"][tag] + w["features"][has].sum(axis=0) for tag, has in zip(tags, features, strict=True)]
    states = [[*each, *beside] for each in read]
    for layer in range(2):
        both = [plain_layer(states, w, layer, direction) for direction in ("forward", "backward")]
        states = [[*forward, *backward] for forward, backward in zip(*both, strict=True)]

    def ends(name):
        values = np.array(states) @ w[name] + w[f"{name}_bias"]
        return np.where(values > 0, values, 0.1 * values)

    heads, modifiers = ends("arc_head"), ends("arc_modifier")
    found = network.read(*asked).arcs[number]
    for h in range(len(tags)):
        for m in range(len(tags)):
            score = heads[h] @ w["arcs"] @ modifiers[m] + heads[h] @ w["arcs_head"]
            if h and h != m:
                gain = w["direction"][tags[h], tags[m]]
                for q in np.flatnonzero(known):
                    own = w["direction_answers"][q, tags[h], tags[m]]
                    gain += answers[q] * (own + w["direction_classes"][q] * arc_classes()[q, tags[h], tags[m]])
                score += gain if m > h else -gain
            if h != m:
                assert found[h, m] == pytest.approx(score, abs=1e-4)


def test_relations_are_scored_by_both_ends(network, asked):
    weights = network.weights
    read = network.read(*asked)
    scores = network.relation_scores(read, np.array([1, 3]), np.array([2, 4]))
    for row, (h, m) in zip(scores, ((1, 2), (3, 4)), strict=True):
        head, modifier = read.heads[h], read.modifiers[m]
        for r in range(5):
            score = head @ weights["relations"][r] @ modifier + weights["relations_bias"][r]
            score += head @ weights["relations_head"][:, r] + modifier @ weights["relations_modifier"][:, r]
            assert row[r] == pytest.approx(score, abs=1e-5)


def test_an_answer_moves_the_arcs_of_which_it_speaks(network, asked):
    words, answers, statistics = asked
    nothing = {name: 0 * network.weights[name] for name in ("answers", "answers_bias")}
    deaf = Network(network.weights | nothing, network.shape)
    other = np.where(np.arange(len(answers)) == 0, 0.5, answers)
    moved = deaf.read(words, other, statistics).arcs.values - deaf.read(words, 0 * other, statistics).arcs.values
    assert np.abs(moved).max() > 0


def test_arrays_of_another_shape_are_refused(network):
    for name, values, message in (
        ("arcs", None, "the network lacks arcs"),
        ("recurrent_forward_1", np.zeros((5, 19)), "the numbers of recurrent_forward_1 do not fit"),
        ("tags", np.full((18, 6), np.inf), "the numbers of tags do not fit"),
    ):
        weights = {key: each for key, each in network.weights.items() if key != name}
        with pytest.raises(FormatError, match=message):
            Network(weights if values is None else weights | {name: values}, network.shape)


def test_relations_are_scored_some_arcs_at_a_time(network, asked, monkeypatch):
    read = network.read(*asked)
    ends = np.array([1, 3, 4, 6, 7]), np.array([2, 4, 5, 7, 8])
    whole = network.relation_scores(read, *ends)
    monkeypatch.setattr("core.parsers.universal.network.MOST_ROWS", 2)
    np.testing.assert_allclose(network.relation_scores(read, *ends), whole, rtol=1e-5)
