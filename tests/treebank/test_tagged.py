"""Tagged and plain running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from core.treebank.plain import read_text
from core.treebank.tagged import read_tagged

parts = st.text(st.sampled_from("ab/_é\u00a0"), min_size=1, max_size=4)


def words_of(treebank, column="xpos"):
    return [list(zip(s.forms[1:], getattr(s, column)[1:], strict=True)) for s in treebank]


def test_worked_example():
    treebank = read_tagged(b"\nThe/DT cat/NN\tsat/VBD  ./.\r\n\r\nWhy/WRB ?/.", name="cats.pos")
    assert words_of(treebank) == [
        [("The", "DT"), ("cat", "NN"), ("sat", "VBD"), (".", ".")],
        [("Why", "WRB"), ("?", ".")],
    ]
    assert [sentence.sent_id for sentence in treebank] == ["cats-1", "cats-2"]
    assert (treebank.heads == -1).all()
    assert not treebank.upos.filled


@pytest.mark.parametrize(
    ("word", "form", "tag"),
    [
        (r"1\/2/CD", "1/2", "CD"),
        ("and/or/CC", "and/or", "CC"),
        ("///NN", "//", "NN"),
        (r"a/b\/c", "a", "b/c"),
        ("a_b/NN", "a_b", "NN"),
        ("10\u00a0000/CD", "10\u00a0000", "CD"),
        ("a/NN|VB", "a", "NN|VB"),
    ],
)
def test_words_with_slashes(word, form, tag):
    assert words_of(read_tagged(word.encode())) == [[(form, tag)]]


def test_other_tags_and_separators():
    assert words_of(read_tagged(b"The/DET cat/NOUN"), "upos") == [[("The", "DET"), ("cat", "NOUN")]]
    assert words_of(read_tagged(b"a/b_NN the_DT")) == [[("a/b", "NN"), ("the", "DT")]]
    assert words_of(read_tagged(b"a|NN", separator="|")) == [[("a", "NN")]]


@given(st.lists(st.lists(st.tuples(parts, parts), min_size=1, max_size=4), min_size=1, max_size=3))
def test_escaped_text_reads_back(sentences):
    lines = [["/".join(part.replace("/", "\\/") for part in word) for word in words] for words in sentences]
    text = "\n".join(map(" ".join, lines))
    expected = [[(form, "" if tag == "_" else tag) for form, tag in words] for words in sentences]
    assert words_of(read_tagged(text.encode(), separator="/")) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a/X\n\nb/X c d/X", "line 3, sentence 2, word 2: 'c' has no tag; write word/TAG"),
        ("a/X b/", "line 1, sentence 1, word 2: 'b/' lacks a tag"),
        ("/X", "line 1, sentence 1, word 1: '/X' lacks a word"),
        ("", "this file is empty"),
    ],
)
def test_malformed(text, message):
    with pytest.raises(FormatError, match=message):
        read_tagged(text.encode())


@pytest.mark.parametrize("read", [read_tagged, read_text])
def test_encodings(read, tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("café/NN".encode("latin-1"))
    assert read(path, encoding="latin-1")[0].forms[1].startswith("café")
    with pytest.raises(FormatError, match=r"text.txt, line 1: byte 0xe9 at position 3 is not utf-8"):
        read(path)
    with pytest.raises(FormatError, match="no such file"):
        read(tmp_path / "none.txt")
