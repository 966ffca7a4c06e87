"""Parsing with consistency across sentences: rush2012 from the treebanks to the trees."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.callbacks import Cancel, Progress
from core.consistency.contexts import ContextIndex, Contexts
from core.consistency.effects import ContextEffect, context_effects
from core.consistency.first_pass import FirstPass
from core.consistency.parsing_problem import ParsingProblem
from core.consistency.results import Consistent
from core.consistency.settings import ConsistencySettings
from core.decomposition import DualState
from core.parsers.protocols import Scorer
from core.parsers.word_scorer import WordScorer, with_marks
from core.treebank import Column, Treebank
from core.trees import PackedHeads


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsistentParses(Consistent):
    """Trees of a test text that agree with each other, and how they were found; see ``Consistent`` too.

    Relations of ``treebank`` are ``root`` and ``dep``; ``seconds`` has ``first_pass``, ``iterations``, ``check`` too.

    Attributes
    ----------
    heads, base_heads : PackedHeads
        With consistency, and of the parser alone.
    contexts : Contexts
    rows : ndarray of shape (V,), dtype int64
        The words about which both sides were asked: rows of the test text.
    opened : ndarray of int
        Sentences whose pruned arcs were let back in.
    pruned_exactly : bool
        Whether pruned arcs are proved to be no better; else the answer is the best among unpruned arcs.
    """

    heads: PackedHeads
    base_heads: PackedHeads
    contexts: Contexts
    rows: np.ndarray
    opened: np.ndarray
    pruned_exactly: bool

    def effects(self, gold: Treebank | None = None) -> list[ContextEffect]:
        """Words that each context changed: ``context_effects`` of these trees."""
        return context_effects(self.contexts, self.base_heads, self.heads, self.labels, gold)

    def statistics(self) -> dict:
        """Plain numbers: contexts, shares of active, certified and released, time against a single pass."""
        changed = int((self.heads.values != self.base_heads.values).sum())
        figures = {"changed_words": changed, "opened_sentences": len(self.opened)}
        return self.contexts.statistics() | figures | self.search_statistics()

    def save(self, path: str | Path) -> None:
        """Write where the search stands to an ``.npz`` file; hand it back as ``resume``."""
        self.dual.state.save(path, opened=self.opened)


def parse_consistently(
    parser: Scorer, train: Treebank, test: Treebank, settings: ConsistencySettings | None = None, *,
    tags: str | None = None, index: ContextIndex | None = None,
    resume: str | Path | tuple[DualState, np.ndarray] | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None, checkpoint: Callable[..., object] | None = None,
) -> ConsistentParses:  # fmt: skip
    """Parse a text so that words in similar contexts have heads of similar tags.

    Parameters
    ----------
    parser
        A ``Scorer``: a trained MSTParser, a TreeCRF, or the WordScorer of a parser with arc posteriors.
    train, test : Treebank
        The treebank whose contexts count as known, usually the parser's, and the text to parse.
    settings : ConsistencySettings, optional
    tags
        As for ``shared_labels``.
    index : ContextIndex, optional
        Of the same two texts, if there is one already.
    resume : path, or (DualState, opened sentences), optional
        A search that was cancelled; everything else must be as it was.
    progress : callable, optional
        Called with ("first pass", share done), then with ("search", Record) after each iteration.
    cancel : callable, optional
        Asked between batches of the first pass, rounds of settling, iterations and branches. In the search the best
        answer so far is returned, ``status`` "cancelled"; before it, ``core.errors.Cancelled`` is raised.
    checkpoint : callable, optional
        Called with (DualState, opened sentences) after each iteration: what ``resume`` takes, to be written at once.

    Returns
    -------
    ConsistentParses

    Raises
    ------
    WorkbenchError : no trees or tags to take contexts from, different tag sets, no context selected.

    Notes
    -----
    After the search each sentence whose pruning could have cost its best tree is parsed once more without it, at the
    final multipliers. If a better tree is found its arcs come back and the search goes on.
    Source: rush2012 sections 4 to 7.
    """
    began = time.perf_counter()
    settings = settings or ConsistencySettings()
    contexts = (index or ContextIndex(train, test, tags=tags)).select(settings.contexts)
    contexts.require_some()
    state, opened = resume if isinstance(resume, tuple) else (None, ())
    if isinstance(resume, str | Path):
        state, extra = DualState.load(resume)
        opened = extra.get("opened", ())
    report = progress or (lambda stage, share: None)
    first_pass = FirstPass(
        parser, contexts, settings, progress=lambda share: report("first pass", share), cancel=cancel
    )
    problem = ParsingProblem(first_pass, contexts, settings, opened, cancel)
    searched = time.perf_counter()
    result, checked = problem.search(state, lambda record: report("search", record), cancel, checkpoint)
    heads, labels, certified = problem.outcome(result, checked)
    base_heads = first_pass.heads
    if isinstance(parser, WordScorer):
        heads, base_heads = (with_marks(test, trees) for trees in (heads, base_heads))
    relations = Column(np.where(heads < 0, 0, np.where(heads == 0, 1, 2)).astype(np.int32), ("", "root", "dep"))
    treebank = test.with_heads(heads, relations)
    ended = time.perf_counter()
    return ConsistentParses(
        treebank=treebank,
        heads=PackedHeads(heads, test.offsets),
        base_heads=PackedHeads(base_heads, test.offsets),
        contexts=contexts,
        rows=problem.rows,
        labels=labels,
        dual=result,
        primal=result.primal,
        bound=result.dual,
        certified=certified,
        released=result.released_blocks,
        opened=np.flatnonzero(problem.opened),
        pruned_exactly=checked,
        unit=problem.unit,
        seconds={
            "single": first_pass.single_seconds,
            "first_pass": first_pass.seconds,
            "iterations": ended - searched - problem.check_seconds,
            "check": problem.check_seconds,
            "total": ended - began,
        },
    )
