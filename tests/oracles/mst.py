"""The features of a graph-based parser, one part at a time, in plain Python. Imports nothing from core.

``fields[w]`` are the field hashes of word w (0 the root), ``fields[-1]`` those of a missing word; templates are rows of
field numbers, each with a salt. A feature is a place in a table of ``mask + 1`` numbers.
"""

ONE, TWO, THREE = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
LEFT, RIGHT, FROM_ROOT = 13, 14, 15


def place(value, mask):
    """MurmurHash3's finaliser, and the lowest bits of what it gives."""
    value &= 0xFFFFFFFF
    value ^= value >> 16
    value = value * 0x85EBCA6B & 0xFFFFFFFF
    value ^= value >> 13
    value = value * 0xC2B2AE35 & 0xFFFFFFFF
    return (value ^ value >> 16) & mask


def slot(head, modifier):
    """Direction and distance."""
    if head == 0:
        return FROM_ROOT
    distance = abs(head - modifier)
    bin_ = next(number for number, most in enumerate((1, 2, 3, 5, 10, 10**9)) if distance <= most)
    return 1 + bin_ + 6 * (modifier > head)


def twice(value, bits, mask):
    """A feature alone and with four bits of its place in the tree."""
    alone = place(value, mask)
    return [alone, alone ^ bits]


def of_arc(fields, arcs, between, salts, mask, head, modifier):
    """Places of the features of an arc."""
    fields = fields.tolist()
    found, bits = [], slot(head, modifier)
    for (one, other), salt in zip(arcs, salts[: len(arcs)], strict=True):
        found += twice(fields[head][one] * ONE + int(salt) + fields[modifier][other] * TWO, bits, mask)
    for field, salt in zip(between, salts[len(arcs) :], strict=False):
        inside = {fields[word][field] for word in range(min(head, modifier) + 1, max(head, modifier))}
        for value in inside:
            ends = fields[head][field] * ONE + fields[modifier][field] * TWO
            found += twice(ends + int(salt) + value * THREE, bits, mask)
    return found


def _outer(one, other, pairs, salts, bits, mask):
    found = []
    for (first, second), salt in zip(pairs, salts, strict=False):
        found += twice(one[first] * ONE + int(salt) + other[second] * TWO, bits, mask)
    return found


def _triple(words, triples, salts, bits, mask):
    found = []
    for (a, b, c), salt in zip(triples, salts, strict=True):
        found += twice(words[0][a] * ONE + words[1][b] * TWO + words[2][c] * THREE + int(salt), bits, mask)
    return found


def of_sibling(fields, pairs, triples, salts, mask, head, sibling, modifier):
    """Places of the features of a modifier beside the next one towards the head, which is the head for none."""
    fields = fields.tolist()
    middle = fields[-1] if sibling == head else fields[sibling]
    side = RIGHT if modifier > head else LEFT
    bits = side if sibling == head else slot(sibling, modifier)
    words = fields[head], middle, fields[modifier]
    found = _outer(middle, fields[modifier], pairs, salts, bits, mask)
    return found + _triple(words, triples, salts[len(pairs) :], side, mask)


def of_grandparent(fields, pairs, triples, salts, mask, grand, head, modifier):
    """Places of the features of a chain grand -> head -> modifier."""
    fields = fields.tolist()
    words = fields[grand], fields[head], fields[modifier]
    shape = 1 + (head > grand) + 2 * (modifier > head) + 4 * (modifier > grand)
    found = _outer(words[0], words[2], pairs, salts, slot(grand, modifier), mask)
    return found + _triple(words, triples, salts[len(pairs) :], shape, mask)


def label_context(heads, modifier):
    """(words in their roles, -1 for none; codes of the place in the tree) of a word of a tree."""
    heads = [int(head) for head in heads]
    head = heads[modifier]
    own = [word for word in range(1, len(heads)) if heads[word] == modifier]
    beside = [word for word in range(1, len(heads)) if heads[word] == head]
    left = max((word for word in beside if word < modifier), default=-1)
    right = min((word for word in beside if word > modifier), default=-1)
    ends = (min(own), max(own)) if own else (-1, -1)
    roles = [modifier, head, heads[head] if head else -1, left, right, *ends]
    before, after = (min(2, sum((word < modifier) == side for word in own)) for side in (True, False))
    same_side = [word for word in beside if (word > head) == (modifier > head)]
    nearer = any(abs(word - head) < abs(modifier - head) for word in same_side)
    farther = (right if modifier > head else left) >= 0
    place = 1 + (modifier > head) + 2 * nearer + 4 * farther
    return roles, [0, *arc_codes(head, modifier), 1 + before + 3 * after, place]


def arc_codes(head, modifier):
    """Direction, and direction with distance."""
    direction = 1 + (modifier > head) + (head == 0)
    bin_ = 1 + next(number for number, most in enumerate((1, 2, 3, 5, 10, 10**9)) if abs(head - modifier) <= most)
    return direction, direction + 3 * bin_


def of_label(fields, roles, codes, parts, kinds, salts, mask):
    """Where the rows of the features of a word's relation begin."""
    fields, found = fields.tolist(), []
    for three, kind, salt in zip(parts, kinds, salts, strict=True):
        value = int(salt) + codes[kind] * 0x165667B1
        for part, factor in zip(three.tolist(), (ONE, TWO, 0x27D4EB2F), strict=True):
            if part >= 0:
                role, field = divmod(part, len(fields[0]))
                value += fields[roles[role]][field] * factor  # -1: the missing word, which stands last
        found.append(place(value, mask))
    return found
