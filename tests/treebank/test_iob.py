"""B, I and O in columns: chunks and entities go to MISC, words and tags to their columns."""

import pytest

from core.errors import FormatError
from core.treebank.iob import read_conll2003

ENGLISH = """-DOCSTART- -X- O O

Kim NNP I-NP I-PER
Lee NNP I-NP I-PER
met VBD I-VP O
Ann NNP B-NP I-PER
. . O O

So RB I-ADVP O
"""


def test_the_older_way_of_marking_begins_with_b_here():
    first, second = read_conll2003(ENGLISH.encode(), name="eng.testa")
    assert first.forms[1:] == ("Kim", "Lee", "met", "Ann", ".")
    assert first.xpos[1:] == ("NNP", "NNP", "VBD", "NNP", ".")
    assert first.misc[1:4] == ("Chunk=B-NP|Entity=B-PER", "Chunk=I-NP|Entity=I-PER", "Chunk=B-VP")
    assert first.misc[4:] == ("Chunk=B-NP|Entity=B-PER", "")
    assert "# newdoc" in first.comments and "# newdoc" not in second.comments


def test_lemma_and_tag_before_the_marks():
    sentence = read_conll2003(b"Wien\tWien\tPROPN\tS-LOC\nlebt\tleben\tVERB\tO\n")[0]
    assert (sentence.lemmas[1:], sentence.upos[1:]) == (("Wien", "leben"), ("PROPN", "VERB"))
    assert sentence.misc[1:] == ("Entity=B-LOC", "")


def test_numbered_words_and_entities_within_entities():
    text = "#\thttp://a\n1\tFC\tB-ORG\tO\n2\tWien\tI-ORG\tB-LOC\n3\tlebt\tO\tO\n\n1\tEr\tO\tO\n"
    first, second = read_conll2003(text.encode())
    assert (first.forms[1:], second.forms[1:]) == (("FC", "Wien", "lebt"), ("Er",))
    assert first.misc[1:] == ("Entity=B-ORG", "Entity=I-ORG|Entity2=B-LOC", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENGLISH + "It PRP O\n", "line 10: 3 columns where other words have 4; is the line broken"),
        ("a b\nc d\n", "no column after the first holds B-, I- and O"),
        ("-DOCSTART- O\n\n", "this file holds no word"),
    ],
)
def test_errors(text, message):
    with pytest.raises(FormatError, match=message):
        read_conll2003(text.encode())
