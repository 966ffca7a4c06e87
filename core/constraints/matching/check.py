"""Problems of constraints, shown to their author while typing: errors, which refuse to train, and warnings.

Errors are lines that cannot be read, targets outside [0, 1] and sets of which nothing matches. All other problems are
warnings; a single constraint that matches nothing is left out of training.
"""

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np

from core.callbacks import Cancel
from core.constraints.language.constraint import Constraint, Term
from core.constraints.language.nearest import Spellings
from core.constraints.language.reading import ConstraintDocument, Problem
from core.constraints.matching.conflicts import conflicts
from core.constraints.matching.matcher import Coverage, Matcher, Matches, as_matcher, term_values
from core.constraints.matching.overlap import bounds, overlaps
from core.errors import ConstraintError, WorkbenchError
from core.treebank import Treebank
from core.treebank.punctuation import TAGS

HINTS = 100  # unknown words of a set for which the nearest known word is searched
MOST_COMPARED = 300  # constraints that are compared in pairs
MARKS = TAGS | {"PUNCT"}
COLUMNS = {"form": "forms", "lemma": "lemmas", "feats": "features", "upos": "UPOS tags", "xpos": "XPOS tags"}


class ConstraintSet:
    """The text of a set of constraints and its counts in a treebank, each computed when first asked for.

    Parameters
    ----------
    text : str
        Lines as in ``core.constraints.language.constraint``.
    treebank : Treebank, Matcher or None
        With a treebank, a set of which nothing matches in it is refused too, and messages name the nearest tag. A
        Matcher makes sets of the same treebank fast: only new constraints are counted.
    tags : None, "xpos" or "upos"
        The tag column that bare items speak of, where ``treebank`` is no Matcher; None as ``choose_tag_column`` finds
        it.
    document : ConstraintDocument, optional
        The text after parsing, where it was parsed before.

    Attributes
    ----------
    constraints : list of Constraint
        Those that can be read, in order of lines.
    """

    def __init__(
        self, text: str, treebank: Treebank | Matcher | None = None, tags: str | None = None,
        document: ConstraintDocument | None = None,
    ):  # fmt: skip
        self.text, self.document = text, document or ConstraintDocument.from_text(text)
        self.constraints = self.document.constraints
        self._treebank, self._tags = treebank, tags

    @cached_property
    def matcher(self) -> Matcher | None:
        """The Matcher of the treebank, if there is one."""
        return None if self._treebank is None else as_matcher(self._treebank, self._tags, self.constraints)

    @cached_property
    def problems(self) -> list[Problem]:
        """All errors and warnings, in order of lines and columns."""
        problems = self.document.problems + _repetitions(self.constraints)
        if self.matcher is not None:
            problems += _mismatches(self.constraints, self.matcher)
        return sorted(problems, key=lambda problem: (problem.line, problem.column))

    def required(self) -> list[Constraint]:
        """The constraints; ConstraintError for the first error, with its place, and how many more there are."""
        errors = [problem for problem in self.problems if problem.severity == "error"]
        if errors:
            more = len(errors) - 1
            also = f" (and {more} more {'error' if more == 1 else 'errors'})" if more else ""
            raise ConstraintError(errors[0].message + also, line=errors[0].line, column=errors[0].column)
        return self.constraints

    @cached_property
    def coverages(self) -> list[Coverage]:
        """The Coverage of each constraint in the treebank."""
        assert self.matcher is not None  # the caller gave a treebank
        return self.matcher.counts(self.constraints)

    @property
    def usable(self) -> list[Constraint]:
        """The constraints that match something."""
        return [coverage.constraint for coverage in self.coverages if coverage.pairs]

    @cached_property
    def matches(self) -> Matches:
        """The candidates of each constraint."""
        assert self.matcher is not None  # the caller gave a treebank
        return self.matcher.match(self.constraints)


def parse_constraints(
    text: str, treebank: Treebank | Matcher | None = None, tags: str | None = None
) -> list[Constraint]:
    """Read a constraint file.

    Parameters
    ----------
    text : str
        Lines as in ``core.constraints.language.constraint``.
    treebank : Treebank, Matcher or None
        With a treebank, a set of which nothing matches in it is refused too, and messages name the nearest tag.
    tags : None, "xpos" or "upos"
        The tag column that bare items speak of; None as ``choose_tag_column`` finds it.

    Returns
    -------
    list of Constraint
        In order of lines, each with its ``line`` and ``comment``.

    Raises
    ------
    ConstraintError : the first error, with its line and column, and how many more there are.
    """
    return ConstraintSet(text, treebank, tags).required()


