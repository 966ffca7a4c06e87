"""Candidate edges of text without trees, and the binary features of shimizu2007, Table 2.

An edge is two words of a sentence, head and modifier. Its features are the words at and beside both: six positions,
numbered ``SLOT_NAMES``. With ``tags`` the tags there are read too, and with ``distance`` direction and distance, which
are beyond the paper (its section 6 asks for tags).

Every feature belongs to the head's side, the modifier's or the slot of direction and distance alone. So a linear map of
an edge's features is a sum of a row for its head, one for its modifier and one for its slot: O(n) sums a sentence of n
words in place of O(n^2).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.languages.direction import SIDES
from core.offsets import offsets_of
from core.treebank import Treebank

SLOT_NAMES = ("head-1", "head", "head+1", "child-1", "child", "child+1")
BOUNDARY, ROOT, RARE = range(3)  # codes before those of words; rare and unknown words have no feature
SPECIAL = ("<boundary>", "<root>", "<rare>")
DISTANCES = (1, 2, 3, 4, 6, 11)  # lower ends of the bins


@dataclass(frozen=True, eq=False)
class Edges:
    """Pairs of words: rows of a treebank, int64 (E,) each."""

    heads: np.ndarray
    modifiers: np.ndarray

    def __len__(self):
        return len(self.heads)


def pair_counts(treebank: Treebank) -> np.ndarray:
    """int64 (S,): how many ordered pairs of two words each sentence has."""
    lengths = treebank.lengths.astype(np.int64)
    return lengths * (lengths - 1)


def sample_edges(treebank: Treebank, count: int, random: np.random.Generator) -> Edges:
    """Up to ``count`` ordered pairs of two words of one sentence, each pair of the text as likely, none twice.

    O(S + count). ``random`` is a numpy Generator.
    """
    pairs = pair_counts(treebank)
    ends = np.cumsum(pairs)
    total = int(ends[-1]) if len(ends) else 0
    drawn = np.arange(total) if total <= count else np.sort(random.choice(total, count, replace=False, shuffle=False))
    sentence = np.searchsorted(ends, drawn, side="right")
    within = drawn - (ends - pairs)[sentence]
    others = np.maximum(treebank.lengths - 1, 1)[sentence]
    head, modifier = within // others, within % others
    modifier += modifier >= head
    first = treebank.offsets[sentence] + 1
    return Edges(first + head, first + modifier)


@dataclass(frozen=True, eq=False)
class WordVocabulary:
    """The words, or tags, of a column that have features; ``words[code]``, three special ones first."""

    column: str
    words: tuple
    lowercase: bool = False

    first_word = len(SPECIAL)

    @classmethod
    def counted(
        cls, column: str, texts: Iterable[Counter[str]], minimum_count: int = 1, lowercase: bool = False
    ) -> "WordVocabulary":
        """The words that occur at least ``minimum_count`` times together in texts with these counts."""
        counts = Counter()
        for text in texts:
            for value, count in text.items():
                counts[value.lower() if lowercase else value] += count
        words = sorted(value for value, count in counts.items() if count >= minimum_count)
        return cls(column, (*SPECIAL, *words), lowercase)

    def contexts(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows, 3): the codes of each word's left neighbour, itself, its right neighbour."""
        number = {word: code for code, word in enumerate(self.words) if code >= self.first_word}
        column = getattr(treebank, self.column)
        values = [value.lower() if self.lowercase else value for value in column.values]
        codes = np.array([number.get(value, RARE) for value in values], dtype=np.int32)[column.ids]
        codes[treebank.offsets[:-1]] = ROOT
        result = np.empty((len(codes), 3), np.int32)
        result[1:, 0], result[:, 1], result[:-1, 2] = codes[:-1], codes, codes[1:]
        if len(codes):
            result[treebank.offsets[:-1], 0] = result[treebank.offsets[1:] - 1, 2] = BOUNDARY
        return result


