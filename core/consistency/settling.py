"""What is sure before the search: labels that no consensus can have, and sentences whose trees no consensus can change.

Two rules that follow from optimality, applied in turns until neither finds anything:

- a label l of a context is out if another, l', is better whatever heads the free words take: if its fixed votes pay more
  than ``sum over free words of max over t of theta(t, l) - theta(t, l')``, t among the labels of the word's heads
- for any tree Y' of a sentence, its tree Y in a best joint solution has ``F(Y) + R(Y) >= F(Y')``, where R pays each word
  with the head label t, and o in Y', ``max over labels l that are left of theta(t, l) - theta(o, l)``. If no tree gets
  beyond F(Y') the sentence keeps Y', and its words vote like observed ones. Y' is the best tree under the labels that
  look best so far, so that sentences settle in the end even where their trees change.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.consistency.mrf import Deltas
from core.consistency.parses import ParseSolver

TIE = 1e-9  # relative; differences of values that rounding explains


class Words(NamedTuple):
    """Words whose heads may have several labels, and the labels that their contexts may have.

    Labels are numbers from 0; -1 is a head without a label, and the consensus label NULL.
    """

    word_offsets: np.ndarray  # (C + 1,) words of each context in ``words``
    words: np.ndarray  # (V,)
    contexts: np.ndarray  # (V,)
    offsets: np.ndarray  # (V + 1,) outcomes of each word in ``entries``
    entries: np.ndarray
    labels: np.ndarray  # (arcs,) label of each outcome
    free: np.ndarray  # (V,) bool
    known: np.ndarray  # (V,) bool: whether all outcomes are listed


class Candidates(NamedTuple):
    """Labels that each context may have: those of ``bounds[c]:bounds[c + 1]`` that are left."""

    bounds: np.ndarray  # (C + 1,)
    labels: np.ndarray  # NULL first
    votes: np.ndarray  # fixed votes for each, float64
    left: np.ndarray  # bool


def bonuses(deltas: Deltas, classes: np.ndarray) -> np.ndarray:
    """float64 (L + 1, L + 1): what an edge pays a word's label under a consensus label; -1 is none, and NULL."""
    size = len(classes)
    theta = np.zeros((size + 1, size + 1))
    theta[:size, :size] = np.where(classes[:, None] == classes[None, :], deltas.close, 0.0)
    theta[np.arange(size), np.arange(size)] = deltas.same
    theta[:, size] = deltas.null
    return theta


class Settling:
    """Settles what is sure of a problem.

    Parameters
    ----------
    solver : ParseSolver
        Over words that may change; its solution becomes the best trees so far.
    contexts : ndarray of shape (V,), dtype int64
    labels : ndarray of shape (arcs,), dtype int32
        The label of each outcome.
    votes : ndarray of shape (C, L), dtype int64
        Fixed votes; the words of sentences that settle are added.
    sound : ndarray of shape (S,), dtype bool
        Sentences of which the solver can choose all trees that matter; others do not settle.
    theta : ndarray of shape (L + 1, L + 1)
        As ``bonuses`` returns it.

    Attributes
    ----------
    free : ndarray of shape (V,), dtype bool
        Words of sentences that did not settle.
    rounds : int
    """

    def __init__(
        self, solver: ParseSolver, contexts: np.ndarray, labels: np.ndarray, votes: np.ndarray, sound: np.ndarray,
        theta: np.ndarray,
    ):  # fmt: skip
        self.solver, self.votes, self.theta = solver, votes, theta
        self.sound = sound.copy()
        offsets, entries = solver.outcomes
        unlabelled = np.repeat(solver.sentences, np.diff(offsets))[labels[entries] < 0]
        self.sound[unlabelled] = False  # NULL pays edges to heads without a label too, which cannot vote
        count = len(votes)
        self.words = Words(
            np.searchsorted(np.sort(contexts), np.arange(count + 1)),
            np.argsort(contexts, kind="stable"),
            contexts,
            *solver.outcomes,
            labels,
            np.ones(len(contexts), dtype=bool),
            sound[solver.sentences],
        )
        rows, tags = np.nonzero(votes)
        observed = np.searchsorted(rows, np.arange(count + 1)), tags, votes[rows, tags].astype(np.float64)
        self.candidates = Candidates(*_list_candidates(self.words, *observed, len(theta) - 1))
        self.rounds = 0

    @property
    def free(self) -> np.ndarray:
        return self.words.free

    def run(self) -> None:
        """Apply both rules until neither finds anything. O(rounds (outcomes of free words + parses of their sentences))."""
        solver, words = self.solver, self.words
        paid = np.zeros(len(words.labels))
        blocks = np.unique(solver.sentences)
        consensus = np.full(len(self.candidates.bounds) - 1, -1, dtype=np.int64)
        while len(blocks):
            self.rounds += 1
            _drop(words, self.candidates, self.theta)
            _guess(words, self.candidates, self.theta, solver.choice, consensus)
            _pay(words, consensus, self.theta, paid)
            solver.argmax(paid, blocks)
            own = _without(words, solver.sentences, solver.choice, paid, solver.values)
            trees, choice = solver.solution.copy(), solver.choice.copy()
            _reward(words, self.candidates, self.theta, choice, paid)
            solver.argmax(paid, blocks)
            settled = self.sound[blocks] & (solver.values[blocks] <= own[blocks] + TIE * (1 + np.abs(own[blocks])))
            solver.solution[:], solver.choice[:], solver.values[:] = trees, choice, own
            if not settled.any():
                return
            closed = np.zeros(len(solver.values), dtype=bool)
            closed[blocks[settled]] = True
            blocks = blocks[~settled]
            _vote(words, self.candidates, closed[solver.sentences], choice, self.votes)


