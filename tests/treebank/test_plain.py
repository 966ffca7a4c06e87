"""Plain text: sentences, one per line, and which of them lines look like."""

import pytest

from core.errors import FormatError, WorkbenchError
from core.languages.tokenisers import cutting_of
from core.treebank import conllu_text, guess_format, read_treebank
from core.treebank.plain import read_lines, read_text
from tests.filled import filled


def texts(treebank):
    return [sentence.text for sentence in treebank]


def test_plain_text():
    text = "Mr. Fox (the  old\none) didn't run. He slept!\n\n \nA new day.\n"
    treebank = read_text(text.encode(), name="fox.txt")
    assert [sentence.forms[1:] for sentence in treebank] == [
        ("Mr.", "Fox", "(", "the", "old", "one", ")", "did", "n't", "run", "."),
        ("He", "slept", "!"),
        ("A", "new", "day", "."),
    ]
    assert treebank[0].text == "Mr. Fox (the old one) didn't run."
    assert treebank[0].misc[3] == "SpaceAfter=No"
    assert treebank[0].comments[0] == "# sent_id = fox-1"
    assert ["# newpar" in sentence.comments for sentence in treebank] == [True, False, True]
    assert "SpaceAfter=No" not in conllu_text(treebank).split("\n")[14]


def test_the_text_is_what_the_words_say():
    for sentence in filled(read_text("Well… “it's” 5% off: a-b. So?! x".encode())):
        assert sentence.joined() == sentence.text


def test_one_sentence_a_line():
    treebank = read_text(b"One. Two.\nthree\n\nfour", split="lines")
    assert [len(sentence) for sentence in treebank] == [4, 1, 1]


def test_other_languages():
    assert read_text("我们走。你呢？".encode(), language="zh")[0].text == "我们走。"
    with pytest.raises(WorkbenchError, match=r"there is no language 'qq'; near it are .*give an ISO 639 code"):
        read_text(b"a", language="qq")
    with pytest.raises(WorkbenchError, match="split must be one of sentences, lines, got 'words'"):
        read_text(b"a", split="words")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('He came.\n"Yes," she said.', ["He came.", '"Yes," she said.']),
        ('"Come in," he said. "It is late." She came.', ['"Come in," he said.', '"It is late."', "She came."]),
        ("„Komm.“ Er ging. »Gut.« Sie auch.", ["„Komm.“", "Er ging.", "»Gut.«", "Sie auch."]),
        ("« Viens. » Il part. « Oui. »", ["« Viens. »", "Il part.", "« Oui. »"]),
        ("Si. ¿Qué? ¡Hola! (No.) Ya.", ["Si.", "¿Qué?", "¡Hola!", "(No.)", "Ya."]),
        ("Да. — Нет. — Почему?", ["Да.", "— Нет.", "— Почему?"]),
        ('Who?! Me... " Yes. " No.', ["Who?!", "Me...", '" Yes. "', "No."]),
    ],
)
def test_a_mark_that_opens_a_sentence_stays_with_it(text, sentences):
    assert texts(read_text(text.encode())) == sentences


def test_the_older_rule_reads_what_was_kept_by_it():
    old = read_text(b'He came.\n"Yes," she said.', language="en", split="sentencizer")
    assert texts(old) == ['He came. "', 'Yes," she said.']


def test_three_lines_without_stops_are_three_sentences():
    treebank = read_treebank(b"the cat sleeps\nthe dog barks\n\nbirds sing", format="lines", name="a.txt")
    assert texts(treebank) == ["the cat sleeps", "the dog barks", "birds sing"]
    assert [sentence.sent_id for sentence in treebank] == ["a-1", "a-2", "a-3"]
    assert texts(read_lines("القطة تنام\r\nالكلب ينبح".encode())) == ["القطة تنام", "الكلب ينبح"]
    assert texts(read_lines("猫が寝る\n犬が吠える".encode())) == ["猫が寝る", "犬が吠える"]


