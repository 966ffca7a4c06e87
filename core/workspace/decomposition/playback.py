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
from core.trees import PackedScores
from core.workspace.arc_lists import ListedArcs, arcs_of_rows
from core.workspace.parse import Parse
from core.workspace.wording import amount, word_name

MOST = 200  # rows listed at once
LINES = 10  # multipliers drawn at once
BOUNDS = ("dual", "primal", "best_dual", "best_primal")
NEAR = 1e-3  # share of the widest distance below which distances are drawn in proportion, not by logarithm


class DualOutcome(Protocol):
    """A run that can be played back, with the attributes of a ConsensusOutcome."""

    run: Run
    contexts: Contexts
    parse: Parse
    base: Parse
    certified: np.ndarray
    released: np.ndarray
    pruned_exactly: bool
    trace: Trace


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


def around_best(columns: Mapping[str, list]) -> BoundsAxis:
    """Bounds by iteration as they are drawn: above and below the value of the trees that the run found, by logarithm.

    The first iterations lie so far from the last that a plain axis shows nothing of how the bounds meet.
    """
    far = {name: np.array(columns[name], float) - columns["best_primal"][-1] for name in BOUNDS}
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


def heads_at(outcome: DualOutcome, iteration: int) -> np.ndarray:
    """int32 (rows,): the parser's trees after an iteration; at 0 the parser's alone."""
    return outcome.base.heads if iteration == 0 else outcome.trace.solution(iteration)


def flips(outcome: DualOutcome, iteration: int) -> ListedArcs:
    """The ListedArcs that the parser's side changes in an iteration: the head before, then after."""
    before, after = heads_at(outcome, iteration - 1), heads_at(outcome, iteration)
    treebank = outcome.contexts.index.test
    return arcs_of_rows(treebank, np.flatnonzero(treebank.is_word & (before != after)), before, after)


def flip_table(outcome: DualOutcome, arcs: ListedArcs, most: int = MOST) -> dict[str, list]:
    """Columns of a table over flipped Arcs: sentence, word, head before and after, its context."""
    treebank, contexts = outcome.contexts.index.test, outcome.contexts
    column, after = contexts.index.labels.column, arcs.heads if arcs.others is None else arcs.others
    rows = []
    for k in range(min(len(arcs), most)):
        index, word = int(arcs.sentences[k]), int(arcs.modifiers[k])
        sentence, kind = treebank[index], int(contexts.test_types[treebank.offsets[index] + word])
        words = (word_name(sentence, number, column) for number in (word, int(arcs.heads[k]), int(after[k])))
        rows.append((int(treebank.picks[index]) + 1, *words, "" if kind < 0 else contexts.index.name(kind)))
    return columns_of(("sentence", "word", "before", "after", "context"), rows)


def flip_drawing(outcome: DualOutcome, iteration: int, sentence: int) -> Drawing:
    """The Drawing of one sentence after an iteration; arcs that it flipped are marked as changed."""
    rows = slice(*outcome.contexts.index.test.offsets[sentence : sentence + 2])
    before, after = heads_at(outcome, iteration - 1)[rows], heads_at(outcome, iteration)[rows]
    return show_change(outcome.contexts.index.test[sentence], before, after, show_former=True)


def next_flip(outcome: DualOutcome, iteration: int, direction: int = 1) -> int | None:
    """The nearest iteration after (or before) this one in which an arc flips, or None."""
    rows = outcome.trace.rows()
    places = range(iteration + 1, len(rows) + 1) if direction > 0 else range(iteration - 1, 1, -1)
    return next((k for k in places if rows[k - 1]["flips"]), None)


def disputed(outcome: DualOutcome, most: int = MOST) -> dict[int, str]:
    """Contexts of a run (numbers 0..C-1) whose multipliers moved most often, most first, and their names."""
    treebank, test_contexts = outcome.contexts.index.test, outcome.contexts.test_contexts
    offsets = _arc_offsets(treebank)
    owner = np.full(offsets[-1], -1, dtype=np.int32)  # of each arc the context of its modifier, -1 for none
    for row in np.flatnonzero(test_contexts >= 0).tolist():
        owner[_arcs_into(treebank, offsets, row)[0]] = test_contexts[row]
    moved = np.zeros(len(outcome.contexts), dtype=np.int64)
    for record in outcome.trace:
        touched = owner[record.entries]
        moved[np.unique(touched[touched >= 0])] += 1
    order = np.argsort(-moved, kind="stable")[:most]
    index, types = outcome.contexts.index, outcome.contexts.types
    return {int(number): f"{index.name(types[number])} · moved {moved[number]:,} ×" for number in order}


