"""The consensus MRF against enumeration of labels and outcomes."""

from itertools import pairwise

import numpy as np
import pytest

from core.consistency.mrf import ConsensusMRF, Deltas
from core.errors import WorkbenchError
from tests.oracles.consistency import consensus_value, edge, star_value


def random_case(seed, ties):
    """(MRF, words by context as the oracle takes them, observed labels, multipliers, classes)."""
    random = np.random.default_rng(seed)
    contexts = np.sort(random.integers(0, 2, random.integers(1, 5)))
    counts = random.integers(1, 4, len(contexts))
    offsets = np.concatenate(([0], np.cumsum(counts)))
    size, labels_count = int(offsets[-1]), 4
    entries = np.concatenate([random.permutation(np.arange(a, b)) for a, b in pairwise(offsets)])
    labels = random.integers(0, labels_count, size).astype(np.int32)
    observed = random.integers(0, 3, (2, labels_count)) * random.integers(0, 2, (2, 1))
    classes = np.array([0, 1, 1, 2], dtype=np.int32)
    deltas = np.sort(random.integers(0, 4, 3) / 2.0)[::-1] if ties else np.sort(random.random(3))[::-1]
    multipliers = random.integers(-1, 2, size) / 2.0 if ties else random.normal(size=size)
    mrf = ConsensusMRF(contexts, (offsets, entries), labels, observed, classes, Deltas(*deltas.tolist()))
    words = [[], []]
    for v, context in enumerate(contexts):
        words[context].append([(k, int(labels[k])) for k in range(offsets[v], offsets[v + 1])])
    votes = [[label for label in range(labels_count) for _ in range(row[label])] for row in observed]
    return mrf, words, votes, multipliers, classes, tuple(deltas), random


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_stars_match_enumeration(seed, ties):
    mrf, words, votes, multipliers, classes, deltas, random = random_case(seed, ties)

    def close(a, b):
        return classes[a] == classes[b]

    preferred = np.array([random.choice(np.sort(mrf.nodes.entries[a:b])) for a, b in pairwise(mrf.nodes.offsets)])
    mrf.argmax(multipliers, np.arange(2), preferred)
    for context in range(2):
        expected = star_value(words[context], votes[context], multipliers, 4, deltas, close)
        assert mrf.values[context] == pytest.approx(expected, abs=1e-9)
        label = None if mrf.solution[context] < 0 else mrf.solution[context]
        chosen = mrf.choice[mrf.contexts == context]
        reached = sum(multipliers[k] + edge(mrf.nodes.labels[k], label, deltas, close) for k in chosen)
        reached += sum(edge(vote, label, deltas, close) for vote in votes[context])
        assert reached == pytest.approx(expected, abs=1e-8)
        held = [int(mrf.nodes.labels[k]) for k in preferred[mrf.contexts == context]]
        best, best_label = consensus_value([*held, *votes[context]], 4, deltas, close)
        assert mrf.value_at(preferred, np.array([context]))[0] == pytest.approx(best, abs=1e-9)
        found = mrf.labels_at(preferred)[context]
        if not ties:
            assert (None if found < 0 else found) == best_label


def test_equals_go_to_what_is_preferred_then_to_the_order_of_outcomes():
    mrf = ConsensusMRF([0, 0], ([0, 2, 4], [1, 0, 2, 3]), [1, 1, 2, 3], np.zeros((1, 4)), np.arange(4), Deltas(1, 0, 0))
    mrf.argmax(np.zeros(4), np.array([0]), np.array([0, 3]))
    assert mrf.choice.tolist() == [0, 3] and mrf.solution[0] == 1  # 1 and 3 and 2 tie at 1: both may keep theirs
    mrf.argmax(np.zeros(4), np.array([0]))
    assert mrf.choice.tolist() == [1, 2]


@pytest.mark.parametrize(("votes", "label"), [(3, 2), (2, -1), (1, 1)])
def test_a_label_beats_null_when_its_mean_bonus_exceeds_delta3(votes, label):
    """Shares 3/5 and 2/5; 2/4 and 2/4; 1/3 and 2/3 of the edges, against 0.55."""
    observed = np.array([[0, 1, votes]])
    mrf = ConsensusMRF([0], ([0, 1], [0]), [1], observed, np.arange(3), Deltas(1.0, 0.55, 0.55))
    assert mrf.labels_at(np.array([0]))[0] == label
    mrf.argmax(np.zeros(1), np.array([0]))
    assert mrf.solution[0] == label


def test_released_words_no_longer_vote():
    mrf = ConsensusMRF([0, 0], ([0, 1, 2], [0, 1]), [1, 2], np.array([[0, 0, 1]]), np.arange(3), Deltas(1, 0, 0))
    assert mrf.value_at(np.array([0, 1]), np.array([0]))[0] == 2
    mrf.release(np.array([False, True]))
    assert mrf.value_at(np.array([0, 1]), np.array([0]))[0] == 1


@pytest.mark.parametrize("deltas", [(1, 2, 0), (1, 0.5, 0.7), (1, 0.5, -0.1), (float("nan"), 0, 0)])
def test_deltas_out_of_order_are_refused(deltas):
    with pytest.raises(WorkbenchError, match="delta1 >= delta2 >= delta3 >= 0"):
        Deltas(*deltas)


@pytest.mark.parametrize(
    ("contexts", "offsets", "labels", "match"),
    [([0, 0], [0, 0, 1], 2, "needs an outcome"), ([1], [0, 1], 2, "2 at least, got 1"), ([0], [0, 1], 3, "shape")],
)
def test_words_without_outcomes_and_missing_observations_are_refused(contexts, offsets, labels, match):
    with pytest.raises(WorkbenchError, match=match):
        ConsensusMRF(contexts, (offsets, [0]), [1], np.zeros((1, labels)), np.arange(2))


@pytest.mark.parametrize("seed", range(40))
def test_neutral_multipliers_are_the_greatest_that_change_nothing(seed):
    """An outcome that joins a word's own leaves every label's value as it was, and no longer does a little above."""
    cases = (random_case(number, ties=False) for number in range(seed, 1000, 40))
    case = next(case for case in cases if np.diff(case[0].nodes.offsets).max() > 1)
    mrf, _, _, multipliers, classes, deltas, _ = case
    word = np.diff(mrf.nodes.offsets).argmax()
    first, last = mrf.nodes.offsets[word : word + 2]
    own, new = mrf.nodes.entries[first : last - 1], mrf.nodes.entries[last - 1 : last]
    alone = ConsensusMRF([0], ([0, len(own)], own), mrf.nodes.labels, np.zeros((1, 4)), classes, Deltas(*deltas))
    value = alone.neutral_multipliers(np.array([0]), new, multipliers)[0]

    def close(a, b):
        return classes[a] == classes[b]

    def best(consensus, outcomes, u):
        return max(u[k] + edge(mrf.nodes.labels[k], consensus, deltas, close) for k in outcomes)

    gains = []
    for extra in (0.0, 1e-6):
        u = multipliers.copy()
        u[new] = value + extra
        both = np.concatenate((own, new))
        gains.append(max(best(c, both, u) - best(c, own, u) for c in (None, 0, 1, 2, 3)))
    assert gains[0] == pytest.approx(0, abs=1e-12) and gains[1] > 0
