"""Arcs of a text and of its words without punctuation."""

import numpy as np

from core.features.packed import arc_offsets_of
from core.parsers.punctuation_arcs import marks_between, over_all_words
from core.treebank import Treebank
from core.trees.packed import PackedScores

SENTENCES = ("a,b.,c!", "?!", ",a", "a.b")  # of the second nothing is left


def text_of(sentences):
    return Treebank.from_sentences(
        [{"forms": list(each), "upos": ["X" if form.isalpha() else "PUNCT" for form in each]} for each in sentences]
    )


def test_arcs_pay_for_the_marks_between_their_ends():
    text = text_of(SENTENCES)
    words = text.without_punctuation()
    passed = PackedScores(marks_between(text, words), arc_offsets_of(words.lengths))
    assert len(passed) == 3 and not any(passed[k][0].any() or passed[k][:, 0].any() for k in range(3))
    assert passed[0][1:, 1:].tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    assert passed[1][1:, 1:].tolist() == [[0]] and passed[2][1:, 1:].tolist() == [[0, 1], [1, 0]]
    marks = text_of(["?!"])
    assert not len(marks_between(marks, marks.without_punctuation()))


def test_numbers_of_arcs_between_words_stand_at_these_words_in_the_whole_text():
    text = text_of(SENTENCES)
    words = text.without_punctuation()
    values = 1 + np.arange(arc_offsets_of(words.lengths)[-1])
    spread, place = PackedScores(over_all_words(text, words, values), arc_offsets_of(text.lengths)), 0
    for number, sentence in enumerate(SENTENCES):
        kept = [0, *(at for at, form in enumerate(sentence, start=1) if form.isalpha())]
        expected = np.zeros((len(sentence) + 1,) * 2)
        if len(kept) > 1:
            size = len(kept)
            expected[np.ix_(kept, kept)] = values[place : place + size**2].reshape(size, size)
            place += size**2
        np.testing.assert_array_equal(spread[number], expected)
    assert place == len(values)
