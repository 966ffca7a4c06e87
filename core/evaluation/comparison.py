"""Comparison of several parsers on one text, with gold trees or without: their differences by kinds of words, and
whether these could be chance."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.confusions import ConfusedWords, ranked_confusions, relation_ids
from core.evaluation.errors import DIRECTIONS, DISTANCES, arc_kinds
from core.evaluation.estimates import AccuracyEstimate, estimate
from core.evaluation.scores import AttachmentScores, attachment_scores, require_same_text, same_strings
from core.evaluation.significance import Bootstrap, SignTest, paired_bootstrap, sign_test
from core.treebank.statistics import non_projective
from core.treebank.treebank import Treebank

KINDS = ("tag", "relation", "direction", "distance", "sentence length", "projectivity")
CONFUSED = ("relation", "head tag", "direction")  # values whose confusions can be counted
UAS, LAS = "UAS", "LAS"  # what is right: a head; a head and its relation
LENGTHS = ((1, 5), (6, 10), (11, 20), (21, 40), (41, None))


@dataclass(frozen=True, eq=False)
class Group:
    """Words of one kind: ``rows`` int64 into the treebank; ``right`` by system, each bool (len(rows),)."""

    name: str
    rows: np.ndarray
    right: dict

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.rows)

    def share(self, system: str) -> float | None:
        """Percent of the words that a system attaches right; None of no words."""
        return 100.0 * float(self.right[system].mean()) if len(self.rows) else None


@dataclass(frozen=True, eq=False)
class SystemPair:
    """Two systems: on how many words only one is right (against gold), or on how many they differ (without).

    ``sign`` and ``bootstrap`` are as ``sign_test`` and ``paired_bootstrap`` give them; None without gold trees.
    """

    one: str
    other: str
    only_one: int
    only_other: int
    differ: int
    sign: SignTest | None = None
    bootstrap: Bootstrap | None = None


@dataclass(frozen=True, eq=False)
class Confusion:
    """Frequencies with which ``labels[i]`` in the one was ``labels[j]`` in the other: ``counts[i, j]``."""

    labels: tuple
    counts: np.ndarray
    cells: np.ndarray = field(repr=False)  # cell of each scored word
    scored: np.ndarray = field(repr=False)

    def rows(self, i: int, j: int) -> np.ndarray:
        """Rows of the words in one cell, int64."""
        return self.scored[self.cells == i * len(self.labels) + j]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Parsers side by side.

    Attributes
    ----------
    gold : Treebank or None
    systems : dict from name to Treebank
    scored : ndarray, int64
        Rows of the words that are compared.
    scores : dict from name to AttachmentScores
        Empty without gold trees.
    pairs : tuple of SystemPair
        Every two systems.
    tags : None, "xpos" or "upos"
    voters : tuple of str
        Systems whose majority is right without gold trees; by default all.
    """

    gold: Treebank | None
    systems: dict[str, Treebank]
    scored: np.ndarray
    scores: dict[str, AttachmentScores]
    pairs: tuple[SystemPair, ...]
    tags: str | None = None
    voters: tuple[str, ...] = ()

    @property
    def text(self) -> Treebank:
        """The treebank whose words, tags and (with gold) arcs say what kind a word is."""
        return self.gold if self.gold is not None else next(iter(self.systems.values()))

    @cached_property
    def right(self) -> dict[str, np.ndarray]:
        """For each system, bool (len(scored),): its head is gold's; without gold, the one that most systems choose."""
        heads = {name: bank.heads[self.scored] for name, bank in self.systems.items()}
        if self.gold is None:  # ties go to the earlier system's
            chosen = np.stack([heads[name] for name in self.voters or self.systems])
            votes = (chosen[:, None] == chosen).sum(axis=1)
            reference = chosen[votes.argmax(axis=0), np.arange(votes.shape[1])]
        else:
            reference = self.gold.heads[self.scored]
        return {name: chosen == reference for name, chosen in heads.items()}

    @cached_property
    def right_labelled(self) -> dict[str, np.ndarray]:
        """As ``right``, of the words whose relation is gold's too. Raises WorkbenchError without gold trees."""
        gold = self._reference(None)
        same = {name: same_strings(gold.deprel, bank.deprel)[self.scored] for name, bank in self.systems.items()}
        return {name: right & same[name] for name, right in self.right.items()}

    def right_by(self, measure: str) -> dict[str, np.ndarray]:
        """``right`` by UAS, ``right_labelled`` by LAS."""
        return self.right_labelled if measure == LAS else self.right

    def table(self, kind: str, groups: dict[str, np.ndarray] | None = None, measure: str = UAS) -> tuple[Group, ...]:
        """The words by one of ``KINDS``, largest group first where the kind has no order of its own.

        ``groups``: dict from a name to a bool (rows,) instead, such as the words a constraint concerns. ``measure``
        says what is right: UAS or LAS.
        """
        right = self.right_by(measure)
        if groups is not None:
            return tuple(self._group(name, mask[self.scored], right) for name, mask in groups.items())
        if kind not in KINDS:
            raise WorkbenchError(f"words cannot be grouped by {kind!r}; choose {', '.join(KINDS)}")
        names, ids = self._kinds(kind)
        rows = [self._group(name, ids == index, right) for index, name in enumerate(names)]
        rows = [group for group in rows if group.words]
        return tuple(sorted(rows, key=lambda group: -group.words) if kind in ("tag", "relation") else rows)

    def confusion(self, system: str, by: str = "relation", other: str | None = None) -> Confusion:
        """Confusion of ``by`` ("relation", "head tag" or "direction") between gold, or ``other``, and a system."""
        banks = self._reference(other), self.systems[system]
        labels, (one, two) = _labels(by, banks, self.text.tag_column(self.tags))
        one, two = one[self.scored], two[self.scored]
        total = np.bincount(one, minlength=len(labels)) + np.bincount(two, minlength=len(labels))
        order = [index for index in np.argsort(-total, kind="stable") if total[index]]
        rank = np.zeros(len(labels), np.int64)
        rank[order] = np.arange(len(order))
        cells = rank[one] * len(order) + rank[two]
        counts = np.bincount(cells, minlength=len(order) ** 2).reshape(len(order), len(order))
        return Confusion(tuple(labels[index] for index in order), counts, cells, self.scored)

    def ranked(self, system: str, other: str | None = None, *, labelled: bool = False) -> tuple[ConfusedWords, ...]:
        """The confusions of a system with gold or ``other``, the most frequent first; see ``ranked_confusions``."""
        reference, column = self._reference(other), self.text.tag_column(self.tags)
        return ranked_confusions(reference, self.systems[system], self.scored, column, labelled=labelled)

    def _reference(self, other):
        """Another system, or gold where None is named."""
        reference = self.systems[other] if other is not None else self.gold
        if reference is None:
            raise WorkbenchError("there are no gold trees; name another system to set beside this one")
        return reference

    def within(self, mask: np.ndarray) -> "Comparison":
        """The Comparison of fewer words: those of a bool (rows,). Scores and pairs stay those of all words."""
        return replace(self, scored=self.scored[mask[self.scored]])

    def interval(self, group: Group, system: str) -> AccuracyEstimate | None:
        """The share of a Group's words that a system has right, with a 95% interval; None of fewer than two sentences.

        The sentences stand for a text without end.
        """
        _, index = np.unique(self.text.sentence_rows[group.rows], return_inverse=True)
        words, right = np.bincount(index), np.bincount(index, weights=group.right[system])
        return estimate(right, words) if len(words) > 1 else None

    def differing(self, one: str, other: str) -> np.ndarray:
        """Rows of the words on which two systems choose different heads."""
        return self.scored[self.systems[one].heads[self.scored] != self.systems[other].heads[self.scored]]

    def sentences(self, rows: np.ndarray) -> np.ndarray:
        """The sentences that hold these rows, int64, each once."""
        return np.unique(self.text.sentence_rows[rows])

    def as_dict(self) -> dict:
        """Plain numbers for JSON."""
        pairs = [
            {"systems": [pair.one, pair.other], "only_one": pair.only_one, "only_other": pair.only_other}
            | {"differ": pair.differ}
            | ({"p_value": pair.sign.p_value} if pair.sign is not None else {})
            for pair in self.pairs
        ]
        return {"systems": {name: scores.as_dict() for name, scores in self.scores.items()}, "pairs": pairs}

    def _group(self, name, mask, right):
        return Group(name, self.scored[mask], {system: known[mask] for system, known in right.items()})

    def _kinds(self, kind):
        """(names, id of each scored word)."""
        text = self.text
        if kind in ("tag", "relation"):
            column = text.tag_column(self.tags) if kind == "tag" else text.deprel
            return [value or "(none)" for value in column.values], column.ids[self.scored]
        if kind in ("direction", "distance"):
            names, row = (DIRECTIONS, 1) if kind == "direction" else ((*DISTANCES, "root"), 2)
            return names, arc_kinds(text, text.upos)[row, self.scored]
        sentence = text.sentence_rows[self.scored]
        if kind == "projectivity":
            return ("projective", "non-projective"), non_projective(text.offsets, text.heads)[sentence].astype(int)
        bounds = [low for low, _ in LENGTHS]
        names = [f"{low}-{high} words" if high else f"{low} words and more" for low, high in LENGTHS]
        return names, np.searchsorted(bounds, text.lengths[sentence], side="right") - 1


