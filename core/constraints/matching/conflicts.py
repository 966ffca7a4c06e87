"""Conflicts within a constraint set: the smallest groups of constraints that no trees meet together."""

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
    """The limits of each constraint, and the groups that conflict.

    Attributes
    ----------
    limits : list of Attainable or None
        What trees can give each constraint alone; None for one that matches nothing.
    shares : ndarray of shape (C,)
        The attainable shares nearest to all targets, each target first brought within its own limit; NaN for a
        constraint that matches nothing.
    groups : list of tuple of int
        Indices of constraints that no trees meet together, although trees meet each alone and each part of the group.
        A constraint that stays off its target is in a group unless it only gives way to others.
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
    Cancelled : ``cancel`` returned True.

    Notes
    -----
    The constraints that stay off their targets at the nearest attainable shares are the candidates for groups. Deletion
    filtering finds a group for each that is in none yet: the others are left out one by one, as long as it still stays
    off its target. A group costs a search of ``attainable_together`` for each candidate.
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
        group = _shrink(search, off, required=c)
        if not _off_target(search, [other for other in group if other != c]):  # else c only gives way to the others
            groups.append(tuple(group))
    if off and not groups:
        groups = [tuple(_shrink(search, off))]
    return Conflicts(limits, whole.shares, sorted(groups))


def _off_target(search, chosen):
    """The set of those chosen constraints that stay off their targets; empty if trees meet all of them."""
    if len(chosen) < 2:
        return set()
    joint = search(chosen)
    return {c for c, pull in zip(chosen, joint.pull, strict=True) if _is_proven(joint) and abs(pull) > VISIBLE}


def _shrink(search, group, required=None):
    """A smallest part of the group in which some constraint, or the ``required`` one, stays off its target."""
    for other in [c for c in group if c != required]:
        without = [c for c in group if c != other]
        off = _off_target(search, without)
        if off and (required is None or required in off):
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


def _is_proven(joint):
    return joint.distance > 2 * joint.gap
