"""The candidates of a constraint in a treebank, how many there are, and how many of them are edges.

A candidate is a pair (head, modifier) that a constraint admits. Neighbour conditions (``before head X`` and the like)
concern one row alone, so they restrict the rows of its item. Sentence by sentence, the kernels loop over the rows of
the head's item and of the modifier's item only. Rows are cached for each item, so that typing a constraint counts only
that constraint again, over a few rows.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np

from core.constraints.language.constraint import EITHER_HEAD, PREFIXES, Constraint, Item, Term
from core.constraints.matching import kernels
from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.shards.folder import Shards
from core.threads import run_ranges
from core.treebank import Column, Treebank
from core.trees.packed import PackedScores

T = TypeVar("T")

DIRECTION = {"->": 1, "<-": -1, "--": 0, EITHER_HEAD: kernels.EITHER_HEAD}
FARTHEST = 2**31 - 1  # rows are int32
CACHED = 1024  # values
ANY = Item((Term("any"),))
COUNTS = (
    "pairs", "modifiers", "heads", "sentences",
    "known_pairs", "known_modifiers", "known_heads", "edges", "least", "most",
)  # fmt: skip


@dataclass(frozen=True)
class Coverage:
    """What a constraint covers in a treebank.

    Attributes
    ----------
    constraint : Constraint
    pairs : int
        Candidates: matching (head, modifier) pairs; with ``<->`` pairs of words, each of which is two such candidates.
    modifiers, heads : int
        Words with at least one candidate head, and heads with at least one candidate modifier (roots included).
    sentences : int
        Sentences with at least one candidate.
    known_pairs, known_modifiers, known_heads : int
        The same, over modifiers whose head the treebank knows.
    edges : int
        Candidates that are edges of the treebank's trees.
    least, most : int
        Bounds on how many candidates can be edges at once, over trees with one root word: at most one head a
        word, at most one root a sentence; see ``overlap.bounds`` for when they are exact.
    """

    constraint: Constraint
    pairs: int
    modifiers: int
    heads: int
    sentences: int
    known_pairs: int
    known_modifiers: int
    known_heads: int
    edges: int
    least: int
    most: int

    @property
    def denominator(self) -> int:
        """What the target is a share of: pairs, modifiers or heads."""
        return getattr(self, self.constraint.per + "s")

    @property
    def known_denominator(self) -> int:
        """The denominator over modifiers whose head is known."""
        return getattr(self, f"known_{self.constraint.per}s")

    @property
    def gold_share(self) -> float | None:
        """Edges over the known denominator; None when no head is known. May pass 1 with ``per head``."""
        return self.edges / self.known_denominator if self.known_denominator else None


@dataclass(frozen=True, eq=False)
class Matches:
    """The candidates of several constraints, as arcs of the packed layout of ``PackedScores.empty(lengths)``.

    Attributes
    ----------
    constraints : tuple of Constraint, C of them
    offsets : ndarray of shape (C + 1,), dtype int64
    arcs : ndarray of shape (total,), dtype int64
        Ascending ``arc_offsets[i] + h * (n_i + 1) + m``; those of constraint c are
        ``arcs[offsets[c]:offsets[c + 1]]``.
    arc_offsets : ndarray of shape (S + 1,), dtype int64
    pairs, modifiers, heads : ndarrays of shape (C,), dtype int64
        As in Coverage.
    """

    constraints: tuple
    offsets: np.ndarray
    arcs: np.ndarray
    arc_offsets: np.ndarray
    pairs: np.ndarray
    modifiers: np.ndarray
    heads: np.ndarray

    @property
    def denominators(self) -> np.ndarray:
        """float64 (C,): what each target is a share of; 0 for a constraint that matches nothing."""
        values = [getattr(self, constraint.per + "s")[c] for c, constraint in enumerate(self.constraints)]
        return np.array(values, dtype=np.float64)

    def of(self, c: int) -> np.ndarray:
        """The arcs of constraint c, a view."""
        return self.arcs[self.offsets[c] : self.offsets[c + 1]]

    @cached_property
    def owner(self) -> np.ndarray:
        """int64 (total,): the constraint of each candidate."""
        return np.repeat(np.arange(len(self.constraints)), np.diff(self.offsets))

    def mass(self, marginals: PackedScores) -> np.ndarray:
        """float64 (C,): the sum of the candidates' marginals."""
        return np.bincount(self.owner, marginals.values[self.arcs], minlength=len(self.constraints))

    def scatter(self, slopes: np.ndarray) -> np.ndarray:
        """float64 (A,): for each arc the sum of the slopes (C,) of the constraints that it is a candidate of."""
        return np.bincount(self.arcs, slopes[self.owner], minlength=int(self.arc_offsets[-1]))


def match_counts(
    constraints: Sequence[Constraint], treebank: "Treebank | Matcher", tags: str | None = None
) -> list[Coverage]:
    """list of Coverage, one per constraint, over a Treebank (or Matcher): see ``Matcher.counts``."""
    return as_matcher(treebank, tags, constraints).counts(constraints)


