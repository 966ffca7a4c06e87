"""A text before it is added: read once, looked at, named, tagged if so asked, then kept."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.callbacks import Progress
from core.errors import WorkbenchError
from core.parsers.readers import draws_trees, tagged_text
from core.store import Project, Store
from core.treebank import FORMATS, Treebank, conllu_text
from core.treebank.formats import PLAIN
from core.treebank.tagging import load_closed_classes
from core.workspace.corpora import read_new
from core.workspace.corpus.tagging import is_untagged
from core.workspace.texts import free_name
from core.workspace.workspace import Workspace

PASTED = "pasted text"
NAME_WORDS, NAME_LENGTH = 5, 40  # of what is pasted, its name at first
ENGLISH_SHARE = 0.25  # of the words of an English text are articles, pronouns, prepositions ...


@dataclass(frozen=True, eq=False)
class Draft:
    """A text as it was read, and what it was read from."""

    data: bytes
    format: str  # a name of FORMATS: as found, where it was to be found
    encoding: str
    treebank: Treebank

    @property
    def title(self) -> str:
        """What people call the format."""
        return next(each.title for each in FORMATS if each.name == self.format)

    @property
    def is_untagged(self) -> bool:
        """Whether no word has a tag."""
        return is_untagged(self.treebank)

    @cached_property
    def tagged(self) -> int:
        """How many words have a tag."""
        return int(np.count_nonzero((self.treebank.upos.ids > 0) | (self.treebank.xpos.ids > 0)))

    @cached_property
    def trees(self) -> int:
        """How many sentences have a whole tree."""
        known = np.add.reduceat(self.treebank.heads >= 0, self.treebank.offsets[:-1], dtype=np.int64)
        return int(np.count_nonzero(known == self.treebank.lengths))

    @cached_property
    def looks_english(self) -> bool:
        """Whether many of the words are of the English closed classes."""
        form, known = self.treebank.form, load_closed_classes("english")
        counts = np.bincount(form.ids, minlength=len(form.values))
        named = np.fromiter((bool(value) and bool(known.named(value)) for value in form.values), bool, len(form.values))
        return int(counts[named].sum()) >= ENGLISH_SHARE * self.treebank.token_count


def kept_draft(workspace: Workspace, name: str, data: bytes, format: str = "auto", encoding: str = "utf-8") -> Draft:
    """The Draft of a file's bytes, read once while somebody looks at it. Raises as ``read_draft``."""
    key = name, hashlib.sha256(data).digest(), format, encoding
    return workspace.cache.get("drafts", key, lambda: read_draft(name, data, format, encoding))


def read_draft(name: str, data: bytes, format: str = "auto", encoding: str = "utf-8") -> Draft:
    """The Draft of a file's bytes. Raises WorkbenchError, naming the file, if they cannot be read."""
    found, treebank = read_new(data, format, encoding, name)
    return Draft(data, found, encoding, treebank)


def add_draft(
    store: Store, project: Project, draft: Draft, name: str, reader: str | None = None, progress: Progress | None = None
) -> int:
    """Keep a Draft as a text of the project, in one step; returns the corpus id.

    Where the project has a text of that name, a number is added.

    Parameters
    ----------
    store : Store
    project : Project
    draft : Draft
    name : str
    reader : str, optional
        A name of ``readers.reader_names()`` that tags: the text is kept with its tags.
    progress : callable, optional
        Called as ``progress(sentences tagged, sentences)``; what it raises ends it all, and nothing is kept.

    Raises
    ------
    WorkbenchError : no name; a reader that fails.
    """
    if not name.strip():
        raise WorkbenchError("a text needs a name; type one")
    name = free_name(store, project, name)
    if reader is not None and draws_trees(reader):
        return store.add_corpus(project, name, tagged_text(draft.treebank.to_conllu(), reader, progress), "conllu")
    if draft.format in PLAIN:
        return store.add_corpus(project, name, conllu_text(draft.treebank).encode(), "conllu")
    return store.add_corpus(project, name, draft.data, draft.format, draft.encoding)


def pasted_name(text: str) -> str:
    """A name for pasted text: its first words; where it is a treebank, that it was pasted."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if "\t" in first or first[:1] in "#\\(<" or not first.isprintable():
        return PASTED
    words = first.split()
    short = " ".join(words[:NAME_WORDS])
    return short if len(words) <= NAME_WORDS and len(short) <= NAME_LENGTH else f"{short[:NAME_LENGTH].rstrip()} …"
