"""The order in which sentences are annotated: as they stand, those not done yet, or the least certain ones first."""

import io
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import numpy as np

from core.annotation.uncertainty import margins
from core.errors import WorkbenchError
from core.files.unpacking import as_format_error, read_arrays, require_arrays
from core.parsers.english import English
from core.store import Corpus, CorpusId, ParseKey, Run, RunKind
from core.threads import run_cancellable
from core.workspace.annotations import SentenceState
from core.workspace.applied import ENGLISH
from core.workspace.registry import Systems
from core.workspace.task import CorpusContent, CorpusTask, Work

KIND = "annotation-order"  # of the runs that measure uncertainty
ALL, OPEN, UNSURE, DOUBTFUL, DRAWN = "all", "open", "unsure", "doubtful", "drawn"
ORDERS = {
    ALL: "all, in order",
    OPEN: "not done, in order",
    UNSURE: "not done, most uncertain first",
    DOUBTFUL: "doubtful",
    DRAWN: "drawn for Check 20, not done",
}


class OrderSettings(TypedDict):
    """The stored settings of an order by the uncertainty of a parser."""

    corpus: NotRequired[CorpusId]
    by: ParseKey


STORED = (RunKind(KIND, OrderSettings),)


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The uncertainty of a parser about each sentence: ``values`` (S,), nan for unseen ones; ``measure`` names it."""

    values: np.ndarray
    measure: str

    @property
    def order(self) -> np.ndarray:
        """Indices of the sentences, the least sure first, those it has not seen last: int64 (S,)."""
        return np.argsort(np.where(np.isnan(self.values), np.inf, -self.values), kind="stable")

    def to_bytes(self) -> bytes:
        """The values as the bytes of an npz file, for the store."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, values=self.values, measure=np.array(self.measure))
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Uncertainty":
        """The Uncertainty from the bytes of ``to_bytes``. Raises FormatError for any others."""
        with as_format_error("the order of these sentences cannot be read; measure anew"):
            arrays = read_arrays(io.BytesIO(data))
            require_arrays(arrays, {"measure": "U0"})
            if arrays["values"].dtype.kind != "f" or arrays["values"].ndim != 1:
                raise TypeError("values")
            return cls(arrays["values"], str(arrays["measure"]))


class Measuring(CorpusTask[str, CorpusContent]):
    """Measures how unsure a parser is of every sentence of a corpus. The plan is the key of an AvailableParse.

    ``english()`` loads the English parser.
    """

    kind = KIND

    def __init__(self, systems: Systems, english: Callable[[], English] = English.load):
        super().__init__(systems.workspace)
        self.systems, self.english = systems, english

    def inputs(self, corpus: Corpus, plan: str) -> CorpusContent:
        return CorpusContent(corpus, self.workspace.key_before_hand(corpus))

    def plan_of(self, run: Run) -> str:
        return run.settings["by"]

    def recorded(self, inputs: CorpusContent, plan: str) -> dict:
        return {"corpus": inputs.corpus.id, "by": plan}

    def can_measure(self, key: str) -> bool:
        """Whether the parser of a key can say how unsure it is: the English one, or a trained distribution."""
        if key == ENGLISH.key:
            return True
        kind, _, number = key.partition("-")
        if kind != "run" or not number.isdecimal():
            return False
        run = self.store.run(int(number))
        system = self.systems.get(run.kind)
        return system is not None and system.gives_entropies and bool(system.parts(run))

    def prepared(self, inputs: CorpusContent, plan: str) -> tuple[CorpusContent, str]:
        """Both as given. Raises WorkbenchError where the parser gives no uncertainty."""
        if not self.can_measure(plan):
            raise WorkbenchError(
                "this parser gives no uncertainty; choose the English parser, or a run of the Constraints page"
            )
        return inputs, plan

    def work(self, inputs: CorpusContent, plan: str) -> Work:
        def work(job):
            treebank = self.workspace.treebank_before_hand(inputs.corpus)

            def done(count):
                job.report(count, count / len(treebank), message=f"{count:,} sentences")

            if plan == ENGLISH.key:
                english = run_cancellable(self.english, job.cancelled)
                values = margins(english.parser, treebank, job.cancelled, done, prepare=english.tag_unknown)
                uncertainty = Uncertainty(values, "minus the distance to the second-best tree")
            else:
                run = self.store.run(int(plan.partition("-")[2]))
                picks, entropies = self.systems[run.kind].entropies(run)
                values = np.full(len(treebank), np.nan)
                values[np.isin(treebank.picks, picks)] = entropies
                uncertainty = Uncertainty(values, "entropy, nats per word")
            return {"sentences": len(treebank)}, uncertainty.to_bytes()

        return work

    def latest(self, corpus: Corpus, key: str) -> tuple[Uncertainty | None, Run | None]:
        """(Uncertainty or None, the newest Run that measures, or measured, it or None) of a Corpus by a parser."""
        inputs = self.inputs(corpus, key)
        run = self.latest_run(inputs, **self.recorded(inputs, key))
        data = self.store.result_bytes(run.id) if run is not None and run.status == "done" else None
        return None if data is None else Uncertainty.from_bytes(data), run


def chosen_sentences(kind: str, states: Mapping[int, SentenceState], count: int, drawn: Iterable[int] = ()) -> set[int]:
    """Indices of the sentences of a kind of ORDERS, or under the key of a group: a set.

    ``states`` are those of the sentences that have one, by index; ``drawn`` the indices that were drawn to check, or
    those of the group.
    """
    if kind == DOUBTFUL:
        return {index for index, state in states.items() if state.status == "doubtful"}
    done = {index for index, state in states.items() if state.status == "done"} if kind != ALL else set()
    return (set(drawn) if kind == DRAWN or kind not in ORDERS else set(range(count))) - done


def next_sentence(current: int, by: int, wanted: Collection[int], order: Iterable[int]) -> int:
    """Index of the next (``by`` = 1) or former (-1) of the ``wanted`` sentences after ``current``; ``current`` if none.

    ``order`` is a sequence of indices; where ``current`` is not among them, the first one comes next.
    """
    order = [int(index) for index in order]
    start = order.index(current) if current in order else -1
    positions = range(start + 1, len(order)) if by > 0 else range(start - 1, -1, -1)
    return next((order[position] for position in positions if order[position] in wanted), current)
