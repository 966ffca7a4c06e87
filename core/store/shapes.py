"""The kinds of documents and runs of a store: the types of their values, which say where ids are.

The store does not know what its values mean. Each kind is declared where it is written, in a room of the workspace, and
all are passed to the store. A backup is checked against them, since anybody may have written it.
"""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple, TypedDict, is_typeddict

from core.errors import StoreError, quoted
from core.settings import RunId, fits, hints_of
from core.store.references import KEYS, corpus_of_key, mentions, runs_named

# kinds of documents of a sentence: its words, and of each version a tree over them and its status with a note
WORDS, TREE, STATE = "words", "tree", "annotation"
# kind -> kinds of what is made for such a document, under its key or a longer one, and is changed in the same entry:
# those whose JSON has this in it, so that what is done is done of the words as they stand
RESTING = {WORDS: {TREE: "", STATE: '"status":"done"'}}


class DocumentKind(NamedTuple):
    """A kind of document.

    Attributes
    ----------
    name : str
    key : type
        Of its keys: CorpusId, OfCorpus, SentenceKey, SharedKey; str for names given by people; a TypedDict has a field
        for each key, with the type of its value.
    value : type
        Of its values, see ``references.py``; fields that a TypedDict does not name hold no ids.
    """

    name: str
    key: object
    value: object = object

    def type_of(self, key: str) -> object:
        """The type of the value under a key."""
        return hints_of(self.key).get(key, object) if is_typeddict(self.key) else self.value

    def has(self, key: str, value: object) -> bool:
        """Whether a document may have this key and this JSON value, or None for no value."""
        if self.key in KEYS and not KEYS[self.key].fullmatch(key):
            return False
        return value is None or fits(value, self.type_of(key))


class RecordedScore(TypedDict, total=False):
    """The words scored, and those with the right head."""

    words: int
    right: int
    uas: float
    las: float | None


class Figures(TypedDict, total=False):
    """Figures of any run."""

    model: RecordedScore | None
    base: RecordedScore | None
    code: str
    iterations: int
    sentences: int
    contexts: int
    bits: float | None
    objective: float | None


class RunKind(NamedTuple):
    """A kind of run: its name, and the types of its settings and figures."""

    name: str
    settings: object
    figures: object = Figures

    def has(self, settings: object, figures: object) -> bool:
        """Whether a run may have these settings and figures."""
        return fits(settings, self.settings) and fits(figures, self.figures)


class Kinds:
    """All kinds of documents and runs, by name."""

    def __init__(self, kinds: Iterable[DocumentKind | RunKind] = ()):
        kinds = tuple(kinds)
        self.documents = {kind.name: kind for kind in kinds if isinstance(kind, DocumentKind)}
        self.runs = {kind.name: kind for kind in kinds if isinstance(kind, RunKind)}

    def document(self, name: str) -> DocumentKind:
        """The kind of this name. Raises StoreError for an unknown one."""
        if name not in self.documents:
            raise _unknown("documents", name)
        return self.documents[name]

    def run(self, name: str) -> RunKind:
        """The kind of this name. Raises StoreError for an unknown one."""
        if name not in self.runs:
            raise _unknown("runs", name)
        return self.runs[name]

    @property
    def without_run_ids(self) -> list[str]:
        """The kinds of documents that hold no RunId."""
        return [
            kind.name for kind in self.documents.values() if not mentions(kind.key, RunId) | mentions(kind.value, RunId)
        ]

    def corpus_of(self, name: str, key: str) -> int | None:
        """The id of a document's text, or None."""
        return corpus_of_key(key, self.documents[name].key) if name in self.documents else None

    def runs_of_document(self, name: str, key: str, value: object) -> set[int]:
        """The ids of the runs that a document names; in one of an unknown kind each number may be an id."""
        return _runs(value, self.documents[name].type_of(key) if name in self.documents else None)

    def runs_of_run(self, name: str, settings: object) -> set[int]:
        """The ids of the runs that settings of a run name; for an unknown kind each number may be an id."""
        return _runs(settings, self.runs[name].settings if name in self.runs else None)


def _runs(value, wanted):
    return set(map(int, re.findall(r"\d+", json.dumps(value))) if wanted is None else runs_named(value, wanted))


def _unknown(noun, name):
    return StoreError(
        f"This workbench knows no {noun} of the kind {quoted(name)!r}, so it cannot tell which texts and runs they"
        " speak of; nothing was restored, use the version of the workbench that wrote them"
    )
