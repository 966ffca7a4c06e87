"""What to ask the linguist next: constraints not yet in the set whose answer would teach the model most.

Let A be the arcs of a candidate constraint c of which no constraint of the set speaks yet. With marginals mu, mean
marginal p over all its candidates, and h(x) = -x ln x - (1 - x) ln(1 - x):

    entropy(c) = sum over A of h(mu_a)                                       in nats
    gain(c)    = entropy(c) * (1 - sum_t P(t) h(t) / h(p))                   in nats

t runs over the answers that the author can give (``ANSWERS``), and P is the distribution over them of highest
entropy whose mean is p: what the model, which holds p to be the share, must expect to hear. Where all marginals are
p, a constraint's gain is the expected information (mutual information) between the answer and each of its arcs,
summed: after the answer t an arc's entropy is h(t). Where they differ, the model tells the arcs apart by itself, and
entropy(c) counts only what it is still unsure of. Arcs are taken one by one; that a word has one head is left out,
so a gain is an upper figure, good for ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.compilation.kernels import kernel
from core.constraints.language.constraint import Constraint, Item, Term
from core.constraints.matching.matcher import Coverage, Matcher, as_matcher
from core.constraints.matching.oracle import BLOCK, ROOT
from core.errors import ScoreShapeError, WorkbenchError
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees import PackedScores

ANSWERS = {"never": 0.0, "rarely": 0.1, "half": 0.5, "mostly": 0.75, "always": 1.0}  # druck2009's bins, section 4.1
STEPS = 60
STEEPEST = 2000.0  # nats: beyond it, P puts less than 1e-80 on any but the nearest answer


@dataclass(frozen=True)
class Suggestion:
    """A question to the author: how often are such pairs edges?

    Attributes
    ----------
    constraint : Constraint
        Without a target yet: 0..1, which asks for nothing.
    coverage : Coverage
        What it matches.
    share : float
        The model's present share of its candidate pairs.
    entropy : float
        How unsure the model is about its arcs that no constraint speaks of yet, summed, in nats.
    gain : float
        Expected information from the answer, in nats (module docstring).
    examples : tuple of (sentence, head, modifier)
        Candidates about which the model is least sure, at most one a sentence.
    """

    constraint: Constraint
    coverage: Coverage
    share: float
    entropy: float
    gain: float
    examples: tuple

    @property
    def answers(self) -> dict[str, Constraint]:
        """dict of the author's five answers, each with the Constraint it makes."""
        return {name: with_target(self.constraint, target) for name, target in ANSWERS.items()}

    def answer(self, name: str) -> Constraint:
        """The Constraint that an answer makes. Raises WorkbenchError for a word that is no answer."""
        if name not in ANSWERS:
            raise WorkbenchError(f"{name!r} is no answer; choose one of {', '.join(ANSWERS)}")
        return with_target(self.constraint, ANSWERS[name])


def with_target(constraint: Constraint, target: float) -> Constraint:
    """The constraint with one share as its target."""
    return replace(constraint, low=target, high=target)


