"""Which words to tag next."""

import numpy as np

from core.parsers.dictionary.worth import word_in_context, words_worth_tagging
from core.treebank.plain import read_text
from core.treebank.retag import interned, with_column
from core.treebank.tagging import parse_lexicon, untagged_types

TEXT = "a zig a zag\n" * 4 + "walking talking\nb sinking\nc drinking\nd thinking\n"


def lines(text):
    return read_text(text.encode(), language="en").to_conllu()


def test_frequent_words_and_those_that_stand_for_others():
    found = words_worth_tagging(lines(TEXT), parse_lexicon(""), 4)
    assert [word.form for word in found][:3] == ["a", "zag", "zig"] or found[0].form == "a"
    endings = [word.form for word in found if word.form.endswith("ing")]
    assert endings and found[0].settles >= found[-1].settles  # a word of five that end alike comes before b, c and d
    assert found[0].count == 8


def test_each_next_word_of_an_ending_is_worth_less():
    found = words_worth_tagging(lines(TEXT), parse_lexicon("a DET\nzig NOUN\nzag NOUN\nb X\nc X\nd X\nwalking VERB"), 9)
    worths = [word.settles for word in found]
    assert worths == sorted(worths, reverse=True) and len(set(worths)) > 1


def test_what_is_known_is_left_out(tagger, text):
    lexicon = parse_lexicon("the DET\nbird NOUN")
    found = {word.form.lower() for word in words_worth_tagging(text, lexicon, 100, tagger=tagger)}
    assert found == {word.form.lower() for word in untagged_types(text, lexicon)}
    tags = ["X" if form == "cat" else "" for form in text.form.values]
    given = with_column(text, "upos", interned(text.form.ids.astype(np.int64), tags))
    assert found - {word.form.lower() for word in words_worth_tagging(given, lexicon, 100, tagger=tagger)} == {"cat"}


def test_a_word_is_shown_among_others(text):
    word = words_worth_tagging(text, parse_lexicon(""), 1)[0]
    assert len(word.rows) == min(word.count, 3)
    assert word_in_context(text, int(text.offsets[1]) + 4) == "A bird sings [in] the old tree ."
    long = lines(" ".join(f"w{n}" for n in range(30)))
    assert word_in_context(long, 15) == "… w8 w9 w10 w11 w12 w13 [w14] w15 w16 w17 w18 w19 w20 …"
