"""Everything there is to tell an author about constraints while typing: errors that refuse to train, warnings.

Errors: what cannot be read, targets outside [0, 1], a set of which nothing matches. All the rest warns; a single line
that matches nothing is left out of training.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.callbacks import Cancel
from core.constraints.language.constraint import Constraint, head_side
from core.constraints.language.nearest import Spellings
from core.constraints.language.reading import ConstraintDocument, Problem
from core.constraints.matching.conflicts import conflicts
from core.constraints.matching.matcher import Coverage, Matcher, Matches, as_matcher, term_values
from core.constraints.matching.overlap import bounds, overlaps
from core.errors import ConstraintError, WorkbenchError
from core.treebank import Treebank
from core.treebank.punctuation import TAGS

HINTS = 100  # unknown words of a set that the nearest known one is looked up for
TOGETHER = 300  # lines that are held against each other
MARKS = TAGS | {"PUNCT"}
COLUMNS = {"form": "forms", "lemma": "lemmas", "feats": "features", "upos": "UPOS tags", "xpos": "XPOS tags"}


class ConstraintSet:
    """The text of a set of constraints, and what it says of a treebank: worked out once, when first asked for.

    Parameters
    ----------
    text : str
        Lines as in ``core.constraints.language.constraint``.
    treebank : Treebank, Matcher or None
        With one, a set of which nothing matches in it is refused too, and the nearest tag is named. A Matcher makes
        sets of the same treebank fast: only lines that are new are counted.
    tags : None, "xpos" or "upos"
        The tag column that bare items speak of, where ``treebank`` is no Matcher; None as ``choose_tag_column`` finds
        it.
    document : ConstraintDocument, optional
        The text, where it was read before.
    """

    def __init__(
        self, text: str, treebank: Treebank | Matcher | None = None, tags: str | None = None,
        document: ConstraintDocument | None = None,
    ):  # fmt: skip
        self.text, self.document = text, document or ConstraintDocument.from_text(text)
        self._treebank, self._tags = treebank, tags

    @cached_property
    def constraints(self) -> list[Constraint]:
        """Those that can be read, in order of lines."""
        return self.document.constraints

    @cached_property
    def matcher(self) -> Matcher | None:
        """Of the treebank, if there is one."""
        return None if self._treebank is None else as_matcher(self._treebank, self._tags, self.constraints)

    @cached_property
    def problems(self) -> list[Problem]:
        """All that is wrong, in order of lines and columns."""
        problems = self.document.problems + _repeated(self.constraints)
        if self.matcher is not None:
            problems += _against(self.constraints, self.matcher)
        return sorted(problems, key=lambda each: (each.line, each.column))

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
        """What each constraint covers in the treebank."""
        assert self.matcher is not None  # whoever asks gave one
        return self.matcher.counts(self.constraints)

    @property
    def usable(self) -> list[Constraint]:
        """Those that match something."""
        return [coverage.constraint for coverage in self.coverages if coverage.pairs]

    @cached_property
    def matches(self) -> Matches:
        """The candidates of each constraint."""
        assert self.matcher is not None  # whoever asks gave one
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
        With one, a set of which nothing matches in it is refused too, and the nearest tag is named.
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
    """Read what can be read of a constraint file and list all that is wrong with it.

    Parameters are those of ``parse_constraints``; a Matcher as ``treebank`` makes repeated calls fast: only lines that
    changed are counted again.

    Returns
    -------
    constraints : list of Constraint
    problems : list of Problem
        In order of lines and columns.
    """
    lines = ConstraintSet(text, treebank, tags)
    return lines.constraints, lines.problems


def check_together(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, *, projective: bool = False,
    tags: str | None = None, cancel: Cancel | None = None,
) -> list[Problem]:  # fmt: skip
    """What only shows when constraints are weighed against all trees, and against each other.

    Takes decodings of the corpus, so it is for after typing: exact limits of each constraint alone, pairs that
    contradict each other on shared candidates, and targets that no trees meet together, each with the share
    that is attainable. The first ``TOGETHER`` lines that match something are weighed, and a warning names the first one
    that is left out: each is held against each other one.

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
    some = [each.constraint for each in matcher.counts(constraints) if each.pairs]
    if not some:
        return []
    left_out, some = some[TOGETHER:], some[:TOGETHER]
    problems = []
    if left_out:
        message = f"whether lines fit together is looked at for {TOGETHER} of them; "
        message += f"this one and {len(left_out) - 1:,} more are left out: try them in a set of their own"
        problems.append(_warning(left_out[0], message, "not looked at"))
    found = conflicts(some, matcher, projective=projective, cancel=cancel)
    problems += [
        _warning(some[each.second], each.conflict, f"against {_place(some[each.first])}")
        for each in overlaps(some, matcher)
        if each.conflict
    ]
    for constraint, limit in zip(some, found.limits, strict=True):
        problems += _outside(constraint, limit)
    for group in found.groups:
        for c in group:
            others = _places([some[other] for other in group if other != c])
            message = f"no trees meet the target {some[c].target_text} together with {others}; "
            message += f"the nearest possible share is {found.shares[c]:.2f}"
            problems.append(_warning(some[c], message, f"nearest {found.shares[c]:.2f}"))
    return sorted(problems, key=lambda each: each.line)


