"""The two solvers of dual decomposition, and which decisions of theirs must agree.

The problem is ``max f(x) + g(y)`` such that V shared decisions come out the same in x and in y. A decision's possible
outcomes are numbered by the multipliers that belong to them: "word 3 has the head 5" is entry 1234 of one flat array u
of length E. So an outcome is an index into u on both sides, and to agree is to name the same index.

Each solver's problem falls into blocks (a sentence, a consensus node) that it can solve one by one.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.errors import WorkbenchError


class Solver(Protocol):
    """A solver with ``argmax(score + u)``.

    Attributes
    ----------
    choice : ndarray of shape (V,), dtype int64
        The outcome of each shared decision in the latest solution: its index in the multipliers.
    values : ndarray of shape (blocks,), dtype float64
        Value of each block's latest solution, its share of the multipliers included.
    solution : ndarray, dtype int32
        The latest solution in the solver's own terms (heads, tags, labels).
    solution_blocks : ndarray, like ``solution``
        The block of each entry.
    """

    choice: np.ndarray
    values: np.ndarray
    solution: np.ndarray
    solution_blocks: np.ndarray

    def argmax(self, multipliers: np.ndarray, blocks: np.ndarray, preferred: np.ndarray | None = None) -> None:
        """Solve ``blocks`` (ascending) again under score + multipliers; overwrites the four arrays there.

        Must depend on nothing but the multipliers of these blocks' decisions and on ``preferred`` (V,), outcomes to be
        favoured among equals. So it is right to leave other blocks as they are.
        """


class FirstSolver(Solver, Protocol):
    """The solver whose solution can be made to fit the other's."""

    def value_at(self, choice: np.ndarray, blocks: np.ndarray) -> np.ndarray:
        """float64 (len(blocks),): the best score of each block, without multipliers, whose decisions are ``choice``.

        -inf if there is none.
        """
        ...

    def release(self, decisions: np.ndarray) -> None:
        """From now on decide nothing about these decisions (bool (V,))."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """Which decisions are shared.

    Attributes
    ----------
    first_blocks, second_blocks : ndarray of shape (V,), dtype int64
        The block of each decision on either side.
    owner : ndarray of shape (E,), dtype int32
        The decision of each multiplier; -1 if there is none.
    """

    first_blocks: np.ndarray
    second_blocks: np.ndarray
    owner: np.ndarray

    def __post_init__(self):
        if self.first_blocks.shape != self.second_blocks.shape or self.first_blocks.ndim != 1:
            raise WorkbenchError(
                "first_blocks and second_blocks must name one block a decision, got shapes "
                f"{self.first_blocks.shape} and {self.second_blocks.shape}"
            )
        if len(self.owner) and self.owner.max() >= len(self.first_blocks):
            raise WorkbenchError(f"a multiplier belongs to decision {self.owner.max()} of {len(self.first_blocks)}")

    def __len__(self):
        return len(self.first_blocks)

    def components(self, first_count: int, second_count: int, active: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
        """Blocks that share a decision, directly or through others, make one component.

        Returns (count, int32 (first_count,), int32 (second_count,)): the component of each block of either side.
        ``active`` (V,) says which decisions count. O(V).
        """
        ends = self.first_blocks[active], first_count + self.second_blocks[active]
        size = first_count + second_count
        graph = scipy.sparse.coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(size, size))
        count, component = scipy.sparse.csgraph.connected_components(graph, directed=False)
        return count, component[:first_count], component[first_count:]
