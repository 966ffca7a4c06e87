"""The notation that people look up is the language that is read."""

import pytest

from core.constraints import parse_constraints
from core.constraints.language.constraint import ARROWS, BETWEEN, DENOMINATORS, NEIGHBOURS, PREFIXES, RESERVED
from core.constraints.language.notation import NOTATION

PIECES = [piece for pieces in NOTATION.values() for piece in pieces]


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
