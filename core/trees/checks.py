"""Checks of scores before a kernel sees them: shape, type, no NaN, no +inf."""

import numpy as np
from numpy.typing import ArrayLike

from core.compilation.kernels import kernel
from core.errors import ScoreShapeError, WorkbenchError, at_sentence
from core.trees.packed import PackedScores

FLOAT64 = np.dtype(np.float64)


def as_matrix(scores: ArrayLike | PackedScores, name: str = "scores") -> np.ndarray:
    """``scores`` as a C-contiguous float64 array of shape (n + 1, n + 1), n >= 1; its values are not looked at.

    Raises ScoreShapeError. Copies only when type or layout ask for it.
    """
    if type(scores) is np.ndarray and scores.dtype is FLOAT64 and scores.flags.c_contiguous:
        shape = scores.shape  # the usual case, where every tenth of a microsecond counts
        if len(shape) == 2 and shape[0] == shape[1] > 1:
            return scores
    try:
        matrix = np.ascontiguousarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ScoreShapeError(f"{name} must be a square array of numbers: {error}") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2:
        raise ScoreShapeError(f"{name} must have shape (n + 1, n + 1) with n >= 1, got {np.asarray(scores).shape}")
    return matrix


def checked_matrix(scores: ArrayLike) -> np.ndarray:
    """``as_matrix`` and no NaN or +inf among the arcs (the diagonal and column 0 are ignored)."""
    matrix = as_matrix(scores)
    if has_bad_value(matrix.reshape(-1)):
        raise_bad_value(matrix)
    return matrix


def as_packed(packed: object, name: str = "scores", layout: PackedScores | None = None) -> PackedScores:
    """``packed`` with contiguous float64 values and int64 offsets that describe squares; values are not looked at.

    With ``layout``, another PackedScores, both must hold the same sentence lengths. Raises ScoreShapeError.
    """
    if not isinstance(packed, PackedScores):
        raise ScoreShapeError(f"{name} must be a PackedScores like the scores, got {type(packed).__name__}")
    values = np.ascontiguousarray(packed.values, dtype=np.float64)
    offsets = np.ascontiguousarray(packed.offsets, dtype=np.int64)
    if layout is not None:
        if not np.array_equal(offsets, layout.offsets):
            raise ScoreShapeError(f"{name} must be packed like the scores, with the same sentence lengths in order")
    elif offsets.ndim != 1 or len(offsets) == 0 or offsets[0] != 0:
        raise ScoreShapeError(f"offsets of {name} must be (S + 1,) integers that begin with 0")
    else:
        sizes = np.diff(offsets)
        wrong = (
            np.flatnonzero((packed.sides**2 != sizes) | (sizes < 4))
            if (sizes >= 0).all()
            else np.array([sizes.argmin()])
        )
        if len(wrong):
            raise ScoreShapeError(
                f"sentence {wrong[0]} of {name} takes {sizes[wrong[0]]} values; it needs (n + 1)**2 with n >= 1"
            )
    if values.shape != (offsets[-1],):
        raise ScoreShapeError(f"{name} must hold {offsets[-1]} values as its offsets say, got shape {values.shape}")
    return PackedScores(values, offsets)


def checked_packed(scores: object) -> PackedScores:
    """``as_packed`` and no NaN or +inf among the arcs of any sentence."""
    packed = as_packed(scores)
    if has_bad_value(packed.values):  # may sit where it is ignored: look at each sentence
        for sentence in range(len(packed)):
            if has_bad_value(packed[sentence].reshape(-1)):
                raise_bad_value(packed[sentence], sentence)
    return packed


def as_corpus(scores: np.ndarray | PackedScores) -> tuple[PackedScores, bool]:
    """(checked scores, whether they were a corpus): a matrix becomes a corpus of one sentence, which is not copied."""
    if isinstance(scores, PackedScores):
        return checked_packed(scores), True
    matrix = checked_matrix(scores)
    return PackedScores(matrix.reshape(-1), np.array((0, matrix.size))), False


def checked_errors(errors: str) -> bool:
    """Whether ``errors`` says "mark" (True) or "raise" (False); anything else raises WorkbenchError."""
    if errors not in ("raise", "mark"):
        raise WorkbenchError(f'errors must be "raise" or "mark", got {errors!r}')
    return errors == "mark"


def raise_bad_value(scores: np.ndarray, sentence: int | None = None) -> None:
    """Raise ScoreShapeError that names the first NaN or +inf on an arc, if there is one."""
    _raise_first(~(scores < np.inf), scores, "scores", "arcs need finite scores, or -inf to forbid them", sentence)


def raise_bad_direction(direction: np.ndarray, scores: np.ndarray, sentence: int | None = None) -> None:
    """Raise ScoreShapeError that names the first NaN or infinity on an arc that the scores allow, if there is one."""
    wrong = (scores > -np.inf) & ~np.isfinite(direction)
    _raise_first(wrong, direction, "direction", "it must be finite", sentence)


def _raise_first(wrong, matrix, name, advice, sentence):
    wrong[:, 0] = False
    np.fill_diagonal(wrong, False)
    for head, modifier in np.argwhere(wrong)[:1]:
        raise ScoreShapeError(
            f"{at_sentence(sentence)}{name}[{head}, {modifier}] is {matrix[head, modifier]}; {advice}"
        )


@kernel
def has_bad_value(values: np.ndarray) -> bool:
    """Whether any entry, ignored ones included, is NaN or +inf."""
    bad = False
    for value in values:
        bad |= not (value < np.inf)
    return bad
