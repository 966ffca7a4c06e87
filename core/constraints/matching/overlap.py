"""A set of constraints taken together: shared candidates, contradictions, and the shares that trees can attain.

Trees limit a share: a word has one head and a sentence one root word. The paper's own ``ROOT -> VBD = 1.0`` asks for
more than any trees can give where a sentence holds two VBD.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core import trees
from core.callbacks import Cancel
from core.compilation.kernels import kernel
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Coverage, Matcher, Matches, as_matcher
from core.errors import Cancelled, ConstraintError
from core.offsets import offsets_of
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees.packed import PackedScores

CHUNK = 4_000_000  # arcs scored at a time, at most: 32 MB
PARTS = 8  # of the corpus, at least, that are mixed apart
DECODINGS = 40  # of the corpus in one search, at most
DIGITS = 8  # of a direction that decide which trees are best in it


@dataclass(frozen=True)
class Overlap:
    """Two constraints that share candidates; ``first`` and ``second`` index the list that was asked about.

    ``shared`` is the number of common candidates, ``conflict`` a sentence when their targets contradict each
    other on these alone, else the empty string.
    """

    first: int
    second: int
    shared: int
    conflict: str = ""


@dataclass(frozen=True)
class Attainable:
    """The smallest and largest share that trees can give a constraint, alone; ``exact`` or else sound bounds."""

    least: float
    most: float
    exact: bool

    def allows(self, constraint: Constraint, tolerance: float = 5e-4) -> bool:
        """Whether some value of the constraint's target lies within; shares are shown to three digits."""
        return constraint.low <= self.most + tolerance and constraint.high >= self.least - tolerance


@dataclass(frozen=True, eq=False)
class JointFeasibility:
    """The shares, attainable by one set of distributions over trees, that come nearest to all targets.

    Attributes
    ----------
    shares : ndarray of shape (C,)
        NaN for a constraint that matches nothing.
    pull : ndarray of shape (C,)
        How far each share stays below (> 0) or above (< 0) its target; zeros when all targets can be met.
    distance : float
        Weighted squared distance from the targets, at least ``distance - gap`` for any trees.
    gap : float
        From Frank-Wolfe duality; ``distance > gap`` proves that the targets contradict each other.
    """

    shares: np.ndarray
    pull: np.ndarray
    distance: float
    gap: float


def overlaps(constraints: Sequence[Constraint], treebank: Treebank | Matcher) -> list[Overlap]:
    """Pairs of constraints that share candidates.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank : Treebank or Matcher

    Returns
    -------
    list of Overlap
        With at least one shared candidate, most shared first. A conflict is reported when, on the shared
        candidates alone, the edges that one target needs exceed what the other allows.

    Notes
    -----
    O(sum over arcs of the squared number of constraints on it).
    """
    matches = as_matcher(treebank, None, constraints).match(constraints)
    shared, pairs = shared_counts(matches), []
    for first, second in np.argwhere(np.triu(shared, 1)).tolist():
        both = int(shared[first, second])
        conflict = _conflict(matches, first, second, both) or _conflict(matches, second, first, both)
        pairs.append(Overlap(first, second, both, conflict))
    return sorted(pairs, key=lambda pair: (-pair.shared, pair.first, pair.second))


def overlaps_with(
    constraint: Constraint, others: Sequence[Constraint], treebank: Treebank | Matcher
) -> list[Overlap]:  # fmt: skip
    """Those of ``overlaps([*others, constraint], treebank)`` that the constraint, the last, is in.

    O(candidates log candidates).
    """
    every, last, pairs = [*others, constraint], len(others), []
    matches = as_matcher(treebank, None, every).match(every)
    candidates = np.append(matches.of(last), -1)  # -1 stands behind the last, for searches that end there
    for first in range(last):
        arcs = matches.of(first)
        both = int(np.count_nonzero(candidates[np.searchsorted(candidates[:-1], arcs)] == arcs))
        if both:
            conflict = _conflict(matches, first, last, both) or _conflict(matches, last, first, both)
            pairs.append(Overlap(first, last, both, conflict))
    return sorted(pairs, key=lambda pair: (-pair.shared, pair.first))


