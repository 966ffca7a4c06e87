"""Each kernel is compiled for one signature: nothing is compiled twice, and two processes may write its files."""

import numpy as np

from core import warm
from core.compiling import kernels_of
from core.kernels import inner_kernel, kernel
from core.treebank import load_sample
from core.trees import PackedScores, eisner, inside_outside, matrix_tree, maximum_spanning_tree

SEVERAL = {  # the modules say why
    "core.parsers.dmv.chart": 2,  # sums and maxima
    "core.trees.chart_sums": 4,  # types of semirings
}


def test_each_kernel_is_compiled_for_one_signature():
    warm.warm()
    scores = np.asfortranarray(np.arange(25, dtype=np.float32).reshape(5, 5))
    for decode in (eisner, inside_outside, matrix_tree, maximum_spanning_tree):
        decode(scores)
        decode(PackedScores.from_matrices([scores, scores[:3, :3]]), np.bool_(False))
    load_sample().max_length(5).without_punctuation()
    kernels = kernels_of()
    assert len(kernels) > 300
    found = {f"{each.py_func.__module__}.{each.py_func.__name__}": kept(each) for each in kernels}
    assert sum(map(bool, found.values())) > 300
    assert {
        name: signatures for name, signatures in found.items()
        if len(signatures) > SEVERAL.get(name.rpartition(".")[0], 1)
    } == {}  # fmt: skip


def kept(made):
    """The signatures of which the cache has files, those that only another kernel called among them."""
    return {key[0] for key in made._cache._cache_file._load_index()}


def test_constants_and_narrow_integers_share_the_signature_of_numbers():
    @inner_kernel
    def inner(number, pair):
        return number + pair[0]

    @kernel
    def outer(number):
        return inner(number, (number, 1)) + inner(2, (3, 4)) + inner(np.int32(5), (6, number))

    assert outer(1) == 18
    assert len(inner.signatures) == 1
