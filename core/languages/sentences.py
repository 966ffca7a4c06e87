"""Sentence boundaries in any script.

A sentence ends after a mark that ends sentences (``marks.STOPS``), together with the quotation marks, brackets and
emoji that close right behind it. An opening mark or dash belongs to the next sentence. Spaces show whether a quotation
mark opens or closes, which differs between languages. A mark of Latin script must have a space after it.

There is no boundary in these places.

- Where no word, number or symbol follows, or a small letter, in a text whose sentences begin with capitals.
- After an abbreviation, before a figure, a small letter or a name: "Fig. 3", "ca. zehn", "Dr. Huber"; but a unit behind
  a number ends a sentence before a capital: "à 10 h. « Viens »".
- After a number with a full stop, in languages that write ordinals so: "am 3. Mai".
- After a closing quotation mark, in a script without capitals, before Japanese kana or a verb of saying.
- After a short word and a full stop, where sentences end with marks of the script's own: "डॉ. शर्मा आए।".

Abbreviations are words of a list, single letters, words without a vowel, and words that the tokeniser joins with a full
stop. They end a sentence only before a common word with a capital: "in the U.S. The". Titles before names never do.

In a text without capitals a full stop ends a sentence before a small letter too. Thai and Lao have no such mark.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import cache, cached_property

from core.languages.abbreviations import BEFORE_NUMBERS, SHORT, SHORT_IN, TITLED, TITLES, TITLES_IN, UNITS
from core.languages.marks import EMOJI, GREEK_QUESTION, NOTE, STOPS, UNSPACED, WITH_SPACE, stop_class
from core.languages.names import UNKNOWN

EMOJIS, NOTES, NOTE_MARKS = re.compile(EMOJI), re.compile(NOTE), frozenset("*†‡")
DOUBLE = "''"  # two of these for one quotation mark
STRAIGHT = frozenset(["'", '"', DOUBLE])
CLOSING, OPENING = ("Pe", "Pf", "Pi"), ("Ps", "Pi", "Pf", "Pd")  # Unicode categories of such marks
OPENERS = frozenset("\"'`¿¡")  # whatever their category
STARTS = frozenset("#@")  # marks that begin a word
HIRAGANA = re.compile("[\u3041-\u309f]")
SAYING = re.compile(r"\w{0,6}[说說道问問答喊叫曰云][，。：、！？]")  # Chinese: 她问道。
SAYS = 8  # words in which such a verb is looked for
SAID = re.compile(  # verbs of saying in scripts with spaces and without capitals
    r"אמר|שאל|ענ[הת]|השיב|קרא|צעק|לחש|قال|سأل|أجاب|صاح|هتف|گفت|پرسید|کہا|پوچھا|بول[ایے]|कहा|पूछ|बोल|चिल्ला|म्हण|विचार|"
    r"বলল|বলে|জিজ্ঞ|கேட்|சொன்ன|என்ற|అన్న|అడిగ|თქვ|იკითხ|ჰკითხ|უთხრ|უპასუხ|말했|말하|물었|대답|외쳤|소리쳤|했다|አለ|አሉ|ጠየቀ|ብሎ"
)
SAYS_SPACED = 3  # words in which they are looked for
OWN_STOPS = frozenset("।॥።፧။")  # of scripts in which a full stop ends an abbreviation, of so many letters at most
OWN_SHORT = 5
CASELESS = re.compile("[\u0590-\u0dff]")  # a letter of scripts without capitals that is used as an initial
SMALL_BEGINS = frozenset({"grc"})  # languages whose editors begin sentences with small letters
ARMENIAN = frozenset({"hy", "hyw"})  # whose full stop is a colon to others
ROMAN = re.compile("[IVXLC]+")
TERMINAL = re.compile(rf"[{stop_class()}]+")
VOWELS = frozenset("aeiouyæøœıаеёиоуыэюяіїєѣѵαεηιουω")
ORDINALS = re.compile(  # languages that write them with a full stop
    "az|bs|cs|da|de|dsb|et|eu|fi|fo|gsw|hr|hsb|hu|is|lb|lv|nb|nn|no|pl|se|sk|sl|sr|tr"
)
EXTRA_STOPS = {"el": GREEK_QUESTION, "grc": GREEK_QUESTION, "hy": ":", "hyw": ":"}  # stops of single languages


@cache
def stops_of(language: str) -> frozenset[str]:
    """The marks that end sentences in a language."""
    return STOPS | frozenset(EXTRA_STOPS.get(language, ""))


class SentenceEnds:
    """Finds sentence boundaries among the words of a text.

    Parameters
    ----------
    language : str
    common : frozenset of str
        Common words with a capital, as at the beginning of a sentence.
    """

    def __init__(self, language: str, common: frozenset[str] = frozenset()):
        self.stops, self.common = stops_of(language), common
        self.ordinals = language == UNKNOWN or ORDINALS.fullmatch(language) is not None
        self.short_in_language = re.compile(SHORT_IN.get(language, "(?!)"))
        self.titles_in_language = re.compile(TITLES_IN.get(language, "(?!)"))
        self.begins_small = language in SMALL_BEGINS
        self.own_stops = frozenset("։:") if language in ARMENIAN else OWN_STOPS

    def of(self, forms: list[str], starts: list[int]) -> list[int]:
        """The number of words up to the end of each sentence; ``starts`` are the words' offsets. O(words)."""
        text = _Words(forms, starts, self.begins_small)
        ends, count, after, begin = [], len(forms), 0, 0
        while after < count:
            stop = after
            after += 1
            if forms[stop][-1] not in self.stops:
                continue
            while after < count and text.closes(after, begin):
                after += 1
            after = text.behind_notes(after, stop)
            is_item = not begin and stop == 1 and forms[stop] == "." and forms[0].isdecimal()  # the number of an item
            if after < count and not is_item and self._ends(text, stop, after):
                ends.append(after)
                begin = after
        if count:
            ends.append(count)
        return ends

    def _ends(self, text, stop, after):
        """Whether a sentence ends before word ``after``; the word ``stop`` is the mark, or ends with it."""
        forms, first = text.forms, text.first_word(after)
        if first is None or (not text.space_before(after) and self._is_within(text, stop, after, first)):
            return False
        form, follows = forms[stop], forms[first]
        if form[-1] == "." and not TERMINAL.fullmatch(form) and not ends_in_stop(form):
            return self._ends_abbreviated(text, stop, follows)
        before = _before_stop(forms, stop, after)
        if not _is_small(follows[0]):
            goes_on = self._goes_on(text, before, stop, follows) or _is_said(forms, stop, after)
            return self._ends_a_measure(text, stop, follows) or not goes_on
        return self._ends_before_small(text, before, stop, after, first)

    def _ends_before_small(self, text, before, stop, after, first):
        """Whether a sentence ends before a word ``first`` in small letters."""
        if self.begins_small and text.forms[stop] != ".":
            return True
        is_alone = before not in ("", ".") and (first == after or unicodedata.category(text.forms[after][0]) == "Pd")
        return is_alone and not text.goes_on_small(text.forms[first]) and not self._is_short(before.lower())

    def _ends_abbreviated(self, text, stop, follows):
        """Whether a sentence ends at the abbreviation ``stop``, which has its full stop."""
        word = text.forms[stop][:-1].lower()
        is_title = TITLES.fullmatch(word) or self.titles_in_language.fullmatch(word)
        return self._ends_a_measure(text, stop, follows) or (not is_title and self._begins(follows))

    def _begins(self, word):
        """Whether a word with a capital mostly begins a sentence: a common one, or an abbreviation such as "Cf."."""
        return word in self.common or (word[0].isupper() and SHORT.fullmatch(word.rstrip(".").lower()) is not None)

    @staticmethod
    def _ends_a_measure(text, stop, follows):
        """Whether a number and its unit with a full stop end a sentence, before a capital: "à 10 h. « Viens »"."""
        unit = text.forms[stop - 1] if text.forms[stop] == "." else text.forms[stop][:-1]
        number = stop - 1 - (text.forms[stop] == ".")
        is_measured = number >= 0 and text.forms[number][-1].isdecimal() and UNITS.fullmatch(unit) is not None
        return is_measured and follows[0].isupper() and not ROMAN.fullmatch(follows)

    def _is_within(self, text, stop, after, first):
        """Whether no sentence can end at the word ``stop``, if there is no space before word ``after``."""
        forms = text.forms
        if (forms[stop][-1] == ":" or forms[stop][-1] in WITH_SPACE) and not UNSPACED.match(forms[first]):
            return True
        if after == stop + 1 or first > after:
            return False
        return bool(HIRAGANA.match(forms[first]) or SAYING.match("".join(forms[after : after + SAYS])))

    def _goes_on(self, text, before, stop, follows):
        """Whether a sentence goes on after the word ``before`` and a full stop, before a word with no small letter."""
        small = before.lower()
        if before in ("", "."):
            return False
        if self._is_title(before) or (SHORT.fullmatch(small) and small not in ("etc", "ecc")):
            return True
        if before.isdecimal():
            return self._is_ordinal(text, before, stop, follows)
        if follows[0].isnumeric() or ROMAN.fullmatch(follows):
            return any(pattern.fullmatch(small) for pattern in (BEFORE_NUMBERS, self.short_in_language))
        can_be_short = not _is_word(before) if len(before) == 1 else not before.isupper()
        is_short = can_be_short and self._is_short(small)
        return text.ends_otherwise(before, self.own_stops) or (is_short and not self._begins(follows))

    def _is_title(self, word):
        """Whether a word that is written so is a title, which has its full stop behind it."""
        in_language = self.titles_in_language.fullmatch(word if word.isupper() else word.lower())
        return in_language is not None or TITLED.fullmatch(word) is not None

    def _is_ordinal(self, text, number, stop, follows):
        """Whether a number with a full stop is an ordinal: not that of a page, as in "auf S. 12. Da", nor a year."""
        at = stop - (text.forms[stop] == ".")
        before = [form for form in text.forms[max(at - 2, 0) : at] if form != "."]
        has_stop = at > 0 and text.forms[at - 1][-1] == "."
        is_named = has_stop and before and BEFORE_NUMBERS.fullmatch(before[-1].removesuffix(".").lower())
        return self.ordinals and len(number) <= 2 and not self._begins(follows) and not is_named

    def _is_short(self, word):
        """Whether a word in small letters is an abbreviation: on a list, one letter, or without a vowel."""
        if SHORT.fullmatch(word) or self.short_in_language.fullmatch(word) or CASELESS.fullmatch(word):
            return True
        if not word.isalpha() or word.upper() == word or len(word) > 4:
            return False
        plain = _plain(word)
        if len(plain) == 1:
            return True
        is_known_script = plain.isascii() or all("а" <= letter <= "я" for letter in plain)
        has_syllabic = any(letter in "rlрл" for letter in plain[1:-1])  # as in Czech "vlk"
        return is_known_script and not has_syllabic and VOWELS.isdisjoint(plain)


