"""Scores of arcs, siblings and grandparents from a table of hashed weights, and the table's updates.

A feature has a place in the table, a power of two of numbers: a hash of its template and of what it reads. It stands
there twice: once alone, and once with direction and distance, at the same place but for the lowest four bits, so that
both are one look into memory. Sentences are rows ``rows[i]`` to ``rows[i + 1] - 1`` of ``fields``, the root first; the
last row of ``fields`` stands for a missing sibling.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

LEFT, RIGHT, FROM_ROOT = 13, 14, 15  # the lowest four bits; 0 is alone, 1 to 12 are direction and distance
ONE, TWO, THREE = np.uint32(0x9E3779B1), np.uint32(0x85EBCA77), np.uint32(0xC2B2AE3D)
MIX_ONE, MIX_TWO = np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)


class Table(NamedTuple):
    """Templates as ``core.parsers.mst.features.Templates`` has them, and the weights that they hash to."""

    arcs: np.ndarray
    between: np.ndarray
    pairs: np.ndarray
    triples: np.ndarray
    salts: np.ndarray
    weights: np.ndarray
    mask: int


@kernel
def score_arcs(
    rows: np.ndarray, fields: np.ndarray, table: Table, begin: int, end: int, offsets: np.ndarray, values: np.ndarray
) -> None:
    """Scores of all arcs of sentences begin..end-1, [head, modifier]; 0 in column 0 and on the diagonal."""
    arcs, between, weights, mask = table.arcs, table.between, table.weights, table.mask
    salts, more_salts = table.salts[0], table.salts[0, len(table.arcs) :]
    places, seen = np.empty(_most_places(rows, arcs, between, begin, end), np.int64), _seen(rows, between, begin, end)
    counts = np.zeros(len(between), np.int64)
    for sentence in range(begin, end):
        side = rows[sentence + 1] - rows[sentence]
        words = fields[rows[sentence] : rows[sentence + 1]]
        heads, modifiers = _multiplied(words, arcs[:, 0], ONE, salts), _multiplied(words, arcs[:, 1], TWO, salts[:0])
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        scores[:, 0] = 0.0
        for head in range(side):
            scores[head, head] = 0.0
            for step in (-1, 1):
                counts[:] = 0
                modifier = head + step
                while 0 < modifier < side:
                    slot = _slot(head, modifier)
                    count = _pair_places(heads[head], modifiers[modifier], slot, mask, places, 0)
                    ends, more = (words[head], words[modifier]), places[count:]
                    count += _between_places(ends, between, seen, counts, more_salts, slot, mask, more)
                    total = np.float64(0.0)
                    for at in range(count):
                        total += weights[places[at]]
                    scores[head, modifier] = total
                    _see(words[modifier], between, seen, counts)
                    modifier += step


@kernel
def score_siblings(
    rows: np.ndarray, fields: np.ndarray, table: Table, begin: int, end: int, offsets: np.ndarray, values: np.ndarray
) -> None:
    """Scores [head, sibling, modifier] of sentences begin..end-1; entries that are no parts are left alone."""
    pairs, triples, weights, mask = table.pairs, table.triples, table.weights, table.mask
    salts = _part_salts(table, 0)
    places = np.empty(2 * len(pairs), np.int64)
    longest = _longest(rows, begin, end)
    beside, first = np.empty((longest, longest)), np.empty((2, longest))
    nothing = fields[len(fields) - 1 :]
    for sentence in range(begin, end):
        side = rows[sentence + 1] - rows[sentence]
        words = fields[rows[sentence] : rows[sentence + 1]]
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side, side)
        modifiers = _multiplied(words, pairs[:, 1], TWO, salts[:0])
        siblings = _multiplied(words, pairs[:, 0], ONE, salts)
        missing = _multiplied(nothing, pairs[:, 0], ONE, salts)
        for modifier in range(1, side):
            for right in range(2):
                first[right, modifier] = _pair_score(
                    missing[0], modifiers[modifier], LEFT + right, mask, weights, places
                )
            for sibling in range(1, side):
                if sibling != modifier:
                    slot = _slot(sibling, modifier)
                    beside[sibling, modifier] = _pair_score(
                        siblings[sibling], modifiers[modifier], slot, mask, weights, places
                    )
        for head in range(side):
            for modifier in range(1, side):
                if modifier != head:
                    scores[head, head, modifier] = first[1 if modifier > head else 0, modifier]
            for sibling in range(1, head):
                for modifier in range(1, sibling):
                    scores[head, sibling, modifier] = beside[sibling, modifier]
            for sibling in range(head + 1, side):
                for modifier in range(sibling + 1, side):
                    scores[head, sibling, modifier] = beside[sibling, modifier]
        for template in range(len(triples)):
            salt = salts[len(pairs) + template]
            ones = words[:, triples[template, 0]] * ONE
            twos = words[:, triples[template, 1]] * TWO
            threes = words[:, triples[template, 2]] * THREE
            absent = np.uint32(np.uint32(nothing[0, triples[template, 1]] * TWO) + salt)
            for head in range(side):
                for modifier in range(1, side):
                    if modifier != head:
                        bits = RIGHT if modifier > head else LEFT
                        base = np.uint32(np.uint32(ones[head] + absent) + threes[modifier])
                        place = _place(base, mask)
                        scores[head, head, modifier] += np.float64(weights[place]) + weights[place ^ bits]
                for sibling in range(1, side):
                    base = np.uint32(np.uint32(ones[head] + twos[sibling]) + salt)
                    if sibling < head:
                        _add_triples(base, threes, 1, sibling, LEFT, mask, weights, scores[head, sibling])
                    elif sibling > head:
                        _add_triples(base, threes, sibling + 1, side, RIGHT, mask, weights, scores[head, sibling])


@kernel
def score_grandparents(
    rows: np.ndarray, fields: np.ndarray, table: Table, begin: int, end: int, offsets: np.ndarray, values: np.ndarray
) -> None:
    """Scores [grandparent, head, modifier] of sentences begin..end-1; entries that are no parts are left alone."""
    pairs, triples, weights, mask = table.pairs, table.triples, table.weights, table.mask
    salts = _part_salts(table, 1)
    places = np.empty(2 * len(pairs), np.int64)
    longest = _longest(rows, begin, end)
    ends = np.empty((longest, longest))
    for sentence in range(begin, end):
        side = rows[sentence + 1] - rows[sentence]
        words = fields[rows[sentence] : rows[sentence + 1]]
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side, side)
        modifiers = _multiplied(words, pairs[:, 1], TWO, salts[:0])
        grands = _multiplied(words, pairs[:, 0], ONE, salts)
        for grand in range(side):
            for modifier in range(1, side):
                if grand != modifier:
                    slot = _slot(grand, modifier)
                    ends[grand, modifier] = _pair_score(grands[grand], modifiers[modifier], slot, mask, weights, places)
        for grand in range(side):
            for head in range(1, side):
                if head != grand:
                    for modifier in range(1, side):
                        scores[grand, head, modifier] = ends[grand, modifier] if modifier != grand else 0.0
        for template in range(len(triples)):
            salt = salts[len(pairs) + template]
            for grand in range(side):
                one = np.uint32(words[grand, triples[template, 0]] * ONE)
                for head in range(1, side):
                    if head == grand:
                        continue
                    base = np.uint32(np.uint32(one + np.uint32(words[head, triples[template, 1]] * TWO)) + salt)
                    for modifier in range(1, side):
                        if modifier not in (grand, head):
                            three = np.uint32(words[modifier, triples[template, 2]] * THREE)
                            place = _place(np.uint32(base + three), mask)
                            bits = _shape(grand, head, modifier)
                            scores[grand, head, modifier] += np.float64(weights[place]) + weights[place ^ bits]


@kernel
def score_parts(
    words: np.ndarray, nothing: np.ndarray, table: Table, chains: bool, parts: np.ndarray, values: np.ndarray
) -> None:
    """Scores of chosen parts of a sentence: rows (head, sibling, modifier), or (grandparent, head, modifier) chains."""
    pairs, triples, mask, salts = table.pairs, table.triples, table.mask, _part_salts(table, 1 if chains else 0)
    places = np.empty(2 * (len(pairs) + len(triples)), np.int64)
    for part in range(len(parts)):
        one, other, modifier = parts[part, 0], parts[part, 1], parts[part, 2]
        if chains:
            outer, middle = words[one], words[other]
            slot, bits = _slot(one, modifier), _shape(one, other, modifier)
        else:
            bits = RIGHT if modifier > one else LEFT
            middle = nothing if other == one else words[other]
            outer, slot = middle, bits if other == one else _slot(other, modifier)
        count = _outer_places(outer, words[modifier], pairs, salts, slot, mask, places, 0)
        three = words[one], middle, words[modifier]
        count = _triple_places(three, triples, salts[len(pairs) :], bits, mask, places, count)
        total = np.float64(0.0)
        for at in range(count):
            total += table.weights[places[at]]
        values[part] = total


@kernel
def collect_parts(
    words: np.ndarray, nothing: np.ndarray, table: Table, order: int, gold: np.ndarray, found: np.ndarray,
    places: np.ndarray, values: np.ndarray,
) -> int:  # fmt: skip
    """The features in which two trees differ: +1 in ``values`` for the gold tree's, -1 for the other's; their number.

    ``order`` is 1 for arcs, 2 with siblings, 3 with grandparents too. ``places`` may hold one place several times.
    """
    arcs, between, pairs, triples, mask = table.arcs, table.between, table.pairs, table.triples, table.mask
    salts, sibling_salts, grandparent_salts = table.salts[0], _part_salts(table, 0), _part_salts(table, 1)
    side, count = len(words), 0
    seen, counts = np.empty((len(between), side), np.uint32), np.zeros(len(between), np.int64)
    heads, modifiers = _multiplied(words, arcs[:, 0], ONE, salts), _multiplied(words, arcs[:, 1], TWO, salts[:0])
    for modifier in range(1, side):
        siblings = _inner_sibling(gold, modifier), _inner_sibling(found, modifier)
        for tree in range(2):
            begin, mine, other = count, gold if tree == 0 else found, found if tree == 0 else gold
            head = mine[modifier]
            if head != other[modifier]:
                slot = _slot(head, modifier)
                count = _pair_places(heads[head], modifiers[modifier], slot, mask, places, count)
                counts[:] = 0
                for word in range(min(head, modifier) + 1, max(head, modifier)):
                    _see(words[word], between, seen, counts)
                ends, more = (words[head], words[modifier]), places[count:]
                count += _between_places(ends, between, seen, counts, salts[len(arcs) :], slot, mask, more)
            if order > 1 and (head != other[modifier] or siblings[0] != siblings[1]):
                sibling = siblings[tree]
                middle = nothing if sibling == head else words[sibling]
                side_bits = RIGHT if modifier > head else LEFT
                slot = side_bits if sibling == head else _slot(sibling, modifier)
                count = _outer_places(middle, words[modifier], pairs, sibling_salts, slot, mask, places, count)
                three, salt = (words[head], middle, words[modifier]), sibling_salts[len(pairs) :]
                count = _triple_places(three, triples, salt, side_bits, mask, places, count)
            if order > 2 and head > 0 and (head != other[modifier] or mine[head] != other[head]):
                grand = mine[head]
                slot = _slot(grand, modifier)
                ends = words[grand], words[modifier]
                count = _outer_places(ends[0], ends[1], pairs, grandparent_salts, slot, mask, places, count)
                three, salt = (words[grand], words[head], words[modifier]), grandparent_salts[len(pairs) :]
                count = _triple_places(three, triples, salt, _shape(grand, head, modifier), mask, places, count)
            values[begin:count] = 1.0 if tree == 0 else -1.0
    return count


@inner_kernel
def _part_salts(table, row):
    """Salts of pairs, then of triples: row 0 for siblings, 1 for grandparents."""
    return table.salts[row, len(table.arcs) + len(table.between) :]


@inner_kernel
def _multiplied(words, columns, factor, salts):
    """uint32 (words, templates): the fields that templates read, made ready to be added up."""
    result = np.empty((len(words), len(columns)), np.uint32)
    for word in range(len(words)):
        for template in range(len(columns)):
            value = np.uint32(words[word, columns[template]] * factor)
            result[word, template] = value if len(salts) == 0 else np.uint32(value + salts[template])
    return result


@inner_kernel
def _place(value, mask):
    value = np.uint32(value ^ (value >> np.uint32(16)))
    value = np.uint32(value * MIX_ONE)
    value = np.uint32(value ^ (value >> np.uint32(13)))
    value = np.uint32(value * MIX_TWO)
    value = np.uint32(value ^ (value >> np.uint32(16)))
    return np.int64(value) & mask


@inner_kernel
def _slot(head, modifier):
    if head == 0:
        return FROM_ROOT
    distance = abs(head - modifier)
    if distance <= 3:
        bin_ = distance - 1
    elif distance <= 5:
        bin_ = 3
    else:
        bin_ = 4 if distance <= 10 else 5
    return 1 + bin_ + (6 if modifier > head else 0)


@inner_kernel
def _shape(grand, head, modifier):
    """On which side of its head each word of a chain stands, as four bits."""
    return 1 + (1 if head > grand else 0) + (2 if modifier > head else 0) + (4 if modifier > grand else 0)


@inner_kernel
def _pair_places(one, other, slot, mask, places, count):
    for template in range(len(one)):
        place = _place(np.uint32(one[template] + other[template]), mask)
        places[count] = place
        places[count + 1] = place ^ slot
        count += 2
    return count


@inner_kernel
def _pair_score(one, other, slot, mask, weights, places):
    total = np.float64(0.0)
    for at in range(_pair_places(one, other, slot, mask, places, 0)):
        total += weights[places[at]]
    return total


@inner_kernel
def _between_places(ends, between, seen, counts, salts, slot, mask, places):
    """The places of an arc's features of words between its ends; how many."""
    count = 0
    for kind in range(len(between)):
        field = between[kind]
        base = np.uint32(np.uint32(ends[0][field] * ONE) + np.uint32(ends[1][field] * TWO))
        base = np.uint32(base + salts[kind])
        for at in range(counts[kind]):
            place = _place(np.uint32(base + np.uint32(seen[kind, at] * THREE)), mask)
            places[count] = place
            places[count + 1] = place ^ slot
            count += 2
    return count


