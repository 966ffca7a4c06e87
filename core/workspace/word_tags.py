"""The tags of a text's words: its file's, a lexicon's for words without one, and over both those given by hand.

Tags by hand, with lemmas and features, count once their sentence is marked done in the project's version of the trees.
A person's version does not count until it is adjudicated. A tagger's tags are the result of a run, which the tagging
step names; lexicon lines correct them. Tags by hand are read from the log of commands, each command once. So a key
pressed in the tree editor takes the same time in every text.
"""

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypedDict

from core.annotation import TAGS, with_tags
from core.errors import FormatError, LexiconError, WorkbenchError
from core.files.unpacking import MOST_TEXT, unpack
from core.parsers.dictionary.tagger import DictionaryTagger
from core.store import Command, Corpus, CorpusId, DocumentKind, ParseKey, RunId, RunKind, SentenceKey, Store
from core.store.schema import stored
from core.treebank import Treebank, read_conllu
from core.treebank.tagging import (
    OTHER,
    SHAPES,
    UNKNOWN,
    Lexicon,
    TagCoverage,
    apply_lexicon,
    correct_tags,
    coverage,
    format_lexicon,
    load_closed_classes,
    parse_lexicon,
)
from core.workspace.texts import ReaderSettings

TAGGING = "tagging"  # kind of the document of a Tagging
TAGGED = "tags"  # kind of the runs whose results are texts with a tagger's tags, CoNLL-U that zlib packs
TREE, STATE = "tree", "annotation"  # kinds of a sentence's documents: its tree; its status and note
KINDS = (TAGGING, TREE, STATE)
LEARNT = "learnt"  # in place of the tag for all other words
DONE = "done"  # the status of sentences whose tags by hand count


class TreeValues(TypedDict, total=False):
    """Columns of an annotated sentence, and their origin."""

    heads: list[int]
    lemmas: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    deprels: list[str]
    command: str | None
    proposals: list[ParseKey]


@dataclass(frozen=True)
class Tagging:
    """Lexicon lines as they were typed, and the names of word lists that are looked up after them.

    ``reader`` names the reader that tagged the text, or is "", and ``run`` is the run with its tags. With ``learnt``,
    the tags of unknown words are learnt from the lexicon, unless a line gives a tag to all other words.
    """

    text: str = ""
    lists: tuple = field(default=())
    reader: str = ""
    run: RunId | None = None
    learnt: bool = False

    @classmethod
    def from_dict(cls, value: dict) -> "Tagging":
        """The inverse of ``as_dict``. Raises StoreError for anything else."""
        tagging = stored(cls, value)
        return replace(tagging, lists=tuple(tagging.lists))

    def as_dict(self) -> dict:
        """JSON values."""
        tagger = {"reader": self.reader, "run": self.run} if self.reader else {}
        return {"text": self.text, "lists": list(self.lists)} | tagger | ({"learnt": True} if self.learnt else {})

    def lexicon(self) -> Lexicon:
        """The Lexicon of the lines and lists. Raises FormatError, with its line, for a line that cannot be read."""
        lexicon = parse_lexicon(self.text)
        for name in self.lists:
            lexicon = lexicon.over(load_closed_classes(name))
        return lexicon

    def lexicon_or_rest(self) -> tuple[Lexicon, FormatError | None]:
        """(Lexicon of the lines that can be read, FormatError of the first that cannot, or None)."""
        try:
            return self.lexicon(), None
        except FormatError as error:
            lines = self.text.split("\n")
            rest = "\n".join("" if number == error.line else line for number, line in enumerate(lines, 1))
            return Tagging(rest, self.lists).lexicon_or_rest()[0], error

    def apply(self, treebank: Treebank) -> Treebank:
        """The treebank with a tag for every word; lines that cannot be read are skipped.

        After a tagger, ``treebank`` has its tags, and only the typed lines change some.
        """
        if self.reader:
            return correct_tags(treebank, Tagging(self.text).lexicon_or_rest()[0])
        lexicon = self.lexicon_or_rest()[0]
        if self.learnt:
            with suppress(LexiconError):  # nothing can be learnt from these lines: the lexicon alone is applied
                return DictionaryTagger.load().tag(treebank, lexicon)
        return apply_lexicon(treebank, lexicon)

    def with_word(self, form: str, tag: str) -> "Tagging":
        """With one more line: ``form`` has ``tag``."""
        return self._with_line(parse_lexicon("").with_entry(form, tag))

    def with_ending(self, ending: str, tag: str) -> "Tagging":
        """With one more line: other words with this ending have ``tag``."""
        return self._with_line(Lexicon(suffixes={ending: (tag,)}))

    def with_other(self, tag: str) -> "Tagging":
        """With a line that gives ``tag`` to all other words; without one for UNKNOWN and LEARNT."""
        text = "".join(f"{line}\n" for line in self.text.splitlines() if line.split()[:1] != [OTHER])
        tagging = replace(self, text=text, learnt=tag == LEARNT)
        return tagging if tagging.learnt else tagging._with_line(Lexicon(shapes=SHAPES | {OTHER: tag}))

    def _with_line(self, lexicon):
        text = self.text if not self.text or self.text.endswith("\n") else self.text + "\n"
        return replace(self, text=text + format_lexicon(lexicon))

    @property
    def other(self) -> str:
        """The tag of all other words; LEARNT where it is learnt."""
        tag = self.lexicon_or_rest()[0].shapes[OTHER]
        return LEARNT if self.learnt and tag == UNKNOWN else tag

    def coverage(self, treebank: Treebank) -> TagCoverage:
        """The TagCoverage of a treebank's words."""
        return coverage(treebank, self.lexicon_or_rest()[0])


