"""Projective kernels beside their peers, one thread, per sentence; ratios are printed (run with ``-s``).

Peers run just before and after ours, on the same matrices: ltp-extension (Rust, 32-bit, single root only) for the
decoder where it is installed, and the textbook charts below, compiled by numba. No package from PyPI sums over
projective trees without torch or jax.
"""

from time import perf_counter

import numpy as np
import pytest
from numba import njit

from core.trees import PackedScores, eisner, inside_outside, inside_outside_covariance, max_marginals

BATCH = 64
SIZES = [10, 20, 40, 80]


@njit
def textbook_eisner(scores):
    """Value of the best tree with one root: spans by width, the textbook's loops, a back-pointer for each item."""
    n = len(scores) - 1
    complete, incomplete = np.zeros((2, n + 1, n + 1)), np.full((2, n + 1, n + 1), -np.inf)
    splits = np.zeros((4, n + 1, n + 1), np.int32)
    for width in range(1, n):
        for i in range(1, n + 1 - width):
            j = i + width
            best = -np.inf
            for k in range(i, j):
                value = complete[1, i, k] + complete[0, k + 1, j]
                if value > best:
                    best, splits[0, i, j] = value, k
            incomplete[0, i, j], incomplete[1, i, j] = best + scores[j, i], best + scores[i, j]
            best = -np.inf
            for k in range(i, j):
                value = complete[0, i, k] + incomplete[0, k, j]
                if value > best:
                    best, splits[1, i, j] = value, k
            complete[0, i, j] = best
            best = -np.inf
            for k in range(i + 1, j + 1):
                value = incomplete[1, i, k] + complete[1, k, j]
                if value > best:
                    best, splits[2, i, j] = value, k
            complete[1, i, j] = best
    best = -np.inf
    for r in range(1, n + 1):
        best = max(best, complete[0, 1, r] + complete[1, r, n] + scores[0, r])
    return best


@njit
def add(a, b):
    """log(exp(a) + exp(b)); no forbidden arcs here."""
    return a + np.log1p(np.exp(b - a)) if a > b else b + np.log1p(np.exp(a - b))


@njit
def textbook_inside(scores):
    """Log-partition over trees with one root, in logarithms, spans by width: the inside half alone."""
    n = len(scores) - 1
    complete, incomplete = np.zeros((2, n + 1, n + 1)), np.zeros((2, n + 1, n + 1))
    for width in range(1, n):
        for i in range(1, n + 1 - width):
            j = i + width
            total = -1e300
            for k in range(i, j):
                total = add(total, complete[1, i, k] + complete[0, k + 1, j])
            incomplete[0, i, j], incomplete[1, i, j] = total + scores[j, i], total + scores[i, j]
            left, right = -1e300, -1e300
            for k in range(i, j):
                left = add(left, complete[0, i, k] + incomplete[0, k, j])
                right = add(right, incomplete[1, i, k + 1] + complete[1, k + 1, j])
            complete[0, i, j], complete[1, i, j] = left, right
    total = -1e300
    for r in range(1, n + 1):
        total = add(total, complete[0, 1, r] + complete[1, r, n] + scores[0, r])
    return total


def seconds(function, repeats=7):
    """The quickest of some runs."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def report(benchmark, name, ours, peers):
    """Run ``ours`` under the benchmark and print its time per sentence and the ratio to each peer."""
    before = {peer: seconds(function) for peer, function in peers.items()}
    benchmark.pedantic(ours, rounds=15, iterations=1, warmup_rounds=1)
    own = benchmark.stats.stats.min
    line = f"{name}: {own / BATCH * 1e6:.2f} us a sentence"
    for peer, function in peers.items():
        theirs = min(before[peer], seconds(function))
        line += f"; {theirs / BATCH * 1e6:.2f} us {peer} (ratio {own / theirs:.3f})"
        benchmark.extra_info[peer] = own / theirs
    print(f"\n{line}")


def matrices(n):
    return np.random.default_rng(n).normal(size=(BATCH, n + 1, n + 1))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("packed", [True, False], ids=["packed", "one-by-one"])
def test_eisner(benchmark, n, packed):
    scores = matrices(n)
    corpus = PackedScores.from_matrices(list(scores))
    values = [textbook_eisner(matrix) for matrix in scores]
    heads = eisner(corpus)
    modifiers = np.arange(1, n + 1)
    for matrix, found, value in zip(scores, heads, values, strict=True):
        assert matrix[found[1:], modifiers].sum() == pytest.approx(value)
    peers = {"textbook chart": lambda: [textbook_eisner(matrix) for matrix in scores]}
    try:
        from ltp_extension.algorithms import eisner as ltp_eisner
    except ImportError:
        print("\nltp-extension is not installed: pip install ltp-extension to compare with it")
    else:
        transposed = np.ascontiguousarray(scores.transpose(0, 2, 1))
        lists = transposed.reshape(BATCH, -1).tolist()
        assert ltp_eisner(lists[0], [n + 1], True)[0] == heads[0][1:].tolist()
        peers["ltp from arrays"] = lambda: [ltp_eisner(m.ravel().tolist(), [n + 1], True) for m in transposed]
        peers["ltp, lists ready"] = lambda: [ltp_eisner(numbers, [n + 1], True) for numbers in lists]

    def ours():
        return eisner(corpus, threads=1) if packed else [eisner(matrix) for matrix in scores]

    report(benchmark, f"eisner, {packed=}, {n=}", ours, peers)


@pytest.mark.parametrize("n", SIZES)
def test_inside_outside(benchmark, n):
    scores = matrices(n)
    corpus = PackedScores.from_matrices(list(scores))
    log_partitions, _ = inside_outside(corpus)
    assert log_partitions[0] == pytest.approx(textbook_inside(scores[0]))
    peers = {
        "textbook inside alone, in logarithms": lambda: [textbook_inside(matrix) for matrix in scores],
        "eisner": lambda: eisner(corpus, threads=1),
    }
    report(benchmark, f"inside_outside, {n=}", lambda: inside_outside(corpus, threads=1), peers)


@pytest.mark.parametrize("n", SIZES)
def test_inside_outside_covariance(benchmark, n):
    corpus, direction = (PackedScores.from_matrices(list(half)) for half in (matrices(n), matrices(n)[::-1]))
    ahead = corpus.like(corpus.values + 1e-5 * direction.values)
    behind = corpus.like(corpus.values - 1e-5 * direction.values)

    def differences():
        above, below = inside_outside(ahead, threads=1)[1], inside_outside(behind, threads=1)[1]
        return (above.values - below.values) / 2e-5

    covariance = inside_outside_covariance(corpus, direction)
    np.testing.assert_allclose(covariance.values, differences(), atol=1e-6)
    peers = {"marginals": lambda: inside_outside(corpus, threads=1), "differences of marginals": differences}

    def ours():
        return inside_outside_covariance(corpus, direction, threads=1)

    report(benchmark, f"inside_outside_covariance, {n=}", ours, peers)


@pytest.mark.parametrize("n", SIZES)
def test_max_marginals(benchmark, n):
    corpus = PackedScores.from_matrices(list(matrices(n)))
    values = max_marginals(corpus)
    assert values[0][:, 1:].max() == pytest.approx(textbook_eisner(corpus[0]))
    peers = {"eisner": lambda: eisner(corpus, threads=1)}
    report(benchmark, f"max_marginals, {n=}", lambda: max_marginals(corpus, threads=1), peers)
