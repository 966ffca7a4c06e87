"""A greedy transition-based parser: at each state it takes the move that a linear classifier scores highest.

The classifier is an averaged perceptron over words, tags and arcs around the top of the stack and the front of the
buffer. It learns from a dynamic oracle while it follows its own moves, so it meets states that come of its errors:
Goldberg & Nivre (2012), "A Dynamic Oracle for Arc-Eager Dependency Parsing", algorithm 3, with the oracles of
``core.parsers.transitions.oracles``. With Swap it follows the static oracle. Made for a class: it learns in seconds
from some hundred short sentences and gives no relations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from core.callbacks import Cancel
from core.compilation.kernels import inner_kernel, kernel
from core.errors import Cancelled, WorkbenchError
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.crf.tree_crf import trainable
from core.parsers.transitions.oracles import Oracle, static_move
from core.parsers.transitions.systems import SWAPPING, Configuration, TransitionSystem, start_configuration
from core.treebank import Treebank

BITS = 16  # weights of each move are 2 ** BITS numbers
EXPLORED = 0.9  # of the parser's own moves that are followed, from the second pass on
PLACES = ("s0", "s1", "s2", "b0", "b1", "b2", "s0 left", "s0 right", "s1 left", "s1 right", "b0 left")
FIELDS = (*(f"{place} {column}" for place in PLACES for column in ("form", "tag")), "distance", "attached")
TEMPLATES = (
    ("s0 form", "s0 tag"), ("s0 tag",), ("s0 form",), ("s1 form", "s1 tag"), ("s1 tag",), ("s1 form",),
    ("b0 form", "b0 tag"), ("b0 tag",), ("b0 form",), ("b1 tag",), ("b1 form",), ("b2 tag",), ("s2 tag",),
    ("s0 tag", "b0 tag"), ("s0 form", "b0 tag"), ("s0 tag", "b0 form"), ("s0 form", "b0 form"),
    ("s0 tag", "s1 tag"), ("s0 form", "s1 tag"), ("s0 tag", "s1 form"), ("s0 form", "s1 form"),
    ("s0 tag", "s1 tag", "b0 tag"), ("s0 tag", "b0 tag", "b1 tag"), ("s0 tag", "s1 tag", "s2 tag"),
    ("b0 tag", "b1 tag", "b2 tag"), ("s0 tag", "s0 left tag", "b0 tag"), ("s0 tag", "s0 right tag", "b0 tag"),
    ("s1 tag", "s1 left tag", "s0 tag"), ("s1 tag", "s1 right tag", "s0 tag"), ("s0 tag", "b0 left tag", "b0 tag"),
    ("s0 left tag", "s0 right tag", "s0 tag"), ("distance", "s0 tag", "b0 tag"), ("distance", "s0 tag", "s1 tag"),
    ("attached", "s0 tag", "b0 tag"), ("attached",),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class GreedyParser:
    """A trained greedy parser.

    Attributes
    ----------
    system : TransitionSystem
    column : {"upos", "xpos"}
        The tags that it reads.
    weights : ndarray of shape (2 ** BITS, M), dtype float64
        A column for each of the system's M transitions, averaged.
    sentences : int
        How many it learnt from.
    """

    system: TransitionSystem
    column: str
    weights: np.ndarray
    sentences: int

    @classmethod
    def fit(
        cls, system: TransitionSystem, treebank: Treebank, *, passes: int = 8, seed: int = 0,
        cancel: Cancel | None = None,
    ) -> "GreedyParser":  # fmt: skip
        """Learn from the whole trees of a treebank; those with crossing arcs are left out where the system builds none.

        Parameters
        ----------
        system : TransitionSystem
        treebank : Treebank
            With tags.
        passes : int, default=8
        seed : int, default=0
            Of the order of sentences and of the moves that are followed.
        cancel : callable, optional
            Asked before every sentence; raises Cancelled when it returns True.

        Raises
        ------
        WorkbenchError : no tags, or no sentence to learn from.

        Notes
        -----
        O(moves) scores, and losses of the oracle, a sentence and pass.
        """
        column = treebank.coarse_name
        if not treebank.coarse_tags.filled:
            raise WorkbenchError("a greedy parser reads tags, and this text has none; open one with tags")
        chosen = learnable(system, treebank)
        if not len(chosen):
            raise WorkbenchError(f"{system.name} has no tree to learn from in this text; open one with trees")
        training, random = _Training(system), np.random.default_rng(seed)
        sentences = [
            (word_codes(one.forms, getattr(one, column)), Oracle(system, one.heads.tolist()))
            for one in treebank.select(chosen)
        ]
        for number in range(passes):
            for at in random.permutation(len(sentences)).tolist():
                if cancel is not None and cancel():
                    raise Cancelled
                codes, oracle = sentences[at]
                training.learn(codes, oracle, random if number else None)
        return cls(system, column, training.averaged(), len(chosen))

    def scores(self, codes: np.ndarray, configuration: Configuration) -> dict[str, float]:
        """What each allowed move scores, by its name; ``codes`` are the sentence's ``word_codes``. O(1)."""
        values = _scored(self.weights, feature_ids(codes, configuration))
        names = [move.name for move in self.system.transitions]
        return {move.name: float(values[names.index(move.name)]) for move in self.system.allowed(configuration)}

    def derivation(self, forms: Sequence[str], tags: Sequence[str]) -> list[str]:
        """The names of its moves on a sentence; forms and tags (n + 1,), the root's first."""
        codes, configuration, names = word_codes(forms, tags), start_configuration(len(forms) - 1), []
        while not self.system.is_final(configuration):
            names.append(best_move(self.scores(codes, configuration)))
            configuration = self.system.named(names[-1]).apply(configuration)
        return names

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank with the parser's heads, without relations; -1 where a word was left without one."""
        heads = np.full(len(treebank.heads), -1, np.int32)
        for number, one in enumerate(treebank):
            *_, final = self.system.replay(len(one), self.derivation(one.forms, getattr(one, self.column)))
            heads[treebank.offsets[number] + 1 : treebank.offsets[number + 1]] = final.heads[1:]
        return treebank.with_heads(heads)


