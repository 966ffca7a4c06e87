"""Parsing consistently as a background job, and what such a run leaves: trees, the whole trace, the proof.

A run trains a parser on the trees that teach, or takes one of Constraints, parses the text sentence by sentence, then
searches by dual decomposition. Its checkpoint is the parser that it trained and, in the search, where that stands; so
it goes on from there.
"""

import io
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from core.consistency import ConsistentParses, ContextEffect, Contexts, context_effects, parse_consistently
from core.decomposition import DualState, Trace
from core.draw import Drawing, show_change
from core.errors import Cancelled, FormatError
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.evaluation.learnt import has_heads
from core.jobs import Job
from core.parsers.labels import has_relations
from core.parsers.mst.parser import MSTParser
from core.parsers.word_scorer import with_marks
from core.store import Run
from core.treebank import Sentence, Treebank
from core.trees import PackedHeads, PackedScores
from core.workspace.consensus.plan import ConsensusInputs, ConsensusPlan
from core.workspace.consensus.searching import reporter, resumed
from core.workspace.parse import Parse
from core.workspace.scoring import recorded_conditions
from core.workspace.system import Outcome, file_bytes
from core.workspace.wording import HEAD_TERMS, DualTerms, word_name

TRAINING, FIRST_PASS = 0.6, 0.1  # of the progress bar; the search has the rest
LEFT = ("labels", "certified", "released")  # names of the arrays of an outcome, besides its parses
LABEL_BITS = 20  # most bits of the table for relations
BASE = "base_{}"  # names of arrays of the parser alone


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsensusOutcome(Outcome):
    """The outcome of a run of consistent parsing, which ``DualOutcome`` plays back.

    Attributes
    ----------
    contexts : Contexts
        The contexts that the run used.
    parse, base : Parse
        The consistent parse, and that of the parser alone.
    labels : ndarray of shape (C,), dtype int32
        The consensus on each context; -1 is NULL.
    certified : ndarray of shape (S,), dtype bool
    released : ndarray of int
        Sentences whose constraints had to go.
    pruned_exactly : bool
        Whether pruned arcs are proved to be no better.
    trace : Trace
    """

    inputs: ConsensusInputs
    contexts: Contexts
    parse: Parse
    base: Parse
    labels: np.ndarray
    certified: np.ndarray
    released: np.ndarray
    pruned_exactly: bool
    trace: Trace
    terms: ClassVar[DualTerms] = HEAD_TERMS

    @cached_property
    def effects(self) -> list[ContextEffect]:
        """The changes of each context, the most effective first (rush2012, Table 5)."""
        offsets = self.inputs.test.offsets
        before, after = (PackedHeads(parse.heads, offsets) for parse in (self.base, self.parse))
        gold = self.inputs.test if self.inputs.has_gold else None
        return context_effects(self.contexts, before, after, self.labels, gold)

    @property
    def test(self) -> Treebank:
        return self.contexts.index.test

    @property
    def groups(self) -> np.ndarray:
        """int32 (rows,): the context of each word of the text; -1 for none."""
        return self.contexts.test_contexts

    @property
    def found(self) -> np.ndarray:
        return self.parse.heads

    @property
    def choice_count(self) -> int:
        """How many multipliers there are."""
        return int(self._arc_offsets[-1])

    @cached_property
    def _arc_offsets(self) -> np.ndarray:
        return PackedScores.empty(self.test.lengths).offsets

    @property
    def multiplier_groups(self) -> np.ndarray:
        """int32 (multipliers,): the context of the modifier of each one's arc; -1 for none."""
        owner = np.full(self.choice_count, -1, dtype=np.int32)
        for row in np.flatnonzero(self.groups >= 0).tolist():
            owner[self.choices_of(row)] = self.groups[row]
        return owner

    def values_at(self, iteration: int) -> np.ndarray:
        """int32 (rows,): the parser's trees after an iteration; at 0 the parser's alone."""
        if iteration == 0:
            return self.base.heads
        heads = self.trace.solution(iteration)
        return heads if self.inputs.given is None else with_marks(self.inputs.test, heads)

    def choices_of(self, row: int) -> np.ndarray:
        """int64 (n + 1,): the multipliers of the arcs into a word, by head."""
        number = int(np.searchsorted(self.test.offsets, row, side="right")) - 1
        word, side = row - int(self.test.offsets[number]), int(self.test.lengths[number]) + 1
        return self._arc_offsets[number] + np.arange(side) * side + word

    def group_name(self, group: int) -> str:
        return self.contexts.index.name(self.contexts.types[group])

    def label_name(self, label: int) -> str:
        return self.contexts.index.labels.names[label]

    def word_name(self, sentence: Sentence, word: int) -> str:
        """A word with the tag that contexts are of; ``root`` for 0, "" for -1."""
        return word_name(sentence, word, self.contexts.index.labels.column)

    value_name = word_name

    def change_of(self, sentence: int, before: np.ndarray, after: np.ndarray) -> Drawing:
        """The Drawing of a sentence with the heads ``after``; those that were others ``before`` are marked."""
        rows = slice(*self.test.offsets[sentence : sentence + 2])
        return show_change(self.test[sentence], before[rows], after[rows], show_former=True)

    @cached_property
    def parses(self) -> dict[str, Treebank]:
        """The text with the consistent trees, and those of the parser "alone"."""
        return {"": self.parse.on(self.inputs.test), "alone": self.base.on(self.inputs.test)}


