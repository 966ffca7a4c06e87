"""Scores of relations from a table of hashed weights, and the learning of it.

A feature owns a row of one number a relation, which begins at its hash and overlaps its neighbours' rows. Sentences
are rows ``rows[i]`` to ``rows[i + 1] - 1`` of ``fields``, the root first, its last row for a word that is missing.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.parsers.mst.update_kernels import ArcFeatures, Difference

MIX_ONE, MIX_TWO = np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)
FACTORS = (np.uint32(0x9E3779B1), np.uint32(0x85EBCA77), np.uint32(0x27D4EB2F))
KIND_FACTOR = np.uint32(0x165667B1)
ROLE_COUNT, KIND_COUNT = 7, 5


class Table(NamedTuple):
    """Templates, and the weights of relations at the places that they hash to.

    ``parts`` (T, 4) and ``salts`` (T,) are those of ``core.parsers.mst.label_features.LabelTemplates``, with the kind
    of each template in the last column of ``parts``.
    """

    parts: np.ndarray
    salts: np.ndarray
    weights: np.ndarray
    mask: int
    count: int  # relations


class Extra(NamedTuple):
    """Callers' own features of arcs, as ``core.features.packed.PackedSparse`` has them; a row of weights for each."""

    weights: np.ndarray
    arc_offsets: np.ndarray
    offsets: np.ndarray
    ids: np.ndarray
    numbers: np.ndarray


class LabelledTree(NamedTuple):
    """Heads and numbers of relations, -1 if there is none; both empty for no tree."""

    heads: np.ndarray
    labels: np.ndarray


class Learning(NamedTuple):
    """What averaging subtracts, how far one word may move the weights, and the number of the first step."""

    sums: np.ndarray
    largest: float
    step: float


class ArcScores(NamedTuple):
    """Scores of packed arcs, and the relation chosen for each."""

    offsets: np.ndarray
    values: np.ndarray
    labels: np.ndarray


@kernel
def label_trees(
    rows: np.ndarray, fields: np.ndarray, table: Table, heads: np.ndarray, begin: int, end: int, labels: np.ndarray
) -> None:
    """The best relation of each word of sentences begin..end-1 in given trees, its number; -1 for the root."""
    parts, salts, weights, mask, count = table
    places, totals = np.empty(len(parts), np.int64), np.empty(count, np.float32)
    roles, codes = np.empty(ROLE_COUNT, np.int64), np.empty(KIND_COUNT, np.uint32)
    for sentence in range(begin, end):
        words, tree = fields[rows[sentence] : rows[sentence + 1]], heads[rows[sentence] : rows[sentence + 1]]
        children = _children(tree)
        labels[rows[sentence]] = -1
        for modifier in range(1, len(tree)):
            _look(tree, children, modifier, roles, codes)
            _places(words, fields[len(fields) - 1], roles, codes, parts, salts, mask, places)
            _sum(weights, places, totals)
            labels[rows[sentence] + modifier] = totals.argmax()


@kernel
def score_relations(
    words: np.ndarray, nothing: np.ndarray, table: Table, tree: np.ndarray, every: bool, scores: np.ndarray
) -> None:
    """The scores (n + 1, n + 1, L) of all relations of arcs of a sentence, each among the other arcs of a tree.

    Of ``every`` arc, O(n^3 + n^2 L), or of those of the tree. ``nothing`` is the row of a word that is missing.
    """
    parts, salts, weights, mask, count = table
    places, totals = np.empty(len(parts), np.int64), np.empty(count, np.float32)
    roles, codes = np.empty(ROLE_COUNT, np.int64), np.empty(KIND_COUNT, np.uint32)
    for modifier in range(1, len(tree)):
        own = tree[modifier]
        for head in range(len(tree)):
            if head != modifier and (every or head == own):
                tree[modifier] = head
                _look(tree, _children(tree), modifier, roles, codes)
                _places(words, nothing, roles, codes, parts, salts, mask, places)
                _sum(weights, places, totals)
                scores[head, modifier] = totals
        tree[modifier] = own


