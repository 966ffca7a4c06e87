"""Brackets as they are taught: trees, costs and what the chart leaves out are those of a list of all trees."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.teach.brackets import HARDEST_FIRST, bracket_of, liveliest_bracket, trace_brackets, useful_items, useful_under
from core.teach.scores import parse_scores
from core.trees import tree_exists
from core.trees.brackets import Bracket
from tests.filled import filled
from tests.oracles.brackets import satisfying
from tests.oracles.trees import tree_scores, trees
from tests.teach.problems import check_questions, example, examples


def only(heads):
    scores = np.full((len(heads),) * 2, -np.inf)
    scores[heads[1:], np.arange(1, len(heads))] = 0.0
    return scores


@settings(deadline=None, max_examples=40)
@given(examples(most=5), st.data())
def test_each_level_is_that_of_a_list_of_all_trees(one, data):
    assume(tree_exists(one.scores, True, projective=True))
    n = len(one)
    start = data.draw(st.integers(1, n))
    last = data.draw(st.integers(start, n))
    trace = trace_brackets(example(one.scores, constraint=f"{start}-{last}"))
    assert trace.result["bracket"] == Bracket(start, last + 1)
    listed, worths = trees(n, True, True), tree_scores(one.scores, True, True)
    for name in filled(HARDEST_FIRST):
        level, kept = trace.result["levels"][name], satisfying(listed, start, last + 1, name)
        best = worths[kept].max(initial=-np.inf)
        assert level.cost == pytest.approx(worths.max() - best)
        assert (level.heads is None) == (best == -np.inf)
        if level.heads is not None:
            assert level.heads.tolist() in listed[kept].tolist()
        assert bool(level.offending) == (trace.result["best"].tolist() not in listed[kept].tolist())
    check_questions(trace)
    costs = [level.cost for level in trace.result["levels"].values()]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("level", HARDEST_FIRST)
@pytest.mark.parametrize("bracket", [Bracket(1, 3), Bracket(2, 4), Bracket(2, 5), Bracket(3, 4)])
def test_items_are_ruled_out_if_no_tree_that_keeps_the_level_uses_them(level, bracket):
    n = 5
    kept = trees(n, True, True)[satisfying(trees(n, True, True), bracket.start, bracket.end, level)]
    used = set()
    for heads in filled(list(kept)):
        used |= set(useful_items(only(heads)))
    assert set(useful_under(np.zeros((n + 1, n + 1)), bracket, level)) == used


def test_a_bracket_at_which_all_levels_differ():
    line = (
        "0 5 0 0 0 0 0; - 0 0 0 0 0 0; 4 - 1 3 0 3 3; 0 0 - 0 0 0 0; 0 0 3 - 0 0 0; 0 0 0 0 - 0 0; 0 0 2 1 3 - 0; "
        "0 0 0 0 0 4 -"
    )
    scores = parse_scores(line, 7)
    trace = trace_brackets(example(scores, constraint="4-6"))
    titles = [step.title for step in trace.steps]
    assert titles[1:4] == ["Strict: is it kept?", "Strict: the chart", "Strict: the best tree that keeps it"]
    assert trace.steps[-1].numbers["costs"] == {"strict": 4.0, "loose": 3.0, "sprawl": 2.0, "tear": 1.0}
    assert "breaks it by old (4) → the (3), again (7) → today (6)." in trace.steps[1].caption
    assert {step.question.answer for step in trace.steps[1:-1]} == {"Yes", "No"}
    kept = trace_brackets(example(scores, constraint="5-7"))
    judged = [step.question.answer for step in kept.steps if step.title.endswith("is it kept?")]
    assert judged == ["Yes"] * 4 and kept.steps[3].caption.endswith("the bracket costs nothing.")


def test_the_usual_bracket_is_one_whose_levels_differ():
    scores = np.random.default_rng(5).integers(0, 10, (7, 7)).astype(float)
    trace = trace_brackets(example(scores))
    assert trace.result["bracket"] == liveliest_bracket(scores) and "chosen since" in trace.steps[0].caption
    assert len({level.cost for level in trace.result["levels"].values()}) >= 3
    assert liveliest_bracket(np.zeros((2, 2))) == Bracket(1, 2)


@pytest.mark.parametrize("text", ["x", "2", "0-2", "3-2", "2-6", "2-4-5"])
def test_what_is_no_bracket_is_refused(text):
    with pytest.raises(WorkbenchError, match=f"'{text}' is no bracket over 5 words; write the numbers"):
        bracket_of(text, 5)


def test_a_bracket_is_read_with_either_dash():
    assert bracket_of(" 2 – 4 ", 5) == bracket_of("2-4", 5) == Bracket(2, 5)
