"""16-best parsing, features included, beside 1-best parsing of the same text by the same parser: at most 6 times it.

Run with ``python -m pytest tests/benchmarks/test_bench_joint.py --benchmark-enable --benchmark-only -s``. One thread,
processor time: the best of several turns, the two in turn, as cores may be shared.
"""

import time
from dataclasses import replace

import pytest

from core.joint import JointParser, JointSettings
from core.joint.rounds import in_sight, run_rounds
from core.joint.training import consensus
from core.treebank import read_conllu

TREES, BUDGET, TURNS = 16, 6.0, 5
TEXTS = {"zh-beginner": ("hetero/zh-beginner.ud.conllu", 3), "ewt-test": ("en-ewt/ewt-test.conllu", 10)}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("order", [1, 2])
def test_16_best_with_features(benchmark, shared_data, most, name, order):
    path, every = TEXTS[name]
    treebank = read_conllu(shared_data / path)
    learnt = most(400, 24)
    halves = treebank.select(range(0, learnt, 2)), treebank.select(range(1, learnt, 2))
    text = treebank.select(range(400, most(len(treebank), 440), every))
    settings = JointSettings(order=order, epochs=1, folds=2, stages=1, labels=False)
    schemes = JointParser(settings).fit(halves).schemes
    baseline, lists = schemes[0].baseline, run_rounds(schemes, text, settings, 0)[0]
    joint, seen = schemes[0].joints[0], in_sight(0, lists[-1])

    def seconds(parse):
        began = time.process_time()
        parse()
        return time.process_time() - began

    def listed():
        return baseline.kbest(text, TREES, threads=1)

    def listed_by_consensus():
        fresh = tuple(replace(each) for each in lists[-1])  # what a list remembers is worked out again
        extra = consensus(baseline, text, {other: fresh[other] for other in seen}, settings)
        return joint.kbest(text, TREES, extra, threads=1)

    ways = {"1-best": lambda: baseline.heads(text, threads=1), "16-best": listed,
            "a round, consensus features made": listed_by_consensus}  # fmt: skip
    for way in ways.values():
        way()  # compiles, warms caches
    found = {way: [] for way in ways}
    for _ in range(TURNS):
        for way, parse in ways.items():
            found[way].append(seconds(parse))
    benchmark.pedantic(listed, rounds=1)
    least = {way: min(times) for way, times in found.items()}
    base = least.pop("1-best")
    shown = ", ".join(f"{way} {taken / base:.2f} x" for way, taken in least.items())
    print(f"\n{name}, order {order}, {len(text):,} sentences, 1-best {1e3 * base / len(text):.2f} ms each: {shown}; "
          f"budget {BUDGET:g} x")  # fmt: skip
