"""Dual decomposition by the subgradient method, between any two solvers with ``argmax(score + u)``.

The Lagrangian dual ``L(u) = max_x (f(x) + u . x) + max_y (g(y) - u . y)`` bounds the best value under agreement from
above. Its subgradient is x - y, so it is *minimised* by ``u <- u - step (x - y)``. (The plus sign printed in Figure 2
of rush2012 climbs: L(u + a (x - y)) >= L(u) + a |x - y|^2 for all a > 0 by convexity.)
"""

import time
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel, Progress
from core.decomposition.problem import Agreement, FirstSolver, Solver
from core.decomposition.state import DualState
from core.decomposition.trace import IterationRecord, Trace
from core.errors import WorkbenchError

AGREED, CERTIFIED, STOPPED, CANCELLED = "agreed", "certified", "stopped", "cancelled"
DECAYS = ("component", "all", "decision")
ROUND_OFF = 1e-12  # relative rounding of a sum of values, within which two bounds are equal


@dataclass(frozen=True)
class DualSettings:
    """Settings of the search.

    Attributes
    ----------
    step : float, default=1.0
        The first step size, in units of the scores.
    iterations : int, default=200
        Of the first round (K in the paper).
    lazy : bool, default=True
        Solve only blocks that changed multipliers, or changed preferences, touch; the iterates are the same.
    release : bool, default=True
        After the last iteration, release the second solver's blocks that still disagree (the sentences whose
        constraints must go) and go on until the others agree. A certified block remains so.
    release_iterations : int, default=50
        Of each later round.
    decay : {"component", "all", "decision"}, default="component"
        The step is ``step / (1 + number of times the dual rose)`` (Koo et al. 2010): the dual of the component, or of
        the whole problem. Under "decision" each decision has a step of its own, that shrinks as often as what was
        raised for it must be lowered next: it may close in while others still move.
    patience : int, optional
        End a round early when for so many iterations the decisions in dispute have not become fewer.
    last : bool, default=False
        The solution is that of the last iteration, as in Figure 2 of rush2012, and not the best one found. Then only
        agreement proves a component: bounds that meet do not end its search.
    """

    step: float = 1.0
    iterations: int = 200
    lazy: bool = True
    release: bool = True
    release_iterations: int = 50
    decay: str = "component"
    patience: int | None = None
    last: bool = False

    def __post_init__(self):
        if self.patience is not None and self.patience < 1:
            raise WorkbenchError(f"patience is a number of iterations, 1 or more, or None, got {self.patience}")
        if not (self.step > 0 and np.isfinite(self.step)):
            raise WorkbenchError(f"the step must be a positive number, got {self.step}")
        if self.iterations < 1 or self.release_iterations < 1:
            raise WorkbenchError("at least one iteration is needed in each round; raise the number of iterations")
        if self.decay not in DECAYS:
            raise WorkbenchError(f'decay must be "component", "all" or "decision", got {self.decay!r}')


@dataclass(frozen=True, eq=False)
class DualResult:
    """The solution, its bounds, and how the search ended.

    Attributes
    ----------
    solution : int32 array
        The second solver's best solution found.
    primal, dual : float
        Its value and the bound, of the constraints that were kept.
    status : {"agreed", "certified", "stopped", "cancelled"}
        Agreement everywhere; or bounds that meet everywhere; or the iterations ran out; or ``cancel`` returned True.
    certified_blocks : ndarray of shape (second blocks,), dtype bool
        Blocks of the second solver whose component is proved optimal.
    released_blocks : int array
        Blocks of the second solver whose constraints were released.
    full_primal : float
        Value of the best solution under all constraints found before the first release; NaN without one.
    full_solution : int32 array
        That solution.
    state : DualState
        To go on from here, or to save.
    """

    solution: np.ndarray
    primal: float
    dual: float
    status: str
    certified_blocks: np.ndarray
    released_blocks: np.ndarray
    full_primal: float
    full_solution: np.ndarray
    state: DualState

    @property
    def trace(self) -> Trace:
        return self.state.trace

    @property
    def is_certified(self) -> bool:
        """Whether the solution is proved the best under the constraints that were kept."""
        return bool(self.certified_blocks.all())


