"""The tags of a text's words: its file's, and for words without one those of a lexicon, or of a tagger.

A tagger's tags are the result of a run, which the tagging step names; a person's own lines correct them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypedDict

from core.errors import FormatError, LexiconError, WorkbenchError
from core.files.unpacking import MOST_TEXT, unpack
from core.parsers.dictionary.tagger import DictionaryTagger
from core.store import Command, Corpus, DocumentKind, Entry, ParseKey, RunId, RunKind, SentenceKey, SharedKey, Store
from core.store.schema import stored
from core.store.shapes import STATE, TREE
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
    repeated_entries,
)
from core.workspace.languages import TAGGING, change, language_key, place, value_of
from core.workspace.texts import ReaderSettings

TAGGED = "tags"  # kind of the runs whose results are texts with a tagger's tags, CoNLL-U that zlib packs
LEARNT = "learnt"  # in place of a tag


class TreeValues(TypedDict, total=False):
    """Columns of an annotated sentence, its enhanced graph where one was drawn, and their origin.

    ``words`` names the changed words that they are of. ``whole`` are the values of the sentence that was split, as long
    as nobody has changed this part of it.
    """

    heads: list[int]
    lemmas: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    deprels: list[str]
    deps: list[str]
    empty: list[list[str]]
    gloss: list[str]
    translit: list[str]
    command: str | None
    proposals: list[ParseKey]
    words: str
    whole: list[dict]


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

    def repetitions(self) -> list[tuple[int, str]]:
        """(number, sentence) of each line that gives another tag to a word or ending of an earlier line."""
        return [
            (number, f"{name} is {' '.join(tags)} by line {earlier} already, which counts; leave one of both out")
            for number, earlier, name, tags in repeated_entries(self.text)
        ]

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
        """With a line in which ``form`` has ``tag``, before other tags that its lines give it; they are taken out."""
        lower, lines, tags = form.lower(), [], [tag]
        for line in self.text.splitlines():
            entries = Tagging(line).lexicon_or_rest()[0].entries
            if any(entry.lower() == lower for entry in entries):
                form = next(iter(entries))
                tags += [other for other in entries[form] if other not in tags]
            else:
                lines.append(line)
        text = self.text if len(lines) == len(self.text.splitlines()) else "".join(f"{line}\n" for line in lines)
        return replace(self, text=text)._with_line(parse_lexicon("").with_entry(form, *tags))

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
    DocumentKind(TAGGING, SharedKey, Tagging), DocumentKind(TREE, SentenceKey, TreeValues),
    DocumentKind(STATE, SentenceKey, dict), RunKind(TAGGED, ReaderSettings),
)  # fmt: skip


def saved_tagging(store: Store, corpus: Corpus) -> Tagging | None:
    """The Tagging stored for a corpus or its language, or None."""
    value = value_of(store, corpus, TAGGING)
    return None if value is None else Tagging.from_dict(value)


def save_tagging(store: Store, corpus: Corpus, tagging: Tagging, label: str) -> None:
    """Store a Tagging for a corpus, undoably: for all texts of its language, unless it has its own, or a tagger."""
    key = own = str(corpus.id)
    if not tagging.reader:
        key = place(store, corpus, TAGGING)
    before, after = store.document(corpus.project, TAGGING, key), tagging.as_dict()
    shared, had_tagger = language_key(corpus.settings, TAGGING), (before or {}).get("reader")
    if key == own and had_tagger and shared and store.document(corpus.project, TAGGING, shared) == after:
        after = None  # without the tagger it is the list of the language again
    store.execute(corpus.project, Command(TAGGING, key, before, after), label=label)


def change_tagging(store: Store, corpus: Corpus, make: Callable[[Tagging], Tagging], label: str) -> Entry | None:
    """Store ``make(the Tagging)`` of a corpus, undoably, whatever somebody else adds to it meanwhile.

    One that learns is where it begins. Returns None if nothing changes.
    """

    def changed(value):
        return make(Tagging(learnt=True) if value is None else Tagging.from_dict(value)).as_dict()

    return change(store, corpus, TAGGING, changed, label)


def tagged_source(store: Store, tagging: dict | None, source: Treebank) -> Treebank:
    """The text before a tagging step (its document or None): ``source``, or the tagged text of the step's run."""
    run = None if tagging is None else tagging.get("run")
    if run is None:
        return source
    if (packed := store.result_bytes(run)) is None:
        raise WorkbenchError(f"run {run}, which tagged {source.name}, is gone; tag the text again on the Corpus page")
    return read_conllu(unpack(packed, MOST_TEXT), name=source.name)
