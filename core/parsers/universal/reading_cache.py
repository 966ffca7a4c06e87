"""A cache of what networks compute for sentences: a text that is parsed again and again is read once.

A network's output for a sentence depends on the tags of its words, how probable these are, and on features. It depends
on answers and language too, so each cache is for one set of answers and one language.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.offsets import offsets_of
from core.parsers.universal.network import ReadText
from core.parsers.universal.text import TaggedWords
from core.trees import PackedScores

Read = Callable[[TaggedWords], Sequence[ReadText]]


class ReadingCache:
    """A cache of what each network computed for sentences: scores of arcs, words as heads and as modifiers.

    The key of a sentence is its tags, how probable they are, and its features. The cache grows with every new sentence.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}

    def read(self, words: TaggedWords, read: Read) -> list[ReadText]:
        """The results of ``read(words)``, which is asked only of sentences that are not cached. O(rows + sum of
        n^2)."""
        keys = _keys(words)
        new = {key: i for i, key in enumerate(keys) if key not in self._known}
        if new:
            new_words = words.select(np.array(list(new.values())))
            texts = read(new_words)
            for i, key in enumerate(new):
                self._known[key] = [_sentence(text, new_words.offsets, i) for text in texts]
        if not keys:
            return list(read(words))
        offsets = offsets_of(np.diff(words.offsets) ** 2)
        each_network = zip(*(self._known[key] for key in keys), strict=True)
        arrays = [[np.concatenate(parts) for parts in zip(*sentences, strict=True)] for sentences in each_network]
        return [ReadText(PackedScores(arcs, offsets), heads, modifiers) for arcs, heads, modifiers in arrays]


def _keys(words):
    """A key for each sentence."""
    tags, features = words.tags.astype(np.uint8), np.packbits(words.features, axis=1)
    bounds = zip(words.offsets[:-1].tolist(), words.offsets[1:].tolist(), strict=True)
    columns = [tags, features] if words.shares is None else [tags, features, words.shares]
    return [b"".join(column[begin:end].tobytes() for column in columns) for begin, end in bounds]


def _sentence(text, offsets, i):
    """Copies of a network's output for sentence i."""
    arcs, rows = slice(*text.arcs.offsets[i : i + 2]), slice(*offsets[i : i + 2])
    return text.arcs.values[arcs].copy(), text.heads[rows].copy(), text.modifiers[rows].copy()
