"""Parsing consistently as a background job, and what such a run leaves: trees, the whole trace, the proof.

A run trains a parser on the trees that teach, parses the text sentence by sentence, then searches by dual
decomposition. Its checkpoint is the parser and, in the search, where that stands; so it goes on from there.
"""

import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from core.consistency import Contexts, context_effects, parse_consistently
from core.decomposition import DualState, Trace
from core.errors import Cancelled, WorkbenchError
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.parsers.mst.parser import MSTParser
from core.treebank import conllu_text
from core.trees import PackedHeads
from core.workspace.consensus.plan import ConsensusPlan, ConsensusTexts, table_bits
from core.workspace.word_tags import as_of

KIND = "consensus"
TRAINING, FIRST_PASS = 0.6, 0.1  # of the progress bar; the search has the rest


@dataclass(frozen=True, eq=False)
class ConsensusOutcome:
    """What a run left.

    Attributes
    ----------
    run : Run
    texts : ConsensusTexts
    contexts : Contexts
        Those that the run used.
    heads, base_heads : ndarray of shape (rows,), dtype int32
        Consistent, and of the parser alone.
    labels : ndarray of shape (C,), dtype int32
        The consensus on each context; -1 is NULL.
    certified : ndarray of shape (S,), dtype bool
    released : ndarray of int
        Sentences whose constraints had to go.
    pruned_exactly : bool
        Whether pruned arcs are proved to be no better.
    trace : Trace
    """

    run: object
    texts: ConsensusTexts
    contexts: Contexts
    heads: np.ndarray
    base_heads: np.ndarray
    labels: np.ndarray
    certified: np.ndarray
    released: np.ndarray
    pruned_exactly: bool
    trace: Trace

    @cached_property
    def effects(self):
        """List of ContextEffect, the most effective first (rush2012, Table 5)."""
        offsets = self.texts.test.offsets
        before, after = (PackedHeads(heads, offsets) for heads in (self.base_heads, self.heads))
        gold = self.texts.test if self.texts.has_gold else None
        return context_effects(self.contexts, before, after, self.labels, gold)

    @property
    def treebank(self):
        """The text with the consistent trees."""
        return self.texts.test.with_heads(self.heads, np.where(self.heads == 0, "root", "dep").tolist())

    def conllu(self):
        """The same as CoNLL-U text."""
        return conllu_text(self.treebank.to_conllu())


def start_consensus(desk, texts, plan):
    """Begin to parse consistently, in place of a run under way on this project; returns the run's id.

    Raises WorkbenchError where deltas are out of order or nothing is selected.
    """
    plan.settings()
    desk.selection(texts, plan).require_some()
    settings = plan.as_dict() | {"corpus": texts.corpus.id, "first": len(texts.train)}
    work = consensus_work(texts, plan)
    return desk.workspace.jobs.start(texts.corpus.project, KIND, settings, work, data_hash=texts.hash, replace=True)


def resume_consensus(desk, run_id):
    """Go on with a run that was cancelled, interrupted or failed. Raises WorkbenchError where its texts changed."""
    run = desk.store.run(run_id)
    texts, plan = texts_of(desk, run)
    return desk.workspace.jobs.resume(run_id, consensus_work(texts, plan))


def texts_of(desk, run):
    """(ConsensusTexts, ConsensusPlan) of a Run. Raises WorkbenchError where the texts are others now."""
    plan = ConsensusPlan.from_dict(run.settings)
    texts = as_of(desk, run).texts(desk.store.corpus(run.settings["corpus"]), plan)
    if texts.hash != run.data_hash:
        raise WorkbenchError(f"the text of run {run.id} has changed since; parse consistently again")
    return texts, plan


def consensus_runs(store, project, texts=None):
    """Runs of a project, on these very texts if they are given, newest first."""
    found = store.runs(project, KIND)
    return [run for run in found if texts is None or run.data_hash == texts.hash]


def has_outcome(run):
    """Whether a run left trees: it was done, or cancelled in its search."""
    return run.status in ("done", "cancelled") and "model" in run.figures


def latest_outcome(desk, texts):
    """The ConsensusOutcome of the newest run on these texts that left trees, or None."""
    run = next(filter(has_outcome, consensus_runs(desk.store, texts.corpus.project, texts)), None)
    return None if run is None else load_outcome(desk, run)


def load_outcome(desk, run):
    """The ConsensusOutcome that a run left. Raises WorkbenchError where its texts are others now."""
    return desk.results.get((run.id, run.finished), lambda: _loaded(desk, run))


def _loaded(desk, run):
    texts, plan = texts_of(desk, run)
    state, arrays = _unpacked(desk.store.result_bytes(run.id))
    return ConsensusOutcome(
        run=run,
        texts=texts,
        contexts=desk.selection(texts, plan),
        heads=arrays["heads"],
        base_heads=arrays["base_heads"],
        labels=arrays["labels"],
        certified=arrays["certified"],
        released=arrays["released"],
        pruned_exactly=bool(arrays["pruned_exactly"]),
        trace=state.trace,
    )


