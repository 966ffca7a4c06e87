"""Lines broken by hand: joined inside a sentence, apart where each is a line of its own."""

import pytest

from core.markup import extract_sentences
from core.markup.blocks import read_blocks
from core.markup.line_breaks import joined_lines


def blocks(text):
    return [block.text for block in read_blocks(text)]


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<BR clear=all />", "</br>", " <br>\n", "<b></b><br>&nbsp;"])
def test_a_sentence_goes_on_over_line_breaks(tag):
    text = f"<p>This is a long sentence that{tag}the author has broken by hand{tag}at the end. And a{tag}second one."
    assert blocks(text) == ["This is a long sentence that the author has broken by hand at the end. And a second one."]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("He went home<br>, as one does.", ["He went home, as one does."]),
        ("Das ist ein Satz, den der<br>Autor von Hand brach.", ["Das ist ein Satz, den der Autor von Hand brach."]),
        ("Tiger, tiger, burning bright,<br>In the forest of the night.",
         ["Tiger, tiger, burning bright, In the forest of the night."]),
        ("私たちは今日とても大きな<br>公園に行きました。", ["私たちは今日とても大きな公園に行きました。"]),
        ("ذهبنا اليوم إلى الحديقة الكبيرة<br>ورأينا هناك ناسا.", ["ذهبنا اليوم إلى الحديقة الكبيرة ورأينا هناك ناسا."]),
        ("It cost us about<br>25 euros.", ["It cost us about 25 euros."]),
        ("It is so.<br>And so.", ["It is so.", "And so."]),
        ("It is so<br><br>and so.", ["It is so", "and so."]),
        ("It is so<br>\n&nbsp;<br>and so.", ["It is so", "and so."]),
        ("Anna Berg<br>12 High Street<br>London<br>We are open daily.",
         ["Anna Berg", "12 High Street", "London", "We are open daily."]),
        ("apples<br>pears<br>plums<br>two cups of flour", ["apples", "pears", "plums", "two cups of flour"]),
        ("You need these things here<br>- some flour.<br>- some eggs.",
         ["You need these things here", "- some flour.", "- some eggs."]),
        ("<br>One is<br>so.<br>", ["One is so."]),
    ],
)  # fmt: skip
def test_lines_that_stand_alone_are_told_from_those_that_go_on(text, expected):
    assert blocks(f"<p>{text}</p>") == expected


def test_marks_links_and_code_are_those_of_their_lines():
    found = list(
        read_blocks("<p><a href=x>One thing<br>Another. <i>It<br>is</i></a> <code>so</code>.<br><b>It is.</b>")
    )
    assert [(block.text, block.links, block.code) for block in found] == [
        ("One thing", 9, 0), ("Another. It is so.", 14, 2), ("It is.", 0, 0),
    ]  # fmt: skip
    assert [[(mark.tag, mark.start, mark.end, mark.is_broken) for mark in block.marks] for block in found] == [
        [("a", 0, 9, False)], [("a", 0, 14, True), ("i", 9, 14, False)], [("b", 0, 6, False)],
    ]  # fmt: skip


def test_brackets_stand_in_the_joined_sentence():
    found = extract_sentences("<p>This is a <b>long sentence<br>that the</b> author has broken.")
    assert [sentence.comment("markup") for sentence in found.treebank] == ["b 4-7"]


def test_time_grows_with_length_only():
    text = "so is " * 30_000
    assert joined_lines(text, range(6, len(text), 6)) == [(place, place + 5) for place in range(0, len(text), 6)]
    assert len(blocks("<p><b><i>" + "Word is.<br>" * 30_000)) == 30_000