def dual_decomposition(
    first: FirstSolver, second: Solver, agreement: Agreement, settings: DualSettings | None = None, *,
    state: DualState | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> DualResult:  # fmt: skip
    """Maximise ``first + second`` under agreement on their shared decisions.

    Parameters
    ----------
    first, second : Solver
        The first maximises its score + u, the second its score - u. Primal solutions are the second's.
    agreement : Agreement
    settings : DualSettings, optional
    state : DualState, optional
        Of an earlier call to go on from; it is changed in place. The solvers must be of the same problem.
    progress : callable, optional
        Called with each IterationRecord.
    cancel : callable, optional
        Asked before each iteration; when it returns True the best so far is returned, ``status`` "cancelled".

    Returns
    -------
    DualResult

    Notes
    -----
    An iteration costs the blocks it solves, and O(decisions + blocks) for the bounds. The problem falls into
    components, blocks connected by shared decisions; each has bounds, a certificate and a step size of its own. A
    component is certified when its decisions agree, or its best dual equals its best primal value, and then left alone.
    Sources: rush2012 section 6; Koo, Rush, Collins, Jaakkola & Sontag (2010), D10-1125, for step size and laziness.
    """
    run = _Run(first, second, agreement, settings or DualSettings(), state or DualState.new(agreement))
    return run.result(run.until_done(progress, cancel))


class _Run:
    """The run itself: solvers, state, and what must be solved in the next iteration."""

    def __init__(self, first, second, agreement, settings, state):
        self.first, self.second, self.agreement = first, second, agreement
        self.settings, self.state = settings, state
        blocks = len(first.values), len(second.values)
        differ = state.round_iteration > 0 and (len(state.component_first), len(state.component_second)) != blocks
        if state.multipliers.shape != agreement.owner.shape or len(state.active) != len(agreement) or differ:
            raise WorkbenchError(
                f"the saved run has {len(state.active)} shared decisions and {len(state.multipliers)} multipliers over "
                f"{len(state.component_second)} blocks, this one {len(agreement)} and {len(agreement.owner)} over "
                f"{blocks[1]}; continue it with the texts and settings it had"
            )
        self.negated = -state.multipliers
        self.first_touched = np.ones(len(first.values), dtype=bool)
        self.second_touched = np.ones(len(second.values), dtype=bool)
        self.added = np.zeros(len(first.values))  # the first solver's value at the second's choice
        self.pending = np.zeros(len(agreement), dtype=bool)
        self.agrees, self.certified = False, np.zeros(0, dtype=bool)
        self.shown = None  # both solutions as the trace has them
        if state.iteration:
            self.shown = state.trace.labels(state.iteration), state.trace.solution(state.iteration)
        if not state.active.all():
            first.release(~state.active)
        if state.round_iteration == 0:
            self._start_round()
        else:
            self.sizes = self._sizes()
            self._solve()  # as they stood; no iteration of its own
            self._compare()

    def until_done(self, progress, cancel):
        """Iterate; the status at the end."""
        state, settings = self.state, self.settings
        while True:
            if state.round_iteration and not self.pending.any():
                return AGREED if self.agrees else CERTIFIED
            limit = settings.iterations if state.round == 0 else settings.release_iterations
            stalled = settings.patience is not None and state.round_iteration - state.fewest_at >= settings.patience
            out_of_time = state.round_iteration and (state.round_iteration >= limit or stalled)
            if out_of_time and not settings.release:
                return STOPPED
            if cancel is not None and cancel():
                return CANCELLED
            if out_of_time:
                self._release()
            record = self._iterate()
            if progress is not None:
                progress(record)

    def _iterate(self):
        began, state = time.perf_counter(), self.state
        step = self._move()
        solved = self._solve()
        dual, primal = self._bounds()
        self._compare()
        state.iteration, state.round_iteration = state.iteration + 1, state.round_iteration + 1
        pending = int(self.pending.sum())
        if state.round_iteration == 1 or pending < state.fewest:
            state.fewest, state.fewest_at = pending, state.round_iteration
        rows = self._changes()
        record = IterationRecord(
            iteration=state.iteration,
            round=state.round,
            dual=float(dual),
            primal=float(primal),
            best_dual=float(state.best_dual.sum()),
            best_primal=float(state.best_primal.sum()),
            disagreements=pending,
            step=float(step),
            seconds=time.perf_counter() - began,
            first_blocks=solved[0].astype(np.int32),
            second_blocks=solved[1].astype(np.int32),
            entries=state.moved,
            multipliers=state.multipliers[state.moved],
            first_rows=rows[0],
            first_after=self.first.solution[rows[0]],
            rows=rows[1],
            after=self.second.solution[rows[1]],
        )
        state.moved = np.empty(0, dtype=np.int64)
        state.trace.add(record)
        return record

    def _changes(self):
        """Entries of both solutions that differ from the record before."""
        now = self.first.solution, self.second.solution
        if self.shown is None:
            self.shown = tuple(solution.copy() for solution in now)
            return [np.arange(len(solution), dtype=np.int32) for solution in now]
        rows = [np.flatnonzero(a != b).astype(np.int32) for a, b in zip(self.shown, now, strict=True)]
        for shown, solution, changed in zip(self.shown, now, rows, strict=True):
            shown[changed] = solution[changed]
        return rows

    def _move(self):
        """Change the multipliers of the decisions that differ, and mark what they touch; the largest step size."""
        state, agreement = self.state, self.agreement
        steps = self.settings.step / (1.0 + state.rises)
        decisions = np.flatnonzero(self.pending)
        if not len(decisions):
            return steps.max(initial=0.0)
        up, down = self.second.choice[decisions], self.first.choice[decisions]
        state.swings[decisions] += state.raised[decisions] == down
        state.raised[decisions] = up
        if self.settings.decay == "decision":
            used = self.settings.step / (1.0 + state.swings[decisions])
        else:
            used = steps[state.component_second[agreement.second_blocks[decisions]]]
        state.multipliers[up] += used  # u - step (first - second); every entry belongs to one decision
        state.multipliers[down] -= used
        state.moved = np.concatenate((up, down))
        self.negated[state.moved] = -state.multipliers[state.moved]
        self.first_touched[agreement.first_blocks[decisions]] = True
        self.second_touched[agreement.second_blocks[decisions]] = True
        return used.max()

    def _solve(self):
        """Solve what is touched, the second solver before the first; (blocks of the first, of the second)."""
        first, second = self.first, self.second
        if not self.settings.lazy:
            self.first_touched[:] = self.second_touched[:] = True
        blocks, old = np.flatnonzero(self.second_touched), second.choice.copy()
        second.argmax(self.negated, blocks)
        chosen_anew = second.choice != old
        self.first_touched[self.agreement.first_blocks[chosen_anew]] = True  # other outcomes are favoured now
        first_blocks = np.flatnonzero(self.first_touched)
        first.argmax(self.state.multipliers, first_blocks, second.choice)
        self.added[first_blocks] = first.value_at(second.choice, first_blocks)
        self.first_touched[:] = self.second_touched[:] = False
        return first_blocks, blocks

    def _bounds(self):
        """Bring bounds and best solutions up to date; (dual, primal) of this iteration."""
        state, first, second = self.state, self.first, self.second
        duals = self._by_component(first.values, second.values)
        # the multipliers' share of the second solver's values goes out again
        paid = state.multipliers[second.choice]
        paid = np.bincount(self.agreement.second_blocks, paid, minlength=len(second.values))
        primals = self._by_component(self.added, second.values + paid)
        if state.round_iteration:
            rose = duals > state.previous_dual + self.slack
            if self.settings.decay == "all":
                rose[:] = duals.sum() > state.previous_dual.sum() + self.slack.sum()
            state.rises += rose
        state.previous_dual = duals
        state.best_dual = np.minimum(state.best_dual, duals)
        better = (primals > state.best_primal) | self.settings.last
        state.best_primal = np.where(better, primals, state.best_primal)
        if better.any():
            rows = better[state.component_second[second.solution_blocks]]
            state.best_solution[rows] = second.solution[rows]
        return duals.sum(), primals.sum()

    def _compare(self):
        """Which components are certified, and which decisions differ in the others."""
        state = self.state
        differ = state.active & (self.first.choice != self.second.choice)
        component = state.component_second[self.agreement.second_blocks]
        self.agrees = not differ.any()
        self.certified = (state.best_dual - state.best_primal <= self.slack) & (not self.settings.last)
        agreed = np.ones(len(self.certified), dtype=bool)
        agreed[component[differ]] = False
        self.certified |= agreed
        self.pending = differ & ~self.certified[component]

    def _release(self):
        """Drop the constraints of the second solver's blocks that still disagree; begins a new round."""
        state, agreement = self.state, self.agreement
        if not len(state.full_solution):
            state.full_primal, state.full_solution = float(state.best_primal.sum()), state.best_solution.copy()
        blocks = np.zeros(len(self.second.values), dtype=bool)
        blocks[agreement.second_blocks[self.pending]] = True
        gone = state.active & blocks[agreement.second_blocks]
        state.active &= ~gone
        self.first.release(~state.active)
        belongs = np.append(gone, False)[agreement.owner]  # owner -1 is the last
        state.moved = np.flatnonzero(belongs & (state.multipliers != 0))
        state.multipliers[state.moved] = self.negated[state.moved] = 0.0
        self.second_touched |= blocks
        self.first_touched[agreement.first_blocks[gone]] = True
        self.pending[:] = False
        state.round, state.round_iteration = state.round + 1, 0
        # certified blocks, whose components lost no constraint, keep bounds and solution
        certified = self.certified[state.component_second]
        rows = certified[self.second.solution_blocks]
        before, solution = state.component_second[certified], state.best_solution
        best_dual, best_primal = state.best_dual[before], state.best_primal[before]
        self._start_round()
        after = state.component_second[certified]
        state.best_dual[after], state.best_primal[after] = best_dual, best_primal
        state.best_solution[rows] = solution[rows]

    def _start_round(self):
        """Components anew, and their bounds."""
        state = self.state
        count, state.component_first, state.component_second = self.agreement.components(
            len(self.first.values), len(self.second.values), state.active
        )
        state.rises = np.zeros(count, dtype=np.int64)
        state.raised[:] = -1  # while ``swings`` stay: decisions that were nearly settled keep their small steps
        state.previous_dual, state.best_dual = np.full(count, np.inf), np.full(count, np.inf)
        state.best_primal = np.full(count, -np.inf)
        state.best_solution = self.second.solution.astype(np.int32)
        self.certified = np.zeros(count, dtype=bool)
        self.sizes = self._sizes()

    def _by_component(self, first_values, second_values):
        state, count = self.state, len(self.state.rises)
        totals = np.bincount(state.component_first, first_values, minlength=count)
        return totals + np.bincount(state.component_second, second_values, minlength=count)

    def _sizes(self):
        return self._by_component(np.ones(len(self.first.values)), np.ones(len(self.second.values)))

    @property
    def slack(self):
        """float64 (components,): differences of bounds that rounding explains."""
        known = np.where(np.isfinite(self.state.best_dual), np.abs(self.state.best_dual), 0.0)
        return ROUND_OFF * (self.sizes + known)

    def result(self, status):
        """The DualResult of the run."""
        state = self.state
        return DualResult(
            solution=state.best_solution.copy(),
            primal=float(state.best_primal.sum()),
            dual=float(state.best_dual.sum()),
            status=status,
            certified_blocks=self.certified[state.component_second],
            released_blocks=np.unique(self.agreement.second_blocks[~state.active]),
            full_primal=state.full_primal,
            full_solution=state.full_solution.copy(),
            state=state,
        )
