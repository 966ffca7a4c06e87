"""What the universal parser expects to be wrong, against its probabilities counted word by word."""

from dataclasses import replace

import numpy as np
import pytest

from core.advice import QUESTIONS, TREES, Advice, Costs, TrainingState, expected_advice
from core.advice.expecting import ExpectedErrors
from core.constraints import parse_constraints
from core.constraints.authoring.questions import ArcQuestions
from core.errors import Cancelled
from core.parsers.universal.parser import UniversalParser
from tests.advice.conftest import SETTINGS
from tests.advising import SET
from tests.parsers.universal.conftest import small_network

MADE = Advice(TREES, "", 9.0, sentences=(3, 30, 31), reason="too few")


@pytest.fixture(scope="module")
def parser(gold):
    return UniversalParser([small_network(10)], ("root", "nsubj", "obj", "case", "det")).for_text(gold)


def state_of(gold, parser, known=0, lines=()):
    heads = np.where(np.arange(len(gold.heads)) < gold.offsets[known], gold.heads, -1)
    return TrainingState.of(gold, lines, heads, SETTINGS, prior=parser)


def wrong_by_word(parser, text):
    """{(sentence, word): one minus the probability of its head} of words that are no marks."""
    parsed = parser.parse(text)
    arcs, wrong = parser.confidence(parsed).arcs, {}
    for i in range(len(text)):
        for m in range(1, int(text.lengths[i]) + 1):
            if not np.isnan(arcs[text.offsets[i] + m]):
                wrong[i, m] = 1 - arcs[text.offsets[i] + m]
    return wrong


def test_wrong_heads_are_expected_by_the_probability_of_each(gold, parser):
    by_word = wrong_by_word(parser, gold)
    trees, asked = expected_advice(state_of(gold, parser), [MADE], Costs())
    assert trees.turned.wrong == asked.turned.wrong == pytest.approx(sum(by_word.values()))
    assert trees.turned.all_arcs == len(by_word) and trees.turned.all_sentences == len(gold)
    inside = [each for (i, _), each in by_word.items() if i in MADE.sentences]
    assert (trees.turned.arcs, trees.turned.sentences) == (len(inside), 3)
    assert trees.turned.expected == pytest.approx(sum(inside))
    assert trees.turned.points == pytest.approx(100 * sum(inside) / len(by_word))


def test_questions_concern_what_their_arcs_could_change(gold, parser):
    (asked,) = expected_advice(state_of(gold, parser), [], Costs(answer=0.5))
    assert (asked.kind, asked.what, asked.minutes) == (QUESTIONS, "5", 2.5)
    assert 0 < asked.turned.expected <= asked.turned.wrong and 0 < asked.turned.arcs <= asked.turned.all_arcs
    found = ExpectedErrors.of(state_of(gold, parser), parser)
    words = found.words
    some = {(0, 1, 2), (0, 3, 2), (4, 0, 1)}  # sentence, head, modifier, without marks
    arcs = np.zeros(len(found.marginals), bool)
    offsets = np.concatenate([[0], np.cumsum((words.lengths + 1) ** 2)])
    places = {(s, h, m): int(offsets[s] + h * (words.lengths[s] + 1) + m) for s, h, m in some}
    arcs[list(places.values())] = True
    concerned, wrong = found.concerned(arcs)
    firsts = np.cumsum(words.lengths) - words.lengths
    assert np.flatnonzero(concerned).tolist() == sorted({int(firsts[s] + m - 1) for s, _, m in some})
    for s, m in {(s, m) for s, _, m in some}:
        row, mine = int(firsts[s] + m - 1), [places[each] for each in some if (each[0], each[2]) == (s, m)]
        mass = found.marginals[mine].sum()
        expected = found.wrong[row] if found.chosen[row] in mine else mass
        assert wrong[row] == pytest.approx(expected)
    assert not wrong[~concerned].any()


def test_known_trees_and_constraints_count(gold, parser):
    lines = parse_constraints(SET)
    plain, constrained = (expected_advice(state_of(gold, parser, lines=each), [MADE], Costs()) for each in ((), lines))
    assert constrained[0].turned.wrong != pytest.approx(plain[0].turned.wrong)
    known = expected_advice(state_of(gold, parser, known=len(gold)), [MADE], Costs())
    assert known[0].turned.wrong == 0 and known[0].turned.arcs == 0
    part = expected_advice(state_of(gold, parser, known=10), [MADE], Costs())
    assert part[0].turned.sentences == 2  # the first of the three is known


def test_what_is_passed_is_not_asked_and_measured_gains_stay(gold, parser):
    state = state_of(gold, parser)
    column, found = "upos", ExpectedErrors.of(state, parser)
    first = ArcQuestions(found.words, column).ranked(found.marginals, (), 1)[0]
    (asked,), (others,) = expected_advice(state, [], Costs()), expected_advice(state, [], Costs(), {first.name})
    assert asked.turned != others.turned
    every = {each.name for each in ArcQuestions(found.words, column).ranked(found.marginals, (), 10_000)}
    measured = replace(MADE, gain=1.0, low=0.0, high=2.0, reason="")
    assert expected_advice(state, [measured], Costs(), every) == [measured]


def test_without_a_prior_nothing_is_expected_and_it_can_be_cancelled(gold, parser):
    state = state_of(gold, parser)
    assert expected_advice(replace(state, prior=None), [MADE], Costs()) == [MADE]
    with pytest.raises(Cancelled):
        expected_advice(state, [MADE], Costs(), cancel=lambda: True)
