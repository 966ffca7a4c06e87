"""Constraints that would have prevented a model's errors on sentences whose trees are known.

A word with a wrong head shows two kinds of arc: that of its right head, which the model should give more often, and
that of its wrong head, which it should give less often. Each kind is written as a constraint in several ways: by tags,
by the form of one word, with any word on one side, for neighbours only. Changes of the present constraints compete with
them. The target of constraint c comes from the known words: if k of its n units are arcs there, it is the Wilson (1927)
interval of k / n, so that twenty sentences give a wide range. A constraint whose expectation E, over the whole text, is
within that range would change nothing and is dropped.

The change is estimated word by word. Let s_m be the probability that the head of m is a candidate of c; the nearest
model that gives the constraint its share changes each word by

    p'(h | m) = p(h | m) exp(x [h is a candidate]) / (1 - s_m + s_m exp(x)),     sum_m s'_m = D * target,

with one x for the constraint, found by bisection, |x| <= the largest multiplier. It prevents p'(gold) - p(gold) of each
error and costs p(gold) - p'(gold) of each right word, where these are above 0. The estimate ignores that words share
trees; ``core.constraints.authoring.preview`` computes the change of the trees for one constraint. Constraints are
chosen one after the other, so that no prevented error counts twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from core.constraints.grammar.training import GrammarSettings
from core.constraints.language.constraint import MOST_PER_HEAD, Constraint, Item, Term
from core.constraints.matching.matcher import Coverage, Matcher, as_matcher
from core.constraints.matching.oracle import ANY, ROOT
from core.constraints.matching.overlap import overlaps
from core.errors import WorkbenchError
from core.markup.agreement import Z95, wilson
from core.treebank import Treebank
from core.trees.packed import PackedScores

LEAST = 1.0  # errors that a constraint must be expected to prevent, net
TRIED = 10  # kinds of arc that are tried in each way to write one: those with most errors
FREQUENT = 0.002  # the least share of the words of the text for a form to be named
MOST_OF, TAGS_TOGETHER = 0.9, 8  # tags named together cover this share of the known arcs; at most so many tags
HALVINGS = 24
WAYS = (  # what of (head, modifier) is named, and how: by tag, by form, or any word; the arrow; neighbours only
    ("tag", "tag", True, False),
    ("tag", "tag", True, True),
    ("tag", "tag", False, False),
    ("any", "tag", True, False),
    ("any", "tag", True, True),
    ("tag", "any", True, False),
    ("form", "tag", True, False),
    ("tag", "form", True, False),
)


@dataclass(frozen=True, eq=False)
class Proposal:
    """A constraint and its estimated effect.

    Attributes
    ----------
    constraint : Constraint
        With a range as its target.
    coverage : Coverage
        What it matches in the whole text, and among the words whose head is known.
    expectation : float
        The model's present share, over the whole text.
    gained, lost : float
        Among the known words: how many errors it is expected to prevent, and how many to make.
    rows : ndarray of shape (K,), dtype int64
        The errors that it concerns: words of the treebank whose right head is a candidate if it raises its share, or
        whose wrong head is one if it lowers its share.
    line : Constraint or None
        The present constraint that it would replace; None for a new one.
    against : tuple of Constraint
        Present constraints that contradict it.
    verdict : (int, int) or None
        Known words that gain and lose their right head in the model's trees, in addition to the proposals before it.
        ``core.constraints.authoring.ranking`` counts them; None before.
    """

    constraint: Constraint
    coverage: Coverage
    expectation: float
    gained: float
    lost: float
    rows: np.ndarray
    line: Constraint | None = None
    against: tuple[Constraint, ...] = ()
    verdict: tuple[int, int] | None = None

    @property
    def net(self) -> float:
        """Errors that it is expected to prevent among the known words, net of those that it makes."""
        return self.gained - self.lost

    @property
    def share(self) -> float:
        """Its share among the known words."""
        return self.coverage.edges / self.coverage.known_denominator


def propose(
    treebank: Treebank | Matcher, known: np.ndarray, heads: np.ndarray, marginals: PackedScores,
    constraints: Sequence[Constraint] = (), count: int = 10, *, tags: str | None = None,
) -> list[Proposal]:  # fmt: skip
    """Constraints that would have prevented a model's errors.

    Parameters
    ----------
    treebank : Treebank or Matcher
        The text; its heads are not read.
    known : int array of shape (rows,)
        Right heads, -1 where unknown. Punctuation marks are not counted as errors.
    heads : int array of shape (rows,)
        The model's; -1 where it has none.
    marginals : PackedScores
        Its probability of every arc.
    constraints : sequence of Constraint
        The present ones. They are not proposed again; where the known words contradict one, its change is proposed.
    count : int
        How many at most.
    tags : None, "xpos" or "upos"
        The tag column, where ``treebank`` is no Matcher.

    Returns
    -------
    list of Proposal
        Those that prevent most errors in addition to the others before them; at least one error each.

    Raises
    ------
    WorkbenchError : no head is known, or heads or marginals of another text.

    Notes
    -----
    O(candidates) for each of at most 10 * ``TRIED`` kinds of arc and each present constraint.
    """
    matcher = as_matcher(treebank, tags, constraints)
    rows = len(matcher.treebank.heads)
    if not (len(known) == len(heads) == rows and np.array_equal(marginals.offsets, matcher.arc_offsets)):
        raise WorkbenchError(
            f"the trees are those of another text: {len(known):,} known heads, {len(heads):,} heads and "
            f"{len(marginals)} sentences of marginals where this one has {rows:,} rows and {len(matcher.treebank)} "
            "sentences; give those of this text"
        )
    if not (np.asarray(known) >= 0).any():
        raise WorkbenchError("no head is known, so there are no errors to learn from; correct some sentences first")
    bank = matcher.treebank.with_heads(known)
    checked = Matcher(bank, matcher.tags)
    scored = (bank.heads >= 0) & ~bank.punctuation() & bank.is_word
    wrong = np.flatnonzero(scored & (heads >= 0) & (bank.heads != heads))
    if not len(wrong) or count < 1:
        return []
    judge = _Judge(checked, marginals.values, np.flatnonzero(scored), wrong, np.asarray(heads))
    present = [coverage.constraint for coverage in checked.counts(constraints) if coverage.pairs]
    patterns = {constraint.pattern for constraint in present}
    starts = bank.offsets[np.searchsorted(bank.offsets, wrong, side="right") - 1]
    pairs = np.concatenate([np.column_stack((starts + side[wrong], wrong)) for side in (bank.heads, heads)])
    root = np.concatenate((bank.heads[wrong], heads[wrong])) == 0
    kinds = [_written(checked, pairs, root, way[:2], *way[2:]) for way in WAYS]
    tried = {constraint.pattern: constraint for constraint in chain(*kinds, _several(checked, scored, wrong))}
    fresh = [constraint for pattern, constraint in tried.items() if pattern not in patterns]
    remaining, chosen = 1.0 - judge.before, []
    for candidates, are_present in ((present, True), (fresh, False)):  # corrections come first
        judged = [judgement for constraint in candidates if (judgement := judge(constraint, are_present)) is not None]
        chosen += _chosen(judged, remaining, count - len(chosen))
    chosen.sort(key=lambda pair: -pair[0])
    return _without_contradictions([proposal for _, proposal in chosen], present, checked)


def _written(matcher, pairs, root, names, directed, near):
    """Constraints 0..1 ``per modifier`` of the kinds of arc with most errors, written in one of ``WAYS``."""
    columns = [matcher.column(name) for name in names]
    gap = pairs[:, 1] - pairs[:, 0]
    keep = (np.abs(gap) == 1) | (not near)
    if near or not directed or names[0] != "tag" or names[1] == "any":  # what ROOT is written with
        keep &= ~root
    keys = np.zeros((len(pairs), 3), dtype=np.int64)
    for k, (name, column) in enumerate(zip(names, columns, strict=True)):
        if column is None:
            continue
        keys[:, k] = column.ids[pairs[:, k]]
        usable = np.bincount(column.ids, minlength=len(column.values)) >= (
            FREQUENT * matcher.treebank.token_count if name == "form" else 1
        )
        usable[0] = False
        keep &= usable[keys[:, k]] | (root & (k == 0))
    keys[root, 0] = -1
    keys[:, 2] = (gap > 0) if directed else 0
    kinds, counts = np.unique(keys[keep], axis=0, return_counts=True)
    constraints = []
    for k in np.argsort(-counts, kind="stable")[:TRIED]:
        head, modifier, right = kinds[k].tolist()
        items = (ROOT if head == -1 else _item(names[0], columns[0], head), _item(names[1], columns[1], modifier))
        arrow = "->" if right else "<-" if directed else "--"
        distance = (1, 1) if near else None
        constraints.append(Constraint(*items, arrow=arrow, low=0.0, high=1.0, distance=distance, per="modifier"))
    return constraints


def _several(matcher, scored, wrong):
    """Such constraints with one tag on one side and several on the other, such as ``DT <- {NN NNS}``: those with which
    most known arcs are covered."""
    bank, column = matcher.treebank, matcher.column("tag")
    words = np.flatnonzero(scored & (bank.heads > 0))
    starts = bank.offsets[np.searchsorted(bank.offsets, words, side="right") - 1]
    ends = np.column_stack((starts + bank.heads[words], words))
    right, errs = (ends[:, 1] > ends[:, 0]).astype(np.int64), np.isin(words, wrong)
    constraints = []
    for one, other in ((0, 1), (1, 0)):  # one tag of the head and several of modifiers, then the other way round
        groups = column.ids[ends[:, one]].astype(np.int64) * 2 + right
        errors = np.bincount(groups[errs], minlength=2)
        for group in np.argsort(-errors, kind="stable")[:TRIED].tolist():
            counts = np.bincount(column.ids[ends[groups == group, other]], minlength=1)
            order = [tag for tag in np.argsort(-counts, kind="stable").tolist() if tag and counts[tag]]
            enough = int(np.searchsorted(np.cumsum(counts[order]), MOST_OF * counts[order].sum())) + 1
            if not group // 2 or not 2 <= enough <= TAGS_TOGETHER:
                continue
            many = Item(tuple(Term("tag", column.values[tag]) for tag in order[:enough]))
            items = _item("tag", column, group // 2), many
            head, modifier = items if one == 0 else items[::-1]
            constraints.append(Constraint(head, modifier, "->" if group % 2 else "<-", 0.0, 1.0, per="modifier"))
    return constraints


def _item(name, column, value):
    return ANY if column is None else Item((Term(name, column.values[value]),))


class _Judge:
    """Estimates the effect of constraints on the words that are scored."""

    def __init__(self, matcher, marginals, scored, wrong, heads):
        bank = matcher.treebank
        self.matcher, self.marginals, self.scored, self.wrong = matcher, marginals, scored, wrong

        def arcs(rows, heads):  # the packed numbers of the words' arcs
            sentence = np.searchsorted(bank.offsets, rows, side="right") - 1
            cell = heads[rows] * (bank.lengths[sentence] + 1) + rows - bank.offsets[sentence]
            return matcher.arc_offsets[sentence] + cell

        self.gold, self.missed, self.predicted = arcs(scored, bank.heads), arcs(wrong, bank.heads), arcs(wrong, heads)
        self.before = marginals[self.gold].astype(np.float64)
        self.errs = np.isin(scored, wrong)

    def __call__(self, constraint, is_present):
        """(Proposal, scored words, the gain of each), or None if it would change nothing."""
        matches, coverage = self.matcher.match([constraint]), self.matcher.counts([constraint])[0]
        arcs, (modifiers, repeats) = matches.arcs, self._modifiers(matches)
        target = _target(constraint, coverage, repeats, is_present)
        if target is None:
            return None
        proposed = replace(constraint, **target)
        coverage = replace(coverage, constraint=proposed)
        share = np.bincount(modifiers, self.marginals[arcs], minlength=len(self.matcher.treebank.heads))
        expectation = float(share.sum()) / coverage.denominator
        if proposed.low <= expectation <= proposed.high:
            return None
        goal = proposed.low if expectation < proposed.low else proposed.high
        most = GrammarSettings.bound * constraint.weight
        factor = np.exp(_multiplier(share[share > 0], goal * coverage.denominator, most))
        matched = np.flatnonzero(share[self.scored] > 0)
        of_word, before = share[self.scored[matched]], self.before[matched]
        factors = np.where(_among(self.gold[matched], arcs), factor, 1.0)
        gains = before * (factors / (1 - of_word + of_word * factor) - 1)
        gains = np.where(self.errs[matched], np.maximum(gains, 0.0), np.minimum(gains, 0.0))
        concerned = self.wrong[_among(self.missed if factor > 1 else self.predicted, arcs)]
        sums = float(gains[gains > 0].sum()), float(np.abs(gains[gains < 0]).sum())
        replaced = constraint if is_present else None
        return Proposal(proposed, coverage, expectation, *sums, concerned, replaced), matched, gains

    def _modifiers(self, matches):
        """(the modifiers of the candidates as rows of the treebank, whether a head has two in the known trees)."""
        bank = self.matcher.treebank
        counts = np.diff(np.searchsorted(matches.arcs, matches.arc_offsets))
        sides, starts, begins = (
            np.repeat(values, counts) for values in (bank.lengths + 1, bank.offsets[:-1], matches.arc_offsets[:-1])
        )
        head, modifier = np.divmod(matches.arcs - begins, sides)
        modifier += starts
        edges = np.flatnonzero(bank.heads[modifier] == head)
        heads = head[edges] + starts[edges]
        return modifier, len(np.unique(heads)) < len(heads)


def _target(constraint, coverage, repeats, is_present):
    """The target from the known words: {"per", "low", "high"}; None without known words, or if it has that target.

    A new constraint takes the denominator whose range is the narrower in arcs. Where heads have several such modifiers,
    the number of arcs is taken as a count (Poisson), and no new constraint is written ``per head``.
    """
    targets = []
    for per in (constraint.per,) if is_present else ("modifier", "head"):
        known, units = getattr(coverage, f"known_{per}s"), getattr(coverage, f"{per}s")
        if not known or (per == "head" and repeats and not is_present):
            continue
        if per == "head" and repeats:
            reach, most = Z95 * coverage.edges**0.5, float(MOST_PER_HEAD)
            low, high = (coverage.edges - reach) / known, (coverage.edges + reach) / known
        else:
            (low, high), most = np.array(wilson(coverage.edges, known), dtype=np.float64), 1.0
        low, high = max(np.floor(100 * low) / 100, 0.0), min(np.ceil(100 * high) / 100, most)
        targets.append(((high - low) * units, {"per": per, "low": float(low), "high": float(high)}))
    if not targets:
        return None
    target = min(targets, key=lambda pair: pair[0])[1]
    agrees = is_present and target["low"] <= constraint.high and constraint.low <= target["high"]
    return None if agrees else target


def _multiplier(share, goal, most):
    """The x, at most ``most`` nats either way, that brings the sum of the words' shares nearest to ``goal``."""
    low, high = -most, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        factor = np.exp(middle)
        if (share * factor / (1 - share + share * factor)).sum() < goal:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _among(arcs, sorted_arcs):
    """bool: which arcs are among some others, which ascend."""
    indices = np.searchsorted(sorted_arcs, arcs)
    is_among = indices < len(sorted_arcs)
    is_among[is_among] = sorted_arcs[indices[is_among]] == arcs[is_among]
    return is_among


