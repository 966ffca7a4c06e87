"""Projective trees that respect brackets: the best one, and sums over all of them.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
All brackets of a sentence hold at once, at one of the levels of ``core.trees.brackets``. The rules are local to the
items of one chart (``core.trees.bracket_kernels``), so nothing is listed or searched twice.
"""

from collections.abc import Sequence
from typing import overload

import numpy as np

from core.errors import InfeasibleError, WorkbenchError, at_sentence
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.bracket_kernels import BracketedSentences, BracketSums, best_range, sum_range, tie_states
from core.trees.brackets import LEVELS, TEAR, Bracket, PackedBrackets, level_number
from core.trees.checks import checked_errors, checked_matrix, checked_packed
from core.trees.feasibility import require_tree
from core.trees.packed import Heads, Marginals, PackedHeads, PackedScores, Scores
from core.trees.semirings import LINEAR, LOG

SMALLEST, LARGEST = 1e-200, 1e200  # totals of plain weights within are trusted
DEPTH = 12  # brackets over one word that tear can distinguish: 2**12 states an item


@overload
def bracketed_eisner(
    scores: PackedScores, brackets: PackedBrackets, level: str | np.ndarray, single_root: bool = True,
    *, seed: int = 0, threads: int | None = None, errors: str = "raise",
) -> PackedHeads: ...  # fmt: skip
@overload
def bracketed_eisner(
    scores: np.ndarray, brackets: Sequence[Bracket], level: str | np.ndarray, single_root: bool = True,
    *, seed: int = 0, threads: int | None = None, errors: str = "raise",
) -> np.ndarray: ...  # fmt: skip
def bracketed_eisner(
    scores: Scores, brackets: Sequence[Bracket] | PackedBrackets, level: str | np.ndarray, single_root: bool = True,
    *, seed: int = 0, threads: int | None = None, errors: str = "raise",
) -> Heads:  # fmt: skip
    """The projective tree of the highest score among those that satisfy all brackets.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        As for ``eisner``.
    brackets : list of Bracket, or PackedBrackets for a PackedScores
    level : {"none", "tear", "sprawl", "loose", "strict"}, or int array (S,) for a PackedScores
        Of all brackets; an array holds each sentence's, as numbered in ``LEVELS``.
    single_root, threads, errors
        As for ``eisner``.
    seed : int, default=0
        Of the choice among equally good trees, all of which are equally likely.

    Returns
    -------
    heads : ndarray of shape (n + 1,), dtype int32, or PackedHeads

    Raises
    ------
    ScoreShapeError : as ``eisner``.
    InfeasibleError : no projective tree without forbidden arcs satisfies the brackets; names the sentence of a corpus.
    WorkbenchError : an unknown level, a bracket that ends after its sentence, more than 12 brackets over one word at
        tear.

    Notes
    -----
    O(n^3) time and O(n^2) memory at strict, loose and sprawl, where the chart is smaller than without brackets. At
    tear up to 4^d and 2^d times that, d the most brackets over one word. The rules are in ``bracket_kernels.py``.
    """
    packed, marks, levels, mark = _checked(scores, brackets, level, errors)
    sides = packed.sides
    offsets = offsets_of(sides)
    heads, values = np.empty(offsets[-1], np.int32), np.empty(len(packed))
    corpus = BracketedSentences(packed.values, packed.values, packed.offsets, np.zeros(8 * offsets[-1]), *marks, levels)

    states = tie_states(seed, np.arange(len(packed)))

    def run(begin, end):
        best_range(corpus, begin, end, bool(single_root), states, values, heads)

    run_ranges(run, sides**3.0, threads)
    _require(values > -np.inf, scores, packed, single_root, levels, mark)
    return PackedHeads(heads, offsets) if isinstance(scores, PackedScores) else heads


