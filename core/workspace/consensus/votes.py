"""The votes behind a selection of contexts: the words in each, and those that a moved threshold adds or drops."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from core.consistency import ContextEffect, ContextIndex, Contexts
from core.consistency.contexts import head_labels
from core.consistency.effects import WordEffect
from core.files.tables import columns_of
from core.workspace.consensus.run import ConsensusOutcome
from core.workspace.wording import word_name

MOST = 400  # rows listed at once; how many there are in all stands beside the list
TRAIN, TEST = 0, 1
CHANGES = ("", "added", "dropped")
EffectT = TypeVar("EffectT", ContextEffect, WordEffect)


@dataclass(frozen=True, eq=False)
class Votes:
    """K words that stand in one context, or did before a threshold moved: votes dropped or added
    first, then words to parse before words of the trees.

    Attributes
    ----------
    texts : ndarray of shape (K,)
        TRAIN or TEST.
    rows, sentences, words : ndarrays of shape (K,), dtype int64
        Row of its treebank, sentence, and word in it from 1.
    changes : ndarray of shape (K,)
        Place in CHANGES: counted before and now, added, dropped.
    """

    texts: np.ndarray
    rows: np.ndarray
    sentences: np.ndarray
    words: np.ndarray
    changes: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def within(self, places: Iterable[int]) -> "Votes":
        """The Votes among them that words to parse cast, in sentences among ``places``: indices of the text."""
        inside = (self.texts == TEST) & np.isin(self.sentences, np.asarray(places, np.int64))
        return Votes(*(column[inside] for column in (self.texts, self.rows, self.sentences, self.words, self.changes)))

    def count(self, text: int, change: str | None = None) -> int:
        """How many stand in TRAIN or TEST, of one change or of those that count now."""
        counted = self.changes < 2 if change is None else self.changes == CHANGES.index(change)
        return int((counted & (self.texts == text)).sum())


def context_table(
    selection: Contexts, former: Contexts, change: str | None = None, most: int = MOST
) -> tuple[list[int], dict[str, list], int]:
    """The contexts of a selection, and those it dropped, the largest first.

    Parameters
    ----------
    selection, former : Contexts
        Of one index: as chosen now, and as before.
    change : str, optional
        List only contexts "added" or "dropped".

    Returns
    -------
    kinds : list of int
        Each row's context, as numbered in the index.
    columns : dict of list
    total : int
        Rows there are, listed or not.
    """
    index = selection.index
    kinds = np.union1d(selection.types, former.types)
    train, test = _sizes(selection.train_types, kinds), _sizes(selection.test_types, kinds)
    now, before = np.isin(kinds, selection.types), np.isin(kinds, former.types)
    changes = np.where(now & before, 0, np.where(now, 1, 2))
    order = np.lexsort((kinds, -train - test, ~now))
    if change is not None:
        order = order[changes[order] == CHANGES.index(change)]
    total, order = len(order), order[:most]
    shown = kinds[order]
    return shown.tolist(), {
        "context": [index.name(kind) for kind in shown],
        "head": [index.labels.names[label] for label in index.majority[shown]],
        "share": (index.majority_count[shown] / index.count[shown]).tolist(),
        "of": index.count[shown].tolist(),
        "inside": index.inside[shown].tolist(),
        "train": train[order].tolist(),
        "test": test[order].tolist(),
        "change": [CHANGES[number] for number in changes[order]],
    }, total  # fmt: skip


def votes_of(selection: Contexts, former: Contexts, kind: int) -> Votes:
    """The Votes of a context, as numbered in the index."""
    parts = []
    for text, treebank, now, before in (
        (TRAIN, selection.index.train, selection.train_types, former.train_types),
        (TEST, selection.index.test, selection.test_types, former.test_types),
    ):
        is_counted, was_counted = now == kind, before == kind
        rows = np.flatnonzero(is_counted | was_counted)
        sentences = np.searchsorted(treebank.offsets, rows, side="right") - 1
        change = np.where(is_counted[rows] & was_counted[rows], 0, np.where(is_counted[rows], 1, 2))
        parts.append((np.full(len(rows), text), rows, sentences, rows - treebank.offsets[sentences], change))
    columns = [np.concatenate(part) for part in zip(*parts, strict=True)]
    order = np.lexsort((columns[1], -columns[0], -columns[4]))
    return Votes(*(column[order] for column in columns))


def vote_table(
    index: ContextIndex, votes: Votes, outcome: ConsensusOutcome | None = None, most: int = MOST
) -> dict[str, list]:
    """Columns of a table over Votes: where they stand, the head each chooses, whether the vote counts.

    ``outcome`` is of the same texts: it has the heads that test words chose without and with consistency.
    """
    rows, column, sentences = [], index.labels.column, {}
    for k in range(min(len(votes), most)):
        text, row, number = int(votes.texts[k]), int(votes.rows[k]), int(votes.words[k])
        treebank = index.test if text == TEST else index.train
        position = text, int(votes.sentences[k])
        sentence = sentences.setdefault(position, treebank[position[1]])
        parsed = () if outcome is None else (outcome.base.heads, outcome.parse.heads)
        heads = [int(tree_heads[row]) for tree_heads in parsed] if parsed and text == TEST else [-1, -1]
        words = (word_name(sentence, word, column) for word in (number, int(treebank.heads[row]), *heads))
        numbered = "text" if text == TEST else "trees", int(treebank.picks[position[1]]) + 1
        rows.append((*numbered, *words, CHANGES[votes.changes[k]]))
    return columns_of(("text", "sentence", "word", "own", "alone", "consistent", "vote"), rows)


def ballot(index: ContextIndex, votes: Votes, outcome: ConsensusOutcome | None = None) -> dict[str, list[int | None]]:
    """Votes that count, by the tag of the head: dict of tag -> [training trees, parser alone, consistent].

    The last two are None without an outcome. The most voted for first.
    """
    counted = votes.changes < 2
    columns: list[np.ndarray | None] = [_tally(index, index.train_heads, votes.rows[counted & (votes.texts == TRAIN)])]
    for name in ("base", "parse"):
        if outcome is None:
            columns.append(None)
            continue
        labels = head_labels(index.test, index.test_labels, getattr(outcome, name).heads)
        columns.append(_tally(index, labels, votes.rows[counted & (votes.texts == TEST)]))
    total = np.sum([column for column in columns if column is not None], axis=0)
    return {
        index.labels.names[label]: [None if column is None else int(column[label]) for column in columns]
        for label in np.argsort(-total, kind="stable")
        if total[label]
    }


def _tally(index, labels, rows):
    voted = labels[rows]
    return np.bincount(voted[voted >= 0], minlength=len(index.labels.names))


def _sizes(types, kinds):
    size = int(kinds.max(initial=-1)) + 1
    return np.bincount(types[(types >= 0) & (types < size)], minlength=size)[kinds]


def effect_table(effects: Sequence[ContextEffect]) -> dict[str, list]:
    """Columns of a table over ContextEffects; ``corrected`` and ``harmed`` hold None without gold trees."""
    rows = [(row.name, row.label, row.size, len(row.changes), row.corrected, row.harmed) for row in effects]
    return columns_of(("context", "consensus", "size", "changed", "corrected", "harmed"), rows)


def effects_within(effects: Sequence[EffectT], places: Iterable[int]) -> list[EffectT]:
    """The effects of contexts, or of groups, on words in sentences among ``places``, with those changes alone."""
    within, wanted = [], set(np.asarray(places, np.int64).tolist())
    for effect in effects:
        changes = tuple(change for change in effect.changes if change.sentence in wanted)
        if not changes:
            continue
        judged = [sum(getattr(change, side) == change.gold for change in changes) for side in ("after", "before")]
        corrected, harmed = judged if effect.corrected is not None else (None, None)
        within.append(replace(effect, changes=changes, corrected=corrected, harmed=harmed))
    return within


def effect_words(outcome: ConsensusOutcome, effect: ContextEffect) -> dict[str, list]:
    """Columns of a table over the words that a context changed: sentence, word, heads without, with, and its own."""
    treebank, column = outcome.inputs.test, outcome.contexts.index.labels.column
    rows = []
    for change in effect.changes:
        words = change.word, change.before, change.after, -1 if change.gold is None else change.gold
        names = (word_name(treebank[change.sentence], number, column) for number in words)
        rows.append((int(treebank.picks[change.sentence]) + 1, *names))
    return columns_of(("sentence", "word", "alone", "consistent", "own"), rows)
