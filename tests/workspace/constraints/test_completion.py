"""What is offered while a constraint is typed, at every place in the line."""

import pytest

from core.constraints import ConstraintDocument
from core.workspace.constraints.completion import complete, contexts

TAGGED = "the/DET old/ADJ cat/NOUN sleeps/VERB ./PUNCT\nthe/DET dog/NOUN saw/VERB the/DET cat/NOUN\n"


@pytest.fixture
def found(ge, add):
    return contexts(ge.text(add("t.txt", TAGGED)))


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("D", ["DET"]),
        ("form:c", ["form:cat"]),
        ("DET <- no", ["NOUN"]),
        ("DET<-NO", ["NOUN"]),
        ("DET <- {NOUN V", ["VERB"]),
        ("DET ", ["->", "<-", "--", "<->"]),
        ("DET <", ["<-", "<->"]),
        ("DET <->", ["DET"]),
        ("DET <- NOUN di", ["dist"]),
        ("DET <- NOUN dist ", ["1", "2", "1..2"]),
        ("DET <- NOUN between o", ["only"]),
        ("DET <- NOUN between only A", ["ADJ"]),
        ("DET <- NOUN before h", ["head"]),
        ("DET <- NOUN per m", ["modifier"]),
        ("DET <- NOUN = 0.9 p", ["per pair", "per modifier", "per head"]),
        ("DET <- NOUN = 0.9 w", ["weight"]),
        ("DET <- NOUN = ", []),
        ("# D", []),
        ("DET <- NOUN = 0.9  # D", []),
        ("", ["DET", "NOUN"]),  # by frequency
    ],
)
def test_each_place_offers_what_fits(found, line, first):
    assert complete(found, line)[: max(len(first), 1)] == first


def test_whatever_is_offered_for_a_word_can_be_read(found):
    items = next(context.words for context in found if ("NOUN", "3 words") in context.words)
    words = [word for word, _ in items if word not in ("ROOT", "only", "none") and not word.endswith(":")]
    assert "NOUN" in words
    for word in words:
        assert not ConstraintDocument.from_text(f"{word} <- NOUN = 0.5").problems, word


def test_features_are_offered_one_by_one(ge, add):
    line = "1\tcats\tcat\tNOUN\t_\tCase=Nom|Number=Plur\t0\troot\t_\t_\n\n"
    found = contexts(ge.text(add("f.conllu", line)))
    assert complete(found, "feats:Number=P") == ["feats:Number=Plur"]
    assert complete(found, "feats:C") == ["feats:Case=Nom"]