def best_move(scores: dict[str, float]) -> str:
    """The name of the move with the highest score; of equal ones the first of the system."""
    return max(scores, key=lambda name: scores[name])


def learnable(system: TransitionSystem, treebank: Treebank) -> np.ndarray:
    """int64: the sentences with whole trees, of one root word, that a system can build."""
    return np.flatnonzero(trainable(treebank, TreeDistribution(projective=system.projective)))


def word_codes(forms: Sequence[str], tags: Sequence[str]) -> np.ndarray:
    """uint32 (n + 2, 2): a number for each word's form, in lower case, and tag; the last row is no word at all."""
    rows = [(crc32(form.lower().encode()), crc32(tag.encode())) for form, tag in zip(forms, tags, strict=True)]
    return np.array([*rows, (1, 1)], dtype=np.uint32)


def feature_ids(codes: np.ndarray, configuration: Configuration) -> np.ndarray:
    """int64 (T,): the numbers of the features of a state. O(n)."""
    stack, buffer, heads = configuration
    none = len(codes) - 1
    places = [*(stack[-k] if len(stack) >= k else none for k in (1, 2, 3)),
              *(buffer[k] if len(buffer) > k else none for k in (0, 1, 2))]  # fmt: skip
    for word, sides in ((places[0], (0, -1)), (places[1], (0, -1)), (places[3], (0,))):
        below = [m for m, head in enumerate(heads) if head == word]
        places += [below[side] if below else none for side in sides]
    distance = min(abs(places[3] - places[0]), 5) if buffer else 0
    state = np.array([distance, heads[stack[-1]] >= 0], dtype=np.uint32)
    return _ids(np.concatenate((codes[places].ravel(), state)), TABLE)


