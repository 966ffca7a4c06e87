"""Suggestions of constraints: questions to the author, answers of other treebanks, prevented errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint
from core.constraints.authoring.preview import ArcModel, ScoredArcs
from core.constraints.authoring.proposals import Proposal, propose
from core.constraints.authoring.ranking import rank
from core.constraints.authoring.suggest import ANSWERS, suggest
from core.constraints.matching.matcher import Coverage
from core.files.tables import columns_of
from core.trees.packed import PackedScores
from core.workspace.constraints.constraint_set import saying
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.known_trees import Known

AHEAD = 20  # questions worked out at once, so that some can be skipped
EXAMPLES = 3
STRENGTHS = ((100.0, "very much"), (20.0, "yes"), (0.0, "a little"))  # from so many nats


@dataclass(frozen=True)
class ConstraintQuery:
    """One question to the author.

    Attributes
    ----------
    constraint : Constraint
        The constraint without a target yet, as a share of the modifiers, which people can judge.
    coverage : Coverage
    share : float
        The model's present share.
    gain : float
        The expected information of the answer, in nats.
    examples : tuple of (sentence, head, modifier)
        Pairs about which the model is least sure.
    """

    constraint: Constraint
    coverage: Coverage
    share: float
    gain: float
    examples: tuple

    @property
    def name(self) -> str:
        """The name of the question, by which it is skipped."""
        return self.constraint.name


def informative(gain: float) -> str:
    """The expected information of an answer, ``gain`` in nats, in words."""
    return next((words for least, words in STRENGTHS if gain >= least), STRENGTHS[-1][1])


def answer_in(constraint_text: str, constraint: Constraint) -> str | None:
    """The answer of a set to the question of a Constraint: the nearest of ANSWERS, None without that constraint."""
    answer = saying(constraint_text, constraint)
    if answer is None:
        return None
    return min(ANSWERS, key=lambda name: abs(ANSWERS[name] - (answer.low + answer.high) / 2))


def questions(text: ConstraintInputs, outcome: ConstraintOutcome) -> list[ConstraintQuery]:
    """The most informative queries, in order, for an outcome on a text; none whose constraint the set has."""
    suggestions = suggest(text.matcher, outcome.marginals, text.constraint_set.usable, AHEAD, examples=EXAMPLES)
    constraints = [replace(suggestion.constraint, per="modifier") for suggestion in suggestions]
    coverages = text.matcher.counts(constraints)
    return [
        ConstraintQuery(
            constraint,
            coverage,
            suggestion.share * suggestion.coverage.pairs / coverage.denominator,
            suggestion.gain,
            suggestion.examples,
        )
        for constraint, coverage, suggestion in zip(constraints, coverages, suggestions, strict=True)
    ]


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
