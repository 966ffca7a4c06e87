"""Readers, which tag and parse pasted text: the English models of the workbench, or an installed spaCy pipeline."""

from collections.abc import Callable
from importlib.metadata import entry_points

import numpy as np

from core.callbacks import Cancel
from core.errors import Cancelled
from core.languages.names import UNKNOWN
from core.parsers.english import English
from core.parsers.protocols import ReadingParser
from core.threads import run_cancellable
from core.treebank import Treebank, conllu_text

ENGLISH, WORD_LISTS, NOTHING = "english", "lists", "nothing"
CONSISTENT = "consistent"  # where a text has the tags of a run of consistent tagging, which no other text can get
SPACY = "spacy:"  # before the name of an installed pipeline
TAGGED_AT_ONCE = 500  # sentences between two looks at ``cancelled``


def reader_names() -> list[str]:
    """All readers to choose from: those that come along, then the installed spaCy pipelines."""
    installed = {entry.name for entry in entry_points(group="spacy_models")}  # without spaCy, which takes seconds
    return [ENGLISH, WORD_LISTS, NOTHING, *(f"{SPACY}{name}" for name in sorted(installed))]


def reader_title(reader: str) -> str:
    """The name of a reader in a sentence, as in "trees by the English parser"."""
    return f"the spaCy pipeline {reader.removeprefix(SPACY)}" if reader.startswith(SPACY) else "the English parser"


def tagger_names(language: str = UNKNOWN) -> list[str]:
    """The readers that tag text in a language, by its code: the English one, then the installed spaCy pipelines.

    All of them where the language is unknown.
    """
    names = [name for name in reader_names() if draws_trees(name)]
    if language == UNKNOWN:
        return names
    pipelines = tuple(f"{SPACY}{code}_" for code in (language, "xx"))
    return [name for name in names if name.startswith(pipelines) or (name, language) == (ENGLISH, "en")]


def tagger_title(reader: str) -> str:
    """The name of a reader where it tags, as in "Tag with the English tagger"."""
    if reader == CONSISTENT:
        return "a tagger that is consistent across sentences"
    return reader_title(reader) if reader.startswith(SPACY) else "the English tagger"


def usual_reader(language: str) -> str:
    """The reader for text in a language, by its code: the English one, an installed spaCy pipeline, or NOTHING."""
    if language == "en":
        return ENGLISH
    return next((name for name in reader_names() if name.startswith(f"{SPACY}{language}_")), NOTHING)


def draws_trees(reader: str | None) -> bool:
    """Whether a reader, or None, parses."""
    return reader is not None and (reader == ENGLISH or reader.startswith(SPACY))


def load_reader(reader: str) -> ReadingParser:
    """The English models, or a SpacyPipeline. Raises WorkbenchError."""
    if not reader.startswith(SPACY):
        return English.load()
    from core.parsers.spacy_pipeline import SpacyPipeline  # spaCy takes seconds to import

    return SpacyPipeline.load(reader.removeprefix(SPACY))


def tagged_text(
    treebank: Treebank, reader: str, progress: Callable[..., object] | None = None, cancelled: Cancel | None = None
) -> bytes:
    """The CoNLL-U bytes of a treebank of CoNLL-U with a reader's tags.

    ``progress(sentences tagged, sentences)`` and ``cancelled()`` are called between batches of sentences; what the
    first raises goes through, the second raises Cancelled where it is true. Raises WorkbenchError as ``load_reader``.
    """
    tagger, parts, count = run_cancellable(lambda: load_reader(reader), cancelled), [], len(treebank)
    for begin in range(0, count, TAGGED_AT_ONCE):
        if cancelled is not None and cancelled():
            raise Cancelled
        if progress is not None:
            progress(begin, count)
        batch = treebank.select(np.arange(begin, min(begin + TAGGED_AT_ONCE, count)))
        parts.append(conllu_text(tagger.tag(batch)).encode())
    return b"".join(parts)
