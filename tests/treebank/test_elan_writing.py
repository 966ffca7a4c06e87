"""Trees go into an ELAN file and come back: what was there keeps its bytes, and earlier tiers change values only."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.__main__ import main
from core.errors import FormatError
from core.treebank import Treebank, conllu_text, read_conllu, read_treebank
from core.treebank.elan_writing import written_into_elan
from core.treebank.written_back import written_into
from tests.filled import filled
from tests.treebank.eaf_files import FILES, TWO_SPEAKERS, WITH_CRLF, WITH_TAGS, WITHOUT_WORDS

OURS = re.compile(
    r"\s*<TIER[^>]* TIER_ID=\"(?:words|lemma|upos|xpos|feats|head|deprel)@.*?</TIER>"
    r"|\s*<LINGUISTIC_TYPE [^>]*LINGUISTIC_TYPE_ID=\"dependency-(?:words|column)\"[^>]*/>",
    re.DOTALL,
)
ANNOTATION = re.compile(r"\s*<ANNOTATION>\s*<REF_ANNOTATION ANNOTATION_ID=\"a(\d+)\".*?</ANNOTATION>", re.DOTALL)
LAST = re.compile(r'(?<=lastUsedAnnotationId">)\d+')
EMPTY_TIER = b'    <TIER LINGUISTIC_TYPE_REF="timed" PARENT_REF="B" TIER_ID="words-B"/>'
CELL = st.text("abXYZ<&>\"'=|ʃ日", min_size=1, max_size=6).filter(lambda text: text != "_")


def decoded(data):
    """(text, codec) of a file, its mark left in the text."""
    name = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8"
    return data.decode(name), name


def without_ours(data, before):
    """The file without the tiers, types and annotations of the workbench, and with the number that it had before."""
    (text, name), (last,) = decoded(data), LAST.findall(decoded(before)[0])
    text = ANNOTATION.sub(lambda match: "" if int(match[1]) > int(last) else match[0], OURS.sub("", text))
    return LAST.sub(last, text).encode(name)


@st.composite
def trees(draw, treebank):
    """The treebank with random trees, some heads left out, tags and lemmas."""
    sentences = []
    for sentence in treebank:
        count = len(sentence)
        order = draw(st.permutations(range(1, count + 1)))
        heads: list[int | None] = [None] * count
        for place, word in enumerate(order):
            heads[word - 1] = order[draw(st.integers(0, place - 1))] if place else 0
            if draw(st.integers(0, 5)) == 0:
                heads[word - 1] = None
        cells = st.lists(st.one_of(st.none(), CELL), min_size=count, max_size=count)
        columns = {name: draw(cells) for name in ("lemmas", "upos", "xpos", "deprels")}
        comments = [line for line in sentence.comments if "sent_id" not in line]
        about = {"comments": comments, "sent_id": sentence.sent_id, "misc": list(sentence.misc[1:])}
        sentences.append({"forms": list(sentence.forms[1:]), "heads": heads, **columns, **about})
    return Treebank.from_sentences(sentences, "a.eaf")


def same(one, two):
    for first, second in filled(zip(one, two, strict=True)):
        assert (first.forms, first.sent_id) == (second.forms, second.sent_id)
        np.testing.assert_array_equal(first.heads, second.heads)
        assert [first.deprels, first.upos, first.xpos, first.lemmas] == [
            second.deprels, second.upos, second.xpos, second.lemmas,
        ]  # fmt: skip


@settings(deadline=None, max_examples=25)
@given(st.data())
@pytest.mark.parametrize("name", FILES)
def test_trees_come_back_and_the_rest_keeps_its_bytes(name, data):
    before = FILES[name]
    treebank = data.draw(trees(read_treebank(before, name="a.eaf")))
    written, notes = written_into_elan(before, treebank)
    same(treebank, read_treebank(written, name="a.eaf"))
    assert without_ours(written, before) == before
    assert notes == []
    assert written_into_elan(written, treebank)[0] == written
    other = data.draw(trees(treebank))
    again = written_into_elan(written, other)[0]
    same(other, read_treebank(again, name="a.eaf"))
    assert without_ours(again, before) == before


def chain(treebank):
    """The treebank, each word headed by the next."""
    heads = treebank.heads.copy()
    for begin, end in filled(zip(treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True)):
        heads[begin + 1 : end] = [*range(2, end - begin), 0]
    return treebank.with_heads(heads)


def test_new_ids_follow_the_last_one_used_and_earlier_tiers_keep_theirs():
    data = WITHOUT_WORDS.replace(b'lastUsedAnnotationId">3', b'lastUsedAnnotationId">70')
    treebank = chain(read_treebank(data))
    written, _ = written_into_elan(data, treebank)
    ids = [int(number) for number in re.findall(rb'ANNOTATION_ID="a(\d+)"', written)]
    assert ids == [1, 2, 3, *range(71, 71 + 3 * treebank.token_count)]
    assert f'lastUsedAnnotationId">{ids[-1]}<'.encode() in written
    flat = treebank.with_heads(np.where(treebank.heads > 0, 0, treebank.heads))
    again, _ = written_into_elan(written, flat)
    strip = re.compile(rb"<ANNOTATION_VALUE>.*?</ANNOTATION_VALUE>")
    assert again != written
    assert strip.sub(b"", again) == strip.sub(b"", written)


def test_a_character_that_the_encoding_lacks_is_a_reference():
    text = WITHOUT_WORDS.decode().replace("UTF-8", "ISO-8859-1").replace("sɔ", "s&#596;").replace("\n", "\r\n")
    written, _ = written_into_elan(text.encode("latin-1"), chain(read_treebank(text.encode("latin-1"))))
    assert b"<ANNOTATION_VALUE>s&#596;</ANNOTATION_VALUE>" in written
    assert read_treebank(written)[1].forms[4] == "sɔ"


def test_what_is_not_written_is_said():
    treebank = chain(read_treebank(TWO_SPEAKERS))
    data = TWO_SPEAKERS.replace(b'ANNOTATION_ID="a6"', b'ANNOTATION_ID="a66"').replace(b">Yu<", b">Juu<")
    notes = written_into_elan(data, treebank.select([0, 1, 2]))[1]
    assert any("1 sentences are of annotations that are not in the file" in note for note in notes)
    assert any("1 words are written in another way in the file's own tier" in note for note in notes)
    data = re.sub(rb'    <TIER [^>]*TIER_ID="words-B".*?</TIER>', EMPTY_TIER, TWO_SPEAKERS, flags=re.DOTALL)
    notes = written_into_elan(data, treebank)[1]
    assert any("1 annotations have no words in a tier that aligns words with time" in note for note in notes)


def refused(data, treebank, message):
    with pytest.raises(FormatError, match=message):
        written_into(data, treebank)


def test_what_cannot_be_written_is_one_sentence():
    treebank = chain(read_treebank(WITH_TAGS))
    refused(WITHOUT_WORDS, treebank, "there is no tier tx; this file has Text")
    refused(
        WITH_TAGS.replace("migo-di sɔ".encode(), b"x y").replace(b"migodi<", b"x<"), treebank, "1 of 1 sentences are"
    )
    refused(b"Some text.", treebank, r"trees are written into files of ELAN \(\.eaf\) or FLEx \(\.flextext\)")
    refused(WITH_TAGS, Treebank.from_sentences([{"forms": ["a"]}]), "no sentence of the text says which annotation")
    more = WITH_TAGS.replace(b'TIER_ID="mb"', b'TIER_ID="head@tx"').replace(b'PARENT_REF="mb"', b'PARENT_REF="head@tx"')
    refused(more, treebank, "there is a tier head@tx, which is not what the workbench would write")
    short = Treebank.from_sentences([{"forms": ["migodisɔ"], "comments": treebank[0].comments}])
    refused(WITH_TAGS, short, "the annotation a1 has 2 words in the tier wd and 1 in the text")
    odd = Treebank.from_sentences(
        [{"forms": ["migodi", "sɔ"], "upos": ["a\1", None], "comments": treebank[0].comments}]
    )
    refused(WITH_TAGS, odd, "holds a sign that XML cannot have")


def test_the_command_writes_a_copy_and_never_the_file_itself(tmp_path, capsys):
    original, trees_file, out = tmp_path / "a.eaf", tmp_path / "a.conllu", tmp_path / "b.eaf"
    original.write_bytes(WITH_CRLF)
    trees_file.write_text(conllu_text(chain(read_treebank(WITH_CRLF, name="a.eaf"))), encoding="utf-8")
    command = ["corpus", "convert", str(trees_file), "--out"]
    assert main([*command, str(out), "--into", str(original)]) == 0
    assert original.read_bytes() == WITH_CRLF
    assert without_ours(out.read_bytes(), WITH_CRLF) == WITH_CRLF
    same(read_conllu(trees_file), read_treebank(out, name="a.eaf"))
    assert main([*command, str(original), "--into", str(original)]) == 2
    assert main([*command, str(out)]) == 2
    said = capsys.readouterr().err
    assert "is the file that stays as it is; name another file to write" in said
    assert "a file .eaf is a copy of another one with trees; name that one with --into" in said
