"""Which lines of a constraint set exclude each other: the smallest groups that no trees meet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher, as_matcher
from core.constraints.matching.overlap import attainable, attainable_together
from core.treebank import Treebank

VISIBLE = 0.005  # shares are shown to two digits


@dataclass(frozen=True)
class Conflicts:
    """What keeps a set from being met.

    Attributes
    ----------
    limits : list of Attainable or None
        What trees can give each constraint alone; None for one that matches nothing.
    shares : ndarray of shape (C,)
        The attainable shares nearest to all targets, each target first brought within its own limit; NaN for a
        constraint that matches nothing.
    groups : list of tuple of int
        Constraints that no trees meet together although each could be met alone, and any part of the group too.
        Every line that stays off its target is in one, save those that only make room for others.
    """

    limits: list
    shares: np.ndarray
    groups: list


def conflicts(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, *, projective: bool = False,
    cancel: Cancel | None = None,
) -> Conflicts:  # fmt: skip
    """The Conflicts of a constraint set.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank, projective, cancel
        As in ``attainable_together``.

    Raises
    ------
    ConstraintError : none of the constraints matches anything.
    Cancelled : ``cancel`` said so.

    Notes
    -----
    The nearest attainable shares come with a proof: the lines that stay off their targets, weighted by how far they do.
    Deletion filtering makes a group for each such line that no group holds yet: the others are left out one by one, as
    long as it still stays off its target. A group costs a search of ``attainable_together`` for each such line.
    """
    matcher = as_matcher(treebank, None, constraints)
    options = {"projective": projective, "cancel": cancel}
    limits = attainable(constraints, matcher, **options)
    within = [_within(constraint, limit) for constraint, limit in zip(constraints, limits, strict=True)]

    def search(chosen):
        return attainable_together([within[c] for c in chosen], matcher, **options)

    whole = search(range(len(within)))
    off = np.flatnonzero(np.abs(whole.pull) > VISIBLE).tolist() if _is_proven(whole) else []
    groups = []
    for c in off:
        if any(c in group for group in groups):
            continue
        group = _shrink(search, off, kept=c)
        if not _off_target(search, [other for other in group if other != c]):  # else c only makes room for the others
            groups.append(tuple(group))
    if off and not groups:
        groups = [tuple(_shrink(search, off))]
    return Conflicts(limits, whole.shares, sorted(groups))


def _off_target(search, chosen):
    """Those of the chosen constraints that cannot all be met: a set, empty where they can."""
    if len(chosen) < 2:
        return set()
    found = search(chosen)
    return {c for c, pull in zip(chosen, found.pull, strict=True) if _is_proven(found) and abs(pull) > VISIBLE}


def _shrink(search, group, kept=None):
    """The group without each constraint but ``kept`` that it can lose and still be, or keep ``kept``, off target."""
    for other in [c for c in group if c != kept]:
        without = [c for c in group if c != other]
        off = _off_target(search, without)
        if off and (kept is None or kept in off):
            group = without
    return group


def _within(constraint, limit):
    """The constraint with its target brought within what trees can give."""
    if limit is None:
        return constraint
    low, high = np.clip(
        (constraint.low, constraint.high),
        max(limit.least, 0.0),
        limit.most if constraint.per == "head" else min(limit.most, 1.0),
    ).tolist()
    return replace(constraint, low=low, high=high)


def _is_proven(together):
    return together.distance > 2 * together.gap
