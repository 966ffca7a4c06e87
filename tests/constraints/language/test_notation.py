"""The notation that people look up is the language that is read."""

import re

import pytest

from core.constraints import parse_constraints
from core.constraints.language.constraint import ARROWS, BETWEEN, DENOMINATORS, NEIGHBOURS, PREFIXES, RESERVED
from core.constraints.language.notation import NOTATION, RULES
from core.rules.reading import WORDS, parse_rules

PIECES = [piece for pieces in NOTATION.values() for piece in pieces]
OF_RULES = [piece for pieces in RULES.values() for piece in pieces]


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.written)
def test_every_example_is_read_and_uses_its_piece(piece):
    (constraint,) = parse_constraints(piece.example)
    assert f"{constraint.low}" in piece.example
    if piece.written.replace(" X", "").split()[0] in RESERVED:
        assert piece.written.replace(" X", "") in piece.example


def test_the_whole_language_is_there():
    written = " ".join(piece.written for piece in PIECES)
    names = *(f"{name}:" for name in PREFIXES), *(f"per {name}" for name in DENOMINATORS)
    pieces = *ARROWS, *BETWEEN, *NEIGHBOURS, *names, "dist", "weight", "ROOT", "*", "#"
    assert not [each for each in pieces if each not in written]


@pytest.mark.parametrize(
    "piece", [piece for pieces in RULES.values() for piece in pieces], ids=lambda piece: piece.written
)
def test_every_example_of_a_rule_is_read_and_uses_its_piece(piece):
    assert len(parse_rules(piece.example)) == 1
    words = piece.written.replace("{A B}", "{").replace("xpos: form: lemma: feats:", "form:").split()
    assert all(word.strip("{") in piece.example for word in words if word not in ("A", "B", "r", "1", "text"))


def test_the_whole_language_of_rules_is_there():
    written = " ".join(f"{piece.written} {piece.meaning}" for piece in OF_RULES)
    assert [word for word in WORDS if word not in re.findall(r"\w+", written)] == []
