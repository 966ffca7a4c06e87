"""Every way in which a file can be wrong is one clear sentence."""

import random
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError, WorkbenchError
from core.treebank import Treebank, problems, read_conll2009, read_conllu, read_conllx
from core.treebank.problems import require_text
from tests.oracles import treebank as oracle


def line(number, head="_", form="w", columns=10):
    fields = [str(number), form, "_", "_", "_", "_", str(head), "_", "_", "_"]
    return "\t".join((fields + ["_"] * columns)[:columns]) + "\n"


def text(*heads):
    return "".join(line(word, head) for word, head in enumerate(heads, start=1)) + "\n"


GOOD = text(2, 0)
CASES = {
    "columns": (line(1, 0, columns=9), "line 1, sentence 1: 9 tab-separated columns where CoNLL-U has 10"),
    "one column": (GOOD + "word\n", "line 4, sentence 2: 1 tab-separated column where CoNLL-U has 10"),
    "spaces": (line(1, 0).replace("\t", "   "), "separated by spaces, and CoNLL-U needs tabs; replace"),
    "html": (
        "<html>\n<p>A word</p>\n",
        "this is not CoNLL-U: the line '<html>' has 1 tab-separated column instead of 10",
    ),
    "table": (
        "a\tb\n1\t2\n",
        "the line 'a\\tb' has 2 tab-separated columns instead of 10; name its format",
    ),
    "broken line": (
        GOOD + line(1, 0, columns=5).strip() + "\n_\t_\t_\n",
        "line 4, sentence 2: 5 tab-separated columns where CoNLL-U has 10, as many in each line of a sentence; join",
    ),
    "eleven columns": (line(1, 0, columns=11), "add or remove tabs, or name more columns in a first line, # global"),
    "blank before": (" " + line(1, 0), "line 1, sentence 1: a blank stands before the ID; remove the blanks"),
    "two versions": (
        GOOD + "<<<<<<< HEAD\n" + GOOD + "=======\n" + GOOD + ">>>>>>> other\n",
        "line 4: git left two versions of some lines here, between <<<<<<< and >>>>>>>; keep one of them",
    ),
    "pointer": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "this is a Git LFS pointer"),
    "id skipped": (line(1, 0) + line(3, 1), "line 2, sentence 1: ID is '3' where 2 should follow"),
    "id twice": (
        line(1, 0) + line(1, 1),
        "line 2, sentence 1: ID is '1' where 2 should follow; number the words 1, 2, 3 ..., "
        "with a blank line before each sentence",
    ),
    "a blank for a tab": (
        line(1, 0).replace("1\t", "1 ", 1),
        "sentence 1: 9 tab-separated columns where CoNLL-U has 10, as "
        "many in each line of a sentence; write a tab for the blank in '1 ",
    ),
    "id from 2": (line(2, 0), "line 1, sentence 1: ID is '2' where 1 should follow; number the words 1, 2, 3"),
    "id 0": (line(0, 0), "ID is '0' where 1"),
    "id 01": (line("01", 0), "ID is '01' where 1"),
    "no id": (GOOD + line("a", 0), "line 4, sentence 2: ID is 'a' where 1"),
    "id 1-x": (line("1-x") + GOOD, "ID is '1-x' where 1"),
    "empty form": (line(1, 2) + line(2, 0, form=""), "line 2, sentence 1, word 2: FORM is empty; write the word"),
    "head letters": (line(1, "x2"), "word 1: HEAD is 'x2'; write the number of the head, 0 for the root, or _"),
    "head empty": (line(1, ""), "word 1: HEAD is ''; write"),
    "head negative": (line(1, -1), "word 1: HEAD is '-1'; write"),
    "head too far": (text(0, 3), "line 2, sentence 1, word 2: HEAD is 3, but the sentence has no such word"),
    "head huge": (text(0, 10**30), "word 2: HEAD is 1000000000000000000000000000000, but"),
    "self-loop": (text(0, 2), "line 2, sentence 1, word 2: HEAD is the word itself"),
    "cycle": (text(0, 3, 4, 2), "line 2, sentence 1, word 2: following the heads from this word leads back to it"),
    "no root": (text(2, 1), "line 1, sentence 1: no word has HEAD 0; make one the root"),
    "two roots": (text(0, 0, 0), "line 2, sentence 1, word 2: a second root; CoNLL-U allows one"),
    "range backwards": (line("2-1") + GOOD, "line 1, sentence 1: '2-1' is no range of the words that follow it"),
    "range of one": (line("1-1") + GOOD, "'1-1' is no range"),
    "range late": (line(1, 0) + line("1-2") + line(2, 1), "line 2, sentence 1: '1-2' is no range"),
    "range too long": (line(1, 0) + line("2-9") + line(2, 1), "line 2, sentence 1: '2-9' is no range"),
    "ranges overlap": (line("1-3") + line(1, 0) + line("2-3") + line(2, 1) + line(3, 1), "line 3.*'2-3' is no range"),
    "empty node": (
        line(1, 0) + line("1.2"),
        "line 2, sentence 1: the empty node '1.2' is out of order; number them 1.1",
    ),
    "empty node early": (line("1.1") + GOOD, "the empty node '1.1' is out of order; number them 0.1"),
    "no word": (GOOD + line("0.1"), "line 4, sentence 2: this sentence holds no word"),
    "comments": ("# nothing\n", "this file holds comments only; choose one with a sentence"),
    "empty": ("", "this file is empty; choose one with at least one sentence"),
    "blank": (" \n\r\n\t", "this file is empty"),
    "NUL": (GOOD + line(1, 0, form="a\0"), "line 4: byte .* is NUL, so this is a binary file or damaged text"),
    "gzip": ("\x1f\x8b\b", "this file is packed, and damaged or cut short; pack it again"),
    "zip": ("PK\x03\x04", "this is a zip file"),
    "UTF-16": ("\xff\xfe1\0", "this looks like UTF-16 or UTF-32; save it as UTF-8"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_first_error_is_told(case, tmp_path):
    content, message = CASES[case]
    path = tmp_path / "bad.conllu"
    path.write_bytes(content.encode("latin-1"))
    message = message if ".*" in message else re.escape(message)
    with pytest.raises(FormatError, match=rf"bad\.conllu[,:] .*{message}"):
        read_conllu(path)


def test_further_errors_are_counted():
    with pytest.raises(FormatError, match=r"line 1, sentence 1, word 1: .* \(and 1 more sentence with errors\)"):
        read_conllu((text(1) + GOOD + text(1)).encode())
    with pytest.raises(FormatError, match=r"sentence 2, word 2: .* \(and 12 more sentences with errors\)") as caught:
        read_conllu((GOOD + text(0, 3) + text(0, 2) * 12).encode())
    assert (caught.value.line, caught.value.sentence, caught.value.word) == (5, 2, 2)


@given(st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=6))
def test_trees_and_only_trees_are_read(heads):
    known = [-1] + [-1 if head is None else head for head in heads]
    n = len(heads)
    good = max(known) <= n and oracle.is_tree(known) and known.count(0) <= 1
    good = good and (known.count(0) == 1 or -1 in known[1:])
    data = text(*("_" if head is None else head for head in heads)).encode()
    if good:
        assert read_conllu(data).heads.tolist() == known
    else:
        with pytest.raises(FormatError, match="sentence 1"):
            read_conllu(data)


