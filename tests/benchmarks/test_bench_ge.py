"""Training from constraints against DESIGN's budgets, on corpora of the sizes that the budgets name.

Run with ``python -m pytest tests/benchmarks/test_bench_ge.py --benchmark-only -s``.
"""

import time
from dataclasses import replace

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.constraints.train import PRESETS, GETrainer, Objective
from core.features import index_features
from core.treebank.penn import read_mrg
from core.warm import warm_training

TABLE_1 = "assets/constraints/druck2009-table1.txt"
EDIT = ("NN <- VBZ = 0.75", "NN <- VBZ = 0.5")


@pytest.fixture(scope="module")
def short_news(shared_data):
    """WSJ10: 555 sentences of at most ten words without punctuation."""
    warm_training()
    path = shared_data / "en-wsj" / "wsj-sample-phrase" / "wsj-sample.mrg"
    return read_mrg(path, punctuation=False).max_length(10)


@pytest.fixture(scope="module")
def constraints():
    with open(TABLE_1, encoding="utf-8") as file:
        return file.read()


def repeated(treebank, sentences):
    """About so many sentences, each of the treebank's several times over in a new order."""
    order = np.random.default_rng(0).permutation(np.arange(sentences) % len(treebank))
    return treebank.select(order)


@pytest.mark.parametrize("sentences", [550, 5000])
def test_cold_training(benchmark, short_news, constraints, sentences):
    text = short_news.limit(550) if sentences == 550 else repeated(short_news, sentences)
    known = parse_constraints(constraints, text)

    def cold():
        return GETrainer(text, PRESETS["best"]).train(known)

    result = benchmark.pedantic(cold, rounds=5 if sentences == 550 else 2)
    budget = 0.5 if sentences == 550 else 8.0
    median = benchmark.stats.stats.median
    print(
        f"\ncold, {sentences} sentences: {median:.2f} s, {median / budget:.2f} x the budget of {budget} s; "
        f"{result.optimum.evaluations} evaluations"
    )


@pytest.mark.parametrize("sentences", [550, 5000])
def test_warm_training(benchmark, short_news, constraints, sentences):
    text = short_news.limit(550) if sentences == 550 else repeated(short_news, sentences)
    trainer = GETrainer(text, PRESETS["best"])
    first = trainer.train(parse_constraints(constraints, text))
    edited = parse_constraints(constraints.replace(*EDIT), text)
    assert edited != parse_constraints(constraints, text)
    seen = []

    def warm():
        began = time.perf_counter()
        seen.clear()
        return trainer.train(
            edited, start=first.optimum.weights, progress=lambda _: seen.append(time.perf_counter() - began)
        )

    result = benchmark.pedantic(warm, rounds=5)
    median, budget = benchmark.stats.stats.median, 0.15 if sentences == 550 else None
    ratio = f", {median / budget:.2f} x the budget of {budget} s" if budget else ""
    print(
        f"\nwarm, {sentences} sentences: {median:.2f} s{ratio}; first change after {seen[0]:.2f} s; "
        f"{result.optimum.evaluations} evaluations"
    )


@pytest.mark.parametrize("covariance", ["exact", "approximate", "pairwise"])
def test_one_evaluation(benchmark, short_news, constraints, covariance):
    settings = replace(PRESETS["best"], covariance=covariance)
    trainer = GETrainer(short_news, settings, threads=1)
    matches = trainer.matcher.match(parse_constraints(constraints, short_news))
    objective = Objective(trainer.arc_features, trainer.model.distribution, matches, settings, threads=1)
    weights = np.random.default_rng(0).normal(size=len(trainer.model.index)) / 10
    benchmark.pedantic(objective, args=(weights,), rounds=3, warmup_rounds=1)
    print(f"\none evaluation on one thread, {covariance}: {1e3 * benchmark.stats.stats.median:.1f} ms")


def test_indexing(benchmark, short_news):
    benchmark.pedantic(index_features, args=(short_news,), rounds=5, warmup_rounds=1)
    arcs = int(((short_news.lengths + 1) ** 2).sum())
    print(f"\nindexing {arcs} arcs: {1e9 * benchmark.stats.stats.median / arcs:.0f} ns an arc")