STORED = (
    DocumentKind(TAGGING, CorpusId, Tagging), DocumentKind(TREE, SentenceKey, TreeValues),
    DocumentKind(STATE, SentenceKey, dict), RunKind(TAGGED, ReaderSettings),
)  # fmt: skip


def saved_tagging(store: Store, corpus: Corpus) -> Tagging | None:
    """The Tagging stored with a corpus, or None."""
    value = store.document(corpus.project, TAGGING, str(corpus.id))
    return None if value is None else Tagging.from_dict(value)


def save_tagging(store: Store, corpus: Corpus, tagging: Tagging, label: str) -> None:
    """Store a Tagging with its corpus, undoably."""
    before = store.document(corpus.project, TAGGING, str(corpus.id))
    store.execute(corpus.project, Command(TAGGING, str(corpus.id), before, tagging.as_dict()), label=label)


def tagged_source(store: Store, tagging: dict | None, source: Treebank) -> Treebank:
    """The text before a tagging step (its document or None): ``source``, or the tagged text of the step's run."""
    run = None if tagging is None else tagging.get("run")
    if run is None:
        return source
    if (packed := store.result_bytes(run)) is None:
        raise WorkbenchError(f"run {run}, which tagged {source.name}, is gone; tag the text again on the Corpus page")
    return read_conllu(unpack(packed, MOST_TEXT), name=source.name)


