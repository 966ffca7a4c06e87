"""Brackets in comments: read, written, and what is wrong with one."""

import random

import pytest

from core.errors import FormatError
from core.markup.comments import (
    format_brackets,
    format_places,
    read_brackets,
    read_places,
    treebank_brackets,
    word_tags,
)
from core.treebank import Treebank
from core.trees.brackets import Bracket
from tests.steps import grows_in_proportion


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


def test_places_are_written_and_read_back():
    places = [
        ("a", 1, 3, "body > p > a", '<a href="x">\n\u2028\ud800 | '),
        ("i", 1, 3, "i", ""),
        ("b", 2, 2, "b", "<b>"),
    ]
    line = format_places(places)
    assert line.isascii() and "\n" not in line
    assert read_places(sentence(line)) == {(1, 4): [("a", *places[0][3:]), ("i", "i", "")], (2, 3): [("b", "b", "<b>")]}
    assert read_places(sentence()) == {}


@pytest.mark.parametrize(
    "text", ["", "x", "[1]", "{}x", '[["a", 1, 2, "b"]]', '[["a", "1", 2, "b", "c"]]', "[" * 20_000]
)
def test_other_places_are_named(text):
    with pytest.raises(FormatError, match="sentence s7: # places is no list of places as the workbench writes it"):
        read_places(sentence(f"# places = {text}"))


def tags_word_by_word(brackets, length):
    tags = [[] for _ in range(length)]
    for bracket in brackets:
        for word in range(bracket.start - 1, bracket.end - 1):
            tags[word] += [name for name in (bracket.tag or "_").split("+") if name not in tags[word]]
    return [",".join(names) for names in tags]


def test_tags_of_words_are_those_of_looking_at_each_word_of_each_bracket():
    chance = random.Random(1)
    for _ in range(500):
        starts = [chance.randrange(1, 12) for _ in range(chance.randrange(8))]
        some = [Bracket(at, chance.randrange(at + 1, 14), chance.choice(["a", "i", "a+b", None])) for at in starts]
        assert word_tags(some, 13) == tags_word_by_word(some, 13)


def test_tags_of_nested_brackets_take_time_in_proportion():
    def nested(size):
        return [Bracket(at + 1, 2 * size - at, "a") for at in range(size)], 2 * size

    assert grows_in_proportion(word_tags, nested, 200)
