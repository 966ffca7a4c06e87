"""Answers are read however they are written down."""

import pytest

from core.errors import FormatError
from core.proposals import read_answer

HEADS = [("It", 2, "nsubj"), ("rains", 0, "root"), (",", 2, "punct")]
CONLLU = "1 It it PRON _ _ 2 nsubj _ _\n2 rains rain VERB _ _ 0 root _ SpaceAfter=No\n3 , , PUNCT _ _ 2 punct _ _\n"
WAYS = {
    "blanks": CONLLU,
    "tabs": CONLLU.replace(" ", "\t"),
    "fence and prose": f"Here are 3 words in 1 tree:\n\n```conllu\n# text = It rains,\n{CONLLU}```\nI hope 2 help you.",
    "an empty line after each row": CONLLU.replace("\n", "\n\n"),
    "a token and an empty node": "1-2 Itrains _ _ _ _ _ _ _ _\n" + CONLLU + "3.1 be be AUX _ _ _ _ _ _\n",
    "four columns": "1 It 2 nsubj\n2 rains 0 root\n3 , 2 punct\n",
    "relation before head": "1 It PRON nsubj 2\n2 rains VERB root 0\n3 , PUNCT punct 2\n",
    "table": "| ID | Word | Head | Relation |\n|---|:--|---|---|\n| 1 | **It** | 2 | `nsubj` |\n"
    "| 2 | rains | 0 | root |\n| 3 | , | 2 | punct |\n",
    "table without numbers": "| Token | Deprel | Head |\n|---|---|---|\n| It | nsubj | 2 |\n| rains | root | 0 |\n"
    "| , | punct | 2 |",
    "list": "1. It/PRON -> 2 nsubj\n2. rains/VERB -> 0 (root)\n3. ,/PUNCT -> 2, punct\n",
    "commas": "id,form,head,deprel\n1,It,2,nsubj\n2,rains,0,root\n3,\",\",2,punct\n",
    "JSON": '{"words": [{"id": 1, "form": "It", "head": 2, "deprel": "nsubj", "feats": {"Case": "Nom"}},\n'
    '{"id": 2, "form": "rains", "head": 0, "deprel": "root",}, {"id": 3, "form": ",", "head": 2, "deprel": "punct"}]}',
    "JSON from 0": '[{"index": 0, "word": "It", "head": 1, "dep": "nsubj"}, {"index": 1, "word": "rains", "head": 1, '
    '"dep": "root"}, {"index": 2, "word": ",", "head": 1, "dep": "punct"}]',
    "JSON, head a word": '{"id":1,"form":"It","head":"rains","deprel":"nsubj"}\n{"id":2,"form":"rains","head":"ROOT",'
    '"deprel":"root"}\n{"id":3,"form":",","head":"rains","deprel":"punct"}',
    "JSON cut off": '[[{"id":1,"form":"It","head":2,"deprel":"nsubj"},{"id":2,"form":"rains","head":0,"deprel":"root"},'
    '{"id":3,"form":",","head":2,"deprel":"punct"}],[{"id":1,"form":"An',
}  # fmt: skip


def words(sentence):
    return [(word.form, word.head, word.relation) for word in sentence.words]


@pytest.mark.parametrize("way", WAYS)
def test_one_sentence_in_many_ways(way):
    (sentence,) = read_answer(WAYS[way])
    assert words(sentence) == HEADS
    assert [word.number for word in sentence.words] == [1, 2, 3]


@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("JSON cut off",)])
def test_two_sentences(way):
    both = WAYS[way] + "\n\n" + WAYS[way]
    assert [words(sentence) for sentence in read_answer(both)] == [HEADS, HEADS]


def test_a_sentence_without_an_empty_line_before_it_begins_with_its_number():
    assert len(read_answer(CONLLU + CONLLU)) == 2


def test_lost_rows_end_no_sentence():
    (sentence,) = read_answer("1 a 4 x\n\n2 b 4 x\n4 d 0 root\n")
    assert [word.number for word in sentence.words] == [1, 2, 4]


def test_comments_begin_sentences_and_name_them():
    first, second = read_answer("# sent_id = a\n1 x 0 root\n# sent_id = b\n# text = y z\n2 z 0 root\n")
    assert (first.sent_id, second.sent_id) == ("a", "b")


def test_unknown_heads():
    (sentence,) = read_answer("1 a _ _ _ _ _ dep _ _\n2 b _ _ _ _ 0 root _ _\n3 c _ _ _ _ -1 dep _ _\n")
    assert [word.head for word in sentence.words] == [None, 0, 0]


@pytest.mark.parametrize("text", ["", "I cannot draw trees, but 3 others can.", "[1, 2, {}]", "{" * 3000])
def test_an_answer_without_trees_is_refused(text):
    with pytest.raises(FormatError, match="no word with a head; ask for CoNLL-U"):
        read_answer(text)


def test_a_long_answer_is_refused():
    with pytest.raises(FormatError, match="more than 20,000,000 characters; read it in parts"):
        read_answer("x" * 20_000_001)