@overload
def bracketed_inside_outside(
    scores: PackedScores, brackets: PackedBrackets, level: str | np.ndarray, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> tuple[np.ndarray, PackedScores]: ...  # fmt: skip
@overload
def bracketed_inside_outside(
    scores: np.ndarray, brackets: Sequence[Bracket], level: str | np.ndarray, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> tuple[float, np.ndarray]: ...  # fmt: skip
def bracketed_inside_outside(
    scores: Scores, brackets: Sequence[Bracket] | PackedBrackets, level: str | np.ndarray, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> Marginals:  # fmt: skip
    """Log-partition and arc marginals of the projective trees that satisfy all brackets.

    Parameters, errors and complexity as for ``bracketed_eisner``.

    Returns
    -------
    log_partition : float, or ndarray of shape (S,) for a PackedScores
        Log of the sum over those trees of exp(tree score), in nats; -inf if there is none and errors="mark".
    marginals : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        Probability of each arc. Columns 1..n sum to 1, and to 0 where there is no tree and errors="mark".

    Notes
    -----
    Each column is shifted by its maximum before exponentiating, and the shifts are added back. Sentences whose total
    falls below 1e-200 or overflows are done again in logarithms.
    """
    packed, marks, levels, mark = _checked(scores, brackets, level, errors)
    sides = packed.sides
    scores_left, shifts = _shifted(packed)
    sums = sum_charts(
        BracketedSentences(scores_left, scores_left, packed.offsets, np.zeros(8 * sides.sum()), *marks, levels),
        single_root,
        threads,
    )
    totals = sums.totals
    _require(totals > -np.inf, scores, packed, single_root, levels, mark)
    totals += shifts
    if isinstance(scores, PackedScores):
        return totals, packed.like(sums.shares)
    return float(totals[0]), sums.shares.reshape(packed[0].shape)


def sum_charts(corpus: BracketedSentences, single_root: bool = True, threads: int | None = None) -> BracketSums:
    """``bracket_kernels.sum_range`` over a corpus, in weights, and in logarithms where those leave float64's range.

    Parameters
    ----------
    corpus : BracketedSentences
        Log-weights of arcs and of valences, the best of each column and kind at most about 0.

    Returns
    -------
    Sums
        Totals are log-partitions in nats, -inf where no tree is left.
    """
    sides = np.rint(np.sqrt(np.diff(corpus.offsets))).astype(np.int64)
    weights = np.exp(corpus.arcs)
    further = weights if corpus.further is corpus.arcs else np.exp(corpus.further)
    linear = corpus._replace(arcs=weights, further=further, valence=np.exp(corpus.valence))
    cells = len(corpus.arcs)
    sums, single = (
        BracketSums(np.empty(len(sides)), np.empty(cells), np.empty(cells), np.empty(2 * int(sides.sum()))),
        bool(single_root),
    )

    def run(begin, end):
        sum_range(linear, begin, end, single, LINEAR, sums)
        totals = sums.totals[begin:end]
        sound = (totals > SMALLEST) & (totals < LARGEST)
        totals[sound] = np.log(totals[sound])
        for sentence in np.flatnonzero(~sound) + begin:
            sum_range(corpus, sentence, sentence + 1, single, LOG, sums)

    run_ranges(run, sides**3.0, threads)
    return sums


def _checked(scores, brackets, level, errors):
    """(PackedScores, arrays of brackets, level of each sentence, whether to mark), all fit for the kernels."""
    mark = checked_errors(errors)
    if isinstance(scores, PackedScores):
        packed = checked_packed(scores)
        if not isinstance(brackets, PackedBrackets) or len(brackets) != len(packed):
            raise WorkbenchError(f"{len(packed)} score matrices need PackedBrackets of as many sentences")
    else:
        packed = PackedScores.from_matrices([checked_matrix(scores)])
        brackets = PackedBrackets.from_lists([list(brackets)])
    levels = (
        np.full(len(packed), level_number(level), np.int8) if isinstance(level, str) else np.asarray(level, np.int8)
    )
    if levels.shape != (len(packed),) or not np.isin(levels, range(len(LEVELS))).all():
        raise WorkbenchError(f"levels must be {len(packed)} numbers from 0 to {len(LEVELS) - 1}, one for each sentence")
    require_brackets(brackets, packed.sides - 1)
    deep = np.flatnonzero((levels == TEAR) & (overlaps(brackets) > DEPTH))
    if len(deep):
        raise WorkbenchError(
            f"sentence {deep[0]} has more than {DEPTH} brackets over one word, too many for tear; take sprawl or loose"
        )
    return packed, (brackets.starts, brackets.ends, brackets.offsets), levels, mark


def require_brackets(brackets: PackedBrackets, lengths: np.ndarray) -> None:
    """Raise WorkbenchError for the first bracket that its sentence of ``lengths[i]`` words does not hold."""
    owners = np.repeat(np.arange(len(brackets)), np.diff(brackets.offsets))
    wrong = (brackets.starts < 1) | (brackets.starts >= brackets.ends) | (brackets.ends > lengths[owners] + 1)
    for k in np.flatnonzero(wrong)[:1]:
        raise WorkbenchError(
            f"sentence {owners[k]}: the bracket {brackets.starts[k]}-{brackets.ends[k] - 1} "
            f"does not lie within words 1-{lengths[owners[k]]}"
        )


def overlaps(brackets: PackedBrackets) -> np.ndarray:
    """int64 (S,): the most different brackets of several words over one word of each sentence."""
    deepest = np.zeros(len(brackets), np.int64)
    for sentence in np.flatnonzero(np.diff(brackets.offsets) > DEPTH):
        part = slice(brackets.offsets[sentence], brackets.offsets[sentence + 1])
        spans = {span for span in zip(brackets.starts[part], brackets.ends[part], strict=True) if span[1] - span[0] > 1}
        deepest[sentence] = max((sum(a <= start < b for a, b in spans) for start, _ in spans), default=0)
    return deepest


def _shifted(packed):
    """(scores less the highest of their column, so that none is above 0; the sum of the highest of each sentence)."""
    values, shifts = np.empty(len(packed.values)), np.zeros(len(packed))
    for sentence in range(len(packed)):
        matrix = packed[sentence].copy()
        np.fill_diagonal(matrix, -np.inf)
        best = matrix[:, 1:].max(axis=0)
        best[best == -np.inf] = 0.0
        matrix[:, 1:] -= best
        matrix[:, 0] = -np.inf
        shifts[sentence] = best.sum()
        values[packed.offsets[sentence] : packed.offsets[sentence + 1]] = matrix.reshape(-1)
    return values, shifts


def _require(feasible, scores, packed, single_root, levels, mark):
    """Raise InfeasibleError for the first sentence without a tree, unless infeasible sentences are only marked."""
    for sentence in np.flatnonzero(~feasible)[: 0 if mark else 1]:
        name = int(sentence) if isinstance(scores, PackedScores) else None
        require_tree(packed[sentence], bool(single_root), projective=True, sentence=name)
        raise InfeasibleError(
            f"{at_sentence(name)}no projective tree satisfies its brackets at level {LEVELS[levels[sentence]]}; "
            "take a softer level or fewer brackets",
            sentence=name,
        )
