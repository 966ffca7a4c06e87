"""Trees for the marked sentences of a text that came without: at once where they are few, else in the background.

A run keeps what it parsed as its result, apart from the text, so that nobody takes a parser's trees for the text's own.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.parsers.protocols import ReadingParser
from core.parsers.readers import load_reader
from core.store import RESUMABLE, UNFINISHED, Corpus, Run, RunKind
from core.threads import run_cancellable
from core.treebank import Treebank
from core.trees import Bracket
from core.workspace.former_parses import markup_arrays
from core.workspace.parse import Parse
from core.workspace.system import packed, unpacked
from core.workspace.task import CorpusContent, CorpusTask, Work
from core.workspace.texts import ReaderSettings

KIND = "markup-trees"
AT_ONCE = 300  # marked sentences that a page waits for, a second or two
BATCH = 50  # sentences between two looks at Cancel
STORED = (RunKind(KIND, ReaderSettings),)


def marked_places(brackets: Sequence[Sequence[Bracket]]) -> np.ndarray:
    """Indices of the sentences with mark-up, (S,) int64; the others would cost time and judge nothing."""
    return np.array([index for index, marks in enumerate(brackets) if marks], dtype=np.int64)


def parse_on(
    parser: ReadingParser, text: Treebank, marked: np.ndarray, parse: Parse | None = None, done: int = 0
) -> Iterator[tuple[Parse, int]]:
    """Parse the sentences ``marked`` of a treebank in batches, from the ``done``-th on, which ``parse`` ends before.

    Yields (the Parse so far, how many sentences it has).
    """
    parse = parse or Parse.empty()
    for begin in range(done, len(marked), BATCH):
        batch = marked[begin : begin + BATCH]
        parse = parse.followed_by(Parse.of(parser.parse(parser.tag(text.select(batch))), batch))
        yield parse, begin + len(batch)


def parse_bytes(parse: Parse) -> bytes:
    """A Parse for a checkpoint or result."""
    return packed(KIND, {}, **parse.to_arrays())


def read_parse(data: bytes, text: Treebank, marked: np.ndarray) -> Parse:
    """The Parse of sentences ``marked`` of a treebank that a run left. Raises FormatError."""
    arrays = markup_arrays(unpacked(data, KIND, ("heads",))[1], text.lengths, marked)
    return Parse.from_arrays(arrays, text.lengths)


class MarkupParsing(CorpusTask[str, CorpusContent]):
    """Parses the marked sentences of a corpus with a reader: that is the plan."""

    kind = KIND
    replaces = False

    def inputs(self, corpus: Corpus, plan: str) -> CorpusContent:
        return CorpusContent(corpus, self.workspace.treebank_before_hand(corpus).content_hash)

    def plan_of(self, run: Run) -> str:
        return run.settings["reader"]

    def recorded(self, inputs: CorpusContent, plan: str) -> dict:
        return {"corpus": inputs.corpus.id, "reader": plan}

    def work(self, inputs: CorpusContent, plan: str) -> Work:
        def work(job):
            treebank = self.workspace.treebank(inputs.corpus)
            marked = marked_places(self.workspace.brackets(inputs.corpus))
            parse = read_parse(job.resumed, treebank, marked) if job.resumed else Parse.empty()
            parser = run_cancellable(lambda: load_reader(plan), job.cancelled)
            done = job.iteration if job.resumed else 0
            batches = parse_on(parser, treebank, marked, parse, done)
            for parse, done in batches:
                job.report(done, done / len(marked), {"sentences": done, "expected": len(marked)})
                job.checkpoint(partial(parse_bytes, parse))
                if job.cancelled():
                    break
            return {"sentences": done}, parse_bytes(parse)

        return work

    def latest(self, corpus: Corpus, reader: str) -> Run | None:
        """The newest Run that parses, or has parsed, a corpus with a reader; None if it was never asked for."""
        inputs = self.inputs(corpus, reader)
        return self.latest_run(inputs, **self.recorded(inputs, reader))

    def load(self, run: Run | None, text: Treebank, marked: np.ndarray) -> Parse | None:
        """The trees of sentences ``marked`` of a text that a finished Run left; None where it has not finished."""
        if run is None or run.status != "done":
            return None
        return read_parse(self.store.result_bytes(run.id) or b"", text, marked)

    def follow(self, corpus: Corpus, reader: str) -> int:
        """The run that parses a corpus, begun if there is none; returns its id. Raises StoreError."""
        run = self.latest(corpus, reader)
        if run is not None and run.status in (*UNFINISHED, *RESUMABLE):
            return run.id
        return self.start(self.inputs(corpus, reader), reader)
