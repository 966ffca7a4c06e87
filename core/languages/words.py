"""Splits running text into words and sentences, with their offsets.

Words are those of the language's tokeniser (``tokenisers``). If it splits each stretch between spaces by itself, as for
most languages, each distinct stretch is tokenised once and cached. That gives the same words several times faster.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.languages.abbreviations import UNITS
from core.languages.marks import UNSPACED
from core.languages.sentences import SentenceEnds, ends_in_stop
from core.languages.tokenisers import LONGEST, cutting_of
from core.offsets import offsets_of

CACHED = 200_000  # stretches of text
WHOLE = None  # the value of a stretch that is one word
APART = "  "  # since spaCy's special cases reach over a single space, except between stretches of letters


@dataclass(slots=True)
class TokenizedText:
    """The words and sentences of a text.

    ``forms[k]`` is ``text[starts[k] : starts[k] + len(forms[k])]``; ``ends`` counts the words up to the end of each
    sentence, so that sentence s holds words ``ends[s - 1]`` to ``ends[s] - 1``.
    """

    forms: list
    starts: list
    ends: list


def _with_stops(forms, starts, ends):
    """The words of sentences, those at their ends with the stop apart: a unit of one letter, or a number.

    Tokenisers take these for initials and ordinals: "Il part à 10 h.", "Rodil se je leta 1999.".
    """
    found = []
    for end in ends:
        while end > 1 and not any(map(str.isalnum, forms[end - 1])):  # quotation marks and brackets
            end -= 1
        is_unit = end > 1 and _is_unit(forms[end - 1]) and forms[end - 2][-1].isdecimal()
        if is_unit or (end > 0 and ends_in_stop(forms[end - 1])):
            found.append(end)
    for end in reversed(found):
        form = forms[end - 1]
        starts.insert(end, starts[end - 1] + len(form) - 1)
        forms[end - 1 : end] = form[:-1], "."
    return TokenizedText(forms, starts, [end + bisect_right(found, end) for end in ends])


def _is_unit(form):
    return len(form) == 2 and form[1] == "." and UNITS.fullmatch(form[0]) is not None


class WordSplitter:
    """Splits single-spaced text of one language; caches the words of each stretch.

    ``language`` is a code of ``names.language_code``.
    """

    def __init__(self, language: str):
        cutting = cutting_of(language)
        self.language, self.tokenizer, self.by_stretch = language, cutting.tokenizer, cutting.by_stretch
        self.ends = SentenceEnds(language, cutting.common)
        self.known, self.older = {}, {}

    def split(self, text: str) -> TokenizedText:
        """The ``TokenizedText`` of a text."""
        if not text:
            return TokenizedText([], [], [])
        if self.by_stretch:
            forms, starts = self._stretches(text)
        else:
            forms, starts = self._tokens(text)
        return _with_stops(forms, starts, self.ends.of(forms, starts))

    def split_whole(self, text: str) -> TokenizedText:
        """Split a text as ``split`` does, without the cache, and without taking long stretches for data."""
        forms, starts = self._tokens(text)
        return _with_stops(forms, starts, self.ends.of(forms, starts))

    def _tokens(self, text):
        tokens = [token for token in self.tokenizer(text) if not token.is_space]
        return [token.text for token in tokens], [token.idx for token in tokens]

    def learn(self, texts: Iterable[str]) -> None:
        """Tokenise the new stretches of several texts in one call, since each call takes time."""
        if not self.by_stretch:
            return
        if len(self.known) > CACHED:  # stretches that are not met again are forgotten
            self.known, self.older = {}, self.known
        new = set().union(*(text.split(" ") for text in texts)).difference(self.known)
        for stretch in new.intersection(self.older):
            self.known[stretch] = self.older[stretch]
        new.difference_update(self.older)
        for stretch in [stretch for stretch in new if len(stretch) > LONGEST]:
            self.known[stretch] = self._long(stretch)
        stretches = [stretch for stretch in new if len(stretch) <= LONGEST]
        self._tokenise([stretch for stretch in stretches if stretch.isalpha()], " ")
        self._tokenise([stretch for stretch in stretches if not stretch.isalpha()], APART)

    def _tokenise(self, stretches, between):
        """Cache the words of some stretches."""
        if not stretches:
            return
        tokens = self.tokenizer(between.join(stretches)).to_array(["LENGTH", "SPACY", "IS_SPACE"]).astype(np.int64)
        is_word = tokens[:, 2] == 0
        lengths, starts = tokens[is_word, 0], offsets_of(tokens[:, 0] + tokens[:, 1])[:-1][is_word]
        stretch_starts = offsets_of([len(stretch) + len(between) for stretch in stretches])
        firsts = np.searchsorted(starts, stretch_starts).tolist()
        for number, stretch in enumerate(stretches):
            first, last = firsts[number], firsts[number + 1]
            if last - first == 1:
                self.known[stretch] = WHOLE
                continue
            offsets = (starts[first:last] - stretch_starts[number]).tolist()
            pieces = zip(offsets, lengths[first:last].tolist(), strict=True)
            self.known[stretch] = [stretch[offset : offset + length] for offset, length in pieces], offsets

    def _long(self, stretch):
        """The words of a long stretch: one word (probably data), except in a script without spaces."""
        if not UNSPACED.search(stretch):
            return WHOLE
        forms, starts = self._tokens(stretch)
        return (forms, starts) if len(forms) > 1 else WHOLE

    def _stretches(self, text):
        stretches, known = text.split(" "), self.known
        if not known.keys() >= set(stretches):
            self.learn([text])
        known, forms, starts, position = self.known, [], [], 0
        for stretch in stretches:
            words = known[stretch]
            if words is WHOLE:
                forms.append(stretch)
                starts.append(position)
            else:
                pieces, offsets = words
                forms += pieces
                starts += [position + offset for offset in offsets]
            position += len(stretch) + 1
        return forms, starts
