"""A pair of words: the constraints it is an instance of, the heads that a word might take, what decided its arc."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint
from core.constraints.attribution import ArcAttribution
from core.constraints.describe import describe_arc
from core.constraints.matching import Coverage
from core.workspace.constraints.survey import model_shares
from core.workspace.constraints.text import Text, TextOutcome

TREES = "known trees and mark-up"
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


def pull_table(constraints: Sequence[Constraint], attribution: ArcAttribution) -> dict[str, list]:
    """Columns of a table over an ArcAttribution: constraint, nats, share; largest first, what is left over last."""
    parts = np.abs(attribution.contributions).sum() + abs(attribution.trees) + abs(attribution.residual)
    rows = [(constraints[c].name, attribution.contributions[c], attribution.shares[c]) for c in attribution.strongest]
    if attribution.trees:
        rows.append((TREES, attribution.trees, attribution.trees / parts))
    rows.append((UNSAID, attribution.residual, attribution.residual / parts if parts else 0.0))
    return {
        "constraint": [name for name, _, _ in rows],
        "nats": [float(nats) for _, nats, _ in rows],
        "share": [float(share) for _, _, share in rows],
    }
