"""Words and sentences of running text."""

import random
import re
from functools import cache
from itertools import product
from types import SimpleNamespace

import pytest
import spacy

from core.languages.sentences import SentenceEnds
from core.languages.tokenisers import LONGEST, SUFFIX, MarksTokenizer, spacy_languages
from core.languages.words import WordSplitter
from tests.filled import filled


@pytest.fixture(scope="module")
def splitter():
    return WordSplitter("en")


def sentences(splitter, text):
    words, begin, found = splitter.split(text), 0, []
    for form, start in zip(words.forms, words.starts, strict=True):
        assert text[start : start + len(form)] == form
    for end in words.ends:
        found.append(text[words.starts[begin] : words.starts[end - 1] + len(words.forms[end - 1])])
        begin = end
    return found


@pytest.mark.parametrize(
    "text",
    [
        "It rained. | It snowed! | Did it? | Yes...",
        '"Is it so?" she asked. | "No," he said. | "It is not." | (He knew.) | "Why?"',
        "Mr. Smith and Dr. J. Q. Jones paid $3.50 on Jan. 5, at 3 p.m. in St. Ives. | Then they left.",
        "He lives in the U.S. | The rest of us don't.",
        "See pp. 3-5, no. 7 and vol. 2, e.g. this one, cf. Jones et al. 1999. | Good.",
        "Well... maybe. | Wait . . . what? | OK.",
        "It costs 1.5 million. | 300 came. | Example.com is there.",
        "He said it.[1] | She did not.[2][13] | They met.* | It was late.² | Then he came.",
        "1. We go home. | Then we eat.",
        "No end at all here",
        "we came late. | they had gone. | why not? because.",
        "He said: control . . . is all, and (so on.) he left.",
        "私は行く。 | 彼は来る。",
        "هل أنت هنا؟ | نعم.",
    ],
)
def test_sentences_end_where_a_reader_ends_them(splitter, text):
    assert sentences(splitter, text.replace(" | ", " ")) == text.split(" | ")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sv", "Båten var så sen. | Kaptenen gick i land."),  # no senator
        ("nl", "Hij stond op. | Zij wist het al. | Dat mag. | Toen ging hij."),
        ("nl", "Het regende. | ,,Kom binnen'', zei hij. | ,,Ga zitten.'' | Zij bleef staan."),
        ("en", "Sen. Long spoke to Gen. Hill et al. Brown. | They left with Gray et al. | The end."),
        ("ru", "Он верил им. | Потом ушёл из театра им. Чехова."),
        ("sk", "Prišiel 21. 4. a odišiel 3. 5. 1998. | Nikto ho nevidel."),
        ("hy", "Նա եկավ ժամը 10:30-ին: | Բոլորը սպասում էին:"),
        ("yo", "Ó wà ní ilé ẹ̀. | Mo rí i."),
        ("und", "Kʼo jun abʼ. | Jun chik."),
        ("el", "Η κα. Άννα ήρθε. | «Ποιος είναι;» είπε. | Δες σελ. 7 εδώ."),
        ("hi", "डॉ. वर्मा आए। | “मैं हूँ।” उसने कहा। | पं. राम गए।"),
        ("ne", "वह आयो. | त्यो गयो. | म छु."),
        ("ta", "திரு. குமார் வந்தார். | அவர் போனார்."),
        ("ar", "وصل د. سامي عام 2014. | ثم قال: «نعم». | انتهى."),
        ("he", "„לאן?” שאלה רות. | היא הלכה."),
        ("ko", '"좋아." 그가 말했다. | "왜?" | 비가 왔다.'),
        ("am", "እሷ «ና!» አለች። | ልጁ መጣ።"),
        ("hy", "Նա ասաց. «Ես այստեղ եմ»։ | Լավ։"),
        ("de", "Siehe S. 12. | Prof. Huber kam. | Vgl. Nr. 5. | Am 3. Mai wohnte er in der Talstr. 5."),
        ("it", "Il sig. Neri paga. | Vedi p. 3. | Cfr. qui."),
        ("pt", "A Dra. Rita veio. | Mora na Av. Norte."),
        ("nl", "Mevr. De Boer kwam. | Zij ging."),
        ("id", "Ny. Sari di Jl. Mawar No. 5. | “Ya?” tanyanya."),
        ("ga", "Tháinig an Dr. Ó Laoi. | Chonaic mé é. | Bhí sé ann."),
        ("sl", "Rodil se je 1999. | Npr. tam. | Prišel je 3. maja."),
        ("ru", "Это 5 руб. за кг. | См. рис. 3."),
        ("grc", "Ἦν ὁ λόγος. | τί ποιεῖς; | οὐκ οἶδα."),
    ],
)
def test_abbreviations_and_marks_are_those_of_the_language(language, text):
    assert sentences(WordSplitter(language), text.replace(" | ", " ")) == text.split(" | ")


def test_words_are_those_of_spacy(splitter):
    text = "Don't \"cannot\" (well-known) U.S.-based 3.5km/h, Mr. O'Neil's e-mail: a@b.org :-) $5 10% a...b it's."
    assert splitter.split(text).forms == [token.text for token in spacy.blank("en")(text)]
    assert splitter.split("").forms == []


