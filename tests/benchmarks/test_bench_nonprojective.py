"""Non-projective kernels beside their peers, one thread, per sentence; ratios are printed (run with ``-s``).

The peers run just before and after, on the same matrices: ufal.chu_liu_edmonds for the best tree, LAPACK's
factorisation and inverse (dgetrf + dgetri, called from compiled code) as the floor of the Matrix-Tree sums, numpy by
hand, and the O(n^5) covariance compiled the same way.
"""

import ctypes
from time import perf_counter

import numpy as np
import pytest
from numba import njit
from numba.extending import get_cython_function_address

from core.trees import (
    PackedScores,
    TreeSums,
    matrix_tree,
    matrix_tree_covariance,
    maximum_spanning_tree,
    pairwise_covariance,
)

BATCH = 64
POINTER = ctypes.c_void_p
GETRF = ctypes.CFUNCTYPE(None, *[POINTER] * 6)(get_cython_function_address("scipy.linalg.cython_lapack", "dgetrf"))
GETRI = ctypes.CFUNCTYPE(None, *[POINTER] * 7)(get_cython_function_address("scipy.linalg.cython_lapack", "dgetri"))


@njit
def invert_all(matrices, out):
    """dgetrf + dgetri on a copy of each matrix."""
    n = matrices.shape[1]
    size, work_size, info = np.array([n], np.int32), np.array([64 * n], np.int32), np.zeros(1, np.int32)
    pivots, work = np.empty(n, np.int32), np.empty(64 * n)
    for index in range(len(matrices)):
        out[index] = matrices[index]
        a = out[index].ctypes
        GETRF(size.ctypes, size.ctypes, a, size.ctypes, pivots.ctypes, info.ctypes)
        GETRI(size.ctypes, a, size.ctypes, pivots.ctypes, work.ctypes, work_size.ctypes, info.ctypes)


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
    benchmark.pedantic(ours, rounds=9, iterations=1, warmup_rounds=1)
    own = benchmark.stats.stats.min
    line = f"{name}: {own / BATCH * 1e6:.2f} us a sentence"
    for peer, function in peers.items():
        theirs = min(before[peer], seconds(function))
        line += f"; {theirs / BATCH * 1e6:.2f} us {peer} (ratio {own / theirs:.3f})"
        benchmark.extra_info[peer] = own / theirs
    print(f"\n{line}")


def batch(n, kind="gauss"):
    """Random matrices; with "peaked" one tree stands out by five nats an arc."""
    rng = np.random.default_rng(n)
    matrices = rng.normal(size=(BATCH, n + 1, n + 1))
    if kind == "peaked":
        for matrix in matrices:
            order = rng.permutation(n) + 1
            heads = np.zeros(n + 1, dtype=int)
            heads[order[1:]] = [order[rng.integers(0, i)] for i in range(1, n)]
            matrix[heads[1:], np.arange(1, n + 1)] += 5.0
    return matrices


@pytest.mark.parametrize("n", [10, 20, 40, 80, 160])
@pytest.mark.parametrize("kind", ["gauss", "peaked"])
@pytest.mark.parametrize("single_root", [False, True], ids=["multi", "single"])
def test_maximum_spanning_tree(benchmark, n, kind, single_root):
    ufal = pytest.importorskip("ufal.chu_liu_edmonds")
    matrices = batch(n, kind)
    theirs = matrices.copy()
    theirs[:, 0] -= 1000.0 * single_root
    theirs[:, np.arange(n + 1), np.arange(n + 1)] = np.nan  # how ufal is told that there is no such arc
    theirs = np.ascontiguousarray(theirs.transpose(0, 2, 1))

    def ours():
        for matrix in matrices:
            maximum_spanning_tree(matrix, single_root)

    def peer():
        for matrix in theirs:
            ufal.chu_liu_edmonds(matrix)

    report(benchmark, f"maximum_spanning_tree, {kind}, {single_root=}, {n=}", ours, {"ufal": peer})


def kirchhoff(matrices):
    """Weights (column maxima taken out) and the single-root Kirchhoff matrices of Koo et al. 2007."""
    n = matrices.shape[1] - 1
    scores = matrices.copy()
    scores[:, np.arange(n + 1), np.arange(n + 1)] = -np.inf
    weights = np.exp(scores[:, :, 1:] - scores[:, :, 1:].max(axis=1, keepdims=True))
    laplacians = -weights[:, 1:]
    laplacians[:, np.arange(n), np.arange(n)] = weights[:, 1:].sum(axis=1)
    laplacians[:, 0] = weights[:, 0]
    return weights, laplacians


