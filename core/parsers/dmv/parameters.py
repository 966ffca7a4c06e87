"""Parameters of the dependency model with valence, where they start, and how counts become parameters.

Events (Klein & Manning 2004), by tags: the root takes one word. On each side apart a word has no modifier (EMPTY) or a
first one (FIRST), after which it takes further ones (NEXT) until it is DONE. Every modifier's tag is drawn by the
head's tag and the side. Sides are 0 left and 1 right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import FormatError

EMPTY, DONE, FIRST, NEXT = range(4)  # as in core.trees.bracket_kernels


@dataclass(frozen=True, eq=False)
class Events:
    """A number for each event: a probability, its logarithm, or a count.

    Attributes
    ----------
    take : ndarray of shape (2, T, T) or (2, 2, T, T), dtype float64
        CHOOSE: modifier's tag (last axis) by side and head's tag; with extended valence, by adjacency first: of the
        innermost modifier, then of further ones.
    valence : ndarray of shape (4, 2, T), dtype float64
        EMPTY, DONE, FIRST, NEXT by side and head's tag. Of probabilities FIRST = 1 - EMPTY and NEXT = 1 - DONE.
    root : ndarray of shape (T,), dtype float64
    """

    take: np.ndarray
    valence: np.ndarray
    root: np.ndarray

    @classmethod
    def checked(cls, take: np.ndarray, valence: np.ndarray, root: np.ndarray, tag_count: int) -> "Events":
        """Probabilities over ``tag_count`` tags, read from a file. Raises FormatError for other numbers or shapes."""
        shapes = take.shape[:-2], take.shape[-2:], valence.shape, root.shape
        side = tag_count, tag_count
        if shapes not in ((first, side, (4, 2, tag_count), side[:1]) for first in ((2,), (2, 2))):
            raise FormatError("the grammar's numbers are of other symbols than it names; save it again")
        if not all(part.dtype.kind == "f" and ((part >= 0) & (part < np.inf)).all() for part in (take, valence, root)):
            raise FormatError("the grammar's numbers are no probabilities; save it again")
        return cls(take, valence, root)

    @classmethod
    def like(cls, other: "Events") -> "Events":
        """No counts, of the shape of other events."""
        return cls(*(np.zeros_like(part, order="C") for part in other.arrays))

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.take, self.valence, self.root

    @property
    def tables(self) -> np.ndarray:
        """``take`` as (1 or 2, 2, T, T); a view."""
        return self.take.reshape(-1, *self.take.shape[-3:])

    def __add__(self, other):
        return Events(*(mine + theirs for mine, theirs in zip(self.arrays, other.arrays, strict=True)))

    def scaled(self, factor: float) -> "Events":
        """Every number times ``factor``."""
        return Events(*(factor * part for part in self.arrays))

    def rounded(self) -> "Events":
        """These parameters with ``take``, the largest by far, rounded to float32: a file needs half as many bytes."""
        return Events(self.take.astype(np.float32).astype(np.float64), self.valence, self.root)

    def logarithms(self) -> "Events":
        """Log-probabilities in nats, -inf for what cannot be."""
        with np.errstate(divide="ignore"):
            return Events(*(np.log(part) for part in self.arrays))

    def with_unknown_tag(self) -> "Events":
        """Parameters with a tag more, for words whose tag training never saw: takes like the average tag."""
        count = len(self.root)
        take = np.full((*self.take.shape[:-2], count + 1, count + 1), 1.0 / count)
        take[..., :count, :count] = self.take
        take[..., count, :count] = self.take.mean(axis=-2)
        valence = np.concatenate([self.valence, self.valence.mean(axis=2, keepdims=True)], axis=2)
        return Events(take, valence, np.append(self.root, 1.0 / count))

    def over(self, tags: Sequence[str], new_tags: Sequence[str]) -> "Events":
        """Parameters over ``new_tags``, those of ``tags`` as they are and the others like the average tag."""
        numbers = {tag: number for number, tag in enumerate(tags)}
        chosen = [numbers.get(tag, len(tags)) for tag in new_tags]
        wide = self.with_unknown_tag()
        take = _normalised(wide.take[:, chosen][:, :, chosen])
        return Events(take, wide.valence[:, :, chosen], _normalised(wide.root[chosen]))


def uniform_parameters(tag_count: int) -> Events:
    """Every choice as likely as its alternatives: all trees of a sentence have the same probability."""
    take = np.full((2, tag_count, tag_count), 1.0 / tag_count)
    return Events(take, np.full((4, 2, tag_count), 0.5), np.full(tag_count, 1.0 / tag_count))


def estimate(counts: Events, smoothing: float) -> Events:
    """Parameters from counts, ``smoothing`` added to each event (Laplace); choices never seen are uniform.

    Maximises sum of counts * log-probability + smoothing * sum of log-probabilities.
    """
    take = _normalised(counts.take + smoothing)
    root = _normalised(counts.root + smoothing)
    decided = counts.valence + smoothing
    valence = np.empty_like(decided)
    for stop, go in ((EMPTY, FIRST), (DONE, NEXT)):
        total = decided[stop] + decided[go]
        known = total > 0
        valence[stop] = np.divide(decided[stop], total, out=np.full_like(total, 0.5), where=known)
        valence[go] = np.divide(decided[go], total, out=np.full_like(total, 0.5), where=known)
    return Events(take, valence, root)


def log_prior(parameters: Events, smoothing: float) -> float:
    """``smoothing`` times the sum of all log-probabilities, which ``estimate`` maximises beside the likelihood."""
    if smoothing == 0:
        return 0.0
    return smoothing * float(sum(part.sum() for part in parameters.logarithms().arrays))


def harmonic_counts(tags: Sequence[int] | np.ndarray, offsets: np.ndarray, tag_count: int) -> Events:
    """Klein and Manning's start: heads nearby are likelier, whatever the tags.

    Parameters
    ----------
    tags : int array of shape (rows,)
        Laid out like ``Treebank.heads``.
    offsets : int64 array of shape (S + 1,)
    tag_count : int

    Returns
    -------
    Events
        Counts. The root takes each of n words with probability 1/n; else a word hangs from each other word with
        probability in inverse proportion to their distance. Valence is counted as if these were independent: a side
        has no modifier with the product of the chances of its arcs not to be.

    Notes
    -----
    Sentences of one length share their arcs: O(lengths * n^2 + sum of n^2).
    """
    counts = Events(np.zeros((2, tag_count, tag_count)), np.zeros((4, 2, tag_count)), np.zeros(tag_count))
    lengths = np.diff(offsets) - 1
    for n in np.unique(lengths).tolist():
        first_rows = offsets[:-1][lengths == n] + 1
        words = np.asarray(tags)[first_rows[:, None] + np.arange(n)].astype(np.int64)  # (sentences, n)
        arcs = harmonic_arcs(n)
        counts.root[:] += np.bincount(words.ravel(), minlength=tag_count) / n
        for side, part in ((0, np.tril(arcs, -1)), (1, np.triu(arcs, 1))):
            for h, m in np.argwhere(part > 0).tolist():
                pairs = np.bincount(words[:, h] * tag_count + words[:, m], minlength=tag_count**2)
                counts.take[side] += part[h, m] * pairs.reshape(tag_count, tag_count)
            empty = np.prod(1 - part, axis=1)
            further = np.maximum(part.sum(axis=1) - (1 - empty), 0)  # rounding where a single arc is possible
            for kind, share in ((EMPTY, empty), (FIRST, 1 - empty), (DONE, 1 - empty), (NEXT, further)):
                weights = np.broadcast_to(share, words.shape).ravel()
                counts.valence[kind, side] += np.bincount(words.ravel(), weights, minlength=tag_count)
    return counts


def harmonic_arcs(n: int) -> np.ndarray:
    """P(h -> m) by distance alone, (n, n); columns sum to 1 - 1/n, and the root has the rest."""
    places = np.arange(n)
    distance = np.abs(places[:, None] - places).astype(float)
    np.fill_diagonal(distance, np.inf)
    closeness = 1.0 / distance
    total = closeness.sum(axis=0)
    return closeness * np.divide(1 - 1 / n, total, out=np.zeros(n), where=total > 0)


def _normalised(weights):
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights, total, out=np.full_like(weights, 1.0 / weights.shape[-1]), where=total > 0)
