"""Adapting to another domain against DESIGN's budget: correspondence and four iterations of training.

Run with ``python -m pytest tests/benchmarks/test_bench_adaptation.py --benchmark-enable --benchmark-only -s``.
"""

import time

import numpy as np
import pytest

from core.adaptation import StructuralCorrespondence
from core.adaptation.systems import SCL, AdaptationTask, train_system
from core.treebank import read_conllu

BUDGET = 60  # seconds; "a few days" in shimizu2007


@pytest.fixture(scope="module")
def texts(shared_data, most):
    whole = read_conllu(shared_data / "en-ewt" / "ewt-train.conllu")
    sentences = most(5_000, 60)
    return whole.limit(sentences), whole.select(np.arange(sentences, 2 * sentences))


def adapted(source, unlabelled, test):
    learnt = StructuralCorrespondence().fit(source, unlabelled)
    return train_system(AdaptationTask(source, {"target": test}), SCL, correspondence=learnt)


def test_training_on_5000_sentences(benchmark, texts):
    source, unlabelled = texts
    test = unlabelled.limit(10)
    adapted(source.limit(30), unlabelled.limit(30), test)  # compiles
    began = time.process_time()
    benchmark.pedantic(adapted, args=(source, unlabelled, test), rounds=1)
    processor, seconds = time.process_time() - began, benchmark.stats.stats.min
    print(
        f"\n{len(source):,} sentences, 4 iterations: {seconds:.0f} s, {seconds / BUDGET:.2f} of the budget; "
        f"{processor:.0f} s of processor time"
    )
