"""Presolving: labels that no consensus can have, and sentences whose trees no consensus can change.

Two rules that follow from optimality, applied in turns until neither finds anything:

- A label l of a context is out if another, l', is better whatever heads the free words take. So it is if l' is paid
  by fixed votes more than ``sum over free words of max over t of theta(t, l) - theta(t, l')``. Here t is among the
  labels of a word's heads.
- For any tree Y' of a sentence, its tree Y in a best joint solution has ``F(Y) + R(Y) >= F(Y')``. R pays a word whose
  head has the label t, and o in Y', ``max over labels l that are left of theta(t, l) - theta(o, l)``. If no tree gets
  beyond F(Y') the sentence keeps Y', and its words vote like observed ones. Y' is the best tree under the labels that
  look best so far, so that sentences are fixed in the end even where their trees change.
"""

from typing import NamedTuple

import numpy as np

from core.callbacks import Cancel
from core.compilation.kernels import inner_kernel, kernel
from core.consistency.parses import ParseSolver
from core.errors import Cancelled

TIE = 1e-9  # relative; differences of values that rounding explains
UNKNOWN = -2  # no consensus label yet


class ContextWords(NamedTuple):
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


class LabelCandidates(NamedTuple):
    """Labels that each context may have: those of ``bounds[c]:bounds[c + 1]`` that are left."""

    bounds: np.ndarray  # (C + 1,)
    labels: np.ndarray  # NULL first
    votes: np.ndarray  # fixed votes for each, float64
    left: np.ndarray  # bool


class Presolver:
    """Fixes what is sure of a problem before the search.

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
        What edges pay: ``Deltas.table``.

    Attributes
    ----------
    free : ndarray of shape (V,), dtype bool
        Words of sentences that did not settle.
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
        self.words = ContextWords(
            np.searchsorted(np.sort(contexts), np.arange(count + 1)),
            np.argsort(contexts, kind="stable"),
            contexts,
            offsets,
            entries,
            labels,
            np.ones(len(contexts), dtype=bool),
            sound[solver.sentences],
        )
        rows, tags = map(np.ascontiguousarray, np.nonzero(votes))
        observed = np.searchsorted(rows, np.arange(count + 1)), tags, votes[rows, tags].astype(np.float64)
        self.candidates = LabelCandidates(*_list_candidates(self.words, *observed, len(theta) - 1))

    @property
    def free(self) -> np.ndarray:
        return self.words.free

    def run(self, cancel: Cancel | None = None) -> None:
        """Apply both rules until neither finds anything; ``cancel`` is asked before each round, raises Cancelled.

        Only sentences with a free word in a context of which a label went, or looks best now, are parsed again. That
        ends: labels only go, and another one looks best only if the joint value rises.
        """
        solver, words, candidates, theta = self.solver, self.words, self.candidates, self.theta
        paid, sentences = np.zeros(len(words.labels)), solver.sentences
        consensus = np.full(len(self.votes), UNKNOWN)
        touched = np.ones(len(self.votes), dtype=bool)
        closed, stale, moved = np.zeros((3, len(solver.values)), dtype=bool)
        solver.read_choice(np.unique(sentences))
        while True:
            changed = _drop(words, candidates, theta, touched) | _guess(
                words, candidates, theta, solver.choice, consensus
            )
            stale[:] = False
            stale[sentences[words.free & changed[words.contexts]]] = True
            if not stale.any():
                return
            if cancel is not None and cancel():
                raise Cancelled("stopped while settling what is sure before the search; there is no answer yet")
            _pay(words, stale[sentences], consensus, theta, paid)
            # The parser's own best trees stay where no other head is paid more; elsewhere the sentence is parsed.
            asked = np.flatnonzero(stale & (moved | _gains(words, stale, sentences, solver.choice, paid)))
            moved[asked] = True
            solver.argmax(paid, asked)
            trees, choice, before = solver.solution.copy(), solver.choice.copy(), solver.values.copy()
            parsed = np.zeros(len(stale), dtype=bool)
            parsed[asked] = True
            _take_back(words, parsed[sentences], sentences, choice, paid, before)
            sure = _reward(words, candidates, theta, stale, sentences, choice, paid)
            stays = stale & ~_gains(words, stale, sentences, choice, paid) & ~moved
            stays |= sure & stale  # the rewards are what was paid, but for a constant
            asked = np.flatnonzero(stale & ~stays & self.sound)
            solver.argmax(paid, asked)
            stays[asked] = solver.values[asked] <= before[asked] + TIE * (1 + np.abs(before[asked]))
            solver.solution[:], solver.choice[:], solver.values[:] = trees, choice, before
            closed |= stays & self.sound
            touched = _vote(words, candidates, closed[sentences], choice, self.votes)


@kernel
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


@kernel
def _drop(words, candidates, theta, touched):
    """Take out labels that another is better than whatever the free words choose; bool (C,): where there were any.

    Contexts of words with unlisted outcomes keep all.
    """
    changed = np.zeros(len(touched), np.bool_)
    for context in np.flatnonzero(touched):
        first, last = candidates.bounds[context], candidates.bounds[context + 1]
        for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
            if words.free[words.words[place]] and not words.known[words.words[place]]:
                last = first
        for k in range(first, last):
            for other in range(first, last):
                both = other != k and candidates.left[k] and candidates.left[other]
                if both and _lead(words, candidates, theta, context, other, k) > 1e-9 * theta[0, 0]:
                    candidates.left[k], changed[context] = False, True
    return changed


@inner_kernel
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


@kernel
def _guess(words, candidates, theta, choice, consensus):
    """Write each context's best label of those left when free words choose ``choice``; bool (C,): where it is new."""
    changed = np.zeros(len(consensus), np.bool_)
    for context in range(len(consensus)):
        best, found = -np.inf, consensus[context]
        for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
            if candidates.left[k]:
                label = candidates.labels[k]
                value = _value(words, candidates, theta, context, label, choice)
                value += 1e-9 * theta[0, 0] if label == consensus[context] else 0.0  # stay where nothing is better
                if value > best:
                    found, best = label, value
        changed[context], consensus[context] = found != consensus[context], found
    return changed


