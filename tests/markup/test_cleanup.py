"""The paper's clean-up of mark-up, case by case."""

from collections import Counter

import pytest

from core.languages.words import TokenizedText
from core.markup import Bracket, extract_sentences
from core.markup.blocks import InlineMark
from core.markup.cleanup import clean
from tests.steps import grows_in_proportion


def brackets(html, **options):
    result = extract_sentences(html, **options)
    return [
        [f"{one.tag}:{' '.join(sentence.forms[one.start : one.end])}" for one in found]
        for sentence, found in zip(result.treebank, result.brackets, strict=True)
    ], result.report


@pytest.mark.parametrize(
    "html, expected, outcome",
    [
        ("<p>The <i>basmachi</i>s came.", [[]], "part of a word"),
        ("<p>The <i>New York</i>ers came.", [[]], "part of a word"),
        ("<p>The un<b>believable man</b> came.", [[]], "part of a word"),
        ("<p><u>The man came.</u> He left.", [[], []], "whole sentence"),
        ("<p><u>The man came</u>. He left.", [[], []], "whole sentence"),
        ('<p>"<i>The man came</i>."', [[]], "whole sentence"),
        ("<p>The man <b>-</b> came.", [[]], "no word"),
        ("<p>The <i>old man</i> came.", [["i:old man"]], "kept"),
        ("<p>The <i> old man </i> came.", [["i:old man"]], "kept"),
        ("<p>The <i>man</i>'s hat.", [["i:man"]], "kept"),
        ("<p>The <i>old man, </i>came.", [["i:old man ,"]], "kept"),
    ],
)
def test_pieces(html, expected, outcome):
    found, report = brackets(html)
    tag = next(iter(report.marks))[0]
    assert found == expected and report.marks[tag, outcome] == 1


def test_what_crosses_sentences_is_broken_up():
    found, report = brackets("<p>It was <u>very late. He did not know. She</u> did.")
    assert found == [["u:very late ."], [], ["u:She"]]
    assert report.by_tag() == [("u", 1, 1, 2, 0, 1, 0)]  # marks, broken, kept, part of a word, whole sentence, no word


def test_what_crosses_blocks_is_broken_up():
    found, report = brackets("<p>It was <b>very late.<p>He did</b> not.<p>Yes.")
    assert found == [["b:very late ."], ["b:He did"], []]
    assert (report.marks["b", "marks"], report.marks["b", "broken"], report.marks["b", "kept"]) == (1, 1, 2)


def test_end_points_are_unique_and_names_stay():
    found, report = brackets("<p>A <a href=x><i>b c</i></a> <b><b>d e</b></b> f.")
    assert found == [["a+i:b c", "b:d e"]]
    assert (report.brackets, report.multiword) == (2, 2)


def test_overlapping_marks_stay_as_they_are():
    assert brackets("<p>One <b>two <u>three</b> four</u> five.")[0] == [["b:two three", "u:three four"]]


def test_brackets_nest_outer_first():
    result = extract_sentences("<p>A <a href=x>b <i>c</i> d</a> <i>e</i> f.")
    assert result.brackets == ((Bracket(2, 5, "a"), Bracket(3, 4, "i"), Bracket(5, 6, "i")),)


def test_quotes_and_parentheses_are_sources_too():
    html = '<p>He said "<i>not now</i>" (or so it was (they say) told) and left.'
    found, _ = brackets(html, punctuation=("quote", "paren"))
    assert found == [["i+quote:not now", "paren:or so it was ( they say ) told", "paren:they say"]]


def test_marks_on_marks_take_time_in_proportion():
    def marked(size):
        words = TokenizedText(["-"] * size + ["a"], list(range(0, 2 * size + 1, 2)), [size + 1])
        return words, [InlineMark(2 * at, 2 * size + 1, "a") for at in range(size)], Counter(), {}

    assert grows_in_proportion(clean, marked, 200)