def test_several_roots_are_a_warning_in_the_older_formats():
    treebank = read_conllx((GOOD + text(0, 1, 0) + text(0, 0)).encode())
    assert treebank.warnings == ("2 of 3 sentences have several roots (first: line 6)",)
    assert treebank.single_rooted().tolist() == [True, False, False]
    assert treebank.select([0]).warnings == ()
    assert treebank.select([2]).warnings == ("1 of 1 sentences have several roots (first: line 9)",)


def test_lines_of_a_sentence_have_the_same_columns():
    short = line(1, 0, columns=8).encode()
    assert len(read_conllx(short)) == 1
    with pytest.raises(FormatError, match="line 2, sentence 1: 10 tab-separated columns where CoNLL-X has 8 or more"):
        read_conllx(short + line(2, 1).encode())
    with pytest.raises(FormatError, match="10 tab-separated columns where CoNLL-2009 has 14 or more"):
        read_conll2009(GOOD.encode())


def test_places_that_cannot_be_read(tmp_path):
    for name, message in (
        ("none.conllu", r"none\.conllu: there is no such file; check the path"),
        ("", "this is a folder; name a file in it"),
        ("x" * 300, r"the file cannot be read: .*; check its rights"),
    ):
        with pytest.raises(FormatError, match=message):
            read_conllu(tmp_path / name)


