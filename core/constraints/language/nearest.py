"""The known value that is spelt most like an unknown one: ``difflib.get_close_matches``, but faster.

``difflib`` compares a word with all values. Here letters are counted first: the number of letters that two words share
bounds their similarity, which rules out most values.
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
        keys = letters * count + np.repeat(np.arange(len(values)), self.lengths)
        keys, self._counts = np.unique(keys, return_counts=True)
        self._letters, self._owners = np.divmod(keys, count)

    def nearest(self, word: str, least: float) -> str | None:
        """``difflib.get_close_matches(word, values, 1, least)``, None where that is empty.

        O(values that share letters with it), and a comparison with each value that may be the nearest.
        """
        shared = np.zeros(len(self.values), np.int64)  # letters that each value has in common with the word
        for letter, count in Counter(word).items():
            begin, end = np.searchsorted(self._letters, [ord(letter), ord(letter) + 1])
            shared[self._owners[begin:end]] += np.minimum(self._counts[begin:end], count)
        bounds = 2.0 * shared / (self.lengths + len(word))
        order = np.flatnonzero(bounds >= least)
        matcher, best = SequenceMatcher(), (-1.0, "")
        matcher.set_seq2(word)
        for index in order[np.argsort(-bounds[order], kind="stable")].tolist():
            if bounds[index] < best[0]:
                break
            matcher.set_seq1(self.values[index])
            similarity = matcher.ratio()
            if similarity >= least:
                best = max(best, (similarity, self.values[index]))
        return str(best[1]) or None