def suggest(
    treebank: Treebank | Matcher, marginals: PackedScores, constraints: Sequence[Constraint] = (), count: int = 10, *,
    minimum_count: int = 15, per_pair: int = 1, examples: int = 3,
) -> list[Suggestion]:  # fmt: skip
    """The constraints on head tag, modifier tag and direction that are most worth asking about.

    Parameters
    ----------
    treebank : Treebank or Matcher
    marginals : PackedScores
        Arc marginals of the model in use over the treebank; of zero scores before there is one.
    constraints : sequence of Constraint
        The set so far. What it says already is not offered again.
    count : int
        How many suggestions at most.
    minimum_count : int
        Least number of candidate pairs.
    per_pair : int
        At most so many suggestions about the same two tags, in whichever role and order.
    examples : int
        How many to show with each.

    Returns
    -------
    list of Suggestion
        In order of asking. The first has the highest gain. Each suggestion then lowers the gains of those about the
        same modifier tag, by the factor 1 - gain / entropy of all arcs into that tag. The root, of which a sentence
        has one, is treated alike.

    Raises
    ------
    ScoreShapeError : marginals of another text.
    WorkbenchError : no tags.

    Notes
    -----
    O(sum of n^2) once (more often only with very many tags), and the matching of the set and of what is suggested.
    """
    matcher = as_matcher(treebank, None, constraints)
    if not np.array_equal(marginals.offsets, matcher.arc_offsets):
        raise ScoreShapeError(
            f"the marginals are those of another text: {len(marginals)} sentences and {len(marginals.values)} arcs "
            f"where this one has {len(matcher.treebank)} and {matcher.arc_offsets[-1]}; compute them for this text"
        )
    if not len(matcher.treebank):
        return []
    column = matcher.treebank.tag_column(matcher.tags)
    closed = np.zeros(len(marginals.values), dtype=np.bool_)
    if constraints:
        closed[matcher.match(constraints).arcs] = True
    keys, pairs, mass, entropy = _statistics(matcher, column, marginals.values, closed)
    root = len(column.values)
    totals = np.bincount(keys[:, 1], entropy, minlength=root + 1)  # by modifier tag
    totals[root] = entropy[keys[:, 0] == root].sum()
    frequent = np.flatnonzero((pairs >= max(minimum_count, 1)) & (entropy > 0))
    keys, share, entropy = keys[frequent], mass[frequent] / pairs[frequent], entropy[frequent]
    answered = answer_probabilities(share) @ bernoulli_entropy(list(ANSWERS.values()))  # expected entropy, in nats
    gain = entropy * (1 - answered / bernoulli_entropy(share))
    patterns = {constraint.pattern for constraint in constraints}

    def known(key):
        return _constraint(key, column).pattern in patterns

    chosen = _choose(keys, pairs[frequent], gain, totals, count, per_pair, known)
    suggested = [_constraint(keys[k], column) for k in chosen]
    coverages = matcher.counts(suggested)
    shown = _least_sure(matcher.match(suggested), marginals.values, examples)
    return [
        Suggestion(constraint, coverage, float(share[k]), float(entropy[k]), float(gain[k]), rows)
        for constraint, coverage, k, rows in zip(suggested, coverages, chosen, shown, strict=True)
    ]