@dataclass(frozen=True, eq=False)
class WordTags:
    """The tags of words of a corpus in addition to those of its file; immutable.

    Attributes
    ----------
    corpus : str
        The id of the corpus.
    tagging : dict or None
        The document of its lexicon.
    columns : dict of int to dict
        {name of TAGS: values of words 1 to n} of each sentence whose tags differ from the file and the lexicon.
    done : set of int
        Sentences marked done.
    digest : int
        Hash of the columns of the sentences done; 0 if there are none.
    """

    corpus: str
    tagging: dict | None = None
    columns: dict = field(default_factory=dict)
    done: set = field(default_factory=set)
    digest: int = 0

    def after(self, changes: Iterable[tuple[str, str, object]]) -> "WordTags":
        """The WordTags after changes of documents (kind, key, value), in order; those of other corpora are ignored."""
        tags = self
        for kind, key, value in changes:
            if kind == TAGGING:
                tags = replace(tags, tagging=value) if key == self.corpus else tags
                continue
            number, _, sentence = key.partition("/")
            if number == self.corpus and sentence.isdecimal():  # other keys are of a person's version
                if tags.columns is self.columns:
                    tags = replace(tags, columns=dict(self.columns), done=set(self.done))
                tags = tags._changed(int(sentence) - 1, kind, value)
        return tags

    def _changed(self, index, kind, value):
        """Change a sentence in place; returns the WordTags with the new digest."""
        digest = self.digest ^ self._sentence_hash(index)
        if kind == STATE:
            (self.done.add if value and value["status"] == DONE else self.done.discard)(index)
        else:
            self.columns.pop(index, None)
            tags = {name: value[name] for name in TAGS if name in value} if value else {}
            if tags:
                self.columns[index] = tags
        return replace(self, digest=digest ^ self._sentence_hash(index))

    def _sentence_hash(self, index):
        if index not in self.done or index not in self.columns:
            return 0
        text = json.dumps([index, self.columns[index]], sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16])

    def key(self, source_key: str) -> str:
        """A key for a corpus's content under these tags; ``source_key`` is that of its file."""
        return json.dumps([source_key, self.tagging, *([f"{self.digest:032x}"] if self.digest else [])], sort_keys=True)

    @property
    def by_hand(self) -> dict[int, dict]:
        """{name of TAGS: values} of the sentences done, by index; None for a word that is left to the lexicon."""
        done = {index: self.columns[index] for index in sorted(self.done & self.columns.keys())}
        if self.tagging is None or self.tagging.get("reader"):  # no lexicon gave an X: each is by hand
            return done
        return {  # an X may be the lexicon's, for a word that it knows later
            index: columns
            | ({"upos": [None if tag == UNKNOWN else tag for tag in columns["upos"]]} if "upos" in columns else {})
            for index, columns in done.items()
        }

    def apply_tags(self, source: Treebank) -> Treebank:
        """The treebank of the corpus's file, or of its tagger, under these tags."""
        return apply_manual_tags(self.apply_lexicon(source), self.by_hand)

    def apply_lexicon(self, source: Treebank) -> Treebank:
        """As ``apply_tags``, under the lexicon alone."""
        return source if self.tagging is None else Tagging.from_dict(self.tagging).apply(source)


def apply_manual_tags(treebank: Treebank, by_hand: Mapping[int, dict]) -> Treebank:
    """A treebank, as CoNLL-U, under the tags by hand of some of its sentences; itself if there are none.

    ``by_hand`` is as in WordTags. Sentences whose number of words differs from that of their tags are left unchanged;
    the Annotate page shows them.
    """
    lengths = treebank.lengths
    fitting = {
        index: columns
        for index, columns in by_hand.items()
        if index < len(lengths) and all(len(values) == lengths[index] for values in columns.values())
    }
    return with_tags(treebank.to_conllu(), fitting) if fitting else treebank


class WordTagsReader:
    """Reads the WordTags of one corpus, and only what has changed since; several threads may ask."""

    def __init__(self):
        self._lock = threading.Lock()
        self._newest, self._tags = -1, None  # the last command read

    def read(self, store: Store, corpus: Corpus) -> WordTags:
        """The WordTags of a Corpus of the store, as of now."""
        newest = store.newest(corpus.project)
        with self._lock:
            if self._tags is None:
                documents = [item for kind in KINDS for item in store.documents(corpus.project, kind).items()]
                self._tags = WordTags(str(corpus.id)).after((kind, key, value) for (kind, key), value in documents)
            elif newest > self._newest:
                commands = store.changes(corpus.project, KINDS, after=self._newest)
                self._tags = self._tags.after((command.kind, command.key, command.after) for command in commands)
            self._newest = max(newest, self._newest)
            return self._tags

    def read_as_of(self, store: Store, corpus: Corpus, time: datetime) -> WordTags:
        """The WordTags as they were at a time: those of now with later commands undone."""
        commands = store.changes(corpus.project, KINDS, since=time)[::-1]
        return self.read(store, corpus).after((command.kind, command.key, command.before) for command in commands)
