"""A text in memory becomes shards: the same words, tags and brackets, in order."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.shards import Shards
from core.shards.text import write_text
from core.treebank import load_sample
from core.treebank.punctuation import TagsInUse
from core.trees import Bracket

TEXT = load_sample().limit(60)
BRACKETS = [[Bracket(1, 3), Bracket(2, 3)] if length > 4 else [] for length in TEXT.lengths.tolist()]


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return write_text(TEXT, tmp_path_factory.mktemp("text") / "shards", BRACKETS, words=200)


def test_sentences_come_back_in_order(shards):
    assert len(shards) > 2 and (shards.sentences, shards.words) == (len(TEXT), TEXT.token_count)
    assert shards.columns == {"lemma", "upos", "xpos"}  # and no heads
    assert (shards.tag_name(), shards.tag_name("upos")) == ("xpos", "upos")
    parts = [piece.text() for piece in shards]
    for column in ("form", "upos", "xpos", "lemma"):
        found = [getattr(part, column).values[number] for part in parts for number in getattr(part, column).ids]
        wanted = getattr(TEXT, column)
        assert found == [wanted.values[number] for number in wanted.ids]
    assert all((part.heads == -1).all() for part in parts)
    assert np.concatenate([part.lengths for part in parts]).tolist() == TEXT.lengths.tolist()
    lists = [piece.columns().brackets() for piece in shards]
    ends = [bracket.end for found in BRACKETS for bracket in found]
    assert np.concatenate([each.ends for each in lists]).tolist() == ends


@pytest.mark.parametrize("longest", [None, 12])
def test_long_sentences_and_punctuation_stay_behind(shards, longest):
    rule = reduce(add, [TagsInUse.of(piece.text()) for piece in shards]).rule()
    for without, text in ((False, TEXT), (True, TEXT.without_punctuation())):
        text = text if longest is None else text.max_length(longest)
        parts = [piece.text(longest, rule if without else None) for piece in shards]
        found = [sentence.forms for part in parts for sentence in part]
        assert found == [sentence.forms for sentence in text] and len(found) > 10
        if not without:
            assert [piece.columns(longest).lengths.tolist() for piece in shards] == [p.lengths.tolist() for p in parts]


def test_they_are_written_out_with_their_text(shards):
    whole = [sentence for piece in shards for sentence in piece.treebank()]
    assert [sentence.forms for sentence in whole] == [sentence.forms for sentence in TEXT]
    assert whole[0].text == " ".join(TEXT[0].forms[1:])


def test_nothing_and_another_folder(tmp_path):
    assert len(write_text(TEXT.limit(0), tmp_path / "none")) == 0
    with pytest.raises(WorkbenchError, match="other settings"):
        write_text(TEXT, tmp_path / "none", words=7)
    assert Shards(tmp_path / "none").words == 0
