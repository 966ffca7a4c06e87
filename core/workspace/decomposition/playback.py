"""A run of dual decomposition played back from its trace: bounds, flips and multipliers, iteration by iteration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from core.consistency import Contexts
from core.decomposition import Trace
from core.draw import Drawing, Span, show_change
from core.files.tables import columns_of
from core.store import Run
from core.teach.agreement import value_question
from core.teach.step import QuizQuestion
from core.treebank import Sentence, Treebank
from core.workspace.arc_lists import ListedArcs, arcs_of_rows
from core.workspace.parse import Parse
from core.workspace.wording import DualTerms, amount

MOST = 200  # rows listed at once
LINES = 10  # multipliers drawn at once
BOUNDS = ("dual", "primal", "best_dual", "best_primal")
STEP_RULES = {  # by what shares a step that shrinks
    "decision": r"each word's own, $\alpha_k = \alpha / (1 + $ times it swung back$)$; the largest is shown",
    "component": r"$\alpha_k = \alpha / (1 + $ times the dual of connected sentences rose$)$; the largest is shown",
    "all": r"$\alpha_k = \alpha / (1 + $ times the dual rose$)$ (Koo et al. 2010)",
}
NEAR = 1e-3  # share of the widest distance below which distances are drawn in proportion, not by logarithm


class DualOutcome(Protocol):
    """A run that can be played back: words are given values, heads or tags, and those of one group a consensus.

    Attributes
    ----------
    run : Run
    terms : DualTerms
    test : Treebank
        The text.
    groups : int ndarray of shape (rows,)
        The group of each word; -1 for none.
    found : int32 ndarray of shape (rows,)
        The values that the run found.
    labels : int ndarray of shape (G,)
    certified : ndarray of shape (S,), dtype bool
    released : ndarray of int
    pruned_exactly : bool
    trace : Trace
    choice_count : int
        How many multipliers there are.
    multiplier_groups : int ndarray of shape (multipliers,)
        The group of each; -1 for none.
    """

    run: Run
    labels: np.ndarray
    certified: np.ndarray
    released: np.ndarray
    trace: Trace

    @property
    def terms(self) -> DualTerms: ...

    @property
    def pruned_exactly(self) -> bool: ...

    @property
    def test(self) -> Treebank: ...

    @property
    def groups(self) -> np.ndarray: ...

    @property
    def found(self) -> np.ndarray: ...

    @property
    def choice_count(self) -> int: ...

    @property
    def multiplier_groups(self) -> np.ndarray: ...

    def values_at(self, iteration: int) -> np.ndarray:
        """int32 (rows,): the values after an iteration; at 0 those of each sentence by itself."""
        ...

    def choices_of(self, row: int) -> np.ndarray:
        """int64: the multipliers of a word's values, in the order of these."""
        ...

    def group_name(self, group: int) -> str:
        """What a group is called."""
        ...

    def label_name(self, label: int) -> str:
        """What a consensus of the trace is called that is not NULL."""
        ...

    def word_name(self, sentence: Sentence, word: int) -> str:
        """What a word is called."""
        ...

    def value_name(self, sentence: Sentence, value: int) -> str:
        """What a value of a word of the sentence is called."""
        ...

    def change_of(self, sentence: int, before: np.ndarray, after: np.ndarray) -> Drawing:
        """The Drawing of a sentence under the values ``after``, those that differ from ``before`` marked."""
        ...


class HeadOutcome(Protocol):
    """A run of consistent parsing, with the attributes of a ConsensusOutcome."""

    contexts: Contexts
    parse: Parse
    base: Parse


@dataclass(frozen=True)
class BoundsAxis:
    """The positions of BOUNDS on an axis, None for what is not finite; the ``ticks`` and their ``labels``."""

    values: dict[str, list]
    ticks: list[float]
    labels: list[str]


def course(outcome: DualOutcome) -> dict[str, list]:
    """Columns over the iterations of a run: those of ``Trace.rows``."""
    rows = outcome.trace.rows()
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def next_question(columns: Mapping[str, list], iteration: int) -> QuizQuestion | None:
    """What is asked after an iteration, from 1, about the next one; None after the last."""
    if not 1 <= iteration < len(columns["dual"]):
        return None
    before, now = columns["dual"][iteration - 1 : iteration + 1]
    return value_question(f"What will the dual value, {before:.4f}, do next?", before, now)


