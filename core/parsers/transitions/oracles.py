"""Dynamic oracles: what a configuration has lost for good of a known tree, and so what every move costs.

The *loss* of a configuration is the number of words that no derivation from here can give their known head. A move
costs the loss after it less the loss before it, so at least one move costs nothing. Words whose head is not known
count nowhere.

Arc-eager and arc-hybrid reach all arcs of a projective tree together that they reach one by one (they are
arc-decomposable), so their losses are counted arc by arc: Goldberg & Nivre (2013), section 4. Arc-standard is not; its
loss is the best of a chart over what is on the stack and in the buffer: Goldberg, Sartorio & Satta (2014), section 4,
by another chart, and in O(n⁵) where theirs is faster. Swap has no such oracle: up to ``SEARCHED`` words all derivations
are searched, beyond them Nivre's (2009) static oracle names the one move that it would take.
"""

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from core.compilation.kernels import kernel
from core.parsers.transitions.systems import (
    EAGER,
    HYBRID,
    LEFT,
    RIGHT,
    SHIFT,
    STANDARD,
    SWAP,
    SWAPPING,
    Configuration,
    TransitionSystem,
    start_configuration,
)

SEARCHED = 7  # words up to which the derivations with Swap are searched
NEVER = 1_000_000  # a loss that nothing has


class Oracle:
    """What moves cost, given a known tree.

    Parameters
    ----------
    system : TransitionSystem
    heads : sequence of int, length n + 1
        The known tree, without crossing arcs unless the system builds them; -1 where a head is not known.
    """

    def __init__(self, system: TransitionSystem, heads: Sequence[int]):
        self.system, self.heads = system, tuple(int(head) for head in heads)
        self._least: dict[tuple, int] = {}  # (stack, buffer) -> what its loss is known to be at least, with Swap

    @property
    def is_dynamic(self) -> bool:
        """Whether any configuration is answered; if not, those of the static oracle's own derivation are."""
        return self.system is not SWAPPING or len(self.heads) - 1 <= SEARCHED

    def costs(self, configuration: Configuration) -> dict[str, int]:
        """What each allowed move costs in words that lose their known head; by the transition's name.

        Of at least one move 0, unless the configuration is final: then it is empty. Where the oracle is not dynamic it
        holds the static oracle's move alone, with 0.
        """
        allowed = self.system.allowed(configuration)
        if not self.is_dynamic:
            return {static_move(configuration, self.heads): 0} if allowed else {}
        before = self.loss(configuration)
        return {move.name: self.loss(move.apply(configuration)) - before for move in allowed}

    def best(self, costs: Mapping[str, int]) -> str:
        """Of the moves that cost least the one to take: an arc where there is one, words that change places last."""
        return min(costs, key=lambda name: (costs[name], name == SWAP, self.system.named(name).arc is None))

    def loss(self, configuration: Configuration) -> int:
        """The fewest words that get another head than the known one, in any derivation from here.

        O(n) for ``EAGER`` and ``HYBRID``, O(n⁵) for ``STANDARD``, exponential for ``SWAPPING``.
        """
        pairs = zip(configuration.heads, self.heads, strict=True)
        wrong = sum(0 <= head != known for head, known in pairs if known >= 0)
        if self.system in (EAGER, HYBRID):
            reaches = _eager_reaches if self.system is EAGER else _hybrid_reaches
            left = [m for m, head in enumerate(self.heads) if head >= 0 and configuration.heads[m] < 0]
            return wrong + sum(not reaches(configuration, self.heads[m], m) for m in left)
        if self.system is STANDARD:
            nodes = (*configuration.stack, *configuration.buffer)
            losses = np.array([[int(0 <= self.heads[m] != h) for m in nodes] for h in nodes], dtype=np.int64)
            return wrong + int(_fewest_wrong(losses, len(configuration.stack) - 1))
        return wrong + next(most for most in count() if self._within(configuration, most))

    def _within(self, configuration, most):
        """Whether a derivation with Swap from here attaches at most so many words to a wrong head."""
        if self.system.is_final(configuration):
            return True
        place = configuration.stack, configuration.buffer
        if self._least.get(place, 0) > most:
            return False
        for move in self.system.allowed(configuration):
            left = most
            if move.arc is not None:
                head, modifier = move.arc(configuration)
                left -= 0 <= self.heads[modifier] != head
            if left >= 0 and self._within(move.apply(configuration), left):
                return True
        self._least[place] = most + 1
        return False

    def lost_arcs(self, configuration: Configuration, name: str) -> list[tuple[int, int]]:
        """The known arcs (head, modifier) that could be reached and no longer can after the move of a name.

        Each by itself: where the system is not arc-decomposable a move may cost more than the arcs named here.
        """
        after = self.system.named(name).apply(configuration)
        return [
            (head, m)
            for m, head in enumerate(self.heads)
            if head >= 0 and (alone := self._of(m)).loss(configuration) == 0 and alone.loss(after)
        ]

    def _of(self, modifier):
        """The oracle of one arc of the tree."""
        return Oracle(self.system, [head if m == modifier else -1 for m, head in enumerate(self.heads)])

    def derivation(self) -> list[str]:
        """The names of the moves of a derivation without loss, each the best."""
        configuration, names = start_configuration(len(self.heads) - 1), []
        while not self.system.is_final(configuration):
            names.append(self.best(self.costs(configuration)))
            configuration = self.system.named(names[-1]).apply(configuration)
        return names


