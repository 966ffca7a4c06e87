"""Brackets between quotation marks and parentheses."""

import pytest

from core.errors import WorkbenchError
from core.markup import punctuation_brackets
from tests.steps import grows_in_proportion


def found(text, spaces=None, **options):
    return [(one.tag, one.start, one.end - 1) for one in punctuation_brackets(text.split(), spaces, **options)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ('he said " not now " and left', [("quote", 4, 5)]),
        ("he said `` not now '' and left", [("quote", 4, 5)]),
        ("he ( who ( they say ) came ) left", [("paren", 3, 8), ("paren", 5, 6)]),
        ("he « who -LRB- they -RRB- came » left", [("quote", 3, 7), ("paren", 5, 5)]),
        ('" it is so "', []),
        ('" it is so " .', []),
        ("he ( left and ) ) went ( out", [("paren", 3, 4)]),
        ('he " ( " left', []),
        ("he ( ) left ( ! ) now", []),
        ('he " a ( b " c ) left', [("quote", 3, 5)]),
    ],
)
def test_pairs(text, expected):
    assert found(text) == expected


def test_straight_marks_nest_where_spaces_say_so():
    text = 'he " said " no " now " and left'
    assert found(text) == [("quote", 3, 3), ("quote", 7, 7)]
    spaces = [word != '"' or place > 4 for place, word in enumerate(text.split())]
    assert found(text, spaces) == [("quote", 3, 7), ("quote", 5, 5)]


def test_sources_are_chosen():
    text = 'he " said " ( no ) now'
    assert found(text, sources=("paren",)) == [("paren", 6, 6)]
    with pytest.raises(WorkbenchError, match="no brackets from 'dash'; choose among quote, paren"):
        found(text, sources=("dash",))


def test_nested_brackets_take_time_in_proportion():
    assert grows_in_proportion(
        punctuation_brackets, lambda size: (["(", "-"] * size + ["a"] + [")"] * size + ["b"],), 200
    )
