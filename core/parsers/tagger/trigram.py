"""The best tagging under scores of tags at words and of three tags in a row, and the training of such scores.

A tagging t_1 .. t_n scores the sum over words i of ``local[i, t_i] + pair_i[t_{i-1}, t_i] + trigram[t_{i-2}, t_{i-1},
t_i]``, and of the step to the boundary after the last word. The boundary, number T, is t_0 and t_{-1}. pair_i is
``bigram`` plus tables of the classes of the words i and i-1.

The search is Viterbi's over pairs of tags, O(n T^3), exact, yet near O(n T^2) in practice: of the pairs (a, b) that
share b, one is passed over if even its highest trigram leaves it below another with its lowest.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel


class Transitions(NamedTuple):
    """Scores of tags in a row, T tags; index T in ``bigram`` and ``trigram`` is the boundary.

    ``of_word[k, a, b]`` is added where the word tagged b is of class k, ``of_previous`` where the word tagged a is;
    class 0 weighs nothing. ``highest[a, b]`` and ``lowest[a, b]`` are the extremes of ``trigram[a, b, :T]``.
    """

    bigram: np.ndarray  # (T + 1, T + 1)
    trigram: np.ndarray  # (T + 1, T + 1, T + 1)
    of_word: np.ndarray  # (W, T, T)
    of_previous: np.ndarray  # (W, T, T)
    highest: np.ndarray  # (T + 1, T + 1)
    lowest: np.ndarray  # (T + 1, T + 1)


class Words(NamedTuple):
    """The words of a text as features, in rows of a table of weights (F, T); -1 is no row."""

    types: np.ndarray  # (rows,) number of the form
    own: np.ndarray  # (V, K) rows of each form by itself
    around: np.ndarray  # (rows, M) rows that look beyond the word
    classes: np.ndarray  # (rows,) class in ``of_word`` and ``of_previous``


class Local(NamedTuple):
    """The scores of tags at each word by itself."""

    base: np.ndarray  # (V, T) scores of the forms
    allowed: np.ndarray  # (V, T) which tags each may have
    bonus: np.ndarray  # (rows, T), or no rows at all, what is added; above 0 it allows a tag
    weights: np.ndarray  # (F, T) of the words' features


class Sums(NamedTuple):
    """Weights of features and of transitions: those in training, or what averaging subtracts from them."""

    weights: np.ndarray  # (F, T)
    transitions: Transitions


class Space(NamedTuple):
    """Room for the search in one sentence."""

    local: np.ndarray  # (n, T)
    best: np.ndarray  # (n, T, T) value of the best tagging up to word i that ends in two tags
    floor: np.ndarray  # (T,) a value that every last tag but one surpasses or equals, whatever follows


def transition_shapes(tags: int, classes: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the first four of ``Transitions`` for T tags and W classes, class 0 included."""
    side = tags + 1
    return {
        "bigram": (side, side),
        "trigram": (side, side, side),
        "of_word": (classes, tags, tags),
        "of_previous": (classes, tags, tags),
    }


def with_extremes(bigram: np.ndarray, trigram: np.ndarray, of_word: np.ndarray, of_previous: np.ndarray) -> Transitions:
    """Transitions of these scores."""
    transitions = Transitions(bigram, trigram, of_word, of_previous, np.empty_like(bigram), np.empty_like(bigram))
    set_all_extremes(transitions)
    return transitions


def set_all_extremes(transitions: Transitions) -> None:
    """Bring ``highest`` and ``lowest`` up to date in place."""
    transitions.highest[:] = transitions.trigram[:, :, :-1].max(axis=2)
    transitions.lowest[:] = transitions.trigram[:, :, :-1].min(axis=2)


@inner_kernel
def space_for(words: int, tags: int) -> Space:
    """Room for sentences of up to so many words."""
    return Space(np.empty((words, tags)), np.empty((words, tags, tags)), np.empty(tags))


@kernel
def decode_range(
    offsets: np.ndarray, picks: np.ndarray, words: Words, scores: Local, transitions: Transitions, tagging: np.ndarray,
    values: np.ndarray,
) -> None:  # fmt: skip
    """Best taggings of the sentences ``picks``; fills ``tagging`` (rows,) and ``values`` (S,).

    The value is -inf where every tagging is forbidden, NaN where a bonus is NaN or +inf.
    """
    space = space_for(_longest(offsets, picks), scores.weights.shape[1])
    for sentence in picks:
        first, last = offsets[sentence] + 1, offsets[sentence + 1]
        local, classes = space.local[: last - first], words.classes[first:last]
        values[sentence] = np.nan
        if local_scores(int(first), words, scores, local):
            values[sentence] = viterbi(local, classes, transitions, space, tagging[first:last])


