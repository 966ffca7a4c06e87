"""Scores of the parts of all trees of a text, to which a caller may add before trees are decoded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, overload

import numpy as np

from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.treebank import Treebank
from core.trees import (
    Bracket,
    PackedHeads,
    PackedScores,
    PackedTrees,
    PackedTriples,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
)
from core.trees import maximum_spanning_tree as spanning_tree
from core.trees.bracket_charts import bracketed_eisner


class Held(NamedTuple):
    """Brackets that the trees of a sentence keep, and the level at which they do; some tree does."""

    brackets: tuple[Bracket, ...]
    level: str


Decode = Callable[[np.ndarray], tuple[float, np.ndarray]]  # arc scores of a sentence -> value and heads of a best tree


@dataclass(frozen=True, eq=False)
class ParserScores:
    """Scores of the parts of all trees of S sentences; arrays are the holder's own, to add to as it likes.

    Attributes
    ----------
    arcs : PackedScores
    siblings, grandparents : PackedTriples or None
        As ``eisner_sibling`` and ``eisner_grandparent`` take them.
    projective : bool
        Which trees compete.
    labels : ndarray of shape (A,), dtype int16, or None
        Number of the best relation of each arc, packed like the arcs, where the parser chooses relations arc by arc.
        Its score is part of the arc's.
    held : mapping of int to Held
        What trees keep, by the number of the sentence; only where they are projective and have no parts but arcs.
    """

    arcs: PackedScores
    siblings: PackedTriples | None = None
    grandparents: PackedTriples | None = None
    projective: bool = True
    labels: np.ndarray | None = None
    held: Mapping[int, Held] = field(default_factory=dict)

    def __len__(self):
        return len(self.arcs)

    def select(self, indices: np.ndarray) -> "ParserScores":
        """Copies of the scores of some sentences, in this order."""
        indices = np.asarray(indices)
        indices = np.flatnonzero(indices) if indices.dtype == bool else indices.astype(np.int64)
        labels = None
        if self.labels is not None:
            labels, _ = _gathered(self.labels, self.arcs.offsets, indices)
        siblings, grandparents = (
            None if packed is None else PackedTriples(*_gathered(packed.values, packed.offsets, indices))
            for packed in (self.siblings, self.grandparents)
        )
        arcs = PackedScores(*_gathered(self.arcs.values, self.arcs.offsets, indices))
        held = {place: self.held[number] for place, number in enumerate(indices.tolist()) if number in self.held}
        return ParserScores(arcs, siblings, grandparents, self.projective, labels, held)

    def decode(self, *, threads: int | None = None, errors: str = "raise") -> PackedHeads:
        """Heads of the best trees, one root each: PackedHeads. Exact; ``errors`` as the decoders have it."""
        trees = best_trees(self.arcs, self.siblings, self.grandparents, self.projective, threads=threads, errors=errors)
        for number in self.held:
            trees[number][:] = self.best(number, self.arcs[number])
        return trees

    def best(self, number: int, arcs: np.ndarray) -> np.ndarray:
        """The heads (n + 1,) of the best tree of a sentence under other scores of arcs, (n + 1, n + 1)."""
        if number in self.held:
            return bracketed_eisner(arcs, *self.held[number], threads=1)
        siblings, grandparents = (None if cube is None else cube[number] for cube in (self.siblings, self.grandparents))
        return best_trees(arcs, siblings, grandparents, self.projective)

    def decoder(self) -> Decode:
        """A function from other arc scores of one sentence to (value, heads) of its best tree; -inf if there is none.

        These are the scores of that sentence; their siblings and grandparents stay.
        """

        def decode(matrix: np.ndarray) -> tuple[float, np.ndarray]:
            other = replace(self, arcs=PackedScores.from_matrices([matrix]))
            if self.projective:
                tree = other.kbest(1, threads=1, errors="mark")
                return float(tree.values[0, 0]), tree.heads
            heads = other.decode(threads=1, errors="mark").values
            modifiers = np.arange(1, len(heads))
            return (float(matrix[heads[1:], modifiers].sum()) if (heads[1:] >= 0).all() else -np.inf), heads

        return decode

    def chosen_labels(self, heads: np.ndarray) -> np.ndarray:
        """int16 (rows,): the numbers of the relations that trees take, given as heads in packed order; -1 for roots."""
        if self.labels is None:
            raise WorkbenchError('these scores have no relation for each arc; train the parser with labels="joint"')
        sides = self.arcs.sides
        ends = np.cumsum(sides)
        starts = ends - sides
        modifiers = np.arange(ends[-1]) - np.repeat(starts, sides)
        heads = np.asarray(getattr(heads, "values", heads)).astype(np.int64)
        labels = self.labels[np.repeat(self.arcs.offsets[:-1], sides) + heads * np.repeat(sides, sides) + modifiers]
        labels[starts] = -1
        return labels

    def kbest(self, k: int, *, threads: int | None = None, errors: str = "raise") -> PackedTrees:
        """The k best projective trees of each sentence, brackets not looked at: PackedTrees."""
        return eisner_kbest(self.arcs, k, self.siblings, self.grandparents, threads=threads, errors=errors)


class LabelledScores(NamedTuple):
    """Scores of the arcs of a sentence of n words and of R relations, which have names.

    Attributes
    ----------
    arcs : ndarray of shape (n + 1, n + 1), dtype float64
        Indexed [head, modifier]; -inf for arcs that there are not.
    labels : ndarray of shape (n + 1, n + 1, R), dtype float64
        -inf for relations that an arc cannot have; all are where there is no arc.
    names : tuple of str
        Of the relations.
    decode : callable
        Gives (value, heads (n + 1,)) of a best tree under arc scores in place of ``arcs``, some of them lower. The
        value is -inf if there is none.
    """

    arcs: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]
    decode: Decode


@dataclass(frozen=True, eq=False)
class ScoredWords:
    """The words that a parser draws trees of, under its trees, and the scores of all labelled trees of them.

    Without rules the best of these is the parser's own.

    Attributes
    ----------
    words : Treebank
        The text, or its words without punctuation.
    names : tuple of str
        The R relations.
    arcs : callable
        Takes the number of a sentence; returns ``arcs`` and ``decode`` of its LabelledScores.
    labels : callable
        Takes the number of a sentence, heads (n + 1,), and whether every arc is asked for or those of the heads alone;
        returns ``labels``. A parser that looks at the other arcs of a tree scores relations among these.
    in_text : callable
        Takes other heads (rows,) and relations of ``words``; returns the whole text under these trees.
    """

    words: Treebank
    names: tuple[str, ...]
    arcs: Callable[[int], tuple[np.ndarray, Decode]]
    labels: Callable[[int, np.ndarray, bool], np.ndarray]
    in_text: Callable[[np.ndarray, list[str]], Treebank]


@overload
def best_trees(
    arcs: PackedScores, siblings: PackedTriples | None, grandparents: PackedTriples | None, projective: bool, *,
    threads: int | None = None, errors: str = "raise",
) -> PackedHeads: ...  # fmt: skip
@overload
def best_trees(
    arcs: np.ndarray, siblings: np.ndarray | None, grandparents: np.ndarray | None, projective: bool
) -> np.ndarray: ...
def best_trees(arcs, siblings, grandparents, projective, **options):
    """The best trees under scores, packed or of one sentence, by the decoder that these need; its ``options``."""
    if not projective:
        return spanning_tree(arcs, **options)
    if siblings is None:
        return eisner(arcs, **options)
    if grandparents is None:
        return eisner_sibling(arcs, siblings, **options)
    return eisner_grandparent(arcs, siblings, grandparents, **options)


def _gathered(values, offsets, indices):
    """(values of some sentences back to back, their offsets)."""
    chosen = offsets_of(np.diff(offsets)[indices])
    parts = [values[offsets[index] : offsets[index + 1]] for index in indices.tolist()]
    return np.concatenate([values[:0], *parts]), chosen