@njit(cache=True, nogil=True)
def _list_candidates(words, observed_offsets, observed_labels, observed_votes, size):
    """(bounds, labels, votes, left): NULL, and every label that an observed word or a head of a free word has.

    A label without votes pays no more than one of its class with votes, or than NULL, and is never needed.
    """
    count = len(words.word_offsets) - 1
    room = len(observed_labels) + count
    for v in range(len(words.contexts)):
        room += words.offsets[v + 1] - words.offsets[v]
    bounds, labels, votes = np.zeros(count + 1, np.int64), np.empty(room, np.int64), np.zeros(room)
    seen, at = np.full(size, -1), 0
    for context in range(count):
        bounds[context] = at
        if words.word_offsets[context] == words.word_offsets[context + 1]:
            continue
        labels[at] = -1
        at += 1
        for place in range(observed_offsets[context], observed_offsets[context + 1]):
            seen[observed_labels[place]] = context
            labels[at], votes[at] = observed_labels[place], observed_votes[place]
            at += 1
        for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
            word = words.words[place]
            for k in range(words.offsets[word], words.offsets[word + 1]):
                label = words.labels[words.entries[k]]
                if label >= 0 and seen[label] != context:
                    seen[label] = context
                    labels[at] = label
                    at += 1
    bounds[count] = at
    return bounds, labels[:at].copy(), votes[:at].copy(), np.ones(at, np.bool_)


@njit(cache=True, nogil=True)
def _drop(words, candidates, theta):
    """Take out labels that another is better than whatever the free words choose; contexts that have unlisted outcomes
    keep all."""
    for context in range(len(candidates.bounds) - 1):
        first, last = candidates.bounds[context], candidates.bounds[context + 1]
        known = True
        for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
            known &= words.known[words.words[place]] or not words.free[words.words[place]]
        for k in range(first, last if known else first):
            for other in range(first, last):
                if other != k and candidates.left[k] and candidates.left[other]:
                    ahead = _lead(words, candidates, theta, context, other, k)
                    if ahead > TIE * theta[0, 0]:
                        candidates.left[k] = False


@njit(cache=True, nogil=True)
def _lead(words, candidates, theta, context, k, other):
    """By how much candidate k pays more than another at least, whatever the free words choose."""
    one, two, lead = candidates.labels[k], candidates.labels[other], 0.0
    for place in range(candidates.bounds[context], candidates.bounds[context + 1]):
        label = candidates.labels[place]
        if label >= 0:
            lead += candidates.votes[place] * (theta[label, one] - theta[label, two])
    for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
        word = words.words[place]
        if words.free[word]:
            least = np.inf
            for at in range(words.offsets[word], words.offsets[word + 1]):
                label = words.labels[words.entries[at]]
                least = min(least, theta[label, one] - theta[label, two])
            lead += least
    return lead


@njit(cache=True, nogil=True)
def _guess(words, candidates, theta, choice, consensus):
    """The best label that is left for each context when free words choose ``choice``."""
    for context in range(len(candidates.bounds) - 1):
        first, last = candidates.bounds[context], candidates.bounds[context + 1]
        best = -np.inf
        for k in range(first, last):
            if not candidates.left[k]:
                continue
            label, value = candidates.labels[k], 0.0
            for place in range(first, last):
                if candidates.labels[place] >= 0:
                    value += candidates.votes[place] * theta[candidates.labels[place], label]
            for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
                word = words.words[place]
                if words.free[word]:
                    value += theta[words.labels[choice[word]], label]
            if value > best:
                consensus[context], best = label, value


@njit(cache=True, nogil=True)
def _pay(words, consensus, theta, paid):
    """What each outcome of the free words is paid under consensus labels."""
    for word in range(len(words.contexts)):
        for at in range(words.offsets[word], words.offsets[word + 1] if words.free[word] else 0):
            entry = words.entries[at]
            paid[entry] = theta[words.labels[entry], consensus[words.contexts[word]]]


@njit(cache=True, nogil=True)
def _without(words, sentences, choice, paid, values):
    """The values of sentences without what their free words are paid."""
    own = values.copy()
    for word in range(len(words.contexts)):
        if words.free[word]:
            own[sentences[word]] -= paid[choice[word]]
    return own


@njit(cache=True, nogil=True)
def _reward(words, candidates, theta, choice, paid):
    """The most that each outcome of the free words could be paid beyond the chosen one."""
    for word in range(len(words.contexts)):
        if not words.free[word]:
            continue
        context, own = words.contexts[word], words.labels[choice[word]]
        for at in range(words.offsets[word], words.offsets[word + 1]):
            label, most = words.labels[words.entries[at]], -np.inf
            for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
                if candidates.left[k]:
                    consensus = candidates.labels[k]
                    most = max(most, theta[label, consensus] - theta[own, consensus])
            paid[words.entries[at]] = most


@njit(cache=True, nogil=True)
def _vote(words, candidates, settled, choice, votes):
    """Words that are settled vote for the labels of their heads, and are free no more."""
    for word in range(len(words.contexts)):
        if words.free[word] and settled[word]:
            words.free[word] = False
            context, label = words.contexts[word], words.labels[choice[word]]
            if label >= 0:
                votes[context, label] += 1
            for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
                candidates.votes[k] += candidates.labels[k] == label and label >= 0