def as_matcher(treebank: "Treebank | Matcher", tags: str | None, constraints: Sequence[Constraint]) -> "Matcher":
    """The Matcher itself, or a new one for a Treebank, of the column that ``choose_tag_column`` chooses."""
    if isinstance(treebank, Matcher):
        return treebank
    return Matcher(treebank, choose_tag_column(constraints, treebank, tags))


def choose_tag_column(
    constraints: Sequence[Constraint], text: Treebank | Shards, tags: str | None = None
) -> str | None:
    """The column that bare items speak of: "xpos" or "upos"; None for a text without tags.

    ``tags`` where that is given. Otherwise the column that has more of the items' tags, and if both have as many, the
    filled one, or XPOS. Of shards the first decides. No other function chooses: a Matcher is made for one column, and a
    trainer has it in its settings.
    """
    if tags is not None:
        return tags
    if isinstance(text, Shards):
        if not text.rows:
            return None
        text = text.pieces[0].text()
    wanted = {term.value for constraint in constraints for term in constraint.terms if term.column == "tag"}
    known = {}
    for name in ("xpos", "upos"):
        column = getattr(text, name)
        if column.filled:
            known[name] = len(wanted & {column.values[k] for k in np.unique(column.ids)})
    return max(known, key=known.__getitem__, default=None)  # the first of equals


