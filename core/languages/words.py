"""Running text into words and sentences, with the place of each in the text.

Words are those of the language's tokeniser (``tokenisers``). Where it works from space to space, as for most languages,
each distinct stretch between spaces is tokenised once and remembered. That gives the same words several times faster.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.languages.marks import UNSPACED
from core.languages.sentences import SentenceEnds
from core.languages.tokenisers import LONGEST, cutting_of
from core.offsets import offsets_of

REMEMBERED = 200_000  # stretches of text
WHOLE = None  # the value of a stretch that is one word
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

    ``language`` is a code, as ``names.language_code`` gives it.
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
        return TokenizedText(forms, starts, self.ends.of(forms, starts))

    def split_whole(self, text: str) -> TokenizedText:
        """Split a text as ``split`` does, but remember nothing, and take no long stretch without a space for data."""
        forms, starts = self._tokens(text)
        return TokenizedText(forms, starts, self.ends.of(forms, starts))

    def _tokens(self, text):
        tokens = [token for token in self.tokenizer(text) if not token.is_space]
        return [token.text for token in tokens], [token.idx for token in tokens]

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
        for stretch in [stretch for stretch in new if len(stretch) > LONGEST]:
            self.known[stretch] = self._long(stretch)
        stretches = [stretch for stretch in new if len(stretch) <= LONGEST]
        self._tokenise([stretch for stretch in stretches if stretch.isalpha()], " ")
        self._tokenise([stretch for stretch in stretches if not stretch.isalpha()], APART)

    def _tokenise(self, stretches, between):
        """Remember the words of some stretches."""
        if not stretches:
            return
        tokens = self.tokenizer(between.join(stretches)).to_array(["LENGTH", "SPACY", "IS_SPACE"]).astype(np.int64)
        is_word = tokens[:, 2] == 0
        lengths, starts = tokens[is_word, 0], offsets_of(tokens[:, 0] + tokens[:, 1])[:-1][is_word]
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

    def _long(self, stretch):
        """The words of a long stretch: data, and one word, but in a script without spaces."""
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
