"""Self-training on marked sentences: what is parsed, under which brackets, what is learnt; the command."""

import json

import pytest

from core.__main__ import main
from core.adaptation.marked_training import self_train_on_marked
from core.errors import WorkbenchError
from core.markup import marked_sentences, with_brackets
from core.parsers import MSTParser
from core.treebank import Treebank, conllu_text
from core.trees import Bracket, satisfies


def text(*rows):
    return Treebank.from_sentences(
        {"forms": list(tags.lower()), "xpos": list(tags), "heads": heads} for tags, heads in rows
    )


TRAIN = text(("DNVDN", [2, 3, 0, 5, 3]), ("NVN", [2, 0, 2]), ("VDN", [0, 3, 1]))
NEW = text(("NVPN", [-1] * 4), ("NVN", [-1] * 3), ("DNPN", [-1] * 4))
MARKED = with_brackets(NEW, [[Bracket(3, 5)], [], [Bracket(2, 5)]])


def train_parser(treebank, weights):
    calls.append((len(treebank), weights.tolist()))
    return MSTParser(bits=10, labels=False, minimum_count=1).fit(treebank, epochs=3, sentence_weights=weights)


calls = []


@pytest.mark.parametrize("level", ["none", "loose", "strict"])
def test_the_pupil_learns_trees_that_respect_the_brackets(level):
    calls.clear()
    taught = self_train_on_marked(train_parser, TRAIN, MARKED, level=level, weight=0.5)
    assert calls == [(3, [1, 1, 1]), (5, [1, 1, 1, 0.5, 0.5])]
    assert len(taught.treebank) == len(taught.teacher_treebank) == 2
    assert sum(taught.fallbacks.values()) == 2 and taught.fallbacks[level] == 2
    for sentence, marks in zip(taught.teacher_treebank, marked_sentences(taught.teacher_treebank), strict=True):
        assert marks and all(satisfies(sentence.heads, mark, level) for mark in marks)
    if level == "none":
        assert taught.changed == 0
    assert (taught.parser.parse(NEW).heads[1:5] >= 0).all()


def test_rounds_and_a_given_teacher():
    teacher = MSTParser(bits=10, labels=False).fit(TRAIN, epochs=1)
    calls.clear()
    taught = self_train_on_marked(train_parser, TRAIN, MARKED, teacher=teacher, rounds=2)
    assert taught.teacher is teacher and len(calls) == 2


def test_texts_without_mark_up_are_refused():
    with pytest.raises(WorkbenchError, match="self-training needs sentences with mark-up"):
        self_train_on_marked(train_parser, TRAIN, NEW)
    with pytest.raises(WorkbenchError, match="needs at least one round, got 0"):
        self_train_on_marked(train_parser, TRAIN, MARKED, rounds=0)


def test_the_command_says_what_was_held(tmp_path, capsys):
    for name, treebank in (("train", TRAIN), ("marked", MARKED), ("plain", NEW)):
        (tmp_path / f"{name}.conllu").write_text(conllu_text(treebank))
    command = ["parser", "train", str(tmp_path / "train.conllu"), "--epochs", "2", "--bits", "10"]
    marked = ["--self-train", str(tmp_path / "marked.conllu"), "--level", "strict", "--self-train-weight", "0.5"]
    assert main([*command, *marked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["marked"]
    assert found["fallbacks"]["strict"] == found["sentences"] == 2
    assert found["teacher"]["learnt_sentences"] and "uas" not in found["teacher"]  # nor is its pupil scored here
    assert main([*command, *marked]) == 0
    assert "learnt from 2 marked sentences too: 2 held at strict" in capsys.readouterr().out
    assert main([*command, "--self-train", str(tmp_path / "plain.conllu")]) == 2
    assert "needs sentences with mark-up" in capsys.readouterr().err
