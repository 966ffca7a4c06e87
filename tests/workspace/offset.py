"""A system in eighty lines: what a system says of itself. Registered by one line, it gets all the rest."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.errors import Cancelled
from core.store import Corpus, Run
from core.treebank import Treebank, conllu_text
from core.workspace.system import Citation, File, Inputs, Kind, Outcome, Plan, System, Work, packed, unpacked


@dataclass(frozen=True)
class OffsetPlan(Plan):
    farthest: int = 5  # words to the left that a head may stand


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
    places = np.arange(len(text.heads)) - np.repeat(text.offsets[:-1], text.lengths + 1)
    return np.where(places <= 1, places - 1, np.maximum(places - offset, 1)).astype(np.int32)


class Offset(System):
    """Every word hangs on the word so far to its left; how far is learnt by trying."""

    kind = document = "offset"
    page = "compare"
    kinds: ClassVar = {"offset": Kind("left attachment", "Every word was attached at a learned distance to its left")}
    plan_class = OffsetPlan
    citation = Citation("Nobody, 2026", "Ann Nobody (2026). On Attaching to the Left. Unpublished.")
    paper: ClassVar = {"farthest": 1}

    def usual_plan(self, corpus: Corpus) -> OffsetPlan:
        return OffsetPlan()

    def inputs(self, corpus: Corpus, plan: OffsetPlan) -> Inputs:
        return Inputs(corpus=corpus, key=self.workspace.corpus_key(corpus))

    def work(self, inputs: Inputs, plan: OffsetPlan) -> Work:
        text = self.workspace.treebank(inputs.corpus)

        def work(job):
            right = unpacked(job.resumed, "offsets")[0]["right"] if job.resumed else []
            for offset in range(len(right) + 1, plan.farthest + 1):
                right.append(int((attached(text, offset) == text.heads).sum()))
                job.report(offset, offset / plan.farthest, {"right": right[-1]})
                job.checkpoint(packed("offsets", {"right": right}))
                if job.cancelled():
                    raise Cancelled
            best = int(np.argmax(right)) + 1
            return {"offset": best, "right": right}, packed("offset", {"offset": best})

        return work

    def read(self, run: Run, inputs: Inputs, plan: OffsetPlan, data: bytes) -> OffsetOutcome:
        text = self.workspace.treebank(inputs.corpus)
        heads = attached(text, unpacked(data, "offset")[0]["offset"])
        return OffsetOutcome(run=run, inputs=inputs, plan=plan, tree=text.with_heads(heads))

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "attached to the left"}

    def figures(self, run: Run) -> dict[str, str]:
        return {"learned distance": str(run.figures["offset"])}