@kernel
def learn_trees(
    rows: np.ndarray, fields: np.ndarray, table: Table, learning: Learning, heads: np.ndarray, gold: np.ndarray,
    order: np.ndarray,
) -> int:  # fmt: skip
    """One update a word of the sentences in ``order``, in their gold trees; returns the number of wrong relations.

    Multiclass MIRA: the gold relation must win by one over the best other.
    """
    parts, salts, weights, mask, count = table
    sums, largest, step = learning
    places, totals = np.empty(len(parts), np.int64), np.empty(count, np.float32)
    roles, codes = np.empty(ROLE_COUNT, np.int64), np.empty(KIND_COUNT, np.uint32)
    wrong = 0
    for sentence in order:
        words, tree = fields[rows[sentence] : rows[sentence + 1]], heads[rows[sentence] : rows[sentence + 1]]
        children = _children(tree)
        for modifier in range(1, len(tree)):
            right = gold[rows[sentence] + modifier]
            if right >= 0:
                _look(tree, children, modifier, roles, codes)
                _places(words, fields[len(fields) - 1], roles, codes, parts, salts, mask, places)
                _sum(weights, places, totals)
                own = totals[right]
                totals[right] = -np.inf
                other = totals.argmax()
                wrong += totals[other] >= own
                size = min(largest, (1.0 - (own - totals[other])) / (2 * len(places)))
                if size > 0:
                    for at in range(len(places)):
                        weights[places[at] + right] += size
                        weights[places[at] + other] -= size
                        sums[places[at] + right] += step * size
                        sums[places[at] + other] -= step * size
            step += 1
    return wrong


@kernel
def score_arcs(
    rows: np.ndarray, fields: np.ndarray, table: Table, extra: Extra, begin: int, end: int, gold: LabelledTree,
    scores: ArcScores,
) -> None:  # fmt: skip
    """Choose a relation for every arc of sentences begin..end-1 and add its score to the arc's.

    With a ``gold`` tree of the one sentence, each pair of a head and a relation that is not the gold tree's gains 1,
    the loss: the arc's part of it is added too. Where callers have no features of their own, ``extra`` is empty arrays.
    """
    parts, salts, weights, mask, count = table
    own_weights, arc_offsets, feature_offsets, ids, numbers = extra
    (tree, right), (offsets, values, labels) = gold, scores
    places, totals = np.empty(len(parts), np.int64), np.empty(count, np.float32)
    roles, codes = np.full(ROLE_COUNT, -1, np.int64), np.zeros(KIND_COUNT, np.uint32)
    for sentence in range(begin, end):
        words = fields[rows[sentence] : rows[sentence + 1]]
        side = len(words)
        for head in range(side):
            for modifier in range(1, side):
                if head != modifier:
                    roles[0], roles[1] = modifier, head
                    codes[1], codes[2] = _direction(head, modifier), _distance(head, modifier)
                    _places(words, fields[len(fields) - 1], roles, codes, parts, salts, mask, places)
                    _sum(weights, places, totals)
                    own = head * side + modifier
                    if len(arc_offsets) > 0:
                        at = arc_offsets[sentence] + own
                        features = ids[feature_offsets[at] : feature_offsets[at + 1]]
                        _add_rows(own_weights, features, numbers[feature_offsets[at] :], totals)
                    if len(tree) > 0:
                        for label in range(count):
                            if tree[modifier] != head or right[modifier] != label:
                                totals[label] += 1.0
                    best = totals.argmax()
                    arc = offsets[sentence] + own
                    values[arc] += totals[best]
                    labels[arc] = best


@kernel
def collect_arcs(
    words: np.ndarray, nothing: np.ndarray, table: Table, first: int, gold: LabelledTree, found: LabelledTree,
    difference: Difference, count: int,
) -> int:  # fmt: skip
    """Append the relations' features in which two labelled trees differ: +1 for gold, -1 for found; their number.

    ``table`` begins at the place ``first`` of the whole table of weights.
    """
    parts, salts, _, mask, _ = table
    own = np.empty(len(parts), np.int64)
    roles, codes = np.full(ROLE_COUNT, -1, np.int64), np.zeros(KIND_COUNT, np.uint32)
    for modifier in range(1, len(gold.heads)):
        if _same(gold, found, modifier):
            continue
        for sign in (1, -1):
            head = gold.heads[modifier] if sign > 0 else found.heads[modifier]
            label = gold.labels[modifier] if sign > 0 else found.labels[modifier]
            if label >= 0:
                roles[0], roles[1] = modifier, head
                codes[1], codes[2] = _direction(head, modifier), _distance(head, modifier)
                _places(words, nothing, roles, codes, parts, salts, mask, own)
                for at in range(len(own)):
                    difference.places[count], difference.values[count] = first + own[at] + label, sign
                    count += 1
    return count


