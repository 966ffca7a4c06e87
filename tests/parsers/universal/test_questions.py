"""Questions of word order: what trees answer, and answers as people write them."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.universal.questions import (
    NAMES,
    QUESTIONS,
    answer_numbers,
    answers_of_trees,
    arc_classes,
    in_one_word,
    relation_classes,
)
from core.parsers.universal.text import TAGS, TaggedWords
from core.treebank import Treebank, load_sample

RELATIONS = ("root", "obj", "nsubj", "amod", "conj")


def test_trees_answer_as_counting_one_by_one_does():
    text = load_sample().without_punctuation()
    relations = tuple(sorted({name.split(":")[0] for name in text.deprel.values}))
    found = dict(zip(NAMES, answers_of_trees(TaggedWords.of(text, relations), relations), strict=True))
    for question in QUESTIONS:
        if question.relation.startswith("*"):
            continue
        sides = [
            sentence.heads[m] < m
            for sentence in text
            for m in range(1, len(sentence) + 1)
            if sentence.upos[sentence.heads[m]] in question.heads.split()
            and sentence.upos[m] in question.modifiers.split()
            and question.relation in ("", sentence.deprels[m].split(":")[0])
        ]
        if len(sides) >= 8:
            assert found[question.name] == pytest.approx(2 * np.mean(sides) - 1), question.name
        else:
            assert np.isnan(found[question.name])
    assert found["adposition"] < -0.9 and found["object"] > 0.8 and found["adjective"] < -0.7  # English


def test_few_words_answer_nothing():
    few = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["ADJ", "NOUN"], "heads": [2, 0]}] * 7)
    assert np.isnan(answers_of_trees(TaggedWords.of(few), ())).all()
    eight = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["ADJ", "NOUN"], "heads": [2, 0]}] * 8)
    assert answers_of_trees(TaggedWords.of(eight, RELATIONS), RELATIONS)[NAMES.index("adjective")] == -1


def test_one_word_says_before_or_after_and_nothing_of_both():
    said = in_one_word(np.array([-1, -0.41, -0.4, 0, 0.5, np.nan]))
    np.testing.assert_array_equal(said, [-0.9, -0.9, np.nan, np.nan, 0.9, np.nan])


def test_answers_as_people_write_them():
    said = {"adposition": "before", "object": "after", "adjective": "0.8", "genitive": "both", "heads-last": "yes"}
    numbers = dict(zip(NAMES, answer_numbers(said).tolist(), strict=True))
    assert numbers["adposition"] == numbers["heads-last"] == -0.9 and numbers["object"] == 0.9
    assert numbers["adjective"] == pytest.approx(-0.6) and numbers["genitive"] == 0
    assert all(np.isnan(value) for name, value in numbers.items() if name not in said)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"verb": "last"}, "no question of word order 'verb'; the questions are adposition, adjective"),
        ({"object": "yes"}, "the answer to object is before, after, both, or the share .* not 'yes'"),
        ({"heads-last": "before"}, "the answer to heads-last is yes, no, both"),
        ({"object": "1.5"}, "not '1.5'"),
        ({"object": "nan"}, "not 'nan'"),
    ],
)
def test_what_is_no_answer_is_said(said, message):
    with pytest.raises(WorkbenchError, match=message):
        answer_numbers(said)


def test_classes_of_arcs_and_relations():
    classes = arc_classes()
    noun, verb = TAGS.index("NOUN"), TAGS.index("VERB")
    assert classes[NAMES.index("object"), verb, noun] and not classes[NAMES.index("object"), noun, verb]
    assert not classes[:, -1].any() and not classes[:, :, -1].any()  # the root
    of = {name: row.tolist() for name, row in zip(NAMES, relation_classes(RELATIONS), strict=True)}
    assert of["object"] == [False, True, False, False, False]
    assert all(of["adjective"]) and of["heads-last"] == [False, True, True, True, False]
