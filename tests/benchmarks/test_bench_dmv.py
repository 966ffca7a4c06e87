"""The DMV's speed against DESIGN's budgets, on EWT (PEERS, section 5) and on the WSJ sample repeated to full size.

Run with ``python -m pytest tests/benchmarks/test_bench_dmv.py --benchmark-only -s``.
"""

import time

import numpy as np
import pytest

from core.parsers.dmv_parameters import estimate, harmonic_counts
from core.parsers.dmv_text import TaggedText, best_trees, expected_counts
from core.parsers.dmv_training import selected
from core.threads import core_count
from core.treebank import read_conllu, read_treebank


def tagged(treebank, length, sentences=None):
    """TaggedText of the sentences of at most ``length`` words, repeated to so many, and parameters to run it with."""
    short = treebank.max_length(length)
    text = TaggedText(short.xpos.ids.astype(np.int32), short.offsets)
    if sentences is not None:
        text = selected(text, np.arange(sentences) % len(text))
    count = len(short.xpos.values)
    return text, estimate(harmonic_counts(text.tags, text.offsets, count), 1.0)


def measure(benchmark, function, text, parameters, name, budget):
    function(text, parameters)
    began = time.process_time()
    function(text, parameters, threads=1)
    alone = time.process_time() - began  # steadier where the cores are shared
    benchmark.pedantic(function, args=(text, parameters), rounds=7)
    seconds = benchmark.stats.stats.min
    print(
        f"\n{name}: {len(text):,} sentences in {1000 * seconds:.0f} ms on {core_count()} cores, "
        f"{budget / seconds:.1f} x faster than the budget; {1000 * alone:.0f} ms of processor time"
    )


@pytest.mark.parametrize("length", [10, 15])
def test_expected_counts(benchmark, shared_data, length):
    treebank = read_conllu(shared_data / "en-ewt" / "ewt-test.conllu").without_punctuation()
    text, parameters = tagged(treebank, length, 16_000)
    rate = {10: 600_000, 15: 280_000}[length]
    measure(benchmark, expected_counts, text, parameters, f"expected counts, EWT <= {length}", len(text) / rate)


@pytest.mark.parametrize(("sentences", "length", "budget"), [(16_000, 15, 0.1), (50_000, 45, 1.0)])
def test_viterbi_iteration(benchmark, shared_data, sentences, length, budget):
    path = shared_data / "en-wsj" / "wsj-sample-phrase" / "wsj-sample.mrg"
    treebank = read_treebank(path, format="mrg", punctuation=False)
    text, parameters = tagged(treebank, length, sentences)
    measure(benchmark, best_trees, text, parameters, f"Viterbi iteration, WSJ <= {length}", budget)
