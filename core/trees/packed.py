"""A corpus of square score matrices, or of head vectors, back to back in one array."""

from dataclasses import dataclass

import numpy as np

from core.errors import ScoreShapeError


@dataclass(frozen=True, eq=False)
class PackedScores:
    """S matrices of shape (n + 1, n + 1) in one flat float64 array.

    Attributes
    ----------
    values : ndarray of shape (total,), dtype float64
        Matrix i, row by row, is ``values[offsets[i]:offsets[i + 1]]``.
    offsets : ndarray of shape (S + 1,), dtype int64

    ``len(packed)`` is S; ``packed[i]`` is matrix i as a view of shape (n + 1, n + 1), which shares memory.
    """

    values: np.ndarray
    offsets: np.ndarray

    @classmethod
    def from_matrices(cls, matrices):
        """Pack a list of square arrays. Raises ScoreShapeError for anything but (n + 1, n + 1), n >= 1."""
        matrices = [np.asarray(matrix, dtype=np.float64) for matrix in matrices]
        for index, matrix in enumerate(matrices):
            if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
                raise ScoreShapeError(f"matrix {index} must have shape (n + 1, n + 1) with n >= 1, got {matrix.shape}")
        packed = cls.empty([len(matrix) - 1 for matrix in matrices])
        for index, matrix in enumerate(matrices):
            packed[index][:] = matrix
        return packed

    @classmethod
    def empty(cls, lengths):
        """Uninitialised matrices for sentences of the given lengths in words."""
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum((np.asarray(lengths, dtype=np.int64) + 1) ** 2, out=offsets[1:])
        return cls(np.empty(offsets[-1]), offsets)

    def like(self, values):
        """The same layout over other values, an array of shape (total,)."""
        return PackedScores(values, self.offsets)

    @property
    def sides(self):
        """n + 1 of each matrix: int64 array of shape (S,)."""
        return np.rint(np.sqrt(np.diff(self.offsets))).astype(np.int64)

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"matrix {index} of {len(self)}")
        index %= len(self)
        begin, end = self.offsets[index], self.offsets[index + 1]
        side = round(float(end - begin) ** 0.5)
        return self.values[begin:end].reshape(side, side)


@dataclass(frozen=True, eq=False)
class PackedHeads:
    """S head vectors of shape (n + 1,) in one int32 array; laid out like ``Treebank.heads``.

    ``values[offsets[i]:offsets[i + 1]]`` are the heads of sentence i: entry 0 is -1, 0 is the root, -1 unknown.
    """

    values: np.ndarray
    offsets: np.ndarray

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        index %= len(self)
        return self.values[self.offsets[index] : self.offsets[index + 1]]
