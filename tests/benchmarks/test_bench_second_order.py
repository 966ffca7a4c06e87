"""Decoders of second order and k-best beside the first-order decoder and textbook charts, one thread, per sentence.

Peers run just before and after ours, on the same scores; ratios are printed (run with ``-s``). No package from PyPI
decodes with siblings, or lists k trees, on arrays without torch; the textbook charts below are compiled by numba.
"""

from time import perf_counter

import numpy as np
import pytest
from numba import njit

from core.trees import (
    PackedScores,
    PackedTriples,
    SurvivingArcs,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
    max_marginals,
)
from tests.filled import filled

TREES = 16


@njit
def textbook_sibling(scores, siblings):
    """Value of the best tree with one root: spans by width, back-pointers, McDonald & Pereira's loops."""
    n = len(scores) - 1
    complete, incomplete = np.zeros((2, n + 1, n + 1)), np.full((2, n + 1, n + 1), -np.inf)
    pair, splits = np.zeros((n + 1, n + 1)), np.zeros((5, n + 1, n + 1), np.int32)
    for width in range(1, n):
        for i in range(1, n + 1 - width):
            j = i + width
            best = -np.inf
            for k in range(i, j):
                if complete[1, i, k] + complete[0, k + 1, j] > best:
                    best, splits[0, i, j] = complete[1, i, k] + complete[0, k + 1, j], k
            pair[i, j] = best
            best, splits[1, i, j] = complete[0, i + 1, j] + siblings[i, i, j], i
            for s in range(i + 1, j):
                value = incomplete[1, i, s] + pair[s, j] + siblings[i, s, j]
                if value > best:
                    best, splits[1, i, j] = value, s
            incomplete[1, i, j] = best + scores[i, j]
            best, splits[2, i, j] = complete[1, i, j - 1] + siblings[j, j, i], j
            for s in range(i + 1, j):
                value = incomplete[0, s, j] + pair[i, s] + siblings[j, s, i]
                if value > best:
                    best, splits[2, i, j] = value, s
            incomplete[0, i, j] = best + scores[j, i]
            best = -np.inf
            for k in range(i, j):
                if complete[0, i, k] + incomplete[0, k, j] > best:
                    best, splits[3, i, j] = complete[0, i, k] + incomplete[0, k, j], k
            complete[0, i, j] = best
            best = -np.inf
            for k in range(i + 1, j + 1):
                if incomplete[1, i, k] + complete[1, k, j] > best:
                    best, splits[4, i, j] = incomplete[1, i, k] + complete[1, k, j], k
            complete[1, i, j] = best
    best = -np.inf
    for r in range(1, n + 1):
        best = max(best, complete[0, 1, r] + complete[1, r, n] + scores[0, r] + siblings[0, 0, r])
    return best


@njit
def textbook_kbest(scores, k):
    """Values of the k best trees with one root, or fewer: k values in every item, merged split by split."""
    n = len(scores) - 1
    complete, incomplete = np.full((2, n + 1, n + 1, k), -np.inf), np.full((2, n + 1, n + 1, k), -np.inf)
    for i in range(1, n + 1):
        complete[:, i, i, 0] = 0.0
    for width in range(1, n):
        for i in range(1, n + 1 - width):
            j = i + width
            for split in range(i, j):
                merge(incomplete[0, i, j], complete[1, i, split], complete[0, split + 1, j])
            incomplete[1, i, j] = incomplete[0, i, j] + scores[i, j]
            incomplete[0, i, j] += scores[j, i]
            for split in range(i, j):
                merge(complete[0, i, j], complete[0, i, split], incomplete[0, split, j])
                merge(complete[1, i, j], incomplete[1, i, split + 1], complete[1, split + 1, j])
    best = np.full(k, -np.inf)
    for r in range(1, n + 1):
        merge(best, complete[0, 1, r] + scores[0, r], complete[1, r, n])
    return best


@njit
def merge(best, first, second):
    """Put the sums of two sorted lists into a sorted list that keeps its length."""
    for a in range(len(first)):
        for b in range(len(second)):
            value = first[a] + second[b]
            if not value > best[-1]:
                break
            at = len(best) - 1
            while at > 0 and best[at - 1] < value:
                best[at] = best[at - 1]
                at -= 1
            best[at] = value


