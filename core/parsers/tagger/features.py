"""Features of a word for the tagger, as rows of a table of weights.

After Toutanova, Klein, Manning & Singer (2003): the word itself, its neighbours at up to two places, pairs of
neighbouring words, prefixes, suffixes and shapes. (Features of several tags are in ``trigram.py``.)

A feature's key is a 64-bit hash of its template and its text, so that a model holds numbers only. All that depends
on a form alone is looked up once a form; a word's own work is a few look-ups of its surroundings. A key of 0 means
that a word has no such feature.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np

from core.compilation.kernels import kernel
from core.treebank import Treebank

AFFIX = 5  # longest prefix and suffix
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
ABSENT = -1  # the row of a feature that the model does not have

# Templates, by the number that enters a key.
FORM, LOWER, SHAPE, FLAG, PREFIX = 1, 2, 3, 10, 20
SUFFIX = PREFIX + AFFIX
NEIGHBOUR_WORD, NEIGHBOUR_SUFFIX, NEIGHBOUR_SHAPE, OPENING_SHAPE, PAIR = 40, 50, 60, 70, 80
OFFSETS = (-2, -1, 1, 2)  # offsets of neighbouring words
NEAR = (-1, 1)  # offsets of neighbours whose suffix and shape matter
PAIRS = ((-1, 0), (0, 1), (-1, 1))
NEIGHBOUR_SUFFIX_LENGTH = 3


def hashes(texts: Iterable[str]) -> np.ndarray:
    """uint64 (len(texts),): a stable hash of each text."""
    digests = b"".join(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def _mixed(values, template):
    """Keys of one template from hashes of its text; never 0. Overflow is meant: arithmetic is modulo 2 ** 64."""
    keys = (values ^ (np.uint64(template) * np.uint64(0xD6E8FEB8))) * MULTIPLIER
    keys ^= keys >> np.uint64(32)
    keys *= MULTIPLIER
    keys ^= keys >> np.uint64(29)
    return np.maximum(keys, np.uint64(1))


def word_shape(form: str) -> str:
    """Letters as X and x, digits as d, others as they are; runs shortened to one: ``McDonald-9`` is ``XxXx-d``."""
    shape = []
    for character in form:
        if character.isdigit():
            sign = "d"
        elif character.isalpha():
            sign = "x" if character == character.lower() else "X"
        else:
            sign = character
        if not shape or shape[-1] != sign:
            shape.append(sign)
    return "".join(shape)


def word_flags(form: str) -> tuple[bool, ...]:
    """bool (6,): capital first, all capitals, a digit, a hyphen, capital + digit + hyphen, no letter or digit."""
    initial = form[:1] != form[:1].lower()
    digit = any(character.isdigit() for character in form)
    hyphen = "-" in form
    capital = form != form.lower()
    bare = not any(character.isalnum() for character in form)
    return initial, capital and form == form.upper(), digit, hyphen, capital and digit and hyphen, bare


@dataclass(frozen=True, eq=False)
class FormKeys:
    """Keys of the features that depend on a form alone; 0 where a form has no such feature.

    Attributes
    ----------
    alone : ndarray of shape (V, K), dtype uint64
        Features of the word itself.
    around : ndarray of shape (V, C), dtype uint64
        Features that the form gives to another word: column c to the one for which it stands at ``places[c]``.
    opening : ndarray of shape (V,), dtype uint64
        Its shape as the first word of a sentence.
    words, exact : ndarray of shape (V,), dtype uint64
        Hashes of the lower-case form, for pairs, and of the form as it is.
    """

    alone: np.ndarray
    around: np.ndarray
    opening: np.ndarray
    words: np.ndarray
    exact: np.ndarray
    places = (*OFFSETS, *NEAR, *NEAR)

    @classmethod
    def of(cls, forms: Sequence[str]) -> "FormKeys":
        """The keys of distinct forms; "" stands for what is beyond the sentence. O(V)."""
        lower = [form.lower() for form in forms]
        words, exact, shapes = hashes(lower), hashes(forms), hashes([word_shape(form) for form in forms])
        flags = np.array([word_flags(form) for form in forms], dtype=bool).reshape(len(forms), -1)
        prefixes = _affix_hashes(lower)
        suffixes = _affix_hashes([form[::-1] for form in lower])
        of_form = [_mixed(exact, FORM), _mixed(words, LOWER), _mixed(shapes, SHAPE)]
        of_form += [np.where(flag, _mixed(np.zeros_like(words), FLAG + i), 0) for i, flag in enumerate(flags.T)]
        of_form += [np.where(column, _mixed(column, PREFIX + i), 0) for i, column in enumerate(prefixes)]
        of_form += [np.where(column, _mixed(column, SUFFIX + i), 0) for i, column in enumerate(suffixes)]
        of_form += [_mixed(np.zeros_like(words), 0)]  # every word has this one
        endings = suffixes[NEIGHBOUR_SUFFIX_LENGTH - 1]
        around = [_mixed(words, NEIGHBOUR_WORD + i) for i in range(len(OFFSETS))]
        around += [np.where(endings, _mixed(endings, NEIGHBOUR_SUFFIX + i), 0) for i in range(len(NEAR))]
        around += [_mixed(shapes, NEIGHBOUR_SHAPE + i) for i in range(len(NEAR))]
        return cls(np.stack(of_form, 1), np.stack(around, 1), _mixed(shapes, OPENING_SHAPE), words, exact)


def _affix_hashes(forms):
    """For lengths 1..AFFIX: uint64 (V,), a hash of the first so many characters of each form; 0 if it is shorter."""
    characters = np.array([form[:AFFIX] for form in forms], dtype=f"<U{AFFIX}").view(np.uint32).reshape(-1, AFFIX)
    columns, running = [], np.full(len(forms), 1, dtype=np.uint64)
    for column in characters.T:
        running = (running + column) * MULTIPLIER
        running ^= running >> np.uint64(32)
        columns.append(np.where(column, np.maximum(running, np.uint64(1)), 0))
    return columns


class TextFeatures:
    """The keys of a treebank's words.

    Attributes
    ----------
    forms : FormKeys
        Of the forms that occur; number 0 is "".
    types : ndarray of shape (rows,), dtype int64
        Number of each word's form; 0 on root rows.
    """

    def __init__(self, treebank: Treebank):
        used = np.unique(np.append(treebank.form.ids, 0))
        self.types = np.searchsorted(used, treebank.form.ids)
        self.forms = FormKeys.of([treebank.form.values[value] for value in used.tolist()])
        self.treebank = treebank

    @cached_property
    def _sentence(self):
        return self.treebank.sentence_rows

    def neighbours(self, offset: int) -> np.ndarray:
        """int64 (rows,): number of the form so many words away, 0 beyond the sentence."""
        rows = np.arange(len(self.types)) + offset
        inside = (rows >= 0) & (rows < len(self.types))
        rows = np.where(inside, rows, 0)
        return np.where(inside & (self._sentence[rows] == self._sentence), self.types[rows], 0)

    def token_keys(self) -> Iterator[np.ndarray]:
        """The keys (rows,) of each template that looks beyond the word, one array after another."""
        for column, offset in enumerate(self.forms.places):
            yield self.forms.around[self.neighbours(offset), column]
        first = np.zeros(len(self.types), dtype=bool)
        first[np.minimum(self.treebank.offsets[:-1] + 1, len(self.types) - 1)] = True
        yield np.where(first, self.forms.opening[self.types], 0)
        for number, (left, right) in enumerate(PAIRS):
            words = [self.forms.words[self.neighbours(offset)] for offset in (left, right)]
            yield _mixed(words[0] * MULTIPLIER + words[1], PAIR + number)

    def counted_keys(self, minimum_count: int) -> np.ndarray:
        """Sorted uint64 (F,): keys of all features of the text; those beyond the word at least so often."""
        words = self.types != 0
        counts = np.bincount(self.types, minlength=len(self.forms.alone))
        counts[0] = 0
        keys = [np.unique(self.forms.alone[counts > 0])]
        for column in self.token_keys():
            values, often = np.unique(column[words], return_counts=True)
            keys.append(values[often >= minimum_count])
        keys = np.unique(np.concatenate(keys))
        return keys[keys != 0]


class KeyTable:
    """Rows by key: open addressing over keys that are random already."""

    def __init__(self, keys: np.ndarray):
        self.keys = keys
        size = 1024
        while size < 2 * len(keys):
            size *= 2
        self.slots = np.zeros(size, dtype=np.uint64)
        self.rows = np.full(size, ABSENT, dtype=np.int32)
        _fill(keys, self.slots, self.rows)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """int32, shaped like ``keys``: the place of each among the table's keys, -1 for those it does not hold."""
        rows = np.empty(keys.shape, dtype=np.int32)
        _find(np.ascontiguousarray(keys).reshape(-1), self.slots, self.rows, rows.reshape(-1))
        return rows


def known_words(forms: KeyTable, treebank: Treebank) -> np.ndarray:
    """bool (rows,): words whose form is in the table of ``exact`` forms. Each form is looked up once."""
    used = np.unique(treebank.form.ids)
    found = forms.find(hashes([treebank.form.values[value] for value in used.tolist()])) >= 0
    return found[np.searchsorted(used, treebank.form.ids)]


@kernel
def _fill(keys, slots, rows):
    for row in range(len(keys)):
        at = np.int64(keys[row] & np.uint64(len(slots) - 1))
        while slots[at] != 0:
            at = (at + 1) & (len(slots) - 1)
        slots[at] = keys[row]
        rows[at] = row


@kernel
def _find(keys, slots, rows, found):
    for i in range(len(keys)):
        at = np.int64(keys[i] & np.uint64(len(slots) - 1))
        while slots[at] != 0 and slots[at] != keys[i]:
            at = (at + 1) & (len(slots) - 1)
        found[i] = rows[at]  # a free slot holds ABSENT, and so key 0 is found nowhere
