"""Which way words run, and words of the other way inside a sentence."""

import pytest

from core.direction import isolated, right_to_left

HEBREW, ARABIC = "הילדה ראתה את הברווז", "رأت الفتاة البطة"


@pytest.mark.parametrize("text", [HEBREW, ARABIC, "NATO הודיעה היום"])
def test_most_letters_decide(text):
    assert right_to_left(text) and right_to_left(("", *text.split()))


@pytest.mark.parametrize("text", ["the 1984 report", "日本語", "…", ""])
def test_other_scripts_and_none_run_from_left_to_right(text):
    assert not right_to_left(text) and isolated(text) == text


@pytest.mark.parametrize("text", ["ראתה", "البطة", "a ש"])
def test_a_word_of_the_other_way_is_kept_apart_and_can_be_had_back(text):
    assert isolated(text) == f"\u2068{text}\u2069"
