"""Where a run of dual decomposition stands: enough to go on as if it had never stopped."""

import json
from contextlib import nullcontext
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from core.decomposition.problem import Agreement
from core.decomposition.trace import Trace
from core.errors import FormatError, WorkbenchError
from core.files.unpacking import as_format_error, read_arrays

KIND = "dual decomposition, version 3"
NUMBERS = ("iteration", "round", "round_iteration", "fewest", "fewest_at", "full_primal")
ARRAYS = (
    "multipliers", "active", "moved", "component_first", "component_second", "rises", "previous_dual", "best_dual",
    "best_primal", "best_solution", "full_solution", "raised", "swings",
)  # fmt: skip


@dataclass(eq=False)
class DualState:
    """Changes as the run goes on; ``save`` it, or hand it to ``dual_decomposition`` again to continue.

    Attributes
    ----------
    multipliers : ndarray of shape (E,), dtype float64
        Those of the latest iteration. The first solver maximises score + u, the second score - u.
    active : ndarray of shape (V,), dtype bool
        Decisions whose agreement is still asked for.
    iteration, round, round_iteration : int
        Iterations done, rounds before this one, iterations done in this one.
    fewest, fewest_at : int
        The fewest decisions in dispute in this round, and its first iteration with so few.
    moved : int64 array
        Multipliers changed since that iteration.
    component_first, component_second : int32 arrays
        The component of each block of either side.
    rises : int64 (components,)
        How often each component's dual value rose.
    previous_dual, best_dual, best_primal : float64 (components,)
    best_solution : int32 array
        The second solver's solution of the best primal value in each component.
    full_primal : float
        Value of the best solution under all constraints, before any was released; NaN while none was.
    full_solution : int32 array
        That solution; empty while no constraint was released.
    raised : int64 (V,)
        The multiplier that was raised last for each decision, -1 before its first move.
    swings : int64 (V,)
        How often what was raised for a decision was what had to be lowered next.
    trace : Trace
    """

    multipliers: np.ndarray
    active: np.ndarray
    iteration: int = 0
    round: int = 0
    round_iteration: int = 0
    fewest: int = 0
    fewest_at: int = 0
    moved: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    component_first: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    component_second: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    rises: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    previous_dual: np.ndarray = field(default_factory=lambda: np.empty(0))
    best_dual: np.ndarray = field(default_factory=lambda: np.empty(0))
    best_primal: np.ndarray = field(default_factory=lambda: np.empty(0))
    best_solution: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    full_primal: float = float("nan")
    full_solution: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    raised: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    swings: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    trace: Trace = field(default_factory=Trace)

    @classmethod
    def new(cls, agreement: Agreement, start: np.ndarray | None = None) -> "DualState":
        """The state before the first iteration; ``start`` (E,) are its multipliers, zero by default.

        All multipliers give a bound, so a good guess only saves iterations.
        """
        multipliers = np.zeros(len(agreement.owner)) if start is None else np.array(start, dtype=np.float64)
        count = len(agreement)
        return cls(
            multipliers,
            np.ones(count, dtype=bool),
            moved=np.flatnonzero(multipliers),
            raised=np.full(count, -1),
            swings=np.zeros(count, dtype=np.int64),
        )

    def restart(self, entries: np.ndarray, values: np.ndarray) -> None:
        """Set some multipliers and begin a new round: for a problem that has grown. Bounds begin anew."""
        self.multipliers[entries] = values
        self.moved = np.asarray(entries, dtype=np.int64)
        self.round, self.round_iteration = self.round + 1, 0

    def save(self, target: str | PathLike | BinaryIO, **extra: np.ndarray) -> None:
        """Write an ``.npz`` file to a path or binary file, with further arrays of the caller's: no pickle.

        Raises WorkbenchError where it cannot be written.
        """
        settings = {"kind": KIND, **{name: getattr(self, name) for name in NUMBERS}}
        arrays = {**{name: getattr(self, name) for name in ARRAYS}, **self.trace.as_arrays(), **extra}
        try:
            with open(target, "wb") if isinstance(target, str | PathLike) else nullcontext(target) as file:
                np.savez_compressed(file, settings=np.array(json.dumps(settings)), **arrays)
        except OSError as error:
            raise WorkbenchError(f"cannot write {target}: {error.strerror}; choose another place") from error

    @classmethod
    def load(cls, source: str | PathLike | BinaryIO) -> tuple[Self, dict[str, np.ndarray]]:
        """(DualState, dict of the caller's arrays) of a path or binary file. Raises FormatError for any other file."""
        if isinstance(source, str | PathLike) and not Path(source).exists():
            raise FormatError("there is no such file; check the path", path=source)
        with as_format_error("this is no saved run of dual decomposition; choose a file that one was saved to", source):
            arrays = read_arrays(source)
            settings = json.loads(str(arrays.pop("settings")))
            if settings.pop("kind") != KIND:
                raise KeyError("kind")
            state = cls(**{name: arrays.pop(name) for name in ARRAYS}, **settings)
            state.trace = Trace.from_arrays(arrays)
            usual = cls(np.empty(0), np.empty(0, dtype=bool))
            for name in ARRAYS:
                if getattr(state, name).dtype != getattr(usual, name).dtype or getattr(state, name).ndim != 1:
                    raise TypeError(name)
            counts = [getattr(state, name) for name in NUMBERS[:-1]]
            if not all(type(count) is int and count >= 0 for count in counts):
                raise TypeError("counts")
        return state, {name: value for name, value in arrays.items() if not name.startswith("trace_")}