def shared_counts(matches: Matches) -> np.ndarray:
    """int64 (C, C), upper triangle: candidates that two constraints of a Matches share."""
    count = len(matches.constraints)
    sentences = len(matches.arc_offsets) - 1
    begins = np.empty((count, sentences + 1), dtype=np.int64)
    for c in range(count):
        begins[c] = matches.offsets[c] + np.searchsorted(matches.of(c), matches.arc_offsets)
    costs = np.diff(begins, axis=1).sum(axis=0) + 1 if count else np.ones(sentences)
    parts = run_ranges(lambda begin, end: _shared(begin, end, matches.arcs, matches.arc_offsets, begins), costs)
    return np.sum(parts, axis=0) if parts else np.zeros((count, count), dtype=np.int64)


def _conflict(matches, first, second, shared):
    """A sentence when ``first`` needs more shared edges than ``second`` allows, else ``""``."""
    needing, allowing = matches.constraints[first], matches.constraints[second]
    needed = needing.low * matches.denominators[first] - (len(matches.of(first)) - shared)
    allowed = allowing.high * matches.denominators[second]
    if needed <= allowed + 1e-6 * shared:
        return ""
    pairs = "pair" if shared == 1 else "pairs"
    return (
        f"{needing.name} = {needing.target_text} needs {needed:,.1f} arcs among the {shared:,} shared {pairs}, "
        f"{allowing.name} = {allowing.target_text} allows {allowed:,.1f}"
    )


def bounds(coverage: Coverage) -> Attainable | None:
    """Sound bounds on a constraint's share, from its Coverage alone: an Attainable, or None without candidates.

    Over trees with one root word. Exact over non-projective ones when the arrow has a direction and the heads are
    all words or all roots: arcs of one direction form no cycle, so every modifier can take a candidate head at
    once, and the chain in the other direction takes none.
    """
    if not coverage.pairs:
        return None
    constraint = coverage.constraint
    exact = constraint.arrow in ("->", "<-") and (not constraint.head.has_root or len(constraint.head.terms) == 1)
    return Attainable(coverage.least / coverage.denominator, coverage.most / coverage.denominator, exact)


def attainable(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, *, projective: bool = False,
    cancel: Cancel | None = None,
) -> list[Attainable | None]:  # fmt: skip
    """The smallest and largest share that trees can give to each constraint alone, exactly.

    A maximum spanning tree over scores of 1 on the candidates, and of -1 for the smallest, where ``bounds`` are
    not exact already.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank : Treebank or Matcher
    projective : bool
        Over projective trees only.
    cancel : callable or None
        Asked between constraints; true raises Cancelled.

    Returns
    -------
    list of Attainable or None
        None for a constraint that matches nothing.

    Notes
    -----
    Twice a decoding of the sentences with candidates, per constraint: O(n^2) a sentence, O(n^3) if projective.
    """
    matcher = as_matcher(treebank, None, constraints)
    limits = []
    for constraint in constraints:
        if cancel is not None and cancel():
            raise Cancelled
        limit = bounds(matcher.counts([constraint])[0])
        if limit is None or (limit.exact and not projective):
            limits.append(limit)
            continue
        best = BestTrees([constraint], matcher, projective)
        least, most = (best.counts(np.array([sign])).sum() / best.denominators[0] for sign in (-1.0, 1.0))
        limits.append(Attainable(least, most, True))
    return limits


