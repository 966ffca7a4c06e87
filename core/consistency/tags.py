"""The tagger's side of dual decomposition: sentences tagged again under multipliers on unknown words."""

import numpy as np

from core.offsets import offsets_of, selected_rows
from core.parsers import Tagger
from core.treebank import Treebank


class TagSolver:
    """A ``Solver`` whose blocks are sentences and whose shared decisions are the tags of some words.

    Multiplier ``v * T + t`` belongs to "word v has the tag t". Several texts, the test text first, count as one: their
    rows and sentences follow each other.

    Parameters
    ----------
    tagger : Tagger
    texts : list of Treebank
    rows : ndarray of shape (V,), dtype int64
        The words, ascending.

    Attributes
    ----------
    solution : ndarray of shape (all rows,), dtype int32
        Numbers of tags; -1 on root rows.
    sentences : ndarray of shape (V,), dtype int64
    outcomes : (offsets (V + 1,), entries)
        All tags of each word, those of the highest local scores first.
    """

    def __init__(self, tagger: Tagger, texts: list[Treebank], rows: np.ndarray):
        self.lattices = [tagger.lattice(text) for text in texts]
        self.tag_count = len(tagger.tags)
        self.first_rows = offsets_of([len(text.heads) for text in texts])
        self.first_sentences = offsets_of([len(text) for text in texts])
        ends = [text.offsets[1:] + first for text, first in zip(texts, self.first_rows[:-1], strict=True)]
        offsets = np.concatenate(([0], *ends))
        self.rows = rows
        self.sentences = np.asarray(np.searchsorted(offsets, rows, side="right") - 1)
        self.word_offsets = np.searchsorted(self.sentences, np.arange(len(offsets)))
        self.solution = np.full(offsets[-1], -1, dtype=np.int32)
        self.solution_blocks = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        self.values = np.zeros(len(offsets) - 1)
        self.choice = np.zeros(len(rows), dtype=np.int64)
        self.bonus = np.zeros((offsets[-1], self.tag_count))
        self.local = np.concatenate([lattice.local_scores() for lattice in self.lattices])[rows]
        order = np.argsort(-self.local, axis=1, kind="stable") + np.arange(len(rows))[:, None] * self.tag_count
        self.outcomes = np.arange(len(rows) + 1) * self.tag_count, order.reshape(-1)

    def margins(self) -> np.ndarray:
        """float64 (V,): by how much the local score of each word's best tag beats the second best."""
        if self.tag_count < 2:
            return np.zeros(len(self.rows))
        top = np.partition(self.local, -2, axis=1)[:, -2:]
        return top[:, 1] - top[:, 0]

    def losses(self) -> np.ndarray:
        """float64 (V * T,): by how much each tag's local score is below that of the word's best."""
        return (self.local - self.local.max(axis=1, keepdims=True)).reshape(-1)

    def argmax(self, multipliers: np.ndarray, blocks: np.ndarray, preferred: np.ndarray | None = None) -> None:
        """Tag these sentences under scores + multipliers (V * T,); see ``Solver``."""
        table = multipliers.reshape(-1, self.tag_count)
        words, _ = selected_rows(self.word_offsets, blocks)
        self.bonus[self.rows[words]] = table[words]
        for number, lattice in enumerate(self.lattices):
            first, last = self.first_sentences[number : number + 2]
            inside = blocks[(first <= blocks) & (blocks < last)] - first
            if len(inside):
                rows = slice(*self.first_rows[number : number + 2].tolist())
                into = self.solution[rows], self.values[first:last]
                lattice.decode(self.bonus[rows], sentences=inside, into=into)
        self.choice[words] = words * self.tag_count + self.solution[self.rows[words]]
