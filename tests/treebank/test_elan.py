"""ELAN files: what was transcribed arrives with its words and tags; traps and broken files are one sentence."""

import re

import pytest

from core.errors import FormatError
from core.treebank import conllu_text, guess_format, read_conllu, read_treebank
from core.treebank.elan import read_elan
from tests.filled import filled
from tests.treebank.eaf_files import (
    FILES,
    IN_UTF16,
    TWO_SPEAKERS,
    WITH_CRLF,
    WITH_TAGS,
    WITH_WORDS,
    WITHOUT_WORDS,
    eaf,
    tier,
)


def comments(treebank, key):
    return [sentence.comment(key) for sentence in treebank]


def test_annotations_without_words_are_cut_as_plain_text():
    treebank = read_treebank(WITHOUT_WORDS, name="my story.eaf")
    assert treebank[1].forms[1:] == ("So", ",", "yu", "sɔ", "&", "di", "?")
    assert treebank[1].text == "So, yu sɔ & di?"
    assert [sentence.sent_id for sentence in treebank] == ["my-story-a1", "my-story-a2"]  # a3 is empty
    assert comments(treebank, "start_ms") == ["0", "1000"]
    assert conllu_text(read_treebank(WITH_CRLF, name="my story.eaf")) == conllu_text(treebank)


def test_words_stand_in_the_order_of_their_chain_and_other_tiers_are_named():
    treebank = read_treebank(IN_UTF16)
    assert [sentence.forms[1:] for sentence in treebank] == [("Mi", "go", "di"), ("So", "mi", ".")]
    assert comments(treebank, "translation") == ["I went there.", None]
    assert comments(treebank, "speaker_id") == ["Ama K."] * 2
    assert comments(treebank, "elan_tier") == ["tx@Ama"] * 2
    assert any("1 of 2 annotations have no words in the tier of words" in note for note in treebank.warnings)
    assert any("left out are notes" in note for note in treebank.warnings)


def test_speakers_take_turns_and_words_without_a_time_stand_in_the_order_of_their_slots():
    treebank = read_treebank(TWO_SPEAKERS)
    assert [sentence.forms[1:] for sentence in treebank] == [("mi", "go"), ("Yu", "so"), ("di",)]
    assert comments(treebank, "speaker_id") == ["Ama", "Bo", "Ama"]


def test_tiers_of_tags_lemmas_morphemes_and_glosses_become_columns():
    sentence = read_treebank(WITH_TAGS)[0]
    assert (sentence.upos[1:], sentence.lemmas[1:]) == (("NOUN", "VERB"), ("", "sɔ"))
    assert sentence.misc[1:] == ("MSeg=migo-di|Gloss=house-PL", "MSeg=sɔ|Gloss=stand\\pup")
    other = WITH_TAGS.replace(b"NOUN", b"cl.7")
    assert read_treebank(other)[0].xpos[1:] == ("cl.7", "VERB")


def test_of_two_tiers_of_words_the_one_with_columns_is_read():
    data = eaf(
        tier("text", "default-lt", ("a1", "ts1", "ts3", "mi go")),
        tier("words-timed", "timed", ("a2", "ts1", "ts2", "mi"), ("a3", "ts2", "ts3", "go"), parent="text"),
        tier("words-cut", "cut", ("a4", "a1", "", "mi"), ("a5", "a1", "a4", "go"), parent="text"),
        tier("words-pos", "note", ("a6", "a4", "", ""), ("a7", "a5", "", "v"), parent="words-cut"),
        times=(0, 500, 900),
    )
    treebank = read_treebank(data.encode())
    assert treebank[0].xpos[1:] == ("", "v") and any("left out are words-timed" in note for note in treebank.warnings)


def test_readings_of_an_analyser_are_columns_and_no_morphemes():
    data = eaf(
        tier("orth@A", "default-lt", ("a1", "ts1", "ts2", "sɔd go")),
        tier("word@A", "cut", ("a2", "a1", "", "sɔd"), ("a3", "a1", "a2", "go"), parent="orth@A"),
        tier("lemma@A", "cut", ("a4", "a2", "", "sɔ"), ("a5", "a2", "a4", "sɔda"), ("a6", "a3", "", "go"),
             parent="word@A"),
        tier("pos@A", "cut", ("a7", "a4", "", "V"), ("a8", "a5", "", "N"), parent="lemma@A"),
        times=(0, 900),
    )  # fmt: skip
    treebank = read_treebank(data.encode())
    sentence = treebank[0]
    assert (sentence.lemmas[1:], sentence.xpos[1:], sentence.misc[1:]) == (("sɔ", "go"), ("V", ""), ("", ""))
    assert any("several readings in the tiers lemma@A; the first of each is read" in note for note in treebank.warnings)