@inner_kernel
def _longest(offsets, picks):
    longest = 0
    for sentence in picks:
        longest = max(longest, offsets[sentence + 1] - offsets[sentence] - 1)
    return longest


@kernel
def local_scores(first: int, words: Words, scores: Local, local: np.ndarray) -> bool:
    """Local scores of the rows from ``first`` on, into ``local`` (n, T); returns whether all bonuses are usable."""
    base, allowed, bonus, weights = scores
    usable = True
    for i in range(len(local)):
        form = words.types[first + i]
        for tag in range(local.shape[1]):
            local[i, tag] = base[form, tag]
        _add_rows(weights, words.around[first + i], local[i])
        for tag in range(local.shape[1]):
            extra = bonus[first + i, tag] if len(bonus) else 0.0
            usable &= extra < np.inf  # false for NaN too
            local[i, tag] = local[i, tag] + extra if allowed[form, tag] or extra > 0.0 else -np.inf
    return usable


@kernel
def sum_rows(weights: np.ndarray, rows: np.ndarray, totals: np.ndarray) -> None:
    """``totals[i]`` = the sum of ``weights[rows[i, :]]``; absent rows (-1) weigh nothing."""
    for i in range(len(rows)):
        totals[i] = 0.0
        _add_rows(weights, rows[i], totals[i])


@inner_kernel
def _add_rows(weights, rows, total):
    for row in rows:
        if row >= 0:
            for tag in range(len(total)):
                total[tag] += weights[row, tag]


@inner_kernel
def viterbi(
    local: np.ndarray, classes: np.ndarray, transitions: Transitions, space: Space, tagging: np.ndarray
) -> float:
    """Write the best tagging of a sentence and return its value; of equals, the smallest read from the end."""
    n, tags = local.shape
    bigram, trigram, best = transitions.bigram, transitions.trigram, space.best
    if n == 0:
        return float(bigram[tags, tags] + trigram[tags, tags, tags])
    for tag in range(tags):
        best[0, 0, tag] = local[0, tag] + (bigram[tags, tag] + trigram[tags, tags, tag])
    for i in range(1, n):
        if i == 1:
            for middle in range(tags):
                base = best[0, 0, middle]
                for tag in range(tags):
                    best[1, middle, tag] = base + trigram[tags, middle, tag]
        else:
            _extend(best[i - 1], local[i - 2], transitions, space.floor, best[i])
        _add_pairs(i, classes, transitions, local, best[i])
    value, middle, tag = -np.inf, 0, 0
    for last in range(tags):
        for previous in range(tags if n > 1 else 1):
            left = previous if n > 1 else tags
            total = best[n - 1, previous, last] + (bigram[last, tags] + trigram[left, last, tags])
            if total > value:
                value, middle, tag = total, previous, last
    if value > -np.inf:
        _trace(best, trigram, middle, tag, tagging)
    return value


@inner_kernel
def _extend(before, oldest, transitions, floor, after):
    """``after[b, c]`` = the greatest ``before[a, b] + trigram[a, b, c]``; ``oldest`` are the local scores of the as."""
    tags = len(before)
    highest, lowest, trigram = transitions.highest, transitions.lowest, transitions.trigram
    floor[:] = -np.inf
    for left in range(tags):
        if oldest[left] == -np.inf:
            continue
        for middle in range(tags):
            value = before[left, middle] + lowest[left, middle]
            if value > floor[middle]:
                floor[middle] = value
    after[:] = -np.inf
    for left in range(tags):
        if oldest[left] == -np.inf:
            continue
        for middle in range(tags):
            base = before[left, middle]
            if base == -np.inf or base + highest[left, middle] < floor[middle]:
                continue  # rounding keeps order, so what is passed over can neither win nor tie
            row, out = trigram[left, middle], after[middle]
            for tag in range(tags):
                value = base + row[tag]
                if value > out[tag]:
                    out[tag] = value


@inner_kernel
def _add_pairs(i, classes, transitions, local, after):
    """Add what does not depend on the tag two words back."""
    tags = local.shape[1]
    word, previous = classes[i], classes[i - 1]
    for middle in range(tags):
        if local[i - 1, middle] == -np.inf:
            continue  # the row is -inf already
        for tag in range(tags):
            after[middle, tag] += transitions.bigram[middle, tag] + local[i, tag]
        if word > 0:
            for tag in range(tags):
                after[middle, tag] += transitions.of_word[word, middle, tag]
        if previous > 0:
            for tag in range(tags):
                after[middle, tag] += transitions.of_previous[previous, middle, tag]


