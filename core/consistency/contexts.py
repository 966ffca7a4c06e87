"""Contexts: windows of tags around a word that say, by the training trees, which tag its head has.

A template is a window of offsets r..s around the word, r <= 0 <= s and s - r < 4 (rush2012 section 7): ten in all.
A context is a template with tags in it, such as DT **JJ** NN. ``ContextIndex`` counts all contexts of a training text
once; a selection under other thresholds then takes milliseconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex, cast

import numpy as np

from core.consistency.context_counts import ContextCounts
from core.consistency.labels import Labels, TagCounts, shared_labels
from core.consistency.settings import ContextSettings
from core.consistency.windows import LENGTHS, TEMPLATES, WIDEST, find, head_rows, window_keys
from core.errors import WorkbenchError
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.shards.parts import Parts
from core.treebank import Treebank

LEVELS = (0.7, 0.8, 0.9, 1.0)  # levels of Table 1


def select_contexts(
    train: Treebank, test: Treebank | None = None, *, tags: str | None = None, close: Mapping[str, str] | None = None,
    **settings: Any,
) -> "Contexts":  # fmt: skip
    """Contexts of a training text that predict the head's tag, and the words of both texts that stand in them.

    Parameters
    ----------
    train : Treebank
        With trees; words without a known head do not count.
    test : Treebank, optional
        Its trees, if it has any, are not looked at.
    tags, close
        As for ``shared_labels``.
    **settings
        Of ``ContextSettings``.

    Returns
    -------
    Contexts

    Raises
    ------
    WorkbenchError : no trees, no tags, different tag sets, or settings that select nothing.

    Notes
    -----
    O(words log words). To move a threshold, keep the ``ContextIndex`` and call its ``select``.
    Source: rush2012 section 7.
    """
    contexts = ContextIndex(train, test, tags=tags, close=close).select(ContextSettings(**settings))
    contexts.require_some()
    return contexts


class ContextIndex:
    """All contexts of a training text with their heads, and where they occur in both texts.

    Parameters
    ----------
    train : Treebank or Shards
        With tags and trees. Of shards, contexts are counted where the shards are, and their words stay there.
    test : Treebank, optional
    tags, close
        As for ``shared_labels``.
    longest : int, optional
        Sentences of training of at most so many words.
    engine : Engine, optional
        Where shards are worked on; here by default.

    Attributes
    ----------
    train, test : Treebank
        ``test`` may be None, and ``train`` Shards.
    labels : Labels
    template : ndarray of shape (N,), dtype int8
        Of each of the N contexts that training has: its place in ``TEMPLATES``.
    tags : ndarray of shape (N, 4), dtype int32
        Its tags from left to right, 0 beyond its length.
    count : ndarray of shape (N,), dtype int64
        Words with a head that stand in it in training.
    majority, majority_count : ndarray of shape (N,)
        The most frequent label of their heads, the smallest of equals, and how many have it.
    inside : ndarray of shape (N,), dtype bool
        Whether most of these heads stand within the context.
    counts : ContextCounts
        Of training, its contexts by ``keys`` (N,).
    tagged_words : int
        Words of training with a tag.
    train_types, test_types : ndarray of shape (10, rows), dtype int32
        The context of each word by template; -1 where the window leaves the sentence, or training lacks the context.
    train_labels, train_heads : ndarray of shape (rows,), dtype int32
        The label of each training word, and of its head; -1 where there is none. No rows for a text in shards.

    Raises
    ------
    WorkbenchError : no trees, no tags, or different tag sets.

    Notes
    -----
    Two sums over the parts of the training text, and one a selection; O(words log words).
    """

    def __init__(
        self, train: Treebank | Shards, test: Treebank | None = None, *, tags: str | None = None,
        close: Mapping[str, str] | None = None, longest: int | None = None, engine: Engine | None = None,
    ):  # fmt: skip
        if isinstance(train, Treebank) and longest is not None:
            train = train.max_length(longest)
        self._parts, self._longest = Parts.of(train, engine), longest
        self.train = cast(Treebank, train)  # nobody asks Shards for rows
        self.test: Any = test  # whoever gave none does not ask for it
        train.tag_name(tags)  # complains where there are none
        tag_counts = self._parts.sum(_tag_counts, longest)
        self.labels = labels = shared_labels(tag_counts, test, tags, close)
        self.tagged_words = getattr(tag_counts, labels.column).total()
        self.counts = counts = self._parts.sum(_context_counts, longest, labels)
        if not len(counts.keys):
            raise WorkbenchError(f"{train.name or 'the training text'} has no word with a tag and a head; give trees")
        self.keys = counts.keys[counts.first]
        size = len(labels.names)
        self.template = (self.keys // size**WIDEST).astype(np.int8)
        rest = self.keys % size**WIDEST
        self.tags = np.stack([rest // size**position % size for position in range(WIDEST)], axis=1).astype(np.int32)
        self.count = np.add.reduceat(counts.counts, counts.first)
        order = np.lexsort((-counts.labels, counts.counts, counts.places()))  # the last of each context is its majority
        best = order[np.append(counts.first[1:], len(order)) - 1]
        self.majority, self.majority_count = counts.labels[best].astype(np.int32), counts.counts[best]
        self.inside = 2 * counts.within[best] > self.majority_count
        self.test_labels, self.test_types = np.empty(0, np.int32), np.full((len(TEMPLATES), 0), -1, dtype=np.int32)
        if test is not None:
            self.test_labels = labels.of_rows(test)
            self.test_types = find(self.keys, window_keys(test, self.test_labels, size))

    def chosen(self, rank: np.ndarray) -> ContextCounts:
        """Training words by the context that each chooses, that of the highest rank (N + 1,), and their heads' labels.

        Keys are numbers of contexts here. O(words).
        """
        if isinstance(self.train, Shards):
            return self._parts.sum(_chosen_contexts, self._longest, self.labels, self.keys, rank)
        return ContextCounts.chosen(best_types(self.train_types, rank), self.train_heads)

    @cached_property
    def _train_rows(self):
        """(labels, labels of heads, contexts) of the rows of training, as the attributes have them."""
        if isinstance(self.train, Shards):
            none = np.empty(0, np.int32)
            return none, none, np.full((len(TEMPLATES), 0), -1, np.int32)
        return _training_rows(self.train, self.labels, self.keys)

    train_labels = property(lambda self: self._train_rows[0])
    train_heads = property(lambda self: self._train_rows[1])
    train_types = property(lambda self: self._train_rows[2])

    @property
    def share(self) -> np.ndarray:
        """float64 (N,): the part of each context's training words whose head has the majority label."""
        return self.majority_count / self.count

    def name(self, context: SupportsIndex) -> str:
        """A context in words, its own word marked: ``DT *JJ* NN``."""
        first, last = TEMPLATES[self.template[context]]
        words = [self.labels.names[label] for label in self.tags[context, : last - first + 1].tolist()]
        words[-first] = f"*{words[-first]}*"
        return " ".join(words)

    def window(self, context: int, word: int) -> tuple[int, int]:
        """(first, end) of the words of a context that stands on ``word``, end exclusive."""
        first, last = TEMPLATES[self.template[context]]
        return word + first, word + last + 1

    def select(self, settings: ContextSettings | None = None) -> "Contexts":
        """The contexts that ``settings`` (ContextSettings) trust: a Contexts, perhaps of none. O(words)."""
        settings = settings or ContextSettings()
        usable = self.majority_count >= settings.threshold * self.count - 1e-9
        usable &= (self.count >= settings.minimum_count) & (LENGTHS[self.template] <= settings.width)
        keys = [-np.arange(len(usable)), self.count, LENGTHS[self.template]]
        if settings.prefer_inside:
            keys.append(self.inside)
        rank = np.empty(len(usable) + 1, dtype=np.int64)
        rank[np.lexsort(keys)] = np.arange(len(usable))
        rank[:-1][~usable] = -1
        rank[-1] = -1  # the rank of type -1: no context
        return Contexts(self, settings, rank)

    def table(self, minimum_count: int = 10, levels: Sequence[float] = LEVELS) -> list[dict]:
        """Percentages, at each level, of the contexts with ``minimum_count`` training words (rush2012, Table 1).

        Returns a list of dicts: ``contexts`` ("all" or "head inside"), ``count``, and ``shares``, a dict of level to
        percentage, None where there is no such context.
        """
        frequent = self.count >= minimum_count
        rows = []
        for name, chosen in (("all", frequent), ("head inside", frequent & self.inside)):
            count, share = int(chosen.sum()), self.share[chosen]
            shares = {level: 100 * float((share >= level - 1e-9).mean()) if count else None for level in levels}
            rows.append({"contexts": name, "count": count, "shares": shares})
        return rows


