"""The pull that is taught is the derivative of the penalty, and each step's numbers are the production ones."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.errors import WorkbenchError
from core.teach.gradient import starting_constraint, trace_gradient
from core.trees import matrix_tree, maximum_spanning_tree, tree_exists
from tests.teach.problems import check_questions, example, examples

LINE = 'form:"I" <- form:"saw" = 0.9'


@settings(deadline=None, max_examples=25)
@given(examples(most=4, roots=(True, False)))
def test_the_pull_is_the_derivative_of_the_penalty(one):
    assume(len(one) > 1 and tree_exists(one.scores, one.single_root))
    trace = trace_gradient(example(one.scores, one.single_root, constraint=LINE))

    def penalty(scores):
        return (matrix_tree(scores, one.single_root)[1][2, 1] - 0.9) ** 2

    caption = next(step.numbers for step in trace.steps if step.title == "The constraint")
    assert caption["penalty"] == pytest.approx(penalty(one.scores), abs=1e-12)
    pulls = [step.numbers["pull"] for step in trace.steps if step.title == "Gradient 1"]
    for h, m in [(2, 1), (0, 1), (1, 2)] if pulls else []:
        if one.scores[h, m] > -np.inf:
            up, down = one.scores.copy(), one.scores.copy()
            up[h, m] += 1e-4
            down[h, m] -= 1e-4
            assert pulls[0][h, m] == pytest.approx(-(penalty(up) - penalty(down)) / 2e-4, abs=1e-6)
    penalties = [step.numbers["penalty"] for step in trace.steps if "penalty" in step.numbers]
    assert penalties == sorted(penalties, reverse=True)
    final = trace.result["scores"]
    assert matrix_tree(final, one.single_root)[1][2, 1] == pytest.approx(trace.result["share"])
    heads = maximum_spanning_tree(final, one.single_root)
    assert trace.steps[-1].numbers["heads"].tolist() == heads.tolist()
    check_questions(trace)


def test_a_share_that_is_met_moves_nothing():
    trace = trace_gradient(example(np.zeros((3, 3)), constraint='form:"I" <- form:"saw" = 0.5'))
    assert [step.title for step in trace.steps] == ["The model before", "The constraint", "The model after"]
    assert trace.steps[1].question.answer == "within the target"


def test_a_line_is_made_where_none_is_given():
    words = ("", "the", "cat", "sleeps")
    assert starting_constraint(words, ("", "DET", "NOUN", "VERB")) == "DET <- NOUN = 0.9"
    assert starting_constraint(words, ("",) * 4) == 'form:"the" <- form:"cat" = 0.9'
    assert starting_constraint(("", "go"), ("", "VB")) == "ROOT -> VB = 0.9"
    assert trace_gradient(example(np.zeros((2, 2)))).steps[-1].numbers["share"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('form:"cat" <- form:"dog" = 0.5', "no pair of words in this sentence"),
        ("NOUN <- = 0.5", "line 1"),
        (f"{LINE}\n{LINE}", "only one constraint can be shown at a time"),
    ],
)
def test_lines_that_cannot_be_watched(line, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_gradient(example(np.zeros((3, 3)), constraint=line))
