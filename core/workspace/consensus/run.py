"""Parsing consistently as a background job, and what such a run leaves: trees, the whole trace, the proof.

A run trains a parser on the trees that teach, parses the text sentence by sentence, then searches by dual
decomposition. Its checkpoint is the parser and, in the search, where that stands; so it goes on from there.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.consistency import ConsistentParses, ContextEffect, Contexts, context_effects, parse_consistently
from core.decomposition import DualState, Trace
from core.errors import Cancelled, FormatError
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.jobs import Job
from core.parsers.labels import has_relations
from core.parsers.mst.parser import MSTParser
from core.store import Run
from core.treebank import Treebank
from core.trees import PackedHeads
from core.workspace.consensus.plan import ConsensusInputs, ConsensusPlan
from core.workspace.parse import Parse
from core.workspace.system import Outcome, array_file, file_bytes

TRAINING, FIRST_PASS = 0.6, 0.1  # of the progress bar; the search has the rest
LEFT = ("labels", "certified", "released")  # names of the arrays of an outcome, besides its parses
LABEL_BITS = 20  # most bits of the table for relations
BASE = "base_{}"  # names of arrays of the parser alone


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsensusOutcome(Outcome):
    """The outcome of a run of consistent parsing.

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

    @cached_property
    def effects(self) -> list[ContextEffect]:
        """The changes of each context, the most effective first (rush2012, Table 5)."""
        offsets = self.inputs.test.offsets
        before, after = (PackedHeads(parse.heads, offsets) for parse in (self.base, self.parse))
        gold = self.inputs.test if self.inputs.has_gold else None
        return context_effects(self.contexts, before, after, self.labels, gold)

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
    parser, resume = _resumed(job.resumed)
    if parser is None:
        parser = trained_parser(job, inputs, plan)
    model = file_bytes(parser)  # a second for a large table
    if resume is None:
        job.checkpoint(model)
    if job.cancelled():
        raise Cancelled
    packed = {"parser": np.frombuffer(model, np.uint8)}
    result = parse_consistently(
        parser, inputs.train, inputs.test, settings,
        index=inputs.index, resume=resume, progress=_reporter(job), cancel=job.cancelled,
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
    figures = {"skipped": parser.skipped, "bits": parser.bits} | scores(inputs, result)
    return figures, file_bytes(result.dual.state, **left)


def _parse(parser, text, heads):
    """The Parse of trees, with relations where the parser has learnt some."""
    return Parse(heads, parser.label(text, heads) if parser.labelled else None)


def scores(inputs: ConsensusInputs, result: ConsistentParses) -> dict:
    """Figures of the parser alone and consistent, and how the search went."""
    figures = {"model": {}, "base": {}, "single_seconds": result.seconds["single"], **result.statistics()}
    if inputs.has_gold:
        base = inputs.test.with_heads(result.base_heads.values)
        for name, trees in (("base", base), ("model", result.treebank)):
            counted = attachment_scores(inputs.test, trees)
            figures[name] = {"right": counted.heads, "words": counted.words, "uas": counted.uas}
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
    parser = MSTParser(plan.order, labels=labels, tags=plan.tags, bits=bits, label_bits=min(bits, LABEL_BITS))
    total = f"{len(inputs.train):,} sentences"

    def progress(state):
        words = f"Training the parser on {total}: pass {state.epoch} of {plan.epochs}"
        job.report(0, TRAINING * state.fraction, message=words)

    job.report(0, 0.0, message=f"Reading the features of {total}")
    parser.fit(inputs.train, epochs=plan.epochs, progress=progress, cancel=job.cancelled)
    if parser.status == "cancelled":
        raise Cancelled("stopped while the parser was trained; there are no trees yet")
    return parser


def _reporter(job: Job) -> Callable:
    """A callback for ``parse_consistently``: how far it is, and each iteration's figures."""
    first = None

    def progress(stage, state):
        nonlocal first
        if stage == "first pass":
            job.report(job.iteration, TRAINING + FIRST_PASS * state, message="Parsing every sentence separately")
            return
        first = first or max(state.disagreements, 1)
        done = 1 - min(state.disagreements / first, 1)
        names = ("dual", "primal", "best_dual", "best_primal", "disagreements", "step", "round")
        figures = {name: getattr(state, name) for name in names} | {"sentences": len(state.second_blocks)}
        words = f"Iteration {state.iteration}: {state.disagreements:,} words disagree, gap {state.gap:.3g}"
        job.report(state.iteration, TRAINING + FIRST_PASS + (1 - TRAINING - FIRST_PASS) * done, figures, words)

    return progress


def _resumed(data: bytes | None) -> tuple[MSTParser | None, tuple[DualState, np.ndarray] | None]:
    """(parser, (state of the search, opened sentences)) of a checkpoint, None for what it does not hold."""
    if data is None:
        return None, None
    try:
        state, arrays = DualState.load(io.BytesIO(data))
    except FormatError:  # cancelled or killed before the search: the parser is all there is
        return MSTParser.load(io.BytesIO(data)), None
    return MSTParser.load(array_file(arrays["parser"])), (state, arrays["opened"])