@kernel
def collect_extra(
    first: int, relations: int, features: ArcFeatures, sentence: int, gold: LabelledTree, found: LabelledTree,
    difference: Difference, count: int,
) -> int:  # fmt: skip
    """As ``collect_arcs``, for callers' own features of a sentence's arcs, with so many relations each."""
    begin, side = features.arc_offsets[sentence], len(gold.heads)
    for modifier in range(1, side):
        if _same(gold, found, modifier):
            continue
        for sign in (1, -1):
            arc = begin + (gold.heads if sign > 0 else found.heads)[modifier] * side + modifier
            label = gold.labels[modifier] if sign > 0 else found.labels[modifier]
            for at in range(features.offsets[arc], features.offsets[arc + 1]):
                difference.places[count] = first + features.ids[at] * relations + label
                difference.values[count] = sign * features.numbers[at]
                count += 1
    return count


@inner_kernel
def _same(gold, found, modifier):
    """Whether two labelled trees agree on a word."""
    return gold.heads[modifier] == found.heads[modifier] and gold.labels[modifier] == found.labels[modifier]


@inner_kernel
def _add_rows(weights, ids, numbers, totals):
    for at in range(len(ids)):
        row = weights[ids[at] * len(totals) : (ids[at] + 1) * len(totals)]
        for label in range(len(totals)):
            totals[label] += row[label] * numbers[at]


@inner_kernel
def _sum(weights, places, totals):
    totals[:] = 0.0
    for at in range(len(places)):
        row = weights[places[at] : places[at] + len(totals)]
        for label in range(len(totals)):
            totals[label] += row[label]


@inner_kernel
def _places(words, nothing, roles, codes, parts, salts, mask, places):
    width = words.shape[1]
    for template in range(len(parts)):
        value = np.uint32(salts[template] + np.uint32(codes[parts[template, 3]] * KIND_FACTOR))
        for at in range(3):
            part = parts[template, at]
            if part >= 0:
                role = roles[part // width]
                field = nothing[part % width] if role < 0 else words[role, part % width]
                value = np.uint32(value + np.uint32(field * FACTORS[at]))
        value = np.uint32(value ^ (value >> np.uint32(16)))
        value = np.uint32(value * MIX_ONE)
        value = np.uint32(value ^ (value >> np.uint32(13)))
        value = np.uint32(value * MIX_TWO)
        places[template] = np.int64(np.uint32(value ^ (value >> np.uint32(16)))) & mask


@inner_kernel
def _children(tree):
    """int64 (n + 1, 6): of each word, its first and last child, its number of left and right children, its neighbours
    to the left and right among its head's children. -1 if there is none."""
    side = len(tree)
    children = np.full((side, 6), -1, np.int64)
    children[:, 2:4] = 0
    for word in range(1, side):
        head = tree[word]
        if head >= 0:
            if children[head, 0] < 0:
                children[head, 0] = word
            else:
                children[word, 4] = children[head, 1]
                children[children[head, 1], 5] = word
            children[head, 1] = word
            children[head, 2 if word < head else 3] += 1
    return children


@inner_kernel
def _look(tree, children, modifier, roles, codes):
    """Fill in the words in their roles, -1 if there is none, and the codes of the place in the tree."""
    head = tree[modifier]
    left, right = children[modifier, 4], children[modifier, 5]
    roles[0], roles[1] = modifier, head
    roles[2] = tree[head] if head > 0 else -1
    roles[3], roles[4] = left, right
    roles[5], roles[6] = children[modifier, 0], children[modifier, 1]
    codes[0] = 0
    codes[1], codes[2] = _direction(head, modifier), _distance(head, modifier)
    codes[3] = 1 + min(children[modifier, 2], 2) + 3 * min(children[modifier, 3], 2)
    inner = left >= head if modifier > head else 0 <= right <= head
    outer = right >= 0 if modifier > head else left >= 0
    codes[4] = 1 + (1 if modifier > head else 0) + (2 if inner else 0) + (4 if outer else 0)


@inner_kernel
def _direction(head, modifier):
    return 1 + (1 if modifier > head else 0) + (1 if head == 0 else 0)


@inner_kernel
def _distance(head, modifier):
    distance = abs(head - modifier)
    if distance > 3:
        distance = 4 if distance <= 5 else (5 if distance <= 10 else 6)
    return _direction(head, modifier) + 3 * distance
