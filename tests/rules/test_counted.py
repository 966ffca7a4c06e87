"""Sums and best trees under priced rules, against every labelled projective tree of short sentences."""

import random

import numpy as np
import pytest

from core.errors import InfeasibleError, WorkbenchError
from core.parsers.scores import ScoredWords
from core.rules.counted import RuleChart
from core.rules.reading import parse_rules
from core.rules.searching import best_ruled
from core.treebank import Treebank
from core.trees import PackedScores, inside_outside
from tests.filled import filled
from tests.oracles import rules as oracle
from tests.rules.problems import every_tree, random_problem, value_of

SIZES = [(1, 3), (2, 3), (3, 3), (4, 2)]  # words, relations


def ruled_text(rules, problems):
    """(RuleChart, PackedScores) of random sentences with the same relations."""
    texts = [{"forms": ["w"] * len(tags[1:]), "upos": tags[1:], "heads": [0, *range(1, len(tags) - 1)]}
             for tags, *_ in problems]  # fmt: skip
    scores = [problem[3] for problem in problems]
    scored = ScoredWords(
        Treebank.from_sentences(texts), scores[0].names, lambda index: None,
        lambda index, heads, every: scores[index].labels, lambda heads, relations: None,
    )  # fmt: skip
    return RuleChart.of(scored, rules, 1), PackedScores.from_matrices([each.arcs for each in scores])


def priced_problem(draws, words, count):
    """(random problem, its rules as plain data, as rules, their prices), all of which can be counted."""
    tags, plain, known, scores = random_problem(draws, words, count, True)
    plain = [rule for rule in plain if not rule.get("head", {}).get("under")]
    rules = parse_rules("\n".join(map(oracle.written, plain)))
    return (tags, plain, known, scores), plain, rules, np.array([draws.choice([0.0, 0.5, 3.0, 40.0]) for _ in rules])


def log_weight(scores, heads, relations):
    """Of a labelled tree under the parser."""
    shares = scores.labels - np.logaddexp.reduce(scores.labels, axis=2, keepdims=True)
    arcs = [(heads[word], word, scores.names.index(relations[word])) for word in range(1, len(heads))]
    return sum(scores.arcs[head, word] + shares[head, word, name] for head, word, name in arcs)


@pytest.mark.parametrize(("words", "count"), SIZES)
def test_sums_are_those_of_all_trees(words, count):
    draws = random.Random(f"{words} {count}")
    for _ in filled(range(40)):
        problem, plain, rules, prices = priced_problem(draws, words, count)
        tags, scores = problem[0], problem[3]
        total, shares, broken = oracle.sums(
            plain, tags, every_tree(scores, words, True), lambda *tree, scores=scores: log_weight(scores, *tree), prices
        )
        text, arcs = ruled_text(rules, [problem])
        sums = text.sums(arcs, prices)
        assert sums.totals[0] == pytest.approx(total)
        np.testing.assert_allclose(sums.broken, broken, atol=1e-9)
        assert (sums.broken <= sums.spoken + 1e-9).all()
        expected = np.zeros((words + 1, words + 1))
        for (head, word), share in shares.items():
            expected[head, word] = share
        np.testing.assert_allclose(sums.marginals[0], expected, atol=1e-9)


@pytest.mark.parametrize(("words", "count"), SIZES)
def test_the_best_tree_is_that_of_the_search(words, count):
    draws = random.Random(f"best {words} {count}")
    for _ in filled(range(40)):
        (tags, _, known, scores), plain, rules, prices = priced_problem(draws, words, count)
        text, arcs = ruled_text(rules, [(tags, plain, known, scores)])
        values, heads, relations = text.best(arcs, prices)
        best = best_ruled(known, scores, rules, dict(zip(rules, prices.tolist(), strict=True)), most=100_000)
        assert best.certified and values[0] == pytest.approx(best.value)
        broken = [len(oracle.breaches(rule, tags, heads, relations)) for rule in plain]
        assert value_of(scores, heads, relations) - prices @ broken == pytest.approx(values[0])


