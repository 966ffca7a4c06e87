"""Malt-TAB and NLTK's dependency treebank, Stanford's typed dependencies, Prodigy's relations."""

import json

import pytest

from core.errors import FormatError
from core.treebank import read_treebank

NLTK = "Birds\tNNS\t2\nsing\tVBP\t0\n\nA\tDT\t2\nhen\tNN\t3\nruns\tVBZ\t0\n.\t.\t3\n"


def trees(treebank):
    return [
        (" ".join(sentence.forms[1:]), sentence.heads[1:].tolist(), " ".join(sentence.deprels[1:]).split())
        for sentence in treebank
    ]


def test_words_with_tags_and_heads_are_trees():
    treebank = read_treebank(NLTK.encode())
    assert trees(treebank) == [("Birds sing", [2, 0], ["root"]), ("A hen runs .", [2, 3, 0, 3], ["root"])]
    assert treebank[1].xpos[1:] == ("DT", "NN", "VBZ", ".")
    relations = iter(["nsubj", "root", "det", "nsubj", "root", "punct"])
    malt = "\n".join(f"{line}\t{next(relations)}" if line else "" for line in NLTK.splitlines())
    assert trees(read_treebank(malt.encode()))[1][2] == ["det", "nsubj", "root", "punct"]
    assert trees(read_treebank(NLTK.replace("\t", " ").encode(), format="malttab")) == trees(treebank)


def test_typed_dependencies_are_trees_of_the_words_they_name():
    text = "det(hen-2, A-1)\nnsubj(runs-3, hen-2)\nroot(ROOT-0, runs-3)\nprep_to(runs-3, well-known-6)\n"
    treebank = read_treebank((text + "nsubj(well-known-6, hen-2)\n\nroot(ROOT-0, Go-1)\n").encode())
    assert trees(treebank) == [
        ("A hen runs well-known", [2, 3, 0, 3], ["det", "nsubj", "root", "prep_to"]),
        ("Go", [0], ["root"]),
    ]
    assert treebank.source.notes == (
        "left out: 2 words without a dependency, as punctuation",
        "left out: 1 further heads of words, as collapsed dependencies have",
    )


def test_typed_dependencies_may_have_blanks_and_copies_of_words_are_no_heads():
    text = "root ( ROOT-0 , runs-2 )\nnsubj ( runs-2 , Ann-1 )\nconj_and ( runs-2 , runs-2' )\n"
    assert trees(read_treebank(text.encode())) == [("Ann runs", [2, 0], ["nsubj", "root"])]
    copied_first = "conj_and(runs-2, runs-2')\nroot(ROOT-0, runs-2)\nnsubj(runs-2, Ann-1)\n"
    assert trees(read_treebank(copied_first.encode())) == [("Ann runs", [2, 0], ["nsubj", "root"])]


@pytest.mark.parametrize(
    "text",
    [
        "[nsubj(run-2, Hens-1), root(ROOT-0, run-2)]\n[root(ROOT-0, Go-1)]\n",
        "(ROOT\n  (S\n    (NP (NNS Hens))\n    (VP (VBP run))))\n\nnsubj(run-2, Hens-1)\nroot(ROOT-0, run-2)\n\n"
        "(ROOT (VP (VB Go)))\n\nroot(ROOT-0, Go-1)\n",
    ],
)
def test_typed_dependencies_in_a_line_and_below_bracketed_trees(text):
    assert trees(read_treebank(text.encode())) == [("Hens run", [2, 0], ["nsubj", "root"]), ("Go", [0], ["root"])]


def example(text, relations, answer="accept"):
    tokens, start = [], 0
    for number, word in enumerate(text.split()):
        tokens.append({"text": word, "start": start, "end": start + len(word), "id": number, "ws": word != "hen"})
        start += len(word) + 1
    arcs = [{"head": head, "child": child, "label": label} for head, child, label in relations]
    return json.dumps({"text": text, "tokens": tokens, "relations": arcs, "answer": answer})


def test_relations_of_prodigy_are_trees_where_they_were_accepted():
    lines = [
        example("A hen runs", [(1, 0, "det"), (2, 1, "nsubj")]),
        example("A cat runs", [(0, 1, "det")], "reject"),
        example("Go now", [(0, 0, "ROOT"), (0, 1, "advmod")]),
    ]
    treebank = read_treebank("\n".join(lines).encode())
    assert trees(treebank) == [
        ("A hen runs", [2, 3, 0], ["det", "nsubj", "root"]),
        ("Go now", [0, 1], ["ROOT", "advmod"]),
    ]
    assert treebank[0].text == "A henruns"
    assert treebank.source.notes == ("left out: 1 of 3 examples, which were rejected or passed over",)


def test_examples_of_prodigy_without_an_answer_and_words_of_two_heads():
    unanswered = example("A hen runs", [(1, 0, "det"), (2, 0, "x"), (2, 1, "nsubj")]).replace(
        ', "answer": "accept"', ""
    )
    treebank = read_treebank(unanswered.encode())
    assert trees(treebank) == [("A hen runs", [2, 3, 0], ["det", "nsubj", "root"])]
    assert treebank.source.notes == ("left out: 1 further heads of words, which have one in a tree",)
    bare = read_treebank(example("A hen", []).encode())
    assert bare.source.notes == ("no example has relations between its words, so their heads are unknown",)


@pytest.mark.parametrize(
    ("text", "format", "message"),
    [
        ("Birds\tNNS\tx\n", "malttab", "line 1: a line needs a word, its tag and the number of its head"),
        (NLTK.replace("\t3\nruns", "\t9\nruns"), "malttab", "line 5, sentence 2, word 2: HEAD is 9"),
        ("\n", "malttab", "empty"),
        ("det(hen-2, A-1)\nand\n", "stanford", "line 2: this is no dependency; write"),
        ("det(A-1, hen-2)\ndet(hen-2, A-1)\n", "stanford", "no word has HEAD 0"),
        (example("Go", [], "reject"), "json", "no example in this file was accepted"),
        (example("Go", [(0, 7, "x")]), "json", "a relation head, child and label"),
    ],
)
def test_damage_is_named(text, format, message):
    with pytest.raises(FormatError, match=message):
        read_treebank(text.encode(), format=format)
