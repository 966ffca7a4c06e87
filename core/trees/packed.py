"""A corpus of score arrays, or of head vectors, back to back in one array."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from core.errors import ScoreShapeError
from core.offsets import offsets_of


@dataclass(frozen=True, eq=False)
class Packed:
    """S arrays whose RANK axes are all n + 1 long, in one flat array: the base of the classes below.

    ``values[offsets[i]:offsets[i + 1]]`` is array i, row by row; ``len(packed)`` is S; ``packed[i]`` is array i as a
    view, which shares memory.
    """

    values: np.ndarray
    offsets: np.ndarray

    RANK: ClassVar[int]
    NOUN: ClassVar[str]  # the name of an array in messages

    @classmethod
    def empty(cls, lengths: ArrayLike) -> Self:
        """Uninitialised float64 arrays for sentences of the given lengths in words."""
        offsets = offsets_of((np.asarray(lengths, dtype=np.int64) + 1) ** cls.RANK)
        return cls(np.empty(offsets[-1]), offsets)

    @classmethod
    def _pack(cls, arrays) -> Self:
        arrays = [np.asarray(array, dtype=np.float64) for array in arrays]
        for index, array in enumerate(arrays):
            if array.ndim != cls.RANK or len(set(array.shape)) != 1 or len(array) < 2:
                shape = ", ".join(["n + 1"] * cls.RANK)
                raise ScoreShapeError(f"{cls.NOUN} {index} must have shape ({shape}) with n >= 1, got {array.shape}")
        packed = cls.empty([len(array) - 1 for array in arrays])
        for index, array in enumerate(arrays):
            packed[index][:] = array
        return packed

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"{self.NOUN} {index} of {len(self)}")
        index %= len(self)
        begin, end = self.offsets[index], self.offsets[index + 1]
        side = round(float(end - begin) ** (1 / self.RANK))
        return self.values[begin:end].reshape((side,) * self.RANK)


@dataclass(frozen=True, eq=False)
class PackedScores(Packed):
    """S matrices of shape (n + 1, n + 1) in one flat float64 array.

    Attributes
    ----------
    values : ndarray of shape (total,), dtype float64
        Matrix i, row by row, is ``values[offsets[i]:offsets[i + 1]]``.
    offsets : ndarray of shape (S + 1,), dtype int64

    ``len(packed)`` is S; ``packed[i]`` is matrix i as a view of shape (n + 1, n + 1), which shares memory.
    """

    RANK, NOUN = 2, "matrix"

    def _repr_html_(self) -> str:
        """Its first matrix, in a notebook."""
        from core.draw.notebook import scores_html  # only notebooks draw

        return scores_html(len(self), [self[0]] if len(self) else [])

    @classmethod
    def from_matrices(cls, matrices: Sequence[np.ndarray]) -> Self:
        """Pack a list of square arrays. Raises ScoreShapeError for anything but (n + 1, n + 1), n >= 1."""
        return cls._pack(matrices)

    def like(self, values: np.ndarray) -> "PackedScores":
        """This layout over other values, an array of shape (total,)."""
        return PackedScores(values, self.offsets)

    @property
    def sides(self) -> np.ndarray:
        """n + 1 of each matrix: int64 array of shape (S,)."""
        return np.rint(np.sqrt(np.diff(self.offsets))).astype(np.int64)


@dataclass(frozen=True, eq=False)
class PackedTriples(Packed):
    """S cubes of shape (n + 1, n + 1, n + 1) in one flat float64 array: sibling or grandparent scores of a corpus.

    Cubes grow fast: 0.5 MB at 40 words, 8 MB at 100, 65 MB at 200. Decode long sentences in small batches, or over
    surviving arcs only (``core.trees.surviving``). ``values``, ``offsets`` and items are like those of PackedScores.
    """

    RANK, NOUN = 3, "cube"

    @classmethod
    def from_arrays(cls, cubes: Sequence[np.ndarray]) -> Self:
        """Pack a list of cubes. Raises ScoreShapeError for anything but (n + 1, n + 1, n + 1), n >= 1."""
        return cls._pack(cubes)


@dataclass(frozen=True, eq=False)
class PackedHeads(Packed):
    """S head vectors of shape (n + 1,) in one int32 array; laid out like ``Treebank.heads``.

    ``values[offsets[i]:offsets[i + 1]]`` are the heads of sentence i: entry 0 is -1, 0 is the root, -1 unknown.
    """

    RANK, NOUN = 1, "sentence"

    def _repr_html_(self) -> str:
        """Its first trees, in a notebook."""
        from core.draw.notebook import FIRST, heads_html  # only notebooks draw

        return heads_html(len(self), [self[index] for index in range(min(FIRST, len(self)))])


Scores = np.ndarray | PackedScores  # scores of a sentence, or of a corpus
ScoresT = TypeVar("ScoresT", np.ndarray, PackedScores)  # of a function whose result is packed like its scores
Heads = np.ndarray | PackedHeads
Marginals = tuple[float, np.ndarray] | tuple[np.ndarray, PackedScores]  # log-partition and marginals of arcs