def compare(
    gold: Treebank | None, systems: dict[str, Treebank] | Sequence[Treebank], *, tags: str | None = None,
    punctuation: bool = True, seed: int = 0, tested: bool = True,
) -> Comparison:  # fmt: skip
    """Set parsers side by side.

    Parameters
    ----------
    gold : Treebank or None
        None if the text has no annotation: then systems are compared with each other only.
    systems : dict from str to Treebank, or a sequence of Treebank
        The same sentences in the same order. Of a sequence the names are the treebanks' own, made distinct.
    tags : None, "xpos" or "upos"
    punctuation : bool, default=True
        Whether punctuation words are compared.
    seed : int
        Of the bootstrap.
    tested : bool, default=True
        Whether every two systems are tested; else ``pairs`` is empty.

    Returns
    -------
    Comparison

    Raises
    ------
    WorkbenchError : no system, or different sentences; names the system and the first sentence that differs.

    Notes
    -----
    O(systems² · words), and 10,000 resamples of sentences a pair for the bootstrap intervals.
    """
    if not isinstance(systems, dict):
        treebanks, systems = systems, {}
        for number, bank in enumerate(treebanks, 1):
            name = bank.name or f"system {number}"
            systems[name if name not in systems else f"{name} ({number})"] = bank
    if not systems:
        raise WorkbenchError("there is no system to compare; give one parse or more")
    text = gold if gold is not None else next(iter(systems.values()))
    for name, system in systems.items():
        try:
            require_same_text(text, system)
        except WorkbenchError as error:
            raise WorkbenchError(f"{name}: {error}") from error
    keep = text.is_word
    for bank in (gold, *systems.values()):
        if bank is not None:
            keep = keep & (bank.heads >= 0)
    if not punctuation:
        keep = keep & ~text.punctuation()
    scored = np.flatnonzero(keep)
    scores = {}
    if gold is not None:
        scores = {name: attachment_scores(gold, bank, punctuation=punctuation) for name, bank in systems.items()}
    pairs = [system_pair(gold, systems, pair, scored, punctuation, seed) for pair in combinations(systems, 2) if tested]
    return Comparison(gold, systems, scored, scores, tuple(pairs), tags)