def check_constraints(
    text: str, treebank: Treebank | Matcher | None = None, tags: str | None = None
) -> tuple[list[Constraint], list[Problem]]:
    """Read the valid lines of a constraint file and list its problems.

    Parameters are those of ``parse_constraints``. A Matcher as ``treebank`` makes repeated calls fast: only changed
    constraints are counted again.

    Returns
    -------
    constraints : list of Constraint
    problems : list of Problem
        In order of lines and columns.
    """
    constraint_set = ConstraintSet(text, treebank, tags)
    return constraint_set.constraints, constraint_set.problems


def check_together(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, *, projective: bool = False,
    tags: str | None = None, cancel: Cancel | None = None,
) -> list[Problem]:  # fmt: skip
    """Problems that show only when constraints are compared with all trees and with each other.

    It decodes the corpus, so it is for after typing. It finds the exact limits of each constraint alone, and pairs
    that contradict each other on shared candidates. It also finds targets that no trees meet together, and the
    attainable shares. Only the first ``MOST_COMPARED`` constraints that match something are compared; a warning names
    the next.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank : Treebank or Matcher
    tags : None, "xpos" or "upos"
        The tag column, where ``treebank`` is no Matcher.
    projective, cancel
        As in ``attainable_together``.

    Returns
    -------
    list of Problem
        Warnings, in order of lines (line 0 for constraints that were not read from a text).
    """
    matcher = as_matcher(treebank, tags, constraints)
    usable = [coverage.constraint for coverage in matcher.counts(constraints) if coverage.pairs]
    if not usable:
        return []
    left_out, usable = usable[MOST_COMPARED:], usable[:MOST_COMPARED]
    problems = []
    if left_out:
        message = f"whether lines fit together is looked at for {MOST_COMPARED} of them; "
        message += f"this one and {len(left_out) - 1:,} more are left out: try them in a set of their own"
        problems.append(_warning(left_out[0], message, "not looked at"))
    jointly = conflicts(usable, matcher, projective=projective, cancel=cancel)
    problems += [
        _warning(usable[overlap.second], overlap.conflict, f"against {_reference(usable[overlap.first])}")
        for overlap in overlaps(usable, matcher)
        if overlap.conflict
    ]
    for constraint, limit in zip(usable, jointly.limits, strict=True):
        problems += _outside(constraint, limit)
    for group in jointly.groups:
        for c in group:
            others = _references([usable[other] for other in group if other != c])
            message = f"no trees meet the target {usable[c].target_text} together with {others}; "
            message += f"the nearest possible share is {jointly.shares[c]:.2f}"
            problems.append(_warning(usable[c], message, f"nearest {jointly.shares[c]:.2f}"))
    return sorted(problems, key=lambda problem: problem.line)


def _repetitions(constraints):
    """Warnings for constraints that repeat or contradict an earlier one."""
    problems, first = [], {}
    for constraint in constraints:
        earlier = first.setdefault(constraint.name, constraint)
        if earlier is constraint:
            continue
        same = (earlier.low, earlier.high) == (constraint.low, constraint.high)
        message = f"line {earlier.line} says {constraint.name} already"
        if not same:
            message += f", with another target, {earlier.target_text}; keep one of the two"
        note = f"{'as' if same else 'against'} {_reference(earlier)}"
        problems.append(_warning(constraint, message, note))
    return problems


def _mismatches(constraints, matcher):
    """Problems of constraints with a treebank: unknown words, nothing that matches, targets that no tree reaches."""
    problems, usable, explain = [], [], cache(UnknownTerms(matcher).explain)
    for constraint in constraints:
        try:
            messages = [explain(term) for term, _ in constraint.places]
        except WorkbenchError as error:  # bare items, and no tags anywhere
            problems.append(Problem(constraint.line, 1, "error", str(error), "no tags"))
            continue
        usable.append((constraint, messages))
    coverages = matcher.counts([c for c, _ in usable])
    any_matches = any(coverage.pairs for coverage in coverages)
    severity = "warning" if any_matches else "error"
    for (constraint, messages), coverage in zip(usable, coverages, strict=True):
        left_out = " (training leaves the line out)" if any_matches and not coverage.pairs else ""
        unknown = [
            Problem(constraint.line, column, severity, message + left_out, f"no {term.value}")
            for (term, column), message in zip(constraint.places, messages, strict=True)
            if message
        ]
        problems += unknown
        if not coverage.pairs and not unknown:
            message = f"{constraint.name} matches no words of this text"
            message += left_out or "; make it less strict or remove the line"
            problems.append(Problem(constraint.line, 1, severity, message, "matches nothing"))
        problems += _outside(constraint, bounds(coverage))
    return problems


