"""One text's problem of consistent tagging, as dual decomposition takes it: consensus of words against the tagger."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel, Progress
from core.consistency.branching import solve_jointly
from core.consistency.labels import Labels
from core.consistency.mrf import ConsensusMRF
from core.consistency.settings import ConsistencySettings
from core.consistency.tags import TagSolver
from core.consistency.unknown import UnknownWords
from core.decomposition import Agreement, DualResult, DualState
from core.parsers import Tagger


@dataclass(frozen=True)
class Stops:
    """How a search is cancelled and goes on; by default it is not.

    Attributes
    ----------
    resume : DualState, optional
        Of a search that was cancelled; everything else must be as it was.
    cancel : callable, optional
        Asked between iterations and branches. When it returns True the best answer so far is returned, ``status``
        "cancelled".
    checkpoint : callable, optional
        Called with the DualState after each iteration: what ``resume`` takes, to be written at once.
    """

    resume: DualState | None = None
    cancel: Cancel | None = None
    checkpoint: Callable[[DualState], object] | None = None


NEVER = Stops()


class TaggingProblem:
    """The two solvers of some texts that count as one: ``first`` has the consensus, ``second`` the tagger."""

    def __init__(
        self, tagger: Tagger, words: UnknownWords, labels: Labels, settings: ConsistencySettings
    ):  # fmt: skip
        self.settings, self.rows, self.size = settings, words.rows, len(tagger.tags)
        self.second = TagSolver(tagger, words.texts, words.rows)
        margins = self.second.margins()
        self.unit = settings.scale(margins[np.isfinite(margins)].mean())
        self.first = ConsensusMRF(
            words.group,
            self.second.outcomes,
            np.tile(np.arange(1, self.size + 1, dtype=np.int32), len(words.rows)),
            np.zeros((len(words.names), self.size + 1), dtype=np.int64),
            labels.classes,
            settings.deltas(self.unit),
        )
        owner = np.repeat(np.arange(len(words.rows), dtype=np.int32), self.size)
        self.agreement = Agreement(words.group.astype(np.int64), self.second.sentences, owner)

    def search(self, progress: Progress | None, stops: Stops) -> DualResult:
        """Dual decomposition, from the start that the settings ask for where no search goes on."""
        state = stops.resume or DualState.new(self.agreement, self.start())

        def report(record):
            if progress is not None:
                progress(record)
            if stops.checkpoint is not None:
                stops.checkpoint(state)

        problem, settings = (self.first, self.second, self.agreement), self.settings
        return solve_jointly(problem, settings.dual(self.unit), state, settings.branches, None, report, stops.cancel)

    def start(self) -> np.ndarray | None:
        """float64 (E,): the multipliers to begin with, or None for zero; see ``ConsensusMRF.start``."""
        if not self.settings.start:
            return None
        second = self.second
        second.argmax(np.zeros(len(self.agreement.owner)), np.arange(len(second.values)))
        return self.first.start(second.losses(), second.choice, self.settings.start)

    def outcome(self, result: DualResult) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(tags of all rows, labels of the groups, certified sentences), of int32, int32 and bool.

        Of the solutions after constraints were released and before, the better one under all constraints.
        """
        solution = result.solution
        if len(result.full_solution):
            choice = self._choice(solution)
            kept = self.first.value_at(choice, np.arange(len(self.first.values))).sum()
            if result.full_primal > result.primal - kept + self.first.full_value(choice):
                solution = result.full_solution
        certified = result.certified_blocks.copy()
        certified[result.released_blocks] = False
        certified[self.second.solution_blocks[solution != result.solution]] = False
        return solution, np.maximum(self.first.labels_at(self._choice(solution)) - 1, -1), certified

    def _choice(self, solution):
        return np.arange(len(self.rows)) * self.size + solution[self.rows]
