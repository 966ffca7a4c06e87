"""A trained model without each of its constraints, as a background job.

Without each constraint, the shares of all are measured, and the arcs that it alone decides are found. It gets the most
similar constraint, and the share nearest to its target that trees can have beside the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints import Constraint, ConstraintDocument, Matches, ParserEnsemble
from core.constraints.authoring.attribution import Attribution, HeadChanges
from core.constraints.authoring.preview import GrammarArcs
from core.constraints.authoring.redundancy import UNCHANGED, drop_one, removable
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.projected import ProjectedParser
from core.constraints.matching.check import check_together
from core.constraints.matching.conflicts import VISIBLE
from core.constraints.matching.overlap import attainable_together
from core.errors import Cancelled, NumericalError
from core.files.tables import columns_of
from core.workspace.constraints.inputs import ConstraintInputs, parsed
from core.workspace.constraints.known_trees import Known
from core.workspace.constraints.results import shares
from core.workspace.system import Work, packed, unpacked
from core.workspace.wording import amount

KIND = "ge-worth"
ARRAYS = {  # fields that are arrays, by the names that a file gives them
    "before": "before", "after": "after", "stand_in": "most_similar", "similarity": "similarity",
    "reached": "feasible_shares",
}  # fmt: skip
PARTS = ("sentences", "modifiers", "heads_with", "heads_without", "own")
STAGES = 3  # after the constraints: estimates, what can be dropped together, what trees can reach


@dataclass(frozen=True, eq=False)
class Ablation:
    """A model without each of its C constraints.

    Attributes
    ----------
    constraints : tuple of Constraint
    before : ndarray of shape (C,)
        The shares with all constraints.
    after : ndarray of shape (C, C)
        Row c: all shares without constraint c.
    most_similar : ndarray of shape (C,), dtype int64
        The constraint that moves the weights most alike; -1 without another.
    similarity : ndarray of shape (C,)
        How much alike: a cosine.
    removable : tuple of int
        Constraints that can be dropped together, in order.
    feasible_shares : ndarray of shape (C,)
        The shares nearest to all targets at once that trees can have.
    conflicting : tuple of int
        Constraints whose targets no trees meet together with the others'.
    problems : tuple of str
        These conflicts, and contradictions between constraints, in words.
    flips : tuple of HeadChanges
        The arcs that each constraint decides.
    words : int
        The number of words of the text.
    """

    constraints: tuple
    before: np.ndarray
    after: np.ndarray
    most_similar: np.ndarray
    similarity: np.ndarray
    removable: tuple
    feasible_shares: np.ndarray
    conflicting: tuple
    problems: tuple
    flips: tuple
    words: int

    @property
    def own(self) -> np.ndarray:
        """How far the share of each constraint moves without it: (C,)."""
        return np.diagonal(self.after) - self.before

    @property
    def most_moved(self) -> np.ndarray:
        """The other constraint whose share moves most without each one: int64 (C,), -1 if there is no other."""
        if len(self.constraints) < 2:
            return np.full(len(self.constraints), -1)
        change = np.abs(self.after - self.before)
        np.fill_diagonal(change, -1.0)
        return change.argmax(axis=1)

    def to_bytes(self) -> bytes:
        """The arrays, for the store; the flips of all constraints one after the other."""
        arrays = {name: np.concatenate([getattr(flips, name) for flips in self.flips]) for name in PARTS}
        arrays |= {name: np.asarray(getattr(self, field)) for name, field in ARRAYS.items()}
        return packed(
            KIND, {},
            removable=np.array(self.removable, dtype=np.int64), culprits=np.array(self.conflicting, dtype=np.int64),
            problems=np.array(self.problems, dtype=str), words=np.array(self.words),
            lengths=np.array([len(flips) for flips in self.flips], dtype=np.int64), **arrays,
        )  # fmt: skip


def read_ablation(data: bytes, constraint_text: str) -> Ablation:
    """The Ablation of a set that a finished job left. Raises FormatError."""
    needed = ("removable", "culprits", "problems", "words", "lengths", *ARRAYS, *PARTS)
    _, arrays = unpacked(data, KIND, needed)
    cuts = np.cumsum(arrays["lengths"])[:-1]
    columns = [np.split(arrays[name], cuts) for name in PARTS]
    return Ablation(
        tuple(ConstraintDocument.from_text(constraint_text).constraints),
        removable=tuple(arrays["removable"].tolist()),
        conflicting=tuple(arrays["culprits"].tolist()),
        problems=tuple(arrays["problems"].tolist()),
        flips=tuple(HeadChanges(*parts) for parts in zip(*columns, strict=True)),
        words=int(arrays["words"]),
        **{field: arrays[name] for name, field in ARRAYS.items()},
    )


def ablation_work(text: ConstraintInputs, attribution_of: Callable[[Callable[[], bool]], Attribution]) -> Work:
    """``work(job)`` for ``Jobs``. A constraint takes a covariance product and a decoding of the text.

    ``attribution_of(cancelled)`` is the Attribution of the run that is judged, made on the text.
    """

    def work(job):
        attribution = attribution_of(job.cancelled)
        constraints = attribution.constraints
        total, flips = len(constraints) + STAGES, []
        done = _reporter(job, total)
        for c, constraint in enumerate(constraints):
            done(c, f"Line {c + 1} of {len(constraints)}: {constraint.name}")
            flips.append(attribution.flips(c))
        done(total - 3, "Estimating every share without each line")
        try:
            drops, dropped = drop_one(attribution, cancel=job.cancelled), removable(attribution, cancel=job.cancelled)
        except NumericalError:  # without the estimate, by training again
            drops, dropped = drop_one(attribution, "retrain", cancel=job.cancelled), []
        done(total - 1, "Searching for trees that meet all targets")
        ablation = Ablation(
            tuple(constraints), attribution.expectations, np.array([drop.after for drop in drops]),
            np.array([-1 if drop.stand_in is None else drop.stand_in for drop in drops]),
            np.array([drop.similarity for drop in drops]), tuple(dropped),
            *feasibility(constraints, text, job.cancelled), tuple(flips), attribution.trainer.treebank.token_count,
        )  # fmt: skip
        return {}, ablation.to_bytes()

    return work


def _reporter(job, total):
    """``done(step, message)`` of ``total`` steps; raises Cancelled where the job is."""

    def done(step, message):
        if job.cancelled():
            raise Cancelled
        job.report(step, step / total, message=message)

    return done


def feasibility(
    constraints: Sequence[Constraint], text: ConstraintInputs, cancel: Cancel
) -> tuple[np.ndarray, tuple[int, ...], tuple[str, ...]]:
    """(shares nearest to all targets (C,), constraints that conflict, problems in words)."""
    projective = text.settings.distribution.projective
    together = attainable_together(constraints, text.matcher, projective=projective, cancel=cancel)
    proved = together.distance > 2 * together.gap
    conflicting = np.flatnonzero(np.abs(together.pull) > VISIBLE).tolist() if proved else []
    warnings = check_together(constraints, text.matcher, projective=projective, cancel=cancel)
    problems = [f"Line {warning.line}: {warning.message}" if warning.line else warning.message for warning in warnings]
    return together.shares, tuple(conflicting), tuple(problems)


def ablation_table(ablation: Ablation, learnt: bool = False, known: Known | None = None) -> dict[str, list]:
    """Columns of a table over the constraints of an Ablation, in their order; ``note`` only where there are any.

    ``learnt``, as in ``verdicts``. With Known trees of the text also ``right`` and ``wrong``, as ``judged`` counts.
    """
    shares = zip(ablation.before.tolist(), np.diagonal(ablation.after).tolist(), map(len, ablation.flips), strict=True)
    rows = [
        (constraint.line, constraint.name, constraint.target_text, *values, _note(ablation, c, learnt))
        for c, (constraint, values) in enumerate(zip(ablation.constraints, shares, strict=True))
    ]
    names = ("line", "constraint", "target", "with", "without", "decides", "note")
    table = columns_of(names if any(row[-1] for row in rows) else names[:-1], rows)
    if known is None:
        return table
    notes = {name: table.pop(name) for name in ("note",) if name in table}  # stand last
    return table | columns_of(("right", "wrong"), [judged(flips, known)[:2] for flips in ablation.flips]) | notes


def judged(flips: HeadChanges, known: Known) -> tuple[int, int, int]:
    """(right, wrong, checked): of the words that a constraint decides, those right only with it, and only without it.

    ``checked`` are those whose head is known.
    """
    heads = known.heads[known.text.treebank.offsets[flips.sentences] + flips.modifiers]
    right, wrong = ((heads == drawn).sum() for drawn in (flips.heads_with, flips.heads_without))
    return int(right), int(wrong), int((heads >= 0).sum())


def judged_words(flips: HeadChanges, known: Known | None) -> str:
    """What ``judged`` counts, in a sentence; "" where no head is known."""
    right, wrong, checked = (0, 0, 0) if known is None else judged(flips, known)
    if not checked:
        return ""
    return f" Of {checked:,} checked, {right:,} {'is' if right == 1 else 'are'} right with it, {wrong:,} without it."


def verdicts(ablation: Ablation, learnt: bool = False) -> tuple[str, str]:
    """(redundant constraints in words, what trees can meet in words), each a sentence.

    ``learnt``, if only the multipliers of constraints were left out, and the model keeps what it learnt from them.
    """
    numbers = sorted(ablation.constraints[c].line for c in ablation.removable)
    if learnt and numbers:
        of = amount(len(ablation.constraints), "constraint")
        met = "is learnt: the grammar meets it without its multiplier (weight)"
        met = met if len(numbers) == 1 else "are learnt: the grammar meets them without their multipliers (weights)"
        lines = f"{len(numbers)} of {of} {met}."
    elif learnt:
        lines = f"No multiplier can be left out: without any of them some share moves by more than {UNCHANGED}."
    elif numbers:
        one = f"Line {numbers[0]} could be dropped"
        several = f"Lines {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} could be dropped together"
        subject = several if numbers[1:] else one
        lines = f"{subject}: no share would move by more than {UNCHANGED}."
    else:
        lines = f"No constraint could be dropped: without any of them some share would move by more than {UNCHANGED}."
    count = amount(len(ablation.constraints), "target")
    every = count if len(ablation.constraints) == 1 else f"all {count} at once"
    if not ablation.conflicting:
        return lines, f"Some trees meet {every}."
    fall = "falls" if len(ablation.conflicting) == 1 else "fall"
    return lines, f"No trees meet {every}: {len(ablation.conflicting)} {fall} short."


def moved_shares(ablation: Ablation, c: int) -> str:
    """How the share of constraint ``c`` moves without it, and the other share that moves most, in words."""

    def moves(other):
        before, after = f"{ablation.before[other]:.2f}", f"{ablation.after[c, other]:.2f}"
        return "" if before == after else f"from {before} to {after}"

    own, other = moves(c), int(ablation.most_moved[c])
    sentence = f"without it, its share {f'goes {own}' if own else f'stays at {ablation.before[c]:.2f}'}"
    if other < 0:
        return sentence
    name = ablation.constraints[other].name
    return f"{sentence}; {f'{name} would change most, {moves(other)}' if moves(other) else 'no other share moves'}"


def _note(ablation, c, learnt):
    notes = []
    if c in ablation.conflicting:
        notes.append(f"beside the others {ablation.feasible_shares[c]:.2f}")
    if c in ablation.removable:
        other = ablation.most_similar[c]
        redundant = "learnt" if learnt else "redundant"
        notes.append(redundant if other < 0 else f"like line {ablation.constraints[other].line}")
    return " · ".join(notes)


def shared_pairs(matches: Matches, c: int) -> list[tuple[int, np.ndarray]]:
    """The other constraints of a Matches that match some of the same pairs as constraint ``c``.

    Returns
    -------
    list of (other, arcs)
        ``arcs`` int64, packed positions of the shared pairs; most shared first.
    """
    pairs = matches.of(c)
    shared = []
    for other in range(len(matches.constraints)):
        if other != c:
            arcs = np.intersect1d(pairs, matches.of(other), assume_unique=True)
            if len(arcs):
                shared.append((other, arcs))
    return sorted(shared, key=lambda entry: (-len(entry[1]), entry[0]))


def grammar_ablation_work(text: ConstraintInputs, model: Grammar | ParserEnsemble | ProjectedParser) -> Work:
    """``work(job)`` for ``Jobs``: an Ablation of a grammar.

    Without a constraint means without its multiplier; the grammar, which has learnt from it, stays as it is. A
    constraint costs as much as parsing the text.
    """
    constraints, matches = text.constraint_set.constraints, text.constraint_set.matches
    used = np.flatnonzero(matches.denominators > 0)

    def work(job):
        total = len(constraints) + 2
        arcs = GrammarArcs.of(model, text.sentences, text.respected, text.settings.brackets)
        bare, done = model.without_votes(), _reporter(job, total)  # the votes are among the log-weights

        def without(left_out):
            factors = np.ones(len(used))
            factors[np.isin(used, left_out)] = 0.0
            heads, marginals = parsed(replace(arcs, grammar=bare.reweighted(factors)))
            return heads, np.where(matches.denominators > 0, shares(matches, marginals), 0.0)

        heads, before = without([])
        after, flips = np.empty((len(constraints), len(constraints))), []
        for c, constraint in enumerate(constraints):
            done(c, f"Line {c + 1} of {len(constraints)}: {constraint.name}")
            other, after[c] = without([c])
            flips.append(_flips(text, heads, other, matches.of(c)))
        done(total - 2, "Looking for lines that can be dropped together")
        removable = _removable(before, after, lambda left_out: without(left_out)[1], used, job.cancelled)
        done(total - 1, "Searching for trees that meet all targets")
        ablation = Ablation(
            tuple(constraints), before, after, np.full(len(constraints), -1), np.zeros(len(constraints)), removable,
            *feasibility(constraints, text, job.cancelled), tuple(flips), text.treebank.token_count,
        )  # fmt: skip
        return {}, ablation.to_bytes()

    return work


def _flips(text: ConstraintInputs, heads: np.ndarray, other: np.ndarray, places: np.ndarray) -> HeadChanges:
    """The words whose head changes without a constraint, whose candidates are ``places`` among the arcs."""
    rows = np.flatnonzero(heads != other)
    offsets = text.treebank.offsets
    sentences = np.searchsorted(offsets, rows, side="right") - 1
    modifiers, sides = rows - offsets[sentences], text.treebank.lengths[sentences] + 1
    arcs = text.matcher.arc_offsets[sentences] + heads[rows] * sides + modifiers
    heads_with, heads_without = heads[rows].astype(np.int64), other[rows].astype(np.int64)
    return HeadChanges(sentences, modifiers, heads_with, heads_without, np.isin(arcs, places))


def _removable(before, after, shares_without, used, cancelled):
    """Constraints that can be dropped together with no share moved by more than ``UNCHANGED``; least moved first."""
    moves = np.abs(after - before).max(axis=1)
    dropped = []
    for c in np.argsort(moves, kind="stable").tolist():
        if moves[c] > UNCHANGED or cancelled():
            break
        if c in used and np.abs(shares_without([*dropped, c]) - before).max() <= UNCHANGED:
            dropped.append(c)
    return tuple(dropped)
