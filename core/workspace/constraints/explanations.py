"""Explanations of an arc, and the gradient of training on one sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint
from core.constraints.authoring.attribution import ArcAttribution, shares
from core.constraints.authoring.describe import describe_arc
from core.constraints.ge.approximation import CovarianceComparison, compare_covariances
from core.constraints.matching.matcher import Coverage
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.workspace.constraints.coverage import model_shares
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.results import arc_sums
from core.workspace.wording import amount

SCORE = "Score"  # the measure of an arc that is compared with nothing
TREES = "known trees and mark-up"
UNSAID = "remainder, where the search stopped"


@dataclass(frozen=True)
class Instance:
    """A Constraint that matches a given pair, without a target; its coverage; the model's share."""

    constraint: Constraint
    level: str
    coverage: Coverage
    share: float | None


def instances(
    text: ConstraintInputs, outcome: ConstraintOutcome, sentence: int, head: int, modifier: int
) -> list[Instance]:
    """The Instances of a pair of words in a text, from general to specific; shares are of the modifiers.

    Raises WorkbenchError where there is no such pair. Costs the matching of some thirty constraints.
    """
    described = describe_arc(text.matcher, sentence, head, modifier)
    constraints = [replace(instance.constraint, per="modifier") for instance in described]
    coverages = text.matcher.counts(constraints)
    (shares,) = model_shares(text, constraints, outcome)
    return [
        Instance(constraint, instance.level, coverage, share)
        for instance, constraint, coverage, share in zip(described, constraints, coverages, shares, strict=True)
    ]


def instance_table(listed: Sequence[Instance]) -> dict[str, list]:
    """Columns of a table over Instances: constraint, candidate pairs, out of how many, the model's and the gold share.

    Without gold shares where no head of the text is known.
    """
    rows = []
    for instance in listed:
        coverage = instance.coverage
        rows.append(
            (instance.constraint.name, coverage.pairs, coverage.denominator, instance.share, coverage.gold_share)
        )
    names = ("constraint", "pairs", "of", "model", "gold")
    return columns_of(names[:-1] if all(row[-1] is None for row in rows) else names, rows)


def head_options(outcome: ConstraintOutcome, sentence: int, modifier: int) -> list[tuple[int, float]]:
    """(head, probability) of all heads that a word might take, the most probable first: the root is 0."""
    column = np.array(outcome.marginals[sentence][:, modifier], dtype=np.float64)
    order = np.argsort(-column, kind="stable")
    return [(int(head), float(column[head])) for head in order if head != modifier]


@dataclass(frozen=True)
class Why:
    """Why a tree CRF chose an arc or did not.

    Attributes
    ----------
    measure : str
        What ``score`` is, up to the name of the other head, if there is one.
    score : float
        In nats; the sum of ``parts``.
    probability : float
        The arc's marginal.
    parts : tuple of (str, float)
        The contributions, in nats: constraints by their names, largest first, then the rest.
    note : str
        How they add up, in a sentence.
    """

    measure: str
    score: float
    probability: float
    parts: tuple[tuple[str, float], ...]
    note: str

    @property
    def factor(self) -> str:
        """The score as a factor, in words; "" for one that is compared with nothing."""
        if self.measure == SCORE:
            return ""
        with np.errstate(over="ignore"):
            times = f"{np.exp(abs(self.score)):.3g}"
        return f"{times} times as probable" if self.score >= 0 else f"{times} times less probable"


def why(constraints: Sequence[Constraint], attribution: ArcAttribution, against: int | None = None) -> Why:
    """The Why of an arc: contributions of constraints to its score, or to its lead over another head's."""
    parts = [(constraints[c].name, float(attribution.contributions[c])) for c in attribution.strongest]
    if attribution.trees:
        parts.append((TREES, attribution.trees))
    note = (
        f"These contributions and a remainder of **{attribution.residual:+.2f}** nats, left because the search stopped "
        "before the optimum, add up to the score."
    )
    measure = SCORE if against is None else "Lead over"
    return Why(measure, attribution.score, attribution.probability, (*parts, (UNSAID, attribution.residual)), note)


def pull_table(explained: Why) -> dict[str, list]:
    """Columns of a table over a Why: constraint, nats, share of all absolute parts."""
    total = sum(abs(nats) for _, nats in explained.parts)
    rows = [(name, nats, nats / total if 0 < total < np.inf else 0.0) for name, nats in explained.parts]
    return columns_of(("constraint", "nats", "share"), rows)


