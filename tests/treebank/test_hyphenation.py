"""Words cut at line ends are joined where they are one, and soft hyphens are no part of a word."""

import random
import re

import pytest

from core.treebank import read_lines, read_text
from core.treebank.hyphenation import CUT, join_cut_words
from tests.steps import MANY


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ("the har-\nbour", "the harbour"),
        ("the har\u2010 \n  bour", "the harbour"),
        ("the har¬\nbour", "the harbour"),
        ("HAR-\nBOUR", "HARBOUR"),
        ("der Ha-\nfen", "der Hafen"),
        ("из-\nба", "изба"),
        ("a well-\nmeant word", "a well-meant word"),
        ("mother-in-\nlaw, a mother-in-law", "mother-in-law, a mother-in-law"),
        ("a sea-\nport, the sea-port", "a sea-port, the sea-port"),
        ("a half-\nback, the halfback", "a halfback, the halfback"),
        ("the Anglo-\nSaxon", "the Anglo-Saxon"),
        ("Vor-\nund Nachteile", "Vor- und Nachteile"),
        ("1914-\n1918", "1914-1918"),
        ("so -\nno", "so -\nno"),
        ("the har-\n\nbour", "the har-\n\nbour"),
        ("har\u00adbour har\u00ad\nbour har\u200bbour har\u2060bour", "harbour harbour harbour harbour"),
        ("ภาษา\u200bไทย", "ภาษา\u200bไทย"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_a_line_end_cut_is_joined(cut, whole):
    assert join_cut_words(cut)[0] == whole


def test_it_is_said_and_can_be_switched_off():
    text = "The har-\nbour, so\u00adon.".encode()
    joined, left = read_text(text, language="en"), read_text(text, language="en", join_hyphens=False)
    assert joined[0].text == "The harbour, soon."
    assert joined.warnings == (
        "1 word cut at a line end is joined (first: har- bour as harbour)",
        "left out within words: 1 soft hyphen or zero-width sign",
    )
    assert (left[0].text, left.warnings) == ("The har- bour, so\u00adon.", ())
    assert read_text(b"A plain text.", language="en").warnings == ()


def test_a_line_that_is_a_sentence_is_not_joined_to_the_next():
    treebank = read_lines("A har-\nbour so\u00adon".encode())
    assert [sentence.text for sentence in treebank] == ["A har-", "bour soon"]
    assert read_lines("so\u00adon".encode(), join_hyphens=False)[0].text == "so\u00adon"


def joined_formerly(text):
    """The words that line ends cut, as they were found while a word was looked at from each of its letters on."""
    letter = r"[^\W\d_]"
    cut = re.compile(rf"({letter}+(?:[-'’]{letter}+)*)[-\u2010\u00ac\u2e17][^\S\n]*\n[^\S\n]*({letter}+)")
    return [(found[1], found[2]) for found in cut.finditer(text)]


def test_the_same_words_are_joined_as_by_looking_from_each_letter_on():
    chance = random.Random(1)
    for _ in range(3000):
        text = "".join(chance.choices("ab-’' \n1é", k=chance.randrange(30)))
        found = [cut.groups() for cut in CUT.finditer(text) if cut[2] is not None]
        assert found == joined_formerly(text)


@pytest.mark.parametrize("piece", ["a", "ab-", "l'", "\ufdfa"])
def test_one_word_of_any_length_is_read(piece):
    text = piece * MANY
    assert join_cut_words(text) == (text, [])
    assert join_cut_words(f"{text}a-\nb")[0] == f"{text}ab"
