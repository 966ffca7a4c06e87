"""How far a model's expectation is from a target: the scores a constraint can be trained with.

Each takes expectations E and targets T as float64 arrays (C,) and returns the penalty (to be made small) and its
derivative by E. ``penalise`` applies one to targets that may be ranges.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.constraints.language.constraint import Constraint
from core.errors import ConstraintError, WorkbenchError

Pair = tuple[np.ndarray, np.ndarray]  # penalties and their slopes, float64 (C,) each
Penalty = Callable[[np.ndarray, np.ndarray], Pair]


def squared(expectations: np.ndarray, targets: np.ndarray) -> Pair:
    """(T - E)^2: druck2009, eq. 1."""
    gap = targets - expectations
    return gap**2, -2 * gap


def kl(expectations: np.ndarray, targets: np.ndarray) -> Pair:
    """Divergence of Bernoulli(E) from Bernoulli(T), in nats: T log(T/E) + (1 - T) log((1 - T)/(1 - E))."""
    first, first_slope = one_sided_kl(expectations, targets)
    second, second_slope = one_sided_kl(1 - expectations, 1 - targets)
    return first + second, first_slope - second_slope


def one_sided_kl(expectations: np.ndarray, targets: np.ndarray) -> Pair:
    """T log(T/E), in nats: its multiplier T/E is the one that druck2009, footnote 4, gives for KL.

    It falls below zero where E is above T, so it only ever pulls an expectation up.
    """
    positive = targets > 0
    with np.errstate(divide="ignore"):  # an expectation of zero makes the penalty infinite: the caller's to report
        shares = np.divide(targets, expectations, out=np.zeros_like(targets), where=positive)
    values = targets * np.log(shares, out=np.zeros_like(shares), where=positive)
    return values, -shares


PENALTIES = {"squared": squared, "kl": kl, "kl-one-sided": one_sided_kl}


def penalty_named(name: str, constraints: Sequence[Constraint]) -> Penalty:
    """The penalty function called ``name``, if it is defined for these constraints.

    Raises WorkbenchError for an unknown name, and ConstraintError for a share that may pass 1 under a KL score: one
    of heads, save of roots, which head one word each.
    """
    if name not in PENALTIES:
        raise WorkbenchError(f"no score called {name!r}: choose one of {', '.join(PENALTIES)}")
    if name != "squared":
        for constraint in constraints:
            if constraint.per == "head" and any(term.column != "root" for term in constraint.head.terms):
                raise ConstraintError(
                    f"{constraint.name} is a share of heads, which may pass 1, where KL has no meaning; "
                    "use the squared score",
                    line=constraint.line,
                )
    return PENALTIES[name]


def penalise(penalty: Penalty, expectations: np.ndarray, low: np.ndarray, high: np.ndarray) -> Pair:
    """Penalties and their slopes for targets that may be ranges: float64 (C,) each, zero inside a range."""
    values, slopes = penalty(expectations, np.clip(expectations, low, high))
    inside = (low < expectations) & (expectations < high)
    return np.where(inside, 0.0, values), np.where(inside, 0.0, slopes)