def consensus_work(texts, plan):
    """``work(job)`` for ``Jobs``: trains, parses, searches. The checkpoint holds what was reached of the three."""

    def work(job):
        settings = plan.settings()
        parser, resume = _resumed(job.resumed)
        if parser is None:
            parser = _trained(job, texts, plan)
        data = _parser_bytes(parser)  # a second for a large table
        if resume is None:
            job.checkpoint(data)
        if job.cancelled():
            raise Cancelled
        figures = {"skipped": parser.skipped, "bits": parser.bits}
        model = _as_array(data)
        result = parse_consistently(
            parser, texts.train, texts.test, settings,
            index=texts.index, resume=resume, progress=_teller(job), cancel=job.cancelled,
            checkpoint=lambda state, opened: job.checkpoint(lambda: _packed(state, parser=model, opened=opened)),
        )  # fmt: skip
        kept = _result_bytes(result)
        if result.status == "cancelled":
            job.checkpoint(lambda: _packed(result.dual.state, parser=model, **_kept(result)))
        return figures | scores(texts, result), kept

    return work


def scores(texts, result):
    """Figures of a ConsistentParses: the parser alone and consistent, and how the search went."""
    found = {"model": {}, "base": {}, "single_seconds": result.seconds["single"], **result.statistics()}
    if texts.has_gold:
        base = texts.test.with_heads(result.base_heads.values)
        for name, trees in (("base", base), ("model", result.treebank)):
            counted = attachment_scores(texts.test, trees)
            found[name] = {"right": counted.heads, "words": counted.words, "uas": counted.uas}
        test = sign_test(texts.test, base, result.treebank)
        found |= {"corrected": test.only_second, "harmed": test.only_first, "p_value": test.p_value}
        found["error_reduction"] = error_reduction(found["base"]["uas"], found["model"]["uas"])
    return found


def _trained(job, texts, plan):
    parser = MSTParser(plan.order, labels=False, tags=plan.tags, bits=table_bits(texts))
    total = f"{len(texts.train):,} sentences"

    def progress(state):
        words = f"Training the parser on {total}: pass {state.epoch} of {plan.epochs}"
        job.report(0, TRAINING * state.fraction, message=words)

    job.report(0, 0.0, message=f"Reading the features of {total}")
    parser.fit(texts.train, epochs=plan.epochs, progress=progress, cancel=job.cancelled)
    if parser.status == "cancelled":
        raise Cancelled("stopped while the parser was trained; there are no trees yet")
    return parser


def _teller(job):
    """A callback for ``parse_consistently``: how far it is, and each iteration's figures."""
    first = None

    def progress(stage, what):
        nonlocal first
        if stage == "first pass":
            job.report(job.iteration, TRAINING + FIRST_PASS * what, message="Parsing every sentence separately")
            return
        first = first or max(what.disagreements, 1)
        done = 1 - min(what.disagreements / first, 1)
        names = ("dual", "primal", "best_dual", "best_primal", "disagreements", "step", "round")
        figures = {name: getattr(what, name) for name in names} | {"sentences": len(what.second_blocks)}
        words = f"Iteration {what.iteration}: {what.disagreements:,} words disagree, gap {what.gap:.3g}"
        job.report(what.iteration, TRAINING + FIRST_PASS + (1 - TRAINING - FIRST_PASS) * done, figures, words)

    return progress


def _kept(result):
    """Arrays of a ConsistentParses that its search state does not hold."""
    return {
        "heads": result.heads.values,
        "base_heads": result.base_heads.values,
        "labels": result.labels,
        "certified": result.certified,
        "released": result.released,
        "opened": result.opened,
        "pruned_exactly": np.array(result.pruned_exactly),
    }


def _result_bytes(result):
    return _packed(result.dual.state, **_kept(result))


def _packed(state, **arrays):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "search.npz"
        state.save(path, **arrays)
        return path.read_bytes()


def _unpacked(data):
    """(DualState, arrays) of ``_packed``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "search.npz"
        path.write_bytes(data)
        return DualState.load(path)


def _parser_bytes(parser):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parser.npz"
        parser.save(path)
        return path.read_bytes()


def _parser(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parser.npz"
        path.write_bytes(data)
        return MSTParser.load(path)


def _resumed(data):
    """(parser, (DualState, opened sentences)) of a checkpoint, None for what it does not hold."""
    if data is None:
        return None, None
    try:
        state, arrays = _unpacked(data)
    except WorkbenchError:  # cancelled or killed before the search: the parser is all there is
        return _parser(data), None
    return _parser(arrays["parser"].tobytes()), (state, arrays["opened"])


def _as_array(data):
    return np.frombuffer(data, dtype=np.uint8)
