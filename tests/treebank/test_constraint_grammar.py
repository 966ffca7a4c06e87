"""CG-3's output: the first reading of each word, its function and its head."""

import pytest

from core.errors import FormatError
from core.treebank import read_treebank
from core.treebank.constraint_grammar import read_cg3

TEXT = """"<The>"
\t"the" DET @>N #1->2
;\t"the" ADV @X #1->2
"<dog>"
\t"dog" N NOM SG @SUBJ> #2->3
\t"dog" V @X #2->3
"<barks>"
\t"bark" V PRS @FMV #3->0
"<Stop>"
\t"stop" V IMP @FMV #1->1
"""


def test_the_first_reading_and_its_arc():
    first, second = read_cg3(TEXT.encode(), name="a.cg3")
    assert (first.forms[1:], first.lemmas[1:]) == (("The", "dog", "barks"), ("the", "dog", "bark"))
    assert (first.xpos[1:], first.deprels[1:]) == (("DET", "N", "V"), (">N", "SUBJ>", "FMV"))
    assert first.heads.tolist() == [-1, 2, 3, 0]
    assert first.misc[2] == "Tags=NOM.SG"
    assert (second.sent_id, second.heads.tolist()) == ("a-2", [-1, 0])


def test_without_arcs_sentences_end_after_stops_and_at_blank_lines():
    text = '"<Go>"\n\t"go" VERB\n"<.>"\n\t"." PUNCT\n"<It>"\n\t"it" PRON\n\n"<is>"\n\t"be" VERB\n'
    treebank = read_cg3(text.encode())
    assert [sentence.forms[1:] for sentence in treebank] == [("Go", "."), ("It",), ("is",)]
    assert treebank[0].upos[1:] == ("VERB", "PUNCT")
    assert treebank.heads.max() == -1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TEXT.replace("#2->3\n\t", "#2->9\n\t"),
            "line 4: the head of this word is #9, and the sentence has no such word",
        ),
        ('\t"the" DET\n' + TEXT, "line 1: a reading stands before any word"),
        (TEXT.replace("#3->0", "#3->2"), "line 1, sentence 1, word 1: no word has HEAD 0"),
        (TEXT.replace("#1->2", "#1->0").replace("#3->0", "#3->2"), "line 4, sentence 1, word 2: following the heads"),
        ("; nothing\n", 'there is no word, written "<word>"'),
    ],
)
def test_errors(text, message):
    with pytest.raises(FormatError, match=message):
        read_cg3(text.encode())


def test_a_reading_within_a_reading_that_has_a_number_is_a_word_of_its_own():
    text = '"<mide eta>"\n\t"mi" n @obj #1->3\n\t\t"eta" post @case #2->1\n"<ko>"\n\t"ko" v @root #3->0\n'
    treebank = read_cg3(text.encode())
    assert treebank[0].forms[1:] == ("mide", "eta", "ko")
    assert treebank[0].heads.tolist() == [-1, 3, 1, 0]
    assert any(line.startswith("1-2\tmide eta\t") for line in treebank[0].lines)
    whole = read_cg3(text.replace("mide eta", "mideta").encode())
    assert whole[0].forms[1:] == ("mi", "eta", "ko")


def test_words_with_their_readings_in_the_same_line():
    text = "Hens \t[hen] <an> N P @SUBJ> #1->2\nrun\t[run] V PR @FMV #2->0\t[run] N S #2->0\n$. #3->2\n</s>\n"
    treebank = read_treebank(text.encode())
    sentence = treebank[0]
    assert (sentence.forms[1:], sentence.lemmas[1:]) == (("Hens", "run", "."), ("hen", "run", "."))
    assert (sentence.xpos[1:], sentence.heads.tolist()) == (("N", "V", ""), [-1, 2, 0, 2])
    assert sentence.misc[1] == "Tags=<an>.P"
    assert treebank.source.notes == ("1 word with several readings: the first is taken",)


def test_traces_of_rules_are_no_tags_and_other_readings_are_counted():
    treebank = read_cg3((TEXT.replace("NOM SG", "NOM SG SELECT:12:name MAP(x)")).encode())
    assert treebank[0].misc[2] == "Tags=NOM.SG"
    assert treebank.source.notes == ("1 word with several readings: the first is taken",)
