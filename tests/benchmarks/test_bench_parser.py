"""The graph-based parser's speed against DESIGN's budgets.

Run with ``python -m pytest tests/benchmarks/test_bench_parser.py --benchmark-enable --benchmark-only -s``.
"""

import time

import pytest

from core.parsers import MSTParser
from core.threads import core_count
from core.treebank import read_conllu

SENTENCES_A_SECOND, TRAINING_SECONDS, EPOCHS = 2_000, 300, 10


@pytest.fixture(scope="module")
def training(shared_data, most):
    return read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").limit(most(100_000, 60))


@pytest.mark.parametrize("order", [1, 2])
def test_parsing(benchmark, training, shared_data, most, order):
    text = read_conllu(shared_data / "en-ewt" / "ewt-test.conllu").limit(most(10_000, 30))
    parser = MSTParser(order).fit(training.limit(1500), epochs=2)  # enough for realistic weights
    parser.parse(text.limit(10))
    began = time.process_time()
    parser.parse(text, threads=1)
    per_core = len(text) / (time.process_time() - began)  # steadier where the cores are shared
    benchmark.pedantic(parser.parse, args=(text,), rounds=5)
    speed = len(text) / benchmark.stats.stats.min
    print(
        f"\norder {order}: {speed:,.0f} sentences a second on {core_count()} cores, "
        f"{speed / SENTENCES_A_SECOND:.1f} x the budget; {per_core:,.0f} a second of processor time"
    )


def test_an_epoch_of_training(benchmark, training):
    MSTParser(2).fit(training.limit(20), epochs=1)  # compiles
    began = time.process_time()
    benchmark.pedantic(MSTParser(2).fit, args=(training,), kwargs={"epochs": 1}, rounds=1)
    processor = time.process_time() - began
    seconds = EPOCHS * benchmark.stats.stats.min
    print(
        f"\norder 2, {len(training):,} sentences: {seconds / EPOCHS:.1f} s an epoch, {seconds:.0f} s for {EPOCHS}, "
        f"{seconds / TRAINING_SECONDS:.2f} of the budget; {processor:.1f} s of processor time an epoch"
    )