def _repeated(constraints):
    """Warnings for lines that say what an earlier line says, or contradict it."""
    problems, first = [], {}
    for constraint in constraints:
        earlier = first.setdefault(constraint.name, constraint)
        if earlier is constraint:
            continue
        same = (earlier.low, earlier.high) == (constraint.low, constraint.high)
        said = f"line {earlier.line} says {constraint.name} already"
        if not same:
            said += f", with another target, {earlier.target_text}; keep one of the two"
        note = f"{'as' if same else 'against'} {_place(earlier)}"
        problems.append(_warning(constraint, said, note))
    return problems


def _against(constraints, matcher):
    problems, usable, ask = [], [], _Unknown(matcher)
    for constraint in constraints:
        try:
            found = [ask(term) for term, _ in constraint.places]
        except WorkbenchError as error:  # bare items, and no tags anywhere
            problems.append(Problem(constraint.line, 1, "error", str(error), "no tags"))
            continue
        usable.append((constraint, found))
    coverages = matcher.counts([c for c, _ in usable])
    some = any(coverage.pairs for coverage in coverages)
    for (constraint, found), coverage in zip(usable, coverages, strict=True):
        severity = "warning" if some else "error"
        left_out = " (training leaves the line out)" if some and not coverage.pairs else ""
        unknown = [
            Problem(constraint.line, place, severity, message + left_out, f"no {term.value}")
            for (term, place), message in zip(constraint.places, found, strict=True)
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
    """A share with two digits, or as many more as set it apart from the target it is shown beside."""
    digits = next((count for count in range(2, 9) if round(share, count) != round(target, count)), 9)
    return f"{share:.{digits}f}"


def _warning(constraint, message, note):
    side = head_side(constraint)
    return Problem(constraint.line or 0, 1, "warning", f"{message} ({side} in this line)" if side else message, note)


def _places(constraints):
    """Where constraints stand, for a sentence: ``lines 3, 4 and 7``."""
    *most, last = (_place(each).removeprefix("line ") for each in constraints)
    lines = ("lines " if most else "line ") if constraints[-1].line else ""
    return lines + (f"{', '.join(most)} and {last}" if most else last)


def _place(constraint):
    return f"line {constraint.line}" if constraint.line else constraint.name


class _Unknown:
    """What to say of terms that no word has; each is looked up once."""

    def __init__(self, matcher):
        self.matcher, self.messages, self.hints = matcher, {}, 0

    def __call__(self, term):
        """The sentence of a term, or None where some word has it. Raises WorkbenchError where there are no tags."""
        if term not in self.messages:
            self.messages[term] = self._message(term)
        return self.messages[term]

    def _message(self, term):
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
                place = matcher.column(name).numbers.get(value)
                if place is not None and matcher.present(name)[place]:
                    return f"no word here is tagged {value}; it is a tag of the other column: write {name}:{value}"
        said = f"no word here is {f'tagged {value}' if term.column == 'tag' else term.text}"
        self.hints += 1
        if self.hints > HINTS:
            return f"{said} (for the first {HINTS} such words the nearest known one is told)"
        if term.column == "tag":
            return f"{said}; {_nearest_tag(value, spellings)}"
        near = spellings.nearest(value, 0.6)
        return said + (f"; did you mean {term.column}:{near}?" if near else "")

    def _spellings(self, name):
        """The values that occur in a column."""

        def make():
            values = self.matcher.column(name).values
            return Spellings([values[k] for k in np.flatnonzero(self.matcher.present(name))])

        return self.matcher.keep(("spellings", name), make)


def _nearest_tag(value, spellings):
    letters = sorted(value.lower())
    near = next((tag for tag in [*spellings.values, "ROOT"] if sorted(tag.lower()) == letters), None)
    near = near or spellings.nearest(value, 0.5)
    return f"did you mean {near}?" if near else f"the nearest is {spellings.nearest(value, 0)}"
