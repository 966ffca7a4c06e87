"""Correspondence learning, as it is taught: against dense oracles, numpy's decomposition and its properties."""

from itertools import permutations

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.teach.correspondence import PENALTY, nearest_strangers, trace_correspondence, two_texts
from core.teach.step import Example
from core.treebank import Treebank, load_sample
from tests.oracles import adaptation
from tests.teach.problems import check_questions

WORDS, TAGS = ("", "the", "dog", "has", "slept", "in", "a", "barn"), (
    "", "DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN")  # fmt: skip
LEXICON = {"the": "DET", "a": "DET", "dog": "NOUN", "cat": "NOUN", "barn": "NOUN", "has": "AUX", "is": "AUX",
           "slept": "VERB", "gone": "VERB", "in": "ADP", "to": "ADP", "left": "VERB"}  # fmt: skip
LINES = ("the dog has slept in the barn", "a cat is gone", "the cat left to a barn", "a dog is in the barn",
         "the barn has gone to a cat", "dog is slept")  # fmt: skip
PIVOTS = ("ADP", "DET", "AUX")


def shown(text=None, words=WORDS, tags=TAGS):
    return Example(words, tags, np.zeros((len(words),) * 2), text=text)


def small():
    return Treebank.from_sentences(
        [{"forms": line.split(), "upos": [LEXICON[word] for word in line.split()]} for line in LINES]
    )


@pytest.fixture(scope="module", params=[False, True], ids=["sample", "text"])
def trace(request):
    return trace_correspondence(shown(load_sample() if request.param else None))


def test_predictors_are_those_of_a_dense_oracle():
    learnt = trace_correspondence(shown(small())).result["learnt"]
    assert [len(text) for text in learnt.texts] == [3, 4]
    rows, targets = [], []
    for text in learnt.texts:
        for sentence in text:
            forms, tags = tuple(sentence.forms), tuple(sentence.upos)
            for head, modifier in permutations(range(1, len(forms)), 2):
                rows.append(adaptation.context_words(forms, head, modifier))
                targets.append([adaptation.between({tag.lower()}, tags, head, modifier) for tag in PIVOTS])
    assert learnt.drawn.sum() == len(rows)
    vocabulary = learnt.questions.features.vocabularies[0].words
    design = np.zeros((len(rows), 6 * len(vocabulary)))
    for row, words in enumerate(rows):
        design[row, [slot * len(vocabulary) + vocabulary.index(word) for slot, word in enumerate(words)]] = 1
    assert learnt.held.sum(axis=0).tolist() == np.sum(targets, axis=0).tolist()
    for pivot, target in enumerate(np.array(targets).T):
        weights, _ = adaptation.logistic_weights(design, target, PENALTY)
        np.testing.assert_allclose(learnt.weights[:, pivot], weights, atol=2e-3 * np.abs(weights).max())


def test_directions_are_numpys_and_what_is_dropped_is_the_error(trace):
    learnt = trace.result["learnt"]
    values = np.linalg.svd(learnt.weights, compute_uv=False)
    np.testing.assert_allclose(learnt.values, values)
    np.testing.assert_allclose(learnt.directions.T @ learnt.directions, np.eye(3), atol=1e-12)
    rebuilt = {step.numbers["kept"]: step for step in trace.steps if step.title.startswith("Rebuilt")}
    assert sorted(rebuilt) == [1, 2, 3]
    for kept, step in rebuilt.items():
        assert step.numbers["error"] == pytest.approx(np.sum(values[kept:] ** 2), abs=1e-12)
        assert (step.question is None) == (kept == 3)
    np.testing.assert_allclose(rebuilt[3].numbers["rebuilt"], trace.steps[3].numbers["weights"], atol=1e-12)
    check_questions(trace)


def test_pivots_are_told_by_what_stands_between(trace):
    for tag, step in zip(PIVOTS, trace.steps, strict=False):  # the first three steps
        expected = [[one != other and adaptation.between({tag.lower()}, TAGS, one, other) for other in range(1, 8)]
                    for one in range(1, 8)]  # fmt: skip
        assert step.numbers["held"].tolist() == expected
        assert step.table[next(name for name in step.table if name != "pair")].count("yes") == np.sum(expected) // 2
        if step.question is not None:
            assert step.question.answer == ("Yes" if np.any(expected) else "No")


def test_two_words_of_one_text_each_come_near_each_other(trace):
    learnt, step = trace.result["learnt"], trace.steps[-2]
    (mine, other), (source, target) = step.numbers["pair"], (text.form.counts() for text in learnt.texts)
    assert mine in source and mine not in target and other in target and other not in source
    assert nearest_strangers(learnt) == (mine, other)

    def angle(word):
        one, two = (learnt.directions[learnt.feature(4, each)] for each in (word, other))
        length = np.sqrt((one @ one) * (two @ two))
        return one @ two / length if length else 0.0  # a word that no drawn pair has

    rivals = [word for word, count in source.items()
              if count >= 3 and word not in target and word.isalpha() and word == word.lower()]  # fmt: skip
    assert step.numbers["cosine"] == pytest.approx(max(map(angle, rivals))) == pytest.approx(angle(mine))


def test_what_the_parser_reads_is_the_sum_of_six_rows(trace):
    learnt, numbers = trace.result["learnt"], trace.steps[-1].numbers
    words = adaptation.context_words(WORDS, *numbers["pair"])
    rows = [learnt.directions[learnt.feature(slot, word)] for slot, word in enumerate(words)]
    np.testing.assert_allclose(numbers["induced"], np.sum(rows, axis=0))
    assert trace.steps[-1].question.answer == "3"


def test_the_sentence_is_of_the_second_text_and_of_it_alone():
    text = small()
    one = text[0]
    source, target = two_texts(shown(text, tuple(one.forms), tuple(one.upos)))
    assert [len(source), len(target)] == [2, 4] and target[-1].forms == one.forms
    assert not (source.heads[source.is_word] >= 0).any()  # no tree is looked at


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (shown(None, ("", "go"), ("", "VERB")), "this sentence has one; choose a longer one"),
        (shown(Treebank.from_sentences([{"forms": ["a", "b"]}] * 4)), "this text has none; tag its words"),
        (shown(small().limit(1)), "it is too short; open a longer one"),
        (shown(Treebank.from_sentences([{"forms": ["x", "y"], "upos": ["X", "X"]}] * 4)), "fewer than two of preposi"),
    ],
)
def test_what_cannot_be_learnt_is_one_sentence(example, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_correspondence(example)
