"""A share of right words with a confidence interval, where the words of a sentence are not independent.

The share is a ratio estimate over clusters (Cochran 1977, Sampling Techniques, sections 2.11 and 9A), with its
linearised variance and the correction for a finite text. The interval is that of Korn & Graubard (1998, Survey
Methodology 24, 193-201): exact binomial (Clopper-Pearson) at the effective number of words, t-corrected for few
clusters. It stays within 0 and 1 where the usual one would not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.errors import WorkbenchError

LEVEL = 0.95
METHOD = "ratio over sentences; exact binomial interval at the effective number of words (Korn & Graubard 1998)"


@dataclass(frozen=True)
class AccuracyEstimate:
    """A share of words, in percent, with its interval.

    Attributes
    ----------
    right, words, sentences : int
    share, low, high : float
        In percent.
    effective : float
        As how many independent words these count; fewer where errors crowd in some sentences.
    """

    right: int
    words: int
    sentences: int
    share: float
    low: float
    high: float
    effective: float


def estimate(
    right: Sequence[int] | np.ndarray, words: Sequence[int] | np.ndarray, population: int | None = None,
    level: float = LEVEL,
) -> AccuracyEstimate:  # fmt: skip
    """The share of right words in a text, from sentences drawn from it.

    Parameters
    ----------
    right, words : sequences of int
        Of each sentence drawn: right words and scored words.
    population : int, optional
        Sentences in the text; None for one without end.
    level : float

    Returns
    -------
    Estimate

    Raises
    ------
    WorkbenchError : fewer than two sentences with words.

    Notes
    -----
    Where every sentence is all right, or all wrong, there is no variance to go by. The effective number of words is
    then the number of sentences, as if each were one word: cautious.
    """
    right, words = np.asarray(right, dtype=np.float64), np.asarray(words, dtype=np.float64)
    right, words = right[words > 0], words[words > 0]
    n = len(words)
    if n < 2:
        raise WorkbenchError(f"an interval needs two corrected sentences or more, got {n}; mark more as done")
    share, total = right.sum() / words.sum(), words.sum()
    correction = 1.0 - n / population if population else 1.0
    if correction <= 0:  # every sentence was looked at: nothing is estimated
        return AccuracyEstimate(int(right.sum()), int(total), n, 100 * share, 100 * share, 100 * share, float("inf"))
    variance = correction * n / (n - 1) * ((right - share * words) ** 2).sum() / total**2
    effective = share * (1 - share) / variance if variance > 0 else float(n)
    tail = (1 - level) / 2
    trials = effective * (scipy.special.stdtrit(total - 1, 1 - tail) / scipy.special.stdtrit(n - 1, 1 - tail)) ** 2
    successes = share * trials
    low = scipy.special.betaincinv(successes, trials - successes + 1, tail) if successes > 0 else 0.0
    high = scipy.special.betaincinv(successes + 1, trials - successes, 1 - tail) if successes < trials else 1.0
    return AccuracyEstimate(
        int(right.sum()), int(total), n, 100 * share, 100 * float(low), 100 * float(high), float(effective)
    )
