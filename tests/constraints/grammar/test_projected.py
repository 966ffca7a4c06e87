"""Constraints above a parser: what they may pull, in a text, from the parser before, in files; questions about them."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from core.constraints import GrammarSettings, Matcher, parse_constraints, train_grammar
from core.constraints.authoring import questions
from core.constraints.authoring.questions import ANSWERS, EDGES, ArcQuestions, CheckedTrees, answer_of
from core.constraints.grammar import projected
from core.constraints.grammar.projected import ProjectedParser, largest_multiplier, target_range
from core.constraints.language.constraint import Constraint
from core.errors import FormatError, WorkbenchError
from core.parsers import load_parser
from core.parsers.labels import RuleLabels
from core.parsers.universal.parser import UniversalParser
from core.parsers.weights import load_arrays, save_arrays
from core.rules.parsing import broken_sentences
from core.rules.reading import parse_rules
from core.treebank import load_sample
from core.trees import Bracket
from tests.filled import filled
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")
SETTINGS = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,))
LINES = "DET <- NOUN per modifier = 0.9..1.0 weight 2\nADP <- NOUN per modifier = 0.75\nSYM <- NOUN = 0.5"


@pytest.fixture(scope="module")
def text():
    return load_sample().max_length(12).limit(40)


@pytest.fixture(scope="module")
def parser(text):
    """A parser that knows nothing of English."""
    return UniversalParser([small_network()], RELATIONS).for_text(text)


@pytest.fixture(scope="module")
def result(text, parser):
    return train_grammar(text, parse_constraints(LINES), SETTINGS, prior=parser)


def test_without_constraints_the_parser_stays_as_it_is(text, parser):
    result = train_grammar(text, [], SETTINGS, prior=parser)
    assert result.dual == 0 and result.expectations.shape == (0,) and result.status == "converged"
    parsed, alone = result.model.parse(text), parser.parse(text)
    assert parsed.heads.tolist() == alone.heads.tolist()
    assert parsed.deprel.strings().tolist() == alone.deprel.strings().tolist()
    trees, others = result.model.kbest(text, 3), parser.kbest(text, 3)
    assert trees.heads.tolist() == others.heads.tolist()


def test_constraints_pull_as_far_as_their_bounds(text, result):
    assert [constraint.name for constraint in result.skipped] == ["SYM <- NOUN"]
    assert result.multipliers.tolist() == pytest.approx([1.0, 0.5]) and result.gap < 1e-4
    assert (result.expectations > result.alone).all() and result.disputed == result.constraints == result.unmet
    assert result.dual > 0 and (result.costs > 0).all()
    words = text.without_punctuation()
    shares = Matcher(words, "upos").match(result.constraints)
    found = shares.mass(result.model.marginals(words)[1]) / shares.denominators
    assert (np.abs(found - result.expectations) < 0.05).all()  # penalties of marks are not in the first


def test_a_line_of_no_weight_is_not_disputed(text, parser):
    lines = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 0")
    result = train_grammar(text, lines, SETTINGS, prior=parser)
    assert result.unmet == result.constraints and result.disputed == () and result.multipliers.tolist() == [0.0]


def test_an_ascent_that_runs_out_of_reports_is_not_called_converged(text, parser, monkeypatch):
    lines = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 20")
    monkeypatch.setattr(projected, "MOST_REPORTS", 1)
    monkeypatch.setattr(projected, "TOLERANCE", 0.0)
    result = train_grammar(text, lines, SETTINGS, prior=parser)
    assert (result.status, len(result.trace)) == ("stopped", 1)
    cancelled = train_grammar(text, lines, SETTINGS, prior=parser, cancel=lambda: True)
    assert cancelled.status == "cancelled"


def test_more_weight_brings_a_share_into_its_range(text, parser):
    line = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 20")
    result = train_grammar(text, line, SETTINGS, prior=parser)
    assert 0.89 < result.expectations[0] < 0.92 and not result.unmet and not result.disputed
    assert 0 < result.multipliers[0] < 10


def test_what_is_stated_has_a_range_and_a_bound():
    lines = parse_constraints(
        "A -> B = 0.5\nA -> B = 0.9\nA -> B = 0.5..0.7\nA -> B = 0.5..0.7 weight 1\nA -> B = 0.5..0.7 weight 3"
    )
    assert [target_range(line) for line in lines[:3]] == [(0.375, 0.625), pytest.approx((0.85, 0.95)), (0.5, 0.7)]
    assert [largest_multiplier(line, 0.2) for line in lines] == pytest.approx([0.5, 0.5, 0.2, 0.5, 1.5])
    assert largest_multiplier(lines[2], 0.1) == 0.1
    assert [line.text for line in lines[2:4]] == ["A -> B = 0.5..0.7", "A -> B = 0.5..0.7 weight 1"]
    with pytest.raises(WorkbenchError, match="the trust in ranges must be"):
        replace(SETTINGS, trust=-1.0)


def test_it_goes_on_from_the_parser_before(text, parser, result):
    again = train_grammar(text, parse_constraints(LINES), SETTINGS, prior=parser, start=result.model)
    assert len(again.trace) == 1 and again.multipliers == pytest.approx(result.multipliers)
    fewer = train_grammar(text, parse_constraints(LINES)[1:2], SETTINGS, prior=parser, start=result.model)
    cold = train_grammar(text, parse_constraints(LINES)[1:2], SETTINGS, prior=parser)
    assert fewer.multipliers == pytest.approx(cold.multipliers, abs=1e-3)
    assert isinstance(result.model, ProjectedParser)
    alone = result.model.reweighted(np.zeros(2)).parse(text)
    assert alone.heads.tolist() == parser.parse(text).heads.tolist()


def test_known_trees_and_brackets_hold(text, parser):
    known = np.where(np.repeat(np.arange(len(text)) < 5, text.lengths + 1), text.heads, -1)
    lines = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 20")
    some = [[Bracket(1, 3)] if length > 3 else [] for length in text.lengths]
    settings = replace(SETTINGS, level="strict")
    free = train_grammar(text, lines, SETTINGS, prior=parser)
    held = train_grammar(text, lines, settings, prior=parser, brackets=some, trees=known)
    assert held.crossing == () and held.alone[0] != pytest.approx(free.alone[0], abs=1e-3)


def test_it_is_saved_with_the_parser_below(text, result, tmp_path):
    result.model.save(tmp_path / "m.npz")
    again = load_parser(tmp_path / "m.npz")
    assert isinstance(again, ProjectedParser) and again.constraints == result.constraints
    assert (again.parse(text).heads == result.model.parse(text).heads).mean() > 0.97  # weights in a byte each
    confidence = again.confidence(again.parse(text))
    assert confidence.labels is not None and np.nanmin(confidence.arcs) > 0
    settings, arrays = load_arrays(tmp_path / "m.npz", "projected")
    save_arrays(tmp_path / "bad.npz", "projected", settings, **(arrays | {"multipliers": np.zeros(3)}))
    with pytest.raises(FormatError, match="its multipliers are not those of its constraints"):
        load_parser(tmp_path / "bad.npz")


def test_laws_have_the_largest_price_and_are_kept(text, parser):
    laws = dict.fromkeys(parse_rules("* has at most 1 {nsubj obj}\nNOUN has no nsubj"), 1.0)
    alone = sum(len(found) for *_, found in broken_sentences([*laws], parser.parse(text)))
    result = train_grammar(text, parse_constraints(LINES), SETTINGS, prior=parser, rules=laws)
    assert result.status == "converged" and result.multipliers.tolist() == pytest.approx([1.0, 0.5])
    assert [each.price for each in result.rules] == [6.0, 6.0] and all(each.is_met for each in result.rules)
    for each in filled(result.rules):
        assert each.alone < each.kept <= 1 and each.words > 0
    parsed = result.model.parse(text)
    assert alone > 10 > sum(len(found) for *_, found in broken_sentences([*laws], parsed))
    assert result.model.best_heads(text).tolist() == parsed.heads.tolist()
    gentle = train_grammar(text, [], replace(SETTINGS, bound=1.0), prior=parser, rules=laws)
    assert [each.price for each in gentle.rules] == [1.0, 1.0]


def test_a_share_is_reached_by_a_price(text, parser):
    (rule,) = parse_rules("* has at most 1 {nsubj obj}")
    result = train_grammar(text, [], SETTINGS, prior=parser, rules={rule: 0.98})
    (target,) = result.rules
    assert 0 < target.price < 6 and target.alone < 0.97 and target.kept == pytest.approx(0.98, abs=1e-3)
    assert result.status == "converged" and result.dual > 0
    again = train_grammar(text, [], SETTINGS, prior=parser, rules={rule: 0.98}, start=result.model)
    assert len(again.trace) == 1 and again.rules[0].price == pytest.approx(target.price)
    (easy,) = train_grammar(text, [], SETTINGS, prior=parser, rules={rule: 0.1}).rules
    assert easy.price == 0 and easy.kept == easy.alone


def test_arcs_under_rules_weigh_what_they_are_probable(text, parser):
    laws = dict.fromkeys(parse_rules("* has at most 1 {nsubj obj}"), 1.0)
    model = train_grammar(text, [], SETTINGS, prior=parser, rules=laws).model
    words = text.without_punctuation()
    marginals = model.marginals(words)[1].values
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(np.exp(model.arc_weights(words).values), marginals, atol=1e-12)
    free = model.unconstrained()
    assert free.rules == () and np.abs(free.marginals(words)[1].values - marginals).max() > 0.01
    assert np.array_equal(free.arc_weights(text).values, parser.arc_weights(text).values)
    assert len(model.scored_words(text).words) == len(words)
    named = model.with_labels(RuleLabels()).parse(text)
    assert named.heads.tolist() == model.parse(text).heads.tolist()


def test_rules_are_saved_with_their_prices(text, parser, tmp_path):
    laws = dict.fromkeys(parse_rules("* has at most 1 {nsubj obj}"), 1.0)
    model = train_grammar(text, [], SETTINGS, prior=parser, rules=laws).model
    model.save(tmp_path / "m.npz")
    again = load_parser(tmp_path / "m.npz")
    assert isinstance(again, ProjectedParser) and (again.rules, again.prices.tolist()) == (tuple(laws), [6.0])
    settings, arrays = load_arrays(tmp_path / "m.npz", "projected")
    for prices in filled([np.zeros(2), np.array([-1.0]), np.array([np.inf])]):
        save_arrays(tmp_path / "bad.npz", "projected", settings, **(arrays | {"prices": prices}))
        with pytest.raises(FormatError, match="its prices are not those of its rules"):
            load_parser(tmp_path / "bad.npz")


def test_rules_are_refused_where_they_cannot_be_targets(text, parser, result):
    (law,) = parse_rules("* has at most 1 nsubj")
    with pytest.raises(WorkbenchError, match="take the universal one as prior"):
        train_grammar(text, parse_constraints(LINES), SETTINGS, rules={law: 1.0})
    with pytest.raises(WorkbenchError, match=r"share of words that keep it must be above 0 and at most 1: 1.5"):
        train_grammar(text, [], SETTINGS, prior=parser, rules={law: 1.5})
    with pytest.raises(WorkbenchError, match="rules are counted on trees without brackets"):
        train_grammar(text, [], replace(SETTINGS, level="strict"), prior=parser, rules={law: 1.0})
    grammar = train_grammar(text, parse_constraints(LINES)[:1], replace(SETTINGS, words="no")).model
    with pytest.raises(WorkbenchError, match="rules need a parser that scores relations below the constraints"):
        train_grammar(text, [], SETTINGS, prior=grammar, rules={law: 1.0})


def test_arc_posteriors_of_any_parser_can_be_below(text, result):
    grammar = train_grammar(text, parse_constraints(LINES)[:1], replace(SETTINGS, words="no"))
    above = train_grammar(text, parse_constraints(LINES)[1:2], SETTINGS, prior=grammar.model)
    assert above.expectations[0] > above.alone[0]
    assert (above.model.parse(text).heads >= -1).all()


def test_questions_are_those_that_the_trees_are_least_sure_of(text, parser):
    words = text.without_punctuation()
    marginals, matcher = parser.marginals(words)[1], Matcher(words, "upos")
    asked = ArcQuestions(words, "upos").ranked(marginals.values, count=20, alike=3)
    assert len({question.constraint.name for question in asked}) == 20
    assert asked[0].variance == max(question.variance for question in asked)
    for question in filled(asked):
        matches = matcher.match([question.constraint])
        own = marginals.values[matches.of(0)]
        assert question.of == matches.denominators[0] >= 10
        assert question.share == pytest.approx(own.sum() / question.of)
        assert question.variance == pytest.approx((own * (1 - own)).sum())
        for sentence, head, modifier in filled(question.examples):
            assert marginals.offsets[sentence] + head * (words.lengths[sentence] + 1) + modifier in matches.of(0)
    for five in (asked[:5], asked[5:10]):
        assert max(Counter(question.constraint.modifier for question in five).values()) <= 3
    rest = ArcQuestions(words, "upos").ranked(marginals.values, [question.name for question in asked], 5)
    assert not {question.name for question in rest} & {question.name for question in asked}


def test_questions_are_the_same_however_few_arcs_are_counted_at_a_time(text, parser, monkeypatch):
    words = text.without_punctuation()
    marginals, whole = parser.marginals(words)[1].values, ArcQuestions(words, "upos")
    monkeypatch.setattr(questions, "MOST_ARCS", 100)
    asked = ArcQuestions(words, "upos").ranked(marginals, count=200)
    assert len(filled(asked)) > 20 and asked == whole.ranked(marginals, count=200)


def test_questions_on_which_checked_trees_differ_come_first(text, parser):
    words, marginals = text.without_punctuation(), parser.marginals(text.without_punctuation())[1]
    index, matcher = ArcQuestions(words, "upos"), Matcher(words, "upos")
    some = np.where(np.repeat(np.arange(len(words)) < 30, words.lengths + 1), words.heads, -1)
    asked = index.ranked(marginals.values, count=200, checked=CheckedTrees(some, marginals.values))
    gaps = [question.gap for question in asked]
    assert gaps[0] > 0 == gaps[-1] and gaps[:5] == sorted(gaps[:5], reverse=True)
    assert not any(question.gap for question in index.ranked(marginals.values))
    first, whole = Matcher(words.with_heads(some).limit(30), "upos"), gaps.index(0.0)
    for question in asked[:whole]:
        matches = first.match([question.constraint])
        own = marginals.values[matches.of(0)]
        gap = abs(first.counts([question.constraint])[0].edges - own.sum())
        assert question.gap == pytest.approx(gap) and gap > 2 * np.sqrt((own * (1 - own)).sum())
    assert matcher.counts([asked[0].constraint])[0].denominator == asked[0].of


def test_an_answer_is_a_word_for_a_confirmed_range(text, parser):
    words = text.without_punctuation()
    question = ArcQuestions(words, "upos").ranked(parser.marginals(words)[1].values, count=1)[0]
    for word, low, high in zip(ANSWERS, EDGES, EDGES[1:], strict=False):
        answer: Constraint = question.answer(word)
        assert (answer.low, answer.high, answer.confirmed) == (low, high, True)
        assert answer_of((low + high) / 2) == word
    assert parse_constraints(question.answer("mostly").text) == [question.answer("mostly")]
    with pytest.raises(WorkbenchError, match="'often' is no answer"):
        question.answer("often")
