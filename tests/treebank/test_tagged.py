"""Tagged and plain running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError, WorkbenchError
from core.treebank.conllu import conllu_text
from core.treebank.tagged import read_tagged, read_text

parts = st.text(st.sampled_from("ab/\\_é\u00a0"), min_size=1, max_size=4).filter(lambda part: "\\" not in part)


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


def test_universal_tags_are_upos():
    assert words_of(read_tagged(b"The/DET cat/NOUN"), "upos") == [[("The", "DET"), ("cat", "NOUN")]]


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


def test_underscores():
    assert words_of(read_tagged(b"a/b_NN the_DT")) == [[("a/b", "NN"), ("the", "DT")]]
    assert words_of(read_tagged(b"a|NN", separator="|")) == [[("a", "NN")]]


@given(st.lists(st.lists(st.tuples(parts, parts), min_size=1, max_size=4), min_size=1, max_size=3))
def test_escaped_text_reads_back(sentences):
    def escaped(part):
        return part.replace("/", "\\/")

    text = "\n".join(" ".join(f"{escaped(form)}/{escaped(tag)}" for form, tag in words) for words in sentences)
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


def test_plain_text():
    text = "Mr. Fox (the  old\none) didn't run. He slept!\n\n \nA new day.\n"
    treebank = read_text(text.encode(), name="fox.txt")
    assert [sentence.forms[1:] for sentence in treebank] == [
        ("Mr.", "Fox", "(", "the", "old", "one", ")", "did", "n't", "run", "."),
        ("He", "slept", "!"),
        ("A", "new", "day", "."),
    ]
    assert treebank[0].text == "Mr. Fox (the old one) didn't run."
    assert treebank[0].misc[3] == "SpaceAfter=No"
    assert treebank[0].comments[0] == "# sent_id = fox-1"
    assert ["# newpar" in sentence.comments for sentence in treebank] == [True, False, True]
    assert "SpaceAfter=No" not in conllu_text(treebank).split("\n")[13]


def test_the_text_is_what_the_words_say():
    for sentence in read_text("Well… “it's” 5% off: a-b. So?! x".encode()):
        assert sentence._joined() == sentence.text


def test_one_sentence_a_line():
    treebank = read_text(b"One. Two.\nthree\n\nfour", split="lines")
    assert [len(sentence) for sentence in treebank] == [4, 1, 1]


def test_other_languages():
    assert read_text("我们走。你呢？".encode(), language="zh")[0].text == "我们走。"
    with pytest.raises(WorkbenchError, match=r"spaCy cannot tokenise 'qq': .*; use xx for text with spaces"):
        read_text(b"a", language="qq")
    with pytest.raises(WorkbenchError, match="split must be one of sentences, lines, got 'words'"):
        read_text(b"a", split="words")
