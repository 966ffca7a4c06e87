"""A whole system from outside: its plan, kernel, work, outcome, and command. Registered by one line, it gets the rest.

Its page is ``tests/pages/offset_page.py``, what is looked at there ``tests/pages/offset_view.py``.
"""

from argparse import Namespace
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report
from core.commandline.texts import read
from core.compilation.compiling import Warming
from core.compilation.kernels import kernel
from core.compilation.warm import WORDS
from core.errors import Cancelled
from core.settings import stated
from core.store import Corpus, CorpusId, Run
from core.treebank import Treebank, conllu_text
from core.workspace.system import Citation, File, Inputs, Kind, Outcome, Plan, System, Work, packed, unpacked


@dataclass(frozen=True)
class OffsetPlan(Plan):
    farthest: int = stated(5, "Farthest head", 1, "neighbours miss most heads")  # words to the left
    taught_corpus: CorpusId | None = None  # the text whose trees teach; None is the text itself


@dataclass(frozen=True, kw_only=True)
class OffsetInputs(Inputs):
    teacher: Corpus


@dataclass(frozen=True, eq=False, kw_only=True)
class OffsetOutcome(Outcome):
    tree: Treebank

    @property
    def parses(self) -> dict[str, Treebank]:
        return {"": self.tree}

    @property
    def files(self) -> tuple[File, ...]:
        return (File("Trees", "trees.conllu", lambda: conllu_text(self.tree.to_conllu())),)


def attached(text: Treebank, offset: int) -> np.ndarray:
    """Heads int32 (rows,): every word hangs on the word ``offset`` before it, or on the first, which is the root."""
    heads = np.empty(len(text.heads), np.int32)
    _attach(text.offsets, offset, heads)
    return heads


@kernel
def _attach(offsets, offset, heads):
    for sentence in range(len(offsets) - 1):
        for place in range(offsets[sentence + 1] - offsets[sentence]):
            heads[offsets[sentence] + place] = place - 1 if place <= 1 else max(place - offset, 1)


def right_heads(text: Treebank, offset: int) -> int:
    """How many words have the right head with an offset."""
    return int((attached(text, offset) == text.heads).sum())


def warm_offset() -> None:
    """Run the kernel once."""
    attached(Treebank.from_sentences([WORDS]), 1)


OFFSET = Warming((warm_offset,), (__name__,))


class Offset(System):
    """Every word hangs on the word so far to its left; how far is learnt by trying."""

    kind = document = "offset"
    page = "offset"
    kinds: ClassVar = {"offset": Kind("left attachment", "Every word was attached at a learned distance to its left")}
    plan_class = OffsetPlan
    citation = Citation("Nobody, 2026", "Ann Nobody (2026). On Attaching to the Left. Unpublished.")
    warming = OFFSET
    invitation = "Attach every word at one distance"

    def usual_plan(self, corpus: Corpus) -> OffsetPlan:
        return OffsetPlan()

    def inputs(self, corpus: Corpus, plan: OffsetPlan) -> OffsetInputs:
        teacher = corpus if plan.taught_corpus is None else self.store.corpus(plan.taught_corpus)
        key = f"{self.workspace.corpus_key(corpus)} {self.workspace.corpus_key(teacher)}"
        return OffsetInputs(corpus=corpus, key=key, teacher=teacher)

    def work(self, inputs: OffsetInputs, plan: OffsetPlan) -> Work:
        text = self.workspace.treebank(inputs.teacher)

        def work(job):
            right = unpacked(job.resumed, "offsets")[0]["right"] if job.resumed else []
            for offset in range(len(right) + 1, plan.farthest + 1):
                right.append(right_heads(text, offset))
                job.report(offset, offset / plan.farthest, {"right": right[-1]})
                job.checkpoint(packed("offsets", {"right": right}))
                if job.cancelled():
                    raise Cancelled
            best = int(np.argmax(right)) + 1
            return {"offset": best, "right": right}, packed("offset", {"offset": best})

        return work

    def distances(self, outcome: OffsetOutcome) -> list[int]:
        """How many words hang on the word one, two ... to their left, counted once for all that look at the outcome."""

        def count():
            tree = outcome.tree
            farther = np.arange(len(tree.heads)) - np.repeat(tree.offsets[:-1], tree.lengths + 1) - tree.heads
            return np.bincount(farther[tree.heads > 0])[1:].tolist()

        return self.cached("views", outcome.run.id, count)

    def read(self, run: Run, inputs: OffsetInputs, plan: OffsetPlan, data: bytes) -> OffsetOutcome:
        text = self.workspace.treebank(inputs.corpus)
        heads = attached(text, unpacked(data, "offset")[0]["offset"])
        return OffsetOutcome(run=run, inputs=inputs, plan=plan, tree=text.with_heads(heads))

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "attached to the left"}

    def figures(self, run: Run) -> dict[str, str]:
        return {"learned distance": str(run.figures["offset"])}


def add_commands(commands: Commands) -> None:
    """Add ``offset`` to the command line."""
    command = add_command(commands, "offset", "learn how far to the left heads stand", run_offset, READS, OFFSET)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--farthest", type=int, default=OffsetPlan.farthest)


def run_offset(options: Namespace) -> Report:
    """Learn it from a file."""
    text = read(options.file, options)
    right = [right_heads(text, offset) for offset in range(1, options.farthest + 1)]
    best = int(np.argmax(right)) + 1
    return Report({"offset": best, "right": right}, f"learned distance {best}")
