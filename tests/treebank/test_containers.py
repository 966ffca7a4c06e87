"""Treebanks and sentences as Python's containers, and what can be read besides paths."""

import copy
import io
import json
import pickle
import random

import numpy as np
import pandas as pd
import pytest

from core.errors import FormatError, WorkbenchError
from core.search import parse_request, search
from core.treebank import (
    Treebank,
    conllu_text,
    load_sample,
    read_conllu,
    read_conllx,
    read_treebank,
    write_conllu,
    write_treebank,
)
from tests.filled import filled

SAMPLE = load_sample()


def test_a_slice_is_a_treebank_and_a_sum_has_the_sentences_of_both():
    part = SAMPLE[2:9:3]
    assert [sentence.text for sentence in part] == [SAMPLE[k].text for k in (2, 5, 8)]
    assert len(SAMPLE[-2:]) == 2 and len(SAMPLE[5:5]) == 0
    both = SAMPLE[:2] + part
    assert [sentence.lines for sentence in both] == [SAMPLE[k].lines for k in (0, 1, 2, 5, 8)]
    for more in filled((SAMPLE[7:9], [SAMPLE[7], SAMPLE[8]], (SAMPLE[7], SAMPLE[8]))):
        assert [sentence.lines for sentence in part + more] == [SAMPLE[k].lines for k in (2, 5, 8, 7, 8)]
    nothing, new = [], [{"forms": ["Stop"], "heads": [0]}]
    assert (part + new)[-1].forms == ("", "Stop")
    assert part + nothing == part
    for other in filled((1, SAMPLE[0], {"forms": ["Stop"]})):
        with pytest.raises(TypeError, match="unsupported operand"):
            part + other


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


def test_words_know_their_parents_and_children_as_the_heads_say():
    for sentence in filled(SAMPLE[:40]):
        heads = sentence.heads.tolist()
        for word in sentence:
            assert [child.number for child in word.children] == [
                k for k, head in enumerate(heads) if head == word.number
            ]
            assert (word.parent.number if word.parent else 0) == word.head
        assert sentence.root is not None and sentence.root.number == heads.index(0) and sentence.root.parent is None
        assert sentence[-1].number == len(sentence) and sentence[0] in sentence and sentence[1:3] == sentence.words[1:3]
    bare = Treebank.from_sentences([{"forms": ["a", "b"]}])[0]
    assert bare.root is None and bare[0].parent is None and bare[1].children == ()


def test_comments_are_a_mapping_the_first_of_each_key():
    comments = ["# sent_id = a", "# newpar", "# sent_id = b", "# text = x = y"]
    sentence = Treebank.from_sentences([{"forms": ["x"], "comments": comments}])[0]
    assert sentence.metadata == {"sent_id": "a", "text": "x = y"} and sentence.comment("newpar") is None


def test_sentences_are_chosen_by_indices_and_masks_and_put_together_or_written_again(tmp_path):
    """With multiword tokens, empty nodes and enhanced dependencies; of another format, what CoNLL-U has a place for."""
    short = [index for index, length in enumerate(SAMPLE.lengths) if length < 8]
    chosen = SAMPLE[short]
    assert len(chosen) > 20 and chosen == SAMPLE[SAMPLE.lengths < 8] == SAMPLE.select(short)
    assert chosen == Treebank.from_sentences(sentence for sentence in SAMPLE if len(sentence) < 8)
    rows = (
        "1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\t_\t_\t_\t_\t2\tcase\t2:case\t_\n2\tle\t_\t_\t_\t_\t0\troot\t0:root\t_\n"
    )
    text = f"# sent_id = 1\n{rows}2.1\tva\t_\t_\t_\t_\t_\t_\t0:root\t_\n\n"
    assert conllu_text(Treebank.from_sentences(read_conllu(text + text))) == text + text
    columns = "1\tà\t_\t_\t_\t_\t2\tcase\t_\t_\n2\tle\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert conllu_text(Treebank.from_sentences(read_conllx(columns.encode()))) == columns
    assert conllu_text(SAMPLE[0]) == conllu_text(SAMPLE[:1]) == conllu_text([SAMPLE[0]])
    for write in (write_conllu, write_treebank):
        write((sentence for sentence in SAMPLE if len(sentence) < 8), tmp_path / "short.conllu")
        assert read_conllu(tmp_path / "short.conllu") == chosen
    assert len(random.sample(SAMPLE, 3)) == 3 and SAMPLE.index(SAMPLE[4]) == 4
    for index in ("news-01-001", 0.5):
        with pytest.raises(TypeError):
            SAMPLE[index]


