"""What is settled before the search, and what branch and bound finds, against enumeration of all trees and labels."""

import numpy as np
import pytest

from core.consistency import ConsensusMRF, Deltas
from core.consistency.branching import Branching, solve_jointly
from core.consistency.first_pass import FirstPass
from core.consistency.parsing_problem import ParsingProblem
from core.consistency.windows import find
from core.decomposition import Agreement, DualSettings, DualState
from tests.consistency.problems import Listed, RandomParser, best, parsed, scaled


@pytest.mark.parametrize("scale", [0.2, 0.5, 1.0])
def test_settled_trees_are_those_of_the_best_joint_solution(scale):
    """The best joint value stays within reach when every settled sentence has its settled tree."""
    settings, settled = scaled(scale), 0
    for seed in range(12):
        listed = Listed(seed, settings)
        contexts, test = listed.contexts, listed.test
        first_pass = FirstPass(RandomParser(2, seed), contexts, settings)
        solver = ParsingProblem(first_pass, contexts, settings).second
        value, heads = best(seed, settings)
        trees = np.split(solver.solution, test.offsets[1:-1])
        mixed = [heads[k] if is_open else trees[k] for k, is_open in enumerate(solver.open)]
        assert listed.value(mixed) == pytest.approx(value, abs=1e-8)
        settled += solver.settled[~solver.open].sum()
    assert settled > 0 or scale == 1.0


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("scale", [0.5, 2.0])
@pytest.mark.parametrize("close", [True, False])
def test_branch_and_bound_finds_the_best_after_a_single_iteration(order, scale, close):
    settings, branched = scaled(scale, iterations=1, presolve=close, prune=None), 0
    for seed in range(8):
        result, (value, _) = parsed(seed, settings, order), best(seed, settings, order)
        assert result.is_certified and result.status in ("agreed", "certified")
        assert result.primal == pytest.approx(value, abs=1e-8) and result.bound == pytest.approx(value, abs=1e-8)
        branched += result.trace[-1].disagreements > 0
    assert branched > 0


def hard(branches, **more):
    """Settings under which both sides do not agree, and branch and bound solves some components of a text only."""
    return scaled(
        1, delta1=3.0, delta2=0.0, delta3=0.0, step=3.0, iterations=1, release_iterations=1, branches=branches, **more
    )


@pytest.mark.parametrize("branches", [0, 1])
def test_too_many_branches_stop_or_leave_it_to_released_constraints(branches):
    released = 0
    for seed in range(12):
        stopped, result = (parsed(seed, hard(branches, release=release)) for release in (False, True))
        value, _ = best(seed, hard(branches))
        assert not result.certified[result.released].any()
        assert not result.is_certified or result.primal == pytest.approx(value, abs=1e-8)
        assert (result.statistics()["released_share"] > 0) == (len(result.released) > 0)
        if stopped.status == "stopped":
            assert not stopped.is_certified and stopped.bound > stopped.primal and len(result.released)
            released += 1
    assert released > 0


@pytest.fixture
def solved(monkeypatch):
    """The results of ``Branching.run``, as they are made."""
    results, run = [], Branching.run
    monkeypatch.setattr(Branching, "run", lambda *given: results.append(run(*given)) or results[-1])
    return results


@pytest.mark.parametrize("branches, seed", [(5, 0), (3, 9), (5, 9), (3, 22), (5, 25)])
@pytest.mark.parametrize("prune", [None, 0.9])
def test_what_branch_and_bound_solved_stays_when_others_are_released(branches, seed, prune, solved):
    result = parsed(seed, hard(branches, prune=prune))
    before, sure = solved[-1], solved[-1].certified_blocks
    assert before.status == "stopped" and sure.any()
    assert len(result.released) and not sure[result.released].any() and result.certified[sure].all()
    rows = np.repeat(sure, np.diff(result.heads.offsets))
    assert result.heads.values[rows].tolist() == before.solution[rows].tolist()
    trees = np.split(result.heads.values, result.heads.offsets[1:-1])
    assert Listed(seed, hard(branches)).value(trees) >= before.primal - 1e-8


