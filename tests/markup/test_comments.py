"""Brackets in comments: read, written, and what is wrong with one."""

import pytest

from core.errors import FormatError
from core.markup.comments import format_brackets, read_brackets, treebank_brackets
from core.treebank import Treebank
from core.trees.brackets import Bracket


def sentence(*comments):
    return Treebank.from_sentences([{"forms": list("abc"), "comments": list(comments), "sent_id": "s7"}])[0]


def test_brackets_are_written_and_read_back():
    brackets = [Bracket(1, 4, "a"), Bracket(2, 3, "i"), Bracket(3, 4)]
    line = format_brackets(brackets)
    assert line == "# markup = a 1-3 | i 2-2 | _ 3-3"
    assert read_brackets(sentence("genre = blog", line)) == brackets
    assert read_brackets(sentence()) == [] == read_brackets(sentence("# markup ="))
    assert format_brackets([]) is None
    assert treebank_brackets(Treebank.from_sentences([{"forms": ["x"], "comments": [" markup = b 1-1"]}])) == [
        [Bracket(1, 2, "b")]
    ]


@pytest.mark.parametrize("part", ["bold", "a 1", "a 0-1", "a 2-4", "a 3-2", "a 1-2 | "])
def test_other_notation_is_named(part):
    with pytest.raises(FormatError, match=r"sentence s7: .*(names words outside 1-3|is no bracket)"):
        read_brackets(sentence(f"# markup = {part}"))
