"""Relations by rule: what the guidelines' own examples say, and what cannot be labelled."""

import numpy as np
import pytest

from core.constraints.labels import RuleLabels
from core.errors import WorkbenchError
from core.parsers import load_parser
from core.treebank import Treebank, load_sample

# word/part of speech/head/relation; the first two from the guidelines' pages on case, nsubj and conj
SENTENCES = [
    "Clinton/PROPN/2/nsubj defeated/VERB/0/root Dole/PROPN/2/obj ./PUNCT/2/punct",
    "Bill/PROPN/2/nsubj comes/VERB/0/root and/CCONJ/5/cc he/PRON/5/nsubj goes/VERB/2/conj",
    "she/PRON/4/nsubj was/AUX/4/cop very/ADV/4/advmod happy/ADJ/0/root",
    "to/PART/2/mark sleep/VERB/0/root in/ADP/5/case the/DET/5/det house/NOUN/2/obl",
    "neko/NOUN/3/nsubj sakana/NOUN/3/obj taberu/VERB/0/root",
]


def treebank(sentence):
    rows = [word.split("/") for word in sentence.split()]
    forms, tags, heads, relations = zip(*rows, strict=True)
    return Treebank.from_sentences(
        [{"forms": forms, "upos": tags, "heads": [int(head) for head in heads], "deprels": relations}]
    )


@pytest.mark.parametrize("sentence", SENTENCES)
def test_relations_of_examples(sentence):
    text = treebank(sentence)
    assert RuleLabels().label(text, text.heads)[1:] == list(text[0].deprels[1:])


def test_most_relations_of_real_trees_are_found():
    text = load_sample()
    found = np.array([each.split(":")[0] for each in RuleLabels().label(text, text.heads)])
    gold = np.array([text.deprel.values[value].split(":")[0] for value in text.deprel.ids.tolist()])
    words = text.heads >= 0
    assert (found == gold)[words].mean() > 0.75


def test_penn_tags_stand_for_universal_ones_and_unknown_ones_are_refused():
    penn = Treebank.from_sentences([{"forms": ["the", "dog"], "xpos": ["DT", "NN"], "heads": [2, 0]}])
    assert RuleLabels().parse(penn)[0].deprels[1:] == ("det", "root")
    other = Treebank.from_sentences([{"forms": ["a"], "xpos": ["QQ"], "heads": [0]}])
    with pytest.raises(WorkbenchError, match="no tag of this text stands for one"):
        RuleLabels().parse(other)


def test_words_without_a_head_have_no_relation(tmp_path):
    text = treebank(SENTENCES[0])
    assert RuleLabels().label(text, np.full(5, -1)) == [""] * 5
    RuleLabels().save(tmp_path / "rules.npz")
    assert isinstance(load_parser(tmp_path / "rules.npz"), RuleLabels)