def seconds(function, repeats=7):
    """The quickest of some runs."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def batch(n):
    """How many sentences: what a call costs once is spread over 64, where their cubes fit into memory."""
    return 64 if n <= 40 else 8


def report(benchmark, name, n, ours, peers):
    """Run ``ours`` under the benchmark and print its time per sentence and the ratio to each peer."""
    before = {peer: seconds(function) for peer, function in peers.items()}
    benchmark.pedantic(ours, rounds=15, iterations=1, warmup_rounds=1)
    own = benchmark.stats.stats.min
    line = f"{name}, {n=}: {own / batch(n) * 1e6:.2f} us a sentence"
    for peer, function in peers.items():
        theirs = min(before[peer], seconds(function))
        line += f"; {theirs / batch(n) * 1e6:.2f} us {peer} (ratio {own / theirs:.3f})"
        benchmark.extra_info[peer] = own / theirs
    print(f"\n{line}")


def problems(n, forbidden=0.0):
    """(arrays, packed): scores, sibling and grandparent scores of a batch; some arcs forbidden, a chain never."""
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(batch(n), n + 1, n + 1))
    gone = rng.random(scores.shape) < forbidden
    gone[:, np.arange(n), np.arange(1, n + 1)] = False
    scores[gone] = -np.inf
    cubes = rng.normal(size=(2, batch(n), n + 1, n + 1, n + 1))
    packed = PackedScores.from_matrices(list(scores)), *(PackedTriples.from_arrays(list(cube)) for cube in cubes)
    return (scores, *cubes), packed


@pytest.mark.parametrize("n", [10, 20, 40, 80])
@pytest.mark.parametrize("packed", [True, False], ids=["packed", "one-by-one"])
def test_eisner_sibling(benchmark, n, packed):
    (scores, siblings, _), (corpus, parts, _) = problems(n)
    pairs = list(zip(scores, siblings, strict=True))
    values = max_marginals(corpus, parts)
    for (matrix, cube), best in filled(zip(pairs, values, strict=True)):
        assert textbook_sibling(matrix, cube) == pytest.approx(best.max())
    peers = {
        "eisner": lambda: eisner(corpus, threads=1),
        "textbook chart": lambda: [textbook_sibling(*pair) for pair in pairs],
    }

    def ours():
        return eisner_sibling(corpus, parts, threads=1) if packed else [eisner_sibling(*pair) for pair in pairs]

    report(benchmark, f"eisner_sibling, {packed=}", n, ours, peers)


@pytest.mark.parametrize("n", [20, 40, 80])
def test_eisner_pruned(benchmark, n):
    (corpus, _, _), (pruned, _, _) = problems(n)[1], problems(n, forbidden=0.95)[1]
    peers = {"eisner": lambda: eisner(corpus, threads=1)}
    report(benchmark, "eisner, 5% of arcs", n, lambda: eisner(pruned, threads=1), peers)


@pytest.mark.parametrize("n", [20, 40])
@pytest.mark.parametrize("order", [2, 3])
def test_surviving_arcs(benchmark, order, n):
    """15% of arcs: their parts packed, the whole cubes, and the whole cubes where nothing is pruned."""
    decode = {2: eisner_sibling, 3: eisner_grandparent}[order]
    corpus, *cubes = problems(n)[1][:order]
    pruned = problems(n, forbidden=0.85)[1][0]
    arcs = SurvivingArcs.of(pruned)
    rng = np.random.default_rng(n)
    parts = [arcs.siblings(rng.normal(size=arcs.sibling_offsets[-1]))]
    if order == 3:
        parts.append(arcs.grandparents(rng.normal(size=arcs.grandparent_offsets[-1])))
    peers = {
        "eisner": lambda: eisner(corpus, threads=1),
        "whole cubes": lambda: decode(pruned, *cubes, threads=1),
        "unpruned": lambda: decode(corpus, *cubes, threads=1),
    }
    report(benchmark, f"{decode.__name__}, surviving", n, lambda: decode(pruned, *parts, threads=1), peers)


@pytest.mark.parametrize("n", [10, 20, 40])
def test_eisner_grandparent(benchmark, n):
    _, (corpus, parts, chains) = problems(n)
    peers = {"eisner_sibling": lambda: eisner_sibling(corpus, parts, threads=1)}
    report(
        benchmark,
        "eisner_grandparent",
        n,
        lambda: eisner_grandparent(corpus, parts, chains, threads=1),
        peers,
    )


@pytest.mark.parametrize("n", [10, 20, 40])
def test_second_order_max_marginals(benchmark, n):
    _, (corpus, parts, chains) = problems(n)
    peers = {
        "eisner_sibling": lambda: eisner_sibling(corpus, parts, threads=1),
        "max_marginals with grandparents": lambda: max_marginals(corpus, parts, chains, threads=1),
    }
    report(benchmark, "max_marginals", n, lambda: max_marginals(corpus, parts, threads=1), peers)


@pytest.mark.parametrize("n", [10, 20, 40, 80])
@pytest.mark.parametrize("packed", [True, False], ids=["packed", "one-by-one"])
def test_eisner_kbest(benchmark, n, packed):
    (scores, _, _), (corpus, _, _) = problems(n)
    found = eisner_kbest(corpus, TREES)
    np.testing.assert_allclose(found[0][1], textbook_kbest(scores[0], TREES)[: found.counts[0]])
    peers = {"eisner": lambda: eisner(corpus, threads=1)}
    if n <= 40:
        peers["k in every item"] = lambda: [textbook_kbest(matrix, TREES) for matrix in scores]

    def ours():
        return eisner_kbest(corpus, TREES, threads=1) if packed else [eisner_kbest(matrix, TREES) for matrix in scores]

    report(benchmark, f"eisner_kbest({TREES}), {packed=}", n, ours, peers)


@pytest.mark.parametrize("n", [20, 40])
def test_sibling_kbest(benchmark, n):
    _, (corpus, parts, _) = problems(n)
    peers = {"eisner_sibling": lambda: eisner_sibling(corpus, parts, threads=1)}
    report(
        benchmark,
        f"eisner_kbest({TREES}) with siblings",
        n,
        lambda: eisner_kbest(corpus, TREES, parts, threads=1),
        peers,
    )
