"""Prices of rules that are no laws: found from margins, by trying all prices, and in the trees that they lead to."""

import random
from itertools import pairwise

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.english import English
from core.rules.checking import RuleTree, RuleWords, breaches
from core.rules.coverage import RuleText
from core.rules.parsing import parse_under_rules
from core.rules.prices import deciding_price, parser_breaches, price_of_share, prices_from_shares, prices_from_trees
from core.rules.reading import parse_rules
from core.rules.rule import format_rules
from core.treebank import Treebank, load_sample
from tests.filled import filled


@pytest.fixture(scope="module")
def english():
    return English.load()


@pytest.fixture(scope="module")
def text():
    return load_sample().limit(120)


def every_price(margins):
    """One price below, between and above all margins."""
    known = sorted({0.0, *margins[np.isfinite(margins)].tolist()})
    return [0.0, *((a + b) / 2 for a, b in pairwise(known)), known[-1] + 1]


def random_margins(draws):
    count = draws.randint(0, 7)
    margins = np.array([draws.choice([0.5, 1.0, 1.5, 2.25, np.inf]) for _ in range(count)])
    return margins, np.array([draws.random() < 0.5 for _ in range(count)], bool)


def test_the_price_decides_as_many_breaches_as_any_price_and_is_the_least():
    draws = random.Random(1)
    for _ in filled(range(300)):
        margins, wrong = random_margins(draws)

        def right(price, margins=margins, wrong=wrong):
            return int(((margins < price) == wrong).sum())

        best = max(map(right, every_price(margins)))
        price = deciding_price(margins, wrong)
        assert right(price) == best
        assert all(right(other) < best or (margins < other).sum() >= (margins < price).sum()
                   for other in every_price(margins))  # fmt: skip


def test_the_price_of_a_share_leaves_as_many_breaches_as_are_allowed_and_is_the_least():
    draws = random.Random(2)
    for _ in filled(range(300)):
        margins, _ = random_margins(draws)
        allowed = draws.randint(0, 7)
        price = price_of_share(margins, allowed)
        left = [int((margins >= other).sum()) for other in every_price(margins)]
        kept = [count for count in left if count <= max(allowed, np.isinf(margins).sum())]
        assert (margins >= price).sum() == max(kept)


def test_margins_are_those_of_the_trees_without_the_breach(english, text):
    (rule,) = parse_rules("NOUN has no amod")
    found = parser_breaches(english.scored_words(text), rule, RuleText(text))
    parsed = english.parse(text)
    trees = [RuleTree(RuleWords(each), each.heads.tolist(), each.deprels) for each in parsed]
    assert len(found.margins) == sum(len(list(breaches([rule], tree))) for tree in trees) > 3
    assert found.words == sum(list(each.upos).count("NOUN") for each in parsed)
    gold = [RuleTree(RuleWords(each), each.heads.tolist(), each.deprels) for each in text]
    kept = [all(breach.word != other.word for other in breaches([rule], gold[index]))
            for index, tree in enumerate(trees) for breach in breaches([rule], tree)]  # fmt: skip
    assert found.wrong.tolist() == kept
    assert (found.margins > -1e-9).all()


def test_gold_trees_teach_a_price_and_what_they_never_break_stays_a_law(english, text):
    rules = parse_rules("VERB has at most 1 obl\n* has at most 1 obj = 0.5\nADJ has no * price 7")
    priced = prices_from_trees(english, rules, text)
    law, (obl, _, no) = priced[1], priced
    assert law.rule == parse_rules("* has at most 1 obj")[0] and law.broken == 0
    assert law.wrong == law.parser_breaks
    for each in filled((obl, no)):
        assert each.broken > 0 and each.rule.price is not None
        assert each.rule.share == pytest.approx(1 - each.broken / each.words, abs=1e-3)
        assert 0 <= each.wrong <= each.parser_breaks
        assert parse_rules(format_rules([each.rule])) == (each.rule,)
    ruled = parse_under_rules(english, text, [each.rule for each in priced])
    assert all(breach.rule.price for each in ruled.searched for breach in each.tree.breaches)


@pytest.mark.parametrize("share", [0.9, 0.97])
def test_a_share_of_the_words_keeps_the_rule(english, text, share):
    (rule,) = parse_rules(f"NOUN has at most 1 amod = {share}")
    ((found),) = prices_from_shares(english, [rule], text)
    assert found.rule.share == share and found.broken > 0
    ruled = parse_under_rules(english, text, [found.rule])
    left = sum(len(list(breaches([found.rule], RuleTree(RuleWords(each), each.heads.tolist(), each.deprels))))
               for each in ruled.treebank)  # fmt: skip
    allowed = int((1 - share) * found.words)
    assert left <= allowed or found.broken <= allowed
    assert (found.rule.price > 0) == (found.broken > allowed)


def test_a_price_between_overrules_some_breaches(english, text):
    (rule,) = parse_rules("NOUN has no amod")
    margins = parser_breaches(english.scored_words(text), rule, None).margins
    price = float(np.median(margins))
    (priced,) = parse_rules(f"NOUN has no amod price {price}")
    ruled = parse_under_rules(english, text, [priced])
    left = sum(len(each.tree.breaches) for each in ruled.searched)
    assert 0 < left < len(margins)
    free = parse_under_rules(english, text, parse_rules("NOUN has no amod price 0"))
    assert not free.searched and np.array_equal(free.treebank.heads, english.parse(text).heads)


def test_a_share_without_a_price_is_refused_when_parsing(english, text):
    with pytest.raises(WorkbenchError, match="has a share and no price"):
        parse_under_rules(english, text.limit(2), parse_rules("NOUN has no amod = 0.9"))
    assert prices_from_shares(english, parse_rules("NOUN has no amod"), text)[0].rule.price is None
    with pytest.raises(WorkbenchError, match="has no UPOS tags, of which the rule NOUN has no amod"):
        bare = Treebank.from_sentences([{"forms": ["a", "b"], "heads": [0, 1], "deprels": ["root", "obj"]}])
        prices_from_trees(_Bare(bare), parse_rules("NOUN has no amod"), bare)


class _Bare:
    """A parser whose words have no tags."""

    def __init__(self, text):
        self.text = text

    def scored_words(self, treebank):
        class Words:
            words, names = self.text, ("root", "obj", "amod")

        return Words()
