"""The DMV's speed against DESIGN's budgets, on EWT (PEERS, section 5) and on the WSJ sample repeated to full size.

Run with ``python -m pytest tests/benchmarks/test_bench_dmv.py --benchmark-enable --benchmark-only -s``.
"""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.constraints import GrammarSettings, Matcher, parse_constraints, train_grammar
from core.constraints.grammar.posterior_regularisation import TextSums
from core.offsets import selected_rows
from core.parsers.dmv.backoff import extended
from core.parsers.dmv.parameters import estimate, harmonic_counts
from core.parsers.dmv.text import TaggedText, best_trees, expected_counts
from core.parsers.dual_ascent import DualAscent, PosteriorConstraints
from core.threads import core_count
from core.treebank import read_conllu, read_treebank
from tests.filled import filled

ASSETS = Path(__file__).parents[2] / "assets" / "constraints"


def tagged(treebank, length, sentences=None):
    """TaggedText of the sentences of at most ``length`` words, repeated to so many, and parameters to run it with."""
    short = treebank.max_length(length)
    text = TaggedText(short.xpos.ids.astype(np.int32), short.offsets)
    if sentences is not None:
        rows, offsets = selected_rows(text.offsets, np.arange(sentences) % len(text))
        text = TaggedText(text.tags[rows], offsets)
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


@pytest.mark.parametrize("n", [10, 15])
def test_expected_counts(benchmark, shared_data, most, n):
    treebank = read_conllu(shared_data / "en-ewt" / "ewt-test.conllu").without_punctuation()
    text, parameters = tagged(treebank, n, most(16_000, 100))
    rate = {10: 600_000, 15: 280_000}[n]
    measure(benchmark, expected_counts, text, parameters, f"expected counts, EWT <= {n}", len(text) / rate)


@pytest.mark.parametrize("n", [10, 15])
def test_expectations_under_lines(benchmark, shared_data, most, n):
    """The E-step of posterior regularisation: extended valence, weights of arcs from lines, marginals, shares."""
    treebank = read_conllu(shared_data / "en-ewt" / "ewt-test.conllu").without_punctuation().max_length(n)
    treebank = treebank.select(np.arange(most(16_000, 100)) % len(treebank))
    text, parameters = tagged(treebank, n)
    lines = parse_constraints((ASSETS / "penn-manual-25.txt").read_text())
    found = PosteriorConstraints.of(Matcher(treebank, "xpos").match(lines), 6.0)
    multipliers = np.linspace(-2, 2, len(lines))

    def step(text, parameters, threads=None):
        DualAscent(TextSums(text, found, np.zeros(found.size), threads), found).point(parameters, multipliers)

    name = f"expectations under lines, EWT <= {n}"
    measure(benchmark, step, text, extended(parameters), name, len(text) / 150_000)


@pytest.mark.parametrize(("n", "length", "budget"), [(16_000, 15, 0.1), (50_000, 45, 1.0)])
def test_viterbi_iteration(benchmark, shared_data, most, n, length, budget):
    path = shared_data / "en-wsj" / "wsj-sample-phrase" / "wsj-sample.mrg"
    treebank = read_treebank(path, format="mrg", punctuation=False)
    text, parameters = tagged(treebank, length, most(n, 100))
    measure(benchmark, best_trees, text, parameters, f"Viterbi iteration, WSJ <= {length}", budget)


TRAIN = """
import resource, sys
import numpy as np
from core.parsers import DMV, DMVSettings
from core.treebank import read_treebank
from core.trees.brackets import Bracket
treebank = read_treebank(sys.argv[1], format="mrg", punctuation=False)
treebank = treebank.select(np.arange(int(sys.argv[4]) * len(treebank) // treebank.token_count) % len(treebank))
brackets = [[Bracket(1, 3)] if length > 3 else [] for length in treebank.lengths.tolist()]
settings = DMVSettings("harmonic", algorithm=sys.argv[2], level=sys.argv[3], max_iterations=2)
DMV(settings, tags="xpos").fit(treebank, brackets)
print(treebank.token_count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def test_memory_of_training_on_a_million_words(benchmark, shared_data, most):
    path = shared_data / "en-wsj" / "wsj-sample-phrase" / "wsj-sample.mrg"
    ways, asked = (
        [("viterbi", "loose"), ("viterbi", "none"), ("viterbi", "tear"), ("em", "loose")],
        most(1_000_000, 2_000),
    )

    def train(*settings):
        command = [sys.executable, "-c", TRAIN, str(path), *settings, str(asked)]
        return subprocess.run(command, check=True, capture_output=True, text=True)

    for settings in filled(ways[: most(None, 1)]):
        words, megabytes = map(int, train(*settings).stdout.split())
        print(f"\n{', '.join(settings)}: {words:,} words, {megabytes:,} MB at most of the 4,000 allowed")
        assert words > 0.9 * asked and megabytes < 4_000
    benchmark.pedantic(train, args=ways[0], rounds=1)


def test_training_from_lines_and_after_an_edit(benchmark, shared_data, most):
    """The 25 lines on 3,914 sentences of all lengths: the grammar within 15 s on two cores, an edited line within 3."""
    text = read_treebank(shared_data / "en-wsj" / "wsj-sample.conllu").limit(most(10_000, 60))
    lines = parse_constraints((ASSETS / "penn-manual-25.txt").read_text())
    edited = [replace(lines[0], low=lines[0].low - 0.1), *lines[1:]]
    train_grammar(text.limit(200), lines, GrammarSettings(words="yes", thresholds=(5,)))  # compiles
    began, clock = time.process_time(), time.perf_counter()
    model = train_grammar(text, lines).model
    cold, waited = time.process_time() - began, time.perf_counter() - clock
    began = time.process_time()
    train_grammar(text, edited, start=model)
    warm = time.process_time() - began
    benchmark.pedantic(train_grammar, args=(text, edited), kwargs={"start": model}, rounds=3)
    seconds = benchmark.stats.stats.min
    print(
        f"\ngrammar from 25 lines, {len(text):,} sentences on {core_count()} cores: {waited:.1f} s of 15 allowed "
        f"({cold:.1f} s of processor); after an edited line {seconds:.1f} s of 3 ({warm:.1f} s of processor)"
    )