LONGEST = 60  # words: the pairwise method takes O(n^5)


def gradient_comparison(
    text: ConstraintInputs, outcome: ConstraintOutcome, sentence: int, line: int | None = None,
    scores: Callable[[], np.ndarray] | None = None,
) -> CovarianceComparison:  # fmt: skip
    """The gradient of a text's constraint set on a sentence, under the model of an Outcome.

    Parameters
    ----------
    line : int, optional
        Only the contribution of the constraint in this line, by default of all.
    scores : callable, optional
        The model's arc scores of the sentence, in nats: float64 (n + 1, n + 1); by default all 0, as untrained.

    Raises
    ------
    WorkbenchError : too long a sentence; no constraint matches anything, or the line does not.

    Notes
    -----
    O(n^5); over all trees with one root word, crossing arcs or not, as in the paper. For a trained model the text's
    features are looked up, which takes seconds the first time.
    """
    number = int(text.treebank.picks[sentence]) + 1
    if text.treebank.lengths[sentence] > LONGEST:
        raise WorkbenchError(
            f"sentence {number} has {text.treebank.lengths[sentence]} words; the pairwise method takes too long "
            f"beyond {LONGEST}, so choose a shorter sentence"
        )
    slopes, matches = _slopes(text, outcome)
    if line is not None:
        chosen = np.array([constraint.line == line for constraint in matches.constraints])
        slopes = np.where(chosen, slopes, 0.0)
    direction = arc_sums(matches, slopes, sentence)
    if not direction.any():
        match = "no line matches" if line is None else f"line {line} does not match"
        raise WorkbenchError(
            f"in sentence {number} {match} a pair of words that has still to move, so there is no gradient to compare; "
            "open another sentence"
        )
    return compare_covariances(np.zeros(direction.shape) if scores is None else np.array(scores()), direction)


def _slopes(text, outcome):
    """The derivatives of the objective by each share, float64 (C,), and the Matches."""
    usable = text.constraint_set.usable
    if not usable:
        raise WorkbenchError("no constraint matches any words of this text; write one that does")
    matches = text.matcher.match(usable)
    current = shares(matches, outcome.marginals)
    low, high, weight = (
        np.array([getattr(constraint, name) for constraint in usable]) for name in ("low", "high", "weight")
    )
    return 2 * weight * (np.clip(current, low, high) - current) / matches.denominators, matches


def gradient_table(comparison: CovarianceComparison, names: Sequence[str], most: int = 200) -> dict[str, list]:
    """Columns of a table over the ``most`` arcs with the largest errors: modifier, head, exact, approximate, error,
    and whether it goes the wrong way. ``names`` are the words', the root's first."""
    heads, modifiers = (ends[:most] for ends in comparison.ranked())
    wrong, unmoved = comparison.wrong_way[heads, modifiers], comparison.unmoved[heads, modifiers]
    return {
        "word": [names[m] for m in modifiers.tolist()],
        "head": [names[h] for h in heads.tolist()],
        "exact": comparison.exact[heads, modifiers].tolist(),
        "approximate": comparison.approximate[heads, modifiers].tolist(),
        "error": comparison.difference[heads, modifiers].tolist(),
        "sign": [
            "wrong way" if way else "not moved" if still else "" for way, still in zip(wrong, unmoved, strict=True)
        ],
    }


def gradient_verdict(comparison: CovarianceComparison, names: Sequence[str]) -> str:
    """The comparison in two sentences."""
    head, modifier = comparison.worst
    wrong, unmoved = int(comparison.wrong_way.sum()), int(comparison.unmoved.sum())
    sentences = (
        f"The approximation is off by up to {comparison.largest_error:.0%} of the largest exact gradient, at the arc "
        f"from {names[head]} to {names[modifier]}. Of {amount(comparison.arcs, 'arc')} it moves {wrong} "
        f"({wrong / comparison.arcs:.0%}) the wrong way, and leaves {unmoved} ({unmoved / comparison.arcs:.0%}) in "
        "place that the exact gradient moves."
    )
    if comparison.cosine is not None:
        sentences += f" The cosine of the two gradients is {comparison.cosine:.2f}."
    return sentences