def around_best(columns: Mapping[str, list]) -> BoundsAxis:
    """Bounds by iteration as they are drawn: above and below the value of what the run found, by logarithm.

    The first iterations lie so far from the last that a plain axis shows nothing of how the bounds meet. Where nothing
    was found, it is around the least bound.
    """
    found = columns["best_primal"][-1]
    best = found if np.isfinite(found) else columns["best_dual"][-1]
    far = {name: np.array(columns[name], float) - best for name in BOUNDS}
    widest = max(float(np.nanmax(np.abs(values), initial=0.0, where=np.isfinite(values))) for values in far.values())
    near = max(widest * NEAR, 1e-12)

    def scaled(values):
        with np.errstate(invalid="ignore"):
            return np.sign(values) * np.log10(1 + np.abs(values) / near)

    powers = 10.0 ** np.arange(np.ceil(np.log10(near)), np.floor(np.log10(max(widest, near))) + 1)
    ticks = np.concatenate((-powers[::-1], [0.0], powers))
    drawn = {name: [value if np.isfinite(value) else None for value in scaled(far[name]).tolist()] for name in BOUNDS}
    return BoundsAxis(drawn, scaled(ticks).tolist(), [f"{tick:+g}" if tick else "best" for tick in ticks.tolist()])


def duration(seconds: float) -> str:
    """A time in the unit that suits it: ``0.4 ms``, ``12 ms``, ``3.2 s``."""
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def live_course(trace: Sequence[dict]) -> dict[str, list]:
    """The same columns, as far as a job's own trace has them, while it runs."""
    entries = [entry for entry in trace if "dual" in entry]
    columns = {name: [entry[name] for entry in entries] for name in (entries[0] if entries else {})}
    columns["second_blocks"] = columns.pop("sentences", [])
    return columns


def flips(outcome: DualOutcome, iteration: int) -> ListedArcs:
    """The words whose values change in an iteration, as ListedArcs: the value before, then after."""
    before, after = outcome.values_at(iteration - 1), outcome.values_at(iteration)
    return arcs_of_rows(outcome.test, np.flatnonzero(outcome.test.is_word & (before != after)), before, after)


def flip_table(outcome: DualOutcome, arcs: ListedArcs, most: int = MOST) -> dict[str, list]:
    """Columns of a table over changed words: sentence, word, value before and after, its group."""
    treebank, after = outcome.test, arcs.heads if arcs.others is None else arcs.others
    rows = []
    for k in range(min(len(arcs), most)):
        index, word = int(arcs.sentences[k]), int(arcs.modifiers[k])
        sentence, group = treebank[index], int(outcome.groups[treebank.offsets[index] + word])
        values = (outcome.value_name(sentence, int(side[k])) for side in (arcs.heads, after))
        name = "" if group < 0 else outcome.group_name(group)
        rows.append((int(treebank.picks[index]) + 1, outcome.word_name(sentence, word), *values, name))
    return columns_of(("sentence", "word", "before", "after", "context"), rows)


def flip_drawing(outcome: DualOutcome, iteration: int, sentence: int) -> Drawing:
    """The Drawing of one sentence after an iteration; what it changed is marked."""
    return outcome.change_of(sentence, outcome.values_at(iteration - 1), outcome.values_at(iteration))


def next_flip(outcome: DualOutcome, iteration: int, direction: int = 1) -> int | None:
    """The nearest iteration after (or before) this one in which an arc flips, or None."""
    rows = outcome.trace.rows()
    places = range(iteration + 1, len(rows) + 1) if direction > 0 else range(iteration - 1, 1, -1)
    return next((k for k in places if rows[k - 1]["flips"]), None)


def disputed(outcome: DualOutcome, most: int = MOST) -> dict[int, str]:
    """Groups of a run (numbers 0..G-1) whose multipliers moved most often, most first, and their names."""
    owner = outcome.multiplier_groups
    moved = np.zeros(len(outcome.labels), dtype=np.int64)
    for record in outcome.trace:
        touched = owner[record.entries]
        moved[np.unique(touched[touched >= 0])] += 1
    order = np.argsort(-moved, kind="stable")[:most]
    return {int(number): f"{outcome.group_name(int(number))} · moved {moved[number]:,} ×" for number in order}


def multiplier_table(outcome: DualOutcome, group: int, iteration: int) -> dict[str, list]:
    """Columns of a table over the words of the text in a group at an iteration.

    ``multiplier`` is that of the value that was chosen; ``pushed`` the value with the least, ``push``. A positive one
    is taken from the score of the value on the sentences' side and given to the consensus side's.
    """
    treebank, values = outcome.test, outcome.values_at(iteration)
    multipliers, rows = outcome.trace.multipliers(iteration, outcome.choice_count), []
    for row in np.flatnonzero(outcome.groups == group)[:MOST].tolist():
        number, word = _place(treebank, row)
        of_word = multipliers[outcome.choices_of(row)]
        sentence, dearest = treebank[number], int(of_word.argmin())
        pushed = outcome.value_name(sentence, dearest) if of_word[dearest] < 0 else ""
        named = outcome.word_name(sentence, word), outcome.value_name(sentence, int(values[row]))
        chosen = float(of_word[values[row]])
        rows.append((int(treebank.picks[number]) + 1, *named, chosen, pushed, float(of_word[dearest])))
    return columns_of(("sentence", "word", "head", "multiplier", "pushed", "push"), rows)