WRAPPED = """It was the best of times, it was the worst of times, it was the age of
wisdom, it was the age of foolishness, it was the epoch of belief, it was
the epoch of incredulity.
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The cat sleeps\nThe dog barks\nBirds sing\n", "lines"),
        ("the cat sleeps\nthe dog barks\nbirds sing\n", "lines"),
        ('He came.\n"Yes," she said.\nThen he left!\n', "lines"),
        ("Mr. Fox came.\r\nDr. No left.\r\n", "lines"),
        ("Well, yes\nNo, no\n", "lines"),
        ("القطة تنام\nالكلب ينبح\n", "lines"),
        ("猫が寝る\n犬が吠える\n", "lines"),
        ("\tOnce upon a time.\n\tThere was a fox.\n", "lines"),
        ("# Notes\nThe cat sleeps\n", "lines"),
        ("One line only", "text"),
        ("One paragraph.\n\nAnother one.\n", "text"),
        ("One paragraph here. It has two.\nAnother one here. It has two.\n", "text"),
        ("kissa nukkuu. koira haukkuu.\nlinnut laulavat.", "text"),
        ("Ich komme nicht! sagte er.\nSie auch.\n„Nein!“ rief sie.\n“No!” he said.\nMr. Fox left.\nOr so", "lines"),
        ("猫が寝る。犬が吠える。\n鳥が鳴く。魚が泳ぐ。\n", "text"),
        (WRAPPED, "text"),
        (WRAPPED.lower(), "text"),
        ("(Laughs) Hello there. (Coughs) Bye.", "text"),
        ("Show me one word and/or two .", "text"),
        ("1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n", "conllu"),
        ("1 go _ VERB _ _ 0 root _ _\n", "conllu"),
        ("( (S (NN dog)))", "mrg"),
        ("The/DT dog/NN barks/VBZ ./.", "tagged"),
        ("", "conllu"),
    ],
)
def test_what_lines_look_like(text, name):
    assert guess_format(text.encode()) == name


def test_lines_in_another_encoding_are_looked_at_in_it():
    chinese = "我们走。你呢？他也走。\n好。不好。都可以。\n".encode("gb18030")
    assert guess_format(chinese, "gb18030") == "text"
    assert guess_format(b"The cat sleeps\nThe dog barks\n", "klingon") == "lines"  # what reads it refuses the name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word\ttag\nthe\tDET\ncat\tNOUN\n", "this is a table, with tabs between its columns"),
        ("id;text\n1;Hello there\n2;Bye\n", "with semicolons between its columns, .*one per line"),
        ("id,text\n1,hello there\n2,bye\n", "with commas"),
        ("\ufeff<!DOCTYPE html>\n<p>Hello</p>", "this is a web page; import it on the page Mark-up"),
        ("<?xml version='1.0'?>\n<TEI/>", "this is a TEI document"),
        ("<?xml version='1.0'?>\n<a/>", "this is an XML file"),
    ],
)
def test_tables_and_web_pages_are_refused_rather_than_read_as_words(text, message):
    with pytest.raises(FormatError, match=message):
        guess_format(text.encode())


@pytest.mark.parametrize("start", ["", "# text = The cat\n", "1-2 du _ _ _ _ _ _ _ _\n"])
def test_columns_between_spaces_are_refused_with_the_way_out(start):
    data = f"{start}1 The the DET DT _ 2 det _ _\n2   cat cat NOUN NN _ 0 root _ _\n".encode()
    with pytest.raises(FormatError, match=r"separated by spaces, and CoNLL-U needs tabs; replace .* loses its tabs"):
        read_treebank(data, format=guess_format(data))


@pytest.mark.parametrize("language", ["en", "xx"])
def test_a_long_run_of_one_character_is_a_word(language):
    one, two = read_text((20_000 * "#" + " a dog. " + 400 * "-" + "b").encode(), language=language)
    assert one.forms[1:] == (20_000 * "#", "a", "dog", ".")
    assert one.text == 20_000 * "#" + " a dog."
    assert two.forms[1:] == (400 * "-", "b")
    assert two.text == 400 * "-" + "b"


def test_a_long_stretch_is_cut_into_the_same_text():
    marks, words = 5_000 * "('", 150 * "Don't-stop,"
    sentence = read_text(f"{marks} {words} so.".encode())[0]
    assert sentence.text == f"{marks} {words} so."
    assert sentence.forms.count("(") == 5_000
    assert sentence.forms.count("stop") > 145


def test_shorter_stretches_are_the_tokenisers_own():
    tokenizer = cutting_of("en").tokenizer
    text = f"Don't {300 * '#'} (well-known) {'a' * 300} 3.5km/h."
    assert [token.text for token in tokenizer(text)] == [token.text for token in tokenizer.inner(text)]
    assert tokenizer(f"{text} {301 * '#'}").text == f"{text} {301 * '#'}"


def as_written(treebank):
    """The text of a treebank with the signs that its MISC keeps."""
    text = ""
    for sentence in treebank:
        for form, misc in zip(sentence.forms[1:], sentence.misc[1:], strict=True):
            entries = dict(entry.split("=", 1) for entry in misc.split("|") if "=" in entry)
            entries = {name: value.replace(r"\s", " ") for name, value in entries.items()}
            behind = "" if entries.get("SpaceAfter") == "No" else " "
            text += entries.get("SpacesBefore", "") + entries.get("SpacesInToken", form)
            text += entries.get("SpacesAfter", behind)
    return text.rstrip()


@pytest.mark.parametrize(
    ("text", "language", "forms"),
    [
        ("جاء الكلب.\u200f نام.\u200f", "ar", ["جاء الكلب .", "نام ."]),
        ("\u200eShe \u200esaw\u200b \u2066us\u2069. Yes\u200c.", "en", ["She saw us .", "Yes ."]),
        ("a\u200eb \u200f c", "en", ["ab c"]),
        ("می\u200cروم\u200c .", "fa", ["می\u200cروم ."]),
        ("ភាសា\u200bខ្មែរ", "km", ["ភាសា ខ្មែរ"]),
        ("Wow!🎈 The 👨‍👩‍👧‍👦, 1️⃣ 🇫🇮🇸🇪 ☺️ 👋🏽.", "en", ["Wow ! 🎈", "The 👨‍👩‍👧‍👦 , 1️⃣ 🇫🇮 🇸🇪 ☺️ 👋🏽 ."]),
        ("好🎈👋🏽好。", "zh", ["好 🎈 👋🏽 好 。"]),
    ],
)
def test_signs_that_nobody_sees_are_no_part_of_a_word_and_an_emoji_is_one(text, language, forms):
    treebank = read_text(text.encode(), language=language)
    assert [" ".join(sentence.forms[1:]) for sentence in treebank] == forms
    assert as_written(treebank) == text
    for sentence in filled(treebank):
        assert sentence.joined() == sentence.text


TITLED = """A Garden
The gate was open in the morning. Nobody had closed it since the day before, and the hens were out.
Second Part
We caught them one by one. It took us until the evening, and then we were too tired to cook.
"""


def test_a_heading_on_a_line_of_its_own_is_a_sentence():
    treebank = read_treebank(TITLED.encode(), format=guess_format(TITLED.encode()), language="en")
    assert [texts(treebank)[index] for index in (0, 1, 3)] == [
        "A Garden", "The gate was open in the morning.", "Second Part",
    ]  # fmt: skip
    assert len(treebank) == 6
    assert treebank.source.notes == (
        "each line is a paragraph, since most lines end with a stop",
        "2 lines without a stop are sentences, as headings and items of lists are (first: A Garden)",
    )


def test_headings_and_items_end_a_sentence_among_wrapped_lines_too():
    text = "A Garden\n" + WRAPPED + "Things to buy:\n- two hens\n- a new gate for the old garden\n"
    treebank = read_text(text.encode(), language="en")
    assert [sentence for sentence in texts(treebank) if len(sentence) < 40] == [
        "A Garden", "Things to buy:", "- two hens", "- a new gate for the old garden",
    ]  # fmt: skip
    assert len(treebank) == 5
    assert len(read_text(WRAPPED.encode(), language="en")) == 1