TABLE = np.array([[*map(FIELDS.index, names), *(-1,) * (3 - len(names))] for names in TEMPLATES], dtype=np.int64)
TABLE.setflags(write=False)


class _Training:
    """Weights while they are learnt."""

    def __init__(self, system):
        self.system, self.names = system, [move.name for move in system.transitions]
        self.weights = np.zeros((1 << BITS, len(self.names)))
        self.sums = np.zeros_like(self.weights)  # of each change times the number of the state at which it was made
        self.states = 1

    def learn(self, codes, oracle, random):
        """Go through one sentence; without ``random`` along the oracle's moves."""
        configuration, lost = start_configuration(len(codes) - 2), 0
        while not self.system.is_final(configuration):
            ids = feature_ids(codes, configuration)
            values = dict(zip(self.names, _scored(self.weights, ids).tolist(), strict=True))
            allowed = {move.name: values[move.name] for move in self.system.allowed(configuration)}
            taken = best_move(allowed)
            free = self._free(oracle, configuration, allowed, taken, lost)
            if taken not in free:
                right = best_move({name: allowed[name] for name in free})
                _move(self.weights, self.sums, ids, self.names.index(right), self.names.index(taken), self.states)
                if random is None or self.system is SWAPPING or random.random() >= EXPLORED:
                    taken = right
            self.states += 1
            configuration = self.system.named(taken).apply(configuration)
            if self.system is not SWAPPING and taken not in free:
                lost = oracle.loss(configuration)

    def _free(self, oracle, configuration, allowed, taken, lost):
        """The moves that cost nothing, or the one taken alone if it does not; ``lost`` is the loss so far."""
        if self.system is SWAPPING:
            return [static_move(configuration, oracle.heads)]
        for names in ([taken], list(allowed)):
            free = [name for name in names
                    if oracle.loss(self.system.named(name).apply(configuration)) == lost]  # fmt: skip
            if free:
                return free
        raise AssertionError("a dynamic oracle has a move that costs nothing")

    def averaged(self):
        """The mean of the weights over all states."""
        return self.weights - self.sums / self.states


@kernel
def _ids(values, templates):
    """int64 (T,): a hash of each template's number and values."""
    ids = np.empty(len(templates), np.int64)
    for template in range(len(templates)):
        code = _mixed(np.uint32(template + 1), np.uint32(0x51ED270B))
        for at in range(templates.shape[1]):
            if templates[template, at] >= 0:
                code = _mixed(code, values[templates[template, at]])
        ids[template] = np.int64(code) & ((1 << BITS) - 1)
    return ids


@kernel
def _scored(weights, ids):
    """float64 (M,): the sum of the rows of ``weights`` (F, M) of some features."""
    scores = np.zeros(weights.shape[1])
    for feature in ids:
        for move in range(len(scores)):
            scores[move] += weights[feature, move]
    return scores


@kernel
def _move(weights, sums, ids, right, wrong, state):
    """Move the weights of a state's features, in place, from the wrong to the right move."""
    for feature in ids:
        weights[feature, right] += 1.0
        weights[feature, wrong] -= 1.0
        sums[feature, right] += state
        sums[feature, wrong] -= state


@inner_kernel
def _mixed(value, other):
    """One hash of two: the finaliser of MurmurHash3. Overflow is meant."""
    value = np.uint32(np.uint32(value * np.uint32(0x9E3779B1)) + np.uint32(other * np.uint32(0x85EBCA77)))
    value = np.uint32(value + np.uint32(0x165667B1))
    value = np.uint32(value ^ (value >> np.uint32(16)))
    value = np.uint32(value * np.uint32(0x85EBCA6B))
    value = np.uint32(value ^ (value >> np.uint32(13)))
    value = np.uint32(value * np.uint32(0xC2B2AE35))
    return np.uint32(value ^ (value >> np.uint32(16)))
