"""A project's texts as people know them: names that are free, a table, and the addresses that name a text for good."""

import re
from collections.abc import Sequence
from typing import NotRequired, SupportsIndex, TypedDict

from core.errors import WorkbenchError
from core.store import Corpus, CorpusId, DocumentKind, Store
from core.treebank import FORMATS

PARSE_OF = "parse_of"  # in a corpus's settings: the corpus whose words it has
LONGEST = 180  # characters that a number and an ending are put to
NAMED = 40  # characters of a text's name in an address


class TextSettings(TypedDict, total=False):
    """What is kept with a text beside how it is read."""

    parse_of: CorpusId
    language: str


class ReaderSettings(TypedDict):
    """Of a run in which a reader tags or parses a text."""

    corpus: NotRequired[CorpusId]
    reader: str


class TextDescription(TypedDict):
    """What the store keeps of a text of the project beside its bytes."""

    name: str
    format: str
    encoding: str
    settings: TextSettings


class LookedAt(TypedDict, total=False):
    """What pages remember of what was looked at in a project; the tour's place stands under a person's name too."""

    corpus: CorpusId
    follow: bool
    tour: int


STORED = DocumentKind("corpus", CorpusId, TextDescription), DocumentKind("view", LookedAt)


def free_name(store: Store, project: SupportsIndex, name: str) -> str:
    """The name, with a number before its ending where a text of the project has it already."""
    name, taken = name.strip(), {corpus.name for corpus in store.corpora(project)}
    found = re.search(r"\.\w{1,8}\Z", name)
    ending = found[0] if found else ""
    stem = name.removesuffix(ending)
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{stem[:LONGEST]} ({number}){ending}"
    return free


def rename_corpus(store: Store, corpus: Corpus, name: str) -> Corpus:
    """Give a Corpus another name, undoably; returns it as it is now. Raises WorkbenchError where the name is taken."""
    name = name.strip()
    if name in (each.name for each in store.corpora(corpus.project) if each.id != corpus.id):
        raise WorkbenchError(f"There is a text named {name!r} in this project already; choose another name")
    return store.change_corpus(corpus.id, name=name)


def remove_corpus(store: Store, corpus: Corpus) -> None:
    """Take a Corpus off the project's list, undoably, with all that hangs on it. WorkbenchError for the only one."""
    if [each.id for each in store.corpora(corpus.project)] == [corpus.id]:
        raise WorkbenchError(f"{corpus.name} is the only text of this project; add another one before you remove it")
    store.remove_corpus(corpus.id)


def text_table(corpora: Sequence[Corpus]) -> dict[str, list]:
    """Columns of a table over some Corpora: name, format, size in kilobytes (None of a built-in sample)."""
    titles = {format.name: format.title for format in FORMATS}
    return {
        "Text": [corpus.name for corpus in corpora],
        "Format": ["built in" if corpus.reference else titles.get(corpus.format, corpus.format) for corpus in corpora],
        "Size, kB": [None if corpus.reference else corpus.size / 1000 for corpus in corpora],
    }


def address_of(corpus: Corpus) -> str:
    """What stands for a Corpus in an address: its name, for people to read, and its identifier, which decides."""
    return corpus.identifier if corpus.reference else f"{corpus.name[:NAMED]}-{corpus.identifier}"


def addressed(corpora: Sequence[Corpus], address: str) -> Corpus | None:
    """The one of some Corpora that an address of ``address_of`` stands for, whatever its name is now, or None."""
    found = [corpus for corpus in corpora if corpus.identifier == address.rpartition("-")[2]]
    return found[0] if len(found) == 1 else None


def once_named(store: Store, corpora: Sequence[Corpus], name: str) -> Corpus | None:
    """The one of some Corpora that a link of old means, which gave a name; None where that may be another one's.

    Names change and repeat: it is the one that has had this name, if no other ever had it in the project.
    """
    numbered = [corpus for corpus in corpora if f"{corpus.name} ({corpus.id})" == name]  # where names repeated
    known = store.corpora_once_named(corpora[0].project, name) if corpora else set()
    found = [corpus for corpus in corpora if known == {corpus.id}] or (numbered if not known else [])
    return found[0] if len(found) == 1 else None
