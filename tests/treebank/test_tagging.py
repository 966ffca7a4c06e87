"""Lexicons: their text, what they know about words, and tagging against one lookup a word."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError, WorkbenchError
from core.treebank.conllu import conllu_text, read_conll2009, read_conllu, read_conllx
from core.treebank.penn import read_mrg
from core.treebank.plain import read_text
from core.treebank.punctuation import UNIVERSAL
from core.treebank.retag import with_column
from core.treebank.source import Column
from core.treebank.tagging import (
    Lexicon,
    UntaggedType,
    apply_lexicon,
    coverage,
    format_lexicon,
    lists_of_language,
    load_closed_classes,
    parse_lexicon,
    read_lexicon,
    untagged_types,
)
from core.treebank.treebank import Treebank

LEXICON = """# function words
the DET
that SCONJ PRON  # two readings
that DET
Paris PROPN
"#" HASH
"New York" PROPN
-ly ADV
-y NOUN
- DASH
"""

forms = st.text(st.sampled_from("aBbéß#\"@-.\\ \u00a0\u0085'7"), min_size=1, max_size=4).filter(str.strip)
tags = st.lists(st.sampled_from(("N", "V", "#", '"', "-LRB-", "$", "N|V")), min_size=1, max_size=2, unique=True)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("the", ("DET",)),
        ("The", ("DET",)),
        ("that", ("SCONJ", "PRON", "DET")),
        ("PARIS", ("PROPN",)),
        ("#", ("HASH",)),
        ("New York", ("PROPN",)),
        ("-", ("DASH",)),
        ("slowly", ("ADV",)),  # the longest rule
        ("SLOWLY", ("ADV",)),
        ("fly", ("NOUN",)),  # one letter before -ly is too few, two before -y are enough
        ("sly", ("NOUN",)),
        ("ly", ()),
        ("cat", ()),
        ("1,234.5", ("NUM",)),
        ("-3", ("NUM",)),
        ("50%", ("NUM",)),
        ("12:30", ("NUM",)),
        ("1990s", ()),
        ("...", ("PUNCT",)),
        ("``", ("PUNCT",)),
        ("、", ("PUNCT",)),
        ("$", ("SYM",)),
        ("%", ("SYM",)),
        ("=", ("SYM",)),
    ],
)
def test_tags_of_a_word(form, expected):
    assert parse_lexicon(LEXICON).tags(form) == expected


def test_shapes_take_the_tags_of_the_tag_set():
    lexicon = parse_lexicon("@number CD\n@punctuation .\n@symbol SYM\n@other FW\n")
    assert [lexicon.tags(form) for form in ("7", "?", "+")] == [("CD",), (".",), ("SYM",)]
    assert apply_lexicon(read_text(b"x 7"), lexicon, column="xpos")[0].xpos == ("", "FW", "CD")


def test_a_capital_letter_within_a_sentence_is_a_rule():
    lexicon = parse_lexicon("@capital PROPN\nParis NOUN\n-ing VERB\n")
    text = read_text(b"Running helps. Then Reading saw Paris and Maria running. Maria left.")
    tagged = [dict(zip(each.forms[1:], each.upos[1:], strict=True)) for each in apply_lexicon(text, lexicon)]
    assert tagged[0]["Running"] == "VERB" and tagged[1]["Then"] == "X" and tagged[2]["Maria"] == "PROPN"
    assert [tagged[1][form] for form in ("Reading", "Paris", "Maria", "running")] == ["PROPN", "NOUN", "PROPN", "VERB"]
    assert coverage(text, lexicon).tagged_tokens == 9 and parse_lexicon(format_lexicon(lexicon)) == lexicon
    assert parse_lexicon("@capital NOUN").over(lexicon).tags("Reading") == ("NOUN",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the DET\nof\n", "line 2: 'of' has no tag; write it after the word: of NOUN"),
        ("-ly\n", "line 1: '-ly' has no tag"),
        ('\n"New York PROPN\n', "line 2: the quotes are not closed"),
        ('"" X', "line 1: there is nothing between the quotes"),
        ("@numbers CD", "line 1: '@numbers CD' is no shape with one tag; shapes are @number, @punctuation"),
        ("@number CD NUM", "is no shape with one tag"),
    ],
)
def test_malformed_lines(text, message):
    with pytest.raises(FormatError, match=message):
        parse_lexicon(text)


def test_files(tmp_path):
    path = tmp_path / "mine.txt"
    for data, encoding, message in (
        ("été NOUN".encode("latin-1"), "utf-8", r"mine.txt: this is not utf-8 text"),
        (b"a NOUN", "klingon", "this is not klingon text"),
        (b"the\n", "utf-8", r"mine.txt, line 1: 'the' has no tag"),
    ):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=message):
            read_lexicon(path, encoding=encoding)
    path.write_bytes("été NOUN\r\n".encode("latin-1"))
    assert read_lexicon(path, encoding="latin-1").tags("été") == ("NOUN",)
    with pytest.raises(FormatError, match="no such file"):
        read_lexicon(tmp_path / "none.txt")


@given(st.dictionaries(forms, tags.map(tuple)), st.dictionaries(st.sampled_from(("ly", "s", "#")), tags.map(tuple)))
def test_text_round_trip(entries, suffixes):
    lexicon = Lexicon(entries, suffixes).over(parse_lexicon("@other ZZZ"))
    assert parse_lexicon(format_lexicon(lexicon)) == lexicon


def test_entries_are_added_and_removed():
    lexicon = Lexicon().with_entry("cat", "NOUN", "VERB")
    assert lexicon.tags("Cat") == ("NOUN", "VERB")
    assert lexicon.with_entry("cat").tags("cat") == ()
    with pytest.raises(WorkbenchError, match=r"'a\\nb' with the tags \('X',\) is no entry"):
        lexicon.with_entry("a\nb", "X")


def test_own_entries_go_before_those_below():
    lexicon = parse_lexicon("that PRON\n@number CD").over(load_closed_classes("english"))
    assert lexicon.tags("that") == ("PRON",)
    assert lexicon.tags("of") == ("ADP",)
    assert lexicon.tags("7") == ("CD",)


def test_shipped_lists_are_universal():
    for name in ("english", "english-suffixes"):
        lexicon = load_closed_classes(name)
        known = {tag for table in (lexicon.entries, lexicon.suffixes) for tags in table.values() for tag in tags}
        assert known <= UNIVERSAL
    with pytest.raises(WorkbenchError, match="no closed-class list 'dutch'; choose one of english, english-suffixes"):
        load_closed_classes("dutch")


def test_a_language_has_its_own_lists_or_none():
    assert lists_of_language("en") == ["english", "english-suffixes"] and lists_of_language("es") == ["spanish"]
    assert lists_of_language("ga") == lists_of_language("und") == []


def test_untagged_types_worked():
    treebank = read_text(b"The cat saw the dog\nDog saw dog .", split="lines")
    untagged = untagged_types(treebank, parse_lexicon("the DET"))
    assert untagged == [UntaggedType("dog", 3, 6 / 9), UntaggedType("saw", 2, 8 / 9), UntaggedType("cat", 1, 1.0)]
    assert untagged_types(treebank, parse_lexicon("the DET"), limit=1) == untagged[:1]
    found = coverage(treebank, parse_lexicon("the DET"))
    assert (found.tagged_tokens, found.tokens, found.tagged_types, found.types) == (3, 9, 3, 7)
    assert found.share == 3 / 9


@given(
    st.lists(st.lists(st.sampled_from(("a", "A", "b", "ab", "Ba", "1", ".", "x-")), min_size=1, max_size=5), max_size=5)
)
def test_matches_one_lookup_a_word(sentences):
    treebank = Treebank.from_sentences({"forms": words} for words in sentences)
    lexicon = parse_lexicon("a N\nBA V\n-b ADV")
    words = [word for sentence in sentences for word in sentence]
    assert [list(sentence.upos[1:]) for sentence in apply_lexicon(treebank, lexicon)] == [
        [(lexicon.tags(word) or ("X",))[0] for word in sentence] for sentence in sentences
    ]
    unknown = Counter(word.lower() for word in words if not lexicon.tags(word))
    assert [(found.form.lower(), found.count) for found in untagged_types(treebank, lexicon)] == sorted(
        unknown.items(), key=lambda item: (-item[1], item[0])
    )
    assert coverage(treebank, lexicon).tagged_tokens == len(words) - unknown.total()


def test_tags_already_there_stay_unless_overwritten():
    text = "# a\r\n1-2\tto the\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
    text += "1\tto\t_\tADP\t_\t_\t2\tcase\t_\tX=1\r\n2\tthe\t_\t_\t_\t_\t0\troot\t_\t_\r\n"
    treebank = read_conllu(text.encode())
    lexicon = parse_lexicon("to PART\nthe DET")
    kept, replaced = apply_lexicon(treebank, lexicon), apply_lexicon(treebank, lexicon, overwrite=True)
    assert kept[0].upos == ("", "ADP", "DET")
    assert replaced[0].upos == ("", "PART", "DET")
    assert conllu_text(replaced) == text.replace("ADP", "PART").replace("the\t_\t_\t_\t_\t0", "the\t_\tDET\t_\t_\t0")


def test_trees_edits_and_phrases_are_kept():
    treebank = read_mrg(b"(S (A a) (, ,) (B b))\n(S (C c) (D d))", rules="collins").without_punctuation()
    edited = treebank.with_heads([-1, 2, 0, -1, 2, 0], ["", "x", "y", "", "z", "root"]).select([1, 0])
    tagged = apply_lexicon(edited, parse_lexicon("a DET"))
    assert [sentence.heads.tolist() for sentence in tagged] == [[-1, 2, 0], [-1, 2, 0]]
    assert tagged[1].deprels == ("", "x", "y")
    assert tagged[1].xpos == ("", "A", "B")
    assert tagged[1].upos == ("", "DET", "X")
    assert tagged.constituents is edited.constituents


def test_other_layouts():
    conllx = read_conllx(b"1\ta\t_\t_\t_\t_\t0\tROOT\n2\tb\t_\t_\t_\t_\t0\tROOT\n\n")
    assert apply_lexicon(conllx, parse_lexicon("a N")).upos.values == ("", "N", "X")
    row = b"1\ta\t_\t_\tDT\tDT\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
    with pytest.raises(WorkbenchError, match="CoNLL-2009 has no column for upos; convert the treebank to CoNLL-U"):
        apply_lexicon(read_conll2009(row), parse_lexicon("a N"))


def test_what_cannot_be_written():
    treebank = read_conllu("1\té\t_\t_\t_\t_\t0\troot\t_\t_\n\n".encode("latin-1"), encoding="latin-1")
    assert apply_lexicon(treebank, parse_lexicon("é N"))[0].forms[1] == "é"
    with pytest.raises(WorkbenchError, match="'名' cannot be written in latin-1"):
        apply_lexicon(treebank, parse_lexicon("é 名"))
    for call, message in (
        (lambda: apply_lexicon(treebank, Lexicon(), column="lemma"), "tags go into upos or xpos, got 'lemma'"),
        (lambda: with_column(treebank, "form", treebank.form), "'form' cannot be replaced; choose lemma, upos, xpos,"),
        (lambda: with_column(treebank, "upos", Column.intern([""])), "must have 2 entries, a row a word, got 1"),
        (
            lambda: with_column(treebank, "upos", Column.intern(["", "a\tb"])),
            r"the value 'a\\tb' holds a tab or line end",
        ),
    ):
        with pytest.raises(WorkbenchError, match=message):
            call()


def test_a_column_put_back_gives_the_same_bytes(shared_data):
    treebank = read_conllu(shared_data / "en-ewt/ewt-dev.conllu")
    tagged = apply_lexicon(treebank, load_closed_classes(), overwrite=True)
    assert with_column(tagged, "upos", treebank.upos).source.data == treebank.source.data


def test_a_word_may_have_any_number_of_lines():
    lexicon = parse_lexicon("a T0\n" + "".join(f"a T{number}\n-ly A{number}\n" for number in range(100_000)))
    assert (
        lexicon.tags("a") == tuple(f"T{number}" for number in range(100_000)) and len(lexicon.suffixes["ly"]) == 100_000
    )