def attainable_together(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, *, projective: bool = False,
    cancel: Cancel | None = None,
) -> JointFeasibility:  # fmt: skip
    """The shares nearest to all targets at once that distributions over trees can have.

    Parameters
    ----------
    constraints, treebank, projective, cancel
        As in ``attainable``; ``cancel`` is asked at every iteration.

    Returns
    -------
    JointFeasibility

    Notes
    -----
    Attainable shares form a polytope whose vertices are corpora of trees. Fully corrective Frank-Wolfe: decode
    with the gradient as arc scores to find a vertex, then project the targets onto what the vertices so far give.
    Each part of the corpus mixes its own vertices, so that a few decodings go a long way. A Matcher remembers the
    vertex of each direction: an edited target most often asks in directions of the search before.
    """
    matcher, constraints = as_matcher(treebank, None, constraints), list(constraints)
    active = [c for c, coverage in enumerate(matcher.counts(constraints)) if coverage.pairs]
    if not active:
        raise ConstraintError("none of the constraints matches anything here; check their tags")
    chosen = [constraints[c] for c in active]
    best = BestTrees(chosen, matcher, projective)
    low, high, weight = (
        np.array([getattr(constraint, name) for constraint in chosen]) for name in ("low", "high", "weight")
    )
    corners = []
    shares, nearest, distance = np.zeros(len(active)), np.zeros(len(active)), np.inf
    slope, floor = -np.ones(len(active)), 0.0  # any first direction will do: ask for arcs
    for _ in range(DECODINGS):
        if cancel is not None and cancel():
            raise Cancelled
        corner = best.counts(-slope / best.denominators) / best.denominators
        if corners:
            gap = float(slope @ (shares - corner.sum(axis=0)))
            floor = max(floor, distance - gap)
            if gap <= 1e-6:
                break
        corners.append(corner)
        shares, nearest = _project(np.stack(corners), low, high, np.sqrt(weight))
        slope = 2 * weight * (shares - nearest)
        distance = float(weight @ (shares - nearest) ** 2)
        if distance <= 1e-9:
            break
    values = np.full(len(constraints), np.nan)
    pull = np.zeros(len(constraints))
    values[active], pull[active] = shares, nearest - shares
    return JointFeasibility(values, pull, distance, max(distance - floor, 0.0))


def _project(corners, low, high, scale):
    """The sum of one point from each part's hull, nearest to the box low..high: (point, nearest in the box).

    ``corners`` (K, parts, C) holds K corners of each part. Non-negative least squares. A heavy row a part makes its
    convex weights sum to one. Another keeps each point of the box, low + t (high - low), within t in 0..1."""
    heavy = 1e3
    count, parts, width = corners.shape
    mixed = count * parts
    wide = np.flatnonzero(high > low)
    rows = np.zeros((width + parts + len(wide), mixed + 2 * len(wide)))
    goal = np.concatenate((scale * low, np.full(parts + len(wide), heavy)))
    rows[:width, :mixed] = (scale * corners).reshape(mixed, width).T
    rows[width : width + parts, :mixed] = heavy * np.tile(np.eye(parts), count)
    for k, c in enumerate(wide):
        rows[c, mixed + 2 * k] = -scale[c] * (high[c] - low[c])
        rows[width + parts + k, mixed + 2 * k : mixed + 2 * k + 2] = heavy
    mixture = scipy.optimize.nnls(rows, goal)[0][:mixed].reshape(count, parts)
    mixture /= mixture.sum(axis=0)
    point = np.einsum("kp,kpc->c", mixture, corners)
    return point, np.clip(point, low, high)


