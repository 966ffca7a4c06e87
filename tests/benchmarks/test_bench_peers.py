"""Decoders and sums over trees beside every package from PyPI that has them: same results, and the ratio of the times.

Each case checks our results against one peer's on random matrices, then prints the time per sentence of both: one
thread, median of alternating rounds, processor time (so that other programs hardly count). Peers that take batches are
met twice: one sentence a call, and 64 sentences a call against our packed scores. A peer gets its own layout and type
before the clock starts, in 64 bits where it can, and what it returns is not converted while the clock runs.

Every peer is optional; a case whose peer cannot be imported is skipped with the reason. All of them, on top of
tests/requirements.txt::

    pip install torch --index-url https://download.pytorch.org/whl/cpu
    pip install ltp-extension stanza nltk dill
    pip install --no-deps supar torch-struct diaparser spacy-experimental

(Without their requirements: these functions need no more, and spacy-experimental insists on a spaCy older than ours.)
Then ``python -m pytest tests/benchmarks/test_bench_peers.py --benchmark-enable --benchmark-only -s``.
"""

from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import pytest

from core.trees import (
    PackedScores,
    eisner,
    inside_outside,
    matrix_tree,
    matrix_tree_covariance,
    maximum_spanning_tree,
)

SIZES = [10, 20, 40]
BATCH = 64
ONE_BY_ONE = 16  # sentences that a peer gets one at a time
ROUNDS = 15
SLICE = 0.05  # seconds of a slow peer in each round
ROOT_PENALTY = 1000.0  # more than any difference between trees here, so that one arc leaves the root
EPS = 1e-5  # what torch-struct adds to the weight of each arc between words
FORBIDDEN = -1e32  # what supar and diaparser take for it

pytestmark = pytest.mark.benchmark(timer=process_time, disable_gc=True)


@dataclass
class Peer:
    """A function, its inputs (each of one or of BATCH sentences), and how to read what it returns in our layout."""

    function: Any
    inputs: list
    read: Any
    tolerance: float = 1e-9


def need(name):
    """The module; without it the case is skipped."""
    return pytest.importorskip(
        name, reason=f"{name} cannot be imported; see the top of this file", exc_type=ImportError
    )


def tensors(array, size):
    """The array in tensors of ``size`` sentences."""
    torch = need("torch")
    torch.set_num_threads(1)
    return list(torch.tensor(array).split(size))


def words_only(length):
    """The mask of a sentence for supar and diaparser."""
    mask = need("torch").ones(1, length, dtype=bool)
    mask[:, 0] = False
    return mask


def matrices(n, size, kind="gauss"):
    """Random scores[h, m]; with "peaked" one tree stands out by five nats an arc."""
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(ONE_BY_ONE if size == 1 else BATCH, n + 1, n + 1))
    if kind == "peaked":
        for matrix in scores:
            order = rng.permutation(n) + 1
            heads = np.zeros(n + 1, dtype=int)
            heads[order[1:]] = [order[rng.integers(0, i)] for i in range(1, n)]
            matrix[heads[1:], np.arange(1, n + 1)] += 5.0
    return scores


def forbid(scores, value):
    """A copy with ``value`` on the diagonal and in column 0."""
    out = scores.copy()
    words = np.arange(scores.shape[1])
    out[:, words, words] = value
    out[:, :, 0] = value
    return out


def by_modifier(scores):
    """scores[m, h], which most peers want."""
    return np.ascontiguousarray(scores.transpose(0, 2, 1))


def root_on_diagonal(scores):
    """torch-struct's layout: (n, n), the root's arcs on the diagonal."""
    out = scores[:, 1:, 1:].copy()
    words = np.arange(out.shape[1])
    out[:, words, words] = scores[:, 0, 1:]
    return out


def root_in_row(arcs):
    """Back from torch-struct's layout."""
    arcs = np.asarray(arcs)
    words = np.arange(arcs.shape[1])
    out = np.pad(arcs, ((0, 0), (1, 0), (1, 0)))
    out[:, 0, 1:] = arcs[:, words, words]
    out[:, words + 1, words + 1] = 0.0
    return out


