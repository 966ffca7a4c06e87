"""Names and places of the sentences of a text in which some were split or merged.

A sentence's name is its number in the file, for ever; documents hold names, so that what is stored of other sentences
stays valid. The second part of a split has a name of its own, from PARTS on, and its document of ``words`` says
``after`` which sentence it stands. Of several parts after one sentence, the one with the higher name comes first: it
was split off later, in front of the others. The document of a sentence that was merged says ``into`` which one. So to
split or to merge writes no document of any other sentence.

A place is an index in the text as it stands; whatever is in memory has places. Both count from 0 here; keys of
documents have the name plus 1.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from core.errors import WorkbenchError
from core.store import Corpus, Store
from core.store.shapes import WORDS
from core.treebank import Treebank
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.source import ScannedText

PARTS = 500_000_000  # the first name of a part; no file has as many sentences


@dataclass(frozen=True)
class SentenceOrder:
    """The order of the sentences of a text.

    Attributes
    ----------
    groups : dict of int to tuple of int
        By the names, ascending, of the sentences of the file that are gone or followed by parts: the names of what
        stands there, in order.
    """

    groups: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, words: Mapping[int, Mapping]) -> "SentenceOrder":
        """That of the documents of words of a text, by name. O(documents), and the lines of parts."""
        behind: dict[int, list[int]] = {}
        for name in sorted((name for name in words if name >= PARTS), reverse=True):
            after = words[name].get("after")
            if after is not None and (_is_gone(words[name]) or _is_sentence(words[name]["block"])):
                behind.setdefault(after, []).append(name)
        parts = {name for names in behind.values() for name in names}
        changed = {name for name in words if _is_gone(words[name])} | behind.keys()
        return cls({base: tuple(_preorder(base, behind, words)) for base in sorted(changed - parts)})

    @cached_property
    def _starts(self):
        """(names of the groups, the place at which each begins)."""
        starts, grown = [], 0
        for base, names in self.groups.items():
            starts.append(base + grown)
            grown += len(names) - 1
        return list(self.groups), starts

    @cached_property
    def _places(self):
        """name -> place, of what stands in groups."""
        starts = zip(self.groups.values(), self._starts[1], strict=True)
        return {name: start + k for names, start in starts for k, name in enumerate(names)}

    def place(self, name: int) -> int | None:
        """The place of a sentence; None where it was merged into another, or never split off. O(log groups)."""
        bases, starts = self._starts
        at = bisect_right(bases, name) - 1
        if name >= PARTS or (at >= 0 and bases[at] == name):
            return self._places.get(name)
        return name if at < 0 else starts[at] + len(self.groups[bases[at]]) + name - bases[at] - 1

    def name(self, place: int) -> int:
        """The name of the sentence at a place. O(log groups)."""
        bases, starts = self._starts
        at = bisect_right(starts, place) - 1
        if at < 0:
            return place
        names, behind = self.groups[bases[at]], place - starts[at]
        return names[behind] if behind < len(names) else bases[at] + 1 + behind - len(names)

    def names(self, count: int) -> Iterator[int]:
        """The names of all sentences of a text whose file has ``count``, in order."""
        for name in range(count):
            yield from self.groups.get(name, (name,))

    @staticmethod
    def free_name(words: Mapping[int, Mapping]) -> int:
        """A name for another part, beyond those of all documents of words."""
        return max((PARTS - 1, *words)) + 1

    def moved(self, values: Mapping[int, object]) -> dict:
        """A dict by name as one by place, without sentences that are gone."""
        places = ((self.place(name), value) for name, value in values.items())
        return {place: value for place, value in places if place is not None}


def stored_order(store: Store, corpus: Corpus) -> SentenceOrder:
    """That of a Corpus of a store. O(its documents of words)."""
    documents = store.documents(corpus.project, WORDS, f"{corpus.id}/").items()
    return SentenceOrder.of({int(key.partition("/")[2]) - 1: values for (_, key), values in documents})


def _preorder(name, behind, words):
    """The sentences that stand where one did: itself unless it is gone, then its parts, each with its own."""
    names, left = [], [name]
    while left:
        at = left.pop()
        if at not in words or not _is_gone(words[at]):
            names.append(at)
        left += behind.get(at, ())[::-1]
    return names


def _is_gone(values):
    return values.get("into") is not None


@lru_cache(4096)  # asked for each part whenever documents are read
def _is_sentence(block):
    try:
        return len(Treebank(ScannedText.read(block.encode(), SEVERAL_ROOTS_CONLLU))) == 1
    except WorkbenchError:  # in a backup written by hand
        return False
