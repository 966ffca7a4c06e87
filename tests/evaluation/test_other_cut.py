"""A parse that divides the text otherwise: its trees over the text's words, its scores as the task's script."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.evaluation import conll2018_scores
from core.evaluation.other_cut import OtherCut
from core.treebank import Treebank, conllu_text, load_sample, read_conllu
from tests.evaluation.recut import recut
from tests.filled import filled

SAMPLE = load_sample().limit(40)


def test_words_have_the_heads_that_both_cuts_have():
    text = Treebank.from_sentences(
        [{"forms": ["to", "day", "we", "sleep"], "heads": [2, 4, 4, 0]}, {"forms": ["so", "what"], "heads": [2, 0]}]
    )
    parse = Treebank.from_sentences([
        {"forms": ["today", "we"], "heads": [2, 0], "deprels": ["obl", "root"]},
        {"forms": ["sleep", "so", "what"], "heads": [0, 1, 1], "deprels": ["root", "advmod", "obj"]},
    ])  # fmt: skip
    cut = OtherCut.of(text, parse)
    over = cut.over(text)
    assert cut.words == 4
    # "to", "day" are one word there; "so", "what" hang on a word of another sentence of the text
    assert over.heads.tolist() == [-1, -1, -1, 0, 0, -1, -1, -1]
    assert over.deprel.strings().tolist() == ["", "", "", "root", "root", "", "", ""]
    assert over.form.strings().tolist() == text.form.strings().tolist()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_heads_over_the_text_are_those_of_the_words_that_stand_for_each_other(seed):
    parse = read_conllu(recut(conllu_text(SAMPLE), random.Random(seed)).encode())
    cut = OtherCut.of(SAMPLE, parse)
    over, other = cut.over(SAMPLE), dict(zip(cut.alignment.gold.tolist(), cut.alignment.system.tolist(), strict=True))
    back = {system: gold for gold, system in other.items()}
    for row in np.flatnonzero(SAMPLE.is_word).tolist():
        expected = -1
        if row in other:
            head = int(parse.heads[other[row]])
            at = back.get(int(parse.root_rows[other[row]]) + head)
            if head == 0:
                expected = 0
            elif at is not None and SAMPLE.sentence_rows[at] == SAMPLE.sentence_rows[row]:
                expected = int(SAMPLE.numbers[at])
        assert over.heads[row] == expected
    whole = conll2018_scores(SAMPLE, parse)
    for name, (right, counted, asked) in cut.scored(SAMPLE).items():
        assert (right.sum(), counted.sum(), asked) == (whole[name].correct, whole[name].gold, whole[name].system)


def test_scores_of_some_sentences_are_those_of_their_texts():
    forms = [(["a", "b c", "d"], ["a", "b", "c", "d"]), (["ef", "g"], ["e", "f", "g"]), (["h", "i"], ["h", "i"])]
    text, parse = (
        Treebank.from_sentences([{"forms": words[side], "heads": [0, *[1] * (len(words[side]) - 1)],
                                  "deprels": ["root", *["obj"] * (len(words[side]) - 1)]} for words in forms])
        for side in (0, 1)
    )  # fmt: skip
    some = np.array([False, True, True])
    part = OtherCut.of(text, parse).within(text, some)
    expected = conll2018_scores(text.select(some), parse.select(some))
    for name, (right, counted, asked) in filled(part.scored(text.select(some)).items()):
        assert (right.sum(), counted.sum(), asked) == (
            expected[name].correct, expected[name].gold, expected[name].system
        )  # fmt: skip


def test_another_text_is_refused():
    one, other = (Treebank.from_sentences([{"forms": [form], "heads": [0]}]) for form in "ab")
    with pytest.raises(WorkbenchError, match="not of one text"):
        OtherCut.of(one, other)
