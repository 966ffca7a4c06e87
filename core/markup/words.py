"""Running text into words and sentences, with the place of each in the text.

Words are those of spaCy's tokeniser for the language. Where it works from space to space, as for most languages, each
distinct stretch between spaces is tokenised once and remembered. That gives the same words several times faster.

A sentence ends after ``.``, ``!``, ``?``, ``...`` and their like in other scripts, together with the quotation marks
and brackets that close right behind them. It goes on where no word follows, or one in lower case. A lone full stop ends
it all the same, for not everyone on the web writes capitals. Full stops that belong to an abbreviation or a number are
no words of their own for the tokeniser. They end a sentence only before a capital that a common word begins with: "in
the U.S. The". Titles before names never do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.offsets import offsets_of
from core.treebank.plain import LONGEST, BoundedTokenizer, blank_pipeline

TERMINAL = re.compile(r"[.!?…。！？؟۔।]+")
NO_SPACE_NEEDED = frozenset("。！？")
CLOSERS = frozenset("\"'”’»)]}")
OPENERS = frozenset("\"'“‘«([{`")
TITLES = re.compile(r"(mrs?|ms|messrs|dr|prof|rev|hon|st|gen|col|maj|capt|lt|cpl|sgt|gov|sen)\.")
# Words before a full stop of its own that does not end a sentence, always or before a number.
SHORT = re.compile(
    r"cf|vs|viz|eds?|trans|rev|hon|prof|gen|col|maj|capt|lt|sgt|gov|sen|messrs|al|approx|dept|univ|op|cit|ibid"
)
BEFORE_NUMBERS = re.compile(r"nos?|pp?|vols?|figs?|sect?|chap|ch|art|nr")
REMEMBERED = 200_000  # stretches of text
WHOLE = None, None  # of a stretch that is one word
APART = "  "  # over a single space spaCy's special cases reach into the next stretch, unless both are letters alone


@dataclass(slots=True)
class TokenizedText:
    """Words of a text and its sentences.

    ``forms[k]`` is ``text[starts[k] : starts[k] + len(forms[k])]``; ``ends`` counts the words up to the end of each
    sentence, so that sentence s holds words ``ends[s - 1]`` to ``ends[s] - 1``.
    """

    forms: list
    starts: list
    ends: list


class WordSplitter:
    """Splits single-spaced text of one language; remembers stretches it has seen.

    Raises WorkbenchError for a language that spaCy does not know or needs a package for.
    """

    def __init__(self, language: str = "en"):
        self.tokenizer, self.common, self.by_stretch = _tools(language)
        self.known, self.older = {}, {}

    def split(self, text: str) -> TokenizedText:
        """The ``TokenizedText`` of a text."""
        if not text:
            return TokenizedText([], [], [])
        if self.by_stretch:
            forms, starts = self._stretches(text)
        else:
            tokens = [token for token in self.tokenizer(text) if not token.is_space]
            forms, starts = [token.text for token in tokens], [token.idx for token in tokens]
        return TokenizedText(forms, starts, self._sentence_ends(forms, starts))

    def learn(self, texts: Iterable[str]) -> None:
        """Tokenise the stretches of several texts that were not seen before, all in one go: a call has its price."""
        if not self.by_stretch:
            return
        if len(self.known) > REMEMBERED:  # what is met once in a while stays, the rest is forgotten by and by
            self.known, self.older = {}, self.known
        new = set().union(*(text.split(" ") for text in texts)).difference(self.known)
        for stretch in new.intersection(self.older):
            self.known[stretch] = self.older[stretch]
        new.difference_update(self.older)
        self.known.update((stretch, WHOLE) for stretch in new if len(stretch) > LONGEST)  # it is data, and one word
        stretches = [stretch for stretch in new if len(stretch) <= LONGEST]
        self._tokenise([stretch for stretch in stretches if stretch.isalpha()], " ")
        self._tokenise([stretch for stretch in stretches if not stretch.isalpha()], APART)

    def _tokenise(self, stretches, between):
        """Remember the words of some stretches."""
        if not stretches:
            return
        found = self.tokenizer(between.join(stretches)).to_array(["LENGTH", "SPACY", "IS_SPACE"]).astype(np.int64)
        is_word = found[:, 2] == 0
        lengths, starts = found[is_word, 0], offsets_of(found[:, 0] + found[:, 1])[:-1][is_word]
        begins = offsets_of([len(stretch) + len(between) for stretch in stretches])
        firsts = np.searchsorted(starts, begins).tolist()
        for number, stretch in enumerate(stretches):
            first, last = firsts[number], firsts[number + 1]
            if last - first == 1:
                self.known[stretch] = WHOLE
                continue
            offsets = (starts[first:last] - begins[number]).tolist()
            pieces = zip(offsets, lengths[first:last].tolist(), strict=True)
            self.known[stretch] = [stretch[offset : offset + length] for offset, length in pieces], offsets

    def _stretches(self, text):
        stretches, known = text.split(" "), self.known
        if not known.keys() >= set(stretches):
            self.learn([text])
        known, forms, starts, place = self.known, [], [], 0
        for stretch in stretches:
            found, offsets = known[stretch]
            if offsets is None:
                forms.append(stretch)
                starts.append(place)
            else:
                forms += found
                starts += [place + offset for offset in offsets]
            place += len(stretch) + 1
        return forms, starts

    def _sentence_ends(self, forms, starts):
        """For each sentence the number of words up to its end."""
        ends, count, at = [], len(forms), 0
        while at < count:
            form = forms[at]
            at += 1
            if form[-1] not in ".!?…。！？؟۔।":
                continue
            own = TERMINAL.fullmatch(form) is not None
            while at < count and forms[at] in CLOSERS and starts[at] == starts[at - 1] + len(forms[at - 1]):
                at += 1
            if at < count and self._ends(forms, starts, at, form, own):
                ends.append(at)
        if count:
            ends.append(count)
        return ends

    def _ends(self, forms, starts, at, form, own):
        """Whether a sentence ends before word ``at``, behind ``form``: a stop of its ``own``, or with one in it."""
        if form[-1] not in NO_SPACE_NEEDED and starts[at] == starts[at - 1] + len(forms[at - 1]):
            return False
        first = at
        while first < len(forms) and forms[first] in OPENERS:
            first += 1
        if not "".join(forms[first : first + 1])[:1].isalnum():
            return False
        if not own:
            return not TITLES.fullmatch(form.lower()) and forms[first] in self.common
        before = forms[at - 2].lower() if form == "." and at > 1 and forms[at - 1] == form else ""
        if SHORT.fullmatch(before):
            return False
        if forms[first][0].islower():
            return first == at and before not in ("", ".")
        return not (BEFORE_NUMBERS.fullmatch(before) and forms[first][0].isdigit())


@cache
def _tools(language):
    """(tokeniser, capitalised common words, whether the tokeniser works from space to space) of a language."""
    pipeline = blank_pipeline(language)
    tokenizer = pipeline.tokenizer
    common = frozenset(word.capitalize() for word in pipeline.Defaults.stop_words if word.isalpha())
    by_rules = isinstance(tokenizer, BoundedTokenizer)
    by_stretch = by_rules and all(len(rule.split()) <= 1 for rule in tokenizer.inner.rules)
    return tokenizer, common, by_stretch
