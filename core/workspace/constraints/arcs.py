"""A pair of words: the constraints it is an instance of, the heads that a word might take, what decided its arc."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint
from core.constraints.attribution import ArcAttribution
from core.constraints.describe import describe_arc
from core.constraints.grammar_attribution import ArcOdds
from core.constraints.matching import Coverage
from core.workspace.constraints.survey import model_shares
from core.workspace.constraints.text import Text, TextOutcome

TREES = "known trees and mark-up"
OWN = "the grammar without any line"
ELSEWHERE = "lines elsewhere in the sentence"
UNSAID = "remainder, where the search stopped"


@dataclass(frozen=True)
class Instance:
    """One thing that can be said of a pair: a Constraint without a target, what it matches, the model's share."""

    constraint: Constraint
    level: str
    coverage: Coverage
    share: float | None

    @property
    def gold(self) -> float | None:
        """The share in the text's own trees; None where it has none."""
        return self.coverage.gold_share


def instances(
    text: Text, outcome: TextOutcome, sentence: int, head: int, modifier: int, per: str = "modifier"
) -> list[Instance]:
    """The Instances of a pair of words in a Text, from general to specific; shares are ``per`` modifier or pair.

    Raises WorkbenchError where there is no such pair. Costs the matching of some thirty constraints.
    """
    found = describe_arc(text.matcher, sentence, head, modifier)
    constraints = [replace(each.constraint, per=per) for each in found]
    coverages = text.matcher.counts(constraints)
    (shares,) = model_shares(text, constraints, outcome)
    return [
        Instance(constraint, each.level, coverage, share)
        for each, constraint, coverage, share in zip(found, constraints, coverages, shares, strict=True)
    ]


def instance_table(found: Sequence[Instance]) -> dict[str, list]:
    """Columns of a table over Instances: constraint, candidate pairs, out of how many, the model's and the gold share.

    Without gold shares where no head of the text is known.
    """
    table = {
        "constraint": [each.constraint.name for each in found],
        "pairs": [each.coverage.pairs for each in found],
        "of": [each.coverage.denominator for each in found],
        "model": [each.share for each in found],
    }
    gold = [each.gold for each in found]
    return table if all(share is None for share in gold) else table | {"gold": gold}


def head_options(outcome: TextOutcome, sentence: int, modifier: int) -> list[tuple[int, float]]:
    """(head, probability) of all heads that a word might take, the most probable first: the root is 0."""
    column = np.array(outcome.marginals[sentence][:, modifier], dtype=np.float64)
    order = np.argsort(-column, kind="stable")
    return [(int(head), float(column[head])) for head in order if head != modifier]


@dataclass(frozen=True)
class Why:
    """What pulled an arc in or out.

    Attributes
    ----------
    measure : str
        What is explained, up to the name of the other head, if there is one.
    score : float
        In nats; the sum of ``parts``.
    probability : float
        The arc's marginal.
    parts : tuple of (str, float)
        What each thing adds, in nats: lines by their names, largest first, then the rest.
    note : str
        How they add up, in a sentence.
    """

    measure: str
    score: float
    probability: float
    parts: tuple[tuple[str, float], ...]
    note: str


def why(constraints: Sequence[Constraint], found: ArcAttribution, against: int | None = None) -> Why:
    """The Why of a tree CRF: the lines' contributions to an arc's score, or to its lead over another head's."""
    parts = [(constraints[c].name, float(found.contributions[c])) for c in found.strongest]
    if found.trees:
        parts.append((TREES, found.trees))
    note = (
        f"These contributions and a remainder of **{found.residual:+.2f}** nats, left because the search stopped "
        "before the optimum, add up to the score."
    )
    measure = "Score" if against is None else "Lead over"
    return Why(measure, found.score, found.probability, (*parts, (UNSAID, found.residual)), note)


def grammar_why(
    constraints: Sequence[Constraint], found: ArcOdds, against: int | None = None, alone: bool = True
) -> Why:
    """The Why of a grammar: its own log-odds, and the lines' multipliers; ``alone``, if no other parser votes."""
    order = np.argsort(-np.abs(found.contributions), kind="stable").tolist()
    parts = [(constraints[c].name, float(found.contributions[c])) for c in order if found.contributions[c]]
    rest = ELSEWHERE if alone else f"{ELSEWHERE}, and the other parsers"
    note = (
        "The multipliers λ of the lines that match the arc, the log-odds that the grammar gives it without any line, "
        "and what lines do to other arcs of the sentence add up to its log-odds."
    )
    measure = "Log-odds" if against is None else "Log-odds against"
    return Why(measure, found.score, found.probability, (*parts, (OWN, found.own), (rest, found.elsewhere)), note)


def pull_table(found: Why) -> dict[str, list]:
    """Columns of a table over a Why: constraint, nats, share of all absolute parts."""
    total = sum(abs(nats) for _, nats in found.parts)
    return {
        "constraint": [name for name, _ in found.parts],
        "nats": [nats for _, nats in found.parts],
        "share": [nats / total if 0 < total < np.inf else 0.0 for _, nats in found.parts],
    }
