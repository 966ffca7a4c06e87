"""Trees for the marked sentences of a text that came without: at once where they are few, else in the background.

A run keeps what it parsed as its result, apart from the text, so that nobody takes a parser's trees for the text's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.parsers.protocols import ReadingParser
from core.parsers.readers import load_reader
from core.store import RESUMABLE, UNFINISHED, Corpus, Run
from core.threads import run_cancellable
from core.treebank import Treebank
from core.trees import Bracket
from core.workspace.system import packed, unpacked
from core.workspace.task import CorpusContent, CorpusTask, Work

KIND = "markup-trees"
AT_ONCE = 300  # marked sentences that a page waits for, a second or two
BATCH = 50  # sentences between two looks at Cancel


@dataclass(frozen=True, eq=False)
class MarkupTrees:
    """Heads (rows,), int32, and relations (rows,) of sentences back to back, roots included."""

    heads: np.ndarray
    labels: np.ndarray

    @classmethod
    def of(cls, treebank: Treebank) -> "MarkupTrees":
        """The trees of a treebank."""
        return cls(treebank.heads, np.array(treebank.deprel.values, dtype=str)[treebank.deprel.ids])

    @classmethod
    def from_bytes(cls, data: bytes | None) -> "MarkupTrees":
        """What ``to_bytes`` gave; no trees for None. Raises FormatError."""
        if data is None:
            return cls(np.empty(0, np.int32), np.empty(0, dtype=str))
        return cls(**unpacked(data, KIND, ("heads", "labels"))[1])

    def to_bytes(self) -> bytes:
        """For a checkpoint or result."""
        return packed(KIND, {}, heads=self.heads, labels=self.labels)

    def and_then(self, more: "MarkupTrees") -> "MarkupTrees":
        """These and those of the sentences that follow."""
        return MarkupTrees(np.concatenate((self.heads, more.heads)), np.concatenate((self.labels, more.labels)))


def marked_places(brackets: Sequence[Sequence[Bracket]]) -> np.ndarray:
    """Indices of the sentences with mark-up, (S,) int64; the others would cost time and judge nothing."""
    return np.array([index for index, found in enumerate(brackets) if found], dtype=np.int64)


def with_trees(treebank: Treebank, marked: np.ndarray, trees: MarkupTrees) -> Treebank:
    """The treebank with trees on the sentences ``marked`` and no others."""
    rows = np.concatenate([np.arange(*treebank.offsets[index : index + 2]) for index in marked.tolist()])
    heads, labels = treebank.heads.copy(), np.full(len(treebank.heads), "", dtype=object)
    heads[rows], labels[rows] = trees.heads, trees.labels
    return treebank.with_heads(heads, labels.tolist())


def parse_on(
    parser: ReadingParser, text: Treebank, trees: MarkupTrees | None = None, done: int = 0
) -> Iterator[tuple[MarkupTrees, int]]:
    """Parse the sentences of a treebank from ``done`` on, in batches; yields (trees so far, sentences so far)."""
    trees = MarkupTrees.from_bytes(None) if trees is None else trees
    while done < len(text):
        batch = text.select(np.arange(done, min(done + BATCH, len(text))))
        trees, done = trees.and_then(MarkupTrees.of(parser.parse(parser.tag(batch)))), done + len(batch)
        yield trees, done


class MarkupParsing(CorpusTask[str, CorpusContent]):
    """Parses the marked sentences of a corpus with a reader: that is the plan."""

    kind = KIND
    replaces = False

    def inputs(self, corpus: Corpus, plan: str) -> CorpusContent:
        return CorpusContent(corpus, self.workspace.treebank(corpus).content_hash)

    def plan_of(self, run: Run) -> str:
        return run.settings["reader"]

    def recorded(self, inputs: CorpusContent, plan: str) -> dict:
        return {"corpus": inputs.corpus.id, "reader": plan}

    def work(self, inputs: CorpusContent, plan: str) -> Work:
        def work(job):
            trees, done = MarkupTrees.from_bytes(job.resumed), job.iteration if job.resumed else 0
            treebank = self.workspace.treebank(inputs.corpus)
            text = treebank.select(marked_places(self.workspace.brackets(inputs.corpus)))
            parser = run_cancellable(lambda: load_reader(plan), job.cancelled)
            batches = parse_on(parser, text, trees, done)
            for trees, done in batches:
                job.report(done, done / len(text), {"sentences": done, "expected": len(text)})
                job.checkpoint(trees.to_bytes)
                if job.cancelled():
                    break
            return {"sentences": done}, trees.to_bytes()

        return work

    def latest(self, corpus: Corpus, reader: str) -> Run | None:
        """The newest Run that parses, or has parsed, a corpus with a reader; None if it was never asked for."""
        inputs = self.inputs(corpus, reader)
        return self.latest_run(inputs, **self.recorded(inputs, reader))

    def load(self, run: Run | None) -> MarkupTrees | None:
        """The trees of a finished Run; None where it has not finished."""
        if run is None or run.status != "done":
            return None
        return MarkupTrees.from_bytes(self.store.result_bytes(run.id))

    def follow(self, corpus: Corpus, reader: str) -> int:
        """The run that parses a corpus, begun if there is none; returns its id. Raises StoreError."""
        run = self.latest(corpus, reader)
        if run is not None and run.status in (*UNFINISHED, *RESUMABLE):
            return run.id
        return self.start(self.inputs(corpus, reader), reader)
