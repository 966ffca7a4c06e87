"""Which heads rules about heads allow, in any tree of each sentence of a text."""

from functools import cache

import numpy as np

from core.compilation.kernels import kernel
from core.rules.coverage import RuleText
from core.rules.rule import AFTER, SIDES, HeadRule

FAR = 1 << 40  # words; no sentence is so long


class AllowedHeads:
    """The words of a text, and its roots, that rules allow as heads; kept for each rule.

    Parameters
    ----------
    text : RuleText
    """

    def __init__(self, text: RuleText):
        self.text = text
        self._offsets = text.treebank.offsets
        self._allowed = cache(self._allowed_rows)

    def without(self, rows: np.ndarray, *rules: HeadRule) -> np.ndarray:
        """bool: which of some rows have no other word of their sentence, nor its root, that all rules allow as head.

        Of heads with ``under`` some may be taken for allowed that are not. O(rows of the text) bits, and for each row
        given as far as its nearest allowed head.
        """
        sides = {rule.side for rule in rules} - {""}
        if len(sides) == len(SIDES):
            return np.ones(len(rows), bool)
        allowed = self._allowed(rules[0])
        for rule in rules[1:]:
            allowed = allowed & self._allowed(rule)
        side = 0 if not sides else 1 if AFTER in sides else -1
        farthest = min(rule.farthest or FAR for rule in rules)
        return _headless(rows, self._offsets, allowed, side, farthest)

    def _allowed_rows(self, rule):
        """bool (rows,): what a rule allows as head, wherever it stands."""
        text, offsets = self.text, self._offsets
        allowed = text.types_as(rule.head)[text.types]
        if rule.word.under is not None:
            allowed &= text.fitting_types(rule.word.under)[text.types]
        if rule.head.under is not None:
            above = text.fitting_types(rule.head.under)[text.types]
            sums = np.concatenate(([0], np.cumsum(above)))[offsets]
            allowed &= text.is_word & (np.repeat(np.diff(sums), np.diff(offsets)) > above)
        return allowed


@kernel
def _headless(rows, offsets, allowed, side, farthest):
    """bool: which of ``rows``, ascending, have no allowed row within reach on a side: 1 after, -1 before, 0 either."""
    marks, sentence = np.empty(len(rows), np.bool_), 0
    for k in range(len(rows)):
        row = rows[k]
        while offsets[sentence + 1] <= row:
            sentence += 1
        found = False
        if side <= 0:
            other, last = row - 1, max(offsets[sentence], row - farthest)
            while other >= last and not found:
                found = allowed[other]
                other -= 1
        if side >= 0:
            other, last = row + 1, min(offsets[sentence + 1] - 1, row + farthest)
            while other <= last and not found:
                found = allowed[other]
                other += 1
        marks[k] = not found
    return marks
