"""What people have corrected in a text: one version of it, the project's own or a person's; and which of it counts.

They lie over the tags of a lexicon or tagger, and both over the file. They are read from the log of commands,
each command once: a key pressed in the tree editor costs the same in every text.
"""

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from core.annotation import ENTRIES, TAGS
from core.annotation.edits import GRAPH
from core.settings import choice
from core.store import Command, Corpus, CorpusId, DocumentKind, Store
from core.store.schema import stored
from core.store.shapes import WORDS
from core.treebank.tagging import UNKNOWN
from core.workspace.changed_words import WordsValues
from core.workspace.languages import TAGGING, language_key
from core.workspace.sentence_order import SentenceOrder
from core.workspace.word_tags import STATE, TREE

TEXT = "corpus"  # kind of the documents of texts, whose settings say their language
COUNTED = "counted-corrections"  # kind of the document of CountedCorrections
KINDS = (TEXT, TAGGING, WORDS, TREE, STATE, COUNTED)
TREE_COLUMNS = ("heads", "deprels")
COLUMNS = (*TAGS, *TREE_COLUMNS, *ENTRIES)
SHOWN = (*COLUMNS, *GRAPH)
BEGUN, DONE = "begun", "done"  # statuses of sentences


@dataclass(frozen=True)
class CountedCorrections:
    """Which corrected sentences of a text are learnt from, and scored by; all of them are shown.

    Attributes
    ----------
    begun : bool
        Whether those that are begun count too, whole or in part. They may hold arcs that nobody has looked at.
    """

    begun: bool = choice(False, "Count trees that are begun")


STORED = (DocumentKind(COUNTED, CorpusId, CountedCorrections),)


def choose_counted(store: Store, corpus: Corpus, counted: CountedCorrections) -> None:
    """Store which corrected sentences of a Corpus count, undoably."""
    before = store.document(corpus.project, COUNTED, str(corpus.id))
    label = "letting trees that are begun count" if counted.begun else "letting only trees that are done count"
    store.execute(corpus.project, Command(COUNTED, str(corpus.id), before, asdict(counted)), label=label)


