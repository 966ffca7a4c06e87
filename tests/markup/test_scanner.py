"""Tags and text of HTML, also of broken HTML, in linear time."""

import pytest

from core.markup.scanner import END, START, TEXT, attributes, scan_html


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a<b>c</B >d", [(TEXT, "a", ""), (START, "b", ""), (TEXT, "c", ""), (END, "b", ""), (TEXT, "d", "")]),
        ('<a href="x>y" b=\'>\'>z', [(START, "a", ' href="x>y" b=\'>\''), (TEXT, "z", "")]),
        ("<a title=it's>z</a>", [(START, "a", " title=it's"), (TEXT, "z", ""), (END, "a", "")]),
        ("1 < 2 <3 &lt; 4&nbsp;5", [(TEXT, "1 < 2 <3 < 4\xa05", "")]),
        ("1 < 2 > 1", [(TEXT, "1 < 2 > 1", "")]),
        ("a<!-- <b> -->c<!-->d<!doctype x>e<?php ?>f</ g>h", [(TEXT, letter, "") for letter in "acdefh"]),
        ("a<!-- never closed <b>", [(TEXT, "a", "")]),
        ("<script>a<b '</p>'</SCRIPT>", [(START, "script", ""), (TEXT, "a<b '</p>'", ""), (END, "script", "")]),
        ("<style>a<b", [(START, "style", ""), (TEXT, "a<b", "")]),
        ("<a b='c>d</a>e", [(START, "a", " b='c"), (TEXT, "d", ""), (END, "a", ""), (TEXT, "e", "")]),
        ("x<plaintext>a</plaintext><b>", [(TEXT, "x", ""), (START, "plaintext", ""), (TEXT, "a</plaintext><b>", "")]),
        ("&#" + "9" * 6000 + ";&#x110000;", [(TEXT, "\ufffd\ufffd", "")]),
    ],
)  # fmt: skip
def test_tokens(text, expected):
    assert list(scan_html(text)) == expected


def test_attributes_are_read_as_browsers_do():
    text = """ CLASS="a &amp; b" id=c hidden data-x = 'd' class="second" / style"""
    assert attributes(text) == {"class": "a & b", "id": "c", "hidden": "", "data-x": "d", "style": ""}


@pytest.mark.parametrize(
    "piece, tail",
    [
        ("<", ">"), ("<a ", ">"), ('<a b=">"', ""), ("<!--", ""), ("<a b='", ">"), ("&", ""), ("<!", ">"), ("</", ">"),
        ("<script>", ""), ("<title></title", ">"), ("<a =", ">"), ("<a b=c ", ">"), ("&#9", ";"), ("<b a='<b c=\"", ""),
    ],
)  # fmt: skip
def test_time_grows_with_length_only(piece, tail):
    text = piece * 200_000 + tail  # quadratic time would take hours
    assert sum(len(found) + len(rest) for _, found, rest in scan_html(text)) <= len(text)
