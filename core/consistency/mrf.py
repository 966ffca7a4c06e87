"""The consensus MRF: words that stand in the same context are rewarded for heads, or tags, of the same label.

Each context has a consensus node with a label l, a tag, ROOT or NULL, and an edge to each of its words. An edge pays
delta1 if the word's label is l, else delta2 if it is close to l, else nothing. If l is NULL every edge pays delta3.
These are the cases of rush2012 section 4, NULL first. Observed training words vote like any other.

Given multipliers u the nodes are independent stars, solved exactly. M_i[t] is the best u of an outcome of word i with
label t, o_l the words observed with label l. With S the words and theta(t, l) what an edge pays,

    argmax over l of  sum over i in S of max over t (theta(t, l) + M_i[t])  +  sum over t of o_t theta(t, l),

where the inner maximum is max(delta1 + M_i[l], delta2 + max of M_i over tags close to l, max M_i), and for NULL
delta3 + max M_i.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.errors import WorkbenchError

NULL = -1  # the label of a consensus node that is turned off


@dataclass(frozen=True)
class Deltas:
    """Rewards of an edge, in units of the scores: for the same label, for a close one, and under NULL."""

    same: float = 1.0
    close: float = 0.5
    null: float = 0.3

    def __post_init__(self):
        values = self.same, self.close, self.null
        if not all(np.isfinite(values)) or not self.same >= self.close >= self.null >= 0:
            raise WorkbenchError(
                f"the deltas must be finite and delta1 >= delta2 >= delta3 >= 0, got {self.same:g}, {self.close:g} and "
                f"{self.null:g}; put them in order"
            )

    def table(self, classes: np.ndarray) -> np.ndarray:
        """float64 (L + 1, L + 1): what an edge pays a word's label under a consensus label; -1 is none, and NULL."""
        size = len(classes)
        theta = np.zeros((size + 1, size + 1))
        theta[:size, :size] = np.where(classes[:, None] == classes[None, :], self.close, 0.0)
        np.fill_diagonal(theta, self.same)
        theta[:, size] = self.null
        return theta


class Nodes(NamedTuple):
    """The graph as kernels read it: C consensus nodes over V words with outcomes; multipliers have E entries."""

    word_offsets: np.ndarray  # (C + 1,) words of each node in ``words``
    words: np.ndarray  # (V,)
    offsets: np.ndarray  # (V + 1,) outcomes of each word in ``entries``
    entries: np.ndarray  # indices of multipliers, those to be favoured first
    labels: np.ndarray  # (E,) label of each outcome, -1 for none
    observed_offsets: np.ndarray  # (C + 1,)
    observed_labels: np.ndarray
    observed_counts: np.ndarray
    label_offsets: np.ndarray  # (C + 1,)
    candidates: np.ndarray  # labels of each node that a word or an observation has, ascending; no other is better
    classes: np.ndarray  # (L,) labels of one class are close
    active: np.ndarray  # (V,) bool


