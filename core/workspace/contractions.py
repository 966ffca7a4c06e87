"""The tables by which contractions of plain text are cut: those that ship, and those that a project has changed.

A language of a project has one table, for all texts that are added later.
"""

from collections.abc import Sequence
from typing import SupportsIndex, TypeAlias

from core.languages import language_name
from core.languages.contractions import Contractions, parse_contractions, table_of, usual_text
from core.store import Command, Corpus, DocumentKind, Entry, Project, SharedKey, Store
from core.workspace.corpora import language_of

KIND = "contractions"
Pairs: TypeAlias = Sequence[tuple[str, str]]  # (code of a language, table of its contractions)
STORED = (DocumentKind(KIND, SharedKey, str),)
BEFORE = "language:"  # of the code in a document's key


def changed_tables(store: Store, project: SupportsIndex) -> tuple[tuple[str, str], ...]:
    """(code of the language, table) of each that a project has changed, in the order of the codes."""
    documents = store.documents(project, KIND)
    return tuple(sorted((key.removeprefix(BEFORE), text) for (_, key), text in documents.items()))


def table_text(store: Store, project: Project, language: str) -> str:
    """The table of a language, by its code, as text: the project's, else the one that ships, else ""."""
    text = store.document(project, KIND, BEFORE + language)
    return usual_text(language) if text is None else text


def table_for(store: Store, corpus: Corpus) -> Contractions:
    """The Contractions of a text's language: by the table of its project, else by the one that ships."""
    return table_of(language_of(corpus), dict(changed_tables(store, corpus.project)))


def save_table(store: Store, project: Project, language: str, text: str) -> Entry | None:
    """Store the table of a language, undoably; None if nothing changes. The one that ships is no change of it.

    Raises FormatError, and stores nothing, for a line that cannot be read.
    """
    parse_contractions(text)
    key = BEFORE + language
    before = store.document(project, KIND, key)
    after = None if text == usual_text(language) else text
    label = f"editing the contractions of {language_name(language)}"
    return store.execute(project, Command(KIND, key, before, after), label=label)
