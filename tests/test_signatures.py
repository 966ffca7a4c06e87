"""Each kernel is compiled for one signature: nothing is compiled twice, and two processes may write its files."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

ROOT = Path(__file__).resolve().parents[1]
SEVERAL = {  # the modules say why
    "core.parsers.punctuation_arcs._spread": 2,
    "core.parsers.dmv.chart": 2,  # sums and maxima
    "core.trees.chart_sums": 4,  # types of semirings
    "core.trees.feasibility._reach_from": 2,
    "core.trees.log_elimination._log_sum": 2,
}


CALLS = """
import json
import numpy as np
from core.commandline.warm import everything
from core.compilation.compiling import kernels_of
from core.treebank import load_sample
from core.trees import PackedScores, eisner, inside_outside, matrix_tree, maximum_spanning_tree

everything().run()
scores = np.asfortranarray(np.arange(25, dtype=np.float32).reshape(5, 5))
for decode in (eisner, inside_outside, matrix_tree, maximum_spanning_tree):
    decode(scores)
    decode(PackedScores.from_matrices([scores, scores[:3, :3]]), np.bool_(False))
load_sample().max_length(5).without_punctuation()
print(json.dumps({f"{each.py_func.__module__}.{each.py_func.__name__}": len(each.signatures) for each in kernels_of()}))
"""


def test_each_kernel_is_compiled_for_one_signature():
    """In a process of its own: what other tests called is no matter here. Kernels that only kernels call are seen where
    they are compiled here, and not where their callers are loaded."""
    done = subprocess.run([sys.executable, "-c", CALLS], cwd=ROOT, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert len(found) > 300 and sum(map(bool, found.values())) > 100
    most = {name: SEVERAL.get(name, SEVERAL.get(name.rpartition(".")[0], 1)) for name in found}
    assert {name: n for name, n in found.items() if n > most[name]} == {}


def test_constants_and_narrow_integers_share_the_signature_of_numbers():
    @inner_kernel
    def inner(number, pair):
        return number + pair[0]

    @kernel
    def outer(number):
        return inner(number, (number, 1)) + inner(2, (3, 4)) + inner(np.int32(5), (6, number))

    assert outer(1) == 18
    assert len(inner.signatures) == 1
