"""Training from constraints against DESIGN's budgets, on corpora of the sizes that the budgets name.

Run with ``python -m pytest tests/benchmarks/test_bench_ge.py --benchmark-enable --benchmark-only -s``.
"""

import time
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize

from core.constraints import parse_constraints
from core.constraints.ge.training import PRESETS, GETrainer
from core.constraints.warming import warm_training
from core.features import index_features
from core.parsers.lbfgs import lbfgs
from core.treebank.penn import read_mrg

TABLE_1 = "assets/constraints/druck2009-table1.txt"
EDIT = ("NN <- VBZ = 0.75", "NN <- VBZ = 0.5")


@pytest.fixture(scope="module")
def news(shared_data, most):
    """The WSJ sample without punctuation."""
    warm_training()
    path = shared_data / "en-wsj" / "wsj-sample-phrase" / "wsj-sample.mrg"
    return read_mrg(path, punctuation=False).limit(most(10_000, 100))


@pytest.fixture(scope="module")
def short_news(news):
    """WSJ10: 555 sentences of at most ten words."""
    return news.max_length(10)


@pytest.fixture(scope="module")
def constraints():
    with open(TABLE_1, encoding="utf-8") as file:
        return file.read()


def repeated(treebank, sentences):
    """About so many sentences, each of the treebank's several times over in a new order."""
    order = np.random.default_rng(0).permutation(np.arange(sentences) % len(treebank))
    return treebank.select(order)


@pytest.mark.parametrize("n", [550, 5000])
def test_cold_training(benchmark, short_news, constraints, n):
    text = short_news.limit(550) if n == 550 else repeated(short_news, n)
    known = parse_constraints(constraints, text)

    def cold():
        return GETrainer(text, PRESETS["best"]).train(known)

    result = benchmark.pedantic(cold, rounds=5 if n == 550 else 2)
    budget = 0.5 if n == 550 else 8.0
    median = benchmark.stats.stats.median
    print(
        f"\ncold, {n} sentences: {median:.2f} s, {median / budget:.2f} x the budget of {budget} s; "
        f"{result.optimum.evaluations} evaluations"
    )


@pytest.mark.parametrize("n", [550, 5000])
def test_warm_training(benchmark, short_news, constraints, n):
    text = short_news.limit(550) if n == 550 else repeated(short_news, n)
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
    median, budget = benchmark.stats.stats.median, 0.15 if n == 550 else None
    ratio = f", {median / budget:.2f} x the budget of {budget} s" if budget else ""
    print(
        f"\nwarm, {n} sentences: {median:.2f} s{ratio}; first change after {seen[0]:.2f} s; "
        f"{result.optimum.evaluations} evaluations"
    )


@pytest.mark.parametrize("covariance", ["exact", "approximate", "pairwise"])
def test_one_evaluation(benchmark, short_news, constraints, covariance):
    settings = replace(PRESETS["best"], covariance=covariance)
    trainer = GETrainer(short_news, settings, threads=1)
    objective = trainer.objective(parse_constraints(constraints, short_news))
    weights = np.random.default_rng(0).normal(size=len(trainer.model.index)) / 10
    benchmark.pedantic(objective, args=(weights,), rounds=3, warmup_rounds=1)
    print(f"\none evaluation on one thread, {covariance}: {1e3 * benchmark.stats.stats.median:.1f} ms")


class Counted:
    """An objective, what its calls took, and the lowest value after each."""

    def __init__(self, objective):
        self.objective, self.seconds, self.lowest = objective, 0.0, []

    def __call__(self, weights):
        began = time.process_time()
        value, gradient, _ = self.objective(weights)
        self.seconds += time.process_time() - began
        self.lowest.append(min([value, *self.lowest[-1:]]))
        return value, gradient


def ours(objective, start, tolerance):
    iterations = []
    lbfgs(objective, start, iterations.append, tolerance=tolerance)
    return len(iterations)


def of_scipy(objective, start, tolerance):
    options = {"maxcor": 10, "ftol": tolerance, "gtol": 0.0, "maxfun": 1000}
    return optimize.minimize(objective, start, jac=True, method="L-BFGS-B", options=options).nit


@pytest.mark.parametrize("n, preset", [(10, "best"), (10, "paper"), (20, "best")])
def test_lbfgs_against_scipy(benchmark, news, constraints, n, preset):
    """The same objective, start and stopping rule, in turns, on one thread: evaluations to the same value, and time.

    Both let an exception of the objective through, which is how a search is cancelled, and both go on from weights
    alone; so speed is all that keeps core/parsers/lbfgs.py.
    """
    text, found = news.max_length(n), {}
    trainer = GETrainer(text, PRESETS[preset], threads=1)
    objective = trainer.objective(parse_constraints(constraints, text))
    start = np.zeros(len(trainer.model.index))
    for _ in range(3):
        for search in (ours, of_scipy):
            counted, began = Counted(objective), time.process_time()
            iterations = search(counted, start, trainer.settings.tolerance)
            seconds = time.process_time() - began
            found.setdefault(search, []).append((seconds, seconds - counted.seconds, iterations, counted.lowest))
    value = max(runs[0][3][-1] for runs in found.values())
    benchmark.pedantic(ours, args=(Counted(objective), start, trainer.settings.tolerance), rounds=1)
    print(f"\n{len(text)} sentences of at most {n} words, {preset}, {len(start):,} weights, to {value:.4f}:")
    for search, runs in found.items():
        seconds, own = (np.median([run[column] for run in runs]) for column in (0, 1))
        _, _, iterations, lowest = runs[0]
        needed = 1 + int(np.argmax(np.array(lowest) <= value))
        print(
            f"  {search.__name__}: {seconds:.3f} s, {own:.3f} s of it outside the objective; {iterations} iterations, "
            f"{len(lowest)} evaluations, {needed} to the common value"
        )
    assert found[ours][0][3][-1] == pytest.approx(found[of_scipy][0][3][-1], rel=1e-3)


def test_indexing(benchmark, short_news):
    benchmark.pedantic(index_features, args=(short_news,), rounds=5, warmup_rounds=1)
    arcs = int(((short_news.lengths + 1) ** 2).sum())
    print(f"\nindexing {arcs} arcs: {1e9 * benchmark.stats.stats.median / arcs:.0f} ns an arc")