@dataclass(frozen=True, eq=False)
class Contexts:
    """A selection of contexts and the words that stand in them, at most one a word.

    Attributes
    ----------
    index : ContextIndex
    settings : ContextSettings
    rank : ndarray of shape (N + 1,), dtype int64
        Of several contexts of a word the one of the highest rank is taken; -1 where it is not trusted.
    """

    index: ContextIndex
    settings: ContextSettings
    rank: np.ndarray

    @cached_property
    def train_types(self) -> np.ndarray:
        """int32 (rows,): each training row's context as numbered in the index; -1 for none."""
        return best_types(self.index.train_types, self.rank)

    @cached_property
    def test_types(self) -> np.ndarray:
        """int32 (rows,): each test row's context as numbered in the index; -1 for none."""
        return best_types(self.index.test_types, self.rank)

    @cached_property
    def chosen(self) -> ContextCounts:
        """Training words by the contexts that they choose, numbered as in the index, and their heads' labels."""
        return self.index.chosen(self.rank)

    @cached_property
    def types(self) -> np.ndarray:
        """int32 (C,): the contexts in use, ascending: those of a test word, or without a test text of a training word.

        All other attributes number contexts 0..C-1 in this order.
        """
        if self.index.test is None:
            return np.unique(self.chosen.keys).astype(np.int32)
        return np.unique(self.test_types[self.test_types >= 0])

    def __len__(self):
        return len(self.types)

    @cached_property
    def train_contexts(self) -> np.ndarray:
        """int32 (rows,): the context of each training row; -1 for none, and for those that no test word uses."""
        return find(self.types, self.train_types)

    @cached_property
    def test_contexts(self) -> np.ndarray:
        """int32 (rows,): the context of each test row, -1 for none."""
        return find(self.types, self.test_types)

    @property
    def test_sizes(self) -> np.ndarray:
        """int64 (C,): test words of each context."""
        contexts = self.test_contexts
        return np.bincount(contexts[contexts >= 0], minlength=len(self))

    @property
    def train_sizes(self) -> np.ndarray:
        """int64 (C,): training words of each context: the observed nodes of the consensus MRF."""
        return self.observed.sum(axis=1)

    @cached_property
    def observed(self) -> np.ndarray:
        """int64 (C, L): training words of each context by the label of their heads."""
        return self.chosen.table(self.types, len(self.index.labels.names))

    @property
    def observed_wherever(self) -> np.ndarray:
        """int64 (C, L): the same of all training words that stand in the contexts, whichever of them they choose."""
        return self.index.counts.table(self.index.keys[self.types], len(self.index.labels.names))

    @property
    def names(self) -> list[str]:
        return [self.index.name(context) for context in self.types]

    def require_some(self) -> None:
        """Raise WorkbenchError if no word stands in a context; says why."""
        if len(self):
            return
        index, settings = self.index, self.settings
        if index.test is not None and len(self.chosen.keys):
            raise WorkbenchError(
                "training and test text share no context that these settings trust; lower the threshold or the minimum "
                "count, or give texts that are more alike"
            )
        shares = index.share[(index.count >= settings.minimum_count) & (LENGTHS[index.template] <= settings.width)]
        best = f"; the best share is {shares.max():.2f}" if len(shares) else "; no context is that frequent"
        raise WorkbenchError(
            f"no context reaches a share of {settings.threshold:g} with {settings.minimum_count} training words{best}; "
            "lower the threshold or the minimum count"
        )

    def statistics(self) -> dict:
        """Numbers of the selected contexts, for JSON.

        ``contexts``; ``median_size`` and ``mean_size`` in words, observed ones included; ``test_words`` in a context
        of ``tagged_words`` and their ``coverage`` in percent; ``observed`` training words; ``inside`` contexts.
        """
        observed = self.train_sizes
        sizes = observed + self.test_sizes
        words, tagged = int(observed.sum()), self.index.tagged_words
        if self.index.test is not None:
            words, tagged = int((self.test_contexts >= 0).sum()), int((self.index.test_labels > 0).sum())
        return {
            "contexts": len(self),
            "median_size": float(np.median(sizes)) if len(self) else None,
            "mean_size": float(sizes.mean()) if len(self) else None,
            "words": words,
            "tagged_words": tagged,
            "coverage": 100 * words / tagged if tagged else None,
            "observed": int(observed.sum()),
            "inside": int(self.index.inside[self.types].sum()),
        }

    def rows(self) -> list[dict]:
        """One dict a context: name, majority head, share and count in training, sizes; the largest first."""
        index, sizes = self.index, zip(self.test_sizes.tolist(), self.train_sizes.tolist(), strict=True)
        rows = [
            {
                "context": number,
                "name": index.name(kind),
                "head": index.labels.names[index.majority[kind]],
                "share": float(index.majority_count[kind] / index.count[kind]),
                "count": int(index.count[kind]),
                "inside": bool(index.inside[kind]),
                "test": test,
                "observed": observed,
            }
            for number, (kind, (test, observed)) in enumerate(zip(self.types.tolist(), sizes, strict=True))
        ]
        return sorted(rows, key=lambda row: (-row["test"] - row["observed"], row["name"]))

    def occurrences(self, context: int, heads: np.ndarray | None = None) -> list[dict]:
        """Words with a context (0..C-1): dicts of ``text`` ("train" or "test"), ``sentence``, ``word`` and ``head``.

        ``head`` is the tag of the word's head: in training by its trees, in the test text by ``heads``, PackedHeads
        or an array (rows,); None where that is not given or not known.
        """
        index, words = self.index, []
        chosen = None if heads is None else head_labels(index.test, index.test_labels, heads)
        for text, treebank, contexts, labels in (
            ("train", index.train, self.train_contexts, index.train_heads),
            ("test", index.test, self.test_contexts, chosen),
        ):
            if treebank is None or (labels is not None and not len(labels)):  # shards keep their words
                continue
            for row in np.flatnonzero(contexts == context).tolist():
                sentence = int(np.searchsorted(treebank.offsets, row, side="right")) - 1
                label = -1 if labels is None else int(labels[row])
                head = index.labels.names[label] if label >= 0 else None
                word = row - int(treebank.offsets[sentence])
                words.append({"text": text, "sentence": sentence, "word": word, "head": head})
        return words

    def votes(self, heads: np.ndarray) -> np.ndarray:
        """int64 (C, L): of each context's words, how many choose a head of each label.

        Training words vote by their trees, test words by ``heads`` (PackedHeads or an array (rows,)).
        """
        table = self.observed.copy()
        labels = head_labels(self.index.test, self.index.test_labels, heads)
        words = (self.test_contexts >= 0) & (labels >= 0)
        np.add.at(table, (self.test_contexts[words], labels[words]), 1)
        return table

    def changes(self, other: "Contexts") -> dict:
        """The differences between this selection and ``other``, of the same index.

        A dict: names of contexts ``added`` and ``dropped``; test words ``gained``, ``lost`` and ``moved`` to another.
        """
        if other.index is not self.index:
            raise WorkbenchError("only selections from the same texts can be compared; select both from one index")
        if self.index.test is None and not len(self.train_types):
            raise WorkbenchError("of a training text in shards no words are known that move; give a test text")
        before, after = self.test_types, other.test_types
        if self.index.test is None:
            before, after = self.train_types, other.train_types
        return {
            "added": [self.index.name(kind) for kind in np.setdiff1d(other.types, self.types)],
            "dropped": [self.index.name(kind) for kind in np.setdiff1d(self.types, other.types)],
            "gained": int(((before < 0) & (after >= 0)).sum()),
            "lost": int(((before >= 0) & (after < 0)).sum()),
            "moved": int(((before >= 0) & (after >= 0) & (before != after)).sum()),
        }


