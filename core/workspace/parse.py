"""A parse of a text, and the one form in which results and checkpoints store it: arrays of an npz file.

Earlier versions stored some of these arrays under other names, or as other values: ``former_parses.py`` translates
them. ``from_arrays`` also reads arrays that were stored in wider types.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.offsets import selected_rows
from core.parsers.crf.tree_crf import with_trees
from core.treebank import Column, Treebank
from core.trees import PackedScores

LEVELS = 65535  # to which the square root of a probability is rounded when it is stored


@dataclass(frozen=True, eq=False)
class Parse:
    """Trees of sentences of a text, one after the other.

    Attributes
    ----------
    heads : ndarray of shape (rows,), dtype int32
        Laid out like ``Treebank.heads``, over the parsed sentences alone.
    relations : Column or None
        One per row of ``heads``; None from a parser without relations.
    sentences : int64 array (S,) or None
        Indices of the parsed sentences; None for all of the text.
    marginals : PackedScores or None
        The probability of every arc; None from a parser without confidence.
    """

    heads: np.ndarray
    relations: Column | None = None
    sentences: np.ndarray | None = None
    marginals: PackedScores | None = None

    @classmethod
    def of(cls, treebank: Treebank, sentences: np.ndarray | None = None) -> "Parse":
        """The trees of a treebank; ``sentences`` are the indices of its sentences in the text that it comes from."""
        return cls(treebank.heads, treebank.deprel, sentences)

    @classmethod
    def empty(cls) -> "Parse":
        """A Parse of no sentence, as a start for ``followed_by``."""
        return cls(np.empty(0, np.int32), Column.intern(()), np.empty(0, np.int64))

    def followed_by(self, more: "Parse") -> "Parse":
        """This Parse with further sentences of the same parser; without marginals."""
        relations, sentences = None, None
        if self.relations is not None and more.relations is not None:
            values = tuple(dict.fromkeys((*self.relations.values, *more.relations.values)))
            numbers = np.array([values.index(value) for value in more.relations.values], np.int32)
            relations = Column(np.concatenate((self.relations.ids, numbers[more.relations.ids])), values)
        if self.sentences is not None and more.sentences is not None:
            sentences = np.concatenate((self.sentences, more.sentences))
        return Parse(np.concatenate((self.heads, more.heads)), relations, sentences)

    @cached_property
    def labels(self) -> np.ndarray:
        """object (rows,): the relations as text; without any, "root" and "dep" for words with a head."""
        if self.relations is None:
            return np.where(self.heads == 0, "root", np.where(self.heads > 0, "dep", "")).astype(object)
        return np.array(self.relations.values, dtype=object)[self.relations.ids]

    def on(self, text: Treebank) -> Treebank:
        """The text under these trees; other sentences have none. Raises WorkbenchError for another text."""
        heads, relations = self.heads, self.relations
        if self.sentences is not None:
            rows, _ = selected_rows(text.offsets, self.sentences)
            heads = np.full(len(text.heads), -1, np.int32)
            heads[rows] = self.heads
            if relations is not None:
                ids = np.zeros(len(heads), np.int32)
                ids[rows] = relations.ids
                relations = Column(ids, relations.values)
        return with_trees(text, heads) if relations is None else text.with_heads(heads, relations)

    def to_arrays(self, names: str = "{}") -> dict[str, np.ndarray]:
        """The arrays to store, without those that are None; ``names`` is the format of their names, as ``base_{}``.

        Heads and ids have the narrowest integer type; probabilities are ``coded``. The arrays are worth compressing.
        """
        sentences = None if self.sentences is None else _narrowed(self.sentences)
        arrays: dict[str, np.ndarray | None] = {"heads": _narrowed(self.heads), "sentences": sentences}
        if self.relations is not None:
            arrays |= {"relations": _narrowed(self.relations.ids), "values": text_array(self.relations.values)}
        if self.marginals is not None:
            arrays["marginals"] = coded(self.marginals.values)
        return {names.format(name): array for name, array in arrays.items() if array is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], lengths: np.ndarray, names: str = "{}") -> "Parse":
        """The inverse of ``to_arrays``, for a text with sentences of ``lengths`` (S,).

        Raises FormatError where the heads are missing or the arrays do not fit the text.
        """
        parts = ("heads", "relations", "values", "sentences", "marginals")
        heads, relations, values, sentences, marginals = (arrays.get(names.format(part)) for part in parts)
        if heads is None:
            raise FormatError(f"it lacks {names.format('heads')}")
        sentences = None if sentences is None else sentences.astype(np.int64)
        lengths = lengths if sentences is None else lengths[sentences]
        rows, arcs = int((lengths + 1).sum()), arc_offsets_of(lengths)
        column = None
        if relations is not None and values is not None:
            column = Column(relations.astype(np.int32), tuple(json.loads(values.tobytes().decode())))
        marginals = None if marginals is None else decoded(marginals)
        of_rows = [heads] if column is None else [heads, column.ids]
        if any(len(array) != rows for array in of_rows) or (marginals is not None and len(marginals) != arcs[-1]):
            raise FormatError("it was made on other sentences")
        scores = None if marginals is None else PackedScores(marginals, arcs)
        return cls(heads.astype(np.int32, copy=False), column, sentences, scores)


def coded(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities (total,) in two bytes each: uint8 (2, total), high bytes, then low ones, which compresses better.

    They hold ``round(sqrt(p) * 65535)``. The error is at most 1.6e-5, less for a small p, and 0 for 0 and 1.
    """
    numbers = np.rint(np.sqrt(probabilities, dtype=np.float64) * LEVELS).astype(np.uint16)
    return np.stack((numbers >> 8, numbers & 255)).astype(np.uint8)


def decoded(code: np.ndarray) -> np.ndarray:
    """float32 (total,): the probabilities of ``coded``; arrays of earlier versions are returned as they are."""
    if code.dtype != np.uint8:
        return code
    if code.ndim != 2 or len(code) != 2:
        raise FormatError("its probabilities have lost some of their bytes")
    numbers = code[0].astype(np.float64) * 256 + code[1]
    return np.square(numbers / LEVELS).astype(np.float32)


def _narrowed(numbers: np.ndarray) -> np.ndarray:
    """Integers in the narrowest signed type that holds all of them."""
    most = max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))
    return numbers.astype(np.min_scalar_type(-most - 1))


def text_array(texts: tuple[str, ...]) -> np.ndarray:
    """Texts as an array of bytes, a JSON list."""
    return np.frombuffer(json.dumps(list(texts)).encode(), dtype=np.uint8)