def static_move(configuration: Configuration, heads: Sequence[int]) -> str:
    """What Nivre's (2009, section 3.2) oracle does with Swap: it sorts words into the tree's projective order.

    It keeps to a derivation of the tree only where all moves so far were its own.
    """
    stack = configuration.stack
    if len(stack) > 2 and heads[stack[-2]] == stack[-1] and _complete(configuration, stack[-2], heads):
        return LEFT
    if len(stack) > 1 and heads[stack[-1]] == stack[-2] and _complete(configuration, stack[-1], heads):
        return RIGHT
    if len(stack) > 2 and stack[-2] < stack[-1]:
        place = projective_places(heads)
        if place[stack[-1]] < place[stack[-2]]:
            return SWAP
    if configuration.buffer:
        return SHIFT
    return RIGHT  # off the tree's way: what is left is attached


def projective_places(heads: Sequence[int]) -> list[int]:
    """The place of each word in an in-order walk of the tree, the root first; words as they stand if it is projective.

    A word without a known head counts as the root's.
    """
    dependents: list[list[int]] = [[] for _ in heads]
    for m in range(1, len(heads)):
        dependents[max(heads[m], 0)].append(m)
    order: list[int] = []

    def walk(word):
        for m in dependents[word]:
            if m < word:
                walk(m)
        order.append(word)
        for m in dependents[word]:
            if m > word:
                walk(m)

    walk(0)
    places = [0] * len(heads)
    for place, word in enumerate(order):
        places[word] = place
    return places


def _complete(configuration, word, heads):
    """Whether a word has all its known dependents."""
    return all(configuration.heads[m] == word for m in range(1, len(heads)) if heads[m] == word)


def _eager_reaches(c, head, modifier):
    """Of a modifier without a head: it takes the next word as its head, or the stack's top as it is pushed."""
    if modifier in c.stack:
        return head in c.buffer
    return head in c.buffer or head in c.stack


def _hybrid_reaches(c, head, modifier):
    """Of a modifier without a head: as arc-eager, and a word on the stack can still attach to the one right below."""
    if head in c.buffer:
        return True
    if head not in c.stack:
        return False
    return modifier in c.buffer or c.stack.index(head) + 1 == c.stack.index(modifier)


@kernel
def _fewest_wrong(losses, top):
    """The lowest sum of losses of a tree that arc-standard can build from here.

    Parameters
    ----------
    losses : ndarray of shape (N, N), dtype int64
        [head, modifier]; first what is on the stack, its bottom being the root, then the buffer.
    top : int
        The place of the stack's top.

    Notes
    -----
    ``best[i, j, h]`` is the lowest sum over the places i..j, built into one tree with head h. Two neighbouring parts
    become one only at the top of the stack, so a part that ends below the top is a single place. O(N⁵) / 120.
    """
    size = len(losses)
    best = np.full((size, size, size), NEVER, dtype=np.int64)
    for i in range(size):
        best[i, i, i] = 0
    for length in range(2, size + 1):
        for i in range(size - length + 1):
            j = i + length - 1
            if i < top and j < top:
                continue
            for k in range(i, j):
                if k > i and i < top and k < top:
                    continue
                for left in range(i, k + 1):
                    for right in range(k + 1, j + 1):
                        both = best[i, k, left] + best[k + 1, j, right]
                        best[i, j, left] = min(best[i, j, left], both + losses[left, right])
                        if left > 0:
                            best[i, j, right] = min(best[i, j, right], both + losses[right, left])
    return best[0, size - 1, 0]