def test_treebanks_are_equal_where_they_are_written_alike_and_are_copied():
    again = read_conllu(conllu_text(SAMPLE))
    assert again == SAMPLE and hash(again) == hash(SAMPLE) and SAMPLE[1:] != SAMPLE and SAMPLE != "text"
    assert SAMPLE.with_heads(SAMPLE.heads, SAMPLE.deprel) == SAMPLE != SAMPLE.with_heads(SAMPLE.heads)
    for other in (copy.copy(SAMPLE), copy.deepcopy(SAMPLE), pickle.loads(pickle.dumps(SAMPLE))):
        assert other == SAMPLE and other[3] == SAMPLE[3]
    word = pickle.loads(pickle.dumps(SAMPLE[0][1]))
    assert word == SAMPLE[0][1] and word.children == SAMPLE[0][1].children
    assert Treebank.from_sentences([json.loads(json.dumps(SAMPLE[0].as_dict()))])[0] == SAMPLE[0]
    assert pd.DataFrame(SAMPLE[0])["form"].tolist() == [*SAMPLE[0].forms[1:]]


def test_nothing_can_be_written_into_it_and_other_heads_make_another_treebank():
    part = SAMPLE[:5]
    parsed = part.with_heads(part.heads.copy(), part.deprel)
    given, copied = part.heads.copy(), copy.deepcopy(part)
    for bank in (SAMPLE, part, parsed, SAMPLE.without_punctuation(), read_conllu(conllu_text(part)), copied):
        for array in (bank.heads, bank[0].heads, bank.offsets, bank.lengths, bank.deprel.ids, bank.form.ids):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    given[part.offsets[1] + 1] = 5
    changed = part.with_heads(given, part.deprel)
    given[:] = -1
    assert changed[1].heads[1] == 5 and (part.heads == SAMPLE.heads[: part.offsets[-1]]).all()
    assert changed != part and read_conllu(conllu_text(changed))[1].heads[1] == 5
    assert np.flatnonzero(changed.heads != part.heads).tolist() == [part.offsets[1] + 1]


def test_text_and_open_files_are_read():
    text = conllu_text(SAMPLE[:3])
    for source in (text, io.StringIO(text), io.BytesIO(text.encode())):
        assert conllu_text(read_conllu(source)) == text
    assert conllu_text(read_treebank(io.StringIO(text))) == text
    assert read_treebank("She sleeps.\nHe sings.\n", format="lines")[1].text == "He sings."


def test_what_is_no_source_is_said():
    for source in filled((None, 3, ["1"])):
        with pytest.raises(WorkbenchError, match="give a path, an open file, bytes, or a str with a line break"):
            read_conllu(source)
    with pytest.raises(FormatError, match="this file is empty"):
        read_conllu("")
    assert read_conllu("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_")[0].forms[1:] == ("Go",)


@pytest.mark.parametrize("write", [write_conllu, write_treebank])
def test_open_files_are_written(write):
    text, binary = io.StringIO(), io.BytesIO()
    write(SAMPLE[:3], text)
    write(SAMPLE[0], binary)
    assert text.getvalue() == conllu_text(SAMPLE[:3])
    assert binary.getvalue() == conllu_text(SAMPLE[0]).encode()


def test_a_request_may_be_text():
    request = "pattern { X [upos=NOUN] }"
    assert len(search(SAMPLE[0], request)) == len(search(SAMPLE[:1], request)) > 0
    assert len(search(SAMPLE, request)) == len(search(SAMPLE, parse_request(request))) > 0


def test_hits_are_a_sequence_of_words_by_their_names_in_the_pattern():
    hits = search(SAMPLE, "pattern { V [upos=VERB]; V -[obj]-> N; ROOT -> V }")
    assert repr(hits) == f"<Hits: {len(hits)} in {len({*hits.sentences})} sentences of 'sample: sample'>"
    for index, hit in filled(list(enumerate(hits))):
        assert {*hit} == {"V", "N"} and hit["N"].parent == hit["V"] == SAMPLE[hits.sentences[index]].root
    assert hits[-1] == list(hits)[-1]
    with pytest.raises(IndexError):
        hits[len(hits)]