def test_a_tier_can_be_chosen():
    assert read_elan(WITH_WORDS.encode(), tiers=["notes"])[0].forms[1:] == ("wind",)
    with pytest.raises(FormatError, match=r"there is no tier x; this file has tx@Ama, wd@Ama, ft@Ama, notes"):
        read_elan(WITH_WORDS.encode(), tiers=["x"])


def test_a_tier_of_labels_above_the_text_is_no_text():
    data = eaf(
        tier("ref@A", "default-lt", ("a1", "ts1", "ts2", "A.001"), ("a2", "ts2", "ts3", "A.002")),
        tier("tx@A", "note", ("a3", "a2", "", "di so"), ("a4", "a1", "", "mi go"), parent="ref@A"),
        times=(100, 200, 300),
    )
    treebank = read_treebank(data.encode())
    assert [sentence.forms[1:] for sentence in treebank] == [("mi", "go"), ("di", "so")]
    assert comments(treebank, "start_ms") == ["100", "200"]


def test_every_shape_is_told_by_its_content_and_reads_back_from_conllu(tmp_path):
    for name, data in filled(FILES.items()):
        assert guess_format(data) == "elan", name
        treebank = read_treebank(data, name="a.eaf")
        path = tmp_path / "a.conllu"
        path.write_text(conllu_text(treebank), encoding="utf-8")
        assert [sentence.forms for sentence in read_conllu(path)] == [sentence.forms for sentence in treebank]
    assert guess_format(b"ELAN writes <ANNOTATION_DOCUMENT> first. Then come tiers.") == "text"


def head_tier(one, two):
    return tier("head", "note", ("a20", "a2", "", one), ("a21", "a3", "", two), parent="wd").encode()


def with_heads(one, two):
    return WITH_TAGS.replace(b"    <LINGUISTIC_TYPE", head_tier(one, two) + b"    <LINGUISTIC_TYPE", 1)


def test_a_tier_of_heads_is_read_and_one_of_other_things_is_not():
    assert read_treebank(with_heads("2", "0"))[0].heads.tolist() == [-1, 2, 0]
    other = read_treebank(with_heads("nods", "shakes"))
    assert other[0].heads.tolist() == [-1, -1, -1]
    assert any("left out are head" in note for note in other.warnings)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (with_heads("3", "0"), r"line 86: the word migodi has the head 3; write 0 to 2"),
        (with_heads("2", "1"), r"line 21: the heads of these words lead in a circle"),
        (WITHOUT_WORDS[:-30], r"line \d+: this is no well-formed XML \(.*\); open it in ELAN"),
        (WITHOUT_WORDS.replace(b"<ANNOT", b'<!DOCTYPE a [<!ENTITY b "c">]><ANNOT', 1), "line 2: .*a document type"),
        (WITHOUT_WORDS.replace(b'REF1="ts1"', b'REF1="ts9"'), r"line 16: .*names the time slot ts9, which"),
        (WITHOUT_WORDS.replace(b'"a2"', b'"a1"'), "the annotation a1 is there twice"),
        (WITHOUT_WORDS.replace(b'VALUE="900"', b'VALUE="soon"'), "line 9: TIME_VALUE is soon, no number"),
        (WITH_TAGS.replace(b'PARENT_REF="wd"', b'PARENT_REF="x"'), "PARENT_REF names the tier x, which is not there"),
        (WITH_TAGS.replace(b'PARENT_REF="tx"', b'PARENT_REF="mb"'), "the tier wd is below itself"),
        (WITH_TAGS.replace(b'ION_REF="a1"', b'ION_REF="a6"'), "the annotation a2 refers to a6, which the tier tx"),
        (WITH_TAGS.replace(b'TIER_ID="mb"', b'TIER_ID="wd"'), "the tier wd is there twice"),
        (WITH_TAGS.replace(b'TIER_ID="mb"', b""), "TIER has no TIER_ID"),
        (re.sub(rb"<ANNOTATION_V.*VALUE>", b"", WITH_TAGS), "the annotation a1 has no ANNOTATION_VALUE"),
        (re.sub(rb"<ANNOTATION_V.*VALUE>", b"<ANNOTATION_VALUE/>", WITHOUT_WORDS), "no tier .* has an annotation with"),
        (WITHOUT_WORDS.replace(b'"UTF-8"', b'"ascii"'), "line 22: byte 0xc9 is not ascii"),
        (WITHOUT_WORDS.replace(b'"UTF-8"', b'"klingon"'), "line 1: there is no encoding"),
        (b"<ANNOTATION_DOCUMENT>" + b"<A>" * 200, "line 1: elements stand within 100 others"),
    ],
)  # fmt: skip
def test_a_broken_file_is_one_sentence_with_its_line(data, message):
    with pytest.raises(FormatError, match=message):
        read_elan(data)


def test_other_xml_is_named():
    with pytest.raises(FormatError, match="this is no ELAN file: it begins with document"):
        read_elan(b"<document/>")
