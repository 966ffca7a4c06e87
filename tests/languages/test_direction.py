"""Which way words run, and words of the other way inside a sentence."""

import pytest

from core.languages.direction import bidi_isolate, right_to_left, side_name
from core.search import parse_request, search
from core.search.browse import sentence_table
from core.treebank import Treebank, conllu_text
from core.workspace.corpus.search import hit_table, hits_conllu, hits_csv
from core.workspace.wording import marked_words, word_name

HEBREW, ARABIC = "הילדה ראתה את הברווז", "رأت الفتاة البطة"


@pytest.mark.parametrize("text", [HEBREW, ARABIC, "NATO הודיעה היום"])
def test_most_letters_decide(text):
    assert right_to_left(text) and right_to_left(("", *text.split()))


@pytest.mark.parametrize("text", ["the 1984 report", "日本語", "…", ""])
def test_other_scripts_and_none_run_from_left_to_right(text):
    assert not right_to_left(text) and bidi_isolate(text) == text


@pytest.mark.parametrize("text", ["ראתה", "البطة", "a ש"])
def test_a_word_of_the_other_way_is_kept_apart_and_can_be_had_back(text):
    assert bidi_isolate(text) == f"\u2068{text}\u2069"


def test_the_direction_of_an_arc_is_said_by_order_and_stored_as_ever():
    assert [side_name(each) for each in ("left", "right", "root", "NOUN")] == [
        "before its head", "after its head", "root", "NOUN",
    ]  # fmt: skip


@pytest.fixture
def treebank():
    return Treebank.from_sentences(
        [{"forms": HEBREW.split(), "upos": ["NOUN", "VERB", "ADP", "NOUN"], "heads": [2, 0, 4, 2]}]
    )


def test_lines_of_the_interface_keep_words_of_the_other_way_apart(treebank):
    sentence = treebank[0]
    assert sentence_table(treebank, [0])["text"] == [bidi_isolate(HEBREW)]
    assert marked_words(sentence, {2}, {1}).startswith("\u2068") and marked_words(sentence, {2}, {1}).endswith("\u2069")
    assert word_name(sentence, 2) == "2 \u2068ראתה\u2069 VERB"
    hits = search(treebank, parse_request("pattern { X [upos=VERB] }"))
    around = HEBREW.replace("ראתה", "⟦ראתה⟧")
    assert hit_table(hits, [0])["around"] == [bidi_isolate(around)]


def test_what_is_taken_away_holds_the_words_as_they_are(treebank):
    hits = search(treebank, parse_request("pattern { X [upos=VERB] }"))
    for taken in (hits_csv(hits, [0]), hits_conllu(hits, [0]), conllu_text(treebank)):
        assert HEBREW.split()[1] in taken and "\u2068" not in taken
