"""Everything that happened in a run of dual decomposition, iteration by iteration, to be plotted and played back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.errors import WorkbenchError

NUMBERS = ("iteration", "round", "dual", "primal", "best_dual", "best_primal", "disagreements", "step", "seconds")
ARRAYS = {
    "first_blocks": np.int32,
    "second_blocks": np.int32,
    "entries": np.int64,
    "multipliers": np.float64,
    "first_rows": np.int32,
    "first_after": np.int32,
    "rows": np.int32,
    "after": np.int32,
}


@dataclass(frozen=True, eq=False)
class IterationRecord:
    """One iteration.

    Attributes
    ----------
    iteration : int
        From 1; ``round`` counts the times that constraints were released, or arcs opened again, before it.
    dual, primal : float
        The dual value, and the value of the second solver's solutions with the best that the first can add to them.
    best_dual, best_primal : float
        Sums over components of the best so far in this round.
    disagreements : int
        Shared decisions that come out differently in components not yet certified.
    step : float
        The largest step size in use.
    seconds : float
        Time of this iteration.
    first_blocks, second_blocks : int32 arrays
        Blocks solved again in it.
    entries, multipliers : arrays
        Multipliers under which it was solved that differ from the iteration before, and their values.
    first_rows, first_after : int32 arrays
        Entries of the first solver's solution (labels of consensus nodes) that changed, and their new values.
    rows, after : int32 arrays
        The same for the second solver (heads or tags of words).
    """

    iteration: int
    round: int
    dual: float
    primal: float
    best_dual: float
    best_primal: float
    disagreements: int
    step: float
    seconds: float
    first_blocks: np.ndarray
    second_blocks: np.ndarray
    entries: np.ndarray
    multipliers: np.ndarray
    first_rows: np.ndarray
    first_after: np.ndarray
    rows: np.ndarray
    after: np.ndarray

    @property
    def gap(self) -> float:
        """Best dual minus best primal value."""
        return self.best_dual - self.best_primal


@dataclass(eq=False)
class Trace:
    """The records of a run in order. ``trace[k - 1]`` is iteration k.

    The first record holds the whole of both solutions, later ones what changed.
    """

    records: list = field(default_factory=list)

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        return self.records[index]

    def __iter__(self):
        return iter(self.records)

    def add(self, record: IterationRecord) -> None:
        """Append the record of the next iteration."""
        self.records.append(record)

    def rows(self) -> list[dict]:
        """One dict of plain numbers an iteration: its values, and blocks solved and flips as counts."""
        return [
            {name: getattr(record, name) for name in NUMBERS}
            | {
                "gap": record.gap,
                "first_blocks": len(record.first_blocks),
                "second_blocks": len(record.second_blocks),
                "flips": len(record.rows) if record.iteration > 1 else 0,
            }
            for record in self.records
        ]

    def multipliers(self, iteration: int, size: int) -> np.ndarray:
        """float64 (size,): the multipliers under which iteration k (from 1) was solved."""
        values = np.zeros(size)
        for record in self._until(iteration):
            values[record.entries] = record.multipliers
        return values

    def solution(self, iteration: int) -> np.ndarray:
        """int32: the second solver's solution (heads or tags) after iteration k."""
        return self._replay(iteration, "rows", "after")

    def labels(self, iteration: int) -> np.ndarray:
        """int32: the first solver's solution (labels of consensus nodes) after iteration k."""
        return self._replay(iteration, "first_rows", "first_after")

    def _replay(self, iteration, rows, after):
        records = self._until(iteration)
        solution = getattr(records[0], after).copy()
        for record in records[1:]:
            solution[getattr(record, rows)] = getattr(record, after)
        return solution

    def _until(self, iteration):
        if not 1 <= iteration <= len(self.records):
            raise WorkbenchError(f"there is no iteration {iteration}; the trace has {len(self.records)}")
        return self.records[:iteration]

    def as_arrays(self) -> dict[str, np.ndarray]:
        """Name -> array, to be saved; ``from_arrays`` reads it back."""
        arrays: dict[str, np.ndarray] = {
            f"trace_{name}": np.array([getattr(r, name) for r in self.records], np.float64) for name in NUMBERS
        }
        for name, dtype in ARRAYS.items():
            parts = [getattr(record, name) for record in self.records]
            arrays[f"trace_{name}"] = np.concatenate([np.empty(0, dtype), *parts])
            arrays[f"trace_{name}_ends"] = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Trace":
        """The trace that ``as_arrays`` took apart."""
        whole = {"iteration", "round", "disagreements"}
        columns = {}
        for name in NUMBERS:
            columns[name] = [int(x) if name in whole else float(x) for x in arrays[f"trace_{name}"]]
        for name, dtype in ARRAYS.items():
            ends = arrays[f"trace_{name}_ends"]
            columns[name] = np.split(arrays[f"trace_{name}"].astype(dtype), ends[:-1]) if len(ends) else []
        rows = zip(*columns.values(), strict=True)
        return cls([IterationRecord(**dict(zip(columns, row, strict=True))) for row in rows])
