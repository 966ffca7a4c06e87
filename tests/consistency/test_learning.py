"""Deltas learnt with the parser: counts by enumeration, the projection by brute force, and what learning does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.consistency import ConsistencySettings, ContextIndex, Deltas, parse_consistently
from core.consistency.learning import LearningSettings, consensus_counts, in_order, learn_deltas
from core.errors import Cancelled, WorkbenchError
from core.features.packed import arc_offsets_of
from core.parsers.mst.corpus import learnable
from core.parsers.mst.parser import MSTParser
from core.treebank import load_sample
from tests.consistency.problems import SETTINGS, RandomParser, small_texts
from tests.filled import filled
from tests.oracles import consistency as oracle

DELTAS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.7, 1.0]), min_size=3, max_size=3).map(
    lambda values: sorted(values, reverse=True)
)


@given(
    st.lists(st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=7), min_size=1, max_size=4), DELTAS,
    st.sampled_from([(0, 1, 2, 3), (0, 1, 1, 2), (0, 1, 1, 1)]),
)  # fmt: skip
def test_edges_are_those_of_the_best_consensus_by_enumeration(contexts, deltas, classes):
    size = len(classes)
    votes = np.array([[labels.count(label) for label in range(size)] for labels in contexts])
    edges = np.array([len(labels) for labels in contexts])
    counts = consensus_counts(votes, edges, np.array(classes), Deltas(*deltas))

    def close(one, other):
        return classes[one] == classes[other]

    expected = [oracle.consensus_counts(labels, size, deltas, close) for labels in contexts]
    np.testing.assert_array_equal(counts, np.sum(expected, axis=0))
    value = sum(oracle.consensus_value(labels, size, deltas, close)[0] for labels in contexts)
    assert np.array(deltas) @ counts == pytest.approx(value)


@pytest.mark.parametrize("seed", range(6))
def test_the_counts_of_a_joint_answer_are_its_value(seed):
    """At the answer of ``parse_consistently`` the deltas times the counts are what its consensus labels pay."""
    train, test = small_texts(seed)
    index = ContextIndex(train, test)
    parses = parse_consistently(RandomParser(1, seed), train, test, SETTINGS, index=index)
    contexts, classes = parses.contexts, index.labels.classes
    votes, edges = contexts.votes(parses.heads), contexts.train_sizes + contexts.test_sizes
    counts = consensus_counts(votes, edges, classes, SETTINGS.deltas())
    theta = SETTINGS.deltas().table(classes)
    paid = sum(
        SETTINGS.delta3 * edges[at] if label < 0 else votes[at] @ theta[:-1, label]
        for at, label in enumerate(filled(parses.labels.tolist()))
    )
    assert np.array([SETTINGS.delta1, SETTINGS.delta2, SETTINGS.delta3]) @ counts == pytest.approx(paid)


@given(
    arrays.arrays(np.float64, st.integers(1, 6), elements=st.sampled_from([-2.0, -0.5, 0.0, 0.1, 0.3, 0.7, 1.0, 4.0]))
)
@example(np.array([0.3, 1.0, 1.0, 1.0, 1.0, 1.0]))
def test_the_projection_is_the_nearest_of_all_in_order(values):
    nearest = in_order(values)
    assert (np.diff(np.append(nearest, 0.0)) <= 0).all()  # exactly: deltas out of order are refused
    np.testing.assert_allclose(nearest, oracle.nearest_in_order(values.tolist()), atol=1e-12)
    np.testing.assert_array_equal(in_order(nearest), nearest)


@pytest.fixture(scope="module")
def texts():
    sample = load_sample()
    sample = sample.select(learnable(sample, projective=True)[0])
    return sample.select(np.arange(30)), sample.select(np.arange(30, 45))


def parser():
    return MSTParser(1, labels=False, bits=16)


def test_with_no_rate_and_no_bonus_the_parser_is_trained_as_alone(texts):
    """What consensus pays is nothing then, and both go through the sentences in the same order."""
    nothing = ConsistencySettings(delta1=0.0, delta2=0.0, delta3=0.0)
    learnt = learn_deltas(parser(), texts[0], nothing, LearningSettings(3, 0.0, epochs=3))
    alone = parser().fit(texts[0], epochs=3)
    np.testing.assert_array_equal(learnt.parser.trained().weights, alone.trained().weights)
    assert learnt.settings == nothing and [each.epoch for each in learnt.epochs] == [1, 2, 3]
    assert all(each.right == each.right_alone > 0 for each in filled(learnt.epochs))


def test_deltas_move_by_the_difference_in_edges_and_are_averaged(texts):
    settings, reports = ConsistencySettings(delta1=2.0, delta2=1.0, delta3=0.1), []
    learnt = learn_deltas(parser(), texts[0], settings, LearningSettings(2, 0.5, epochs=2), progress=reports.append)
    assert tuple(reports) == learnt.epochs and len(reports) == 2
    deltas = learnt.settings.delta1, learnt.settings.delta2, learnt.settings.delta3
    assert deltas[0] >= deltas[1] >= deltas[2] >= 0 and deltas != (2.0, 1.0, 0.1)
    assert replace(learnt.settings, delta1=2.0, delta2=1.0, delta3=0.1) == settings
    first = reports[0]
    assert first.predicted[0] > first.gold[0]  # such bonuses make trees agree more than gold ones do
    assert first.deltas[0] < 2.0
    again = learn_deltas(parser(), texts[0], settings, LearningSettings(2, 0.5, epochs=2))
    assert again.epochs == learnt.epochs
    consistent = parse_consistently(learnt.parser, *texts, learnt.settings)
    assert len(consistent.treebank) == 15


def test_one_epoch_is_the_perceptrons_step_on_each_fold(texts):
    """Two folds of one epoch, done by hand: the averages are over both steps."""
    settings, train = ConsistencySettings(delta1=2.0, delta2=1.0, delta3=0.1), texts[0]
    learnt = learn_deltas(parser(), train, settings, LearningSettings(2, 0.5, epochs=1))
    deltas, steps = np.array([2.0, 1.0, 0.1]), []
    for fold in (0, 1):
        others, held = train.select(np.arange(30) % 2 != fold), train.select(np.arange(30) % 2 == fold)
        below, index = parser().fit(others, epochs=1), ContextIndex(others, held)
        now = replace(settings, delta1=deltas[0], delta2=deltas[1], delta3=deltas[2])
        parses = parse_consistently(below, others, held, now, index=index)
        edges = parses.contexts.train_sizes + parses.contexts.test_sizes
        gold, predicted = (
            consensus_counts(parses.contexts.votes(heads), edges, index.labels.classes, now.deltas())
            for heads in (held.heads, parses.heads)
        )
        deltas = in_order(deltas + 0.5 * (gold - predicted) / parses.contexts.test_sizes.sum())
        steps.append(deltas)
    mean = np.mean(steps, axis=0)
    assert (learnt.settings.delta1, learnt.settings.delta2, learnt.settings.delta3) == pytest.approx(tuple(mean))
    assert learnt.epochs[-1].deltas == pytest.approx(tuple(deltas))


def test_a_parser_learns_less_of_what_consensus_pays_for(texts):
    """A bonus on the arcs of gold trees leaves nothing to learn; MIRA counts it towards the margin."""
    train = texts[0]
    for learner in filled(("mira", "perceptron")):
        trainer = MSTParser(1, labels=False, bits=16, learner=learner).begin(train, 1)
        rows, offsets = train.heads, arc_offsets_of(train.lengths)
        trainer.bonus = np.zeros(offsets[-1])
        for at in range(len(train)):
            side = int(train.lengths[at]) + 1
            heads = rows[train.offsets[at] + 1 : train.offsets[at + 1]]
            trainer.bonus[offsets[at] + heads * side + np.arange(1, side)] = 100.0
        assert sum(trainer.learn(at) for at in range(len(train))) == 0
        assert not trainer.averaged().weights.any()
        trainer.bonus *= 0.005  # half a unit an arc is less than MIRA's margin of one a wrong head
        wrong = sum(trainer.learn(at) for at in range(len(train)))
        assert (wrong > 0) == (learner == "mira")


def test_what_cannot_be_learnt_from_is_refused(texts):
    few = texts[0].limit(3)
    with pytest.raises(WorkbenchError, match="3 sentences to learn from make no 5 folds"):
        learn_deltas(parser(), few)
    with pytest.raises(WorkbenchError, match="at least one epoch, got 0"):
        LearningSettings(epochs=0)
    with pytest.raises(WorkbenchError, match="at least 2 folds, got 1"):
        LearningSettings(1)
    with pytest.raises(WorkbenchError, match="0 or more, got -1"):
        LearningSettings(rate=-1.0)
    for answers in filled(([True], [False] * 40 + [True], [False] * 95 + [True])):
        left = iter(answers)
        with pytest.raises(Cancelled):
            learn_deltas(parser(), texts[0], learning=LearningSettings(2), cancel=lambda left=left: next(left, True))
