"""Trees for the marked sentences of a text that came without: at once where they are few, else in the background.

A run keeps what it parsed as its result, apart from the text, so that nobody takes a parser's trees for the text's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.parsers.readers import load_reader
from core.store import RESUMABLE, UNFINISHED, Corpus, Run
from core.threads import unless_cancelled
from core.treebank import Treebank
from core.trees import Bracket
from core.workspace.system import packed, unpacked
from core.workspace.workspace import Workspace

KIND = "markup-trees"
AT_ONCE = 300  # marked sentences that a page waits for, a second or two
BATCH = 50  # sentences between two looks at Cancel


@dataclass(frozen=True, eq=False)
class Trees:
    """Heads (rows,), int32, and relations (rows,) of sentences back to back, roots included."""

    heads: np.ndarray
    labels: np.ndarray

    @classmethod
    def of(cls, treebank: Treebank) -> "Trees":
        """Those of a treebank."""
        return cls(treebank.heads, np.array(treebank.deprel.values, dtype=str)[treebank.deprel.ids])

    @classmethod
    def from_bytes(cls, data: bytes | None) -> "Trees":
        """What ``to_bytes`` gave; no trees for None. Raises FormatError."""
        if data is None:
            return cls(np.empty(0, np.int32), np.empty(0, dtype=str))
        return cls(**unpacked(data, KIND, ("heads", "labels"))[1])

    def to_bytes(self) -> bytes:
        """For a checkpoint or result."""
        return packed(KIND, {}, heads=self.heads, labels=self.labels)

    def and_then(self, more: "Trees") -> "Trees":
        """These and those of the sentences that follow."""
        return Trees(np.concatenate((self.heads, more.heads)), np.concatenate((self.labels, more.labels)))


def marked_places(brackets: Sequence[Sequence[Bracket]]) -> np.ndarray:
    """Indices of the sentences with mark-up, (S,) int64; the others would cost time and judge nothing."""
    return np.array([index for index, found in enumerate(brackets) if found], dtype=np.int64)


def with_trees(treebank: Treebank, marked: np.ndarray, trees: Trees) -> Treebank:
    """The treebank with Trees on the sentences ``marked`` and no others."""
    rows = np.concatenate([np.arange(*treebank.offsets[index : index + 2]) for index in marked.tolist()])
    heads, labels = treebank.heads.copy(), np.full(len(treebank.heads), "", dtype=object)
    heads[rows], labels[rows] = trees.heads, trees.labels
    return treebank.with_heads(heads, labels.tolist())


def parse_on(parser: Any, text: Treebank, trees: Trees | None = None, done: int = 0) -> Iterator[tuple[Trees, int]]:
    """Parse the sentences of a treebank from ``done`` on, in batches; yields (Trees so far, sentences so far)."""
    trees = Trees.from_bytes(None) if trees is None else trees
    while done < len(text):
        batch = text.select(np.arange(done, min(done + BATCH, len(text))))
        trees, done = trees.and_then(Trees.of(parser.parse(parser.tag(batch)))), done + len(batch)
        yield trees, done


def latest_trees(workspace: Workspace, corpus: Corpus, reader: str) -> Run | None:
    """The newest Run that parses, or has parsed, a corpus with a reader; None if it was never asked for."""
    runs = workspace.store.runs(corpus.project, KIND)
    wanted = (corpus.id, reader, workspace.treebank(corpus).content_hash)
    return next(
        (run for run in runs if (run.settings["corpus"], run.settings["reader"], run.data_hash) == wanted), None
    )


def parsed_trees(workspace: Workspace, run: Run | None) -> Trees | None:
    """The Trees of a finished Run; None where it has not finished."""
    return Trees.from_bytes(workspace.store.result_bytes(run.id)) if run is not None and run.status == "done" else None


def follow_trees(workspace: Workspace, corpus: Corpus, reader: str) -> int:
    """The run that parses a corpus, begun if there is none; returns its id. Raises StoreError."""
    run = latest_trees(workspace, corpus, reader)
    if run is not None and (run.status in UNFINISHED or run.status in RESUMABLE):
        return run.id
    settings = {"corpus": corpus.id, "reader": reader}
    text = workspace.treebank(corpus)
    return workspace.jobs.start(
        corpus.project, KIND, settings, _work(workspace, corpus, reader), data_hash=text.content_hash
    )


def resume_trees(workspace: Workspace, run_id: int) -> int:
    """Go on with a run that stopped half-way."""
    run = workspace.store.run(run_id)
    corpus = workspace.store.corpus(run.settings["corpus"])
    return workspace.jobs.resume(run_id, _work(workspace, corpus, run.settings["reader"]))


def _work(workspace, corpus, reader):
    def work(job):
        trees, done = Trees.from_bytes(job.resumed), job.iteration if job.resumed else 0
        treebank = workspace.treebank(corpus)
        marked = marked_places(workspace.brackets(corpus))
        parser = unless_cancelled(lambda: load_reader(reader), job.cancelled)
        text = treebank.select(marked)
        batches = parse_on(parser, text, trees, done)
        for trees, done in batches:
            job.report(done, done / len(text), {"sentences": done, "expected": len(text)})
            job.checkpoint(trees.to_bytes)
            if job.cancelled():
                break
        return {"sentences": done}, trees.to_bytes()

    return work
