"""The results of training: changed trees, errors against known trees, shares iteration by iteration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.constraints import ConstraintDocument, Matches
from core.evaluation.errors import DIRECTIONS, DISTANCES, ROOT, ErrorTables, arc_kinds, error_tables
from core.evaluation.learnt import without_trees_of
from core.files.tables import columns_of
from core.languages.direction import side_name
from core.parsers import UNIVERSAL
from core.search.browse import sentence_table
from core.store import Run
from core.trees import PackedScores
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.known_trees import Known
from core.workspace.groups import restrict_order
from core.workspace.scored_text import NONE, ScoredText
from core.workspace.scoring import Score
from core.workspace.wording import amount

SUPPORTING = 0.5  # target from which a constraint supports the arcs that it matches


@dataclass(frozen=True, eq=False)
class TreeChanges:
    """Trees before and after.

    Attributes
    ----------
    before, after : Outcome
    moved : ndarray of shape (S,), dtype int64
        The number of words of each sentence whose head changed.
    order : ndarray of shape (S,), dtype int64
        Sentences by the share of words that moved, most first; ties as in the text. After a first training they stand
        as in the text, since untrained trees are arbitrary.
    score_before, score_after : Score
        On the same words. What one of the models has learnt from is left out.
    """

    before: ConstraintOutcome
    after: ConstraintOutcome
    moved: np.ndarray
    order: np.ndarray
    score_before: Score
    score_after: Score

    @property
    def right_before(self) -> int:
        """The words that were right before."""
        return self.score_before.hits

    @property
    def right_after(self) -> int:
        """The words that are right after."""
        return self.score_after.hits

    @property
    def scored(self) -> int:
        """The words that are scored, maybe 0."""
        return self.score_after.words

    @property
    def learnt(self) -> int:
        """Sentences with known trees that are not scored."""
        return self.score_after.conditions.learnt

    @property
    def doubts_before(self) -> str:
        """What the score before depends on and that after does not, in brackets after it; "" for nothing."""
        said = self.score_after.conditions.doubts
        only = [doubt for doubt in self.score_before.conditions.doubts if doubt not in said]
        return f" ({'; '.join(only)})" if only else ""

    @property
    def is_first(self) -> bool:
        """Whether all trees were equally probable before, so that all arcs are new."""
        return self.before.is_uniform and self.after.run is not None

    @property
    def by_change(self) -> bool:
        """Whether the sentences whose trees changed most stand first; else they stand as in the text."""
        return not self.is_first and bool(self.moved.any())

    def within(self, places: np.ndarray) -> "TreeChanges":
        """The same TreeChanges, in whose order stand only these sentences: indices of the text's treebank."""
        if len(places) == len(self.order):
            return self
        return replace(self, order=restrict_order(self.order, places))

    def place_of(self, sentence: int) -> int:
        """Where a sentence stands in ``order``."""
        return int(np.flatnonzero(self.order == sentence)[0])


def compare(
    known: ScoredText, text: ConstraintInputs, before: ConstraintOutcome, after: ConstraintOutcome,
    learnt: np.ndarray = NONE,
) -> TreeChanges:  # fmt: skip
    """The TreeChanges from one Outcome of a text to another, scored without the sentences ``learnt``. O(rows)."""
    treebank = text.treebank
    differs = before.heads != after.heads
    differs[treebank.offsets[:-1]] = False
    moved = np.add.reduceat(differs, treebank.offsets[:-1], dtype=np.int64)
    order = np.argsort(-moved / treebank.lengths, kind="stable")
    change = TreeChanges(before, after, moved, order, *(score(known, text, each, learnt) for each in (before, after)))
    return replace(change, order=np.arange(len(treebank))) if change.is_first else change


def change_table(text: ConstraintInputs, change: TreeChanges, most: int = 100) -> dict[str, list]:
    """Columns of a table over the first ``most`` sentences in the TreeChanges's order: words moved, words, text.

    Without words moved after a first training.
    """
    shown = change.order[:most]
    table = sentence_table(text.treebank, shown)
    moved = {} if change.is_first else {"moved": change.moved[shown].tolist()}
    return moved | {"words": table["words"], "text": table["text"]}


