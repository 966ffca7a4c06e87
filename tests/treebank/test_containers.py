"""Treebanks and sentences as Python's containers, and what can be read besides paths."""

import io

import pytest

from core.search import parse_request, search
from core.treebank import conllu_text, load_sample, read_conllu, read_treebank

SAMPLE = load_sample()


def test_a_slice_is_a_treebank_and_a_sum_has_the_sentences_of_both():
    part = SAMPLE[2:9:3]
    assert [sentence.text for sentence in part] == [SAMPLE[k].text for k in (2, 5, 8)]
    assert len(SAMPLE[-2:]) == 2 and len(SAMPLE[5:5]) == 0
    both = SAMPLE[:2] + part
    assert [sentence.lines for sentence in both] == [SAMPLE[k].lines for k in (0, 1, 2, 5, 8)]
    with pytest.raises(TypeError):
        SAMPLE + 1


def test_sentences_are_equal_where_they_are_written_alike():
    again = read_conllu(conllu_text(SAMPLE[:3]))
    assert SAMPLE[1] == again[1] and SAMPLE[1] in again and SAMPLE[1] != SAMPLE[2] and SAMPLE[5] not in again
    assert len({SAMPLE[1], again[1], SAMPLE[2]}) == 2 and SAMPLE[1] != "text"


def test_the_words_of_a_sentence_and_of_a_frame_are_its_columns():
    sentence = SAMPLE[0]
    words = list(sentence)
    assert [word.number for word in words] == list(range(1, len(sentence) + 1))
    assert [(word.form, word.upos, word.head, word.deprel) for word in words] == list(
        zip(sentence.forms[1:], sentence.upos[1:], sentence.heads[1:].tolist(), sentence.deprels[1:], strict=True)
    )
    frame = SAMPLE[:4].to_frame()
    assert len(frame) == SAMPLE[:4].token_count and frame["sentence"].max() == 3
    assert frame[frame["sentence"] == 0]["form"].tolist() == [word.form for word in words]


def test_text_and_open_files_are_read():
    text = conllu_text(SAMPLE[:3])
    for source in (text, io.StringIO(text), io.BytesIO(text.encode())):
        assert conllu_text(read_conllu(source)) == text
    assert conllu_text(read_treebank(io.StringIO(text))) == text
    assert read_treebank("She sleeps.\nHe sings.\n", format="lines")[1].text == "He sings."


def test_a_request_may_be_text():
    request = "pattern { X [upos=NOUN] }"
    assert len(search(SAMPLE, request)) == len(search(SAMPLE, parse_request(request))) > 0