def read_outcome(
    run: Run, inputs: ConsensusInputs, plan: ConsensusPlan, contexts: Contexts, data: bytes
) -> ConsensusOutcome:
    """The ConsensusOutcome from the bytes that ``parse`` returned. Raises FormatError for any others."""
    state, arrays = DualState.load(io.BytesIO(data))
    missing = [name for name in (*LEFT, "pruned_exactly") if name not in arrays]
    if missing:
        raise FormatError(f"it lacks {', '.join(missing)}")
    parse, base = (Parse.from_arrays(arrays, inputs.test.lengths, names) for names in ("{}", BASE))
    return ConsensusOutcome(
        run=run, inputs=inputs, plan=plan, contexts=contexts, pruned_exactly=bool(arrays["pruned_exactly"]),
        trace=state.trace, parse=parse, base=base, **{name: arrays[name] for name in LEFT},
    )  # fmt: skip


def parse(inputs: ConsensusInputs, plan: ConsensusPlan, job: Job) -> tuple[dict, bytes]:
    """Train, parse and search: (figures, bytes for ``read_outcome``). The checkpoint holds the state of the search.

    Raises Cancelled before there are trees.
    """
    settings = plan.checked()
    trained, kept = resumed(job.resumed, MSTParser.load)
    resume = kept and (kept[0], kept[1]["opened"])
    packed = {}
    if inputs.given is None:
        scorer = parser = trained or trained_parser(job, inputs, plan)
        model = file_bytes(parser)  # a second for a large table
        if resume is None:
            job.checkpoint(model)
        packed = {"parser": np.frombuffer(model, np.uint8)}
    else:
        scorer = inputs.given()
        parser = scorer.parser
    if job.cancelled():
        raise Cancelled
    result = parse_consistently(
        scorer, inputs.train, inputs.test, settings,
        index=inputs.index, resume=resume, progress=reporter(job, TRAINING, FIRST_PASS), cancel=job.cancelled,
        checkpoint=lambda state, opened: job.checkpoint(lambda: file_bytes(state, **packed, opened=opened)),
    )  # fmt: skip
    left = {
        **_parse(parser, inputs.test, result.heads.values).to_arrays(),
        **_parse(parser, inputs.test, result.base_heads.values).to_arrays(BASE),
        "labels": result.labels,
        "certified": result.certified,
        "released": result.released,
        "opened": result.opened,
        "pruned_exactly": np.array(result.pruned_exactly),
    }
    if result.status == "cancelled":
        job.checkpoint(lambda: file_bytes(result.dual.state, **packed, **left))
    figures = {"skipped": parser.skipped, "bits": parser.bits} if isinstance(parser, MSTParser) else {}
    return figures | scores(inputs, result), file_bytes(result.dual.state, **left)


def _parse(parser, text, heads):
    """The Parse of trees, with relations where the parser has learnt some."""
    return Parse(heads, text.with_heads(heads, parser.label(text, heads)).deprel if parser.labelled else None)


def scores(inputs: ConsensusInputs, result: ConsistentParses) -> dict:
    """Figures of the parser alone and consistent, and how the search went."""
    figures = {"model": {}, "base": {}, "single_seconds": result.seconds["single"], **result.statistics()}
    if inputs.has_gold:
        base = inputs.test.with_heads(result.base_heads.values)
        for name, trees in (("base", base), ("model", result.treebank)):
            counted = attachment_scores(inputs.test, trees)
            figures[name] = {"right": counted.heads, "words": counted.words, "uas": counted.uas}
            figures[name] |= recorded_conditions(int(has_heads(inputs.test).sum()), inputs.marked)
        test = sign_test(inputs.test, base, result.treebank)
        figures |= {"corrected": test.only_second, "harmed": test.only_first, "p_value": test.p_value}
        figures["error_reduction"] = error_reduction(figures["base"]["uas"], figures["model"]["uas"])
    if inputs.has_gold or inputs.learnt:
        for name in ("base", "model"):
            figures[name]["learnt"] = inputs.learnt
    return figures


def trained_parser(job: Job, inputs: ConsensusInputs, plan: ConsensusPlan) -> MSTParser:
    """The parser of a run, trained on its trees."""
    bits, labels = inputs.table_bits, has_relations(inputs.train)
    parser = MSTParser(plan.order, labels=labels, tags=inputs.parser_tags, bits=bits, label_bits=min(bits, LABEL_BITS))
    total = f"{len(inputs.train):,} sentences"

    def progress(state):
        words = f"Training the parser on {total}: pass {state.epoch} of {plan.epochs}"
        job.report(0, TRAINING * state.fraction, message=words)

    job.report(0, 0.0, message=f"Reading the features of {total}")
    parser.fit(inputs.train, epochs=plan.epochs, progress=progress, cancel=job.cancelled)
    if parser.status == "cancelled":
        raise Cancelled("stopped while the parser was trained; there are no trees yet")
    return parser