@inner_kernel
def _see(word, between, seen, counts):
    """Add a word's fields to those seen between, each once."""
    for kind in range(len(between)):
        value = word[between[kind]]
        known = False
        for at in range(counts[kind]):
            known |= seen[kind, at] == value
        if not known:
            seen[kind, counts[kind]] = value
            counts[kind] += 1


@inner_kernel
def _outer_places(one, other, pairs, salts, slot, mask, places, count):
    for template in range(len(pairs)):
        value = np.uint32(np.uint32(one[pairs[template, 0]] * ONE) + salts[template])
        place = _place(np.uint32(value + np.uint32(other[pairs[template, 1]] * TWO)), mask)
        places[count] = place
        places[count + 1] = place ^ slot
        count += 2
    return count


@inner_kernel
def _triple_places(three, triples, salts, bits, mask, places, count):
    for template in range(len(triples)):
        value = np.uint32(three[0][triples[template, 0]] * ONE)
        value = np.uint32(value + np.uint32(three[1][triples[template, 1]] * TWO))
        value = np.uint32(value + np.uint32(three[2][triples[template, 2]] * THREE))
        place = _place(np.uint32(value + salts[template]), mask)
        places[count] = place
        places[count + 1] = place ^ bits
        count += 2
    return count


@inner_kernel
def _add_triples(base, threes, begin, end, bits, mask, weights, scores):
    for modifier in range(begin, end):
        place = _place(np.uint32(base + threes[modifier]), mask)
        scores[modifier] += np.float64(weights[place]) + weights[place ^ bits]


@inner_kernel
def _inner_sibling(heads, modifier):
    """The next modifier of the same head from ``modifier`` towards it, or the head if there is none."""
    head = heads[modifier]
    step = 1 if head > modifier else -1
    word = modifier + step
    while word != head and heads[word] != head:
        word += step
    return word


@inner_kernel
def _longest(rows, begin, end):
    longest = 1
    for sentence in range(begin, end):
        longest = max(longest, rows[sentence + 1] - rows[sentence])
    return longest


@inner_kernel
def _most_places(rows, arcs, between, begin, end):
    return 2 * (len(arcs) + len(between) * _longest(rows, begin, end))


@inner_kernel
def _seen(rows, between, begin, end):
    return np.empty((len(between), _longest(rows, begin, end)), np.uint32)
