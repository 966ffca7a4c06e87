"""Constraint coverage while typing: 30 constraints over 10,000 sentences, beside plain NumPy masks."""

from time import perf_counter

import numpy as np
import pytest

from core.constraints import Matcher, check_constraints, format_constraints, match_counts, oracle_constraints
from core.treebank import read_conllu


@pytest.fixture(scope="module")
def corpus(shared_data, most):
    return read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").limit(most(10_000, 300))


@pytest.fixture(scope="module")
def constraints(corpus):
    """Thirty of the oracle's, all named by head, modifier and direction, so that the peer need know no more."""
    return oracle_constraints(corpus, 30, 200)


def masked_counts(constraints, treebank):
    """What one would write in NumPy: per constraint and sentence, the outer product of two masks, one triangle."""
    column = treebank.tag_column()
    number = {value: k for k, value in enumerate(column.values)}
    found = []
    for constraint in constraints:
        (head,), (modifier,) = constraint.head.terms, constraint.modifier.terms
        heads = column.ids == number[head.value] if head.value else np.zeros(len(column.ids), dtype=bool)
        if head.column == "root":
            heads[treebank.offsets[:-1]] = True
        modifiers = column.ids == number[modifier.value]
        pairs = 0
        for begin, end in zip(treebank.offsets[:-1], treebank.offsets[1:], strict=True):
            square = np.outer(heads[begin:end], modifiers[begin:end])
            pairs += np.count_nonzero(np.triu(square, 1) if constraint.arrow == "->" else np.tril(square, -1))
        found.append(pairs)
    return found


def test_coverage_of_thirty_constraints(benchmark, corpus, constraints):
    match_counts(constraints, corpus.limit(10))  # compile
    counts = benchmark(lambda: match_counts(constraints, Matcher(corpus, "xpos")))
    begin = perf_counter()
    expected = masked_counts(constraints, corpus)
    seconds = perf_counter() - begin
    assert [each.pairs for each in counts] == expected
    best = benchmark.stats.stats.min
    print(f"\ncoverage, new corpus: {best * 1e3:.0f} ms (budget 200 ms), {seconds / best:.0f} x as fast as masks")


def test_one_more_line_typed(benchmark, corpus, constraints):
    """The whole text is checked again after each keystroke; only the new line has to be counted."""
    text, matcher = format_constraints(constraints), Matcher(corpus, "xpos")
    check_constraints(text, matcher)
    typed = iter(range(1, 10**9))
    benchmark.pedantic(lambda: check_constraints(f"{text}NN <- VBZ dist 1..{next(typed)} = 0.5\n", matcher), rounds=20)
    print(f"\ncheck after a keystroke: {benchmark.stats.stats.min * 1e3:.0f} ms (budget 200 ms)")
