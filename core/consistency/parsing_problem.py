"""One text's problem of consistent parsing, as dual decomposition takes it: what is open, and the two solvers.

Words of sentences that the first pass has closed, and others whose needed heads all have one label, vote like observed
ones; only the rest carry multipliers.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from core.callbacks import Cancel, Progress
from core.compilation.kernels import kernel
from core.consistency.branching import solve_jointly
from core.consistency.contexts import Contexts
from core.consistency.first_pass import FirstPass
from core.consistency.mrf import ConsensusMRF
from core.consistency.parses import ParseSolver
from core.consistency.presolving import Presolver
from core.consistency.settings import ConsistencySettings
from core.consistency.surviving_parts import cube_value
from core.decomposition import Agreement, DualResult, DualState, dual_decomposition
from core.offsets import rows_from
from core.parsers.scores import ParserScores
from core.treebank import Treebank

CHECK = 1e-9  # by how much, per unit of its value, an unpruned parse must be better to count


class ParsingProblem:
    """The two solvers of one text, made from a first pass and a selection of contexts.

    Attributes
    ----------
    rows : ndarray of shape (V,), dtype int64
        Words of which the head is asked of both sides.
    alive : ndarray of shape (arcs,), dtype bool
        Arcs that the parser's side may choose.
    pruned : int64 array
        Arcs that could be in a best joint solution, but that the first pass has pruned.
    sound, opened : ndarray of shape (S,), dtype bool
        Sentences without such arcs; those in which they were let back in.
    """

    def __init__(
        self, first_pass: FirstPass, contexts: Contexts, settings: ConsistencySettings, opened: ArrayLike = (),
        cancel: Cancel | None = None,
    ):  # fmt: skip
        self.first_pass, self.contexts, self.settings = first_pass, contexts, settings
        self.unit = settings.scale(first_pass.margin)
        self.deltas = settings.deltas(self.unit)
        self.outcome_labels = arc_labels(first_pass.treebank, contexts.index.test_labels)
        self.rows = np.flatnonzero(contexts.test_contexts >= 0)
        self.votes = contexts.observed.copy() if settings.observed == "chosen" else contexts.observed_wherever
        self._fix_votes()
        self.pruned = np.flatnonzero(first_pass.needed & ~first_pass.active)
        self.pruned_offsets = np.searchsorted(self.pruned, first_pass.arcs.offsets)
        self.sound = np.diff(self.pruned_offsets) == 0
        self.active = first_pass.active.copy()
        self.active[_arcs_of(first_pass, first_pass.heads)] = True
        self.opened = np.zeros(len(self.sound), dtype=bool)
        self.second = ParseSolver(first_pass, self.rows, self._scores())
        if first_pass.presolve and first_pass.projective:
            groups = contexts.test_contexts[self.rows].astype(np.int64)
            theta = self.deltas.table(contexts.index.labels.classes)
            presolver = Presolver(self.second, groups, self.outcome_labels, self.votes, self.sound, theta)
            presolver.run(cancel)  # fixes what is sure before the search; the words of other sentences remain
            self.rows = self.rows[presolver.free]
            self.second.narrow(presolver.free)
        if len(opened := np.asarray(opened, dtype=np.int64)):
            self._unprune(opened)
            self.second.take(self._scores())
        self.first = self._mrf()
        nodes = contexts.test_contexts[self.rows].astype(np.int64)
        sentences = self.second.sentences
        sides = first_pass.sides[sentences]
        words = np.repeat(np.arange(len(self.rows)), sides)  # each as often as it has heads
        heads = rows_from(np.zeros(len(sides), np.int64), sides)
        first = first_pass.arcs.offsets[sentences] + self.rows - first_pass.treebank.offsets[sentences]
        owner = np.full(len(first_pass.arcs.values), -1, dtype=np.int32)  # the free word of each arc
        owner[first[words] + heads * sides[words]] = words
        self.agreement = Agreement(nodes, sentences, owner)
        self.check_seconds, self.checked_iterations = 0.0, 0

    def _fix_votes(self):
        """Words whose heads are sure to have one label vote like observed ones."""
        first_pass, chosen = self.first_pass, self.contexts.test_contexts
        free = np.repeat(first_pass.open, first_pass.sides)[self.rows]
        if first_pass.presolve and first_pass.projective:
            offsets, arc_offsets = first_pass.treebank.offsets, first_pass.arcs.offsets
            sentences = np.searchsorted(offsets, self.rows, side="right") - 1
            labels = self.contexts.index.test_labels
            free &= _several_labels(self.rows, sentences, offsets, arc_offsets, first_pass.needed, labels)
        fixed = self.rows[~free]
        labels = self.outcome_labels[_arcs_of(first_pass, first_pass.heads, fixed)]
        np.add.at(self.votes, (chosen[fixed][labels >= 0], labels[labels >= 0]), 1)
        self.rows = self.rows[free]

    def _unprune(self, sentences):
        """Take the pruned arcs of sentences back in."""
        self.opened[sentences] = True
        self.first_pass.unprune(sentences)
        for sentence in sentences.tolist():
            self.active[self._pruned_of(sentence)] = True

    def _pruned_of(self, sentence):
        return self.pruned[slice(*self.pruned_offsets[sentence : sentence + 2])]

    def _scores(self):
        """float64 (arcs,): what the parser's side scores, -inf where an arc is dropped or pruned."""
        return np.where(self.active, self.first_pass.arcs.values, -np.inf)

    def _mrf(self):
        contexts, classes = self.contexts.test_contexts[self.rows], self.contexts.index.labels.classes
        return ConsensusMRF(contexts, self.second.outcomes, self.outcome_labels, self.votes, classes, self.deltas)

    def start(self) -> np.ndarray | None:
        """float64 (arcs,): the multipliers to begin with, or None for zero; see ``ConsensusMRF.start``."""
        if not self.settings.start:
            return None
        first_pass, losses = self.first_pass, np.zeros(len(self.first_pass.arcs.values))
        offsets, entries = self.second.outcomes
        best = first_pass.preference[entries[offsets[:-1]]]  # the first outcome of a word is its best
        losses[entries] = first_pass.preference[entries] - np.repeat(best, np.diff(offsets))
        return self.first.start(losses, self.choice_of(first_pass.heads), self.settings.start)

    def search(
        self, state: DualState | None, progress: Progress, cancel: Cancel | None,
        checkpoint: Callable[..., object] | None = None,
    ) -> tuple[DualResult, bool]:  # fmt: skip
        """(DualResult, whether pruning is proved harmless).

        Opens sentences again as long as that helps, and where branch and bound could not do without.
        """

        def report(record):
            progress(record)
            if checkpoint is not None:
                checkpoint(state, np.flatnonzero(self.opened))

        settings, state = self.settings, state or DualState.new(self.agreement, self.start())
        dual = settings.dual(self.unit)
        branches = settings.branches
        while True:
            lossy = ~(self.sound | self.opened)
            early = replace(dual, release=False) if branches and lossy.any() else dual
            problem = self.first, self.second, self.agreement
            result = solve_jointly(problem, early, state, branches, ~lossy, report, cancel)
            state = result.state
            if result.status == "cancelled":
                return result, False
            if settings.last:  # the paper's search is over, and looks at no pruned arc again
                return result, not lossy.any()
            lossy &= ~result.certified_blocks
            began = time.perf_counter()
            stuck = result.status == "stopped" and early is not dual
            better = np.flatnonzero(lossy) if stuck and lossy.any() else self._missed(state)
            if len(better):  # their pruned arcs come back, and the state is prepared for another round
                pruned = [self._pruned_of(sentence) for sentence in better.tolist()]
                places, values = self._neutral(np.concatenate(pruned), state.multipliers)
                self._unprune(better)
                self.second.take(self._scores())
                released = ~self.first.nodes.active
                self.first = self._mrf()
                self.first.release(released)
                state.restart(places, values)
            self.check_seconds += time.perf_counter() - began
            if not len(better):
                break
        if stuck:  # no pruned arc would help: now constraints may be released
            result = dual_decomposition(*problem, dual, state=state, progress=report, cancel=cancel)
        return result, result.status != "cancelled"

    def _missed(self, state):
        """Sentences that have a better tree with pruned arcs at the final multipliers.

        A pruned arc gets the greatest multiplier under which the consensus side would not choose it, so that its dual
        value stays and the sentences' values decide. Sentences not touched since they were last looked at are not
        looked at again.
        """
        first_pass, second, missed = self.first_pass, self.second, []
        stale = np.zeros(len(self.sound), dtype=bool)
        for record in state.trace.records[self.checked_iterations :]:
            stale[record.second_blocks] = True
        self.checked_iterations = len(state.trace)
        stale &= ~self.sound & ~self.opened
        scores = self.second.base - state.multipliers
        sentences = np.searchsorted(first_pass.arcs.offsets, self.pruned, side="right") - 1
        pruned = self.pruned[stale[sentences]]
        scores[pruned] = first_pass.arcs.values[pruned]
        places, values = self._neutral(pruned, state.multipliers)
        scores[places] -= values
        for sentence in np.flatnonzero(stale).tolist():
            of_sentence = scores[slice(*first_pass.arcs.offsets[sentence : sentence + 2])]
            limit = second.values[sentence] + CHECK * (1 + abs(second.values[sentence]))
            scored, number = first_pass.scored(sentence)
            if best_value(scored, number, of_sentence) > limit:
                missed.append(sentence)
        return np.array(missed, dtype=np.int64)

    def _neutral(self, pruned, multipliers):
        """Of pruned arcs, those of free words that are still constrained, and multipliers for them."""
        owners = self.agreement.owner[pruned]
        bound = owners >= 0
        bound[bound] = self.first.nodes.active[owners[bound]]
        return pruned[bound], self.first.neutral_multipliers(owners[bound], pruned[bound], multipliers)

    def outcome(self, result: DualResult, checked: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(heads, labels, certified) of a finished or cancelled search."""
        heads = result.solution
        if len(result.full_solution) and self.value(result.full_solution) > self.value(heads):
            heads = result.full_solution
        certified = result.certified_blocks.copy()
        certified[result.released_blocks] = False
        certified[self.second.solution_blocks[heads != result.solution]] = False
        if not checked:
            certified &= self.sound | self.opened
        return heads, self.first.labels_at(self.choice_of(heads)), certified

    def choice_of(self, heads: np.ndarray) -> np.ndarray:
        """int64 (V,): the arcs that the free words have in these trees (rows,)."""
        return _arcs_of(self.first_pass, heads, self.rows)

    def value(self, heads: np.ndarray) -> float:
        """The joint value of trees (rows,) under all constraints, released ones included."""
        return self.second.tree_values(heads).sum() + self.first.full_value(self.choice_of(heads))


def best_value(scored: ParserScores, number: int, scores: np.ndarray) -> float:
    """The value of the best tree of sentence ``number`` of ``scored`` under other arc scores, flat."""
    side = round(len(scores) ** 0.5)
    siblings, grandparents = (None if cube is None else cube[number] for cube in (scored.siblings, scored.grandparents))
    arcs = scores.reshape(side, side)
    return cube_value(scored.best(number, arcs), arcs, siblings, grandparents)


def arc_labels(treebank: Treebank, labels: np.ndarray) -> np.ndarray:
    """int32 (arcs,): the label of each arc's head, arcs packed as scores are."""
    sides = treebank.lengths + 1
    return np.repeat(labels, np.repeat(sides, sides)).astype(np.int32)  # a row, a head, has as many arcs


def _arcs_of(first_pass, heads, rows=None):
    """int64: the arcs that some words (all, without ``rows``) have in these trees (rows,)."""
    offsets = first_pass.treebank.offsets
    if rows is None:
        rows = np.flatnonzero(heads >= 0)
    sentences = np.searchsorted(offsets, rows, side="right") - 1
    return first_pass.arcs.offsets[sentences] + heads[rows] * first_pass.sides[sentences] + rows - offsets[sentences]


@kernel
def _several_labels(rows, sentences, offsets, arc_offsets, needed, labels):
    """bool (V,): whether the needed heads of some words have several labels, or none."""
    found = np.zeros(len(rows), np.bool_)
    for v in range(len(rows)):
        first = offsets[sentences[v]]
        side, one = offsets[sentences[v] + 1] - first, -2
        for head in range(side):
            if needed[arc_offsets[sentences[v]] + head * side + rows[v] - first]:
                label = labels[first + head]
                found[v] |= label < 0 or (one >= 0 and label != one)
                one = label
    return found
