"""Corrections of a universal parser, learnt from a few trees of the language: a log-linear layer upon its networks.

Trees move the weights of simple features of arcs and relations. A quadratic penalty keeps the weights small, so that
ten trees change little beyond what they show. The scores of the networks are added with a weight of 1.

Features of an arc are the tags of its ends with its direction, also with its length or with the tags beside the
modifier. Others are its length and direction, and the words at its ends. Features of a relation are the tags and words
of both ends, and the networks' vectors of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.compilation.kernels import inner_kernel, kernel
from core.offsets import offsets_of
from core.parsers.optimize import minimize
from core.parsers.universal.normalising import log_probabilities
from core.parsers.universal.text import ROOT
from core.treebank import Treebank
from core.trees import PackedScores

ARC_PENALTY, RELATION_PENALTY, VECTOR_PENALTY = 3.0, 1.0, 0.3  # halves of them times squared weights, in nats
EVALUATIONS = 80  # evaluations of a function without local minima; more do not change the trees
SYMBOLS, SIDES, DISTANCES = ROOT + 1, 3, 5  # tags, with that of the root and of what is beyond a sentence's end
ARC_FEATURES = 10
MOST_ARCS = 1 << 18  # arcs whose features are in memory at a time


@dataclass(frozen=True, eq=False)
class Corrections:
    """Weights learnt from trees, which correct the scores of networks.

    Attributes
    ----------
    forms : tuple of str
        The words of the trees, in lower case.
    arcs : ndarray of shape (F,), dtype float64
        Weights of the features of arcs, in nats.
    relations : ndarray of shape (G, R), dtype float64
        Of relations: rows for tags and words, then for what the networks made of both ends.
    scale : float
        What the networks' numbers are multiplied by.
    """

    forms: tuple[str, ...]
    arcs: np.ndarray
    relations: np.ndarray
    scale: float

    def added_to_arcs(self, words: Treebank, tags: np.ndarray, arcs: PackedScores) -> PackedScores:
        """Scores of arcs with corrections added. O(sum of n^2)."""
        values, forms = arcs.values.copy(), form_numbers(words, self.forms)
        for begin, end in portions(words.lengths):
            rows = slice(arcs.offsets[begin], arcs.offsets[end])
            features = arc_features(tags, forms, words.offsets[begin : end + 1], len(self.forms))
            values[rows] += self.arcs[features].sum(axis=1)
        return arcs.like(values)

    def relation_scores(self, words: Treebank, tags: np.ndarray, ends: "Ends") -> np.ndarray:
        """float64 (M, R): corrections of the scores of the relations of arcs. O(M R)."""
        forms = form_numbers(words, self.forms)
        return relation_features(tags, forms, len(self.forms), ends, self.scale) @ self.relations

    def fit(self, relations: int, vectors: int) -> bool:
        """Whether they are numbers for so many relations, and so many numbers of the networks for both ends."""
        size = _relation_size(len(self.forms)) + vectors + 1
        whole = self.arcs.shape == (arc_size(len(self.forms)),) and self.relations.shape == (size, relations)
        return whole and all(bool(np.isfinite(weights).all()) for weights in (self.arcs, self.relations))


@dataclass(frozen=True, eq=False)
class Ends:
    """The ends of M arcs, and the networks' vectors of them.

    Attributes
    ----------
    heads, modifiers : ndarrays of shape (M,), dtype int64
        Rows of a treebank.
    vectors : ndarray of shape (M, K), dtype float32
        Of the head and of the modifier, side by side.
    """

    heads: np.ndarray
    modifiers: np.ndarray
    vectors: np.ndarray


def form_numbers(words: Treebank, forms: tuple[str, ...]) -> np.ndarray:
    """int64 (rows,): places in ``forms`` of words in lower case; their number for others and for roots."""
    known = {form: number for number, form in enumerate(forms)}
    numbers = [known.get(form.lower(), len(forms)) for form in words.form.values]
    of_words = np.array(numbers or [len(forms)], np.int64)[words.form.ids]
    of_words[words.offsets[:-1]] = len(forms)
    return of_words


def forms_of(trees: Treebank) -> tuple[str, ...]:
    """The words of a treebank in lower case, each once."""
    used = np.unique(trees.form.ids[trees.is_word])
    return tuple(sorted({trees.form.values[number].lower() for number in used.tolist()}))


def learn_arcs(trees: Treebank, tags: np.ndarray, arcs: PackedScores, forms: tuple[str, ...]) -> np.ndarray:
    """float64 (F,): weights of features of arcs, from the words of trees whose heads are known.

    Parameters
    ----------
    trees : Treebank
        Without punctuation.
    tags : ndarray of shape (rows,)
    arcs : PackedScores
        What the networks say, in nats.
    forms : tuple of str
        The words that count.

    Notes
    -----
    L-BFGS on the cross-entropy of heads and a quadratic penalty, which is convex. O(sum of n^2) an evaluation.
    """
    features = arc_features(tags, form_numbers(trees, forms), trees.offsets, len(forms))
    heads = np.where(trees.is_word, trees.heads, -1).astype(np.int64)
    count = arc_size(len(forms))

    def loss(weights):
        surplus = log_probabilities(arcs.like(arcs.values + weights[features].sum(axis=1))).values
        value = surprise(surplus, arcs.offsets, arcs.sides, trees.offsets, heads)
        gradient = np.zeros(count)
        for column in range(ARC_FEATURES):
            gradient += np.bincount(features[:, column], surplus, count)
        return value + _penalty(weights, ARC_PENALTY), gradient + ARC_PENALTY * weights, {}

    return minimize(loss, np.zeros(count), max_evaluations=EVALUATIONS).weights


def learn_relations(
    scores: np.ndarray, tags: np.ndarray, forms: np.ndarray, vocabulary: int, ends: Ends, gold: np.ndarray
) -> tuple[np.ndarray, float]:
    """(weights float64 (G, R), scale): of features of relations, from arcs whose relations are known.

    Parameters
    ----------
    scores : ndarray of shape (M, R)
        What the networks say, up to a constant for each arc, in nats.
    tags, forms : ndarrays of shape (rows,)
        Of the treebank, words as ``form_numbers`` has them.
    vocabulary : int
        Words that count.
    ends : Ends
    gold : ndarray of shape (M,)
        Numbers of their relations.
    """
    length = np.sqrt(np.square(ends.vectors).sum() / max(2 * len(gold), 1))
    scale = 1 / float(length) if length > 0 else 1.0
    features = relation_features(tags, forms, vocabulary, ends, scale)
    shape, places = (features.shape[1], scores.shape[1]), np.arange(len(gold))
    penalties = np.full((shape[0], 1), RELATION_PENALTY)
    penalties[_relation_size(vocabulary) :] = VECTOR_PENALTY

    def loss(weights):
        weights = weights.reshape(shape)
        corrected = scores + features @ weights
        shares = scipy.special.log_softmax(corrected, axis=1)
        value = -shares[places, gold].sum() + _penalty(weights, penalties)
        surplus = np.exp(shares)
        surplus[places, gold] -= 1
        return value, (features.T @ surplus + penalties * weights).ravel(), {}

    return minimize(loss, np.zeros(shape[0] * shape[1]), max_evaluations=EVALUATIONS).weights.reshape(shape), scale


def _penalty(weights, factors):
    return 0.5 * float((factors * weights * weights).sum())


def portions(lengths: np.ndarray) -> Iterator[tuple[int, int]]:
    """(begin, end) of sentences with about MOST_ARCS arcs together."""
    groups = offsets_of((lengths + 1) ** 2)[:-1] // MOST_ARCS
    bounds = np.flatnonzero(np.diff(groups, prepend=-1, append=-1))
    return zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)


def arc_size(vocabulary: int) -> int:
    """How many features of arcs there are, with so many words."""
    pairs = SYMBOLS * SYMBOLS * SIDES
    alone = SIDES * DISTANCES * (1 + SYMBOLS) + pairs * (1 + DISTANCES + 2 * SYMBOLS)
    return alone + (vocabulary + 1) * SIDES * (2 * SYMBOLS + DISTANCES + 1)


def arc_features(tags: np.ndarray, forms: np.ndarray, offsets: np.ndarray, vocabulary: int) -> np.ndarray:
    """int32 (A, ARC_FEATURES) of the sentences between offsets."""
    sides = np.diff(offsets)
    starts = offsets_of(sides**2)
    features = np.empty((starts[-1], ARC_FEATURES), np.int32)
    _all_features(tags, forms, offsets, starts, vocabulary + 1, features)
    return features


@kernel
def _all_features(tags, forms, offsets, starts, words, features):
    """Write the numbers of the features of each arc of each sentence."""
    for i in range(len(starts) - 1):
        begin, end = offsets[i], offsets[i + 1]
        side, at = end - begin, starts[i]
        for h in range(side):
            for m in range(side):
                before = tags[begin + m - 1] if m > 0 else ROOT
                after = tags[begin + m + 1] if m + 1 < side else ROOT
                _write(
                    h, m, (tags[begin + h], tags[begin + m], before, after),
                    (forms[begin + h], forms[begin + m]), words, features[at],
                )  # fmt: skip
                at += 1


@inner_kernel
def _write(h, m, tags, forms, words, features):
    """The features of one arc. Each kind has numbers of its own, those of the kinds before it added."""
    head, modifier, before, after = tags
    side = 2 if h == 0 else int(h < m)
    far = _bin(abs(h - m))
    pair = (head * SYMBOLS + modifier) * SIDES + side
    pairs, lengths = SYMBOLS * SYMBOLS * SIDES, SIDES * DISTANCES
    first = 0
    features[0] = pair
    first += pairs
    features[1] = first + pair * DISTANCES + far
    first += pairs * DISTANCES
    features[2] = first + side * DISTANCES + far
    first += lengths
    features[3] = first + modifier * lengths + side * DISTANCES + far
    first += SYMBOLS * lengths
    features[4] = first + pair * SYMBOLS + before
    first += pairs * SYMBOLS
    features[5] = first + pair * SYMBOLS + after
    first += pairs * SYMBOLS
    features[6] = first + (forms[1] * SIDES + side) * SYMBOLS + head
    first += words * SIDES * SYMBOLS
    features[7] = first + (forms[0] * SIDES + side) * SYMBOLS + modifier
    first += words * SIDES * SYMBOLS
    features[8] = first + (forms[1] * SIDES + side) * DISTANCES + far
    first += words * SIDES * DISTANCES
    features[9] = first + forms[0] * SIDES + side


@inner_kernel
def _bin(distance):
    """1, 2, 3 to 4, 5 to 8, or more words apart."""
    if distance <= 2:
        return max(distance - 1, 0)
    return 2 if distance <= 4 else 3 if distance <= 8 else 4


@kernel
def surprise(
    shares: np.ndarray, offsets: np.ndarray, sides: np.ndarray, rows: np.ndarray, heads: np.ndarray
) -> float:  # fmt: skip
    """Nats of the known heads. Log-probabilities become what each arc is too probable by, 0 where no head is known."""
    total = 0.0
    for i in range(len(sides)):
        begin, side = offsets[i], sides[i]
        for m in range(side):
            gold = heads[rows[i] + m]
            if gold >= 0:
                total -= shares[begin + gold * side + m]
            for h in range(side):
                at = begin + h * side + m
                shares[at] = np.exp(shares[at]) - (1.0 if h == gold else 0.0) if gold >= 0 else 0.0
    return float(total)


def _relation_size(vocabulary):
    return 2 * SYMBOLS * (SYMBOLS + 1) + 2 * (vocabulary + 1)


def relation_features(
    tags: np.ndarray, forms: np.ndarray, vocabulary: int, ends: Ends, scale: float
) -> "scipy.sparse.csr_array":
    """Sparse (M, G): tags of both ends and the side, those of the modifier alone, both words, the networks' numbers."""
    side = (ends.modifiers > ends.heads).astype(np.int64)
    head, modifier = tags[ends.heads], tags[ends.modifiers]
    pairs, alone = 2 * SYMBOLS * SYMBOLS, 2 * SYMBOLS
    places = np.stack([
        (head * SYMBOLS + modifier) * 2 + side, pairs + modifier * 2 + side,
        pairs + alone + forms[ends.modifiers], pairs + alone + vocabulary + 1 + forms[ends.heads],
    ], axis=1)  # fmt: skip
    count = len(places)
    shape = (count, _relation_size(vocabulary))
    ones = scipy.sparse.csr_array((np.ones(places.size), places.ravel(), np.arange(count + 1) * places.shape[1]), shape)
    vectors = np.concatenate([ends.vectors * scale, np.ones((count, 1))], axis=1)
    return scipy.sparse.hstack([ones, scipy.sparse.csr_array(vectors)], format="csr")
