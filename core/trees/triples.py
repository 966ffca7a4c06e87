"""Checks of third-order scores (siblings, grandparents) before a kernel sees them.

n is the number of words and node 0 is the root, so cubes have shape (n + 1, n + 1, n + 1).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.errors import InfeasibleError, ScoreShapeError, at_sentence
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.checks import FLOAT64, checked_matrix, checked_packed
from core.trees.feasibility import require_tree
from core.trees.packed import Heads, PackedHeads, PackedScores, PackedTriples, Scores
from core.trees.surviving import Cubes, SparseTriples

NOTHING = np.empty(0), np.empty(0, np.int64)  # values and offsets of cubes that are not given


def as_cube(cube: ArrayLike, side: int | None = None, name: str = "sibling_scores") -> np.ndarray:
    """``cube`` as a C-contiguous float64 array of shape (side, side, side); its values are not looked at."""
    if type(cube) is np.ndarray and cube.dtype is FLOAT64 and cube.flags.c_contiguous and cube.shape == (side,) * 3:
        return cube
    try:
        array = np.ascontiguousarray(cube, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ScoreShapeError(f"{name} must be a cube of numbers: {error}") from error
    if array.ndim != 3 or len(set(array.shape)) != 1 or len(array) < 2:
        raise ScoreShapeError(f"{name} must have shape (n + 1, n + 1, n + 1) with n >= 1, got {array.shape}")
    if side is not None and len(array) != side:
        raise ScoreShapeError(f"{name} must have shape ({side}, {side}, {side}) as the scores say, got {array.shape}")
    return array


def sibling_parts(side: int) -> np.ndarray:
    """Which entries [h, s, m] of sibling scores are parts: bool array of shape (side, side, side)."""
    h, s, m = np.ogrid[:side, :side, :side]
    return (m > 0) & (m != h) & ((s == h) | ((np.minimum(h, m) < s) & (s < np.maximum(h, m))))


def grandparent_parts(side: int) -> np.ndarray:
    """Which entries [g, h, m] of grandparent scores are parts of projective trees."""
    g, h, m = np.ogrid[:side, :side, :side]
    return (m > 0) & (h > 0) & (m != h) & ((g < np.minimum(h, m)) | (g > np.maximum(h, m)))


@dataclass(eq=False)
class HigherOrder:
    """Checked scores of one sentence or of a corpus, flat, as kernels take them. Cubes not given are empty arrays.

    ``sides`` has n + 1 of each sentence; ``named`` tells a corpus, whose sentences errors name, from a single sentence.
    """

    values: np.ndarray
    offsets: np.ndarray
    siblings: np.ndarray
    sibling_offsets: np.ndarray
    grandparents: np.ndarray
    grandparent_offsets: np.ndarray
    sides: np.ndarray
    named: bool

    @classmethod
    def checked(
        cls, scores: Scores, sibling_scores: Cubes | None = None, grandparent_scores: Cubes | None = None
    ) -> "HigherOrder":
        """Raises ScoreShapeError for wrong shapes, and for NaN or +inf on an arc. Kernels look at the parts.

        Grandparents without siblings get sibling scores of 0.
        """
        named = isinstance(scores, PackedScores)
        if named:
            scores = checked_packed(scores)
            values, offsets, sides = scores.values, scores.offsets, scores.sides
        else:
            scores = checked_matrix(scores)
            values, offsets, sides = scores.reshape(-1), np.array((0, scores.size)), np.array((len(scores),))
        siblings = _flat_cubes(scores, sibling_scores, "sibling_scores")
        grandparents = _flat_cubes(scores, grandparent_scores, "grandparent_scores")
        if len(grandparents[1]) and sibling_scores is None:
            siblings = np.zeros(len(grandparents[0])), grandparents[1]
        return cls(values, offsets, *siblings, *grandparents, sides, named)

    @property
    def corpus(self) -> tuple[np.ndarray, ...]:
        """The arrays that kernels take: values, offsets, siblings, grandparents, offsets of cubes.

        A plain tuple: to hand a named one over takes 2 microseconds, a fifth of what eight words take to parse.
        """
        return self.values, self.offsets, self.siblings, self.grandparents, self.sibling_offsets

    @property
    def order(self) -> int:
        """1 for arcs alone, 2 with siblings, 3 with grandparents too."""
        return 1 + (len(self.sibling_offsets) > 0) + (len(self.grandparent_offsets) > 0)

    def head_offsets(self, trees: int = 1) -> np.ndarray:
        """Offsets of each sentence's heads if each has so many trees: int64 array of shape (S + 1,)."""
        if len(self.sides) == 1:  # numpy's small sums take as long as a short sentence
            return np.array((0, self.sides[0] * trees))
        return offsets_of(self.sides * trees)

    def run(self, function: Callable[[int, int], object], power: float, threads: int | None) -> list:
        """``function(begin, end)`` over ranges of sentences that each cost O(side ** power); list of results."""
        if len(self.offsets) == 2:
            return [function(0, 1)]
        return run_ranges(function, self.sides ** float(power), threads)

    def decode(self, kernel: Callable[..., int], single_root: bool, threads: int | None, mark: bool) -> Heads:
        """The best trees, by the ``decode_range`` of a chart; raises as ``require``."""
        offsets = self.head_offsets()
        heads = np.empty(offsets[-1], np.int32)

        def run(begin, end):
            return kernel(self.corpus, begin, end, single_root, heads, offsets)

        self.require(self.run(run, 1 + self.order, threads), single_root, mark)
        return PackedHeads(heads, offsets) if self.named else heads

    def require(self, unfit: Iterable[int], single_root: bool, mark: bool) -> None:
        """Raise for the first sentence in ``unfit``, kernels' answers, each a sentence or -1.

        A sentence without a tree passes if ``mark``; one with NaN or +inf in a part does not.
        """
        for sentence in unfit:
            if sentence >= 0:
                self._refuse(int(sentence), single_root, mark)

    def _refuse(self, sentence, single_root, mark):
        side = int(self.sides[sentence])
        name = sentence if self.named else None
        scores = self.values[self.offsets[sentence] : self.offsets[sentence + 1]].reshape(side, side)
        for argument, values, offsets, parts in (
            ("sibling_scores", self.siblings, self.sibling_offsets, sibling_parts),
            ("grandparent_scores", self.grandparents, self.grandparent_offsets, grandparent_parts),
        ):
            if len(values) == 0:
                continue
            cube = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side, side)
            for index in np.argwhere(parts(side) & ~(cube < np.inf))[:1]:
                where = ", ".join(str(at) for at in index.tolist())
                raise ScoreShapeError(
                    f"{at_sentence(name)}{argument}[{where}] is {cube[tuple(index)]}; "
                    "parts need finite scores, or -inf to forbid them"
                )
        if mark:
            return
        require_tree(scores, single_root, projective=True, sentence=name)
        kind = "sibling or grandparent" if self.order > 2 else "sibling"
        raise InfeasibleError(
            f"{at_sentence(name)}no tree is possible: every projective tree has a forbidden arc or {kind} part; "
            "allow more parts",
            sentence=name,
        )


