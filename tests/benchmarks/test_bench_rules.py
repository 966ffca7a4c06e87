"""200 different rules over 10,000 sentences while somebody types: counts of a line, and conflicts of all."""

import random
from time import perf_counter

import numpy as np
import pytest

from core.rules.conflicts import RuleConflicts
from core.rules.coverage import RuleText
from core.rules.reading import parse_rules
from core.treebank import read_conllu
from tests.filled import filled

RULES, SENTENCES = 200, 10_000


def some(draws, values, most):
    chosen = draws.sample(values, draws.randint(1, most))
    return chosen[0] if len(chosen) == 1 else "{" + " ".join(chosen) + "}"


def drawn_lines(bank, count, seed=0):
    """Different rules in the words, tags and relations of a treebank: a third about heads."""
    draws, lines = random.Random(seed), {}
    tags, relations = ([value for value in column.values if value] for column in (bank.upos, bank.deprel))
    forms = [form for form, _ in bank.form.counts().most_common(60) if form.isalpha()]
    while len(lines) < count:
        word = draws.choice(
            [some(draws, tags, 3)] * 4 + [f"form:{draws.choice(forms)}", f"deprel:{draws.choice(relations)}"]
        )
        dependent = some(draws, relations, 3) + (f" & {draws.choice(tags)}" if draws.random() < 0.3 else "")
        number, side = draws.randint(1, 2), draws.choice(["", " after it", " before it"])
        lines[draws.choice([
            f"if {word} then its head is {some(draws, tags, 5)}{side}",
            f"if {word} then its head is {some(draws, tags, 5)}{side} within 6",
            f"{word} has at most {number - 1} {dependent}",
            f"{word} has {draws.choice(['exactly', 'at least'])} {number} {dependent}",
            f"{word} has no * except {some(draws, relations, 6)}",
            f"if {word} has {dependent} then it has no {draws.choice(relations)}",
        ])] = None  # fmt: skip
    return list(lines)


@pytest.fixture(scope="module")
def text(shared_data, most):
    bank = read_conllu(shared_data / "en-ewt" / "ewt-train.conllu")
    return RuleText(bank.limit(most(SENTENCES, 300)))


def test_counts_of_a_line(benchmark, text):
    seconds = []

    def count():
        fresh = RuleText(text.treebank)
        for rule in filled(parse_rules("\n".join(drawn_lines(text.treebank, RULES)))):
            begin = perf_counter()
            fresh.coverage(rule)
            seconds.append(perf_counter() - begin)

    benchmark.pedantic(count, rounds=3)
    print(f"\na line: {np.median(seconds) * 1e3:.1f} ms, at most {max(seconds) * 1e3:.0f} ms (budget 500 ms)")


def test_conflicts(benchmark, text):
    lines = drawn_lines(text.treebank, RULES)
    rules = parse_rules("\n".join(lines))
    benchmark.pedantic(lambda: RuleConflicts(text).problems(rules), rounds=5, warmup_rounds=1)
    known, seconds = RuleConflicts(text), []
    known.problems(rules)
    for place, line in enumerate(filled(drawn_lines(text.treebank, 10, seed=1))):
        changed = parse_rules("\n".join([*lines[: place * 17], line, *lines[place * 17 + 1 :]]))
        begin = perf_counter()
        assert known.problems(changed)
        seconds.append(perf_counter() - begin)
    print(f"\nall conflicts: {benchmark.stats.stats.median:.2f} s (budget 1 s), ", end="")
    print(f"after a key: {np.median(seconds) * 1e3:.0f} ms")
