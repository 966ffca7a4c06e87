"""A constraint set while it is written: coverage, shares and problems, occurrences of a constraint, completion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints import Attainable, Constraint, Coverage, Problem, check_constraints, check_together
from core.constraints.language.constraint import ARROWS, DENOMINATORS, EITHER_HEAD
from core.constraints.matching.overlap import bounds, overlaps_with
from core.files.tables import columns_of
from core.workspace.completion import Context, line_notes, offered_items
from core.workspace.constraints.constraint_set import DISTANCES, choices
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.results import shares
from core.workspace.wording import marked_words

EXAMPLES = 2


@dataclass(frozen=True)
class SurveyRow:
    """One constraint of a surveyed set.

    Attributes
    ----------
    line : int
    constraint : Constraint
    coverage : Coverage
    before, after : float or None
        The model's share, in the units of the target; None where there is no such model or nothing matches.
    """

    line: int
    constraint: Constraint
    coverage: Coverage
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True)
class Survey:
    """A constraint set against a text: ``rows`` of the readable constraints, ``problems`` with line and column.

    ``covered`` of the ``words`` of the text are the modifier in some pair that a constraint matches.
    """

    rows: tuple
    problems: tuple
    covered: int = 0
    words: int = 0

    @property
    def covered_share(self) -> float:
        """The share of words whose head some constraint speaks of."""
        return self.covered / self.words if self.words else 0.0

    @property
    def errors(self) -> list[Problem]:
        """The problems that refuse to train."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems with which training goes on."""
        return [problem for problem in self.problems if problem.severity == "warning"]


def survey(
    text: ConstraintInputs, before: ConstraintOutcome | None = None, after: ConstraintOutcome | None = None
) -> Survey:
    """Coverage, shares and problems of the constraint set of a text.

    Parameters
    ----------
    text : ConstraintInputs
    before, after : ConstraintOutcome, optional
        The models whose shares are given.

    Notes
    -----
    Only constraints that changed are matched anew; the shares take one look at every candidate.
    """
    lines = text.constraint_set
    columns = model_shares(text, lines.constraints, before, after)
    rows = [
        SurveyRow(constraint.line, constraint, coverage, *pair)
        for constraint, coverage, *pair in zip(lines.constraints, lines.coverages, *columns, strict=True)
    ]
    return Survey(tuple(rows), tuple(lines.problems), covered_words(text), text.treebank.token_count)


def covered_words(text: ConstraintInputs) -> int:
    """How many words are the modifier in some pair that a constraint of the set of a text matches. O(candidates)."""
    matches, treebank = text.constraint_set.matches, text.treebank
    covered = np.zeros(len(treebank.heads), bool)
    for c in range(len(matches.constraints)):
        arcs = matches.of(c)
        sentences = np.searchsorted(matches.arc_offsets, arcs, side="right") - 1
        modifiers = (arcs - matches.arc_offsets[sentences]) % (treebank.lengths[sentences] + 1)
        covered[treebank.offsets[sentences] + modifiers] = True
    return int(covered.sum())


def survey_table(surveyed: Survey, together: Sequence[Problem] = ()) -> dict[str, list]:
    """Columns of a table over a Survey's rows; ``together`` are further problems. ``note`` only where there are any.

    Constraints are numbered by their lines in the text.
    """
    notes = line_notes([*surveyed.problems, *together])
    rows = []
    for row in surveyed.rows:
        note = f"⚠ {notes[row.line][1]}" if row.line in notes else ""
        name, target = row.constraint.name, row.constraint.target_text
        rows.append((row.line, name, target, row.after, row.coverage.denominator, note))
    names = ("line", "constraint", "target", "model", "of", "note")
    return columns_of(names if any(row[-1] for row in rows) else names[:-1], rows)


@dataclass(frozen=True)
class ConstraintPreview:
    """What a constraint that is being written matches.

    ``examples`` are (sentence, head, modifier), ``model`` is the share that the model in use gives it.
    """

    coverage: Coverage
    attainable: Attainable | None
    examples: list
    model: float | None
    problems: list
    shared: list


def preview(
    text: ConstraintInputs,
    constraint: Constraint,
    others: Sequence[Constraint],
    outcome: ConstraintOutcome | None = None,
) -> ConstraintPreview:
    """The ConstraintPreview of a Constraint among the ``others`` of its set, fast enough while somebody types."""
    _, problems = check_constraints(constraint.text, text.matcher)
    coverage = text.matcher.counts([constraint])[0]
    shown, model, shared = [], None, []
    if coverage.pairs:
        shown = text.matcher.examples(constraint, EXAMPLES)
        ((model,),) = model_shares(text, [constraint], outcome)
        usable = [other for other in others if other.name != constraint.name]
        usable = [counted.constraint for counted in text.matcher.counts(usable) if counted.pairs]
        pairs = overlaps_with(replace(constraint, line=None), usable, text.matcher)
        shared = [(usable[pair.first], pair.shared, pair.conflict) for pair in pairs]
    return ConstraintPreview(coverage, bounds(coverage), shown, model, problems, shared)


def conflicts(text: ConstraintInputs, cancel: Cancel | None = None) -> list[Problem]:
    """Warnings about targets that no trees meet together, from decodings of the text. Seconds on large texts."""
    if any(problem.severity == "error" for problem in text.constraint_set.problems):
        return []
    projective = text.settings.distribution.projective
    return check_together(text.constraint_set.constraints, text.matcher, projective=projective, cancel=cancel)


