"""Suggestions and attribution at interactive size, beside what one would write in NumPy and retraining."""

from time import perf_counter

import numpy as np
import pytest

from core.constraints import GETrainer, Matcher, oracle_constraints
from core.constraints.authoring.attribution import Attribution
from core.constraints.authoring.redundancy import drop_one
from core.constraints.authoring.suggest import bernoulli_entropy, suggest
from core.treebank import read_conllu
from core.trees import PackedScores, matrix_tree


@pytest.fixture(scope="module")
def corpus(shared_data, most):
    """5,000 sentences of 8 to 12 words."""
    bank = read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").without_punctuation()
    fitting = np.flatnonzero((bank.lengths >= 8) & (bank.lengths <= 12))
    return bank.select(np.resize(fitting, most(5000, 300)))


def added_up(bank, marginals, column):
    """Pairs, marginals and entropy by (head tag, modifier tag, direction), every arc by fancy indexing."""
    tags, sides = np.array(column.ids, dtype=np.int64), bank.lengths + 1
    tags[bank.offsets[:-1]] = len(column.values)
    totals = np.zeros((len(column.values) + 1, len(column.values) + 1, 2, 3))
    for i, side in enumerate(sides):
        own = tags[bank.offsets[i] : bank.offsets[i + 1]]
        heads, modifiers = np.nonzero(~np.eye(side, dtype=bool))
        values = marginals[i][heads, modifiers]
        figures = np.stack([np.ones(len(values)), values, bernoulli_entropy(values)], axis=1)
        np.add.at(totals, (own[heads], own[modifiers], (heads < modifiers).astype(int)), figures)
    return totals


def test_suggestions(benchmark, corpus):
    scores = PackedScores.empty(corpus.lengths)
    scores.values[:] = np.random.default_rng(0).normal(size=len(scores.values))
    marginals = matrix_tree(scores)[1]
    matcher = Matcher(corpus, "xpos")
    known = oracle_constraints(corpus, 20, 200)
    suggest(matcher, marginals, known)  # compile
    found = benchmark(lambda: suggest(matcher, marginals, known))
    assert len(found) == 10
    begin = perf_counter()
    added_up(corpus, marginals, corpus.tag_column())
    seconds, best = perf_counter() - begin, benchmark.stats.stats.min
    print(f"\nten suggestions: {best * 1e3:.0f} ms (budget 300 ms), {seconds / best:.0f} x as fast as NumPy's sums")


def test_attribution(benchmark, corpus):
    trainer = GETrainer(corpus)
    constraints = oracle_constraints(corpus, 20, 200)
    weights = trainer.train(constraints).optimum.weights
    told = Attribution(trainer, constraints, weights)
    benchmark.pedantic(lambda: told.of_arc(0, 2, 1), rounds=3)
    begin = perf_counter()
    told.flips(0)
    middle = perf_counter()
    drop_one(told)
    seconds = perf_counter() - middle
    print(f"\nan arc under 20 constraints: {benchmark.stats.stats.min * 1e3:.0f} ms; first flips: ", end="")
    print(f"{middle - begin:.2f} s; dropping each, estimated: {seconds:.2f} s")
