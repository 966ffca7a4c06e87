"""Joint inference by rounds, as it is taught, against the list of all trees."""

from itertools import pairwise

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.teach.joint import CANDIDATES, ROUNDS, joint_lists, scheme_scores, trace_joint, weight_of
from core.teach.step import Example
from core.treebank import Treebank, load_sample
from core.treebank.schemes import to_function_heads
from tests.filled import filled
from tests.oracles import joint
from tests.teach.problems import check_questions

SAMPLE = load_sample()


def of_sample(at, constraint="", text=SAMPLE):
    sentence = SAMPLE[at]
    side = len(sentence) + 1
    return Example(
        tuple(sentence.forms), tuple(sentence.upos), np.zeros((side, side)), constraint=constraint, text=text
    )


@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_lists_of_every_round_are_those_of_the_list_of_all_trees(n, weight):
    random = np.random.default_rng(n)
    scores = tuple(random.normal(size=(2, n + 1, n + 1)))
    found, wanted = joint_lists(scores, weight), joint.rounds(scores, weight, CANDIDATES, ROUNDS)
    for each, oracle in zip(found, wanted, strict=False):  # which does not end before its last round
        for one, (trees, values) in zip(each, oracle, strict=True):
            assert one.heads.tolist() == trees.tolist()
            np.testing.assert_allclose(one.values, values, atol=1e-9)
    same = [all(np.array_equal(old[0], new[0]) for old, new in zip(*pair, strict=True))
            for pair in pairwise(wanted)]  # fmt: skip
    assert len(found) == 1 + (same.index(True) + 1 if True in same else ROUNDS)


def test_every_step_tells_what_the_rounds_did():
    short = [at for at in range(len(SAMPLE)) if 4 <= len(SAMPLE[at]) <= 7][:4]
    changed = 0
    for at in filled(short):
        trace = trace_joint(of_sample(at, "1"))
        lists = trace.result["lists"]
        assert len(trace) == 2 + 4 * (len(lists) - 1)
        check_questions(trace)
        for r in range(1, len(lists)):
            _, first, second, update = trace.steps[4 * r - 3 : 4 * r + 1]
            for s, step in enumerate((first, second)):
                moved = not np.array_equal(lists[r][s].best, lists[r - 1][s].best)
                assert step.question is not None
                assert step.question.answer == ("It changes" if moved else "It stays")
                assert ("keeps its best tree" in step.caption) != moved
                changed += moved
            agreed = int((lists[r][0].best == lists[r][1].best)[1:].sum())
            assert update.question is None or update.question.answer == str(agreed)
    assert changed


def test_parsers_are_of_two_schemes_and_did_not_see_the_sentence():
    one = of_sample(0, text=SAMPLE.limit(12))
    first, second = scheme_scores(one)
    assert not np.array_equal(first, second)
    without = of_sample(0, text=SAMPLE.select(np.arange(1, 12)))
    assert all(map(np.array_equal, (first, second), scheme_scores(without)))
    with pytest.raises(WorkbenchError, match="is not in UD"):
        scheme_scores(of_sample(0, text=to_function_heads(SAMPLE)))


def test_without_weight_nothing_changes_and_it_ends_after_a_round():
    trace = trace_joint(of_sample(3, "0"))
    assert len(trace) == 6 and trace.steps[-1].numbers["changed"] == [0, 0]
    assert "Round 1 changed no tree" in trace.steps[-1].caption


@pytest.mark.parametrize("text", ["x", "-1", "11", "nan"])
def test_a_weight_that_is_none_is_refused(text):
    assert weight_of(" 2 ") == 2.0 and weight_of("") == 1.0
    with pytest.raises(WorkbenchError, match=f"'{text}' is no weight; write a number of nats from 0 to 10"):
        weight_of(text)


def test_what_cannot_be_learnt_from_is_one_sentence():
    bare = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["DET", "NOUN"]}])
    with pytest.raises(WorkbenchError, match="at most 15 words, and there are none; type an English sentence"):
        scheme_scores(of_sample(0, text=bare))
    with pytest.raises(WorkbenchError, match="a word of this sentence has none; choose a tagged sentence"):
        scheme_scores(Example(("", "a"), ("", ""), np.zeros((2, 2))))
