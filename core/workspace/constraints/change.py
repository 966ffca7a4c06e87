"""What a training run changed: two sets of trees over the same text, and how many heads are right in each."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.constraints import Matches
from core.evaluation import attachment_scores
from core.search.browse import sentence_table
from core.treebank import Treebank
from core.trees import PackedScores
from core.workspace.constraints.text import Text
from core.workspace.groups import kept_in_order

if TYPE_CHECKING:
    from core.workspace.constraints.text import TextOutcome

SUPPORTING = 0.5  # a constraint whose target reaches this speaks for its candidates


@dataclass(frozen=True, eq=False)
class Change:
    """Trees before and after.

    Attributes
    ----------
    before, after : Outcome
    moved : ndarray of shape (S,), dtype int64
        Words of each sentence whose head is another one.
    order : ndarray of shape (S,), dtype int64
        Sentences by the share of words that moved, most first; ties as in the text. After a first training, as in
        the text: untrained trees are arbitrary, and so is what moved away from them.
    right_before, right_after, scored : int
        Right heads of the words scored: those with a gold head, punctuation left out. ``scored`` may be 0.
    """

    before: "TextOutcome"
    after: "TextOutcome"
    moved: np.ndarray
    order: np.ndarray
    right_before: int
    right_after: int
    scored: int

    @property
    def is_first(self) -> bool:
        """Whether the trees before were those of the untrained model, so that all arcs are new."""
        return self.before.run is None and self.after.run is not None

    def within(self, places: np.ndarray) -> "Change":
        """The same Change, in whose order stand only these sentences: indices of the Text's treebank."""
        if len(places) == len(self.order):
            return self
        return replace(self, order=kept_in_order(self.order, places))

    def place_of(self, sentence: int) -> int:
        """Where a sentence stands in ``order``."""
        return int(np.flatnonzero(self.order == sentence)[0])


def compare(text: Text, before: "TextOutcome", after: "TextOutcome") -> Change:
    """The Change from one Outcome of a Text to another. O(rows)."""
    treebank = text.treebank
    differs = before.heads != after.heads
    differs[treebank.offsets[:-1]] = False
    moved = np.add.reduceat(differs, treebank.offsets[:-1], dtype=np.int64)
    order = np.argsort(-moved / treebank.lengths, kind="stable")
    right = [right_heads(treebank, outcome.heads) for outcome in (before, after)]
    change = Change(before, after, moved, order, right[0][0], right[1][0], right[1][1])
    return replace(change, order=np.arange(len(treebank))) if change.is_first else change


def change_table(text: Text, change: Change, most: int = 100) -> dict[str, list]:
    """Columns of a table over the first ``most`` sentences in the Change's order: words moved, words, text.

    Without words moved after a first training.
    """
    shown = change.order[:most]
    table = sentence_table(text.treebank, shown)
    moved = {} if change.is_first else {"moved": change.moved[shown].tolist()}
    return moved | {"words": table["words"], "text": table["text"]}


def right_heads(treebank: Treebank, heads: np.ndarray) -> tuple[int, int]:
    """(right heads, words scored): words with a gold head, punctuation left out."""
    if not (treebank.heads >= 0).any():
        return 0, 0
    scores = attachment_scores(treebank, treebank.with_heads(heads), punctuation=False)
    return scores.heads, scores.words


def shares(matches: Matches, marginals: PackedScores) -> np.ndarray:
    """The model's share for each constraint: float64 (C,), NaN for one that matches nothing."""
    owner = np.repeat(np.arange(len(matches.constraints)), np.diff(matches.offsets))
    mass = np.bincount(owner, marginals.values[matches.arcs], minlength=len(matches.constraints))
    denominators = matches.denominators
    return np.divide(mass, denominators, out=np.full(len(mass), np.nan), where=denominators > 0)


def supported_arcs(matches: Matches, sentence: int) -> np.ndarray:
    """bool (n + 1, n + 1): arcs of a sentence that a constraint with a target of at least one half speaks for."""
    begin, end = matches.arc_offsets[sentence], matches.arc_offsets[sentence + 1]
    side = round(float(end - begin) ** 0.5)
    supported = np.zeros(end - begin, dtype=bool)
    for c, constraint in enumerate(matches.constraints):
        if (constraint.low + constraint.high) / 2 >= SUPPORTING:
            arcs = matches.of(c)
            first, last = np.searchsorted(arcs, (begin, end))
            supported[arcs[first:last] - begin] = True
    return supported.reshape(side, side)