def _tag_counts(part, longest):
    return TagCounts.of(part.text(longest))


def _context_counts(part, longest, labels):
    return ContextCounts.of(part.text(longest), labels)


def _chosen_contexts(part, longest, labels, known, rank):
    _, heads, types = _training_rows(part.text(longest), labels, known)
    return ContextCounts.chosen(best_types(types, rank), heads)


def _training_rows(text, labels, known):
    """(labels, labels of heads, contexts as numbered in ``known``) of the rows of a text with trees."""
    kinds, heads = labels.of_rows(text), head_rows(text)
    head_labels = np.where(heads >= 0, kinds[heads], -1)
    return kinds, head_labels, find(known, np.where(head_labels >= 0, window_keys(text, kinds, len(labels.names)), -1))


def head_labels(treebank: Treebank, labels: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """int32 (rows,): the label of each word's head under ``heads``; -1 on root rows and where it is unknown."""
    values = np.asarray(getattr(heads, "values", heads))
    if values.shape != treebank.heads.shape:
        raise WorkbenchError(f"heads must have a row a word, {len(treebank.heads)} in all, got {values.shape}")
    return np.where(values >= 0, labels[treebank.root_rows + np.maximum(values, 0)], -1)


def best_types(types: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """int32 (rows,): of each row's types (10, rows), the one of the highest rank; -1 where all rank below 0."""
    if types.shape[1] == 0:
        return np.empty(0, dtype=np.int32)
    ranks = rank[types]
    best = ranks.argmax(axis=0)
    rows = np.arange(types.shape[1])
    return np.where(ranks[best, rows] >= 0, types[best, rows], -1).astype(np.int32)


__all__ = [
    "LEVELS",
    "TEMPLATES",
    "ContextIndex",
    "ContextSettings",
    "Contexts",
    "Labels",
    "head_labels",
    "select_contexts",
]