@pytest.mark.parametrize("spread", [100.0, 1000.0])
def test_scores_that_lie_far_apart_are_summed_in_logarithms(spread):
    draws = random.Random(str(spread))
    for _ in filled(range(8)):
        problem, plain, rules, prices = priced_problem(draws, 4, 2)
        scores = problem[3]
        scores.arcs[:] *= spread
        scores.labels[:] *= spread / 10
        scores.arcs[1, 2:] = -np.inf
        every = [tree for tree in every_tree(scores, 4, True) if log_weight(scores, *tree) > -np.inf]
        most = max(log_weight(scores, *tree) for tree in every)
        total, _, broken = oracle.sums(
            plain, problem[0], every, lambda *tree, scores=scores, most=most: log_weight(scores, *tree) - most, prices
        )
        text, arcs = ruled_text(rules, [problem])
        sums = text.sums(arcs, prices)
        assert sums.totals[0] == pytest.approx(most + total, abs=1e-7)
        np.testing.assert_allclose(sums.broken, broken, atol=1e-7)


def test_without_prices_the_sums_are_those_of_the_parser_on_any_number_of_threads():
    draws = random.Random(0)
    problems = [random_problem(draws, words, 3, True) for words in (1, 3, 9, 5, 12)]
    rules = parse_rules(
        "V has at most 1 a\n* has exactly 1 b & under {N V}\nROOT has no {a b}\nif D has a then it has no b"
    )
    text, arcs = ruled_text(rules, problems)
    totals, marginals = inside_outside(arcs)
    for threads in (1, 2):
        sums = RuleChart(**(vars(text) | {"threads": threads})).sums(arcs, np.zeros(len(rules)))
        np.testing.assert_allclose(sums.totals, totals)
        np.testing.assert_allclose(sums.marginals.values, marginals.values, atol=1e-9)
    first = text.sums(arcs, np.array([1.0, 2.0, 0.5, 3.0]))
    again = RuleChart(**(vars(text) | {"threads": 2})).sums(arcs, np.array([1.0, 2.0, 0.5, 3.0]))
    assert first.broken.tolist() == again.broken.tolist() and first.totals.tolist() == again.totals.tolist()


def test_a_price_is_the_slope_of_the_log_partition():
    draws, prices, step = random.Random(1), np.array([0.7, 1.5]), 1e-5
    rules = parse_rules("* has at most 1 {a b}\n{N V} has at least 1 a")
    text, arcs = ruled_text(rules, [random_problem(draws, 8, 3, True)])
    broken = text.sums(arcs, prices).broken
    for j in range(2):
        up, down = (text.sums(arcs, prices + sign * step * np.eye(2)[j]).totals[0] for sign in (1, -1))
        assert (down - up) / (2 * step) == pytest.approx(broken[j], rel=1e-5)


def test_what_cannot_be_counted_is_refused():
    problem = random_problem(random.Random(2), 3, 3, True)
    with pytest.raises(WorkbenchError, match="not of the head of its head"):
        ruled_text(parse_rules("if N then its head is V & under D"), [problem])
    many = "\n".join(f"{tag} & {other} has at most 1 {name}" for tag in "NVD" for other in "NVD" for name in "ab")
    counts = "\n".join(f'* & not form:"{number}" has at most 2 {{a b}} & not form:"{number}"' for number in range(9))
    with pytest.raises(WorkbenchError, match="states of counts, and as targets at most"):
        ruled_text(parse_rules(f"{many}\n{counts}"), [problem])
    with pytest.raises(WorkbenchError, match="there is no relation zz"):
        ruled_text(parse_rules("N has no zz"), [problem])


def test_a_sentence_without_a_tree_is_named():
    problems = [random_problem(random.Random(seed), 3, 3, True) for seed in range(2)]
    problems[1][3].arcs[:, 2] = -np.inf
    text, arcs = ruled_text(parse_rules("N has no a"), problems)
    for asked in (text.sums, text.best):
        with pytest.raises(InfeasibleError, match="sentence 2 has no projective tree"):
            asked(arcs, np.ones(1))