def race(benchmark, name, kernel, arrays, peer):
    """Time ours and the peer in turn; print both medians per sentence and how many times faster ours is."""
    count = len(arrays[0])
    size = count // len(peer.inputs)
    if size > 1:
        packed = [PackedScores.from_matrices(list(array)) for array in arrays]
    else:
        sentences = list(zip(*arrays, strict=True))

    def ours():
        return kernel(*packed, threads=1) if size > 1 else [kernel(*sentence) for sentence in sentences]

    start = process_time()
    peer.function(peer.inputs[0])
    inputs = peer.inputs[: 1 + int(SLICE / (process_time() - start))]
    times = []

    def theirs():
        start = process_time()
        for one in inputs:
            peer.function(one)
        times.append((process_time() - start) / (len(inputs) * size))
        ours()  # unmeasured: leaves the caches as our own work would

    benchmark.pedantic(ours, setup=theirs, rounds=ROUNDS, iterations=1)
    own, other = benchmark.stats.stats.median / count, median(times)
    benchmark.extra_info.update(ours=own, theirs=other, times_faster=other / own)
    print(f"\n{name}: ours {own * 1e6:.2f} us, theirs {other * 1e6:.2f} us a sentence: {other / own:.1f} x faster")


def check_trees(decode, scores, single_root, peer):
    """Theirs and ours are trees and worth the same, up to the peer's precision."""
    found = np.concatenate([np.asarray(peer.read(peer.function(one))) for one in peer.inputs])
    modifiers = np.arange(1, scores.shape[1])
    for matrix, theirs in zip(scores, found, strict=True):
        heads = decode(matrix, single_root)
        assert is_tree(heads, single_root)
        assert is_tree(theirs, single_root)
        difference = matrix[heads[1:], modifiers].sum() - matrix[theirs[1:], modifiers].sum()
        assert -1e-9 <= difference <= peer.tolerance


def is_tree(heads, single_root):
    """Whether all words reach the root, by one arc from it if asked."""
    heads = np.array([0, *heads[1:]])
    ancestors = heads
    for _ in heads:
        ancestors = heads[ancestors]
    return not ancestors.any() and (not single_root or (heads[1:] == 0).sum() == 1)


# Maximum spanning arborescences


def ufal(scores, single_root):
    decode = need("ufal.chu_liu_edmonds").chu_liu_edmonds
    scores = by_modifier(forbid(scores, np.nan))  # how it is told that there is no such arc
    scores[:, 1:, 0] -= ROOT_PENALTY * single_root
    return Peer(decode, list(scores), lambda result: [result[0]])


def networkx(scores, single_root):
    nx = need("networkx")
    scores = forbid(scores, np.nan)
    scores[:, 0] -= ROOT_PENALTY * single_root
    graphs = [nx.DiGraph() for _ in scores]
    for graph, matrix in zip(graphs, scores, strict=True):
        graph.add_weighted_edges_from((h, m, matrix[h, m]) for h, m in np.argwhere(np.isfinite(matrix)).tolist())

    def read(tree):
        return [[-1] + [next(tree.predecessors(m)) for m in range(1, len(tree))]]

    return Peer(nx.maximum_spanning_arborescence, graphs, read)


def spacy_experimental(scores, single_root):
    decode = need("spacy_experimental.biaffine_parser.mst").chu_liu_edmonds
    scores = forbid(scores, -1e4)  # finite scores only
    scores[:, 0, 1:] -= ROOT_PENALTY * single_root
    # Scores are 32-bit: beside the penalty an arc is rounded by up to 3e-5, once for every cycle that it enters.
    inputs = list(scores.astype(np.float32))
    return Peer(lambda matrix: decode(matrix, 0), inputs, lambda heads: [[-1, *heads[1:]]], 1e-2)


def stanza(scores, single_root):
    module = need("stanza.models.common.chuliu_edmonds")
    # The single root works only for log-probabilities: the best tree is the same, since every tree loses the same.
    scores = forbid(scores, -np.inf)
    scores[:, :, 1:] -= np.log(np.exp(scores[:, :, 1:]).sum(axis=1, keepdims=True))
    decode = module.chuliu_edmonds_one_root if single_root else module.chuliu_edmonds
    return Peer(decode, list(by_modifier(scores)), lambda heads: [heads])


def supar_mst(scores, single_root, module="supar.structs.fn"):
    mst = need(module).mst
    mask = words_only(scores.shape[1])
    inputs = tensors(by_modifier(forbid(scores, FORBIDDEN)), 1)
    # The single root is sought among the roots of the best tree with several; no case is known where that misses it.
    return Peer(lambda one: mst(one, mask, multiroot=not single_root), inputs, lambda heads: heads)


