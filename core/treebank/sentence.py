"""One sentence of a treebank, as a person thinks of it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from core.treebank.graphs import SentenceGraph
from core.treebank.layouts import Layout
from core.treebank.render import comment_lines, sentence_bytes


class WordFields(NamedTuple):
    """The number of a word, from 1, its fields, "" for empty ones, and its head: 0 the root, -1 unknown."""

    number: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    misc: str


class Word(WordFields):
    """A word of a sentence, which knows those that it hangs together with. Equal to another of the same fields."""

    sentence: "Sentence"

    @property
    def parent(self) -> "Word | None":
        """Its head; None where that is the root, or unknown."""
        return self.sentence[self.head - 1] if self.head > 0 else None

    @property
    def children(self) -> tuple["Word", ...]:
        """The words whose head it is, in order. O(n)."""
        return tuple(word for word in self.sentence if word.head == self.number)


class Sentence:
    """A light view of a treebank: a sequence of words, and columns, of which entry 0 stands for the root.

    ``sentence[0]`` is the first word, ``sentence.forms[1]`` its form, for columns are indexed by the number of a word.
    ``forms``, ``lemmas``, ``upos``, ``xpos``, ``feats``, ``deprels`` and ``misc`` are tuples of n + 1 str, ``""``
    for the root and for empty fields. ``heads`` is int32 (n + 1,); ``len`` is n. Made when asked for.
    """

    def __init__(self, treebank: Any, index: int):
        self._treebank, self.index = treebank, index
        self._rows = slice(int(treebank.offsets[index]), int(treebank.offsets[index + 1]))

    def __len__(self):
        return self._rows.stop - self._rows.start - 1

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Word, ...]: ...
    def __getitem__(self, index):
        """A word, the first at 0, or some of them."""
        return self.words[index]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words, in order."""
        tags, labels = (self.upos, self.xpos, self.feats), (self.heads.tolist(), self.deprels, self.misc)
        columns = zip(range(len(self) + 1), self.forms, self.lemmas, *tags, *labels, strict=True)
        words = tuple(map(Word._make, columns))[1:]
        for word in words:
            word.sentence = self
        return words

    @property
    def root(self) -> Word | None:
        """The word that depends on the root, the first of several; None where no head is known."""
        return next((word for word in self if word.head == 0), None)

    def __eq__(self, other: object) -> bool:
        """Whether two sentences are written alike, comments included."""
        return self.lines == other.lines if isinstance(other, Sentence) else NotImplemented

    def __hash__(self):
        return hash(self.lines)

    def __repr__(self):
        return f"<Sentence {self.sent_id or self.index}: {' '.join(self.forms[1:])}>"

    def _repr_svg_(self) -> str:
        """Its tree, in a notebook."""
        from core.draw.notebook import sentence_svg  # only notebooks draw

        tags = self.upos if any(self.upos) else self.xpos
        return sentence_svg(self.forms, tags, self.heads.tolist(), self.deprels)

    forms = cached_property(lambda self: self._strings("form"))
    lemmas = cached_property(lambda self: self._strings("lemma"))
    upos = cached_property(lambda self: self._strings("upos"))
    xpos = cached_property(lambda self: self._strings("xpos"))
    feats = cached_property(lambda self: self._strings("feats"))
    deprels = cached_property(lambda self: self._strings("deprel"))

    def _strings(self, name):
        column = getattr(self._treebank, name)
        return tuple(map(column.values.__getitem__, column.ids[self._rows].tolist()))

    @property
    def heads(self) -> np.ndarray:
        """int32 (n + 1,), a view into the treebank's: read-only, since ``Treebank.with_heads`` makes other trees."""
        return self._treebank.heads[self._rows]

    @property
    def layout(self) -> Layout:
        """The format of its lines."""
        return self._treebank.source.layout

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The sentence's lines as they would be written, without blank ones."""
        source = self._treebank.source
        text = sentence_bytes(self._treebank, self.index).decode(source.encoding)
        return tuple(line.removesuffix("\r") for line in text.split("\n") if line.strip())

    @cached_property
    def comments(self) -> tuple[str, ...]:
        """The comment lines, ``#`` included."""
        lines = comment_lines(self._treebank, self.index)
        return tuple(line.decode(self._treebank.source.encoding).removesuffix("\r") for line in lines)

    @property
    def graph(self) -> SentenceGraph | None:
        """The enhanced graph as it would be written; None where no node has an arc."""
        return SentenceGraph.of_lines(self.lines) if self._treebank.has_graphs else None

    @cached_property
    def misc(self) -> tuple[str, ...]:
        """The MISC column; empty where the format has none."""
        column = self.layout.positions.get("misc")
        if column is None:
            return ("",) * (len(self) + 1)
        fields = (line.split("\t") for line in self.lines if not line.startswith("#"))
        return ("", *("" if row[column] == "_" else row[column] for row in fields if row[0].isdigit()))

    @property
    def sent_id(self) -> str | None:
        """The value of ``# sent_id =``, or None."""
        return self.metadata.get("sent_id")

    @property
    def text(self) -> str:
        """The value of ``# text =``, or else the words with the spaces that MISC leaves between them."""
        text = self.metadata.get("text")
        return self.joined() if text is None else text

    def joined(self) -> str:
        """Its words with the spaces between them."""
        pieces, covered = [], 0
        for line in self.lines:
            fields = line.split("\t")
            first, _, last = fields[0].partition("-")
            if line.startswith("#") or not first.isdigit() or int(first) <= covered:
                continue
            covered = int(last or first)
            misc = fields[self.layout.positions["misc"]] if "misc" in self.layout.positions else ""
            pieces += [fields[self.layout.positions["form"]], "" if "SpaceAfter=No" in misc.split("|") else " "]
        return "".join(pieces).strip()

    @cached_property
    def metadata(self) -> dict[str, str]:
        """The comments ``# key = value``, the first of each key."""
        metadata = {}
        for line in self.comments:
            key, equals, value = line[1:].partition("=")
            if equals:
                metadata.setdefault(key.strip(), value.strip())
        return metadata

    def comment(self, key: str) -> str | None:
        """The value of ``# key = value``, or None."""
        return self.metadata.get(key)

    def as_dict(self) -> dict:
        """The columns as ``Treebank.from_sentences`` takes them."""
        names = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "misc")
        columns = {name: getattr(self, name)[1:] for name in names}
        return {**columns, "heads": self.heads[1:].tolist(), "comments": self.comments}