def bernoulli_entropy(share: ArrayLike) -> np.ndarray:
    """-x ln x - (1 - x) ln(1 - x) of an array, in nats; 0 at 0 and 1."""
    share = np.asarray(share, dtype=np.float64)
    inner = np.clip(share, 0, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -inner * np.log(inner) - (1 - inner) * np.log1p(-inner)
    return np.where((inner > 0) & (inner < 1), value, 0.0)


def answer_probabilities(share: ArrayLike) -> np.ndarray:
    """Of all distributions over ANSWERS with the given means (K,), those of highest entropy: float64 (K, 5).

    P(t) is proportional to exp(slope * t); the slope is found by Newton's method, kept inside an interval.
    """
    share = np.asarray(share, dtype=np.float64)
    answers = np.array(list(ANSWERS.values()))
    low, high = np.full(share.shape, -STEEPEST), np.full(share.shape, STEEPEST)
    slopes = np.zeros(share.shape)
    for _ in range(STEPS):
        probabilities = _tilted(slopes, answers)
        mean = probabilities @ answers
        if (np.abs(mean - share) <= 1e-9 * mean * (1 - mean) + 1e-15).all():
            break
        low, high = np.where(mean < share, slopes, low), np.where(mean > share, slopes, high)
        with np.errstate(divide="ignore", invalid="ignore"):  # without a variance, halve
            newton = slopes + (share - mean) / (probabilities @ answers**2 - mean**2)
        slopes = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
    return _tilted(slopes, answers)


def _tilted(slopes, answers):
    logs = slopes[:, None] * answers
    weights = np.exp(logs - np.maximum(slopes, 0)[:, None])  # the answers run from 0 to 1
    return weights / weights.sum(axis=1, keepdims=True)


def _statistics(matcher, column, marginals, closed):
    """Keys (K, 3) of all kinds of arc that occur, and pairs, sum of marginals, entropy of open arcs (K,).

    A key is (head tag, or the number of tags for the root; modifier tag; 1 if to the right).
    """
    bank, tag_count = matcher.treebank, len(column.values)
    block = max(1, BLOCK // (3 * 2 * tag_count))
    keys, totals = [], []
    for first in range(1, tag_count + 1, block):  # tag 0 is no tag
        last = min(first + block, tag_count + 1)

        def run(begin, end, first=first, last=last):
            shape = (last - first, tag_count, 2, 1, 3)  # one class of distances
            offsets, arc_offsets = bank.offsets[begin : end + 1], matcher.arc_offsets[begin:end]
            return _add_up(offsets, arc_offsets, column.ids, marginals, closed, first, np.zeros(shape))

        parts = run_ranges(run, bank.lengths**2 + 1)
        cells = np.sum(parts, axis=0)[:, 1:, :, 0]
        kinds = np.argwhere(cells[..., 0] > 0)
        totals.append(cells[tuple(kinds.T)])
        keys.append(kinds + np.array((first, 1, 0)))
    keys, totals = np.concatenate(keys), np.concatenate(totals)
    order = np.lexsort(keys.T[::-1])  # one order however the tags are cut into blocks
    return keys[order], *totals[order].T


def _constraint(key, column):
    """The Constraint of a key, without a target."""
    head, modifier, right = key.tolist()
    head_item = ROOT if head == len(column.values) else Item((Term("tag", column.values[head]),))
    return Constraint(head_item, Item((Term("tag", column.values[modifier]),)), "->" if right else "<-", 0.0, 1.0)


def _choose(keys, pairs, gain, totals, count, per_pair, known):
    """Indices of the keys to suggest, in order, save those with ``known(key)``; ties go to more pairs, then the first.

    ``totals`` holds the entropy of all arcs into each modifier tag and, last, from the root.
    """
    root = len(totals) - 1
    remaining = np.ones(len(totals))
    first_tag, second_tag = keys[:, :2].min(axis=1), keys[:, :2].max(axis=1)
    asked, left = np.zeros(len(keys), dtype=np.int64), np.ones(len(keys), dtype=np.bool_)
    chosen = []
    while len(chosen) < count:
        discount = remaining[keys[:, 1]] * np.where(keys[:, 0] == root, remaining[root], 1.0)
        values = np.where(left & (asked < per_pair), gain * discount, 0.0)
        top = values.max(initial=0.0)
        if top <= 0:
            break
        ties = np.flatnonzero(values == top)
        best = int(ties[np.argmax(pairs[ties])])
        left[best] = False
        if known(keys[best]):
            continue
        chosen.append(best)
        asked += (first_tag == first_tag[best]) & (second_tag == second_tag[best])
        for tag in (keys[best, 1], root)[: 2 if keys[best, 0] == root else 1]:
            remaining[tag] *= 1 - min(gain[best] / totals[tag], 1.0)
    return chosen


def _least_sure(matches, marginals, count):
    """For each constraint of a Matches, ``count`` (sentence, head, modifier) of highest entropy, one a sentence."""
    examples = []
    for c in range(len(matches.constraints)):
        arcs = matches.of(c)
        sentences = np.searchsorted(matches.arc_offsets, arcs, side="right") - 1
        order = np.lexsort((arcs, -bernoulli_entropy(marginals[arcs])))
        _, first = np.unique(sentences[order], return_index=True)
        rows = []
        for k in order[np.sort(first)[: max(count, 0)]]:
            begin, end = matches.arc_offsets[sentences[k] : sentences[k] + 2]
            head, modifier = divmod(int(arcs[k] - begin), round(float(end - begin) ** 0.5))
            rows.append((int(sentences[k]), head, modifier))
        examples.append(tuple(rows))
    return examples


@kernel
def _add_up(offsets, arc_offsets, tags, marginals, closed, first_tag, totals):
    """Add pairs, marginals and entropies of open arcs by head tag, modifier tag, direction and distance class.

    ``offsets`` and ``arc_offsets`` are those of the sentences to add.
    """
    last_tag, root_tag, classes = first_tag + totals.shape[0], totals.shape[1], totals.shape[3]
    for i in range(len(offsets) - 1):
        root, side = offsets[i], offsets[i + 1] - offsets[i]
        for h in range(side):
            tag = tags[root + h] if h > 0 else root_tag
            if tag < first_tag or tag >= last_tag:
                continue
            for m in range(1, side):
                if m == h:
                    continue
                distance = abs(m - h)
                kind = 0
                if classes > 1 and h > 0:  # as in DISTANCES
                    kind = min(distance, 6) - 1 if distance <= 10 else 6
                cell = totals[tag - first_tag, tags[root + m], int(m > h), kind]
                arc = arc_offsets[i] + h * side + m
                p = marginals[arc]
                cell[0] += 1
                cell[1] += p
                if 0 < p < 1 and not closed[arc]:
                    cell[2] -= p * np.log(p) + (1 - p) * np.log1p(-p)
    return totals