@pytest.mark.parametrize("branches, seed", [(5, 0), (5, 9), (1000, 9)])
def test_cancelling_branch_and_bound_keeps_what_it_solved(branches, seed, solved):
    settings, asked, inside = hard(branches, prune=None), [], 0
    whole = parsed(seed, settings, cancel=lambda: bool(asked.append(None)))
    for stop in range(2, len(asked)):  # the first pass and settling ask once each
        answers = iter([False] * stop)
        solved.clear()
        part = parsed(seed, settings, cancel=lambda answers=answers: next(answers, True))
        inside += bool(solved) and solved[-1].status == "cancelled" and solved[-1].certified_blocks.any()
        assert part.status == "cancelled" and not part.is_certified
        assert not solved or part.certified[solved[-1].certified_blocks].all()
        rest = parsed(seed, settings, resume=(part.dual.state, part.opened))
        assert rest.heads.values.tolist() == whole.heads.values.tolist()
        assert (rest.primal, rest.bound, rest.status) == (whole.primal, whole.bound, whole.status)
        assert rest.certified.tolist() == whole.certified.tolist()
    assert inside > 0


class Pairs:
    """A ``Solver`` of words with two outcomes each, 2v and 2v + 1, which scores them one by one; two words a block."""

    def __init__(self, scores):
        self.scores, count = scores, len(scores)
        self.choice, self.solution = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int32)
        self.values, self.solution_blocks = np.zeros(count // 2), np.arange(count) // 2

    def argmax(self, multipliers, blocks, preferred=None):
        words = np.concatenate((2 * blocks, 2 * blocks + 1))
        paid = self.scores[words] + multipliers.reshape(-1, 2)[words]
        self.solution[words] = paid.argmax(axis=1)
        self.choice[words] = 2 * words + self.solution[words]
        self.values[blocks] = paid.max(axis=1).reshape(2, -1).sum(axis=0)


def chain(count):
    """(first, second, agreement): ``count`` contexts of two words, each word in a block with one of the next context.

    A context's first word gains 1 with outcome 1, the second ``count`` with outcome 0; agreement pays ``count`` a word.
    """
    words, deltas = 2 * count, Deltas(float(count), 0.0, 0.0)
    scores = np.zeros((words, 2))
    scores[1::2, 1], scores[::2, 0] = 1.0, count
    contexts = np.roll(np.arange(words) // 2, -1)
    outcomes = 2 * np.arange(words + 1), np.arange(2 * words)
    labels = np.tile(np.array([0, 1], dtype=np.int32), words)
    first = ConsensusMRF(contexts, outcomes, labels, np.zeros((count, 2), dtype=int), np.arange(2), deltas)
    owner = np.repeat(np.arange(words, dtype=np.int32), 2)
    return first, Pairs(scores), Agreement(contexts, np.arange(words) // 2, owner)


@pytest.mark.parametrize("short", [0, 1])
def test_branch_and_bound_goes_as_deep_as_branches_reach(short):
    """The best gives up 1 in each context. Depth first it is met at once; two other labels a context then lose more."""
    count, settings = 600, DualSettings(iterations=1, release=False)
    first, second, agreement = chain(count)
    state, branches = DualState.new(agreement), 1 + 3 * count - short
    result = solve_jointly((first, second, agreement), settings, state, branches)
    assert result.is_certified == (not short)
    assert result.primal == pytest.approx(count * (3 * count) if not short else count * (2 * count + 1))


def test_numbers_are_found_by_their_hashes_as_by_search():
    random = np.random.default_rng(0)
    for size in (0, 1, 2, 50, 1000):
        known = np.unique(random.integers(0, 1 << 60, size))
        wanted = np.concatenate((random.permutation(known), random.integers(-1, 1 << 60, 100), [-1])).reshape(1, -1)
        places = find(known, wanted)
        expected = [[known.tolist().index(number) if number in known else -1 for number in wanted[0].tolist()]]
        assert places.dtype == np.int32 and places.tolist() == expected
