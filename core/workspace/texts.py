"""A project's texts: free names, a table, and the addresses under which a text is always found."""

import re
from collections.abc import Sequence
from typing import NotRequired, SupportsIndex, TypedDict

from core.errors import WorkbenchError
from core.store import Corpus, CorpusId, DocumentKind, RunId, Store
from core.treebank import FORMATS

PARSE_OF = "parse_of"  # in a corpus's settings: the id of the corpus whose words it has
ONLY_PARSE = "only_parse"  # in a corpus's settings: whether it was added as a parse, and is no text of the list
LONGEST = 180  # characters of a name before its number and ending
NAMED = 40  # characters of a text's name in an address


class TextSettings(TypedDict, total=False):
    """Settings of a text, apart from how it is read."""

    parse_of: CorpusId
    only_parse: bool
    language: str
    tags: str


class ReaderSettings(TypedDict):
    """Settings of a run in which a reader tags or parses a text, or which holds the tags of another run."""

    corpus: NotRequired[CorpusId]
    reader: str
    taken_from: NotRequired[RunId]


class TextDescription(TypedDict):
    """What the store has of a text besides its bytes."""

    name: str
    format: str
    encoding: str
    settings: TextSettings


class LookedAt(TypedDict, total=False):
    """The state of a project's pages that is stored; the tour's step is stored for each person too."""

    corpus: CorpusId
    follow: bool
    tour: int


STORED = DocumentKind("corpus", CorpusId, TextDescription), DocumentKind("view", LookedAt)


def listed_texts(store: Store, project: SupportsIndex) -> list[Corpus]:
    """The Corpora of a project that are its texts: all but files that were added as a parse of one.

    Where that text is gone, with all others of the same words, its parses are listed, so that nothing is out of reach.
    """
    corpora = store.corpora(project)
    texts = {_source(corpus) for corpus in corpora if not is_only_parse(corpus)}
    return [corpus for corpus in corpora if not is_only_parse(corpus) or _source(corpus) not in texts]


def is_only_parse(corpus: Corpus) -> bool:
    """Whether a Corpus was added as a parse of another."""
    return bool(corpus.settings.get(ONLY_PARSE))


def free_name(store: Store, project: SupportsIndex, name: str) -> str:
    """The name, with a number before its ending if a text of the project has it already."""
    name, taken = name.strip(), {corpus.name for corpus in store.corpora(project)}
    match = re.search(r"\.\w{1,8}\Z", name)
    ending = match[0] if match else ""
    stem = name.removesuffix(ending)
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{stem[:LONGEST]} ({number}){ending}"
    return free


def rename_corpus(store: Store, corpus: Corpus, name: str) -> Corpus:
    """Rename a Corpus, undoably; returns it as it is now. Raises WorkbenchError where the name is taken."""
    name = name.strip()
    if name in (other.name for other in store.corpora(corpus.project) if other.id != corpus.id):
        raise WorkbenchError(f"There is a text named {name!r} in this project already; choose another name")
    return store.change_corpus(corpus.id, name=name)


def remove_corpus(store: Store, corpus: Corpus) -> None:
    """Remove a Corpus and all that depends on it, undoably. Raises WorkbenchError for a project's only text."""
    if [text.id for text in listed_texts(store, corpus.project)] == [corpus.id]:
        raise WorkbenchError(f"{corpus.name} is the only text of this project; add another one before you remove it")
    store.remove_corpus(corpus.id)


def texts_of_other_words(store: Store, corpus: Corpus) -> list[Corpus]:
    """The other Corpora of a Corpus's project whose words are not the same by their history."""
    return [other for other in store.corpora(corpus.project) if _source(other) != _source(corpus)]


def texts_of_same_words(store: Store, corpus: Corpus) -> list[Corpus]:
    """The other Corpora with a Corpus's words: one was made of the other, or both of a third one."""
    return [
        other for other in store.corpora(corpus.project) if other.id != corpus.id and _source(other) == _source(corpus)
    ]


def added_parses(store: Store, corpus: Corpus) -> list[Corpus]:
    """The Corpora that were added as parses of a Corpus's words, and are no texts of the list."""
    return [other for other in texts_of_same_words(store, corpus) if is_only_parse(other)]


def _source(corpus):
    return corpus.settings.get(PARSE_OF, corpus.id)


def text_table(corpora: Sequence[Corpus]) -> dict[str, list]:
    """Columns of a table over some Corpora: name, format, size in kilobytes (None of a built-in sample)."""
    titles = {format.name: format.title for format in FORMATS}
    return {
        "Text": [corpus.name for corpus in corpora],
        "Format": ["built in" if corpus.reference else titles.get(corpus.format, corpus.format) for corpus in corpora],
        "Size, kB": [None if corpus.reference else corpus.size / 1000 for corpus in corpora],
    }


def address_of(corpus: Corpus) -> str:
    """The part of an address that stands for a Corpus: its name, for people, and its identifier, which counts."""
    return corpus.identifier if corpus.reference else f"{corpus.name[:NAMED]}-{corpus.identifier}"


def addressed(corpora: Sequence[Corpus], address: str) -> Corpus | None:
    """The Corpus among some that an address of ``address_of`` stands for, whatever its name is now, or None."""
    matches = [corpus for corpus in corpora if corpus.identifier == address.rpartition("-")[2]]
    return matches[0] if len(matches) == 1 else None


def once_named(store: Store, corpora: Sequence[Corpus], name: str) -> Corpus | None:
    """The Corpus among some that an old link means by its name; None where several may be meant.

    Names change and repeat. It is the corpus that has had this name, if no other one of the project ever had it.
    """
    numbered = [corpus for corpus in corpora if f"{corpus.name} ({corpus.id})" == name]  # where names repeated
    known = store.corpora_once_named(corpora[0].project, name) if corpora else set()
    matches = [corpus for corpus in corpora if known == {corpus.id}] or (numbered if not known else [])
    return matches[0] if len(matches) == 1 else None