class Digests(NamedTuple):
    """Names of what is corrected in a text, by what counts of it: 0 where there is nothing.

    Each sentence adds its own by exclusive or, so that a change costs the same in every text.

    Attributes
    ----------
    tags_done, trees_done : int
        Of the tags, with lemmas and features, of sentences that count; of their trees, and which they are.
    shown : int
        Of all.
    """

    tags_done: int = 0
    trees_done: int = 0
    shown: int = 0

    @classmethod
    def of(cls, index: int, columns: Mapping[int, Mapping[str, list]], counted: str = "") -> "Digests":
        """What a sentence adds; ``counted`` is its status if it counts."""
        values = columns.get(index, {})
        tags, trees, shown = (
            {name: values[name] for name in names if name in values} for names in (TAGS, TREE_COLUMNS, SHOWN)
        )
        tags_done, trees_done = (_digest(index, tags), _digest(index, trees | {counted: True})) if counted else (0, 0)
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
        The document of the lexicon or tagger: the text's own, else that of its language.
    columns : dict of int to {name of SHOWN: list}
        By the sentence's index: the columns in which it differs from what file, lexicon and tagger say, and its
        enhanced graph where one was drawn.
    done, begun : set of int
        Sentences marked so.
    counts : CountedCorrections
        Which sentences are learnt from, and scored by.
    digests : Digests
        Name their content.
    lists : dict of str to dict
        All documents of lexicons and taggers in force, by key.
    settings : dict
        Of the corpus.
    words : dict of int to WordsValues
        By the sentence's name (``sentence_order.py``): the documents of the sentences whose words were changed.
    """

    corpus: str
    layer: str = ""
    tagging: dict | None = None
    columns: Mapping[int, Mapping[str, list]] = field(default_factory=dict)
    done: frozenset[int] | set[int] = frozenset()
    begun: frozenset[int] | set[int] = frozenset()
    counts: CountedCorrections = CountedCorrections()
    digests: Digests = NOTHING
    lists: Mapping[str, dict] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    words: Mapping[int, WordsValues] = field(default_factory=dict)

    def after(self, changes: Iterable[tuple[str, str, Any]]) -> "TextCorrections":
        """These after (kind, key, value) of documents, in order; those of other texts and versions change nothing."""
        columns, done, begun, digests = dict(self.columns), set(self.done), set(self.begun), self.digests
        of_texts, counts = [], self.counts
        words, changes = self._words_after(changes)
        for kind, key, value in changes:
            if kind in (TEXT, TAGGING):
                of_texts.append((kind, key, value))
                continue
            if kind == COUNTED:
                counts = self._counts_of(key, value) or counts
                continue
            number, _, rest = key.partition("/")
            sentence, _, layer = rest.partition("/")
            if number != self.corpus or layer != self.layer:
                continue
            index = int(sentence) - 1
            before = Digests.of(index, columns, _counted(index, done, begun, self.counts))
            if kind == STATE:
                status = value["status"] if value else ""
                for name, marked in ((DONE, done), (BEGUN, begun)):
                    (marked.add if status == name else marked.discard)(index)
            elif value and any(name in value for name in SHOWN):
                columns[index] = value
            else:
                columns.pop(index, None)
            after = Digests.of(index, columns, _counted(index, done, begun, self.counts))
            digests = digests.combined(before).combined(after)
        corrected = replace(self, columns=columns, done=done, begun=begun, digests=digests, words=words)
        corrected = corrected._counting(counts)
        return corrected._tagged(of_texts) if of_texts else corrected

    def _words_after(self, changes):
        """(``words`` after some changes, the changes of other kinds)."""
        words, others = dict(self.words), []
        for kind, key, value in changes:
            number, _, sentence = key.partition("/")
            if kind != WORDS:
                others.append((kind, key, value))
            elif number == self.corpus and value:
                words[int(sentence) - 1] = value
            elif number == self.corpus:
                words.pop(int(sentence) - 1, None)
        return words, others

    def _counts_of(self, key, value):
        return stored(CountedCorrections, value or {}) if key == self.corpus else None

    def _tagged(self, changes):
        """These after documents of lexicons and texts: the text's own lexicon, else that of its language by then."""
        lists, settings = dict(self.lists), self.settings
        for kind, key, value in changes:
            if kind == TAGGING:
                lists[key] = value
            elif key == self.corpus and value is not None:
                settings = value["settings"]
        tagging = lists.get(self.corpus) or lists.get(language_key(settings, TAGGING) or "")
        return replace(self, tagging=tagging, lists=lists, settings=settings)

    def _counting(self, counts):
        """The same where other sentences count."""
        digests = self.digests
        for index in self.begun if counts != self.counts else ():
            one, other = (Digests.of(index, self.columns, status) for status in ("", BEGUN))
            digests = digests.combined(one).combined(other)
        return replace(self, counts=counts, digests=digests)

    @property
    def counted(self) -> frozenset[int] | set[int]:
        """The sentences that are learnt from, and scored by: those that are done, and by choice those begun."""
        return self.done | self.begun if self.counts.begun else self.done

    @cached_property
    def order(self) -> SentenceOrder:
        """Where the sentences stand in the text."""
        return SentenceOrder.of(self.words)

    def placed(self) -> "TextCorrections":
        """Those of a text's documents, which name its sentences, by places in the text as it stands."""
        order = self.order
        if not order.groups:
            return self
        done, begun = (frozenset(order.moved(dict.fromkeys(names))) for names in (self.done, self.begun))
        return replace(self, columns=order.moved(self.columns), done=done, begun=begun)

    def words_key(self, source_key: str) -> str:
        """Names the words of a text: those of its file, which ``source_key`` names, and those that were changed."""
        return json.dumps([source_key, self._words_digest]) if self.words else source_key

    @cached_property
    def _words_digest(self):
        blocks = [[name, self.words[name]["block"]] for name in sorted(self.words)]
        blocks += [[name, list(names)] for name, names in self.order.groups.items()]
        return hashlib.sha256(json.dumps(blocks).encode()).hexdigest()

    def read_key(self, source_key: str) -> str:
        """Names what a parser reads of a text: its words, and their tags. ``source_key`` names that of its file."""
        named = [self.words_key(source_key), self.tagging]
        named += [f"{self.digests.tags_done:032x}"] if self.digests.tags_done else []
        return json.dumps(named, sort_keys=True)

    def key(self, source_key: str) -> str:
        """Names what is learnt from a text and scored by: its words, their tags, and trees that count."""
        key, digest = self.read_key(source_key), self.digests.trees_done
        return json.dumps([key, f"{digest:032x}"]) if digest else key

    def shown_key(self, source_key: str) -> str:
        """Names all that people see of a text."""
        key, digest = json.dumps([self.words_key(source_key), self.tagging], sort_keys=True), self.digests.shown
        return json.dumps([key, f"{digest:032x}"]) if digest else key

    def of_done(self) -> "TextCorrections":
        """Those of the sentences that count: that are done, and by choice those that are begun."""
        return replace(self, columns={index: self.columns[index] for index in self.counted & self.columns.keys()})

    def tags_only(self) -> "TextCorrections":
        """Without trees: what parsers read of a text, and up to version 0.2.0 all that counted."""
        tags = {
            index: {name: values[name] for name in TAGS if name in values} for index, values in self.columns.items()
        }
        columns, digests = {index: values for index, values in tags.items() if values}, NOTHING
        for index in columns:
            digests = digests.combined(Digests.of(index, columns, _counted(index, self.done, self.begun, self.counts)))
        return replace(self, columns=columns, digests=digests._replace(trees_done=0))

    def values(self, index: int) -> dict[str, list]:
        """The corrected columns of a sentence; None for a word's tag that is left to the lexicon.

        A lexicon's X for a word that it does not know gives way to what it may learn of it later. A tagger gives every
        word a tag, so that an X over its tags is a person's.
        """
        values = {name: column for name, column in self.columns.get(index, {}).items() if name in SHOWN}
        if self.tagging is not None and not self.tagging.get("reader") and "upos" in values:
            values["upos"] = [None if tag == UNKNOWN else tag for tag in values["upos"]]
        return values


