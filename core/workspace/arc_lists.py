"""Arcs of a text as rows of a table that opens their sentences."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.constraints.authoring.attribution import HeadChanges
from core.treebank import Treebank
from core.workspace.annotate.lists import ticks
from core.workspace.wording import around, word_name

MOST = 300  # rows listed at once; pages show the total count beside the list


@dataclass(frozen=True, eq=False)
class ListedArcs:
    """K words of a text, each with one head or two.

    Attributes
    ----------
    sentences, modifiers : ndarrays of shape (K,), dtype int64
    heads, others : ndarrays of shape (K,), dtype int64
        -1 stands for no head. ``others`` is None where each word has one head.
    """

    sentences: np.ndarray
    modifiers: np.ndarray
    heads: np.ndarray
    others: np.ndarray | None = None

    def __len__(self):
        return len(self.sentences)

    def within(self, indices: ArrayLike) -> "ListedArcs":
        """The arcs of the sentences at ``indices`` of the treebank."""
        mask = np.isin(self.sentences, np.asarray(indices, np.int64))
        others = None if self.others is None else self.others[mask]
        return ListedArcs(self.sentences[mask], self.modifiers[mask], self.heads[mask], others)

    @property
    def sentence_count(self) -> int:
        """How many sentences the words stand in."""
        return len(np.unique(self.sentences))


def arcs_of_rows(
    treebank: Treebank, rows: ArrayLike, heads: np.ndarray, others: np.ndarray | None = None
) -> ListedArcs:
    """The arcs of the words in some rows of a treebank; ``heads`` and ``others`` have its ``heads``' layout."""
    rows = np.asarray(rows, dtype=np.int64)
    sentences = np.searchsorted(treebank.offsets, rows, side="right") - 1
    others = None if others is None else others[rows].astype(np.int64)
    return ListedArcs(sentences, rows - treebank.offsets[sentences], heads[rows].astype(np.int64), others)


def arcs_of_positions(arc_offsets: np.ndarray, positions: ArrayLike) -> ListedArcs:
    """The arcs at positions of the packed layout of ``PackedScores``, such as those of ``Matches.of``."""
    positions = np.asarray(positions, dtype=np.int64)
    sentences = np.searchsorted(arc_offsets, positions, side="right") - 1
    sides = np.rint(np.sqrt(np.diff(arc_offsets)[sentences])).astype(np.int64)
    within = positions - arc_offsets[sentences]
    return ListedArcs(sentences, within % sides, within // sides)


def arcs_of_changes(changes: HeadChanges) -> ListedArcs:
    """The arcs that a constraint decides: the head without it, then with it."""
    return ListedArcs(changes.sentences, changes.modifiers, changes.heads_without, changes.heads_with)


def arc_table(treebank: Treebank, arcs: ListedArcs, most: int = MOST, done: Collection[int] = ()) -> dict[str, list]:
    """Columns of a table over the first ``most`` arcs: sentence number (from 1), word, head, other head, words around.

    Words of sentences of the text that are ``done``, by their indices, are ticked.
    """
    numbers = np.asarray(treebank.picks)[arcs.sentences[:most]] + 1  # in the text, of which the treebank may be a part
    rows = {"done": ticks(numbers - 1, done), "sentence": numbers.tolist(), "word": [], "head": [], "other": []}
    rows["around"] = []
    sentences = {}
    for k in range(min(len(arcs), most)):
        index = int(arcs.sentences[k])
        sentence = sentences.setdefault(index, treebank[index])
        rows["word"].append(word_name(sentence, int(arcs.modifiers[k])))
        rows["head"].append(_head(sentence, int(arcs.heads[k])))
        rows["around"].append(around(sentence.forms, int(arcs.modifiers[k])))
        if arcs.others is not None:
            rows["other"].append(_head(sentence, int(arcs.others[k])))
    if arcs.others is None:
        del rows["other"]
    return rows


def trees_of(arcs: ListedArcs, heads: np.ndarray, sentence: int, begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Two trees of one sentence, (n + 1,) each: ``heads``, and the same with the first head of each of its arcs."""
    after = np.array(heads[begin:end])
    before = after.copy()
    mask = arcs.sentences == sentence
    before[arcs.modifiers[mask]] = arcs.heads[mask]
    return before, after


def _head(sentence, number):
    return "no head" if number < 0 else word_name(sentence, number)
