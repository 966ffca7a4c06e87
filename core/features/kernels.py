"""Kernels behind the arc features, and the bit layout of a key, which they share.

They call each other, so they live in one module, and what they treat as constant is defined here: a compiled
kernel is cached by this file alone.
"""

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

# What a template can read around an arc, by number.
HEAD_TAG, MODIFIER_TAG, BEFORE_HEAD, AFTER_HEAD, BEFORE_MODIFIER, AFTER_MODIFIER, BETWEEN = range(7)
HEAD_FORM, MODIFIER_FORM = 7, 8
FIELD_COUNT = 9
MOST_FIELDS = 4  # that one template reads

UNKNOWN, ROOT, OUTSIDE = range(3)  # symbols before those of the vocabulary

# A key from its lowest bit up: attachment, up to four symbols, variant, template + 1.
ATTACHMENT_BITS = 5
SYMBOL_SHIFT = ATTACHMENT_BITS
VARIANT_SHIFT = 55
VARIANT_BITS = 4
TEMPLATE_SHIFT = VARIANT_SHIFT + VARIANT_BITS

EMPTY = -1  # a free slot of a hash table


@kernel
def sum_over(
    values: np.ndarray, offsets: np.ndarray, indices: np.ndarray, begin: int, end: int, sums: np.ndarray
) -> None:
    """Fill sums[begin:end]: of the values at ``indices[offsets[i]:offsets[i + 1]]``."""
    for i in range(begin, end):
        total = 0.0
        for at in range(offsets[i], offsets[i + 1]):
            total += values[indices[at]]
        sums[i] = total


@kernel
def add_over(
    values: np.ndarray, offsets: np.ndarray, indices: np.ndarray, begin: int, end: int, totals: np.ndarray
) -> None:
    """The transpose of ``sum_over``: add values[i], begin <= i < end, to the totals at those indices."""
    for i in range(begin, end):
        if values[i] != 0.0:
            for at in range(offsets[i], offsets[i + 1]):
                totals[indices[at]] += values[i]


@kernel
def count_groups(
    rows: np.ndarray,
    arc_offsets: np.ndarray,
    tag_symbols: np.ndarray,
    symbol_count: int,
    fields: np.ndarray,
    begin: int,
    end: int,
    counts: np.ndarray,
) -> None:
    """Write each arc's number of groups to ``counts[arc + 1]``."""
    plain, between = 0, 0
    for template in range(len(fields)):
        if _reads_between(fields, template):
            between += 1
        else:
            plain += 1
    last_seen = np.full(symbol_count, -1, dtype=np.int64)
    stamp = -1
    for sentence in range(begin, end):
        side = rows[sentence + 1] - rows[sentence]
        for head in range(side):
            for step in (-1, 1):
                stamp += 1
                different = 0
                modifier = head + step
                while 0 < modifier < side:
                    arc = arc_offsets[sentence] + head * side + modifier
                    counts[arc + 1] = plain + between * different
                    symbol = tag_symbols[rows[sentence] + modifier]
                    if last_seen[symbol] != stamp:
                        last_seen[symbol] = stamp
                        different += 1
                    modifier += step


@kernel
def fill_groups(
    rows: np.ndarray,
    arc_offsets: np.ndarray,
    symbols_of: tuple,
    symbol_count: int,
    fields: np.ndarray,
    widths: np.ndarray,
    group_offsets: np.ndarray,
    groups: np.ndarray,
) -> np.ndarray:
    """Fill ``groups``; returns the key of each group. One thread: groups are numbered as they are met.

    ``symbols_of`` are the symbols of each row's tag and form.
    """
    tag_symbols, form_symbols = symbols_of
    table, slots = _new_table(1024)
    keys = np.empty(1024, dtype=np.uint64)
    count = 0
    last_seen = np.full(symbol_count, -1, dtype=np.int64)
    between = np.empty(symbol_count, dtype=np.int64)
    symbols = np.empty(FIELD_COUNT, dtype=np.int64)
    stamp = -1
    for sentence in range(len(rows) - 1):
        base = rows[sentence]
        side = rows[sentence + 1] - base
        for head in range(side):
            for step in (-1, 1):
                stamp += 1
                different = 0
                modifier = head + step
                while 0 < modifier < side:
                    arc = arc_offsets[sentence] + head * side + modifier
                    _read_symbols(tag_symbols, form_symbols, base, side, head, modifier, symbols)
                    attachment = _attachment(head, modifier)
                    at = group_offsets[arc]
                    for template in range(len(fields)):
                        reads_between = _reads_between(fields, template)
                        for chosen in range(different if reads_between else 1):
                            if reads_between:
                                symbols[BETWEEN] = between[chosen]
                            key = _key(template, fields, widths, symbols, attachment)
                            if count == len(keys):
                                keys = _grown(keys)
                            if 2 * count >= len(table):
                                table, slots = _rehashed(keys, count, 4 * len(table))
                            group = _find_or_add(table, slots, key, count)
                            if group == count:
                                keys[count] = key
                                count += 1
                            groups[at] = group
                            at += 1
                    symbol = tag_symbols[base + modifier]
                    if last_seen[symbol] != stamp:
                        last_seen[symbol] = stamp
                        between[different] = symbol
                        different += 1
                    modifier += step
    return keys[:count].copy()