def _counted(index, done, begun, counts):
    """The status of a sentence that counts, else ""."""
    return DONE if index in done else BEGUN if counts.begun and index in begun else ""


class CorrectionsReader:
    """The TextCorrections of one version of a text, kept current; many threads may ask."""

    def __init__(self, layer: str = ""):
        self._lock, self._layer = threading.Lock(), layer
        self._number, self._last = -1, None  # (by names, by places)

    def read(self, store: Store, corpus: Corpus) -> TextCorrections:
        """The TextCorrections of a Corpus of the store, as of now."""
        newest = store.newest(corpus.project)
        with self._lock:
            if self._last is None:
                documents = (
                    (kind, key, value)
                    for kind in KINDS
                    for (_, key), value in store.documents(corpus.project, kind).items()
                )
                named = TextCorrections(str(corpus.id), self._layer).after(documents)
                self._number, self._last = newest, (named, named.placed())
            elif newest > self._number:
                commands = store.changes(corpus.project, KINDS, after=self._number)
                changes = ((command.kind, command.key, command.after) for command in commands)
                named = self._last[0].after(changes)
                self._number, self._last = newest, (named, named.placed())
            return self._last[1]

    def read_as_of(self, store: Store, corpus: Corpus, time: datetime) -> TextCorrections:
        """The TextCorrections as they were at a time: from now back through the log."""
        self.read(store, corpus)
        assert self._last is not None  # it has just been read
        named = self._last[0]
        commands = store.changes(corpus.project, KINDS, since=time)[::-1]  # also what was written since it was read
        return named.after((command.kind, command.key, command.before) for command in commands).placed()
