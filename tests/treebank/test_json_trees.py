"""displaCy's JSON comes back, spaCy's is read, and other JSON is refused."""

import json

import pytest
import spacy
from spacy.tokens import Doc

from core.errors import FormatError
from core.treebank import load_sample, read_treebank
from core.treebank.json_trees import read_json
from core.treebank.writing import displacy_bytes
from tests.filled import filled

TWO = """{"words": [{"text": "a"}, {"text": "b"}, {"text": "c"}], "arcs": [
 {"start": 0, "end": 1, "label": "x", "dir": "left"}, {"start": 0, "end": 1, "label": "x", "dir": "right"}]}"""
ARC = '{"words": [{"text": "a", "tag": ""}], "arcs": [{"start": 0, "end": 4, "label": "x", "dir": "left"}]}'


def test_what_the_workbench_writes_comes_back():
    sample = load_sample().limit(20)
    found = read_treebank(displacy_bytes(sample), name="a.json")
    assert found.heads.tolist() == sample.heads.tolist()
    for one, other in zip(sample, found, strict=True):
        assert (one.forms, one.upos, one.deprels) == (other.forms, other.upos, other.deprels)


def test_words_without_arcs_have_no_head():
    words = [{"text": text, "tag": "X"} for text in "abcd"]
    arcs = [{"start": 0, "end": 1, "label": "l", "dir": "right"}]
    sentence = read_json(json.dumps({"words": words, "arcs": arcs}).encode())[0]
    assert (sentence.heads.tolist(), sentence.deprels[1:3]) == ([-1, 0, 1, -1, -1], ("root", "l"))


@pytest.mark.parametrize("joined", [lambda docs: json.dumps(docs), lambda docs: "\n".join(map(json.dumps, docs))])
def test_what_spacy_writes_is_read(joined):
    vocab = spacy.blank("en").vocab
    doc = Doc(
        vocab, words=["Dogs", "bark", "."], spaces=[True, False, False], heads=[1, 1, 1],
        deps=["nsubj", "ROOT", "punct"], pos=["NOUN", "VERB", "PUNCT"],
    )  # fmt: skip
    for sentence in filled(read_json(joined([doc.to_json(), doc.to_json()]).encode())):
        assert (sentence.text, sentence.heads.tolist()) == ("Dogs bark.", [-1, 2, 0, 2])
        assert (sentence.deprels[1:], sentence.upos[1:]) == (("nsubj", "root", "punct"), ("NOUN", "VERB", "PUNCT"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO, "sentence 1, word 1: following the heads"),
        ("[]", "this JSON holds nothing; of JSON only displaCy's words"),
        ('{"a": 1}', "this is JSON of another kind; of JSON only"),
        ('[{"words": [', "line 1: this is no well-formed JSON"),
        ('{"words" []}', "line 1: this is no well-formed JSON .Expecting ':' delimiter.; is the file whole"),
        ('{"words": [],\n "arcs": x}', "line 2: this is no well-formed JSON"),
        (ARC, "sentence 1: an arc leads from 0 to 4, and there are 1 words"),
        (ARC.replace("dir", "way"), "sentence 1: a word needs its text, and an arc start, end, label and dir"),
        (ARC.replace('"end": 4', '"end": Infinity'), "sentence 1: a word needs its text, and an arc start, end, label"),
        ('{"text": "Dogs bark", "tokens": [{"id": 0, "start": 0, "end": 4}]}', "no token covers 'bark' of the text"),
    ],
)
def test_errors(text, message):
    with pytest.raises(FormatError, match=message):
        read_json(text.encode())