def _before_stop(forms, stop, after):
    """The word before a full stop that stands alone, or that has taken it up: none before other marks."""
    if forms[stop] == ".":
        return forms[stop - 1] if stop and after == stop + 1 else ""
    return forms[stop][:-1] if ends_in_stop(forms[stop]) else ""


def _is_word(letter):
    """Whether one letter is a word and no initial: a small vowel with a mark, as in Irish "é"."""
    return letter.islower() and not letter.isascii() and _plain(letter) in VOWELS


def _plain(word):
    """A word without the marks on its letters."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _is_said(forms, stop, after):
    """Whether a verb of saying follows the quotation that ends before word ``after``, in a script without capitals."""
    if after == stop + 1 or not forms[after][0].isalpha() or forms[after][0].swapcase() != forms[after][0]:
        return False
    for form in forms[after : after + SAYS_SPACED]:
        if SAID.match(form) or not form[0].isalpha():
            return form[0].isalpha()
    return False


def ends_in_stop(form: str) -> bool:
    """Whether a word has taken up the full stop behind a number or mark, as some tokenisers have it: "1999."."""
    return len(form) > 1 and form[-1] == "." and not form[-2].isalpha() and form[-2] not in STOPS


class _Words:
    """The words of a text and the spaces between them."""

    def __init__(self, forms, starts, begins_small):
        self.forms, self.starts, self.begins_small, self._otherwise = forms, starts, begins_small, None

    def space_before(self, at):
        return self.starts[at] > self.starts[at - 1] + len(self.forms[at - 1])

    def closes(self, at, begin):
        """Whether word ``at`` is a closing mark, in a sentence that starts at word ``begin``."""
        form = self.forms[at]
        if not form.isascii() and EMOJIS.fullmatch(form):
            return not self.space_before(at)
        return self._closing_mark(at, begin)

    def behind_notes(self, at, stop):
        """The word behind the marks of notes that follow a stop without a space: "left.[1]", "left.²", "left.*"."""
        forms, end = self.forms, at
        while end < len(forms) and not self.space_before(end):
            if forms[end : end + 3 : 2] == ["[", "]"] and forms[end + 1].isdecimal():
                end += 3
            elif forms[end] in NOTE_MARKS or NOTES.fullmatch(forms[end]):
                end += 1
            else:
                return at
        return end if end < len(forms) and forms[stop][-1] not in ":;" else at

    def _closing_mark(self, at, begin):
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
        """The number of words ``begin`` to ``at - 1`` that are this quotation mark. O(log n) after the first call."""
        indices = self._straight[form]
        return bisect_left(indices, at) - bisect_left(indices, begin)

    @cached_property
    def _straight(self):
        """Indices of the straight quotation marks."""
        indices = {quote: [] for quote in STRAIGHT}
        for index, form in enumerate(self.forms):
            if form in STRAIGHT:
                indices[form].append(index)
        return indices

    @cached_property
    def _last_word(self):
        """The index of the last word or number, or -1."""
        return next((index for index in reversed(range(len(self.forms))) if self.forms[index][0].isalnum()), -1)

    def _touches_word(self, at):
        """Whether a word follows the mark ``at`` without a space."""
        return at + 1 < len(self.forms) and not self.space_before(at + 1) and self.forms[at + 1][0].isalnum()

    def first_word(self, at):
        """The index of the first word, number or symbol from ``at`` on, after opening marks, or None."""
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
        """Whether a mark opens regardless of its category: a quotation mark, or one of two commas written for „."""
        return (
            self.forms[at] in OPENERS
            or "".join(self.forms[at : at + 2]).startswith(",,")
            or (self.forms[at - 1 : at + 1] == [",", ","])
        )

    def goes_on_small(self, word):
        """Whether a word in small letters continues a sentence: not in a text without capitals, nor for file names."""
        return word.replace("-", "").replace("'", "").isalpha() and self.has_capitals

    def ends_otherwise(self, word, own_stops):
        """Whether a word with a full stop is an abbreviation, since sentences end with marks of its script's own."""
        if word.isascii() or (len(word) > OWN_SHORT and ":" not in own_stops):
            return False
        if self._otherwise is None:
            self._otherwise = sum(form[-1] in own_stops for form in self.forms) >= max(1, self.forms.count("."))
        return self._otherwise and not word[0].isnumeric() and ("։" in own_stops or word[0].swapcase() == word[0])

    @cached_property
    def has_capitals(self):
        """Whether the text's sentences begin with capitals."""
        if self.begins_small:
            return False
        forms, ends = self.forms, (index for index, form in enumerate(self.forms[:-1], 1) if form[-1] in STOPS)
        return forms[0][0].isupper() or any(forms[index][0].isupper() for index in ends)


def _is_small(letter):
    """Whether a letter is a small one of a script with capitals; Georgian text has none, although Unicode does."""
    return letter.islower() and not "\u10d0" <= letter <= "\u10ff"