def score(
    known: ScoredText, text: ConstraintInputs, outcome: ConstraintOutcome, learnt: np.ndarray = NONE,
    only: Sequence[int] | None = None,
) -> Score:  # fmt: skip
    """The Score of an Outcome on a text, without the sentences ``learnt``, or on ``only`` some; both from 0. O(words).

    It is of whole sentences, so that it is that of the same trees on any other page.
    """
    key = f"run-{outcome.run.id}" if outcome.run is not None else "" if outcome.is_uniform else UNIVERSAL
    gold, parse = text.sentences, outcome.inputs.sentences.with_heads(text.heads_of_all(outcome.heads))
    gold = gold if only is None else without_trees_of(gold, ~np.isin(gold.picks, only))
    return known.score(gold, parse, parser=key, learnt=learnt)


def shares(matches: Matches, marginals: PackedScores) -> np.ndarray:
    """The model's share for each constraint: float64 (C,), NaN for one that matches nothing."""
    unknown = np.full(len(matches.constraints), np.nan)
    return np.divide(matches.mass(marginals), matches.denominators, out=unknown, where=matches.denominators > 0)


def supported_arcs(matches: Matches, sentence: int) -> np.ndarray:
    """bool (n + 1, n + 1): arcs of a sentence that match a constraint with a target of at least one half."""
    supports = [(constraint.low + constraint.high) / 2 >= SUPPORTING for constraint in matches.constraints]
    return arc_sums(matches, supports, sentence) > 0


def arc_sums(matches: Matches, values: ArrayLike, sentence: int) -> np.ndarray:
    """float64 (n + 1, n + 1): for each arc of a sentence the sum of ``values`` (C,) of the constraints it matches."""
    begin, end = matches.arc_offsets[sentence : sentence + 2]
    sums = np.zeros(end - begin)
    for c, value in enumerate(np.asarray(values, np.float64)):
        arcs = matches.of(c)
        first, last = np.searchsorted(arcs, (begin, end))
        sums[arcs[first:last] - begin] += value
    side = round(float(end - begin) ** 0.5)
    return sums.reshape(side, side)


TABLES = {
    "head_tags": "Head’s tag",
    "modifier_tags": "Word’s tag",
    "directions": "Direction",
    "distances": "Distance",
    "false": "Wrong arcs",
}
COUNTS = ("gold", "model", "missed", "wrong")


@dataclass(frozen=True, eq=False)
class Mistakes:
    """Error tables of one model, and the arrays that find the words behind a cell.

    Attributes
    ----------
    tables : ErrorTables
        Over the words with a gold head, punctuation left out.
    rows : ndarray of shape (K,), dtype int64
        The words counted, as rows of the treebank.
    gold_kinds, model_kinds : ndarrays of shape (4, K)
        The head's tag, direction and distance of each word's arc (``arc_kinds``), and the word's tag.
    right : ndarray of shape (K,), dtype bool
    tags : tuple of str
        By tag id; the root's last.
    """

    tables: ErrorTables
    rows: np.ndarray
    gold_kinds: np.ndarray
    model_kinds: np.ndarray
    right: np.ndarray
    tags: tuple


def mistakes(known: Known, heads: np.ndarray, most: int = 30) -> Mistakes:
    """The Mistakes of ``heads``, laid out like the text's treebank, against Known trees. O(words)."""
    text, treebank = known.text, known.text.treebank
    scored = (known.heads >= 0) & ~treebank.punctuation()
    system = treebank.with_heads(heads)
    gold = treebank.with_heads(np.where(scored, known.heads, -1), treebank.deprel)
    column = treebank.tag_column(text.settings.tags)
    rows = np.flatnonzero(scored & (heads >= 0))
    gold_kinds, model_kinds = (np.vstack([arc_kinds(bank, column), column.ids])[:, rows] for bank in (gold, system))
    right = known.heads[rows] == heads[rows]
    tags = tuple([value or "(none)" for value in column.values] + [ROOT])
    return Mistakes(
        error_tables(gold, system, text.settings.tags, most=most), rows, gold_kinds, model_kinds, right, tags
    )