@inner_kernel
def _reads_between(fields, template):
    for position in range(MOST_FIELDS):
        if fields[template, position] == BETWEEN:
            return True
    return False


@inner_kernel
def _read_symbols(tag_symbols, form_symbols, base, side, head, modifier, symbols):
    """Fill in what templates read, in the order of ``templates.FIELDS``; neighbours beyond the sentence are OUTSIDE."""
    symbols[HEAD_TAG] = tag_symbols[base + head]
    symbols[MODIFIER_TAG] = tag_symbols[base + modifier]
    symbols[BEFORE_HEAD] = tag_symbols[base + head - 1] if head > 0 else OUTSIDE
    symbols[AFTER_HEAD] = tag_symbols[base + head + 1] if head + 1 < side else OUTSIDE
    symbols[BEFORE_MODIFIER] = tag_symbols[base + modifier - 1]
    symbols[AFTER_MODIFIER] = tag_symbols[base + modifier + 1] if modifier + 1 < side else OUTSIDE
    symbols[HEAD_FORM] = form_symbols[base + head]
    symbols[MODIFIER_FORM] = form_symbols[base + modifier]


@inner_kernel
def _attachment(head, modifier):
    """Lowest bit: 1 if the modifier follows its head; above it the distance bin 0..6."""
    distance = abs(head - modifier)
    bin_ = distance - 1 if distance <= 5 else (5 if distance <= 10 else 6)
    return 2 * bin_ + (1 if modifier > head else 0)


@inner_kernel
def _key(template, fields, widths, symbols, attachment):
    key = np.uint64(template + 1) << np.uint64(TEMPLATE_SHIFT)
    shift = SYMBOL_SHIFT
    for position in range(MOST_FIELDS):
        field = fields[template, position]
        if field >= 0:
            symbol = symbols[field]
            if symbol >= 1 << widths[template, position]:
                symbol = UNKNOWN  # too rare for a field of this width: counted as unknown
            key |= np.uint64(symbol) << np.uint64(shift)
        shift += widths[template, position]
    return key | np.uint64(attachment)


@inner_kernel
def _grown(keys):
    bigger = np.empty(2 * len(keys), dtype=keys.dtype)
    for at in range(len(keys)):
        bigger[at] = keys[at]
    return bigger


@inner_kernel
def _rehashed(keys, count, size):
    table, slots = _new_table(size)
    for at in range(count):
        _find_or_add(table, slots, keys[at], at)
    return table, slots


@kernel
def index_features(group_keys: np.ndarray, masks: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Number features as they are met; fills ``features`` (G, V) and returns their keys."""
    table, slots = _new_table(4096)
    keys = np.empty(4096, dtype=np.uint64)
    count = 0
    for group in range(len(group_keys)):
        template = np.int64(group_keys[group] >> np.uint64(TEMPLATE_SHIFT)) - 1
        for variant in range(masks.shape[1]):
            if masks[template, variant] == 0:
                break
            key = (group_keys[group] & masks[template, variant]) | (np.uint64(variant) << np.uint64(VARIANT_SHIFT))
            if count == len(keys):
                keys = _grown(keys)
            if 2 * count >= len(table):
                table, slots = _rehashed(keys, count, 4 * len(table))
            feature = _find_or_add(table, slots, key, count)
            if feature == count:
                keys[count] = key
                count += 1
            features[group, variant] = feature
    return keys[:count].copy()


@kernel
def lookup_features(
    group_keys: np.ndarray, masks: np.ndarray, table: np.ndarray, slots: np.ndarray, features: np.ndarray
) -> None:
    for group in range(len(group_keys)):
        template = np.int64(group_keys[group] >> np.uint64(TEMPLATE_SHIFT)) - 1
        for variant in range(masks.shape[1]):
            if masks[template, variant] == 0:
                break
            key = (group_keys[group] & masks[template, variant]) | (np.uint64(variant) << np.uint64(VARIANT_SHIFT))
            features[group, variant] = _lookup(table, slots, key)


@kernel
def table_of(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    size = 1024
    while size < 2 * len(keys) + 2:
        size *= 2
    table, slots = _new_table(size)
    for at in range(len(keys)):
        _find_or_add(table, slots, keys[at], at)
    return table, slots


@inner_kernel
def _new_table(size):
    """An open-addressing table of ``size`` slots, a power of two: keys, and what they map to (-1: free)."""
    return np.zeros(size, dtype=np.uint64), np.full(size, EMPTY, dtype=np.int32)


@inner_kernel
def _slot(size, key):
    mixed = (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(size - 1))


@inner_kernel
def _find_or_add(table, slots, key, value):
    """The value of ``key``; maps it to ``value`` if it is new. The table must not be full."""
    at = _slot(len(table), key)
    while slots[at] != EMPTY:
        if table[at] == key:
            return slots[at]
        at = (at + 1) & (len(table) - 1)
    table[at] = key
    slots[at] = value
    return value


@inner_kernel
def _lookup(table, slots, key):
    """The value of ``key``, or -1."""
    at = _slot(len(table), key)
    while slots[at] != EMPTY:
        if table[at] == key:
            return slots[at]
        at = (at + 1) & (len(table) - 1)
    return EMPTY
