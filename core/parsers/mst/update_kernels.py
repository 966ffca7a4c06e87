"""Steps of online learning on a flat table of weights, and features that a caller brings along."""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel


class ArcFeatures(NamedTuple):
    """Callers' own features of arcs, as ``core.features.packed.PackedSparse`` has them."""

    arc_offsets: np.ndarray
    offsets: np.ndarray
    ids: np.ndarray
    numbers: np.ndarray


class PartFeatures(NamedTuple):
    """Callers' own features of siblings and grandparents, as ``core.features.packed.PackedParts`` has them."""

    part_offsets: np.ndarray
    parts: np.ndarray
    offsets: np.ndarray
    ids: np.ndarray
    numbers: np.ndarray


class Difference(NamedTuple):
    """Room for the features in which two trees differ: their places, and how often more the gold tree has each."""

    places: np.ndarray
    values: np.ndarray


@kernel
def merge(places: np.ndarray, values: np.ndarray, count: int, difference: np.ndarray) -> int:
    """Make places distinct, summing their values and dropping zeros; returns how many are left.

    ``difference`` is as long as the table and all zeros, before and after.
    """
    for at in range(count):
        difference[places[at]] += values[at]
    kept = 0
    for at in range(count):
        value = difference[places[at]]
        if value != 0.0:
            difference[places[at]] = 0.0
            places[kept], values[kept] = places[at], value
            kept += 1
    return kept


@kernel
def step_size(
    weights: np.ndarray, places: np.ndarray, values: np.ndarray, count: int, loss: float, largest: float
) -> float:
    """How far single-best MIRA moves along a merged difference so that the gold tree wins by ``loss``."""
    margin, norm = np.float64(0.0), np.float64(0.0)
    for at in range(count):
        margin += weights[places[at]] * values[at]
        norm += values[at] * values[at]
    return 0.0 if norm == 0.0 else min(largest, max(0.0, (loss - margin) / norm))


@kernel
def update(
    weights: np.ndarray, sums: np.ndarray, places: np.ndarray, values: np.ndarray, count: int, size: float, step: float
) -> None:
    """Move the weights by ``size`` times a merged difference; ``sums`` collects what averaging subtracts."""
    for at in range(count):
        change = size * values[at]
        weights[places[at]] += change
        sums[places[at]] += step * change


@kernel
def add_loss(scores: np.ndarray, gold: np.ndarray) -> None:
    """Add 1 to each arc that the gold tree does not have."""
    for head in range(len(gold)):
        for modifier in range(1, len(gold)):
            if gold[modifier] != head:
                scores[head, modifier] += 1.0


@kernel
def add_sparse(weights: np.ndarray, features: ArcFeatures, begin: int, end: int, values: np.ndarray) -> None:
    """Add the callers' own features to the scores of sentences begin..end-1; ``weights`` are theirs alone.

    ``values`` are the scores of all sentences of ``features.arc_offsets``.
    """
    arc_offsets, offsets, ids, numbers = features
    for arc in range(arc_offsets[begin], arc_offsets[end]):
        total = np.float64(0.0)
        for at in range(offsets[arc], offsets[arc + 1]):
            total += weights[ids[at]] * numbers[at]
        values[arc - arc_offsets[0]] += total


@kernel
def collect_sparse(
    first: int, features: ArcFeatures, sentence: int, gold: np.ndarray, found: np.ndarray, difference: Difference,
    count: int,
) -> int:  # fmt: skip
    """As ``collect_parts``, for callers' own features of the arcs of a sentence, whose weights begin at ``first``."""
    begin, side = features.arc_offsets[sentence], len(gold)
    for modifier in range(1, side):
        if gold[modifier] != found[modifier]:
            for tree in range(2):
                arc = begin + (gold if tree == 0 else found)[modifier] * side + modifier
                for at in range(features.offsets[arc], features.offsets[arc + 1]):
                    difference.places[count] = first + features.ids[at]
                    difference.values[count] = features.numbers[at] if tree == 0 else -features.numbers[at]
                    count += 1
    return count


@kernel
def add_parts(
    weights: np.ndarray, features: PartFeatures, kind: int, begin: int, end: int, sides: np.ndarray,
    offsets: np.ndarray, values: np.ndarray,
) -> None:  # fmt: skip
    """Add the callers' features of one kind of parts to the cubes of sentences begin..end-1.

    ``sides`` are the rows of each sentence; ``weights`` are those of the callers' features alone.
    """
    parts, ids, numbers = features.parts, features.ids, features.numbers
    for sentence in range(begin, end):
        side = sides[sentence]
        for part in range(features.part_offsets[sentence], features.part_offsets[sentence + 1]):
            if parts[part, 0] == kind:
                total = np.float64(0.0)
                for at in range(features.offsets[part], features.offsets[part + 1]):
                    total += weights[ids[at]] * numbers[at]
                place = (parts[part, 1] * side + parts[part, 2]) * side + parts[part, 3]
                values[offsets[sentence] + place] += total


@kernel
def collect_parts(
    first: int, features: PartFeatures, sentence: int, kinds: int, gold: np.ndarray, found: np.ndarray,
    difference: Difference, count: int,
) -> int:  # fmt: skip
    """As ``collect_sparse``, for the parts of a sentence whose kind is below ``kinds``."""
    for part in range(features.part_offsets[sentence], features.part_offsets[sentence + 1]):
        kind, one, two, modifier = features.parts[part]
        if kind >= kinds:
            continue
        sign = 0.0
        if _has_part(gold, kind, one, two, modifier):
            sign += 1.0
        if _has_part(found, kind, one, two, modifier):
            sign -= 1.0
        if sign != 0.0:
            for at in range(features.offsets[part], features.offsets[part + 1]):
                difference.places[count] = first + features.ids[at]
                difference.values[count] = sign * features.numbers[at]
                count += 1
    return count


@inner_kernel
def _has_part(heads, kind, one, two, modifier):
    """Whether a tree has one -> two -> modifier (kind 1), or two and modifier beside each other under one (kind 0)."""
    if kind == 1:
        return heads[modifier] == two and heads[two] == one
    if heads[modifier] != one or heads[two] != one:
        return False
    for word in range(min(two, modifier) + 1, max(two, modifier)):
        if word == one or heads[word] == one:
            return False
    return True
