"""What to write next: questions to the author, answers of other treebanks, constraints that would prevent errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint, ConstraintDocument
from core.constraints.authoring.preview import ArcModel, ScoredArcs
from core.constraints.authoring.proposals import Proposal, propose
from core.constraints.authoring.ranking import rank
from core.constraints.authoring.suggest import ANSWERS, suggest
from core.constraints.matching.matcher import Coverage
from core.trees.packed import PackedScores
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.known_trees import Known

AHEAD = 20  # questions worked out at once; the skipped ones are passed over
EXAMPLES = 3
STRENGTHS = ((100.0, "very much"), (20.0, "yes"), (0.0, "a little"))  # from so many nats


@dataclass(frozen=True)
class ConstraintQuery:
    """One question to the author.

    Attributes
    ----------
    constraint : Constraint
        Without a target yet, as a share of the modifiers: what people can judge.
    coverage : Coverage
    share : float
        The model's present share.
    gain : float
        What the answer may be expected to teach, in nats.
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
        """Names the question, to skip it."""
        return self.constraint.name


def informative(gain: float) -> str:
    """How much an answer may be expected to teach, in words; ``gain`` is in nats."""
    return next((words for least, words in STRENGTHS if gain >= least), STRENGTHS[-1][1])


def answer_in(constraint_text: str, constraint: Constraint) -> str | None:
    """What a set answers to the question of a Constraint: the nearest of ANSWERS, or None where it has no such line."""
    constraints = ConstraintDocument.from_text(constraint_text).constraints
    answer = next((other for other in constraints if other.name == constraint.name), None)
    if answer is None:
        return None
    return min(ANSWERS, key=lambda name: abs(ANSWERS[name] - (answer.low + answer.high) / 2))


def questions(text: ConstraintInputs, outcome: ConstraintOutcome) -> list[ConstraintQuery]:
    """The queries that teach most, in order, for the set and an Outcome of a text; none that the set has a line for."""
    suggestions = suggest(text.matcher, outcome.marginals, text.constraint_set.usable, AHEAD, examples=EXAMPLES)
    asked = [replace(suggestion.constraint, per="modifier") for suggestion in suggestions]
    coverages = text.matcher.counts(asked)
    return [
        ConstraintQuery(
            constraint,
            coverage,
            suggestion.share * suggestion.coverage.pairs / coverage.denominator,
            suggestion.gain,
            suggestion.examples,
        )
        for constraint, coverage, suggestion in zip(asked, coverages, suggestions, strict=True)
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
        """What they make."""
        return self.edges / self.known if self.known else None


MOST = 12  # lines proposed
LOOKED_AT = 100  # sentences whose trees say which line is best; more take seconds


def proposals(
    known: Known, lines: Sequence[Constraint], outcome: ConstraintOutcome, model: Callable[[], ArcModel]
) -> list[Proposal]:
    """Further lines, beside ``lines``, that would have prevented errors of an Outcome.

    In the order of what the trees of ``model()`` gain by the first of them, on ``LOOKED_AT`` sentences at most.
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
    """Columns of a table over Proposals: the line, of how many it speaks, shares, errors, gain; ``changes``, which
    line it takes the place of, only where one does."""
    changes = ["" if proposal.line is None else f"line {proposal.line.line}" for proposal in proposed]
    return {
        "line": [proposal.constraint.text for proposal in proposed],
        **({"changes": changes} if any(changes) else {}),
        "of": [proposal.coverage.denominator for proposal in proposed],
        "model": [proposal.expectation for proposal in proposed],
        "known": [proposal.share for proposal in proposed],
        "errors": [len(proposal.rows) for proposal in proposed],
        "gain": [proposal.net for proposal in proposed],
    }


def untrained_arcs(text: ConstraintInputs) -> ArcModel:
    """The ArcModel of a model that knows nothing."""
    scores = PackedScores.empty(text.treebank.lengths)
    scores.values[:] = 0.0
    return ScoredArcs(text.settings.distribution, scores)