def tested_words(gold: Treebank, punctuation: bool = True) -> np.ndarray:
    """Rows of the words that paired tests count, int64: all with a gold head, also where a system has none."""
    counted = gold.is_word & (gold.heads >= 0)
    return np.flatnonzero(counted if punctuation else counted & ~gold.punctuation())


def pairs_over(
    gold: Treebank, systems: dict[str, Treebank], counted: np.ndarray, seed: int = 0, column: str | None = None
) -> list[SystemPair]:
    """Every two systems against gold trees, over the words with a gold head that ``counted``, bool (rows,), lets in.

    ``column`` is as in ``sign_test``.
    """
    scored = np.flatnonzero(counted & (gold.heads >= 0))
    return [system_pair(gold, systems, names, scored, counted, seed, column) for names in combinations(systems, 2)]


def system_pair(
    gold: Treebank | None, systems: dict[str, Treebank], names: tuple[str, str], scored: np.ndarray,
    punctuation: bool | np.ndarray = True, seed: int = 0, column: str | None = None,
) -> SystemPair:  # fmt: skip
    """The SystemPair of two of some systems, over the rows ``scored``; the others are as ``paired_bootstrap`` takes."""
    (first_name, one), (second_name, other) = ((name, systems[name]) for name in names)
    differ = int((one.heads[scored] != other.heads[scored]).sum())
    if gold is None:
        return SystemPair(first_name, second_name, 0, 0, differ)
    sign = sign_test(gold, one, other, punctuation=punctuation, column=column)
    bootstrap = paired_bootstrap(gold, one, other, punctuation=punctuation, column=column, seed=seed)
    return SystemPair(first_name, second_name, sign.only_first, sign.only_second, differ, sign, bootstrap)


def _labels(by, banks, column):
    """(names, ids of all rows in each treebank)."""
    if by == "relation":
        names, ids = relation_ids(*banks)
        return [name or "(none)" for name in names], ids
    if by in ("head tag", "direction"):
        names = [*(value or "(none)" for value in column.values), "ROOT"] if by == "head tag" else list(DIRECTIONS)
        return names, [arc_kinds(bank, column)[int(by == "direction")] for bank in banks]
    raise WorkbenchError(f"nothing to confuse by {by!r}; choose relation, head tag or direction")
