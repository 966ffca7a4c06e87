"""What people have corrected in a text: one version of it, the project's own or a person's.

They lie over the tags of a lexicon or tagger, and both over the file. They are read from the log of commands,
each command once: a key pressed in the tree editor costs the same in every text.
"""

import hashlib
import json
import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from core.annotation import TAGS
from core.store import Corpus, Store
from core.treebank.tagging import UNKNOWN
from core.workspace.word_tags import STATE, TAGGING, TREE

KINDS = (TAGGING, TREE, STATE)
TREE_COLUMNS = ("heads", "deprels")
COLUMNS = (*TAGS, *TREE_COLUMNS)
DONE = "done"  # the status from which on a sentence is learnt from, and scored by


class Digests(NamedTuple):
    """Names of what is corrected in a text, by what counts of it: 0 where there is nothing.

    Each sentence adds its own by exclusive or, so that a change costs the same in every text.

    Attributes
    ----------
    tags_done, trees_done : int
        Of the tags, with lemmas and features, of sentences that are done; of their trees, and which they are.
    shown : int
        Of all.
    """

    tags_done: int = 0
    trees_done: int = 0
    shown: int = 0

    @classmethod
    def of(cls, index: int, columns: Mapping[int, Mapping[str, list]], done: Collection[int]) -> "Digests":
        """What a sentence adds."""
        values = columns.get(index, {})
        tags, trees, shown = (
            {name: values[name] for name in names if name in values} for names in (TAGS, TREE_COLUMNS, COLUMNS)
        )
        tags_done, trees_done = (
            (_digest(index, tags), _digest(index, trees | {"done": True})) if index in done else (0, 0)
        )
        return cls(tags_done, trees_done, _digest(index, shown))

    def combined(self, other: "Digests") -> "Digests":
        """Both together; of what is in both, neither."""
        return Digests(*(one ^ another for one, another in zip(self, other, strict=True)))


NOTHING = Digests()


def _digest(index, values):
    if not values:
        return 0
    text = json.dumps([index, values], sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16])


@dataclass(frozen=True, eq=False)
class TextCorrections:
    """The corrections of one version of a text, and the lexicon or tagger below them; never changes.

    Attributes
    ----------
    corpus : str
        The number of the corpus.
    layer : str
        Whose version; ``""`` is the project's.
    tagging : dict or None
        The document of the lexicon or tagger.
    columns : dict of int to {name of COLUMNS: list}
        By the sentence's index: the columns in which it differs from what file, lexicon and tagger say.
    done : set of int
        Sentences marked done.
    digests : Digests
        Name their content.
    """

    corpus: str
    layer: str = ""
    tagging: dict | None = None
    columns: Mapping[int, Mapping[str, list]] = field(default_factory=dict)
    done: frozenset[int] | set[int] = frozenset()
    digests: Digests = NOTHING

    def after(self, changes: Iterable[tuple[str, str, Any]]) -> "TextCorrections":
        """These after (kind, key, value) of documents, in order; those of other texts and versions change nothing."""
        columns, done, tagging, digests = dict(self.columns), set(self.done), self.tagging, self.digests
        for kind, key, value in changes:
            if kind == TAGGING:
                tagging = value if key == self.corpus else tagging
                continue
            number, _, rest = key.partition("/")
            sentence, _, layer = rest.partition("/")
            if number != self.corpus or layer != self.layer:
                continue
            index = int(sentence) - 1
            before = Digests.of(index, columns, done)
            if kind == STATE:
                (done.add if value and value["status"] == DONE else done.discard)(index)
            elif value and any(name in value for name in COLUMNS):
                columns[index] = value
            else:
                columns.pop(index, None)
            digests = digests.combined(before).combined(Digests.of(index, columns, done))
        return replace(self, tagging=tagging, columns=columns, done=done, digests=digests)

    def read_key(self, source_key: str) -> str:
        """Names what a parser reads of a text: its words, and their tags. ``source_key`` names that of its file."""
        return json.dumps([source_key, self.tagging, *_named(self.digests.tags_done)], sort_keys=True)

    def key(self, source_key: str) -> str:
        """Names what is learnt from a text and scored by: its words, their tags, and trees that are done."""
        return _with_digest(self.read_key(source_key), self.digests.trees_done)

    def shown_key(self, source_key: str) -> str:
        """Names all that people see of a text."""
        return _with_digest(json.dumps([source_key, self.tagging], sort_keys=True), self.digests.shown)

    def of_done(self) -> "TextCorrections":
        """Those of the sentences that are done."""
        return replace(self, columns={index: self.columns[index] for index in self.done & self.columns.keys()})

    def tags_only(self) -> "TextCorrections":
        """Without trees: what parsers read of a text, and up to version 0.2.0 all that counted."""
        tags = {
            index: {name: values[name] for name in TAGS if name in values} for index, values in self.columns.items()
        }
        columns, digests = {index: values for index, values in tags.items() if values}, NOTHING
        for index in columns:
            digests = digests.combined(Digests.of(index, columns, self.done))
        return replace(self, columns=columns, digests=digests._replace(trees_done=0))

    def values(self, index: int) -> dict[str, list]:
        """The corrected columns of a sentence; None for a word's tag that is left to the lexicon.

        A lexicon's X for a word that it does not know gives way to what it may learn of it later. A tagger gives every
        word a tag, so that an X over its tags is a person's.
        """
        values = {name: column for name, column in self.columns.get(index, {}).items() if name in COLUMNS}
        if self.tagging is not None and not self.tagging.get("reader") and "upos" in values:
            values["upos"] = [None if tag == UNKNOWN else tag for tag in values["upos"]]
        return values


def _named(digest):
    return [f"{digest:032x}"] if digest else []


def _with_digest(key, digest):
    return json.dumps([key, *_named(digest)]) if digest else key


class CorrectionsReader:
    """The TextCorrections of one version of a text, kept current; many threads may ask."""

    def __init__(self, layer: str = ""):
        self._lock, self._layer = threading.Lock(), layer
        self._number, self._corrections = -1, None

    def read(self, store: Store, corpus: Corpus) -> TextCorrections:
        """The TextCorrections of a Corpus of the store, as of now."""
        newest = store.newest(corpus.project)
        with self._lock:
            if self._corrections is None:
                documents = (
                    (kind, key, value)
                    for kind in KINDS
                    for (_, key), value in store.documents(corpus.project, kind).items()
                )
                self._corrections = TextCorrections(str(corpus.id), self._layer).after(documents)
                self._number = newest
            elif newest > self._number:
                commands = store.changes(corpus.project, KINDS, after=self._number)
                changes = ((command.kind, command.key, command.after) for command in commands)
                self._corrections = self._corrections.after(changes)
                self._number = newest
            return self._corrections

    def read_as_of(self, store: Store, corpus: Corpus, time: datetime) -> TextCorrections:
        """The TextCorrections as they were at a time: from now back through the log."""
        commands = store.changes(corpus.project, KINDS, since=time)[::-1]
        return self.read(store, corpus).after((command.kind, command.key, command.before) for command in commands)
