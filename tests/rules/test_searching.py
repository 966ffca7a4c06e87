"""The search against every labelled tree of short sentences, under random rules."""

import random
from functools import partial

import pytest

from core.rules.checking import RuleTree, breaches
from core.rules.given import GivenArc
from core.rules.reading import parse_rules
from core.rules.rule import format_rules
from core.rules.searching import best_ruled, clashing, fewest_breaches
from tests.filled import filled
from tests.oracles import rules as oracle
from tests.rules.problems import SIZES, every_tree, less_prices, random_problem, value_of

MOST = 20_000  # decodings: the rules are drawn to clash


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize(("words", "count"), SIZES)
def test_the_best_tree_that_keeps_the_rules_is_that_of_all_trees(words, count, projective):
    draws, impossible = random.Random(f"{words} {count} {projective}"), 0
    for _ in filled(range(60 if words < 4 else 12)):
        tags, plain, known, scores = random_problem(draws, words, count, projective)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, projective)
        most, value = oracle.best(plain, tags, every, partial(value_of, scores))
        ruled = best_ruled(known, scores, rules, most=MOST)
        if most < 0:
            impossible += 1
            assert ruled is None
            ruled = fewest_breaches(known, scores, rules, MOST)
            clash = clashing(known, scores, rules, MOST)
            assert clash and best_ruled(known, scores, clash) is None
            for rule in clash:
                assert best_ruled(known, scores, [other for other in clash if other is not rule]) is not None
        assert ruled.certified and len(ruled.breaches) == -most
        assert ruled.value == pytest.approx(value, abs=1e-8)
        assert value_of(scores, ruled.heads, ruled.relations) == pytest.approx(value)
    assert impossible


@pytest.mark.parametrize("words", [3, 4])
def test_breaches_are_those_of_the_definition_and_text_is_read_back(words):
    draws = random.Random(words)
    for _ in filled(range(40)):
        tags, plain, known, scores = random_problem(draws, words, 3, False)
        rules = parse_rules("\n".join(map(oracle.written, plain)))
        assert parse_rules(format_rules(rules)) == rules
        heads, relations = draws.choice(every_tree(scores, words, False))
        tree = RuleTree(known, heads, relations)
        for rule, each in zip(rules, plain, strict=True):
            assert [breach.word for breach in breaches([rule], tree)] == oracle.breaches(each, tags, heads, relations)


def test_a_price_is_paid_where_a_rule_costs_more(words=4):
    draws = random.Random(7)
    paid = 0
    for _ in filled(range(12)):
        tags, plain, known, scores = random_problem(draws, words, 2, True)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, True)
        prices = {rule: draws.choice([0.3, 1.0]) for rule in rules}
        worth = less_prices(scores, tags, zip(rules, plain, strict=True), prices)
        best = max(worth(*tree) for tree in every)
        ruled = best_ruled(known, scores, rules, prices, MOST)
        assert ruled.certified and ruled.value == pytest.approx(best)
        paid += bool(ruled.breaches)
    assert paid


def test_a_search_that_is_cut_off_says_how_far_it_may_be_from_the_best():
    draws = random.Random(3)
    cut, proved = 0, 0
    for _ in filled(range(60)):
        _, plain, known, scores = random_problem(draws, 4, 3, True)
        rules = parse_rules("\n".join(map(oracle.written, plain)))
        whole, short = best_ruled(known, scores, rules), best_ruled(known, scores, rules, most=2)
        if whole is None or short is None or not short.rounds:
            assert (short is None) <= (whole is None)
            continue
        cut += not short.certified
        proved += short.certified
        assert short.decodings <= 2 + 4 * 3 and short.bound >= whole.value - 1e-9
        assert short.keeps_laws == (not short.breaches) and not (short.certified and short.breaches)
        if short.keeps_laws:
            assert short.value <= whole.value + 1e-9 <= short.value + short.gap + 2e-9
        if short.certified:
            assert short.value == pytest.approx(whole.value)
    assert cut and proved > cut