@inner_kernel
def _value(words, candidates, theta, context, consensus, choice):
    """What the words of a context are paid under a consensus label."""
    value = 0.0
    for place in range(candidates.bounds[context], candidates.bounds[context + 1]):
        if candidates.labels[place] >= 0:
            value += candidates.votes[place] * theta[candidates.labels[place], consensus]
    for place in range(words.word_offsets[context], words.word_offsets[context + 1]):
        word = words.words[place]
        if words.free[word]:
            value += theta[words.labels[choice[word]], consensus]
    return value


@kernel
def _pay(words, stale, consensus, theta, paid):
    """What each outcome of stale words (V,) is paid under consensus labels."""
    for word in np.flatnonzero(stale & words.free):
        for at in range(words.offsets[word], words.offsets[word + 1]):
            entry = words.entries[at]
            paid[entry] = theta[words.labels[entry], consensus[words.contexts[word]]]


@kernel
def _take_back(words, stale, sentences, choice, paid, values):
    """Take what stale words are paid out of the values of their sentences."""
    for word in np.flatnonzero(stale & words.free):
        values[sentences[word]] -= paid[choice[word]]


@kernel
def _gains(words, stale, sentences, choice, paid):
    """bool (S,): stale sentences in which a free word is paid more for another outcome than for the chosen one."""
    found = np.zeros(len(stale), np.bool_)
    for word in np.flatnonzero(stale[sentences] & words.free):
        for at in range(words.offsets[word], words.offsets[word + 1]):
            found[sentences[word]] |= paid[words.entries[at]] > paid[choice[word]]
    return found


@kernel
def _reward(words, candidates, theta, stale, sentences, choice, paid):
    """The most that each outcome of stale sentences could be paid beyond the chosen one.

    Returns bool (S,): sentences whose contexts all have one label left.
    """
    sure = np.ones(len(stale), np.bool_)
    for word in np.flatnonzero(stale[sentences] & words.free):
        context, own, count = words.contexts[word], words.labels[choice[word]], 0
        for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
            count += candidates.left[k]
        sure[sentences[word]] &= count == 1
        for at in range(words.offsets[word], words.offsets[word + 1]):
            label, most = words.labels[words.entries[at]], -np.inf
            for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
                if candidates.left[k]:
                    consensus = candidates.labels[k]
                    most = max(most, theta[label, consensus] - theta[own, consensus])
            paid[words.entries[at]] = most
    return sure


@kernel
def _vote(words, candidates, settled, choice, votes):
    """Settled words vote for the labels of their heads, and are free no more; bool (C,): where there are any."""
    touched = np.zeros(len(votes), np.bool_)
    for word in np.flatnonzero(settled & words.free):
        words.free[word] = False
        context, label = words.contexts[word], words.labels[choice[word]]
        touched[context] = True
        votes[context, label] += 1  # those of sentences that settle all have labels
        for k in range(candidates.bounds[context], candidates.bounds[context + 1]):
            candidates.votes[k] += candidates.labels[k] == label
    return touched
