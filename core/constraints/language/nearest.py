"""The known value that is spelt most like an unknown one: what ``difflib.get_close_matches`` says, without its time.

``difflib`` compares a word with all values. Here letters are counted first: how many two words share bounds how alike
they can be, and most values are ruled out by that.
"""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np


class Spellings:
    """The letters of some distinct values, none of them empty. O(characters)."""

    def __init__(self, values: Sequence[str]):
        self.values, count = values, max(len(values), 1)
        self.lengths = np.fromiter(map(len, values), np.int64, len(values))
        letters = np.frombuffer("".join(values).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
        places = letters * count + np.repeat(np.arange(len(values)), self.lengths)
        places, self._times = np.unique(places, return_counts=True)
        self._letters, self._owners = np.divmod(places, count)

    def nearest(self, word: str, least: float) -> str | None:
        """``difflib.get_close_matches(word, values, 1, least)``, None where that is empty.

        O(values that share letters with it), and a comparison with each value that may be the nearest.
        """
        bounds = 2.0 * self._shared(word) / (self.lengths + len(word))
        order = np.flatnonzero(bounds >= least)
        matcher, best = SequenceMatcher(), (-1.0, "")
        matcher.set_seq2(word)
        for place in order[np.argsort(-bounds[order], kind="stable")].tolist():
            if bounds[place] < best[0]:
                break
            matcher.set_seq1(self.values[place])
            alike = matcher.ratio()
            if alike >= least:
                best = max(best, (alike, self.values[place]))
        return str(best[1]) or None

    def _shared(self, word):
        """How many letters each value has in common with a word, each as often as both have it."""
        shared = np.zeros(len(self.values), np.int64)
        for letter, times in Counter(word).items():
            begin, end = np.searchsorted(self._letters, [ord(letter), ord(letter) + 1])
            shared[self._owners[begin:end]] += np.minimum(self._times[begin:end], times)
        return shared
