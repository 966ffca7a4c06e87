"""Punctuation put back into trees that were made without it, and brackets in the numbers of the words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.treebank import Treebank
from core.treebank.statistics import non_projective
from core.treebank.unpunctuated import restore_punctuation, words_between
from core.trees.brackets import Bracket
from tests.oracles import trees


@given(st.lists(st.lists(st.sampled_from("ab,."), min_size=1, max_size=6), min_size=1, max_size=3), st.integers(0, 99))
def test_marks_hang_on_words_and_cross_nothing(sentences, seed):
    text = Treebank.from_sentences([{"forms": forms} for forms in sentences])
    words, rng = text.without_punctuation(), np.random.default_rng(seed)
    heads = np.full(len(words.heads), -1, np.int32)
    for i in range(len(words)):
        listed = trees.trees(int(words.lengths[i]), True, True)
        heads[words.offsets[i] : words.offsets[i + 1]] = listed[rng.integers(len(listed))]
    found = text.with_heads(restore_punctuation(text, words, heads))
    assert found.single_rooted().all() and not non_projective(found.offsets, found.heads).any()
    kept = found.without_punctuation()
    np.testing.assert_array_equal(kept.heads, heads)
    for sentence, forms in zip(found, sentences, strict=True):
        for m, form in enumerate(forms, start=1):
            head = sentence.heads[m]
            assert form.isalpha() or head == 0 or forms[head - 1].isalpha() or not any(map(str.isalpha, forms))


def test_brackets_are_renumbered_and_those_of_marks_go():
    text = Treebank.from_sentences([{"forms": list(",a.bc")}, {"forms": list("!!")}, {"forms": list("ab")}])
    brackets = [[Bracket(1, 4), Bracket(3, 4), Bracket(2, 6, "i")], [Bracket(1, 2)], []]
    assert words_between(text, brackets) == [[Bracket(1, 2), Bracket(1, 4, "i")], []]
