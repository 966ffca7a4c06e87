"""Suggestions of constraints: answers of other treebanks, prevented errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints import Constraint
from core.constraints.authoring.preview import ArcModel, ScoredArcs
from core.constraints.authoring.proposals import Proposal, propose
from core.constraints.authoring.ranking import rank
from core.files.tables import columns_of
from core.trees.packed import PackedScores
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.known_trees import Known


@dataclass(frozen=True)
class Hint:
    """The share of a question's places that are arcs in the trees of another corpus.

    ``edges`` of ``known`` places whose head is known there; ``share`` is None where there are none.
    """

    corpus: str
    edges: int
    known: int

    @property
    def share(self) -> float | None:
        """The share of the known places that are arcs."""
        return self.edges / self.known if self.known else None


MOST = 12  # constraints proposed
LOOKED_AT = 100  # sentences whose trees rank the proposals; more take seconds


def proposals(
    known: Known, lines: Sequence[Constraint], outcome: ConstraintOutcome, model: Callable[[], ArcModel]
) -> list[Proposal]:
    """Further constraints, besides ``lines``, that would have prevented errors of an outcome.

    They are ranked by what the trees of ``model()`` gain, on at most ``LOOKED_AT`` sentences.
    """
    text = known.text
    proposed = propose(text.matcher, known.heads, outcome.heads, outcome.marginals, lines, MOST)
    return rank(proposed, model(), text.matcher, _some_heads(known)) if proposed else proposed


def _some_heads(known):
    """The known heads, of sentences spread over the text where there are many."""
    offsets = known.treebank.offsets
    sentences = np.flatnonzero(np.logical_or.reduceat(known.heads >= 0, offsets[:-1]))
    if len(sentences) <= LOOKED_AT:
        return known.heads
    chosen = np.zeros(len(known.treebank), dtype=bool)
    chosen[sentences[np.linspace(0, len(sentences) - 1, LOOKED_AT).astype(np.int64)]] = True
    return np.where(np.repeat(chosen, np.diff(offsets)), known.heads, -1)


def proposal_table(proposed: list[Proposal]) -> dict[str, list]:
    """Columns of a table over Proposals: constraint, denominator, shares, errors, gain.

    ``changes`` names the line that is replaced, and is there only if one is.
    """
    rows = []
    for row in proposed:
        changes = "" if row.line is None else f"line {row.line.line}"
        counts = row.coverage.denominator, row.expectation, row.share, len(row.rows), row.net
        rows.append((row.constraint.text, changes, *counts))
    table = columns_of(("line", "changes", "of", "model", "known", "errors", "gain"), rows)
    return table if any(table["changes"]) else {name: table[name] for name in table if name != "changes"}


def untrained_arcs(text: ConstraintInputs) -> ArcModel:
    """The ArcModel of a model that knows nothing."""
    scores = PackedScores.empty(text.treebank.lengths)
    scores.values[:] = 0.0
    return ScoredArcs(text.settings.distribution, scores)