class Matcher:
    """A treebank with its items' rows cached: build one per treebank and keep it while constraints are edited.

    Parameters
    ----------
    treebank : Treebank
    tags : "xpos", "upos", or None for a text without tags
        The column that bare items speak of, which ``as_matcher`` chooses.

    Raises WorkbenchError where no column is given for a text with tags, and when a bare item is looked up in a text
    without.
    """

    def __init__(self, treebank: Treebank, tags: str | None):
        if tags is None and (column := choose_tag_column((), treebank)):
            raise WorkbenchError(f"{treebank.name or 'the treebank'} has tags; say whose a matcher reads, as {column}")
        self.treebank, self.tags = treebank, tags
        self.arc_offsets = offsets_of((treebank.lengths + 1) ** 2)
        self._costs = treebank.lengths**2 + 1  # of the sentences, for the thread pool
        self.present = lru_cache(maxsize=len(PREFIXES) + 1)(self._present)
        self.mask = lru_cache(maxsize=128)(self._mask)
        self._rows = lru_cache(maxsize=128)(self._rows)
        self._running = lru_cache(maxsize=32)(self._running)
        self._counts = lru_cache(maxsize=4096)(self._counts)
        self._lock, self._cache = threading.Lock(), {}

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """``make()``, or its cached value; a cache of the last ``CACHED`` small values about the treebank."""
        with self._lock:
            if key in self._cache:
                return self._cache[key]
        made = make()
        with self._lock:
            self._cache[key] = made
            while len(self._cache) > CACHED:
                del self._cache[next(iter(self._cache))]  # the oldest
        return made

    def column(self, name: str) -> Column | None:
        """The treebank's Column that terms with ``column == name`` look at; None for ``*`` and ROOT."""
        if name == "tag":
            return self.treebank.tag_column(self.tags)
        return getattr(self.treebank, name) if name in PREFIXES else None

    def _present(self, name):
        """Which values of ``column(name)`` occur in the treebank: bool (len(values),), False for empty fields."""
        column = self.treebank.tag_column(self.tags) if name == "tag" else getattr(self.treebank, name)
        present = np.bincount(column.ids, minlength=len(column.values)) > 0
        present[0] = False
        return present

    def counts(self, constraints: Sequence[Constraint]) -> list[Coverage]:
        """list of Coverage, one per constraint. O(sum over sentences of head rows x modifier rows)."""
        plain = [replace(constraint, low=0.0, high=1.0, weight=1.0, per="pair") for constraint in constraints]
        return [Coverage(constraint, *self._counts(key)) for constraint, key in zip(constraints, plain, strict=True)]

    def match(self, constraints: Sequence[Constraint]) -> Matches:
        """All candidates as a Matches. Memory: 8 bytes a candidate, 4 per constraint and sentence."""
        constraints = tuple(constraints)
        plans = [self._plan(constraint) for constraint in constraints]
        per_sentence = np.zeros((len(plans), len(self.treebank)), dtype=np.int32)
        offsets, starts = self.treebank.offsets, np.zeros((len(plans), len(self.treebank)), dtype=np.int64)

        def count(begin, end):
            for c, plan in enumerate(plans):
                kernels.count_pairs(begin, end, plan, per_sentence[c])

        def fill(begin, end):
            for c, plan in enumerate(plans):
                kernels.fill_arcs(begin, end, offsets, self.arc_offsets, plan, starts[c], arcs)

        run_ranges(count, self._costs)
        ends = np.cumsum(per_sentence.ravel(), dtype=np.int64)
        starts.ravel()[1:] = ends[:-1]
        arcs = np.empty(ends[-1] if len(ends) else 0, dtype=np.int64)
        run_ranges(fill, self._costs)
        totals = offsets_of(per_sentence.sum(axis=1, dtype=np.int64))
        counts = self.counts(constraints)
        pairs_and_words = (np.array([getattr(count, key) for count in counts], dtype=np.int64) for key in COUNTS[:3])
        return Matches(constraints, totals, arcs, self.arc_offsets, *pairs_and_words)

    def examples(
        self, constraint: Constraint, count: int, start: int = 0, edges: bool | None = None
    ) -> list[tuple[int, int, int]]:
        """Candidates to show: at most one a sentence, from sentence ``start`` on.

        Parameters
        ----------
        count : int
            How many at most.
        start : int
            First sentence to look at; the sentence after the last one shown continues.
        edges : None, True or False
            Only candidates that are (not) edges of the treebank's trees.

        Returns
        -------
        list of (sentence, head, modifier)
            Sentence index, and words of it counted from 1 (head 0: the root).
        """
        examples = np.empty((max(count, 0), 3), dtype=np.int64)
        wish = -1 if edges is None else int(edges)
        bank = self.treebank
        filled = kernels.first_examples(
            max(start, 0), len(bank), bank.offsets, bank.heads, self._plan(constraint), wish, examples
        )
        return [tuple(row) for row in examples[:filled].tolist()]

    def _counts(self, constraint):
        """The values of a Coverage, COUNTS; cached, so ask without denominator and target, which do not matter."""
        plan, bank = self._plan(constraint), self.treebank
        results = run_ranges(lambda begin, end: kernels.count(begin, end, bank.offsets, bank.heads, plan), self._costs)
        counts = dict(zip(COUNTS, np.sum(results, axis=0).tolist() if results else [0] * len(COUNTS), strict=True))
        if constraint.arrow == EITHER_HEAD:  # of two candidates at most one is an arc
            counts |= {"pairs": counts["pairs"] // 2, "known_pairs": counts["known_pairs"] // 2}
            counts["most"] = min(counts["most"], counts["pairs"])
        return list(counts.values())

    def _plan(self, constraint):
        beside = {"head": [], "modifier": []}
        between = []
        farthest = FARTHEST
        for condition in constraint.conditions:
            first, _, last = condition.kind.partition(" ")
            if first in ("before", "after"):
                beside[last].append((-1 if first == "before" else 1, condition.item))
            elif condition.item is None:
                farthest = 1
            else:
                between.append((condition.item, last))
        low, high = constraint.distance or (1, None)
        high = min(farthest, FARTHEST if high is None else high)
        reach = np.array([DIRECTION[constraint.arrow], min(low, FARTHEST), high], dtype=np.int64)
        running = [self._running(item, kind == "only") for item, kind in between]
        head, modifier, ordered = constraint.head, constraint.modifier, np.empty((2, 0), dtype=np.bool_)
        if constraint.arrow == EITHER_HEAD:
            ordered = np.stack((self.mask(head), self.mask(modifier)))
            head = modifier = Item((*head.terms, *modifier.terms))
        return kernels.Plan(
            *self._rows(head, tuple(beside["head"])),
            *self._rows(modifier, tuple(beside["modifier"])),
            reach,
            ordered,
            np.stack(running) if running else np.empty((0, 1), dtype=np.int32),
            np.array([kind == "" for _, kind in between], dtype=np.bool_),
        )

    def _mask(self, item):
        """Which rows an item matches: bool (rows,). Root rows match ROOT and nothing else."""
        bank = self.treebank
        mask = np.full(len(bank.heads), any(term.column == "any" for term in item.terms))
        for name in {term.column for term in item.terms}:
            column = self.column(name)
            if column is None:
                continue
            accepted = [term_values(term, column) for term in item.terms if term.column == name]
            mask |= np.logical_or.reduce(accepted)[column.ids]
        mask[bank.offsets[:-1]] = item.has_root
        return mask

    def _rows(self, item, beside):
        """Rows of an item whose neighbours are as ``beside`` says, and where each sentence's begin."""
        bank, mask = self.treebank, self.mask(item)
        for step, neighbour in beside:
            near = self.mask(neighbour)
            shifted = np.zeros_like(mask)
            if step < 0:  # the row before; no word precedes a root row, whose neighbour is in another sentence
                shifted[1:] = near[:-1]
                shifted[bank.offsets[:-1]] = False
            else:
                shifted[:-1] = near[1:]
                shifted[bank.offsets[1:] - 1] = False
            mask = mask & shifted
        rows = np.flatnonzero(mask).astype(np.int32)
        return rows, np.searchsorted(rows, bank.offsets)

    def _running(self, item, complement):
        """int32 (rows + 1,): how many rows before each match the item, or do not."""
        mask = self.mask(item)
        running = np.zeros(len(mask) + 1, dtype=np.int32)
        np.cumsum(~mask if complement else mask, out=running[1:])
        return running


def term_values(term: Term, column: Column) -> np.ndarray:
    """Which of a Column's values a term accepts: bool (len(values),). ``feats`` accepts supersets."""
    accepted = np.zeros(len(column.values), dtype=np.bool_)
    if term.column != "feats":
        indices = column.alike(term.value)
    else:
        first, *others = sorted((column.having.get(part, ()) for part in set(term.value.split("|"))), key=len)
        indices = sorted(set(first).intersection(*others))
    accepted[indices] = True
    return accepted
