"""Paired tests in groups, Holm's adjustment, precision and recall by relation: against reckonings word by word."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.evaluation import compare, holm, paired_bootstrap, paired_tests, relation_words, sign_test
from core.evaluation.comparison import LAS
from core.evaluation.significance import BOTH, binomial_p_value
from core.treebank import Treebank
from tests.evaluation.test_comparison import texts


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_its_steps_reject(values):
    adjusted = holm(values)
    for level in (0.01, 0.05, 0.5):
        rejected, order = set(), sorted(range(len(values)), key=values.__getitem__)
        for rank, test in enumerate(order):  # Holm 1979: stop at the first that is not small enough
            if values[test] * (len(values) - rank) > level:
                break
            rejected.add(test)
        assert {test for test, value in enumerate(adjusted) if value <= level} == rejected


def test_holm_of_textbook_values():
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0] and holm([]).tolist() == []


@settings(max_examples=25, deadline=None)
@given(texts(), st.sampled_from(["tag", "relation", "distance", "sentence length"]), st.sampled_from(["UAS", LAS]))
def test_every_group_is_tested_on_its_own_words(banks, kind, measure):
    gold, one, other = banks
    found = compare(gold, {"one": one, "other": other, "gold": gold}, tested=False)
    assert found.pairs == ()

    def right(bank, row):
        return bank.heads[row] == gold.heads[row] and (measure != LAS or bank.deprel[row] == gold.deprel[row])

    groups = found.table(kind, measure=measure)
    tests = paired_tests(groups, list(found.systems))
    assert len(tests) == 3 * len(groups)
    for test in tests:
        rows = next(group.rows for group in groups if group.name == test.group).tolist()
        pair = [[right(found.systems[name], row) for row in rows] for name in (test.one, test.other)]
        wins, losses = (sum(a and not b for a, b in zip(*order, strict=True)) for order in (pair, pair[::-1]))
        assert (test.only_one, test.only_other, test.words) == (wins, losses, len(rows))
        assert test.p_value == binomial_p_value(wins, losses) <= test.adjusted
        assert test.gain == pytest.approx(100 * (np.mean(pair[0]) - np.mean(pair[1])))
    assert [test.adjusted for test in tests] == holm([test.p_value for test in tests]).tolist()


@settings(max_examples=25, deadline=None)
@given(texts())
def test_heads_and_relations_are_tested_together(banks):
    gold, one, other = banks
    pair = [(bank.heads == gold.heads) & np.array([bank.deprel[r] == gold.deprel[r] for r in range(len(gold.heads))])
            & gold.is_word for bank in (one, other)]  # fmt: skip
    test = sign_test(gold, one, other, column=BOTH)
    assert (test.only_first, test.only_second) == ((pair[0] & ~pair[1]).sum(), (pair[1] & ~pair[0]).sum())
    found = paired_bootstrap(gold, one, other, column=BOTH, resamples=10)
    assert found.difference == pytest.approx(100 * (pair[1].sum() - pair[0].sum()) / gold.token_count)


@settings(max_examples=25, deadline=None)
@given(texts())
def test_precision_and_recall_by_relation_equal_a_word_by_word_reckoning(banks):
    gold, system, _ = banks
    rows = np.flatnonzero(gold.is_word)
    found = {words.relation: words for words in relation_words(gold, system, rows)}
    named = {bank.deprel[row] for bank in (gold, system) for row in rows.tolist()}
    assert set(found) == named
    for relation, words in found.items():
        in_gold = [row for row in rows.tolist() if gold.deprel[row] == relation]
        given_it = [row for row in rows.tolist() if system.deprel[row] == relation]
        both = [row for row in in_gold if row in given_it and gold.heads[row] == system.heads[row]]
        assert (words.gold.tolist(), words.system.tolist(), words.correct.tolist()) == (in_gold, given_it, both)
        assert words.missed.tolist() == [row for row in in_gold if row not in both]
        assert words.false.tolist() == [row for row in given_it if row not in both]
        if both:
            precision, recall = len(both) / len(given_it), len(both) / len(in_gold)
            assert words.score.f1 == pytest.approx(100 * 2 * precision * recall / (precision + recall))
    assert sum(len(words.gold) for words in found.values()) == len(rows)
    las = compare(gold, {"system": system}).scores["system"].both
    assert sum(len(words.correct) for words in found.values()) == las


def test_without_gold_trees_no_relation_is_right():
    bank = Treebank.from_sentences([{"forms": ["a"], "heads": [0], "deprels": ["root"]}])
    with pytest.raises(WorkbenchError, match="there are no gold trees"):
        compare(None, {"a": bank, "b": bank}).table("tag", measure=LAS)
    (words,) = relation_words(*(bank.with_heads([-1, 0], ["", ""]),) * 2, np.array([1]))
    assert words.relation == "(none)" and words.score.f1 == 100
