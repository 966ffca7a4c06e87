"""What a record says of its text: digests, by which another text is compared with it word by word.

The text itself stays outside of a record. Sentences are matched by their words, so that one that was added or left out
shifts no other.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

import numpy as np

from core.treebank import Column, Treebank
from core.workspace.constraints.known_trees import format_numbers
from core.workspace.wording import amount, joined

DIGITS = 6  # hexadecimal, of a word: of 16 million words that differ, one goes unseen
SHOWN = 12  # ranges of sentence numbers


@dataclass(frozen=True)
class TextDigests:
    """Digests of the S sentences of a text; each attribute has one str a sentence.

    Attributes
    ----------
    words : tuple of str
        DIGITS for the form of each word.
    read : tuple of str
        DIGITS for what else a parser reads of each word: tags, lemma and features.
    learnt : tuple of str
        Of heads and relations.
    marks : tuple of str
        Of the brackets of mark-up; empty where none were respected.
    """

    words: tuple[str, ...]
    read: tuple[str, ...]
    learnt: tuple[str, ...]
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, treebank: Treebank, brackets: Sequence[Sequence] | None = None) -> Self:
        """The digests of a treebank, and of the brackets of its sentences where trees are to respect them. O(rows)."""
        tags = (treebank.upos, treebank.xpos, treebank.lemma, treebank.feats)
        relations, heads = treebank.deprel.strings(), treebank.heads
        spans = zip(treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True)
        learnt = tuple(
            _digest(f"{heads[span].tolist()} {relations[span].tolist()}") for span in map(_of_sentence, spans)
        )
        marks = () if brackets is None else tuple(_digest(str(list(marked))) for marked in brackets)
        return cls(_of_words(treebank, treebank.form), _of_words(treebank, *tags), learnt, marks)

    @classmethod
    def from_dict(cls, value: Mapping) -> Self:
        """The inverse of ``as_dict``."""
        return cls(*(tuple(value[name]) for name in ("words", "read", "learnt", "marks")))

    def as_dict(self) -> dict[str, list[str]]:
        """JSON values."""
        return {name: list(values) for name, values in vars(self).items()}

    def difference(self, other: Self, numbers: Sequence[int]) -> "TextDifference":
        """How another text differs from this one; ``numbers`` are those of its sentences. O(words) where few differ."""
        counts, sentences = {"words": 0, "tags": 0, "trees": 0, "marks": 0}, []
        paired = same = 0
        for mine, its in _pairs(self.words, other.words):
            paired += 1
            same += self.words[mine] == other.words[its]
            found = {"words": _words_apart(self.words[mine], other.words[its])}
            if not found["words"]:
                found["tags"] = _apart(self.read[mine], other.read[its])
                found["trees"] = int(self.learnt[mine] != other.learnt[its])
                found["marks"] = int(bool(self.marks) and self.marks[mine] != other.marks[its])
            for name, count in found.items():
                counts[name] += count
            if any(found.values()):
                sentences.append(int(numbers[its]))
        return TextDifference(
            **counts, sentences=tuple(sentences), added=len(other.words) - paired, missing=len(self.words) - paired,
            is_other=2 * same <= len(self.words),
        )  # fmt: skip


@dataclass(frozen=True)
class TextDifference:
    """How a text differs from that of a record.

    Attributes
    ----------
    words, tags : int
        Words that are spelt otherwise, added or left out; others whose tag, lemma or features are others.
    trees, marks : int
        Sentences of the same words whose tree, or mark-up, is another.
    sentences : tuple of int
        Numbers of the sentences in which they are.
    added, missing : int
        Sentences that the record does not have, and that it has alone.
    is_other : bool
        Whether at most half of the sentences of the record are there in the same words.
    """

    words: int
    tags: int
    trees: int
    marks: int
    sentences: tuple[int, ...]
    added: int
    missing: int
    is_other: bool

    @property
    def changes_parser(self) -> bool:
        """Whether another parser would be trained: trees to learn from are in the record."""
        return bool(self.words or self.tags or self.marks or self.added or self.missing)

    def __bool__(self):
        return self.changes_parser or bool(self.trees)

    def __str__(self):
        """Such as "2 words and 1 tag differ, in sentences 3, 5-7; 1 sentence is new"."""
        counts = {"word": self.words, "tag": self.tags, "tree": self.trees, "marked sentence": self.marks}
        named = [amount(count, noun) for noun, count in counts.items() if count]
        parts = []
        if named:
            verb = "differs" if sum(counts.values()) == 1 else "differ"
            parts.append(f"{joined(named)} {verb}, in sentence{'s' * (len(self.sentences) != 1)} {self._numbers()}")
        for count, what in ((self.added, "new"), (self.missing, "missing")):
            parts += [f"{amount(count, 'sentence')} {'is' if count == 1 else 'are'} {what}"] if count else []
        return "; ".join(parts)

    def _numbers(self):
        ranges = format_numbers(self.sentences).split(", ")
        more = f" and {len(ranges) - SHOWN:,} more places" if len(ranges) > SHOWN else ""
        return ", ".join(ranges[:SHOWN]) + more


def _of_sentence(span):
    """The rows of a sentence without that of its root."""
    return slice(span[0] + 1, span[1])


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[: 2 * DIGITS]


def _of_words(treebank: Treebank, *columns: Column) -> tuple[str, ...]:
    """For each sentence, DIGITS for the values of each word."""
    rows = np.stack([column.ids for column in columns], axis=1)[treebank.is_word]
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    named = [_digest("\t".join(column.values[number] for column, number in zip(columns, row, strict=True)))[:DIGITS]
             for row in distinct.tolist()]  # fmt: skip
    words, ends = [named[number] for number in which.ravel().tolist()], np.cumsum(treebank.lengths).tolist()
    return tuple("".join(words[begin:end]) for begin, end in zip([0, *ends], ends, strict=False))


def _pairs(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of sentences that are of the same words, or stand in the same place between such."""
    for _, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        yield from zip(range(a, b), range(c, d), strict=False)


def _split(digests: str) -> list[str]:
    return [digests[begin : begin + DIGITS] for begin in range(0, len(digests), DIGITS)]


def _words_apart(one: str, other: str) -> int:
    """How many words of two sentences are not the same."""
    if one == other:
        return 0
    ours, theirs = _split(one), _split(other)
    blocks: Iterable = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return max(len(ours), len(theirs)) - sum(block.size for block in blocks)


def _apart(one: str, other: str) -> int:
    """How many words of two sentences of the same length differ."""
    return 0 if one == other else sum(a != b for a, b in zip(_split(one), _split(other), strict=True))
