"""Raised text: figures that stay, and footnote marks that go."""

import pytest

from core.markup.blocks import read_blocks
from core.markup.superscripts import is_called_a_note
from tests.steps import MANY


def line(text):
    return " ".join(block.text for block in read_blocks(f"<p>{text}") if block.reason is None)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("It is 25 km<sup>2</sup> wide.", "It is 25 km² wide."),
        ("It is 25 km <sup>2</sup> wide.", "It is 25 km ² wide."),
        ("It is 7,5 м<sup>2</sup> groß.", "It is 7,5 м² groß."),
        ("About 3&nbsp;cm<SUP>3</SUP>.", "About 3 cm³."),
        ("It fell at 9.8 m/s<sup>2</sup>.", "It fell at 9.8 m/s²."),
        ("About 10<sup>6</sup> came.", "About 10⁶ came."),
        ("Some 1.5 × 10<sup>-12</sup> or 10<sup>−3</sup> of it.", "Some 1.5 × 10⁻¹² or 10⁻³ of it."),
        ("Here <i>x</i><sup>2</sup> + y<sup>2</sup> is so.", "Here x² + y² is so."),
        ("We know E = mc<sup>2</sup>.", "We know E = mc²."),
        ("It is (x + 1)<sup>2</sup> then.", "It is (x + 1)² then."),
        ("There are 2<sup>n</sup> or 2<sup>n-1</sup> of them.", "There are 2ⁿ or 2ⁿ⁻¹ of them."),
        ("It is 10<sup>0.5</sup> then.", "It is 10^0.5 then."),
        ("Ca<sup>2+</sup> and Na<sup>+</sup> are here.", "Ca²⁺ and Na⁺ are here."),
        ("We use <sup>14</sup>C and (<sup>238</sup><b>U</b>) here.", "We use ¹⁴C and (²³⁸U) here."),
        (
            "The 10<sup>th</sup>, the 1<sup>a</sup>, M<sup>me</sup> and n<sup>o</sup> 5.",
            "The 10th, the 1a, Mme and no 5.",
        ),
        ("In <a href=x>25 km<sup>2</sup> of it</a> we sat.", "In 25 km² of it we sat."),
        ("It is 25 km<sup>2 wide.", "It is 25 km2 wide."),  # never closed
    ],
)
def test_figures_stay(text, expected):
    assert line(text) == expected


@pytest.mark.parametrize(
    "mark",
    [
        "<sup>2</sup>", "<sup>12</sup>", "<sup>[3]</sup>", "<sup>*</sup>", "<sup>†</sup>", "<sup>(1)</sup>",
        "<sup><a href='#f2'>2</a></sup>", "<a href='#f2'><sup>2</sup></a>", "<sup class='reference'>2</sup>",
        "<sup>a</sup>", "<sup>1,2</sup>", "<sup>1–3</sup>", "<sup>[a][b]</sup>",
        "<sup>[<i><a href=x>citation needed</a></i>]</sup>",
        "<sup>note 2</sup>", "<sup id='fnref:1'><a>1</a></sup>", "<sup>1</sup><sup>2</sup>",
    ],
)  # fmt: skip
def test_footnote_marks_go_and_are_said_to(mark):
    found = list(read_blocks(f"<p>So said the old king{mark} of all the land."))
    assert [block.text for block in found if block.reason is None] == ["So said the old king of all the land."]
    assert {block.reason for block in found} == {None, "footnote mark"}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("It is so.<sup>2</sup> And so.", "It is so. And so."),
        ("It is 25 km<sup><a href='#n2'>2</a></sup> wide.", "It is 25 km wide."),
        ("It was in 1999<sup>3</sup> so.", "It was in 1999 so."),
        ("<sup>1</sup>He is the king.", "He is the king."),
        ("It is so. <sup>1</sup>He is the king.", "It is so. He is the king."),
        ("It is (well known)<sup>4</sup> here.", "It is (well known) here."),
        ("The men<sup>2</sup> and all programs<sup>3</sup> are here.", "The men and all programs are here."),
        ("He sat down <sup>5</sup> and went.", "He sat down and went."),
    ],
)
def test_marks_are_told_from_figures_by_what_stands_before(text, expected):
    assert line(text) == expected


def test_any_number_of_attributes_is_looked_at_once():
    assert not is_called_a_note("id=" * MANY)
    assert is_called_a_note("class=x id='a' role=\"doc-noteref\"") and is_called_a_note("id= fn1")
    assert not is_called_a_note("id='a' title='note'") and not is_called_a_note("id=sufn1")
