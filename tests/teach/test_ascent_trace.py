"""The climbing dual, as it is taught, is the production ascent, and its numbers are those of the list of all trees."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import Matcher
from core.constraints.grammar.posterior_regularisation import TextSums
from core.errors import WorkbenchError
from core.parsers.dual_ascent import DualAscent
from core.teach.ascent import ENOUGH, EVALUATIONS, SHOWN, UNIVERSAL, trace_ascent
from core.teach.step import Example
from core.treebank import Treebank
from tests.filled import filled
from tests.oracles import posterior
from tests.teach.problems import check_questions
from tests.teach.test_induction_trace import corpus

LINES = """DET <- NOUN = 0.9
ROOT -> VERB per head = 0.7..1.0
ADJ -- * per modifier = 0.0..0.2
* -- NOUN per modifier = 0.4 weight 0.5
PART -> VERB = 1.0
"""


def one(lines=LINES, text=None):
    words, tags = ("", "the", "old", "cat", "sleeps"), ("", "DET", "ADJ", "NOUN", "VERB")
    return Example(words, tags, np.zeros((5, 5)), constraint=lines, text=text or corpus())


def sentences(trace):
    """The text's sentences as the oracle takes them: tags, fixed weights, candidates of each line, no list."""
    grammar = trace.result["grammar"]
    matches = Matcher(grammar.text, grammar.column).match(trace.result["constraints"])
    for i in range(len(grammar.text)):
        begin, end = matches.arc_offsets[i : i + 2]
        side = len(grammar.text[i]) + 1
        candidates = np.zeros((len(matches.constraints), side * side))
        for c, row in enumerate(candidates):
            own = matches.of(c)
            row[own[(own >= begin) & (own < end)] - begin] = 1
        numbers = np.array([grammar.symbols.tags.index(tag) for tag in grammar.text[i].upos[1:]])
        yield numbers, np.zeros((side, side)), candidates.reshape(-1, side, side), None


def test_every_evaluation_is_that_of_the_list_of_trees():
    trace = trace_ascent(one())
    lines, words = trace.result["lines"], trace.result["grammar"].text.token_count
    assert (
        len(trace.result["constraints"]) == 4 and "of 4 constraints (and 1 without a match)" in trace.steps[0].caption
    )
    assert len(trace) > 3 and trace.steps[0].numbers["dual"] == 0.0
    parameters = trace.result["grammar"].events.arrays
    target = lines.denominators, lines.low, lines.high

    def listed(multipliers):
        return posterior.dual(list(sentences(trace)), parameters, multipliers, target)

    for step in trace.steps:
        found = step.numbers
        value, expectations, divergence = listed(found["multipliers"])
        assert found["dual"] == pytest.approx(value / words, abs=1e-9)
        np.testing.assert_allclose(found["expectations"], expectations, atol=1e-9)
        penalty = lines.limits @ (lines.denominators * lines.distances(expectations))
        assert found["primal"] == pytest.approx((divergence + penalty) / words, abs=1e-9)
        assert found["primal"] >= found["dual"] - 1e-12
    at = trace.steps[2].numbers
    for c in filled(np.flatnonzero(at["multipliers"])):
        step = 1e-5 * (np.arange(4) == c)
        slope = (listed(at["multipliers"] + step)[0] - listed(at["multipliers"] - step)[0]) / 2e-5
        free = np.abs(at["multipliers"][c]) < lines.limits[c]
        assert at["gradient"][c] == pytest.approx(slope if free else 0.0, abs=1e-5)
    check_questions(trace)


def test_the_steps_are_the_evaluations_of_the_production_ascent():
    trace = trace_ascent(one())
    grammar, lines = trace.result["grammar"], trace.result["lines"]
    ascent = DualAscent(TextSums(grammar.number(grammar.text), lines, threads=1), lines)
    end = ascent.climb(grammar.events, EVALUATIONS, tolerance=ENOUGH)
    np.testing.assert_array_equal(trace.result["multipliers"], end.multipliers)
    kept = [step.numbers for step in trace.steps if step.numbers["kept"]]
    np.testing.assert_array_equal(kept[-1]["multipliers"], end.multipliers)
    duals = [numbers["dual"] for numbers in kept]
    assert duals == sorted(duals)
    assert "below its maximum" in trace.steps[-1].caption


def test_a_step_that_goes_too_far_is_shown_and_taken_back():
    twice = "DET <- NOUN = 0.9\nDET <- * per modifier = 0.9\n{DET ADJ} <- NOUN = 0.9\n* <- NOUN per modifier = 0.9\n"
    trace = trace_ascent(one(twice * 2))
    back = [k for k, step in enumerate(trace.steps) if not step.numbers["kept"]]
    assert back and "it is taken back and the next one is half as long" in trace.steps[back[0]].caption
    curve = trace.steps[-1].picture.pictures[0].pictures[1].series[0]
    assert curve[back[0]] == curve[back[0] - 1]


def test_a_dual_that_moves_by_less_than_its_digits_stays():
    lines = (UNIVERSAL.parent / "first-steps.txt").read_text(encoding="utf-8")
    trace = trace_ascent(replace(one(lines), text=None))  # on the sample
    assert "the dual stays at 0.776" in trace.steps[-1].caption


def test_lines_beyond_those_drawn_are_in_the_table():
    trace = trace_ascent(one("", None))  # the twenty-five universal ones
    rows = trace.steps[-1].table["constraint"]
    assert len(rows) == len(trace.result["constraints"]) > SHOWN
    targets = trace.steps[-1].picture.pictures[1]
    assert len(targets.rows) == SHOWN and f"the table has {len(rows) - SHOWN} more" in targets.note


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("# nothing", "there is no constraint yet"),
        ("PART -> VERB = 1.0", "no constraint matches two words"),
        ("DET <-", "line 1"),
    ],
)
def test_lines_that_cannot_be_climbed_are_one_sentence(lines, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_ascent(one(lines))


def test_other_tags_than_universal_ones_need_lines_of_their_own():
    text = Treebank.from_sentences([{"forms": ["a", "b"], "xpos": ["DT", "NN"]}])
    sentence = Example(("", "a", "b"), ("", "DT", "NN"), np.zeros((3, 3)), text=text)
    with pytest.raises(WorkbenchError, match="write some, one under the other, in this text's own tags"):
        trace_ascent(sentence)
