"""Significance tests of the difference between two systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.errors import WorkbenchError
from core.evaluation.scores import require_same_text, same_strings
from core.treebank import Treebank

RESAMPLES = 10_000
CHUNK = 1 << 22  # counts drawn at once
BOTH = "both"  # in place of a column: heads and relations


@dataclass(frozen=True)
class SignTest:
    """A two-sided exact sign test over words.

    Attributes
    ----------
    words : int
        Words scored.
    only_first, only_second : int
        Words that only the first, or only the second, system has right; the others decide nothing.
    p_value : float
        How often a fair coin would fall as unevenly, or more so, over the words that decide.
    """

    words: int
    only_first: int
    only_second: int
    p_value: float

    @property
    def significant(self) -> bool:
        """At the 5% level."""
        return self.p_value <= 0.05


@dataclass(frozen=True)
class Bootstrap:
    """Resampled sentences: by how much the second system is better than the first.

    Attributes
    ----------
    difference : float
        Of the shares of right words, second minus first, in percentage points.
    low, high : float
        The middle 95% of the differences of all resamples.
    p_value : float
        Two-sided: twice the share of resamples on the other side of zero than ``difference`` or on it, at most 1.
    resamples : int
    """

    difference: float
    low: float
    high: float
    p_value: float
    resamples: int


def sign_test(
    gold: Treebank,
    first: Treebank,
    second: Treebank,
    *,
    punctuation: bool | np.ndarray = True,
    column: str | None = None,
) -> SignTest:
    """Compare two systems word by word.

    Parameters
    ----------
    gold, first, second : Treebank
        The same sentences in the same order. Words without a gold head (or tag) are not scored.
    punctuation : bool or ndarray of bool, (rows,), default=True
        Whether punctuation words are scored; an array says which words are.
    column : {"upos", "xpos", "deprel", "both", None}
        Compare this column's words instead of heads; BOTH compares heads and relations.

    Returns
    -------
    SignTest

    Raises
    ------
    WorkbenchError : different sentences.

    Notes
    -----
    Exact binomial test with 1/2, words with equal outcomes left out (rush2012's significance test).
    """
    scored, one, two = _right(gold, first, second, punctuation, column)
    return sign_test_over(one[scored], two[scored])


def sign_test_over(one: np.ndarray, two: np.ndarray) -> SignTest:
    """``sign_test`` of the words that two systems have right: bool (words,) twice."""
    only_first, only_second = int((one & ~two).sum()), int((two & ~one).sum())
    return SignTest(len(one), only_first, only_second, binomial_p_value(only_first, only_second))


def binomial_p_value(wins: int, losses: int) -> float:
    """The two-sided exact p-value of so many heads and tails of a fair coin; 1 for no tosses."""
    total = wins + losses
    return 1.0 if total == 0 else min(1.0, 2.0 * float(scipy.special.bdtr(min(wins, losses), total, 0.5)))


def paired_bootstrap(
    gold: Treebank, first: Treebank, second: Treebank, *, punctuation: bool | np.ndarray = True,
    column: str | None = None, resamples: int = RESAMPLES, seed: int = 0,
) -> Bootstrap:  # fmt: skip
    """Compare two systems over resampled sentences; arguments as for ``sign_test``.

    Returns
    -------
    Bootstrap

    Raises
    ------
    WorkbenchError : different sentences, no scored word, fewer than one resample.

    Notes
    -----
    Words of a sentence stay together, as their errors depend on each other. Sentences as long and as much won are one
    kind, and how often each kind is drawn is multinomial: O(resamples * kinds).
    """
    scored, one, two = _right(gold, first, second, punctuation, column)
    return bootstrap_over(gold.offsets, scored, one, two, resamples, seed)


def bootstrap_over(
    offsets: np.ndarray, scored: np.ndarray, one: np.ndarray, two: np.ndarray, resamples: int = RESAMPLES, seed: int = 0
) -> Bootstrap:
    """``paired_bootstrap`` of the words that two systems have right, bool (rows,) like ``scored``. Raises as that."""
    if resamples < 1:
        raise WorkbenchError(f"the bootstrap needs at least one resample, got {resamples}")
    if not scored.any():
        raise WorkbenchError("no word can be scored; give gold trees")
    words = np.add.reduceat(scored.astype(np.float64), offsets[:-1])
    gains = np.add.reduceat((two & scored).astype(np.float64) - (one & scored), offsets[:-1])
    kinds, counts = np.unique(np.stack([words, gains])[:, words > 0], axis=1, return_counts=True)
    shares, sentences = counts / counts.sum(), counts.sum()
    random, step, samples = np.random.default_rng(seed), max(1, CHUNK // len(counts)), []
    for begin in range(0, resamples, step):
        drawn = random.multinomial(sentences, shares, size=min(step, resamples - begin))
        of, won = kinds @ drawn.T
        samples.append(100 * won / of)
    differences = np.concatenate(samples)
    difference = 100 * gains.sum() / words.sum()
    against = (differences <= 0).mean() if difference > 0 else (differences >= 0).mean()
    low, high = np.percentile(differences, [2.5, 97.5])
    return Bootstrap(float(difference), float(low), float(high), min(1.0, 2 * float(against)), resamples)


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """p-values of several tests, adjusted for their number: float64 (tests,), in the order given.

    Each is the least level at which its test is significant among all of them. At a level, one or more true null
    hypotheses are rejected with at most that probability. O(tests log tests).
    Source: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    adjusted = np.empty(len(values))
    adjusted[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)).clip(max=1.0)
    return adjusted


def error_reduction(base: float | None, system: float | None) -> float | None:
    """Percentage of the base's errors that a system avoids, from two scores in percent; None if the base makes none."""
    if base is None or system is None or base >= 100:
        return None
    return 100.0 * (system - base) / (100.0 - base)


def _right(gold, first, second, punctuation, column):
    """bool (rows,) three times: scored words, and those that each system has right."""
    require_same_text(gold, first)
    require_same_text(gold, second)
    if column is None or column == BOTH:
        scored = gold.heads >= 0
        right = [scored & (system.heads == gold.heads) for system in (first, second)]
        if column == BOTH:
            pairs = zip(right, (first, second), strict=True)
            right = [heads & same_strings(gold.deprel, system.deprel) for heads, system in pairs]
    else:
        if column not in ("upos", "xpos", "deprel"):
            raise WorkbenchError(f"columns to compare are upos, xpos and deprel, got {column!r}")
        wanted = getattr(gold, column)
        scored = wanted.ids > 0
        right = [scored & same_strings(wanted, getattr(system, column)) for system in (first, second)]
    if punctuation is not True:
        kept = punctuation if isinstance(punctuation, np.ndarray) else ~gold.punctuation()
        scored, right = scored & kept, [mask & kept for mask in right]
    return scored, *right