def mistake_table(errors: Mistakes, table: str) -> dict[str, list]:
    """Columns of one of TABLES: kind, and how many words each of COUNTS has; wrong arcs have ``wrong`` alone."""
    if table == "false":
        arcs = errors.tables.false_positives
        return {"kind": [arc.name for arc in arcs], "wrong": [arc.count for arc in arcs]}
    rows = [
        (side_name(row.name), row.gold, row.system, row.gold - row.correct, row.system - row.correct)
        for row in getattr(errors.tables, table)
    ]
    return columns_of(("kind", *COUNTS), rows)


def cell_name(rows: Mapping[str, Sequence], row: int, count: str) -> str:
    """The meaning of a cell of a ``mistake_table``, in words."""
    value = rows[count][row]
    if count == "gold":
        return f"{value:,} in the text’s own trees"
    if count == "model":
        return f"{value:,} in the model’s trees"
    if count == "missed":
        return f"{value:,} of the text’s {rows['gold'][row]:,} missed by the model"
    if "model" in rows:
        return f"{value:,} of the model’s {rows['model'][row]:,} wrong"
    return amount(value, "wrong arc")


def words_behind(errors: Mistakes, table: str, row: int, count: str) -> np.ndarray:
    """The words that a cell counts: rows of the treebank, int64, in the order of the text.

    ``row`` is the row of ``mistake_table``, ``count`` of COUNTS.
    """
    gold, model = (_of_kind(errors, table, row, kinds) for kinds in (errors.gold_kinds, errors.model_kinds))
    cells = {"gold": gold, "model": model, "missed": gold & ~errors.right, "wrong": model & ~errors.right}
    return errors.rows[cells[count]]


def _of_kind(errors, table, row, kinds):
    """bool (K,): whether each word's arc is of the kind in that row of the table."""
    head, direction, distance, modifier = kinds
    if table == "false":
        arc = errors.tables.false_positives[row]
        same = (modifier == errors.tags.index(arc.modifier_tag)) & (direction == DIRECTIONS.index(arc.direction))
        if arc.direction == "root":
            return same
        return same & (head == errors.tags.index(arc.head_tag)) & (distance == DISTANCES.index(arc.distance))
    name = getattr(errors.tables, table)[row].name
    if table == "head_tags":
        return head == (len(errors.tags) - 1 if name == ROOT else errors.tags.index(name))
    if table == "modifier_tags":
        return modifier == errors.tags.index(name)
    if table == "directions":
        return direction == DIRECTIONS.index(name)
    return distance == DISTANCES.index(name)


NAMES = {"tags": "tags", "words": "tags and frequent words"}  # what the symbols of a grammar are
NEAR = 0.05  # largest distance of a share from its target at which the constraint counts as met


@dataclass(frozen=True, eq=False)
class TrainingCurve:
    """A run's trace as arrays over its T iterations and C constraints.

    Attributes
    ----------
    lines : tuple of int
    names, targets : tuple of str
        Per constraint.
    low, high : ndarray of shape (C,)
        Ends of each target.
    iterations : ndarray of shape (T,), dtype int64
    objective : ndarray of shape (T,)
    shares : ndarray of shape (T, C)
    """

    lines: tuple
    names: tuple
    targets: tuple
    low: np.ndarray
    high: np.ndarray
    iterations: np.ndarray
    objective: np.ndarray
    shares: np.ndarray

    def of(self, used: ArrayLike) -> "TrainingCurve":
        """The curve of the ``used`` constraints alone, bool (C,): those that a learner did not leave out."""
        indices = np.flatnonzero(used)
        lines, names, targets = (
            tuple(np.array(values, object)[indices]) for values in (self.lines, self.names, self.targets)
        )
        low, high = self.low[indices], self.high[indices]
        return TrainingCurve(lines, names, targets, low, high, self.iterations, self.objective, self.shares[:, indices])

    @property
    def met(self) -> np.ndarray:
        """How many constraints' shares lie within NEAR of their targets, at each iteration: int64 (T,)."""
        near = (self.shares >= self.low - NEAR) & (self.shares <= self.high + NEAR)
        return near.sum(axis=1)