def test_encodings_are_declared(tmp_path):
    path = tmp_path / "latin.conllu"
    path.write_bytes((GOOD + line(1, 0, form="señor")).encode("latin-1"))
    with pytest.raises(FormatError, match=r"latin\.conllu, line 4: byte 0xf1 at position \d+ is not utf-8; .*latin-1"):
        read_conllu(path)
    assert read_conllu(path, encoding="latin-1")[1].forms == ("", "señor")
    for encoding in ("klingon", "undefined", "idna", "punycode", "unicode_escape", "hex", "a\0b"):
        with pytest.raises(FormatError, match=r"there is no encoding '[^']*'; take utf-8"):
            read_conllu(path, encoding=encoding)
    with pytest.raises(FormatError, match=r"files in 'utf-16' cannot be read as they are.*; save the file as UTF-8"):
        read_conllu(path, encoding="utf-16")


@pytest.mark.parametrize("shift", range(4))
def test_bad_bytes_are_found_across_chunks(monkeypatch, shift):
    monkeypatch.setattr(problems, "CHUNK", 4)
    data = b"#" * shift + "ééé\n\n".encode() + b"ab\xc3\xa9\xc3x"
    for end in (len(data), len(data) - 1):  # also a character cut off at the end
        with pytest.raises(FormatError, match=f"line 3: byte 0xc3 at position {len(data) - 2} is not utf-8"):
            read_conllu(data[:end])


def test_files_beyond_32_bits_are_refused(monkeypatch):
    monkeypatch.setattr(problems, "LIMIT", 10)
    with pytest.raises(FormatError, match="bytes are more than 2 GB; split the file"):
        read_conllu(GOOD.encode())


SENTENCES = {
    "no forms": ({}, "sentence 1: a sentence needs forms"),
    "lengths": ({"forms": ["a", "b"], "upos": ["X"]}, "sentence 1: upos has 1 entries for 2 words"),
    "tab": ({"forms": ["a", "b\tc"]}, "sentence 1, word 2: a field holds a tab or line end"),
    "line end": ({"forms": ["a"], "misc": ["x\ny"]}, "sentence 1, word 1: a field holds a tab"),
    "empty form": ({"forms": ["a", ""]}, "word 2: .*the form is empty"),
    "comment": ({"forms": ["a"], "comments": ["a\nb"]}, r"the comment '# a\\nb' holds a line end"),
    "name": ({"forms": ["a"], "tags": ["b"]}, "unknown entry 'tags'; use forms, lemmas"),
    "surrogate": ({"forms": ["\ud800"]}, "is half a character"),
    "cycle": ({"forms": ["a", "b"], "heads": [2, 1]}, "sentence 1: no word has HEAD 0"),
    "head": ({"forms": ["a", "b"], "heads": [0, 7]}, "sentence 1, word 2: HEAD is 7"),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_sentences_made_elsewhere_are_checked(case):
    sentence, message = SENTENCES[case]
    with pytest.raises(FormatError, match=message):
        Treebank.from_sentences([sentence])


def test_tags_must_be_there():
    for column, message in (
        (None, "mine: no word has a tag; tag the text first"),
        ("upos", "mine: no word has a tag; tag the text first"),
        ("pos", "tags must be xpos or upos, got 'pos'"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            read_conllu(GOOD.encode(), name="mine").tag_column(column)


def test_marks_of_a_conflict_are_found_as_by_trying_each():
    trying = re.compile(rb"^<{7}(?: .*|\r)?$(?=[\s\S]*?^={7}\r?$[\s\S]*?^>{7})", re.MULTILINE)
    lines = (
        b"<<<<<<< a",
        b"<<<<<<<",
        b"<<<<<<<<",
        b"=======",
        b"=======\r",
        b"======= x",
        b">>>>>>> b",
        b">>>>>>>",
        b"1\ta",
        b"",
    )
    chance = random.Random(1)
    for _ in range(3000):
        data = b"\n".join(chance.choices(lines, k=chance.randrange(8)))
        tried = trying.search(data)
        if tried is None or not all(mark in data for mark in (b"<<<<<<<", b"=======", b">>>>>>>")):
            with suppress(FormatError):
                require_text(data, None, "utf-8")
            continue
        with pytest.raises(FormatError, match="git left two versions") as raised:
            require_text(data, None, "utf-8")
        assert raised.value.line == data.count(b"\n", 0, tried.start()) + 1


def test_many_marks_of_no_conflict_are_looked_at_once():
    require_text(b"<<<<<<<\n" * 50_000 + b"=======\n" * 50_000 + b" >>>>>>>", None, "utf-8")