@inner_kernel
def _trace(best, trigram, middle, tag, tagging):
    """Write down the tagging that ends in two tags."""
    n, tags = len(tagging), best.shape[2]
    tagging[n - 1] = tag
    if n > 1:
        tagging[n - 2] = middle
    for i in range(n - 1, 1, -1):
        value, left = -np.inf, 0
        for candidate in range(tags):
            total = best[i - 1, candidate, middle] + trigram[candidate, middle, tag]
            if total > value:
                value, left = total, candidate
        tagging[i - 2] = left
        middle, tag = left, middle


@kernel
def tagging_value(local: np.ndarray, classes: np.ndarray, transitions: Transitions, tagging: np.ndarray) -> float:
    """The score of a tagging of a sentence."""
    n, tags = local.shape
    left, middle, total = tags, tags, 0.0
    for i in range(n + 1):
        tag = tagging[i] if i < n else tags
        total += transitions.bigram[middle, tag] + transitions.trigram[left, middle, tag]
        if 0 < i < n:
            total += transitions.of_word[classes[i], middle, tag] + transitions.of_previous[classes[i - 1], middle, tag]
        if i < n:
            total += local[i, tag]
        left, middle = middle, tag
    return float(total)


@kernel
def train_range(
    offsets: np.ndarray, order: np.ndarray, step: int, words: Words, gold: np.ndarray, trained: Sums, totals: Sums
) -> int:
    """The averaged perceptron over the sentences in ``order``; returns the number of wrong words.

    ``step`` is the number of sentences seen before; the averages after N are ``trained - totals / N``, both Sums.
    """
    (weights, transitions), (sums, transition_sums) = trained, totals
    tags = weights.shape[1]
    space = space_for(_longest(offsets, order), tags)
    tagging = np.empty(len(space.local), np.int32)
    wrong = 0
    for sentence in order:
        first, last = offsets[sentence] + 1, offsets[sentence + 1]
        local, chosen, right = space.local[: last - first], tagging[: last - first], gold[first:last]
        classes = words.classes[first:last]
        for i in range(last - first):
            local[i] = 0.0
            _add_rows(weights, words.own[words.types[first + i]], local[i])
            _add_rows(weights, words.around[first + i], local[i])
        viterbi(local, classes, transitions, space, chosen)
        different = 0
        for i in range(last - first):
            if right[i] != chosen[i]:
                different += 1
                for rows in (words.own[words.types[first + i]], words.around[first + i]):
                    _move(weights, rows, right[i], chosen[i], 1.0)
                    _move(sums, rows, right[i], chosen[i], float(step))
        if different:
            _update(right, chosen, classes, 1.0, transitions)
            _update(right, chosen, classes, float(step), transition_sums)
            _set_extremes(chosen, transitions)
            _set_extremes(right, transitions)
        wrong += different
        step += 1
    return wrong


@inner_kernel
def _move(weights, rows, right, chosen, amount):
    for row in rows:
        if row >= 0:
            weights[row, right] += amount
            weights[row, chosen] -= amount


@inner_kernel
def _update(gold, tagging, classes, amount, transitions):
    """Add the gold tagging's transitions and take off the other's."""
    tags = len(transitions.bigram) - 1
    for sign, sequence in ((amount, gold), (-amount, tagging)):
        left, middle = tags, tags
        for i in range(len(sequence) + 1):
            tag = sequence[i] if i < len(sequence) else tags
            transitions.trigram[left, middle, tag] += sign
            transitions.bigram[middle, tag] += sign
            if 0 < i < len(sequence):
                if classes[i] > 0:
                    transitions.of_word[classes[i], middle, tag] += sign
                if classes[i - 1] > 0:
                    transitions.of_previous[classes[i - 1], middle, tag] += sign
            left, middle = middle, tag


@inner_kernel
def _set_extremes(tagging, transitions):
    """Recompute the extremes of the pairs of a tagging."""
    tags = len(transitions.bigram) - 1
    left = tags
    for i in range(len(tagging)):
        row = transitions.trigram[left, tagging[i], :tags]
        transitions.highest[left, tagging[i]] = row.max()
        transitions.lowest[left, tagging[i]] = row.min()
        left = tagging[i]
