"""MALLET's notation, written as MALLET's own reader takes it apart, and read back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.authoring.mallet import format_mallet, parse_mallet
from core.constraints.language.constraint import ARROWS
from core.constraints.matching.matcher import match_counts
from core.errors import ConstraintError
from tests.constraints.banks import tagged, written

pairs = written(arrows=[arrow for arrow in ARROWS if arrow != "<->"]).map(
    lambda each: replace(each, per="pair", weight=1.0)
)


def as_mallet_reads(line):
    """What FeatureConstraintUtil does with a line: split at white space, then each label at its colons."""
    name, *fields = line.split()
    pairs = [field.split(":") for field in fields]
    assert all(len(pair) == 2 for pair in pairs)
    return name, {label: [float(part) for part in value.split(",")] for label, value in pairs}


@given(st.lists(pairs, max_size=3))
def test_what_is_written_is_read_back(some):
    text, problems = format_mallet(some)
    assert problems == []
    assert parse_mallet(text) == some
    lines = text.split("\n")[:-1]
    assert len(lines) == len(some)
    for line, constraint in zip(lines, some, strict=True):
        _, labels = as_mallet_reads(line)
        assert (labels["edge"][0], labels["edge"][-1]) == (constraint.low, constraint.high)
        assert labels["no"][0] == pytest.approx(1 - constraint.high)
        assert labels["no"][-1] == pytest.approx(1 - constraint.low)


def test_the_notation():
    text = 'VBD -> TO = 1.0\nDET <- NOUN dist 1 = 0.9..1.0\n-LRB- -> "50 %" between none = 0.3'
    assert format_mallet(parse_constraints(text))[0].splitlines() == [
        "VBD->TO edge:1.0 no:0.0",
        "DET<-NOUN+dist+1 edge:0.9,1.0 no:0.0,0.1",
        '-LRB-+->+"50+%25"+between+none edge:0.3 no:0.7',
    ]


def test_what_mallet_cannot_say_is_named():
    some = parse_constraints("A -> B = 0.5 weight 2\nA <- B per modifier = 0.8\nA <-> B = 0.1..0.2")
    text, problems = format_mallet(some)
    assert text == "A->B edge:0.5 no:0.5\n"
    assert [(each.line, each.severity) for each in problems] == [(1, "warning"), (2, "warning"), (3, "warning")]
    assert problems[0].message == "A -> B: MALLET has no weights: weight 2 is lost"
    assert "left out; give the text" in problems[1].message
    assert problems[2].message == "A <-> B: <-> leaves open which word is the head and is left out"


def test_shares_of_words_become_shares_of_pairs():
    bank = tagged("ABB", "A")
    some = parse_constraints("A <- B per modifier = 0.8\nB -- A per head = 0.2..0.4\nC -> A per head = 0.5")
    text, problems = format_mallet(some, bank)
    found = parse_mallet(text)
    for before, after in zip(some, found, strict=False):
        (old,), (new,) = match_counts([before], bank), match_counts([after], bank)
        assert after.low * new.pairs == pytest.approx(before.low * old.denominator)
        assert after.high * new.pairs == pytest.approx(before.high * old.denominator)
    (lost,) = problems  # the same number of arcs is no loss
    assert "matches no pair" in lost.message and len(found) == 2


def test_one_label_is_enough():
    some = parse_mallet("\ufeffA->B no:0.25\r\n\r\n# a comment\r\nA<-B no:0.5,0.75\r\nB->A edge:0.333 no:0.667\r\n")
    assert [each.text for each in some] == ["A -> B = 0.75", "A <- B = 0.25..0.5", "B -> A = 0.333"]
    assert [each.line for each in some] == [1, 4, 5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A->B edge:0.5 noun:0.5", r"line 2: expected edge:probability or no:probability, found 'noun:0.5'"),
        ("A->B", "there is no label:probability after 'A->B'"),
        ("A->B edge:0.5 edge:0.5", "the label 'edge' is given twice"),
        ("A->B edge:half no:0.5", "'half' is neither a probability"),
        ("A->B edge:nan", "'nan' is neither a probability"),
        ("A->B edge:0.1,0.2,0.3", r"'0.1,0.2,0.3' is neither a probability nor a range low,high"),
        ("A->B edge:0.5 no:0.4", "edge:0.5 and no:0.4 do not add up to 1"),
        ("A->B edge:0.2,0.5 no:0.5", "do not add up to 1"),
        ("A->B edge:1.5 no:-0.5", "line 2: the target 1.5 is outside 0..1"),
        ("A->B edge:0.5,0.2 no:0.8,0.5", "line 2: the range 0.5..0.2 runs downward"),
        ("baseball edge:0.5 no:0.5", "the feature 'baseball' is not a kind of word pair: expected an arrow"),
        ("A->B+per+head edge:0.5 no:0.5", "is not a kind of word pair: it says more than which pairs are meant"),
        ("17 0.3 0.7", "by feature index"),
    ],
)
def test_lines_that_cannot_be_read(line, message):
    with pytest.raises(ConstraintError, match=message) as caught:
        parse_mallet(f"B->A edge:0.5 no:0.5\n{line}\n")
    assert caught.value.line == 2
