"""What dual decomposition leaves open, solved exactly: branch and bound over consensus labels.

With multipliers u the Lagrangian of a component is a bound, the sum of what its contexts and its sentences are worth.
Let it exceed the best solution so far by a gap. A label that makes its context worth less than its best label does, by
more than the gap, is in no better solution. Contexts with one label left bind nothing together any more: what the label
pays goes into the scores of each word. So the component falls apart into few contexts and the sentences between them.

These are searched depth first. Branching gives a context each label that is left, whose payments replace the
multipliers of its words. Then sentences are solved again, and the bound falls. It exceeds the value of the sentences'
own solution by what each context gains beyond it: the context that gains most is next, and where none gains anything
the solution is the best of its branch (Land & Doig 1960).
"""

from dataclasses import replace

import numpy as np

from core.callbacks import Cancel, Progress
from core.consistency.mrf import ConsensusMRF
from core.consistency.star import label_values, pay_label, values_at
from core.decomposition import Agreement, DualResult, DualSettings, DualState, Solver, dual_decomposition

TIE = 1e-9  # per unit of the bonus and of the values; differences that rounding explains


def solve_jointly(
    problem: tuple[ConsensusMRF, Solver, Agreement], settings: DualSettings, state: DualState, branches: int,
    exact: np.ndarray | None = None, progress: Progress | None = None, cancel: Cancel | None = None,
) -> DualResult:  # fmt: skip
    """Dual decomposition, and branch and bound for components in which the two sides do not agree in the end.

    Constraints are released, if ``settings`` say so, where that takes more than ``branches`` in one part. They are too
    where a block of the second solver is not ``exact``, bool (blocks,): where it may choose some of its solutions only.
    Other arguments as for ``dual_decomposition``, from ``state`` on; ``cancel`` is asked before each branch too.
    """

    def decompose(settings):
        return dual_decomposition(*problem, settings, state=state, progress=progress, cancel=cancel)

    if not branches or not state.active.all():
        return decompose(settings)
    result = decompose(replace(settings, release=False))
    if result.status == "stopped":
        result = Branching(*problem, result, branches, cancel).run(exact)
    return decompose(settings) if result.status == "stopped" and settings.release else result


class Branching:
    """Branch and bound from where a run of dual decomposition stands, no constraint released.

    Parameters
    ----------
    first : ConsensusMRF
    second : Solver
        Left as it was.
    agreement : Agreement
    result : DualResult
        Of a run whose latest iteration the solvers still hold.
    branches : int
        Branches looked at in one part of a component before it is given up.
    cancel : callable, optional
        Asked before each component and each branch; when it returns True the components solved so far remain.
    """

    def __init__(
        self, first: ConsensusMRF, second: Solver, agreement: Agreement, result: DualResult, branches: int,
        cancel: Cancel | None = None,
    ):  # fmt: skip
        self.first, self.second, self.agreement, self.result, self.branches = first, second, agreement, result, branches
        self.theta = first.bonuses()
        self.cancel, self.cancelled = cancel, False

    def run(self, exact: np.ndarray | None = None) -> DualResult:
        """The result with the components solved that were open, or as it was where none could be.

        Components with a block that is not ``exact``, bool (blocks,), are left out; None if all are exact. The bound of
        a solved component is its value, in the result's state too: the state goes on from there. ``status`` is
        "certified" if all are solved, "cancelled" if ``cancel`` returned True.
        """
        result, state, second = self.result, self.result.state, self.second
        gaps = state.previous_dual - state.best_primal
        wanted = np.zeros(len(gaps), dtype=bool)
        wanted[state.component_second[~result.certified_blocks]] = True
        if exact is not None:
            wanted[state.component_second[~exact]] = False
        latest = second.solution.copy(), second.choice.copy(), second.values.copy()
        certified = result.certified_blocks.copy()
        for component in np.flatnonzero(wanted).tolist():
            if self.is_cancelled():
                break
            best = self._solve(component, gaps[component])
            second.solution[:], second.choice[:], second.values[:] = latest
            if best is not None:
                rows = state.component_second[second.solution_blocks] == component
                state.best_solution[rows] = best[0][rows]
                state.best_dual[component] = state.best_primal[component] = best[1]
                certified |= state.component_second == component
        status = "certified" if certified.all() else "cancelled" if self.cancelled else result.status
        return replace(
            result,
            solution=state.best_solution.copy(),
            primal=float(state.best_primal.sum()),
            dual=float(state.best_dual.sum()),
            status=status,
            certified_blocks=certified,
        )

    def is_cancelled(self) -> bool:
        """Ask ``cancel``, unless it has returned True before."""
        self.cancelled = self.cancelled or (self.cancel is not None and self.cancel())
        return self.cancelled

    def _solve(self, component, gap):
        """(solution, value) of the best of a component, or None after too many branches or if cancelled."""
        state, nodes, second = self.result.state, self.first.nodes, self.second
        contexts = np.flatnonzero((state.component_first == component) & (np.diff(nodes.word_offsets) > 0))
        blocks = np.flatnonzero(state.component_second == component)
        bounds, labels, values = label_values(contexts, nodes, self.theta, state.multipliers)
        most = np.maximum.reduceat(values, bounds[:-1])
        slack = gap + TIE * (1 + gap + self.theta[0, 0])
        left = values >= np.repeat(most, np.diff(bounds)) - slack
        paid = -state.multipliers
        total, unsure = 0.0, []
        for number, context in enumerate(contexts.tolist()):
            span = slice(bounds[number], bounds[number + 1])
            kept = labels[span][left[span]]
            if len(kept) == 1:
                total += pay_label(context, kept[0], nodes, self.theta, paid)
            else:
                unsure.append((context, kept, values[span][left[span]].max()))
        second.argmax(paid, blocks)
        search = _Search(self, paid, unsure)
        parts = search.parts()
        touched = np.zeros(len(second.values), dtype=bool)
        for part in parts:
            value = search.best_of(part)
            if value is None:
                return None
            total += value
            touched[part.blocks] = True
        rest = blocks[~touched[blocks]]
        return second.solution.copy(), total + second.values[rest].sum()


