"""What a universal parser learns from finished sentences: corrections, and how far to trust other parses.

While somebody annotates, corrections are held back where they would not help.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.learnt import has_heads
from core.parsers.universal.other_parses import OtherParses, learn_relation_trusts, learn_trusts
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank

AT_ONCE = 5  # finished sentences after which it is learnt anew


def helped(parser: UniversalParser, finished: Treebank) -> UniversalParser:
    """The parser corrected by finished sentences; as it is, where corrections would not have helped on these.

    Each half of the sentences is parsed by what is learnt from the other half. Corrections count where more heads are
    right than without, by more than a standard error: the root of the sum of the sentences' squared differences.
    O(sum of n^2), some two hundred times.
    """
    is_even = np.arange(len(finished)) % 2 == 0
    gains = [_gains(parser, finished.select(part), finished.select(~part)) for part in (is_even, ~is_even)]
    gained = np.concatenate(gains)
    return parser.adapted(finished) if gained.sum() > np.sqrt((gained**2).sum()) else parser


def _gains(parser, trees, tested):
    """How many more heads of each sentence of a text are right once the parser has learnt from trees."""
    words = trees.without_punctuation()
    if not len(tested) or not (words.heads[words.is_word] >= 0).any():
        return np.zeros(len(tested), np.int64)
    return _right(parser.adapted(trees), tested) - _right(parser, tested)


def _right(parser, text):
    """How many heads of words that are no marks are right in each sentence."""
    known = (text.heads >= 0) & ~text.punctuation()
    return np.add.reduceat(((parser.best_heads(text) == text.heads) & known).astype(np.int64), text.offsets[:-1])


@dataclass(frozen=True, eq=False)
class BesideParses:
    """A universal parser that learns from trees beside other parses of its text."""

    parser: UniversalParser
    parses: Sequence[Treebank]

    def adapted(self, trees: Treebank) -> UniversalParser:
        """The parser corrected by checked trees, with the trusts of the other parses that fit them best.

        Heads that are not known are -1. What it had learnt from other trees is forgotten. O(sum of n^2), some eighty
        times for the trees and each half of them. Raises WorkbenchError where no head is known.
        """
        words = trees.without_punctuation()
        words = words.select(has_heads(words))
        parts = np.arange(len(words)) % 2 == 0
        halves = [(words.select(~part), words.select(part)) for part in (parts, ~parts) if part.any()]
        judges = [(self.parser.adapted(taught) if len(taught) else self.parser, judged) for taught, judged in halves]
        arcs = [(judged, parser.log_probabilities(judged)) for parser, judged in judges]
        heads = [(judged, each.like(each.values * self.parser.temperature)) for judged, each in arcs]
        relations = [(judged, parser.judged_relations(judged)) for parser, judged in judges]
        others = learn_trusts(OtherParses.of(self.parses), heads)
        return self.parser.adapted(trees).beside(learn_relation_trusts(others, relations, self.parser.relations))
