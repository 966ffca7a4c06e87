"""Constraints as a table: round trips, what spreadsheets do to such files, and errors with their lines."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.authoring.spreadsheet import format_csv, parse_csv
from core.errors import ConstraintError
from tests.constraints.banks import written


@given(st.lists(written(), max_size=3))
def test_what_is_written_is_read_back(some):
    found = parse_csv(format_csv(some))
    assert found == some
    assert [each.comment for each in found] == [each.comment for each in some]


def test_the_table():
    some = parse_constraints('VBD -> TO = 1.0\n"," <- NOUN dist 1 per modifier = 0.9..1.0 weight 2')
    assert format_csv(some).splitlines() == [
        "constraint,low,high,weight,per",
        "VBD -> TO,1.0,1.0,1,pair",
        '""","" <- NOUN dist 1",0.9,1.0,2,modifier',
    ]
    assert format_csv(replace(each, comment="why") for each in some).splitlines()[1] == "VBD -> TO,1.0,1.0,1,pair,why"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_in_any_order_and_cells_left_empty(separator):
    text = "\ufeffPer,Low,note,Constraint\r\n,0.5,x,A -> B\r\n,,,\r\nhead,0.25,,B <- A\r\n,1,,A -> C per modifier\r\n"
    found = parse_csv(text.replace(",", separator))
    assert [each.text for each in found] == ["A -> B = 0.5", "B <- A per head = 0.25", "A -> C per modifier = 1.0"]
    assert [each.line for each in found] == [2, 4, 5]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the table is empty"),
        ("A -> B,0.5\n", 1, "the header must name the column 'constraint' once, but is A -> B,0.5"),
        ("constraint,high\nA -> B,0.5", 1, "must name the column 'low'"),
        ("constraint,low\nA -> B,0.5,7", 2, "3 fields under a header of 2; put a field"),
        ("constraint,low\n\nA => B,0.5", 3, "the constraint 'A => B' cannot be read: expected an arrow"),
        ("constraint,low\nA -> B = 0.5,0.5", 2, "cannot be read"),
        ("constraint,low\nA -> B weight 2,0.5", 2, "the weight stands in a column of its own"),
        ("constraint,low\nA -> B,", 2, "'low' is '', which is not a number"),
        ('constraint,low\nA -> B,"0,5"', 2, "'low' is '0,5', which is not a number; write 0.5"),
        ("constraint,low,high\nA -> B,0.5,most", 2, "'high' is 'most', which is not a number"),
        ("constraint,low,weight\nA -> B,0.5,-1", 2, "the weight -1 must be a number of at least 0"),
        ("constraint,low\nA -> B,1.5", 2, "the target 1.5 is outside 0..1"),
        ("constraint,low,per\nA -> B,0.5,word", 2, "'per' is 'word'; it is one of pair, modifier, head"),
        ("constraint,low,per\nA -> B per head,0.5,modifier", 2, "'per' is 'modifier'.* said once"),
        ("low,high,constraint\n0.9,1.0\n", 2, ""),
        ('constraint,low\n"A" -> B,0.5', 2, "not a table of comma-separated values"),
    ],
)
def test_tables_that_cannot_be_read(text, line, message):
    with pytest.raises(ConstraintError, match=f"line {line}: .*{message}") as caught:
        parse_csv(text)
    assert caught.value.line == line
