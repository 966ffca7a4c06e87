"""Questions above a parser: how often do words of one kind hang on words of another, on one side?

A question is worth asking where the trees are unsure. Its rank is the sum of m (1 - m) over the arcs it speaks of: m
is their probability under the trees as they stand, as if arcs were independent. No checked tree is needed to choose
questions. Where there are many, questions on which a parser that has not seen them differs from them come first. An
answer is one of eight words, which stand for ranges of the share.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from core.constraints.language.constraint import Constraint, Item, Term
from core.constraints.matching.oracle import ROOT
from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of
from core.treebank import Treebank

ANSWERS = ("never", "hardly ever", "rarely", "less than half", "more than half", "mostly", "nearly always", "always")
EDGES = (0.0, 0.03, 0.12, 0.3, 0.5, 0.7, 0.88, 0.97, 1.0)  # of the ranges that the words stand for, in order
FREQUENT = 60  # the most frequent words, which are kinds of their own beside the tags
FEWEST = 10  # words of a kind that a question speaks of at least
AT_ONCE, ALIKE = 5, 2  # questions between two counts, and how many of them may be about one kind of words
EXAMPLES = 3  # arcs shown with a question
ENOUGH = 20  # checked sentences from which on a parser is compared with them
MOST_ARCS = 1_000_000  # of which keys are sorted at a time: a bound on memory
DEVIATIONS = 2.0  # standard deviations that a parser's count must be off that of checked trees


@dataclass(frozen=True)
class ArcQuestion:
    """A constraint without a target yet, and what is known of it.

    Attributes
    ----------
    constraint : Constraint
        ``per modifier``, its target 0..1.
    of : int
        How many words it speaks of.
    share : float
        How many of them hang so under the trees as they stand.
    variance : float
        The sum of m (1 - m), by which questions are ranked.
    gap : float
        By how many arcs the parser differs from checked trees; 0 where that may be chance.
    examples : tuple of (sentence, head, modifier)
        The arcs that are least sure, at most one a sentence.
    """

    constraint: Constraint
    of: int
    share: float
    variance: float
    gap: float = 0.0
    examples: tuple[tuple[int, int, int], ...] = ()

    @property
    def name(self) -> str:
        """The name of the constraint, by which a question is passed over."""
        return self.constraint.name

    def answer(self, word: str) -> Constraint:
        """The confirmed constraint that an answer makes. Raises WorkbenchError for a word that is no answer."""
        return answered(self.constraint, word)


@dataclass(frozen=True, eq=False)
class CheckedTrees:
    """Trees that somebody checked, and a parser that has not learnt from them.

    Attributes
    ----------
    heads : int array of shape (rows,)
        Laid out as the text's; -1 where a head is not known.
    marginals : ndarray of shape (A,), dtype float64
        The parser's probability of every arc.
    """

    heads: np.ndarray
    marginals: np.ndarray


def answered(constraint: Constraint, word: str) -> Constraint:
    """A constraint whose target is the range that an answer stands for, as somebody confirmed it.

    Raises WorkbenchError for a word that is no answer.
    """
    if word not in ANSWERS:
        raise WorkbenchError(f"{word!r} is no answer; choose one of {', '.join(ANSWERS)}")
    place = ANSWERS.index(word)
    return replace(constraint, low=EDGES[place], high=EDGES[place + 1], weight=1.0, confirmed=True)


def answer_of(share: float) -> str:
    """The word for a share from 0 to 1; at an edge the higher one."""
    return ANSWERS[int(np.searchsorted(EDGES[1:-1], share, side="right"))]


class ArcQuestions:
    """All questions about a text without punctuation.

    Parameters
    ----------
    words : Treebank
        Its heads are not read.
    column : {"upos", "xpos"}
        The tags that questions name.

    Notes
    -----
    O(sum of n^2) memory and time: each arc is in at most four kinds. Keys are counted a million arcs at a time.
    """

    def __init__(self, words: Treebank, column: str):
        self.column, self._starts = words.tag_column(column), words.offsets
        counts = Counter(words.form.ids[words.is_word].tolist())
        frequent = sorted(counts, key=lambda form: (-counts[form], form))[:FREQUENT]
        self._tags, self._forms = len(self.column.values), [words.form.values[form] for form in frequent]
        places = np.full(len(words.form.values), -1)
        places[frequent] = self._tags + np.arange(len(frequent))
        offsets, size = arc_offsets_of(words.lengths), (self._tags + len(frequent)) * (self._tags + 1) * 4
        pieces = np.split(np.arange(len(words)), np.flatnonzero(np.diff(offsets[1:] // MOST_ARCS)) + 1)
        keyed, of = [], np.zeros(size, np.int64)
        for piece in pieces:
            keyed.append(self._keyed(words, places, offsets, piece))
            keys, rows = keyed[-1][0].astype(np.int64), keyed[-1][3]
            of += np.bincount(np.unique(keys * len(words.heads) + rows) // len(words.heads), minlength=size)
        keys, self._arcs, self._heads, self._rows = (np.concatenate(each) for each in zip(*keyed, strict=True))
        self._keys, number = np.flatnonzero(of), np.zeros(size, np.int32)
        number[self._keys] = np.arange(len(self._keys))
        self._of_key, self._counts = number[keys], of[self._keys]

    def _keyed(self, words, places, offsets, piece):
        """(keys, arcs, heads, rows) of some sentences that follow each other; an arc is there once for each key."""
        sides = words.lengths + 1
        sentences = np.repeat(piece, sides[piece] ** 2)
        arcs = np.arange(len(sentences)) + offsets[piece[:1]].sum()
        heads, modifiers = np.divmod(arcs - offsets[sentences], sides[sentences])
        some = (modifiers > 0) & (heads != modifiers)
        arcs, heads, modifiers, first = arcs[some], heads[some], modifiers[some], words.offsets[sentences[some]]
        tags, rows = self.column.ids, first + modifiers
        head_tags = np.where(heads == 0, self._tags, tags[first + heads])
        near, found = (np.abs(heads - modifiers) == 1) & (heads > 0), []
        for kinds in (tags[rows].astype(np.int64), places[words.form.ids[rows]]):
            pairs = ((kinds * (self._tags + 1) + head_tags) * 2 + (modifiers > heads)) * 2
            for chosen, keys in ((kinds >= 0, pairs), ((kinds >= 0) & near, pairs + 1)):
                columns = keys.astype(np.int32), arcs, heads.astype(np.int32), rows.astype(np.int32)
                found.append([column[chosen] for column in columns])
        return [np.concatenate(each) for each in zip(*found, strict=True)]

    def ranked(
        self, marginals: np.ndarray, asked: Collection[str] = (), count: int = AT_ONCE, alike: int = ALIKE,
        checked: CheckedTrees | None = None,
    ) -> list[ArcQuestion]:  # fmt: skip
        """The questions that the trees are least sure of, of five in a row ``alike`` at most about one kind of words.

        Parameters
        ----------
        marginals : ndarray of shape (A,), dtype float64
            The probability of every arc, packed as scores are.
        asked : collection of str
            Names of constraints, which are left out.
        checked : CheckedTrees, optional
            Questions on which these differ come first, by the number of arcs.
        """
        masses, variances = self._sums(marginals)
        gaps = np.zeros(len(masses)) if checked is None else self._gaps(checked)
        order, chosen = np.lexsort((-variances, -gaps)).tolist(), []
        left = [place for place in order if self._counts[place] >= FEWEST]
        while len(chosen) < count:
            few = self._few(left, set(asked), min(AT_ONCE, count - len(chosen)), alike)
            if not few:
                break
            left = [place for place in left if place not in few]
            for place, constraint in few.items():
                of = int(self._counts[place])
                share, variance, gap = float(masses[place] / of), float(variances[place]), float(gaps[place])
                chosen.append(ArcQuestion(constraint, of, share, variance, gap, self._examples(place, marginals)))
        return chosen

    def _few(self, places, asked, count, alike):
        """dict of the first ``count`` places with their constraints, at most ``alike`` of one kind of words."""
        kinds, few = Counter(), {}
        for place in places:
            if len(few) == count:
                break
            constraint = self._constraint(int(self._keys[place]))
            if kinds[constraint.modifier] < alike and constraint.name not in asked:
                kinds[constraint.modifier] += 1
                few[place] = constraint
        return few

    def _sums(self, marginals, of: np.ndarray | slice = slice(None)):
        """For each key the sum of m and of m (1 - m), over all its arcs or those ``of``."""
        shares, keys, number = marginals[self._arcs[of]], self._of_key[of], len(self._keys)
        return np.bincount(keys, shares, minlength=number), np.bincount(keys, shares * (1 - shares), minlength=number)

    def _gaps(self, checked):
        """For each key by how many arcs a parser's count is off the right one, 0 within DEVIATIONS."""
        heads = checked.heads[self._rows]
        known = np.flatnonzero(heads >= 0)
        masses, variances = self._sums(checked.marginals, known)
        right = self._of_key[np.flatnonzero(heads == self._heads)]
        gaps = np.abs(np.bincount(right, minlength=len(self._keys)) - masses)
        return np.where(gaps > DEVIATIONS * np.sqrt(variances), gaps, 0.0)

    def _examples(self, place, marginals):
        """The (sentence, head, modifier) of the arcs of a key whose probabilities are nearest to a half."""
        of_key = np.flatnonzero(self._of_key == place)
        order = of_key[np.argsort(np.abs(marginals[self._arcs[of_key]] - 0.5), kind="stable")]
        sentences = np.searchsorted(self._starts, self._rows[order], side="right") - 1
        first = np.sort(np.unique(sentences, return_index=True)[1])[:EXAMPLES]
        modifiers = self._rows[order] - self._starts[sentences]
        columns = sentences[first], self._heads[order][first], modifiers[first]
        return tuple(zip(*(column.tolist() for column in columns), strict=True))

    def _constraint(self, key):
        """The Constraint of a key, without a target."""
        key, near = divmod(key, 2)
        key, is_after = divmod(key, 2)
        kind, head = divmod(key, self._tags + 1)
        tags = self._tags
        term = Term("tag", self.column.values[kind]) if kind < tags else Term("form", self._forms[kind - tags])
        return Constraint(
            head=ROOT if head == tags else Item((Term("tag", self.column.values[head]),)),
            modifier=Item((term,)), arrow="->" if is_after else "<-", low=0.0, high=1.0,
            distance=(1, 1) if near else None, per="modifier",
        )  # fmt: skip
