"""Running text into words and sentences, with the place of each in the text.

Words are those of spaCy's tokeniser for the language. Where it works from space to space, as for most languages, each
distinct stretch between spaces is tokenised once and remembered, which gives the same words several times faster.

A sentence ends after ``.``, ``!``, ``?``, ``...`` and their like in other scripts, together with the quotation marks
and brackets that close right behind them, unless what follows is no word or begins in lower case; a lone full stop ends
it all the same, for not everyone on the web writes capitals. Full stops that belong to an abbreviation or a number are
no words of their own for the tokeniser, and end a sentence only before a capital that a common word begins with: "in
the U.S. The". Titles before names never do.
"""

import re
from dataclasses import dataclass
from functools import cache

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


@dataclass(slots=True)
class Words:
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
        self.known = {}

    def split(self, text: str) -> Words:
        """The ``Words`` of a text."""
        if not text:
            return Words([], [], [])
        forms, starts = self._stretches(text) if self.by_stretch else self._tokens(text)
        return Words(forms, starts, self._sentence_ends(forms, starts))

    def _stretches(self, text):
        stretches, known = text.split(" "), self.known
        if len(known) > REMEMBERED:
            known.clear()
        self._learn([stretch for stretch in stretches if stretch not in known])
        forms, starts, place = [], [], 0
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

    def _learn(self, stretches):
        """Tokenise stretches not seen before, all in one go: a call costs more than a word."""
        if not stretches:
            return
        distinct = dict.fromkeys(stretches)
        stretches = [stretch for stretch in distinct if len(stretch) <= LONGEST]  # beyond it is data, and one word
        self.known.update((stretch, (None, None)) for stretch in distinct if len(stretch) > LONGEST)
        tokens = iter([(token.text, token.idx) for token in self.tokenizer(" ".join(stretches)) if not token.is_space])
        place = 0
        for stretch in stretches:
            end = place + len(stretch)
            found, offsets = [], []
            while not offsets or place + offsets[-1] + len(found[-1]) < end:
                form, start = next(tokens)
                found.append(form)
                offsets.append(start - place)
            self.known[stretch] = (None, None) if len(found) == 1 else (found, offsets)
            place = end + 1

    def _tokens(self, text):
        tokens = [token for token in self.tokenizer(text) if not token.is_space]
        return [token.text for token in tokens], [token.idx for token in tokens]

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
        if first == len(forms) or not forms[first][0].isalnum():
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