class BestTrees:
    """The best trees of a corpus where only the candidates of some constraints score.

    The Matcher caches the counts of each direction. They do not depend on targets and weights.
    """

    def __init__(self, constraints: Sequence[Constraint], matcher: Matcher, projective: bool):
        coverages = matcher.counts(constraints)
        self.denominators = np.array([coverage.denominator for coverage in coverages], dtype=np.float64)
        self._constraints = tuple(
            replace(constraint, low=0.0, high=1.0, weight=1.0, per="pair") for constraint in constraints
        )
        self._matcher, self._projective = matcher, projective

    def counts(self, direction: np.ndarray) -> np.ndarray:
        """float64 (parts, C): candidates of each constraint in the best trees, each scoring its share of direction.

        They depend on the direction alone: neither on its length nor on its last digits.
        """
        scores = np.round(direction / np.abs(direction).max(), DIGITS) + 0.0
        key = (self._constraints, self._projective, *scores.tolist())
        return self._matcher.cached(key, lambda: self._counts(scores))

    @cached_property
    def _chunks(self):
        return _chunks(self._matcher.match(self._constraints))

    def _counts(self, multipliers):
        decode = trees.eisner if self._projective else trees.maximum_spanning_tree
        counts = np.zeros((len(self._chunks), len(multipliers)))
        for count, (offsets, candidates) in zip(counts, self._chunks, strict=True):
            scores = PackedScores(np.zeros(offsets[-1]), offsets)
            for multiplier, arcs in zip(multipliers, candidates, strict=True):
                scores.values[arcs] += multiplier  # arcs of one constraint are distinct
            heads = decode(scores)
            edges = np.zeros(len(scores.values), dtype=np.bool_)
            _mark_edges(heads.values, heads.offsets, offsets, edges)
            count[:] = [np.count_nonzero(edges[arcs]) for arcs in candidates]
        return counts


def _chunks(matches):
    """The sentences with candidates, cut into parts: list of (arc offsets, candidates of each constraint)."""
    sides = np.rint(np.sqrt(np.diff(matches.arc_offsets))).astype(np.int64)
    owned = [matches.of(c) for c in range(len(matches.constraints))]
    sentences = [np.searchsorted(matches.arc_offsets, arcs, side="right") - 1 for arcs in owned]
    touched = np.unique(np.concatenate(sentences))
    ends = np.cumsum(sides[touched] ** 2)
    chunks = []
    size = min(CHUNK, ends[-1] // PARTS + 1)
    for part in np.split(touched, np.searchsorted(ends, np.arange(size, ends[-1], size), side="right")):
        if not len(part):
            continue
        offsets = offsets_of(sides[part] ** 2)
        shift = np.full(len(sides), -1, dtype=np.int64)
        shift[part] = offsets[:-1]
        candidates = []
        for arcs, sentence in zip(owned, sentences, strict=True):
            inside = shift[sentence] >= 0
            candidates.append((arcs + shift[sentence] - matches.arc_offsets[sentence])[inside])
        chunks.append((offsets, candidates))
    return chunks


@kernel
def _mark_edges(heads, offsets, arc_offsets, edges):
    for i in range(len(offsets) - 1):
        side = offsets[i + 1] - offsets[i]
        for m in range(1, side):
            edges[arc_offsets[i] + heads[offsets[i] + m] * side + m] = True


@kernel
def _shared(begin, end, arcs, arc_offsets, begins):
    """Pairs of constraints on one arc, over sentences begin..end-1: each arc keeps a chain of its constraints."""
    count = len(begins)
    shared = np.zeros((count, count), dtype=np.int64)
    room, entries = 0, 0
    for i in range(begin, end):
        room = max(room, arc_offsets[i + 1] - arc_offsets[i])
        here = 0
        for c in range(count):
            here += begins[c, i + 1] - begins[c, i]
        entries = max(entries, here)
    latest = np.full(room, -1, dtype=np.int64)  # last entry of each arc
    owner = np.empty(entries, dtype=np.int64)
    previous = np.empty(entries, dtype=np.int64)
    for i in range(begin, end):
        filled = 0
        for c in range(count):
            for k in range(begins[c, i], begins[c, i + 1]):
                arc = arcs[k] - arc_offsets[i]
                entry = latest[arc]
                while entry >= 0:
                    shared[owner[entry], c] += 1
                    entry = previous[entry]
                owner[filled], previous[filled] = c, latest[arc]
                latest[arc] = filled
                filled += 1
        latest[: arc_offsets[i + 1] - arc_offsets[i]] = -1
    return shared
