"""Two parsers joined by dual decomposition: one problem instead of rounds, and a proof that its answer is the best.

The best pair of trees maximises ``F_1(y) / T_1 + F_2(z) / T_2 + sum over words of reward[h, m] where both give m the
head h``: sharing an arc is rewarded, not forced. (zhou2013 names such a method as future work.) Each word is a small
problem of its own: it chooses a head in y and a head in z and collects the reward. The two parsers are the other side
of ``core.decomposition``, which makes both sides agree on all heads. Trees are those of the parsers' full models,
siblings and grandparents included.

The parsers may be the baselines, or the joint parsers after the rounds of Algorithm 1. The scores of these hold what
the last round's lists tell, so the search replaces a further round, for both parsers at once.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.callbacks import Cancel
from core.compilation.kernels import kernel
from core.consistency.surviving_parts import cube_value
from core.decomposition import Agreement, DualResult, DualSettings, dual_decomposition
from core.errors import Cancelled, WorkbenchError
from core.features.packed import PackedParts
from core.offsets import offsets_of
from core.parsers import MSTParser
from core.parsers.scores import ParserScores
from core.threads import batches
from core.treebank import Treebank
from core.trees import PackedScores, PackedTriples

NUMBERS_AT_ONCE = 1 << 22  # numbers in cubes of scores: sentences are solved some at a time
STEP, ITERATIONS = 0.25, 200  # the first step, in units of the greatest reward, and the most iterations


@dataclass(frozen=True, eq=False)
class CertifiedTrees:
    """The best pair of trees found for each of S sentences.

    Attributes
    ----------
    heads : tuple of two int32 arrays of shape (rows,)
        The trees of either scheme, laid out like ``Treebank.heads``.
    certified : ndarray of shape (S,), dtype bool
        Sentences whose pair is proved the best.
    primal, dual : ndarray of shape (S,), dtype float64
        The pair's value and the bound on it, in nats; equal where certified.
    shared : ndarray of shape (rows,), dtype bool
        Words with the same head in both.
    iterations : int
        The most that any sentence took.
    seconds : float
        Scoring included.
    """

    heads: tuple
    certified: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    shared: np.ndarray
    iterations: int
    seconds: float

    @property
    def certified_share(self) -> float:
        """Percentage of sentences proved."""
        return 100.0 * float(self.certified.mean()) if len(self.certified) else 100.0


def parse_certified(
    parsers: Sequence[MSTParser], temperatures: Sequence[float], text: Treebank,
    rewards: float | Callable[[Treebank], PackedScores], settings: DualSettings | None = None,
    cancel: Cancel | None = None, extras: Sequence[PackedParts | None] = (None, None),
) -> CertifiedTrees:  # fmt: skip
    """Find the best pair of trees of every sentence, under rewards for shared arcs.

    Parameters
    ----------
    parsers : pair of MSTParser
    temperatures : pair of float
        What a parser's scores are divided by, so that both are in nats.
    text : Treebank
    rewards : float, or callable
        For every shared arc; or a function of a part of the text that returns PackedScores of rewards, one for each
        arc, perhaps negative.
    settings : DualSettings, optional
        By default 200 iterations, the first step a quarter of the greatest reward.
    cancel : callable, optional
        Asked before every iteration; when it returns True, Cancelled is raised.
    extras : pair of PackedParts or None
        The consensus features of the text that the parsers were trained with, if they were. They are evidence, the
        same for all pairs of trees: what is certified is the best pair given it.

    Returns
    -------
    CertifiedTrees

    Raises
    ------
    WorkbenchError : other than two parsers, or a reward that is no number.
    Cancelled : ``cancel`` returned True.

    Notes
    -----
    Sentences are independent: each has bounds and a step size of its own, and is left alone once it is certified.
    """
    if len(parsers) != 2:
        raise WorkbenchError(
            f"the certified search joins two parsers, got {len(parsers)}; use joint inference by rounds"
        )
    if not callable(rewards) and not np.isfinite(rewards):
        raise WorkbenchError(f"the reward for a shared arc must be a number, got {rewards}")
    began, count = time.perf_counter(), len(text)
    heads = tuple(np.full(len(text.heads), -1, np.int32) for _ in parsers)
    certified, iterations = np.zeros(count, bool), 0
    primal, dual = bounds = np.empty((2, count))
    for begin, end in batches((text.lengths + 1) ** 3, NUMBERS_AT_ONCE):
        part, rows = text.select(np.arange(begin, end)), slice(text.offsets[begin], text.offsets[end])
        chosen = [None if extra is None else extra.select(np.arange(begin, end)) for extra in extras]
        scored = [
            _scaled(parser.score(part, extra), temperature)
            for parser, temperature, extra in zip(parsers, temperatures, chosen, strict=True)
        ]
        bonus = rewards(part).values if callable(rewards) else np.full(len(scored[0].arcs.values), float(rewards))
        result = solve_pairs(scored, bonus, settings, cancel)
        if result.status == "cancelled":
            raise Cancelled
        for tree, chosen in zip(heads, np.split(result.solution, 2), strict=True):
            tree[rows] = chosen
        certified[begin:end] = result.certified_blocks[: end - begin]
        state, component = result.state, result.state.component_second[: end - begin]  # each is a sentence
        bounds[:, begin:end] = state.best_primal[component], state.best_dual[component]
        iterations = max(iterations, result.state.iteration)
    shared = (heads[0] == heads[1]) & (heads[0] >= 0)
    return CertifiedTrees(heads, certified, primal, dual, shared, iterations, time.perf_counter() - began)


def solve_pairs(
    scored: Sequence[ParserScores], rewards: ArrayLike, settings: DualSettings | None = None,
    cancel: Cancel | None = None,
) -> DualResult:  # fmt: skip
    """The best pairs of trees under two ParserScores, packed alike, and a reward for every arc: a DualResult.

    Its solution is the heads of all sentences under the first scores, then under the second.
    """
    rewards = np.asarray(rewards, dtype=np.float64)
    if settings is None:
        greatest = np.abs(rewards).max(initial=0.0)
        settings = DualSettings(step=STEP * greatest if greatest > 0 else 1.0, iterations=ITERATIONS, release=False)
    trees = _Trees(scored)
    nodes = _Nodes(trees, rewards)
    agreement = Agreement(nodes.word_of, trees.block_of, trees.owner)
    return dual_decomposition(nodes, trees, agreement, settings, cancel=cancel)


class _Trees:
    """The ``Solver`` that parses: 2 S blocks, the sentences under the first scores, then under the second.

    A decision is the head of a word in one of the two; its outcomes are arcs, packed, those of the second scores after
    all of the first.
    """

    def __init__(self, scored):
        self.scored, arcs = scored, scored[0].arcs
        self.sides, self.count = arcs.sides, len(arcs)
        self.arc_count = int(arcs.offsets[-1])
        self.rows = offsets_of(self.sides)
        words = self.sides - 1
        sentences = np.repeat(np.arange(self.count), words)
        self.modifiers = np.arange(len(sentences)) - np.repeat(np.cumsum(words) - words, words) + 1
        self.block_of = np.concatenate((sentences, sentences + self.count))
        self.word_rows = self.rows[sentences] + self.modifiers
        self.first_arcs = arcs.offsets[sentences] + self.modifiers  # the arc from the root; heads are ``side`` apart
        self.word_sides = self.sides[sentences]
        columns = np.concatenate([np.tile(np.arange(side), side) for side in self.sides])
        owner = np.repeat(np.cumsum(words) - words, self.sides**2) + columns - 1
        owner = np.where(columns > 0, owner, -1)
        self.owner = np.concatenate((owner, np.where(owner >= 0, owner + len(sentences), -1))).astype(np.int32)
        self.choice = np.zeros(2 * len(sentences), np.int64)
        self.values = np.zeros(2 * self.count)
        self.solution = np.zeros(2 * self.rows[-1], np.int32)
        self.solution_blocks = np.concatenate(
            [np.repeat(np.arange(self.count), self.sides) + shift for shift in (0, self.count)]
        )

    def argmax(self, multipliers, blocks, preferred=None):
        """Parse some sentences under scores + multipliers; see ``Solver``."""
        for which, parser_scores in enumerate(self.scored):
            chosen = blocks[(blocks >= self.count) == bool(which)] - which * self.count
            if not len(chosen):
                continue
            scores = parser_scores.select(chosen)
            at = 0
            for sentence in chosen.tolist():
                begin = which * self.arc_count + self.scored[0].arcs.offsets[sentence]
                size = int(self.sides[sentence]) ** 2
                scores.arcs.values[at : at + size] += multipliers[begin : begin + size]
                at += size
            trees, at = scores.decode(threads=1), 0
            for index, sentence in enumerate(chosen.tolist()):
                heads = trees[index]
                cubes = (None if cube is None else cube[index] for cube in (scores.siblings, scores.grandparents))
                self.values[which * self.count + sentence] = cube_value(heads, scores.arcs[index], *cubes)
                row = which * self.rows[-1] + self.rows[sentence]
                self.solution[row : row + len(heads)] = heads
        for which in (0, 1):
            heads = self.solution[which * self.rows[-1] + self.word_rows]
            words = slice(which * len(self.word_rows), (which + 1) * len(self.word_rows))
            self.choice[words] = which * self.arc_count + self.first_arcs + heads * self.word_sides


class _Nodes:
    """The ``Solver`` of words: each chooses a head in either tree, and is rewarded where both are the same arc."""

    def __init__(self, trees, rewards):
        self.trees, self.rewards = trees, rewards
        words = len(trees.word_rows)
        self.word_of = np.tile(np.arange(words), 2)
        self.choice, self.values = np.zeros(2 * words, np.int64), np.zeros(words)
        self.solution, self.solution_blocks = np.zeros(2 * words, np.int32), self.word_of

    def argmax(self, multipliers, blocks, preferred=None):
        """Choose both heads of some words; see ``Solver``."""
        trees = self.trees
        favoured = np.full(len(self.choice), -1, np.int64) if preferred is None else preferred
        words = SharedWords(trees.first_arcs, trees.word_sides, trees.modifiers, trees.arc_count)
        _choose(blocks, words, self.rewards, multipliers, favoured, self.choice, self.values, self.solution)

    def value_at(self, choice, blocks):
        """The reward of each word under choices of heads; see ``Solver``."""
        words, arc_count = len(self.values), self.trees.arc_count
        one, other = choice[:words][blocks], choice[words:][blocks] - arc_count
        return np.where(one == other, self.rewards[one], 0.0)

    def release(self, decisions):
        """Not used: nothing has to go, as agreement is never forced."""
        raise WorkbenchError("shared arcs are rewarded, not forced: there is nothing to release; use release=False")


class SharedWords(NamedTuple):
    """The words that two trees have: the first arc into each, the rows of its sentence, and its place there."""

    first_arcs: np.ndarray
    sides: np.ndarray
    modifiers: np.ndarray
    arc_count: int  # arcs of one tree; those of the other follow


@kernel
def _choose(blocks, words, rewards, multipliers, favoured, choice, values, solution):
    """The best pair of heads of each word: the best two unequal ones, or the best equal ones with their reward.

    Among equals the favoured pair wins.
    """
    first_arcs, sides, modifiers, arc_count = words
    count = len(values)
    for word in blocks:
        best, best_one, best_two = -np.inf, -1, -1
        favoured_one, favoured_two = favoured[word], favoured[count + word] - arc_count
        if favoured_one >= 0:  # first, so that only what is better replaces it
            best, best_one, best_two = multipliers[favoured_one], favoured_one, favoured_two
            best += multipliers[arc_count + favoured_two]
            if favoured_one == favoured_two:
                best += rewards[favoured_one]
        for head in range(sides[word]):
            if head == modifiers[word]:
                continue
            one = first_arcs[word] + head * sides[word]
            value = multipliers[one] + multipliers[arc_count + one] + rewards[one]
            if value > best + 1e-12 * abs(best):
                best, best_one, best_two = value, one, one
            for other_head in range(sides[word]):
                other = first_arcs[word] + other_head * sides[word]
                if other_head != modifiers[word] and other != one:
                    value = multipliers[one] + multipliers[arc_count + other]
                    if value > best + 1e-12 * abs(best):
                        best, best_one, best_two = value, one, other
        choice[word], choice[count + word] = best_one, arc_count + best_two
        solution[word], solution[count + word] = (
            (best_one - first_arcs[word]) // sides[word],
            (best_two - first_arcs[word]) // sides[word],
        )
        values[word] = best


def _scaled(scored, temperature):
    """ParserScores in nats."""
    cubes = [None if cube is None else PackedTriples(cube.values / temperature, cube.offsets)
             for cube in (scored.siblings, scored.grandparents)]  # fmt: skip
    return type(scored)(PackedScores(scored.arcs.values / temperature, scored.arcs.offsets), *cubes, scored.projective)