def required(cubes: Cubes | None, name: str) -> Cubes:
    """``cubes``, which may not be None."""
    if cubes is None:
        raise ScoreShapeError(
            f"{name} must be an array, a PackedTriples or a SparseTriples; without them, use a decoder of lower order"
        )
    return cubes


def _flat_cubes(scores, cubes, name):
    """Flat values and offsets of the cubes that go with ``scores``; two empty arrays for None."""
    if cubes is None:
        return NOTHING
    if isinstance(cubes, SparseTriples):
        raise ScoreShapeError(
            f"{name} must not be sparse: only eisner_sibling and eisner_grandparent take SparseTriples, for all parts"
        )
    if not isinstance(scores, PackedScores):
        array = as_cube(cubes, len(scores), name)
        return array.reshape(-1), np.array((0, array.size))
    if not isinstance(cubes, PackedTriples):
        raise ScoreShapeError(f"{name} must be a PackedTriples like the scores, got {type(cubes).__name__}")
    values = np.ascontiguousarray(cubes.values, dtype=np.float64)
    offsets = np.ascontiguousarray(cubes.offsets, dtype=np.int64)
    if len(offsets) == 0 or offsets[0] != 0 or not np.array_equal(np.diff(offsets), scores.sides**3):
        raise ScoreShapeError(f"{name} must be packed like the scores, with the same sentence lengths in order")
    if values.shape != (offsets[-1],):
        raise ScoreShapeError(f"{name} must hold {offsets[-1]} values as its offsets say, got shape {values.shape}")
    return values, offsets
