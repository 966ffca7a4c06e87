"""Where sentences end, in any script.

A sentence ends after a mark that ends sentences (``marks.STOPS``), together with the quotation marks and brackets that
close right behind it. A mark or dash that opens stays with what follows. Quotation marks open and close by the spaces
around them: the same one opens in one language and closes in another. It takes a space after a mark of Latin script.

A sentence goes on in these places.

- Where no word, number or symbol follows, or a small letter, in a text whose sentences begin with capitals.
- After an abbreviation, before a figure, a small letter or a name: "Fig. 3", "ca. zehn", "Dr. Huber".
- After a number with a full stop, in languages that write ordinals so or may: "am 3. Mai".
- After a closing quotation mark, where no spaces are written, with Japanese kana or a Chinese verb of saying.

Abbreviations are words of a list, single letters, words without a vowel, and what the tokeniser takes for one word with
its full stop. They end a sentence only before a capital that a common word begins with: "in the U.S. The". Titles
before names never do.

In a text without capitals a full stop ends a sentence before a small letter too. Thai and Lao have no mark for it.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import cache, cached_property

from core.languages.marks import GREEK_QUESTION, STOPS, UNSPACED, WITH_SPACE, stop_class
from core.languages.names import UNKNOWN

DOUBLE = "''"  # two of these for one quotation mark
STRAIGHT = frozenset(["'", '"', DOUBLE])
CLOSING, OPENING = ("Pe", "Pf", "Pi"), ("Ps", "Pi", "Pf", "Pd")  # categories of marks that may do so
OPENERS = frozenset("\"'`¿¡")  # whatever Unicode takes them for
STARTS = frozenset("#@")  # marks that begin a word
HIRAGANA = re.compile("[\u3041-\u309f]")
SAYING = re.compile(r"\w{0,6}[说說道问問答喊叫曰云][，。：、！？]")  # Chinese: 她问道。
SAYS = 8  # words, at most characters, that tell
ROMAN = re.compile("[IVXLC]+")
TERMINAL = re.compile(rf"[{stop_class()}]+")
BEFORE_NAMES = "rev|hon|profs?|gen|col|maj|capt|lt|sgt|gov|sen|messrs|ing|dipl|mag"
TITLES = re.compile(rf"(mrs?|ms|drs?|st|cpl|hr|frl?|sr|sra|srta|mme|mlle|dott|{BEFORE_NAMES})\.")
TITLED = re.compile(f"{BEFORE_NAMES}|univ".title())  # in small letters words of other languages
SHORT = re.compile(  # never end a sentence, and are no words in any language
    r"cf|vs|viz|eds|approx|dept|ibid|etc|bzw|vgl|usf|sog|bspw|evtl|inkl|zzgl|ggf|etw|aprox|tzv|např|tj|resp|np|tzn|пр|др|"
    r"см|ср|напр"
)
SHORT_IN = {  # language -> those that are words in others; they end a sentence before a common word with a capital
    "en": "ed|trans|al|op|cit|ca|messrs", "de": "al|ca", "fr": "al|op|cit|ca", "es": "op|cit|ca", "it": "op|cit|ca",
    "sv": "ca", "da": "ca", "nb": "ca", "no": "ca", "nl": "ca", "ru": "им", "uk": "ім",
}  # fmt: skip
BEFORE_NUMBERS = re.compile(
    r"nos?|pp?|vols?|figs?|sect?|chaps?|ch|art|nr|núm|num|pág|págs|pag|abb|tab|kap|bd|cap|rys|ryc|rozdz|č|čís|str|стр|рис|"
    r"гл|табл|№"
)
VOWELS = frozenset("aeiouyæøœıаеёиоуыэюяіїєѣѵαεηιουω")
ORDINALS = frozenset(  # languages that write them with a full stop
    [
        "az",
        "bs",
        "cs",
        "da",
        "de",
        "dsb",
        "et",
        "eu",
        "fi",
        "fo",
        "gsw",
        "hr",
        "hsb",
        "hu",
        "is",
        "lb",
        "lv",
        "nb",
        "nn",
        "no",
        "pl",
        "se",
        "sk",
        "sl",
        "sr",
        "tr",
    ]
)


FURTHER = {"el": GREEK_QUESTION, "grc": GREEK_QUESTION, "hy": ":", "hyw": ":"}  # stops of these languages alone


@cache
def stops_of(language: str) -> frozenset[str]:
    """The marks that end sentences in a language."""
    return STOPS | frozenset(FURTHER.get(language, ""))


class SentenceEnds:
    """Finds the ends of sentences among the words of a language.

    Parameters
    ----------
    language : str
    common : frozenset of str
        Common words with a capital, as they begin a sentence.
    """

    def __init__(self, language: str, common: frozenset[str] = frozenset()):
        self.stops, self.common = stops_of(language), common
        self.ordinals = language in ORDINALS or language == UNKNOWN
        self.short_here = re.compile(SHORT_IN.get(language, "(?!)"))

    def of(self, forms: list[str], starts: list[int]) -> list[int]:
        """The number of words up to the end of each sentence; ``starts`` are the places of the words. O(words)."""
        text = _Words(forms, starts)
        ends, count, at, begin = [], len(forms), 0, 0
        while at < count:
            form = forms[at]
            at += 1
            if form[-1] not in self.stops:
                continue
            stop = at - 1
            while at < count and text.closes(at, begin):
                at += 1
            if at < count and self._ends(text, stop, at):
                ends.append(at)
                begin = at
        if count:
            ends.append(count)
        return ends

    def _ends(self, text, stop, at):
        """Whether a sentence ends before word ``at``, behind the word ``stop``: a mark, or a word with one."""
        forms, first = text.forms, text.first_word(at)
        if first is None or (not text.space_before(at) and self._is_within(text, stop, at, first)):
            return False
        form, follows = forms[stop], forms[first]
        if form[-1] == "." and not TERMINAL.fullmatch(form):  # an abbreviation
            return not TITLES.fullmatch(form.lower()) and follows in self.common
        before = forms[stop - 1] if form == "." and stop and at == stop + 1 else ""
        if not _is_small(follows[0]):
            return not self._goes_on(before, follows)
        alone = before not in ("", ".") and (first == at or unicodedata.category(forms[at][0]) == "Pd")
        return alone and not text.goes_on_small(follows) and not self._is_short(before.lower())

    def _is_within(self, text, stop, at, first):
        """Whether no sentence can end at the word ``stop``, where no space stands before word ``at``."""
        forms = text.forms
        if (forms[stop][-1] == ":" or forms[stop][-1] in WITH_SPACE) and not UNSPACED.match(forms[first]):
            return True
        if at == stop + 1 or first > at:
            return False
        says = HIRAGANA.match(forms[first]) or SAYING.match("".join(forms[at : at + SAYS]))
        return says is not None

    def _goes_on(self, before, follows):
        """Whether a full stop of its own behind the word ``before`` is no end, before a word that is not small."""
        small = before.lower()
        if not before or before == ".":
            return False
        if TITLED.fullmatch(before) or (SHORT.fullmatch(small) and small != "etc"):
            return True
        if before.isdecimal():
            return self.ordinals and len(before) <= 2 and follows not in self.common
        if follows[0].isnumeric() or ROMAN.fullmatch(follows):
            return any(pattern.fullmatch(small) for pattern in (BEFORE_NUMBERS, self.short_here))
        return follows not in self.common and self._is_short(small) and (not before.isupper() or len(before) == 1)

    def _is_short(self, word):
        """Whether a word in small letters is an abbreviation: on a list, one letter, or without a vowel."""
        return (SHORT.fullmatch(word) or self.short_here.fullmatch(word)) is not None or _looks_short(word)


class _Words:
    """The words of a text with what stands between them."""

    def __init__(self, forms, starts):
        self.forms, self.starts, self._capitals = forms, starts, None

    def space_before(self, at):
        return self.starts[at] > self.starts[at - 1] + len(self.forms[at - 1])

    def closes(self, at, begin):
        """Whether word ``at`` is a mark that closes behind the one before it, in a sentence from word ``begin`` on."""
        form = self.forms[at]
        if (len(form) != 1 and form != DOUBLE) or form.isalnum():
            return False
        kind = unicodedata.category(form[0])
        if kind not in CLOSING and form not in STRAIGHT:
            return False
        if kind == "Pe":
            return True
        if not self.space_before(at) and (at + 1 == len(self.forms) or not self._touches_word(at)):
            return True
        is_odd = form in STRAIGHT and self._quotes(form, begin, at) % 2 == 1
        return (kind == "Pf" or is_odd) and (not self.space_before(at) or not self._touches_word(at))

    def _quotes(self, form, begin, at):
        """The number of words ``begin`` to ``at - 1`` that are this quotation mark. O(log n), once all are known."""
        places = self._straight[form]
        return bisect_left(places, at) - bisect_left(places, begin)

    @cached_property
    def _straight(self):
        """Indices of the straight quotation marks."""
        places = {quote: [] for quote in STRAIGHT}
        for at, form in enumerate(self.forms):
            if form in STRAIGHT:
                places[form].append(at)
        return places

    @cached_property
    def _last_word(self):
        """The index of the last word or number; -1 where there is none."""
        return next((at for at in reversed(range(len(self.forms))) if self.forms[at][0].isalnum()), -1)

    def _touches_word(self, at):
        """Whether a word begins right behind the mark ``at``."""
        return at + 1 < len(self.forms) and not self.space_before(at + 1) and self.forms[at + 1][0].isalnum()

    def first_word(self, at):
        """The index of the first word, number or symbol from ``at`` on, behind opening marks; None where none
        follows."""
        forms = self.forms
        if forms[at][0].isalnum():  # as mostly
            return at
        while at < len(forms) and (self._opens(at) or unicodedata.category(forms[at][0]) in OPENING):
            at += 1
        if at == len(forms):
            return None
        begin = forms[at][0]
        if begin.isalnum():
            return at
        if unicodedata.category(begin)[0] == "P" and begin not in STARTS:
            return None
        return at if at <= self._last_word else None

    def _opens(self, at):
        """Whether a mark opens whatever its category: a quotation mark, two commas for „, and the second of them."""
        return (
            self.forms[at] in OPENERS
            or "".join(self.forms[at : at + 2]).startswith(",,")
            or (self.forms[at - 1 : at + 1] == [",", ","])
        )

    def goes_on_small(self, word):
        """Whether a small word tells that its sentence goes on: not where none has capitals, nor for a file's name."""
        return word.replace("-", "").replace("'", "").isalpha() and self.has_capitals

    @property
    def has_capitals(self):
        """Whether the text's sentences begin with capitals."""
        if self._capitals is None:
            forms, ends = self.forms, (at for at, form in enumerate(self.forms[:-1], 1) if form[-1] in STOPS)
            self._capitals = forms[0][0].isupper() or any(forms[at][0].isupper() for at in ends)
        return self._capitals


def _is_small(letter):
    """Whether a letter is a small one of a script that has capitals; Georgian writes none, whatever Unicode has."""
    return letter.islower() and not "\u10d0" <= letter <= "\u10ff"


def _looks_short(word):
    """Whether a word in small letters is one letter, or has no vowel."""
    if not word.isalpha() or word.upper() == word or len(word) > 4:
        return False
    plain = "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    if len(plain) == 1:
        return True
    syllabic = any(letter in "rlрл" for letter in plain[1:-1])  # as in Czech "vlk"
    return not syllabic and plain.isascii() | all("а" <= letter <= "я" for letter in plain) and VOWELS.isdisjoint(plain)
