"""Contexts of a training text in shards: counted where the shards are, and added up. Its words stay there."""

from collections.abc import Mapping

import numpy as np

from core.consistency.context_counts import ContextCounts
from core.consistency.contexts import ContextIndex, best_types
from core.consistency.labels import Labels, TagCounts, labels_by_counts
from core.consistency.windows import TEMPLATES, find, head_rows, window_keys
from core.shards.engine import Engine, LocalEngine
from core.shards.folder import ShardPart, Shards
from core.treebank import Treebank


class ShardedContextIndex(ContextIndex):
    """As ``ContextIndex``, of a training text in shards. It does not know where in training a context stands.

    Parameters
    ----------
    train : Shards
        With tags and trees.
    test : Treebank, optional
    tags, close
        As for ``labels.shared_labels``.
    longest : int, optional
        Sentences of training of at most so many words.
    engine : Engine, optional
        Where to work; here by default. ``select`` works there too, once somebody asks for what training words choose.

    Raises
    ------
    WorkbenchError : no trees, no tags, or different tag sets.

    Notes
    -----
    Two sums over the shards, and one a selection; O(words log words). What travels are counts of contexts.
    """

    def __init__(
        self, train: Shards, test: Treebank | None = None, *, tags: str | None = None,
        close: Mapping[str, str] | None = None, longest: int | None = None, engine: Engine | None = None,
    ):  # fmt: skip
        self._engine, self._longest = engine or LocalEngine(), longest
        train.tag_column(tags)  # complains where there are none
        counts = self._engine.sum(_tags, train.pieces, longest)
        labels = labels_by_counts(counts, test, tags, close)
        self.tagged_words = getattr(counts, labels.column).total()
        self.train_labels = self.train_heads = np.empty(0, np.int32)
        self.train_types = np.full((len(TEMPLATES), 0), -1, np.int32)
        self._take(train, test, labels, self._engine.sum(_contexts, train.pieces, longest, labels))

    def chosen(self, rank: np.ndarray) -> ContextCounts:
        """As ``ContextIndex.chosen``."""
        return self._engine.sum(_chosen, self.train.pieces, self._longest, self.labels, self.keys, rank)


def _tags(piece: ShardPart, longest: int | None) -> TagCounts:
    return TagCounts.of(piece.text(longest))


def _contexts(piece: ShardPart, longest: int | None, labels: Labels) -> ContextCounts:
    return ContextCounts.of(piece.text(longest), labels)


def _chosen(
    piece: ShardPart, longest: int | None, labels: Labels, known: np.ndarray, rank: np.ndarray
) -> ContextCounts:
    text = piece.text(longest)
    own, heads = labels.of_rows(text), head_rows(text)
    head_labels = np.where(heads >= 0, own[heads], -1)
    types = find(known, np.where(head_labels >= 0, window_keys(text, own, len(labels.names)), -1))
    return ContextCounts.chosen(best_types(types, rank), head_labels)
