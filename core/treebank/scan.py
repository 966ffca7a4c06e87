"""Kernels that read a tab-separated treebank's bytes straight into arrays.

One pass finds lines, columns, sentences and heads, and checks ids and trees; no Python object is made for a word.
A problem is a kind and a place in the bytes: ``problems.py`` has the words for it.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

# kinds of problems; one is reported a sentence
COLUMNS, NUMBERING, FORM, HEAD, HEAD_RANGE, SELF_LOOP, CYCLE, NO_ROOT, SEVERAL_ROOTS, SPAN, EMPTY_NODE, NO_WORD = range(
    1, 13
)
IS_WORD, IS_SPAN, IS_NODE, IS_OTHER = range(4)  # ids such as 3, 3-4, 3.1, and anything else
UNKNOWN, NOT_A_NUMBER = -1, -2
LARGEST = 10**8  # larger ids and heads are read as this, which no sentence reaches

TAB, NEWLINE, RETURN, SPACE, HASH, HYPHEN, DOT, ZERO, BLANK = b"\t\n\r #-.0_"


class LineShape(NamedTuple):
    """Which columns have the form and the head, how many columns a line may have, whether a tree has one root only."""

    form: int
    head: int
    least: int
    most: int
    single_root: bool


@kernel
def find_separators(data: np.ndarray, begin: int) -> tuple[np.ndarray, int]:
    """(separators, newlines): where tabs and newlines are, int32, and how many of them are newlines.

    Before them stands ``begin - 1``, and after them len(data) if no newline ends the data.
    """
    data = data[begin:]
    size = len(data)
    tabs = newlines = 0
    for place in range(size):  # counting first, and no branch in the second loop, is twice as fast as one loop
        tabs += data[place] == TAB
        newlines += data[place] == NEWLINE
    separators = np.empty(tabs + newlines + 3, np.int32)
    separators[0] = begin - 1
    count = np.uint64(1)
    for place in range(size):
        separators[count] = begin + place
        count += np.uint64((data[place] == TAB) | (data[place] == NEWLINE))
    if size > 0 and data[size - 1] != NEWLINE:
        separators[count] = begin + size
        count += np.uint64(1)
    return separators[:count], newlines


@kernel
def scan(
    data: np.ndarray, separators: np.ndarray, shape: LineShape, offsets: np.ndarray, blocks: np.ndarray,
    heads: np.ndarray, lines: np.ndarray,
) -> tuple[int, np.ndarray]:  # fmt: skip
    """Fill the arrays of a whole file; returns (sentences, problem).

    Row r is a word, or the root before a sentence's first word. ``lines[r]`` is the index of the separator before
    a word's line, so that its column c lies between separators ``lines[r] + c`` and ``lines[r] + c + 1``. It is -1
    for a root. Sentence i comes from ``data[blocks[i] : blocks[i + 1]]``, comments and the blank lines after it
    included. ``problem`` is [sentences with a problem, kind, byte, sentence, word] of the first. There must be room
    for a row for every line and two more.
    """
    problem = np.zeros(5, np.int64)
    seen = np.zeros(256, np.int32)
    count, row = 0, 0
    offsets[0], blocks[0] = 0, separators[0] + 1
    at = _skip(data, separators, 0, True)
    while at < len(separators) - 1:
        heads[row], lines[row] = UNKNOWN, -1
        start = at
        at, words, kind, word, place = _sentence(data, separators, start, shape, heads, lines, row + 1)
        if kind == 0:
            seen = seen if words < len(seen) else np.zeros(2 * words, np.int32)
            kind, word = tree_fault(heads, row, row + words, seen)
            place = lines[row + max(word, 1)]
            kind = 0 if kind == SEVERAL_ROOTS and not shape.single_root else kind
        if kind != 0:
            if problem[0] == 0:
                problem[1], problem[2], problem[3], problem[4] = kind, separators[place] + 1, count, word
            problem[0] += 1
        row += words + 1
        count += 1
        at = _skip(data, separators, at, False)
        offsets[count], blocks[count] = row, separators[at] + 1
        at = _skip(data, separators, at, True)
    blocks[count] = len(data)
    return count, problem


@inner_kernel
def _sentence(data, separators, at, shape, heads, lines, first):
    """Rows from ``first`` on of the lines up to a blank one; returns (end, words, kind, word, line of a problem)."""
    form_column, head_column, least, most, _ = shape
    words, width, covered, nodes = 0, 0, 0, 0
    kind, word, place = 0, 0, at
    line, spanned = at, at
    while at < len(separators) - 1 and not _is_blank(data, separators, at):
        line, begin = at, separators[at] + 1
        at += 1
        while at < len(separators) - 1 and data[separators[at]] == TAB:
            at += 1
        if kind != 0 or data[begin] == HASH:  # only a sentence's first problem counts
            continue
        columns = at - line
        width = width if width else columns
        if columns < least or columns > most or columns != width:
            kind, word, place = COLUMNS, words + 1, line
            continue
        sort, number, other = _id(data, begin, separators[line + 1])
        if sort == IS_WORD:
            head = _number(data, separators[line + head_column] + 1, separators[line + head_column + 1], True)
            if number != words + 1:
                kind = NUMBERING
            elif separators[line + form_column + 1] - separators[line + form_column] < 2:
                kind = FORM
            elif head == NOT_A_NUMBER:
                kind = HEAD
            heads[first + words] = head
            lines[first + words] = line
            words += 1
            nodes = 0
        elif sort == IS_SPAN:
            kind = SPAN if number != words + 1 or other <= number or number <= covered else 0
            covered, spanned = other, line
        elif sort == IS_NODE:
            nodes += 1
            kind = EMPTY_NODE if number != words or other != nodes else 0
        else:
            kind = NUMBERING
        if kind != 0:
            word, place = words + (sort != IS_WORD), line
    if kind == 0 and words == 0:
        kind, place = NO_WORD, line
    elif kind == 0 and covered > words:
        kind, place = SPAN, spanned
    return at, words, kind, word, place


@inner_kernel
def tree_fault(heads: np.ndarray, root: int, last: int, seen: np.ndarray) -> tuple[int, int]:
    """(kind, word) of what keeps the rows from ``root`` to ``last`` from being a tree with one root, else (0, 0).

    Unknown heads are left alone. ``seen`` is scratch space for as many entries as rows. O(n).
    """
    n = last - root
    roots, second, known = 0, 0, 0
    for m in range(1, n + 1):
        head = heads[root + m]
        if head > n or head < UNKNOWN:
            return HEAD_RANGE, m
        if head == m:
            return SELF_LOOP, m
        if head == 0:
            roots += 1
            second = m if roots == 2 else second
        known += head != UNKNOWN
        seen[m] = 0
    if roots == 0 and known == n:
        return NO_ROOT, 1
    for m in range(1, n + 1):  # walk up, leaving one's own number; meeting it again closes a cycle
        node = m
        while node > 0 and seen[node] == 0:
            seen[node] = m
            node = heads[root + node]
        if node > 0 and seen[node] == m:
            return CYCLE, node
    return (SEVERAL_ROOTS, second) if roots > 1 else (0, 0)


@kernel
def forest_faults(offsets: np.ndarray, heads: np.ndarray) -> tuple[int, int, int]:
    """(sentence, kind, word) of the first sentence that is not a tree (several roots allowed), (-1, 0, 0) if none."""
    longest = 0
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    seen = np.zeros(longest, np.int32)
    for i in range(len(offsets) - 1):
        kind, word = tree_fault(heads, offsets[i], offsets[i + 1] - 1, seen)
        if kind != 0 and kind != SEVERAL_ROOTS:
            return i, kind, word
    return -1, 0, 0


@inner_kernel
def _is_blank(data, separators, at):
    """Whether the line after separator ``at`` holds nothing but white space."""
    place = separators[at] + 1
    while place < len(data) and data[place] <= SPACE:
        if data[place] == NEWLINE:
            return True
        place += 1
    return place >= len(data)


@inner_kernel
def _skip(data, separators, at, comments):
    """Past blank lines and, if so asked, comments: the separator before the next line that is neither."""
    last = len(separators) - 1
    while at < last and (_is_blank(data, separators, at) or (comments and data[separators[at] + 1] == HASH)):
        at += 1
        while at < last and data[separators[at]] == TAB:
            at += 1
    return at


@inner_kernel
def _number(data, begin, end, blank):
    """The number in a field; UNKNOWN for ``_`` if that is allowed; NOT_A_NUMBER for anything else."""
    if blank and end - begin == 1 and data[begin] == BLANK:
        return UNKNOWN
    if end <= begin or (data[begin] == ZERO and end - begin > 1):
        return NOT_A_NUMBER
    value = 0
    for place in range(begin, end):
        digit = np.int64(data[place]) - ZERO
        if digit < 0 or digit > 9:
            return NOT_A_NUMBER
        value = min(value * 10 + digit, LARGEST)
    return value


@inner_kernel
def _id(data, begin, end):
    """(sort, number, second number) of an ID field."""
    for place in range(begin, end):
        if data[place] == HYPHEN or data[place] == DOT:
            first = _number(data, begin, place, False)
            second = _number(data, place + 1, end, False)
            if first < 0 or second < 0:
                return IS_OTHER, 0, 0
            return (IS_SPAN if data[place] == HYPHEN else IS_NODE), first, second
    number = _number(data, begin, end, False)
    return (IS_WORD, number, 0) if number > 0 else (IS_OTHER, 0, 0)


@kernel
def intern(
    data: np.ndarray, separators: np.ndarray, lines: np.ndarray, column: int, keep_blank: bool, ids: np.ndarray
) -> np.ndarray:
    """Number the distinct fields of a column from 1 on, in order of appearance; 0 is an empty one, or ``_``.

    Fills ``ids`` and returns int64 (values, 2): where the bytes of each value begin and end. Open addressing with
    linear probing; the table doubles when half full.
    """
    table = np.zeros(256, np.int32)
    spans = np.zeros((128, 2), np.int64)
    hashes = np.zeros(128, np.uint64)
    count = 0
    for row in range(len(ids)):
        ids[row] = 0
        if lines[row] < 0:
            continue
        begin, end = separators[lines[row] + column] + 1, separators[lines[row] + column + 1]
        if end > begin and data[end - 1] == RETURN:
            end -= 1
        if end <= begin or (end - begin == 1 and data[begin] == BLANK and not keep_blank):
            continue
        value = _hash(data, begin, end)
        slot = np.int64(value >> np.uint64(32)) & (len(table) - 1)
        while table[slot] != 0:
            other = table[slot] - 1
            if hashes[other] == value and (
                end - begin <= 8 or _same(data, begin, end, spans[other, 0], spans[other, 1])
            ):
                break
            slot = (slot + 1) & (len(table) - 1)
        if table[slot] == 0:
            spans[count, 0], spans[count, 1] = begin, end
            hashes[count] = value
            count += 1
            table[slot] = count
            ids[row] = count
            if count == len(hashes):
                spans, hashes = np.concatenate((spans, spans)), np.concatenate((hashes, hashes))
                table = _rehashed(hashes[:count], 2 * len(table))
        else:
            ids[row] = table[slot]
    return spans[:count]


@inner_kernel
def _hash(data, begin, end):
    """64 bits, eight bytes at a time; strings of up to eight bytes, none of them 0, have hashes of their own."""
    value, word = np.uint64(0), np.uint64(0)
    for place in range(begin, end):
        if (place - begin) & 7 == 0:
            value = _mixed(value ^ word)
            word = np.uint64(0)
        word = (word << np.uint64(8)) | np.uint64(data[place])
    return _mixed(value ^ word)


@inner_kernel
def _mixed(value):
    """A one-to-one scramble of 64 bits; 0 stays 0."""
    value = value * np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(29))


@inner_kernel
def _same(data, begin, end, other_begin, other_end):
    if end - begin != other_end - other_begin:
        return False
    for place in range(end - begin):
        if data[begin + place] != data[other_begin + place]:
            return False
    return True


@inner_kernel
def _rehashed(hashes, size):
    table = np.zeros(size, np.int32)
    for number in range(len(hashes)):
        slot = np.int64(hashes[number] >> np.uint64(32)) & (size - 1)
        while table[slot] != 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = number + 1
    return table
