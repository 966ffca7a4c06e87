"""Questions and attribution at interactive size, beside what one would write in NumPy and retraining."""

from time import perf_counter

import numpy as np
import pytest

from core.constraints import GETrainer, oracle_constraints
from core.constraints.authoring.attribution import Attribution
from core.constraints.authoring.questions import ArcQuestions
from core.constraints.authoring.redundancy import drop_one
from core.treebank import read_conllu
from core.trees import PackedScores, matrix_tree


@pytest.fixture(scope="module")
def corpus(shared_data, most):
    """5,000 sentences of 8 to 12 words."""
    bank = read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").without_punctuation()
    fitting = np.flatnonzero((bank.lengths >= 8) & (bank.lengths <= 12))
    return bank.select(np.resize(fitting, most(5000, 300)))


def test_questions(benchmark, corpus):
    scores = PackedScores.empty(corpus.lengths)
    scores.values[:] = np.random.default_rng(0).normal(size=len(scores.values))
    marginals = matrix_tree(scores)[1].values
    begin = perf_counter()
    questions = ArcQuestions(corpus, "xpos")
    seconds = perf_counter() - begin
    found = benchmark(lambda: questions.ranked(marginals))
    assert len(found) == 5
    best = benchmark.stats.stats.min
    print(f"\nfive questions: {best * 1e3:.0f} ms (budget 300 ms), after {seconds * 1e3:.0f} ms for all kinds of arcs")


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