def multiplier_course(outcome: DualOutcome, group: int) -> dict[str, list[float]]:
    """The values of a group's words whose multipliers move most: dict of name -> list over the iterations."""
    treebank, names = outcome.test, {}
    for row in np.flatnonzero(outcome.groups == group).tolist():
        place = _place(treebank, row)
        names |= {int(choice): (*place, value) for value, choice in enumerate(outcome.choices_of(row).tolist())}
    wanted = np.array(sorted(names), dtype=np.int64)
    table, now = np.zeros((len(outcome.trace), len(wanted))), np.zeros(len(wanted))
    for k, record in enumerate(outcome.trace):
        moved = np.isin(record.entries, wanted)
        now[np.searchsorted(wanted, record.entries[moved])] = record.multipliers[moved]
        table[k] = now
    reach = np.ptp(table, axis=0)
    courses = {}
    for k2 in np.argsort(-reach, kind="stable")[:LINES].tolist():
        if reach[k2] > 0:
            number, word, value = names[int(wanted[k2])]
            sentence = treebank[number]
            ends = outcome.value_name(sentence, value), outcome.word_name(sentence, word)
            courses[f"sentence {int(treebank.picks[number]) + 1}: {ends[0]} → {ends[1]}"] = table[:, k2].tolist()
    return courses


def consensus_at(outcome: DualOutcome, group: int, iteration: int) -> str:
    """The label of a group's consensus node after an iteration; NULL where it is turned off."""
    label = int(outcome.trace.labels(iteration)[group])
    return "NULL" if label < 0 else outcome.label_name(label)


def certificate(outcome: DualOutcome) -> tuple[str, str]:
    """(verdict, the proof or what it lacks in words): verdict is "certified", "unpruned" or "uncertified"."""
    trace, run = outcome.trace, outcome.run
    sentences, words = len(outcome.certified), int((outcome.groups >= 0).sum())
    iterations, every = amount(len(trace), "iteration"), amount(sentences, "sentence")
    proved = int(outcome.certified.sum())
    gap = max(0.0, run.figures["bound"] - run.figures["primal"])
    if proved == sentences:
        return "certified", (f"Proved optimal after {iterations}.")
    if len(outcome.released):
        return "uncertified", (
            f"Uncertified for {len(outcome.released):,} of {every}, whose constraints were dropped so that the "
            f"others agree; {proved:,} are certified under the constraints that stayed."
        )
    if trace and trace[-1].disagreements == 0 and not outcome.pruned_exactly:
        return "unpruned", (
            f"Optimal among unpruned arcs after {iterations}: both sides agree, but pruned arcs were not checked; "
            f"{proved:,} of {every} certified."
        )
    why = "was cancelled" if run.status == "cancelled" else "reached its last iteration"
    left = trace[-1].disagreements if trace else words
    return "uncertified", (
        f"Uncertified: the run {why} after {iterations} with {left:,} of {words:,} words in disagreement. No "
        f"{outcome.terms.analyses} are better than these by more than {gap:.3g}. {proved:,} of {every} certified."
    )


def changed_words(outcome: DualOutcome, sentences: Sequence[int]) -> ListedArcs:
    """The words of some sentences whose values differ without and with consistency, as ListedArcs."""
    treebank, before, after = outcome.test, outcome.values_at(0), outcome.found
    inside = np.zeros(len(treebank), dtype=bool)
    inside[list(sentences)] = True
    rows = np.flatnonzero(np.repeat(inside, treebank.lengths + 1) & (before != after))
    return arcs_of_rows(treebank, rows, before, after)


def change_drawing(
    outcome: HeadOutcome, sentence: int, word: int | None = None, relations: np.ndarray | None = None
) -> Drawing:
    """The Drawing of a sentence without and with consistency; the context of ``word`` is marked below it.

    ``relations`` are those of the consistent trees, object (rows,); None for none.
    """
    treebank = outcome.contexts.index.test
    rows = slice(*treebank.offsets[sentence : sentence + 2])
    before, after = outcome.base.heads[rows], outcome.parse.heads[rows]
    labels = None if relations is None else relations[rows].tolist()
    drawing = show_change(treebank[sentence], before, after, labels=labels, show_former=True)
    if word is None:
        return drawing
    kind = int(outcome.contexts.test_types[rows.start + word])
    return drawing if kind < 0 else with_context(drawing, outcome.contexts, kind, word)


def with_context(drawing: Drawing, contexts: Contexts, kind: int, word: int) -> Drawing:
    """The Drawing with a context that stands on ``word`` as a bar below its words."""
    first, end = contexts.index.window(kind, word)
    return replace(drawing, spans=(*drawing.spans, Span(first, end, "context")))


def _place(treebank, row):
    """(sentence, word) of a row."""
    number = int(np.searchsorted(treebank.offsets, row, side="right")) - 1
    return number, row - int(treebank.offsets[number])