class ConsensusMRF:
    """The MRF over all contexts; a ``Solver`` for dual decomposition, whose blocks are the contexts.

    Parameters
    ----------
    contexts : ndarray of shape (V,), dtype int
        The context 0..C-1 of each word.
    outcomes : list or tuple (offsets (V + 1,), entries)
        Word v's outcomes are the multipliers ``entries[offsets[v]:offsets[v + 1]]``, in order of preference among
        equals. One outcome belongs to one word.
    outcome_labels : ndarray of shape (E,), dtype int32
        The label of each outcome; -1 earns nothing.
    observed : ndarray of shape (C, L), dtype int
        Training words of each context by label.
    classes : ndarray of shape (L,), dtype int32
        Labels of one class are close.
    deltas : Deltas

    Attributes
    ----------
    solution : ndarray of shape (C,), dtype int32
        Label of each consensus node, -1 for NULL.
    choice : ndarray of shape (V,), dtype int64
    values : ndarray of shape (C,), dtype float64

    Raises
    ------
    WorkbenchError : arrays that do not fit each other, a word without an outcome.
    """

    def __init__(
        self, contexts: np.ndarray, outcomes: tuple[np.ndarray, np.ndarray], outcome_labels: np.ndarray,
        observed: np.ndarray, classes: np.ndarray, deltas: Deltas | None = None,
    ):  # fmt: skip
        offsets, entries = (np.ascontiguousarray(part, dtype=np.int64) for part in outcomes)
        contexts, observed = np.asarray(contexts, dtype=np.int64), np.asarray(observed)
        count = len(observed)
        if len(offsets) != len(contexts) + 1 or (np.diff(offsets) < 1).any():
            raise WorkbenchError("every word of the consensus MRF needs an outcome to choose; give each at least one")
        if len(contexts) and contexts.max() >= count:
            raise WorkbenchError(
                f"observed must have a row for each context, {contexts.max() + 1} at least, got {count}"
            )
        if observed.shape != (count, len(classes)):
            raise WorkbenchError(f"observed must have shape ({count}, {len(classes)}), got {observed.shape}")
        self.contexts, self.deltas = contexts, deltas or Deltas()
        rows, labels = np.nonzero(observed)
        outcome_labels = np.ascontiguousarray(outcome_labels, dtype=np.int32)
        pairs_of = np.repeat(contexts, np.diff(offsets)), outcome_labels[entries].astype(np.int64)
        pairs = np.unique(
            np.concatenate((rows, pairs_of[0])) * (len(classes) + 1) + np.concatenate((labels, pairs_of[1])) + 1
        )
        pairs = pairs[pairs % (len(classes) + 1) > 0]  # words without a label have no pair
        self.nodes = Nodes(
            np.searchsorted(np.sort(contexts), np.arange(count + 1)),
            np.argsort(contexts, kind="stable"),
            offsets,
            entries,
            outcome_labels,
            np.searchsorted(rows, np.arange(count + 1)),
            labels.astype(np.int32),
            observed[rows, labels].astype(np.float64),
            np.searchsorted(pairs // (len(classes) + 1), np.arange(count + 1)),
            (pairs % (len(classes) + 1) - 1).astype(np.int32),
            np.ascontiguousarray(classes, dtype=np.int32),
            np.ones(len(contexts), dtype=bool),
        )
        self.solution = np.full(count, NULL, dtype=np.int32)
        self.solution_blocks = np.arange(count)
        self.choice = entries[offsets[:-1]]
        self.values = np.zeros(count)

    def argmax(self, multipliers: np.ndarray, blocks: np.ndarray, preferred: np.ndarray | None = None) -> None:
        """Best labels and outcomes of the contexts ``blocks`` under score + multipliers (E,); see ``Solver``.

        Among equal labels it takes the one with which most words may keep their ``preferred`` outcome (V,), then NULL,
        then the first. Of equal outcomes it takes the preferred one, else the first in ``outcomes``.

        Notes
        -----
        O(outcomes of the words of these contexts + L).
        """
        if preferred is None:
            preferred = np.full(len(self.choice), -1, dtype=np.int64)
        _solve(blocks, self.nodes, self._bonus, multipliers, preferred, self.solution, self.choice, self.values)

    def value_at(self, choice: np.ndarray, blocks: np.ndarray) -> np.ndarray:
        """float64 (len(blocks),): for each context the best score of a label when its words choose ``choice`` (V,)."""
        values = np.empty(len(blocks))
        _evaluate(blocks, self.nodes, self._bonus, choice, values, np.empty(len(blocks), dtype=np.int32))
        return values

    def labels_at(self, choice: np.ndarray) -> np.ndarray:
        """int32 (C,): the best label of each context when words choose ``choice``; -1 is NULL, first of equals."""
        labels = np.empty(len(self.values), dtype=np.int32)
        blocks = np.arange(len(labels))
        _evaluate(blocks, self.nodes, self._bonus, choice, np.empty(len(labels)), labels)
        return labels

    def release(self, decisions: np.ndarray) -> None:
        """Leave these words (bool (V,)) out of their contexts from now on."""
        self.nodes.active[decisions] = False

    def start(self, losses: np.ndarray, preferred: np.ndarray, share: float) -> np.ndarray:
        """float64 (E,): multipliers to begin with, a guess at those under which both sides agree.

        Parameters
        ----------
        losses : ndarray of shape (E,), dtype float64
            By how much each outcome is worse than its word's best to the other solver, 0 or less.
        preferred : ndarray of shape (V,), dtype int64
            The outcomes that the other solver would choose alone.
        share : float
            How much of the losses the consensus side receives.

        Notes
        -----
        The likely label of each context is the best when its words pay their losses in full. A word whose preferred
        outcome suits that label as well as any tells part of its losses, at most delta1, for then it stays. Every other
        is paid for the label in the other solver's scores, where it is decided whether it moves, and the consensus
        side follows: if the label is right they agree at once.
        """
        self.argmax(losses, np.arange(len(self.values)), preferred)
        start = np.zeros(len(losses))
        _start(self.nodes, self._bonus, self.contexts, self.solution, losses, preferred, float(share), start)
        return start

    def full_value(self, choice: np.ndarray) -> float:
        """The score of ``choice`` (V,) over all contexts, released words included."""
        nodes = self.nodes._replace(active=np.ones_like(self.nodes.active))
        values = np.empty(len(self.values))
        _evaluate(np.arange(len(values)), nodes, self._bonus, choice, values, np.empty(len(values), dtype=np.int32))
        return float(values.sum())

    def neutral_multipliers(self, words: np.ndarray, entries: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
        """float64: for outcomes ``entries`` that ``words`` cannot choose yet, the greatest multipliers under which
        they would not gain by them whatever the label of the context: the values of ``argmax`` would stay the same."""
        return _neutral(np.asarray(words, np.int64), entries, self.nodes, self._bonus, multipliers)

    def bonuses(self) -> np.ndarray:
        """float64 (L + 1, L + 1): what edges pay; see ``Deltas.table``."""
        return self.deltas.table(self.nodes.classes)

    @property
    def _bonus(self):
        return float(self.deltas.same), float(self.deltas.close), float(self.deltas.null)


@inner_kernel
def pay(label: int, consensus: int, classes: np.ndarray, bonus: tuple[float, float, float]) -> float:
    """What the edge between a word and a consensus label pays."""
    if consensus == -1:
        return bonus[2]
    if label == consensus:
        return bonus[0]
    if label >= 0 and classes[label] == classes[consensus]:
        return bonus[1]
    return 0.0


@kernel
def _solve(blocks, nodes, bonus, multipliers, preferred, solution, choice, values):
    """Write labels, outcomes and values of some contexts."""
    same, close, null = bonus
    tie = 1e-9 * (1.0 + same)  # values so near count as equal
    count = len(nodes.classes)
    gains, near_gains = np.zeros(count), np.zeros(count)
    room = np.full((3, count), -np.inf)  # there are at most as many classes
    for context in blocks:
        own = nodes.candidates[nodes.label_offsets[context] : nodes.label_offsets[context + 1]]
        for label in own:
            gains[label] = near_gains[nodes.classes[label]] = 0.0
        constant, edges = 0.0, 0.0
        for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
            word = nodes.words[place]
            if nodes.active[word]:
                constant += _add_word(word, nodes, multipliers, (same, close), room, gains, near_gains)
                edges += 1.0
        for place in range(nodes.observed_offsets[context], nodes.observed_offsets[context + 1]):
            label, votes = nodes.observed_labels[place], nodes.observed_counts[place]
            near_gains[nodes.classes[label]] += close * votes
            gains[label] += (same - close) * votes
            edges += votes
        best = null * edges
        for label in own:
            best = max(best, near_gains[nodes.classes[label]] + gains[label])
        chosen, agreement = -2, -1
        for number in range(-1, len(own)):
            label, value = -1, null * edges
            if number >= 0:
                label = own[number]
                value = near_gains[nodes.classes[label]] + gains[label]
            if value < best - tie:
                continue
            kept = _agreement(context, label, nodes, bonus, multipliers, preferred, tie)
            if kept > agreement:
                chosen, agreement = label, kept
        solution[context] = chosen
        values[context] = constant + best
        for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
            word = nodes.words[place]
            choice[word] = preferred[word]
            if nodes.active[word] and not _keeps(word, chosen, nodes, bonus, multipliers, preferred, tie):
                choice[word] = _first_best(word, chosen, nodes, bonus, multipliers, tie)


@inner_kernel
def _add_word(word, nodes, multipliers, deltas, room, gains, near_gains):
    """Add what a word gains with each label beyond its best multiplier, which is returned.

    With label l that is ``near_gains[class of l] + gains[l]``. ``deltas`` are (same, close). ``room`` (3, labels) has
    the best multiplier by label and by class, -inf before and after, and what the class gains.
    """
    (same, close), exact, near, part = deltas, room[0], room[1], room[2]
    first, last = nodes.offsets[word], nodes.offsets[word + 1]
    best = -np.inf
    for place in range(first, last):
        entry = nodes.entries[place]
        value, label = multipliers[entry], nodes.labels[entry]
        best = max(best, value)
        if label >= 0:
            exact[label] = max(exact[label], value)
            near[nodes.classes[label]] = max(near[nodes.classes[label]], value)
    for place in range(first, last):
        label = nodes.labels[nodes.entries[place]]
        if label >= 0 and near[nodes.classes[label]] > -np.inf:
            kind = nodes.classes[label]
            part[kind] = max(0.0, close + near[kind] - best)
            near_gains[kind] += part[kind]
            near[kind] = -np.inf
    for place in range(first, last):
        label = nodes.labels[nodes.entries[place]]
        if label >= 0 and exact[label] > -np.inf:
            gains[label] += max(0.0, same + exact[label] - best - part[nodes.classes[label]])
            exact[label] = -np.inf
    return best


@inner_kernel
def _agreement(context, label, nodes, bonus, multipliers, preferred, tie):
    """How many words of a context may keep their preferred outcome if its label is ``label``."""
    kept = 0
    for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
        word = nodes.words[place]
        kept += nodes.active[word] and _keeps(word, label, nodes, bonus, multipliers, preferred, tie)
    return kept


@inner_kernel
def _keeps(word, label, nodes, bonus, multipliers, preferred, tie):
    """Whether a word's preferred outcome is as good as any under a consensus label."""
    wanted = preferred[word]
    if wanted < 0:
        return False
    value = multipliers[wanted] + pay(nodes.labels[wanted], label, nodes.classes, bonus)
    for place in range(nodes.offsets[word], nodes.offsets[word + 1]):
        entry = nodes.entries[place]
        if multipliers[entry] + pay(nodes.labels[entry], label, nodes.classes, bonus) > value + tie:
            return False
    return True


@inner_kernel
def _first_best(word, label, nodes, bonus, multipliers, tie):
    """The first of a word's best outcomes under a consensus label."""
    best = -np.inf
    for place in range(nodes.offsets[word], nodes.offsets[word + 1]):
        entry = nodes.entries[place]
        best = max(best, multipliers[entry] + pay(nodes.labels[entry], label, nodes.classes, bonus))
    for place in range(nodes.offsets[word], nodes.offsets[word + 1]):
        entry = nodes.entries[place]
        if multipliers[entry] + pay(nodes.labels[entry], label, nodes.classes, bonus) >= best - tie:
            return entry
    return nodes.entries[nodes.offsets[word]]


@kernel
def _evaluate(blocks, nodes, bonus, choice, values, solution):
    """The best label of some contexts, and its value, when words choose ``choice``."""
    same, close, null = bonus
    count = len(nodes.classes)
    gains, near_gains = np.zeros(count), np.zeros(count)
    for number, context in enumerate(blocks):
        own = nodes.candidates[nodes.label_offsets[context] : nodes.label_offsets[context + 1]]
        for label in own:
            gains[label] = near_gains[nodes.classes[label]] = 0.0
        edges = 0.0
        for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
            word = nodes.words[place]
            if nodes.active[word]:
                edges += 1.0
                label = nodes.labels[choice[word]]
                if label >= 0:
                    gains[label] += same - close
                    near_gains[nodes.classes[label]] += close
        for place in range(nodes.observed_offsets[context], nodes.observed_offsets[context + 1]):
            label, votes = nodes.observed_labels[place], nodes.observed_counts[place]
            near_gains[nodes.classes[label]] += close * votes
            gains[label] += (same - close) * votes
            edges += votes
        values[number], solution[number] = null * edges, -1
        for label in own:
            value = near_gains[nodes.classes[label]] + gains[label]
            if value > values[number]:
                values[number], solution[number] = value, label


@kernel
def _neutral(words, entries, nodes, bonus, multipliers):
    """The least, over all consensus labels, of the best own outcome's value minus what the new outcome is paid.

    Labels that are not close to the new outcome pay it nothing, and the others no less; NULL pays all alike. So beside
    the labels of its class only the best multiplier itself counts.
    """
    found = np.empty(len(entries))
    for k in range(len(entries)):
        first, last = nodes.offsets[words[k]], nodes.offsets[words[k] + 1]
        own, label = nodes.entries[first:last], nodes.labels[entries[k]]
        least = -np.inf
        for entry in own:
            least = max(least, multipliers[entry])
        if label >= 0:
            for consensus in range(len(nodes.classes)):
                if nodes.classes[consensus] == nodes.classes[label]:
                    best = -np.inf
                    for entry in own:
                        best = max(best, multipliers[entry] + pay(nodes.labels[entry], consensus, nodes.classes, bonus))
                    least = min(least, best - pay(label, consensus, nodes.classes, bonus))
        found[k] = least
    return found


@kernel
def _start(nodes, bonus, contexts, solution, losses, preferred, share, start):
    """Fill ``start`` given the likely labels ``solution``."""
    for word in range(len(contexts)):
        label = solution[contexts[word]]
        own = nodes.entries[nodes.offsets[word] : nodes.offsets[word + 1]]
        best = 0.0
        for entry in own:
            best = max(best, pay(nodes.labels[entry], label, nodes.classes, bonus))
        stays = pay(nodes.labels[preferred[word]], label, nodes.classes, bonus) >= best
        for entry in own:
            if stays:
                start[entry] = max(share * losses[entry], -bonus[0])
            else:
                start[entry] = -pay(nodes.labels[entry], label, nodes.classes, bonus)
