"""Ten examples of a constraint that a parser contradicts: words drawn at random, of which somebody says what is right.

A constraint whose multiplier is at its bound, and from whose range the parser's own share is far off, is true or false;
the parser cannot tell. Each word drawn is one that the share is of. How many of them are right gives a 95% interval of
the share of all (Wilson 1927, J. Am. Stat. Assoc. 22). Without the parser's share in it the constraint may pull harder.
Without the stated range in it the constraint goes, or, if the parser is wrong too, takes the interval for its range.
With both in it nothing is decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np

from core.constraints.grammar.projected import target_range
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.errors import WorkbenchError
from core.markup.agreement import wilson

DRAWN = 10  # words looked at
LIFTED = 4.0  # the weight of a constraint that examples bear out
LIFT, REPLACE, DROP, KEEP = "lift", "replace", "drop", "keep"
Example = tuple[int, int, int]  # sentence, head, modifier


@dataclass(frozen=True)
class Verdict:
    """What examples say of a constraint.

    Attributes
    ----------
    kind : {"lift", "replace", "drop", "keep"}
    constraint : Constraint or None
        In place of the one looked at; None where it is dropped.
    right, of : int
        How many of the words looked at are as the constraint says.
    low, high : float
        The interval of the share.
    """

    kind: str
    constraint: Constraint | None
    right: int
    of: int
    low: float
    high: float


def can_be_shown(constraint: Constraint) -> bool:
    """Whether single words bear out a constraint or not: the share is of modifiers or of pairs."""
    return constraint.per != "head"


def drawn_examples(
    matcher: Matcher, constraint: Constraint, marginals: np.ndarray, draw: int = 0, count: int = DRAWN
) -> list[Example]:
    """Words of those that a share is of, at random without repetition, each with its likeliest head.

    Parameters
    ----------
    matcher : Matcher
    constraint : Constraint
    marginals : ndarray of shape (A,)
        The probability of every arc.
    draw : int
        Numbers the draws: each has other words while there are any.
    count : int

    Raises
    ------
    WorkbenchError : the share is of heads.
    """
    if not can_be_shown(constraint):
        raise WorkbenchError(f"{constraint.name} speaks of heads, of which single words say nothing; change its range")
    arcs, starts = matcher.match([constraint]).arcs, matcher.arc_offsets
    sentences = np.searchsorted(starts, arcs, side="right") - 1
    heads, modifiers = np.divmod(arcs - starts[sentences], matcher.treebank.lengths[sentences] + 1)
    units = arcs if constraint.per == "pair" else matcher.treebank.offsets[sentences] + modifiers
    order = np.lexsort((arcs, -marginals[arcs], units))
    first = order[np.unique(units[order], return_index=True)[1]]
    drawn = first[np.random.default_rng(crc32(constraint.name.encode())).permutation(len(first))]
    chosen = drawn[draw * count : (draw + 1) * count]
    return list(zip(*(column[chosen].tolist() for column in (sentences, heads, modifiers)), strict=True))


def judged(constraint: Constraint, share: float, right: Sequence[bool]) -> Verdict:
    """The Verdict on a constraint whose ``share`` a parser has otherwise, from what is ``right`` of its examples.

    Raises WorkbenchError without any.
    """
    low, high = wilson(sum(right), len(right))
    if low is None or high is None:
        raise WorkbenchError("no word is judged yet; say of some whether they are right")
    ends = target_range(constraint)
    stated, parser = ends[0] <= high and low <= ends[1], low <= share <= high
    counts = sum(right), len(right), low, high
    if stated and parser:
        return Verdict(KEEP, constraint, *counts)
    if stated:
        return Verdict(LIFT, replace(constraint, weight=LIFTED * constraint.weight), *counts)
    if parser:
        return Verdict(DROP, None, *counts)
    return Verdict(REPLACE, replace(constraint, low=low, high=high, weight=1.0, confirmed=True), *counts)