def _chosen(judged, remaining, count):
    """(errors prevented, Proposal), one after the other; each takes its gains from the ``remaining`` ones of words."""
    waiting, chosen = list(judged), []
    while waiting and len(chosen) < count:
        values = [np.minimum(gains, remaining[words]).sum() for _, words, gains in waiting]
        best = int(np.argmax(values))
        if values[best] < LEAST:
            break
        proposal, words, gains = waiting.pop(best)
        remaining[words] -= np.clip(gains, 0.0, remaining[words])
        chosen.append((float(values[best]), proposal))
    return chosen


def _without_contradictions(chosen, present, matcher):
    """The Proposals with the present constraints that they contradict, without new ones against a replaced one."""
    fresh = [proposal for proposal in chosen if proposal.line is None]
    replaced = {proposal.line for proposal in chosen if proposal.line is not None}
    against = {}
    if fresh and present:
        for overlap in overlaps([*present, *(proposal.constraint for proposal in fresh)], matcher):
            if overlap.conflict and overlap.first < len(present) <= overlap.second:
                contradicting = fresh[overlap.second - len(present)]
                against.setdefault(id(contradicting), []).append(present[overlap.first])
    named = [replace(proposal, against=tuple(against.get(id(proposal), ()))) for proposal in chosen]
    return [proposal for proposal in named if not replaced & {*proposal.against}]
