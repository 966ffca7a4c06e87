"""Lines that would have prevented a model's errors on sentences whose trees are known.

A wrong word names two kinds of arc: that of its right head, which the model should give more often, and that of the
head it got, which it should give less often. Each kind is written in the language in several ways: by tags, by the form
of one word, any word on one side, neighbours only. The lines that stand are judged beside them. What line c should say
is read off the known words: k of its n places are arcs there, and its target is the Wilson (1927) interval of k / n:
twenty sentences make a wide range and not a point. A line whose expectation E, over the whole text, lies within that
range would change nothing and is dropped.

What it would change is estimated word by word. Let s_m be the probability that the head of m is a candidate of c; the
nearest model that gives the line its share tilts each word by

    p'(h | m) = p(h | m) exp(x [h is a candidate]) / (1 - s_m + s_m exp(x)),     sum_m s'_m = D * target,

with one x for the line, found by bisection, |x| <= the largest multiplier. It prevents p'(gold) - p(gold) of each error
where that is above 0, and costs p(gold) - p'(gold) of each word that was right where that is. That words share trees is
left out here; ``core.constraints.authoring.preview`` has the answer of the trees for one line. Lines are chosen one
after the other; what one prevents the next cannot prevent again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

LEAST = 1.0  # errors that a line must be expected to prevent, net
TRIED = 10  # kinds of arc looked at for each way to write one: those with most errors
FREQUENT = 0.002  # of the text's words: a form that is worth a line of its own
MOST_OF, TAGS_TOGETHER = 0.9, 8  # of known arcs: the share that tags named together have, and how many at most
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
    """A line, and what it would do.

    Attributes
    ----------
    constraint : Constraint
        With a range as its target.
    coverage : Coverage
        What it speaks about in the whole text, and among the words whose head is known.
    expectation : float
        The model's present share, over the whole text.
    gained, lost : float
        Among the known words: errors that it is expected to prevent, and words that it is expected to make wrong.
    rows : ndarray of shape (K,), dtype int64
        The errors that it concerns: words of the treebank whose right head it asks for, or whose wrong head it speaks
        against.
    line : Constraint or None
        The line that stands and would say this instead; None for a new one.
    against : tuple of Constraint
        Lines that stand and contradict it.
    verdict : (int, int) or None
        Known words that get their right head by it in the model's trees, and that lose it, beside the proposals before
        it. ``core.constraints.authoring.ranking`` counts them; None before.
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
    """Lines that would have prevented a model's errors.

    Parameters
    ----------
    treebank : Treebank or Matcher
        The text; its own heads are not looked at.
    known : int array of shape (rows,)
        Right heads, -1 where unknown. Punctuation marks are not counted as errors.
    heads : int array of shape (rows,)
        The model's; -1 where it has none.
    marginals : PackedScores
        Its probability of every arc.
    constraints : sequence of Constraint
        The lines that stand. What they say already is not proposed; where the known words contradict one, its change
        is.
    count : int
        How many at most.
    tags : None, "xpos" or "upos"
        The tag column, where ``treebank`` is no Matcher.

    Returns
    -------
    list of Proposal
        Those that prevent most errors beyond what others prevent first; at least one each.

    Raises
    ------
    WorkbenchError : no head is known, or heads or marginals of another text.

    Notes
    -----
    O(candidates) for each of at most 10 * ``TRIED`` kinds of arc and each line that stands.
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
    standing = [each.constraint for each in checked.counts(constraints) if each.pairs]
    said = {each.pattern for each in standing}
    tried = {line.pattern: line for line in (*_kinds(checked, wrong, heads), *_several(checked, scored, wrong))}
    fresh = [line for pattern, line in tried.items() if pattern not in said]
    left, chosen = 1.0 - judge.before, []
    for lines, stands in ((standing, True), (fresh, False)):  # what is said wrongly is put right before more is said
        judged = [found for line in lines if (found := judge(line, stands)) is not None]
        chosen += _chosen(judged, left, count - len(chosen))
    chosen.sort(key=lambda each: -each[0])
    return _without_contradictions([found for _, found in chosen], standing, checked)


def _kinds(matcher, wrong, heads):
    """Constraints 0..1 ``per modifier`` of the kinds of arc that most errors are of, in a fixed order."""
    bank = matcher.treebank
    starts = bank.offsets[np.searchsorted(bank.offsets, wrong, side="right") - 1]
    pairs = np.concatenate([np.column_stack((starts + side[wrong], wrong)) for side in (bank.heads, heads)])
    root = np.concatenate((bank.heads[wrong], heads[wrong])) == 0
    ways = (_written(matcher, pairs, root, way[:2], *way[2:]) for way in WAYS)
    return [line for lines in ways for line in lines]


def _written(matcher, pairs, root, names, directed, near):
    """The kinds of arc with most errors, written in one of ``WAYS``."""
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
    lines = []
    for k in np.argsort(-counts, kind="stable")[:TRIED]:
        head, modifier, right = kinds[k].tolist()
        items = (ROOT if head == -1 else _item(names[0], columns[0], head), _item(names[1], columns[1], modifier))
        arrow = "->" if right else "<-" if directed else "--"
        distance = (1, 1) if near else None
        lines.append(Constraint(*items, arrow=arrow, low=0.0, high=1.0, distance=distance, per="modifier"))
    return lines


def _several(matcher, scored, wrong):
    """The same with one tag on one side, on the other the tags that most known arcs have there: ``DT <- {NN NNS}``."""
    bank, column = matcher.treebank, matcher.column("tag")
    words = np.flatnonzero(scored & (bank.heads > 0))
    starts = bank.offsets[np.searchsorted(bank.offsets, words, side="right") - 1]
    ends = np.column_stack((starts + bank.heads[words], words))
    right, errs = (ends[:, 1] > ends[:, 0]).astype(np.int64), np.isin(words, wrong)
    found = []
    for one, other in ((0, 1), (1, 0)):  # the head's tag is one and the modifiers' several, then the other way round
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
            found.append(Constraint(head, modifier, "->" if group % 2 else "<-", 0.0, 1.0, per="modifier"))
    return found


def _item(name, column, value):
    return ANY if column is None else Item((Term(name, column.values[value]),))


class _Judge:
    """What lines would do to the words that are scored."""

    def __init__(self, matcher, marginals, scored, wrong, heads):
        bank = matcher.treebank
        self.matcher, self.marginals, self.scored, self.wrong = matcher, marginals, scored, wrong
        self.gold, self.missed, self.got = (
            self._arcs(rows, side) for rows, side in ((scored, bank.heads), (wrong, bank.heads), (wrong, heads))
        )
        self.before = marginals[self.gold].astype(np.float64)
        self.errs = np.isin(scored, wrong)

    def _arcs(self, rows, heads):
        """The packed numbers of the arcs that some words have."""
        bank = self.matcher.treebank
        sentence = np.searchsorted(bank.offsets, rows, side="right") - 1
        place = heads[rows] * (bank.lengths[sentence] + 1) + rows - bank.offsets[sentence]
        return self.matcher.arc_offsets[sentence] + place

    def __call__(self, line, stands):
        """(Proposal, scored words, what each of them gains), or None: it would change nothing, or says that already."""
        matches, coverage = self.matcher.match([line]), self.matcher.counts([line])[0]
        arcs, (modifiers, repeats) = matches.arcs, self._modifiers(matches)
        target = _target(line, coverage, repeats, stands)
        if target is None:
            return None
        line_now = replace(line, **target)
        coverage = replace(coverage, constraint=line_now)
        share = np.bincount(modifiers, self.marginals[arcs], minlength=len(self.matcher.treebank.heads))
        expectation = float(share.sum()) / coverage.denominator
        if line_now.low <= expectation <= line_now.high:
            return None
        goal = line_now.low if expectation < line_now.low else line_now.high
        factor = np.exp(_tilt(share[share > 0], goal * coverage.denominator, GrammarSettings.bound * line.weight))
        touched = np.flatnonzero(share[self.scored] > 0)
        own, before = share[self.scored[touched]], self.before[touched]
        gains = before * (np.where(_among(self.gold[touched], arcs), factor, 1.0) / (1 - own + own * factor) - 1)
        gains = np.where(self.errs[touched], np.maximum(gains, 0.0), np.minimum(gains, 0.0))
        concerned = self.wrong[_among(self.missed if factor > 1 else self.got, arcs)]
        sums = float(gains[gains > 0].sum()), float(np.abs(gains[gains < 0]).sum())
        return Proposal(line_now, coverage, expectation, *sums, concerned, line if stands else None), touched, gains

    def _modifiers(self, matches):
        """(the modifiers of the candidates as rows of the treebank, whether a head has two in the known trees)."""
        bank = self.matcher.treebank
        counts = np.diff(np.searchsorted(matches.arcs, matches.arc_offsets))
        sides, starts, begins = (
            np.repeat(each, counts) for each in (bank.lengths + 1, bank.offsets[:-1], matches.arc_offsets[:-1])
        )
        head, modifier = np.divmod(matches.arcs - begins, sides)
        modifier += starts
        edges = np.flatnonzero(bank.heads[modifier] == head)
        having = head[edges] + starts[edges]
        return modifier, len(np.unique(having)) < len(having)


def _target(line, coverage, repeats, stands):
    """What the known words make of a line: {"per", "low", "high"}; None where they say nothing, or what it says.

    A new line takes the denominator whose range is the narrower in arcs. Where heads have several such modifiers, the
    number of arcs is taken as a count (Poisson) and no new line is written ``per head``.
    """
    found = []
    for per in (line.per,) if stands else ("modifier", "head"):
        known, places = getattr(coverage, f"known_{per}s"), getattr(coverage, f"{per}s")
        if not known or (per == "head" and repeats and not stands):
            continue
        if per == "head" and repeats:
            reach, most = Z95 * coverage.edges**0.5, float(MOST_PER_HEAD)
            low, high = (coverage.edges - reach) / known, (coverage.edges + reach) / known
        else:
            (low, high), most = np.array(wilson(coverage.edges, known), dtype=np.float64), 1.0
        low, high = max(np.floor(100 * low) / 100, 0.0), min(np.ceil(100 * high) / 100, most)
        found.append(((high - low) * places, {"per": per, "low": float(low), "high": float(high)}))
    if not found:
        return None
    target = min(found, key=lambda each: each[0])[1]
    says = stands and target["low"] <= line.high and line.low <= target["high"]
    return None if says else target


def _tilt(share, goal, most):
    """The x, at most ``most`` nats either way, whose tilt brings the sum of the shares nearest to ``goal``."""
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
    places = np.searchsorted(sorted_arcs, arcs)
    found = places < len(sorted_arcs)
    found[found] = sorted_arcs[places[found]] == arcs[found]
    return found


def _chosen(judged, left, count):
    """(errors prevented, Proposal), one after the other; each takes what it prevents from what is ``left``."""
    waiting, chosen = list(judged), []
    while waiting and len(chosen) < count:
        values = [np.minimum(gains, left[words]).sum() for _, words, gains in waiting]
        best = int(np.argmax(values))
        if values[best] < LEAST:
            break
        found, words, gains = waiting.pop(best)
        left[words] -= np.clip(gains, 0.0, left[words])
        chosen.append((float(values[best]), found))
    return chosen


def _without_contradictions(chosen, standing, matcher):
    """The Proposals with the lines that they contradict; without a new one against a line that is to be changed."""
    fresh = [each for each in chosen if each.line is None]
    changed = [each.line for each in chosen if each.line is not None]
    against = {}
    if fresh and standing:
        for each in overlaps([*standing, *(one.constraint for one in fresh)], matcher):
            if each.conflict and each.first < len(standing) <= each.second:
                against.setdefault(each.second - len(standing), []).append(standing[each.first])
    lines = {id(one): tuple(against.get(k, ())) for k, one in enumerate(fresh)}
    named = [replace(one, against=lines.get(id(one), ())) for one in chosen]
    return [one for one in named if not set(one.against) & set(changed)]