def diaparser_mst(scores, single_root):
    return supar_mst(scores, single_root, "diaparser.utils.alg")


ARBORESCENCES = {
    "ufal": ufal,
    "networkx": networkx,
    "spacy-experimental": spacy_experimental,
    "stanza": stanza,
    "supar": supar_mst,
    "diaparser": diaparser_mst,
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", ["gauss", "peaked"])
@pytest.mark.parametrize("root", ["multi", "single"])
@pytest.mark.parametrize("name", ARBORESCENCES)
def test_maximum_spanning_tree(benchmark, name, root, kind, n):
    scores = matrices(n, 1, kind)
    peer = ARBORESCENCES[name](scores, root == "single")
    check_trees(maximum_spanning_tree, scores, root == "single", peer)

    def decode(matrix):
        return maximum_spanning_tree(matrix, root == "single")

    race(benchmark, f"arborescence, {kind}, {root}-root, {n=}, {name}", decode, [scores], peer)


# Projective trees


def ltp_eisner(scores, size, single_root):
    decode = need("ltp_extension.algorithms").eisner
    length = scores.shape[1]
    inputs = by_modifier(scores).reshape(len(scores), -1).tolist()  # it wants lists; building them is not timed
    # Scores are 32-bit; a chart adds up n of them.
    return Peer(lambda numbers: decode(numbers, [length], True), inputs, lambda heads: [[-1, *heads[0]]], 1e-4)


def diaparser_eisner(scores, size, single_root):
    decode = need("diaparser.utils.alg").eisner
    mask = words_only(scores.shape[1]).repeat(size, 1)
    return Peer(lambda part: decode(part, mask), tensors(by_modifier(scores), size), lambda heads: heads.numpy())


def supar_eisner(scores, size, single_root):
    tree = need("supar.structs").DependencyCRF
    inputs = tensors(by_modifier(scores), size)
    return Peer(lambda part: tree(part, multiroot=not single_root).argmax, inputs, lambda heads: heads.numpy())


def torch_struct_eisner(scores, size, single_root):
    tree = need("torch_struct").DependencyCRF
    # Without requires_grad its backward pass fails.
    inputs = [part.requires_grad_() for part in tensors(root_on_diagonal(scores), size)]

    def read(arcs):
        return root_in_row(arcs.detach()).argmax(axis=1)

    return Peer(lambda part: tree(part, multiroot=not single_root).argmax, inputs, read)


CHARTS = {
    "ltp-extension": (ltp_eisner, [1], ["single"]),
    "diaparser": (diaparser_eisner, [1, BATCH], ["single"]),
    "supar": (supar_eisner, [1, BATCH], ["multi", "single"]),
    "torch-struct": (torch_struct_eisner, [1, BATCH], ["multi", "single"]),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "name, size, root",
    [(name, size, root) for name, (_, sizes, roots) in CHARTS.items() for root in roots for size in sizes],
)
def test_eisner(benchmark, name, size, root, n):
    scores = matrices(n, size)
    peer = CHARTS[name][0](scores, size, root == "single")
    check_trees(eisner, scores, root == "single", peer)

    def decode(matrix, **options):
        return eisner(matrix, root == "single", **options)

    race(benchmark, f"Eisner, {root}-root, {n=}, {name}, {size} a call", decode, [scores], peer)


# Sums over trees. Each peer comes with the arrays that we expect of it, computed by our kernels.


def check_sums(peer, expected):
    found = [peer.read(peer.function(one)) for one in peer.inputs]
    for theirs, ours in zip(zip(*found, strict=True), expected, strict=True):
        np.testing.assert_allclose(np.concatenate(theirs), ours, rtol=0, atol=peer.tolerance)


def unpacked(kernel, *arrays):
    """Our kernel's results for the arrays of a corpus, stacked."""
    results = kernel(*(PackedScores.from_matrices(list(array)) for array in arrays), threads=1)
    results = results if isinstance(results, tuple) else (results,)
    return [np.stack([result[i] for i in range(len(result))]) for result in results]


def with_eps(scores):
    """The scores whose trees torch-struct sums in place of ours, and each arc's share of its weight there."""
    biased = scores.copy()
    biased[:, 1:, 1:] = np.log(np.exp(scores[:, 1:, 1:]) + EPS)
    return biased, np.exp(scores - biased)


def torch_struct_matrix_tree(scores, size):
    tree = need("torch_struct").NonProjectiveDependencyCRF
    # It adds 1e-5 to the weight of each arc between words: log-partitions are off by some 1e-4. Ours are the same as
    # soon as they sum the same weights; its marginals then count the given weight alone.
    biased, share = with_eps(scores)
    log_partitions, marginals = unpacked(matrix_tree, biased)

    def both(part):
        distribution = tree(part)
        return distribution.partition, distribution.marginals

    peer = Peer(both, tensors(root_on_diagonal(scores), size), lambda pair: (pair[0].numpy(), root_in_row(pair[1])))
    return peer, [log_partitions, marginals * share]


def supar_sums(tree, kernel, scores, size, tolerance):
    def both(part):
        distribution = tree(part.detach())
        return distribution.log_partition, distribution.marginals

    def read(pair):
        return pair[0].detach().numpy(), by_modifier(pair[1].detach().numpy())

    return Peer(both, tensors(by_modifier(forbid(scores, FORBIDDEN)), size), read, tolerance), unpacked(kernel, scores)


def supar_matrix_tree(scores, size):
    # It rounds log-partitions (up to 200 here) to 32 bits whatever the scores are: 8e-6.
    return supar_sums(need("supar.structs").MatrixTree, matrix_tree, scores, size, 1e-5)


def numpy_weights(scores):
    """Weights (S, n + 1, n) with the largest of each word taken out, and the logarithm of what was taken out."""
    maxima = scores[:, :, 1:].max(axis=1, keepdims=True)
    weights = np.exp(scores[:, :, 1:] - maxima)
    words = np.arange(weights.shape[2])
    weights[:, words + 1, words] = 0.0
    return weights, maxima.sum(axis=(1, 2))


def numpy_kirchhoff(weights):
    """The matrices of Koo et al. 2007."""
    laplacians = -weights[:, 1:]
    words = np.arange(laplacians.shape[1])
    laplacians[:, words, words] = weights[:, 1:].sum(axis=1)
    laplacians[:, 0] = weights[:, 0]
    return laplacians


def numpy_arcs(weights, inverse):
    """Weight of each arc times what it adds to the log-partition (the root's arcs are in row 0 of the matrices)."""
    diagonal = np.diagonal(inverse, axis1=1, axis2=2).copy()
    diagonal[:, 0] = 0.0
    others = inverse.transpose(0, 2, 1).copy()
    others[:, 0] = 0.0
    out = np.zeros((len(weights), weights.shape[1], weights.shape[1]))
    out[:, 1:, 1:] = weights[:, 1:] * (diagonal[:, None, :] - others)
    out[:, 0, 1:] = weights[:, 0] * inverse[:, :, 0]
    return out


def numpy_matrix_tree(scores, size):
    def both(part):
        weights, taken_out = numpy_weights(part)
        laplacians = numpy_kirchhoff(weights)
        marginals = numpy_arcs(weights, np.linalg.inv(laplacians))
        return np.linalg.slogdet(laplacians)[1] + taken_out, marginals

    return Peer(both, np.split(scores, len(scores) // size), lambda pair: pair), unpacked(matrix_tree, scores)


SUMS = {"torch-struct": torch_struct_matrix_tree, "supar": supar_matrix_tree, "numpy by hand": numpy_matrix_tree}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("size", [1, BATCH])
@pytest.mark.parametrize("name", SUMS)
def test_matrix_tree(benchmark, name, size, n):
    scores = matrices(n, size)
    peer, expected = SUMS[name](scores, size)
    check_sums(peer, expected)
    race(benchmark, f"Matrix-Tree, {n=}, {name}, {size} a call", matrix_tree, [scores], peer)


# Gradient of an expectation: the covariance of each arc with a sum over the arcs of a tree


def twice_backward(log_partition):
    """The gradient by two backward passes through ``log_partition``."""
    grad = need("torch").autograd.grad

    def gradient(pair):
        part, along = pair[0].detach().requires_grad_(), pair[1]
        (marginals,) = grad(log_partition(part).sum(), part, create_graph=True)
        return grad((marginals * along).sum(), part)[0]

    return gradient


def torch_covariance(scores, direction, size):
    torch = need("torch")
    no_loops = torch.tensor(1.0 - np.eye(scores.shape[1], k=-1)[:, :-1])

    def log_partition(part):
        weights = (part[:, :, 1:] - part[:, :, 1:].amax(1, keepdim=True).detach()).exp() * no_loops
        laplacians = torch.diag_embed(weights[:, 1:].sum(1)) - weights[:, 1:]
        return torch.linalg.slogdet(torch.cat([weights[:, :1], laplacians[:, 1:]], 1))[1]

    inputs = list(zip(tensors(scores, size), tensors(direction, size), strict=True))
    expected = unpacked(matrix_tree_covariance, scores, direction)
    return Peer(twice_backward(log_partition), inputs, lambda found: [found.numpy()]), expected


def supar_covariance(scores, direction, size):
    tree = need("supar.structs").MatrixTree
    arrays = by_modifier(forbid(scores, FORBIDDEN)), by_modifier(forbid(direction, 0.0))
    inputs = list(zip(*(tensors(array, size) for array in arrays), strict=True))
    peer = Peer(
        twice_backward(lambda part: tree(part).log_partition), inputs, lambda found: [by_modifier(found.numpy())]
    )
    return peer, unpacked(matrix_tree_covariance, scores, direction)


def torch_struct_covariance(scores, direction, size):
    tree, grad = need("torch_struct").NonProjectiveDependencyCRF, need("torch").autograd.grad

    def gradient(pair):
        part = pair[0].detach().requires_grad_()
        return grad((tree(part).marginals * pair[1]).sum(), part)[0]

    # The derivative of its marginals with the 1e-5 in them: once through the sums, once through the arc's own share.
    biased, share = with_eps(scores)
    marginals = unpacked(matrix_tree, biased)[1]
    (covariance,) = unpacked(matrix_tree_covariance, biased, share * direction)
    inputs = list(zip(*(tensors(root_on_diagonal(array), size) for array in (scores, direction)), strict=True))
    peer = Peer(gradient, inputs, lambda found: [root_in_row(found)])
    return peer, [share * covariance + direction * share * (1.0 - share) * marginals]


def numpy_covariance(scores, direction, size):
    def closed_form(pair):
        part, along = pair
        weights, _ = numpy_weights(part)
        moved = weights * along[:, :, 1:]
        inverse = np.linalg.inv(numpy_kirchhoff(weights))
        return numpy_arcs(moved, inverse) - numpy_arcs(weights, inverse @ numpy_kirchhoff(moved) @ inverse)

    inputs = list(zip(*(np.split(array, len(scores) // size) for array in (scores, direction)), strict=True))
    return Peer(closed_form, inputs, lambda found: [found]), unpacked(matrix_tree_covariance, scores, direction)


GRADIENTS = {
    "torch by hand": torch_covariance,
    "supar": supar_covariance,
    "torch-struct": torch_struct_covariance,
    "numpy by hand": numpy_covariance,
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("size", [1, BATCH])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_of_an_expectation(benchmark, name, size, n):
    scores = matrices(n, size)
    direction = np.random.default_rng(0).normal(size=scores.shape)
    peer, expected = GRADIENTS[name](scores, direction, size)
    check_sums(peer, expected)
    label = f"gradient of an expectation, {n=}, {name}, {size} a call"
    race(benchmark, label, matrix_tree_covariance, [scores, direction], peer)


# Projective sums


def supar_projective(scores, size):
    return supar_sums(need("supar.structs").DependencyCRF, inside_outside, scores, size, 1e-9)


def torch_struct_projective(scores, size):
    tree, grad = need("torch_struct").DependencyCRF, need("torch").autograd.grad

    def both(part):
        part = part.detach().requires_grad_()
        log_partition = tree(part, multiroot=False).partition
        return log_partition, grad(log_partition.sum(), part)[0]  # its own marginals would sum once more

    def read(pair):
        return pair[0].detach().numpy(), root_in_row(pair[1])

    return Peer(both, tensors(root_on_diagonal(scores), size), read), unpacked(inside_outside, scores)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("size", [1, BATCH])
@pytest.mark.parametrize("name, peer_sums", [("supar", supar_projective), ("torch-struct", torch_struct_projective)])
def test_inside_outside(benchmark, name, peer_sums, size, n):
    scores = matrices(n, size)
    peer, expected = peer_sums(scores, size)
    check_sums(peer, expected)
    race(benchmark, f"inside-outside, {n=}, {name}, {size} a call", inside_outside, [scores], peer)