def curve(run: Run, trace: Sequence) -> TrainingCurve:
    """The TrainingCurve of a Run of the store and its trace, live or not."""
    constraints = ConstraintDocument.from_text(run.constraint_text).constraints
    entries = [entry for entry in trace if "expectations" in entry]
    shares = np.array([entry["expectations"] for entry in entries]).reshape(len(entries), len(constraints))
    return TrainingCurve(
        tuple(constraint.line for constraint in constraints),
        tuple(constraint.name for constraint in constraints),
        tuple(constraint.target_text for constraint in constraints),
        np.array([constraint.low for constraint in constraints]),
        np.array([constraint.high for constraint in constraints]),
        np.array([entry["iteration"] for entry in entries], dtype=np.int64),
        np.array([entry["objective"] for entry in entries]),
        shares,
    )


def course_words(run: Run, first: float) -> str:
    """The course of a finished Run, from its ``first`` objective to the last, in a sentence or two."""
    figures = run.figures
    steps = amount(figures["iterations"], "iteration")
    if "evaluations" in figures:
        steps += f" and {amount(figures['evaluations'], 'evaluation')}"
    text = f"Run {run.id}: from {first:.3g} to {figures['objective']:.3g}, {figures['end']} after {steps}"
    text += f" in {figures['training_seconds']:.1f} s."
    if "gap" in figures:
        text += f" The dual was within {figures['gap']:.2g} nats a word of its maximum."
        unmet = len(figures["unmet"])
        text += " Each line meets its target." if not unmet else f" {amount(unmet, 'line')} cannot meet the target."
    if held_out := figures.get("held_out"):
        chosen, other = sorted(held_out, key=held_out.__getitem__, reverse=True)
        text += (
            f" Symbols are {NAMES[chosen]}: held-out sentences have {held_out[chosen]:.3f} nats a word, with "
            f"{NAMES[other]} {held_out[other]:.3f}."
        )
    return text


def left_out_words(run: Run) -> str:
    """The constraints that known trees spoke against in a Run, in a sentence; "" where there are none."""
    groups = []
    for group in run.figures.get("left_out", ()):
        names, gain = group["constraints"], f"{group['gain']:.1f} ± {group['error']:.1f}"
        what = names[0] if len(names) == 1 else f"{len(names)} together"
        groups.append(f"{what} ({gain})")
    if not groups:
        return ""
    return f"Left out, with the points of right heads gained in folds of known trees: {', '.join(groups)}."


def course_table(course: TrainingCurve, counts: Sequence[int]) -> dict[str, list]:
    """Columns of a table over a TrainingCurve's constraints: line, target, last share, the share along training, met.

    ``counts`` says out of how many each share is.
    """
    met = (course.shares[-1] >= course.low - NEAR) & (course.shares[-1] <= course.high + NEAR)
    return {
        "line": list(course.lines),
        "constraint": list(course.names),
        "target": list(course.targets),
        "model": course.shares[-1].tolist(),
        "of": list(counts),
        "met": met.tolist(),
        "course": course.shares.T.tolist(),
    }


def other_settings(run: Run, text: ConstraintInputs) -> list[str]:
    """Names of the settings, without ``warm``, whose values differ between a run and the inputs."""
    return [name for name in text.settings.changed_from(type(text.settings).from_dict(run.settings)) if name != "warm"]


def tags_changed(text: ConstraintInputs, outcome: ConstraintOutcome) -> int:
    """How many words of a text have another tag than they had for an Outcome on the same words."""
    now, then = (getattr(inputs.treebank, text.settings.tags).strings() for inputs in (text, outcome.inputs))
    return int((now != then).sum())
