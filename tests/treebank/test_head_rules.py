"""Which child heads a phrase, by the two published tables and by a user's own."""

import pytest

from core.errors import FormatError, WorkbenchError
from core.treebank.head_rules import load_head_rules, plain_label

CASES = [
    # a modal or auxiliary heads the verb, "to" heads the infinitive only by Collins' rules
    ("VP", "MD VP", 0, 0),
    ("VP", "TO VP", 0, 1),
    ("VP", "VBD VBN", 0, 0),
    ("PP", "IN NP", 0, 0),
    ("SBAR", "IN S", 0, 0),
    ("SBAR", "WHNP S", 0, 0),
    ("S", "NP VP .", 1, 1),
    ("NP", "DT JJ NN", 2, 2),
    ("NP", "NP PP", 0, 0),
    ("NP", "NNP POS", 1, 1),
    ("QP", "IN CD CD", 0, 0),
    # coordination: Collins' first conjunct; Yamada and Matsumoto's last
    ("NP", "NN CC NN", 0, 2),
    ("NP", "NP CC NP", 0, 2),
    ("NP", "NN , CC NN", 3, 3),
    ("VP", "VBZ CC VBZ", 0, 0),
    ("UCP", "ADJP CC NP", 0, 0),
    # unknown labels, punctuation only
    ("FOO", "DT NN", 0, 1),
    ("NP", ", .", 0, 1),
    ("PRN", ": NN", 1, 1),
]


@pytest.mark.parametrize(("label", "children", "collins", "yamada_matsumoto"), CASES)
def test_head_child(label, children, collins, yamada_matsumoto):
    assert load_head_rules("collins").head_child(label, children.split()) == collins
    assert load_head_rules("yamada-matsumoto").head_child(label, children.split()) == yamada_matsumoto


@pytest.mark.parametrize(
    ("label", "plain"),
    [("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("ADVP|PRT", "ADVP"), ("-LRB-", "-LRB-"), ("PRP$", "PRP$"), ("", "")],
)
def test_plain_label(label, plain):
    assert plain_label(label) == plain


def test_own_rules(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("# mine\nNP\tlast POS; r NN\n*\tl *\n", encoding="utf-8")
    rules = load_head_rules(file)
    assert rules.head_child("NP", ["NN", "JJ"]) == 0
    assert rules.head_child("NP", ["NN", "POS"]) == 1
    assert rules.head_child("VP", [",", "VB", "NP"]) == 1


def test_no_such_rules():
    with pytest.raises(WorkbenchError, match="no head rules called 'magerman': choose one of collins, yamada"):
        load_head_rules("magerman")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NP l NN\n*\tl *\n", r"mine.txt, line 1: expected a phrase label, a tab and searches"),
        ("# x\nNP\tl NN; left JJ\n*\tl *\n", r"mine.txt, line 2: 'left JJ' is not a search: write l, r or last"),
        ("NP\tl\n*\tl *\n", r"mine.txt, line 1: 'l' is not a search"),
        ("NP\tl NN\n", r'mine.txt: no line for "\*"'),
    ],
)
def test_malformed_rules(tmp_path, text, message):
    file = tmp_path / "mine.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        load_head_rules(file)


def test_rules_that_are_not_text(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_bytes(b"NP\tl \xff\n")
    with pytest.raises(FormatError, match=r"mine.txt, line 1: byte 0xff at position 5 is not utf-8"):
        load_head_rules(file)


def test_rules_are_read_again_when_the_file_changes(tmp_path):
    file = tmp_path / "mine.txt"
    for search, head in (("l", 0), ("r", 1)):
        file.write_text(f"*\t{search} *\n", encoding="utf-8")
        assert load_head_rules(file).head_child("NP", ["NN", "NN"]) == head