def numpy_by_hand(matrices):
    weights, laplacians = kirchhoff(matrices)
    inverse = np.linalg.inv(laplacians)
    _, log_determinant = np.linalg.slogdet(laplacians)
    diagonal = np.diagonal(inverse, axis1=1, axis2=2).copy()
    diagonal[:, 0] = 0.0
    others = inverse.transpose(0, 2, 1).copy()
    others[:, 0] = 0.0
    marginals = weights.copy()
    marginals[:, 1:] *= diagonal[:, None, :] - others
    marginals[:, 0] *= inverse[:, :, 0]
    return log_determinant, marginals


@pytest.mark.parametrize("n", [5, 10, 20, 40, 80, 160])
def test_matrix_tree(benchmark, n):
    matrices = batch(n)
    packed = PackedScores.from_matrices(list(matrices))
    laplacians = kirchhoff(matrices)[1]
    out = np.empty_like(laplacians)
    peers = {"LAPACK floor": lambda: invert_all(laplacians, out), "numpy by hand": lambda: numpy_by_hand(matrices)}
    report(benchmark, f"matrix_tree packed, {n=}", lambda: matrix_tree(packed, threads=1), peers)


@pytest.mark.parametrize("n", [10, 20, 40, 80])
def test_matrix_tree_one_by_one(benchmark, n):
    matrices = batch(n)
    laplacians = kirchhoff(matrices)[1]
    out = np.empty_like(laplacians)

    def ours():
        for matrix in matrices:
            matrix_tree(matrix)

    peers = {
        "LAPACK floor": lambda: invert_all(laplacians, out),
        "numpy by hand": lambda: [numpy_by_hand(matrix[None]) for matrix in matrices],
    }
    report(benchmark, f"matrix_tree one by one, {n=}", ours, peers)


@pytest.mark.parametrize("n", [5, 10, 20, 40, 80, 160])
def test_matrix_tree_covariance(benchmark, n):
    matrices = batch(n)
    packed = PackedScores.from_matrices(list(matrices))
    direction = packed.like(np.random.default_rng(0).normal(size=packed.values.shape))
    laplacians = kirchhoff(matrices)[1]
    out = np.empty_like(laplacians)
    peers = {"LAPACK floor": lambda: invert_all(laplacians, out)}
    report(
        benchmark,
        f"matrix_tree_covariance packed, {n=}",
        lambda: matrix_tree_covariance(packed, direction, threads=1),
        peers,
    )


@pytest.mark.parametrize("n", [10, 20, 40])
def test_covariance_against_pairs(benchmark, n):
    matrices = batch(n)
    packed = PackedScores.from_matrices(list(matrices))
    direction = packed.like(np.random.default_rng(0).normal(size=packed.values.shape))
    one = PackedScores.from_matrices([matrices[0]])
    along = one.like(direction[0].ravel().copy())
    pairwise_covariance(one, along)
    alone = seconds(lambda: pairwise_covariance(one, along), 2) * BATCH
    benchmark.pedantic(lambda: matrix_tree_covariance(packed, direction, threads=1), rounds=9, warmup_rounds=1)
    own = benchmark.stats.stats.min
    print(f"\ncovariance, {n=}: {own / BATCH * 1e6:.1f} us; pairs {alone / BATCH * 1e6:.0f} us ({alone / own:.0f} x)")


def test_training_by_expectations_on_short_sentences(benchmark):
    """550 sentences of up to ten words: marginals, then a covariance, from one ``TreeSums``."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 11, size=550)
    packed = PackedScores.from_matrices([rng.normal(size=(n + 1, n + 1)) for n in lengths])
    direction = packed.like(rng.normal(size=packed.values.shape))
    sums = TreeSums(packed, threads=1)
    out = packed.like(np.empty_like(packed.values))
    marginals = seconds(lambda: sums.update(packed)) / len(packed) * 1e6
    covariance = seconds(lambda: sums.covariance(direction, out)) / len(packed) * 1e6
    benchmark.pedantic(lambda: sums.update(packed).covariance(direction, out), rounds=9, warmup_rounds=1)
    print(
        f"\nTreeSums, 550 sentences of <= 10 words: update {marginals:.2f}, covariance {covariance:.2f} us a sentence"
    )
