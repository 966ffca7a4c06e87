"""A constraint set while it is written: coverage, shares, examples and problems of its lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints import (
    Attainable,
    Constraint,
    ConstraintDocument,
    Coverage,
    Problem,
    check_constraints,
    check_together,
    overlaps,
)
from core.constraints.overlap import bounds
from core.workspace.constraints.change import shares
from core.workspace.constraints.text import Text, TextOutcome

EXAMPLES = 3


@dataclass(frozen=True)
class Row:
    """One constraint of a set.

    Attributes
    ----------
    line : int
    constraint : Constraint
    coverage : Coverage
    before, after : float or None
        The model's share, in the units of the target; None where there is no such model or nothing matches.
    gold : float or None
        The share in the text's own trees, where it has any.
    """

    line: int
    constraint: Constraint
    coverage: Coverage
    before: float | None = None
    after: float | None = None

    @property
    def gold(self) -> float | None:
        """The share in the text's own trees; None where it has none."""
        return self.coverage.gold_share


@dataclass(frozen=True)
class Survey:
    """A constraint set against a Text: ``rows`` of what can be read, ``problems`` with line and column."""

    rows: tuple
    problems: tuple

    @property
    def errors(self) -> list[Problem]:
        """The problems that refuse to train."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems with which training goes on."""
        return [problem for problem in self.problems if problem.severity == "warning"]


def survey(
    text: Text, constraint_text: str | ConstraintDocument, before: TextOutcome | None = None,
    after: TextOutcome | None = None,
) -> Survey:  # fmt: skip
    """Coverage, shares and problems of a constraint set in a Text.

    Parameters
    ----------
    text : Text
    constraint_text : str or ConstraintDocument
    before, after : TextOutcome, optional
        Whose shares to give.

    Notes
    -----
    Costs what the matching of the lines that changed costs, and one look at every candidate for the shares.
    """
    constraints, problems = check_constraints(constraint_text, text.matcher)
    coverages = text.matcher.counts(constraints)
    given = model_shares(text, constraints, before, after)
    rows = [
        Row(constraint.line, constraint, coverage, *pair)
        for constraint, coverage, *pair in zip(constraints, coverages, *given, strict=True)
    ]
    return Survey(tuple(rows), tuple(problems))


def survey_table(found: Survey, together: Sequence[Problem] = ()) -> dict[str, list]:
    """Columns of a table over a Survey's rows; ``together`` are further problems. ``note`` only where there are any.

    Lines are numbered as in the text.
    """
    notes = line_notes([*found.problems, *together])
    table = {
        "line": [row.line for row in found.rows],
        "constraint": [row.constraint.name for row in found.rows],
        "target": [row.constraint.target_text for row in found.rows],
        "model": [row.after for row in found.rows],
        "of": [row.coverage.denominator for row in found.rows],
    }
    marked = [f"⚠ {notes[row.line][1]}" if row.line in notes else "" for row in found.rows]
    return table | {"note": marked} if any(marked) else table


def line_notes(problems: Iterable[Problem]) -> dict[int, tuple]:
    """line -> (severity, note, message) of its problems, the worst first and each note once."""
    found = {}
    for problem in sorted(problems, key=lambda each: each.severity):  # errors come before warnings
        severity, notes, messages = found.get(problem.line, (problem.severity, (), ()))
        note = () if problem.note in notes else (problem.note,)
        message = () if problem.message in messages else (problem.message,)
        found[problem.line] = severity, notes + note, messages + message
    return {line: (severity, ", ".join(n), "; ".join(m)) for line, (severity, n, m) in found.items()}


@dataclass(frozen=True)
class Preview:
    """What one constraint that is being written would speak of.

    ``examples`` is a list of (sentence, head, modifier), ``model`` the share
    that the model in use gives it, ``problems`` a list of Problem.
    """

    coverage: Coverage
    attainable: Attainable | None
    examples: list
    model: float | None
    problems: list
    shared: list


def preview(
    text: Text, constraint: Constraint, others: Sequence[Constraint], outcome: TextOutcome | None = None
) -> Preview:
    """The Preview of a Constraint beside the ``others`` of its set. For while somebody types."""
    _, problems = check_constraints(constraint.text, text.matcher)
    coverage = text.matcher.counts([constraint])[0]
    shown, model, shared = [], None, []
    if coverage.pairs:
        shown = text.matcher.examples(constraint, EXAMPLES)
        ((model,),) = model_shares(text, [constraint], outcome)
        shared = _shared(text, constraint, others)
    return Preview(coverage, bounds(coverage), shown, model, problems, shared)


def conflicts(text: Text, constraint_text: str, cancel: Cancel | None = None) -> list[Problem]:
    """Warnings that take decodings of the whole text: what no trees meet together. Seconds on large texts."""
    constraints, problems = check_constraints(constraint_text, text.matcher)
    if any(problem.severity == "error" for problem in problems):
        return []
    return check_together(constraints, text.matcher, projective=text.settings.distribution.projective, cancel=cancel)


def _shared(text, constraint, others):
    """(other constraint, shared pairs, conflict) for each that speaks of some of the same pairs."""
    usable = [each for each in others if each.name != constraint.name]
    usable = [each.constraint for each in text.matcher.counts(usable) if each.pairs]
    last = len(usable)
    found = [each for each in overlaps([*usable, replace(constraint, line=None)], text.matcher) if each.second == last]
    return [(usable[each.first], each.shared, each.conflict) for each in found]


def model_shares(
    text: Text, constraints: Sequence[Constraint], *outcomes: TextOutcome | None
) -> list[list[float | None]]:
    """For each model, an Outcome or None, the share that it gives each Constraint: lists of float or None."""
    if not constraints or all(outcome is None for outcome in outcomes):
        return [[None] * len(constraints) for _ in outcomes]
    matches = text.matcher.match(constraints)
    unknown = np.full(len(constraints), np.nan)
    given = [unknown if outcome is None else shares(matches, outcome.marginals) for outcome in outcomes]
    return [[None if np.isnan(value) else float(value) for value in values] for values in given]