def _outside(constraint, limit):
    """A warning when no value of the target lies within the Attainable ``limit``."""
    if limit is None or limit.allows(constraint):
        return []
    if constraint.low > limit.most:
        most = share_beside(limit.most, constraint.low)
        note = f"at most {most}"
        bound = f"above {most}, the most possible here: a sentence has one root and a word one head"
    else:
        least = share_beside(limit.least, constraint.high)
        note = f"at least {least}"
        bound = f"below {least}, the least possible here: every word has a head"
    return [_warning(constraint, f"the target {constraint.target_text} is {bound}", note)]


def share_beside(share: float, target: float) -> str:
    """A share with two digits, or with more if it would else look like the target that it is shown beside."""
    digits = next((count for count in range(2, 9) if round(share, count) != round(target, count)), 9)
    return f"{share:.{digits}f}"


def _warning(constraint, message, note):
    if constraint.arrow == "--":  # the other arrows show which is the head
        message += f" ({constraint.head.text} is the head in this line)"
    return Problem(constraint.line or 0, 1, "warning", message, note)


def _references(constraints):
    """The line numbers of constraints for a sentence, such as ``lines 3, 4 and 7``; names if they have none."""
    *most, last = (_reference(constraint).removeprefix("line ") for constraint in constraints)
    lines = ("lines " if most else "line ") if constraints[-1].line else ""
    return lines + (f"{', '.join(most)} and {last}" if most else last)


def _reference(constraint):
    return f"line {constraint.line}" if constraint.line else constraint.name


class UnknownTerms:
    """Messages about terms that no word of a Matcher's text has."""

    def __init__(self, matcher: Matcher):
        self.matcher, self.hints = matcher, 0

    def explain(self, term: Term) -> str | None:
        """The message about a term; None if some word has it. Raises WorkbenchError where there are no tags."""
        matcher, column = self.matcher, self.matcher.column(term.column)
        if column is None or (term_values(term, column) & matcher.present(term.column)).any():
            return None
        spellings = self._spellings(term.column)
        if not spellings.values:
            return f"this text has no {COLUMNS[term.column]}, so {term.text} matches nothing"
        if term.column == "tag" and term.value in MARKS:
            return f"no word here is tagged {term.value}: there is no punctuation, or it is left out"
        value = term.value
        if term.column == "tag":
            for name in ("upos", "xpos"):
                number = getattr(matcher.treebank, name).numbers.get(value)
                if number is not None and matcher.present(name)[number]:
                    return f"no word here is tagged {value}; it is a tag of the other column: write {name}:{value}"
        message = f"no word here is {f'tagged {value}' if term.column == 'tag' else term.text}"
        self.hints += 1
        if self.hints > HINTS:
            return f"{message} (for the first {HINTS} such words the nearest known one is told)"
        if term.column == "tag":
            return f"{message}; {_nearest_tag(value, spellings)}"
        near = spellings.nearest(value, 0.6)
        return message + (f"; did you mean {term.column}:{near}?" if near else "")

    def _spellings(self, name):
        """The values that occur in a column."""

        def make():
            column = self.matcher.column(name)
            assert column is not None  # a term of it was looked up
            return Spellings([column.values[k] for k in np.flatnonzero(self.matcher.present(name))])

        return self.matcher.cached(("spellings", name), make)


def _nearest_tag(value, spellings):
    letters = sorted(value.lower())
    near = next((tag for tag in [*spellings.values, "ROOT"] if sorted(tag.lower()) == letters), None)
    near = near or spellings.nearest(value, 0.5)
    return f"did you mean {near}?" if near else f"the nearest is {spellings.nearest(value, 0)}"