def test_words_of_real_pages_are_those_of_spacy(splitter, shared_data):
    page = (shared_data / "html" / "anarchist-faq" / "0002.html").read_text(encoding="utf-8")
    text = " ".join(page.split())[:150_000]
    assert splitter.split(text).forms == [token.text for token in splitter.tokenizer(text) if not token.is_space]


def test_a_stretch_has_the_same_words_whatever_was_met_with_it():
    stretches = ["'S'", "or'", "''", "it's", "(x:", ")", ":-)", "rock'n'roll", "U.S.", "'", "S", "8am", "8", "am"]
    alone = {stretch: WordSplitter("en").split(stretch).forms for stretch in stretches}
    for first, second in product(stretches, repeat=2):
        splitter = WordSplitter("en")
        splitter.learn([f"{first} {second}"])
        assert [splitter.split(each).forms for each in (first, second)] == [alone[first], alone[second]]


def test_memory_of_stretches_is_bounded(splitter, monkeypatch):
    monkeypatch.setattr("core.languages.words.CACHED", 3)
    assert splitter.split("a b c d e fog. a b").forms == ["a", "b", "c", "d", "e", "fog", ".", "a", "b"]
    assert splitter.split("x y z").forms == ["x", "y", "z"]
    assert len(splitter.known) == 3


def test_ends_of_sentences_among_quotation_marks_are_counted_once():
    ends = SentenceEnds("en")
    quotes = ["A", "."] + ["'", '"'] * 150_000
    assert ends.of(quotes, list(range(len(quotes)))) == [len(quotes)]
    symbols = ["A", *[".", "+"] * 150_000]
    assert ends.of(symbols, list(range(0, 2 * len(symbols), 2))) == [len(symbols)]


@cache
def width(pattern):
    """(least, most) characters that a regular expression matches."""
    return re._parser.parse(pattern).getwidth()


def test_no_suffix_of_a_language_is_longer_than_is_looked_for():
    """Those of Greek begin within a word or number; the next test has them."""
    for language in filled(spacy_languages()):
        suffixes = spacy.util.get_lang_class(language).Defaults.suffixes or ()
        patterns = {suffix if isinstance(suffix, str) else suffix.pattern for suffix in suffixes} - {r"\.\.+"}
        longer = any(least <= LONGEST and most > SUFFIX for least, most in map(width, patterns))
        assert longer == (language == "el"), language


@pytest.mark.parametrize("language", ["el", "en", "hu", "ro", "xx"])
def test_words_among_many_marks_are_spacys(language):
    inner, chance = spacy.blank(language).tokenizer, random.Random(1)
    tokenizer = MarksTokenizer(inner)
    for _ in range(100):
        pieces = (*"(\"'“”.,!?-:;)ab1°%km€'s…’»«αή&", "αρχή-τέλος-", "1234567890123'", "νησιών", "250mg", "12.5m")
        text = "".join(chance.choices(pieces, k=chance.randrange(40, 90))) + "-" * 40
        assert [token.text for token in tokenizer(text)] == [token.text for token in inner(text)]


def test_the_end_of_a_stretch_is_looked_for_at_its_end():
    inner, looked = spacy.blank("xx").tokenizer, []

    def search(string, place=0):
        looked.append(len(string) - place)
        return inner.suffix_search(string, place)

    names = ("vocab", "rules", "prefix_search", "infix_finditer", "token_match", "url_match")
    parts = {name: getattr(inner, name) for name in names}
    MarksTokenizer(SimpleNamespace(suffix_search=search, **parts))("(\"'" * 60)
    assert len(looked) > 30 and max(looked) == SUFFIX


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [
        ("Il est 9 h. « Entrez », dit-elle.", "fr", 2),
        ("Sie wog 60 kg. Anna wog mehr.", "de", 2),
        ("Le train de 9 h. 15 est parti.", "fr", 1),
        ("Il part à 9 h. demain.", "fr", 1),
        ("Le livre de M. Durand.", "fr", 1),
    ],
)
def test_a_unit_behind_a_number_ends_a_sentence_before_a_capital(text, language, count):
    words = WordSplitter(language).split(text)
    assert len(words.ends) == count
    assert all(text[start:].startswith(form) for form, start in zip(words.forms, words.starts, strict=True))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Il part à 9 h. Il revient à 8 h. Bien.", [["9", "h", "."], ["8", "h", "."], ["Bien", "."]]),
        ("« Il part à 9 h. » Il rit.", [["h", ".", "»"], ["Il", "rit", "."]]),
        ("Il part à 9 h. demain avec Jean B.", [["avec", "Jean", "B."]]),
    ],
)
def test_a_unit_at_the_end_of_a_sentence_has_a_stop(text, ends):
    words, last = WordSplitter("fr").split(text), []
    for end, wanted in zip(words.ends, ends, strict=True):
        last.append(words.forms[end - len(wanted) : end])
    assert last == ends


def test_a_number_that_a_tokeniser_leaves_its_stop_has_it_apart_at_the_end_of_a_sentence():
    forms = WordSplitter("sl").split("Rodil se je 1999. Npr. tam 3. maja 2001.").forms
    assert forms == ["Rodil", "se", "je", "1999", ".", "Npr.", "tam", "3.", "maja", "2001", "."]