class _Part:
    """Contexts whose labels are not sure, and the blocks of the second solver that they bind together."""

    def __init__(self, contexts, kept, most, blocks):
        self.contexts, self.kept, self.most, self.blocks = contexts, kept, most, blocks


class _Search:
    """Depth-first search in one component."""

    def __init__(self, branching, paid, unsure):
        self.branching, self.paid = branching, paid
        self.first, self.second, self.theta = branching.first, branching.second, branching.theta
        self.unsure = unsure

    def parts(self):
        """The parts that the component falls into: list of _Part."""
        agreement, unsure = self.branching.agreement, self.unsure
        if not unsure:
            return []
        contexts = np.array([context for context, _, _ in unsure])
        bound = np.zeros(len(self.first.values), dtype=bool)
        bound[contexts] = True
        active = bound[agreement.first_blocks]
        _, of_contexts, of_blocks = agreement.components(len(self.first.values), len(self.second.values), active)
        blocks = np.unique(agreement.second_blocks[active])
        parts = []
        for component in np.unique(of_contexts[contexts]).tolist():
            entries = [entry for entry in unsure if of_contexts[entry[0]] == component]
            parts.append(
                _Part(
                    np.array([entry[0] for entry in entries]),
                    [entry[1] for entry in entries],
                    np.array([entry[2] for entry in entries]),
                    blocks[of_blocks[blocks] == component],
                )
            )
        return parts

    def best_of(self, part):
        """The value of a part's best solution, which the second solver is left with.

        None after too many branches, or if cancelled; what the second solver holds of the part is then undefined.
        """
        self.part, self.best, self.solution = part, -np.inf, None
        self.rows = np.flatnonzero(np.isin(self.second.solution_blocks, part.blocks))
        self.given = np.full(len(part.contexts), -1)  # places of labels among those kept; -1 for none yet
        count, path = 0, [iter([0.0])]  # for each context given a label, the branches of its labels that are left
        while path:
            votes = next(path[-1], None)
            if votes is None:
                path.pop()
                continue
            if count == self.branching.branches or self.branching.is_cancelled():
                return None
            count += 1
            number = self._look(votes)
            if number is not None:
                path.append(self._branch_on(number, votes))
        self.second.solution[self.rows] = self.solution
        return self.best

    def _look(self, votes):
        """Look at the branch of the labels given; the context to branch on, None if no better solution is in it."""
        part, second = self.part, self.second
        free = np.flatnonzero(self.given < 0)
        bound = second.values[part.blocks].sum() + votes + part.most[free].sum()
        slack = TIE * (1 + abs(bound))
        if bound <= self.best + slack:
            return None
        gains = np.zeros(0)
        if len(free):
            at_choice = values_at(part.contexts[free], self.first.nodes, self.theta, -self.paid, second.choice)
            gains = part.most[free] - at_choice
        value = bound - gains.sum()
        if value > self.best:
            self.best, self.solution = value, second.solution[self.rows].copy()
        return None if bound <= self.best + slack else int(free[gains.argmax()])

    def _branch_on(self, number, votes):
        """Give a context each of its labels in turn, the most promising first; yields the votes then paid."""
        part, second, nodes = self.part, self.second, self.first.nodes
        context = int(part.contexts[number])
        words = nodes.words[nodes.word_offsets[context] : nodes.word_offsets[context + 1]]
        blocks = np.unique(self.branching.agreement.second_blocks[words])
        entries = np.concatenate([nodes.entries[nodes.offsets[word] : nodes.offsets[word + 1]] for word in words])
        rows = np.flatnonzero(np.isin(second.solution_blocks, blocks))
        decisions = np.flatnonzero(np.isin(self.branching.agreement.second_blocks, blocks))
        before, branches = (self.paid[entries].copy(), self._taken(rows, decisions, blocks)), []
        for label in part.kept[number].tolist():
            more = pay_label(context, label, nodes, self.theta, self.paid)
            second.argmax(self.paid, blocks)
            branches.append((more + second.values[blocks].sum(), label, more, self._taken(rows, decisions, blocks)))
        for branch in sorted(range(len(branches)), key=lambda branch: -branches[branch][0]):
            _, label, more, taken = branches[branch]
            pay_label(context, label, nodes, self.theta, self.paid)
            second.solution[rows], second.choice[decisions], second.values[blocks] = taken
            self.given[number] = branch
            yield votes + more
        self.given[number] = -1
        self.paid[entries] = before[0]
        second.solution[rows], second.choice[decisions], second.values[blocks] = before[1]

    def _taken(self, rows, decisions, blocks):
        second = self.second
        return second.solution[rows], second.choice[decisions], second.values[blocks]