def multiplier_table(outcome: DualOutcome, context: int, iteration: int) -> dict[str, list]:
    """Columns of a table over the test words of a context at an iteration.

    ``multiplier`` is that of the chosen arc; ``pushed`` the head whose arc has the greatest, ``push``. A positive one
    is taken from the parser's score of the arc and given to the consensus side's.
    """
    treebank, column = outcome.contexts.index.test, outcome.contexts.index.labels.column
    heads = heads_at(outcome, iteration)
    offsets = _arc_offsets(treebank)
    values = outcome.trace.multipliers(iteration, offsets[-1])
    rows = []
    for row in np.flatnonzero(outcome.contexts.test_contexts == context)[:MOST].tolist():
        arcs, number, word = _arcs_into(treebank, offsets, row)
        multipliers = values[arcs]
        sentence, dearest = treebank[number], int(multipliers.argmin())
        pushed = word_name(sentence, dearest, column) if multipliers[dearest] < 0 else ""
        named = word_name(sentence, word, column), word_name(sentence, int(heads[row]), column)
        chosen = float(multipliers[heads[row]])
        rows.append((int(treebank.picks[number]) + 1, *named, chosen, pushed, float(multipliers[dearest])))
    return columns_of(("sentence", "word", "head", "multiplier", "pushed", "push"), rows)


def multiplier_course(outcome: DualOutcome, context: int) -> dict[str, list[float]]:
    """The arcs of a context whose multipliers move most: dict of name -> list over the iterations."""
    treebank, column = outcome.contexts.index.test, outcome.contexts.index.labels.column
    offsets, names = _arc_offsets(treebank), {}
    for row in np.flatnonzero(outcome.contexts.test_contexts == context).tolist():
        arcs, number, word = _arcs_into(treebank, offsets, row)
        names |= {int(arc): (number, head, word) for head, arc in enumerate(arcs.tolist())}
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
            number, head, word = names[int(wanted[k2])]
            sentence = treebank[number]
            ends = word_name(sentence, head, column), word_name(sentence, word, column)
            courses[f"sentence {int(treebank.picks[number]) + 1}: {ends[0]} → {ends[1]}"] = table[:, k2].tolist()
    return courses


def consensus_at(outcome: DualOutcome, context: int, iteration: int) -> str:
    """The label of a context's consensus node after an iteration; NULL where it is turned off."""
    label = int(outcome.trace.labels(iteration)[context])
    return "NULL" if label < 0 else outcome.contexts.index.labels.names[label]


def certificate(outcome: DualOutcome) -> tuple[str, str]:
    """(verdict, the proof or what it lacks in words): verdict is "certified", "unpruned" or "uncertified"."""
    trace, run = outcome.trace, outcome.run
    sentences, words = len(outcome.certified), int((outcome.contexts.test_contexts >= 0).sum())
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
            f"Optimal among unpruned arcs after {iterations}: both sides agree, but the run stopped before pruned "
            f"arcs were checked; {proved:,} of {every} certified."
        )
    why = "was cancelled" if run.status == "cancelled" else "reached its last iteration"
    left = trace[-1].disagreements if trace else words
    return "uncertified", (
        f"Uncertified: the run {why} after {iterations} with {left:,} of {words:,} words in disagreement. The best "
        f"trees so far are shown; no others can be better by more than {gap:.3g}. {proved:,} of {every} certified."
    )


def sentence_arcs(outcome: DualOutcome, sentences: Sequence[int]) -> ListedArcs:
    """The ListedArcs that the words of some sentences have without and with consistency, those that differ only."""
    treebank = outcome.contexts.index.test
    inside = np.zeros(len(treebank), dtype=bool)
    inside[list(sentences)] = True
    rows = np.flatnonzero(np.repeat(inside, treebank.lengths + 1) & (outcome.base.heads != outcome.parse.heads))
    return arcs_of_rows(treebank, rows, outcome.base.heads, outcome.parse.heads)


def change_drawing(
    outcome: DualOutcome, sentence: int, word: int | None = None, relations: np.ndarray | None = None
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


def _arc_offsets(treebank):
    return PackedScores.empty(treebank.lengths).offsets


def _arcs_into(treebank, offsets, row):
    """(places of the arcs into a word by head, sentence, word)."""
    number = int(np.searchsorted(treebank.offsets, row, side="right")) - 1
    word, side = row - int(treebank.offsets[number]), int(treebank.lengths[number]) + 1
    return offsets[number] + np.arange(side) * side + word, number, word