@dataclass(frozen=True, eq=False)
class EdgeFeatures:
    """Numbered binary features of edges.

    Feature ``block(column, slot) + code`` is that code at that position. There are six blocks for each
    vocabulary, then one feature for each direction and distance where ``distance`` is asked for.
    """

    vocabularies: tuple
    distance: bool = False

    @property
    def blocks(self) -> np.ndarray:
        """int64: where each block begins, and their end."""
        return offsets_of([len(vocabulary.words) for vocabulary in self.vocabularies for _ in SLOT_NAMES])

    @property
    def count(self) -> int:
        """The number of features."""
        return int(self.blocks[-1]) + (2 * len(DISTANCES) if self.distance else 0)

    def contexts(self, treebank: Treebank) -> list[np.ndarray]:
        """One array of codes a vocabulary."""
        return [vocabulary.contexts(treebank) for vocabulary in self.vocabularies]

    def matrix(self, contexts: Sequence[np.ndarray], edges: Edges) -> "scipy.sparse.csr_matrix":
        """csr_matrix (E, F), float64: 1 where an edge has a feature. O(E)."""
        columns, has_feature, blocks = [], [], self.blocks
        for at, context in enumerate(contexts):
            for slot in range(len(SLOT_NAMES)):
                codes = context[edges.heads if slot < 3 else edges.modifiers, slot % 3]
                columns.append(blocks[6 * at + slot] + codes)
                has_feature.append(codes != RARE)
        if self.distance:
            columns.append(blocks[-1] + distance_slot(edges.heads, edges.modifiers))
            has_feature.append(np.ones(len(edges), bool))
        has_feature = np.stack(has_feature, axis=1)
        columns = np.stack(columns, axis=1)[has_feature].astype(np.int32)
        starts = offsets_of(has_feature.sum(axis=1))
        return scipy.sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(edges), self.count))

    def masked(self, slot: int) -> np.ndarray:
        """bool (F,): the features at a position, of whatever vocabulary."""
        hidden = np.zeros(self.count, bool)
        for at in range(len(self.vocabularies)):
            begin, end = self.blocks[6 * at + slot : 6 * at + slot + 2]
            hidden[begin:end] = True
        return hidden

    def name(self, feature: int) -> str:
        """As ``head+1=the``; tags as ``child:upos=DET``; ``distance 2 after its head``."""
        blocks = self.blocks
        if feature >= blocks[-1]:
            return distance_name(int(feature - blocks[-1]))
        block = int(np.searchsorted(blocks, feature, side="right")) - 1
        vocabulary = self.vocabularies[block // 6]
        column = "" if vocabulary.column == "form" else f":{vocabulary.column}"
        return f"{SLOT_NAMES[block % 6]}{column}={vocabulary.words[feature - blocks[block]]}"

    def projected(self, contexts: Sequence[np.ndarray], treebank: Treebank, table: np.ndarray) -> np.ndarray:
        """float32 (A, K): ``table`` (F, K) summed over the features of every edge of a text, packed as scores are.

        Root rows are heads too, as the word ``<root>``. O(rows·K) sums and O(A·K) additions.
        """
        heads, modifiers = self._sides(contexts, table)
        slots = table[self.blocks[-1] :].astype(np.float32)
        sides = treebank.lengths + 1
        values = np.empty((int((sides**2).sum()), table.shape[1]), np.float32)
        at = 0
        for begin, end in pairwise(treebank.offsets.tolist()):
            side = end - begin
            block = values[at : at + side * side].reshape(side, side, -1)
            np.add(heads[begin:end, None], modifiers[None, begin:end], out=block)
            if self.distance:
                places = np.arange(side)
                block += slots[distance_slot(places[:, None], places[None])]
            at += side * side
        return values

    def _sides(self, contexts, table):
        """float32 (rows, K) for words as heads, and as modifiers."""
        blocks = self.blocks
        sums = [np.zeros((len(contexts[0]), table.shape[1])) for _ in range(2)]
        for at, context in enumerate(contexts):
            for slot in range(len(SLOT_NAMES)):
                begin, end = blocks[6 * at + slot : 6 * at + slot + 2]
                rows = table[begin:end].copy()
                rows[RARE] = 0.0
                sums[slot // 3] += rows[context[:, slot % 3]]
        return [side.astype(np.float32) for side in sums]


def distance_slot(heads: np.ndarray, modifiers: np.ndarray) -> np.ndarray:
    """Numbers of direction and distance: modifiers before their heads first."""
    distance = np.abs(heads - modifiers)
    return np.searchsorted(DISTANCES, np.maximum(distance, 1), side="right") - 1 + len(DISTANCES) * (modifiers > heads)


def distance_name(slot: int) -> str:
    """As ``distance 4-5 before its head``."""
    low = DISTANCES[slot % len(DISTANCES)]
    following = DISTANCES[slot % len(DISTANCES) + 1 :]
    high = following[0] - 1 if following else None
    span = f"{low}+" if high is None else str(low) if high == low else f"{low}-{high}"
    return f"distance {span} {SIDES['right' if slot >= len(DISTANCES) else 'left']}"