def random_arcs(draws, words, scores, projective):
    """Some arcs of a random tree, half of them with a relation; and, of one more word, a relation alone."""
    heads, relations = draws.choice(every_tree(scores, words, projective))
    chosen = draws.sample(range(1, words + 1), draws.randint(1, words))
    return [
        GivenArc(word, -1 if not number and len(chosen) > 1 else heads[word],
                 relations[word] if not number or draws.random() < 0.5 else "", word, "")
        for number, word in enumerate(chosen)
    ]  # fmt: skip


def has_all(arcs, heads, relations):
    return all(arc.head in (-1, heads[arc.word]) and arc.relation in ("", relations[arc.word]) for arc in arcs)


@pytest.mark.parametrize("projective", [True, False])
def test_around_given_arcs_the_best_tree_is_that_of_all_trees_that_have_them(projective, words=4):
    draws, mixed, impossible = random.Random(f"given {projective}"), 0, 0
    for _ in filled(range(40)):
        tags, plain, known, scores = random_problem(draws, words, 2, projective)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, projective)
        given = random_arcs(draws, words, scores, projective)
        having = [tree for tree in every if has_all(given, *tree)]
        most, value = oracle.best(plain, tags, having, partial(value_of, scores))
        ruled = best_ruled(known, scores, rules, most=MOST, given=given)
        if most < 0:
            impossible += 1
            assert ruled is None
            ruled = fewest_breaches(known, scores, rules, MOST, given=given)
            clash = clashing(known, scores, rules, MOST, given)
            named = [each for each in clash if isinstance(each, GivenArc)]
            mixed += bool(named)
            for left in (None, *clash):
                arcs = [arc for arc in named if arc is not left]
                laws = [each for rule, each in zip(rules, plain, strict=True) if any(rule is own for own in clash)
                        and rule is not left]  # fmt: skip
                best = oracle.best(laws, tags, [tree for tree in every if has_all(arcs, *tree)], lambda *_: 0)
                assert (best[0] < 0) == (left is None)
        assert ruled.certified and len(ruled.breaches) == -most and has_all(given, ruled.heads, ruled.relations)
        assert ruled.value == pytest.approx(value, abs=1e-8)
    assert 0 < mixed <= impossible


def test_where_some_rules_have_a_price_laws_are_broken_at_the_fewest_words(words=4):
    draws, broken = random.Random(8), 0
    for _ in filled(range(30)):
        tags, plain, known, scores = random_problem(draws, words, 2, True)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, True)
        prices = {rule: 0.7 for rule in rules[1:]}

        def worth(heads, relations, plain=plain, tags=tags, scores=scores):
            of_laws, *of_others = (len(oracle.breaches(each, tags, heads, relations)) for each in plain)
            return -of_laws, value_of(scores, heads, relations) - 0.7 * sum(of_others)

        laws, value = max(worth(*tree) for tree in every)
        ruled = fewest_breaches(known, scores, rules, MOST, prices=prices)
        assert ruled.certified and sum(breach.rule is rules[0] for breach in ruled.breaches) == -laws
        assert ruled.value == pytest.approx(value, abs=1e-6)
        assert (best_ruled(known, scores, rules, prices, MOST) is None) == (laws < 0)
        broken += laws < 0
    assert broken


def test_a_rule_is_excused_at_all_words_but_one(words=4):
    draws, turned = random.Random(9), 0
    for _ in filled(range(20)):
        tags, plain, known, scores = random_problem(draws, words, 2, True)
        (rule, *_), every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, True)
        word = draws.randint(1, words)
        excused = frozenset((rule, other) for other in range(words + 1) if other != word)
        keeping = [value_of(scores, *tree) for tree in every if word not in oracle.breaches(plain[0], tags, *tree)]
        best = best_ruled(known, scores, [rule], most=MOST, excused=excused)
        assert (best is None) == (not keeping)
        if best is not None:
            assert best.certified and best.value == pytest.approx(max(keeping))
            turned += best.value < max(value_of(scores, *tree) for tree in every) - 1e-9
    assert turned