def model_shares(
    text: ConstraintInputs, constraints: Sequence[Constraint], *outcomes: ConstraintOutcome | None
) -> list[list[float | None]]:
    """The share of each Constraint under each model, an outcome or None: lists of float or None."""
    if not constraints or all(outcome is None for outcome in outcomes):
        return [[None] * len(constraints) for _ in outcomes]
    matches = text.matcher.match(constraints)
    unknown = np.full(len(constraints), np.nan)
    by_model = [unknown if outcome is None else shares(matches, outcome.marginals) for outcome in outcomes]
    return [[None if np.isnan(value) else float(value) for value in values] for values in by_model]


KINDS = {"all": "All", "edges": "Arcs of the text’s own trees", "others": "Not arcs"}


@dataclass(frozen=True, eq=False)
class Occurrences:
    """K places, in the order of the text: pairs, modifiers or heads, as the constraint's target is a share of.

    Attributes
    ----------
    sentences : ndarray of shape (K,), dtype int64
    starts : ndarray of shape (K + 1,), dtype int64
        Place k owns the candidate pairs ``starts[k]:starts[k + 1]`` of the arrays below.
    arcs, heads, modifiers : ndarrays, dtype int64
        Of candidate pairs: position in the packed layout, and words of the sentence.
    edges : ndarray of shape (K,), dtype bool
        Whether a candidate is an edge of the text's own trees.
    known : ndarray of shape (K,), dtype bool
        Whether such a tree has a head for a candidate's modifier.
    """

    sentences: np.ndarray
    starts: np.ndarray
    arcs: np.ndarray
    heads: np.ndarray
    modifiers: np.ndarray
    edges: np.ndarray
    known: np.ndarray

    def __len__(self):
        return len(self.sentences)

    def of_kind(self, kind: str) -> np.ndarray:
        """int64 (k,): which places are of a kind of KINDS."""
        if kind == "all":
            return np.arange(len(self))
        return np.flatnonzero(self.edges if kind == "edges" else self.known & ~self.edges)


def occurrences(text: ConstraintInputs, constraint: Constraint) -> Occurrences:
    """The Occurrences of a Constraint in a text; as many as its denominator says. O(candidates)."""
    matches, treebank = text.matcher.match([constraint]), text.treebank
    arcs = matches.of(0)
    sentence = np.searchsorted(matches.arc_offsets, arcs, side="right") - 1
    head, modifier = np.divmod(arcs - matches.arc_offsets[sentence], treebank.lengths[sentence] + 1)
    rows = treebank.offsets[sentence]
    pair = arcs
    if constraint.arrow == EITHER_HEAD:  # two candidates are one place
        pair = np.minimum(head, modifier) + (rows + np.maximum(head, modifier)) * (treebank.lengths.max(initial=0) + 1)
    owner = {"pair": pair, "modifier": rows + modifier, "head": rows + head}[constraint.per]
    order = np.argsort(owner, kind="stable")
    _, starts = np.unique(owner[order], return_index=True)
    gold = treebank.heads[rows + modifier][order]
    edges, known = gold == head[order], gold >= 0
    return Occurrences(
        sentence[order][starts],
        np.append(starts, len(arcs)),
        arcs[order],
        head[order],
        modifier[order],
        *(np.logical_or.reduceat(judged, starts) if len(starts) else judged for judged in (edges, known)),
    )


def shown_place(
    text: ConstraintInputs, listed: Occurrences, k: int, outcome: ConstraintOutcome | None = None
) -> tuple[str, float | None]:
    """(Markdown of the sentence with its words marked, the model's probability or None) of one place.

    The probability is that of any of its candidates being an edge, but with ``per head`` the expected number of them.
    """
    part = slice(listed.starts[k], listed.starts[k + 1])
    sentence = text.treebank[int(listed.sentences[k])]
    marked = marked_words(sentence, set(listed.heads[part].tolist()), set(listed.modifiers[part].tolist()))
    return marked, None if outcome is None else float(outcome.marginals.values[listed.arcs[part]].sum())


TOKEN = r"(?:feats:[^\s{}]*|[^\s{}=]*)$"  # the word before the caret
ITEM = r"(?:^|->|<-|--|→|←|↔|\{[^}]*|\b(?:between|only|none|head|modifier))\s*$"
CONDITIONS = (
    "dist", "between", "between only", "between none", "before head", "after head", "before modifier", "after modifier"
)  # fmt: skip


def contexts(text: ConstraintInputs) -> tuple[Context, ...]:
    """The Contexts of constraints over a text, the first that fits counts."""
    items = offered_items(text.matcher, [tag for tag in choices(text) if tag != "*"])
    per = tuple((f"per {name}", f"the target is a share of the {name}s") for name in DENOMINATORS)
    settings = (*per, ("weight", "how much the line counts"))
    conditions = tuple((name, "") for name in CONDITIONS)
    sides = (("head", ""), ("modifier", ""))
    return (
        Context(r"(?:^|\s)#", ()),  # a comment
        Context(r"\s=\s*$", ()),  # a number
        Context(r"\s=\s*\d\S*\s+(?:.*\s)?$", settings),
        Context(r"\bdist\s+$", tuple((distance, "words apart") for distance in DISTANCES if distance != "any")),
        Context(r"\bper\s+$", tuple((name, "") for name in DENOMINATORS)),
        Context(r"\b(?:before|after)\s+$", sides),
        Context(r"\bbetween\s+$", (("only", ""), ("none", ""), *items)),
        Context(ITEM, items),
        Context(r"(?:->|<-|--|→|←|↔).*\s$", (*conditions, *settings, ("=", "then the target"))),
        Context(r"\s$", tuple((arrow, about) for arrow, about in zip(ARROWS, ABOUT, strict=True))),
    )


ABOUT = (
    "the first is the head", "the second is the head", "the first is the head, on either side", "either is the head",
)  # fmt: skip
