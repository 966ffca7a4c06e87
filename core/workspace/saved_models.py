"""Parsers and taggers from files, each stored as the result of a run of a kind of its own, so that backups have it."""

from typing import NotRequired, TypedDict

from core.store import Corpus, CorpusId, RunKind, Store

SAVED, SAVED_TAGGER = "saved-parser", "saved-tagger"  # kinds of the runs that hold the file of a parser, a tagger
FROM_FILES = (SAVED, SAVED_TAGGER)


class SavedSettings(TypedDict):
    """Settings of a run that holds a file: its name, and the text at which it was added."""

    name: str
    corpus: NotRequired[CorpusId]


STORED = tuple(RunKind(kind, SavedSettings) for kind in FROM_FILES)


def store_model(store: Store, corpus: Corpus, kind: str, name: str, data: bytes) -> int:
    """Store a file, added at a Corpus, as the result of a new run of one of these kinds; returns the run's id."""
    number = store.create_run(corpus.project, kind, {"name": name, "corpus": corpus.id}, size=len(data))
    store.start_run(number)
    store.finish_run(number, "done", {}, data)
    return number
