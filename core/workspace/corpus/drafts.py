"""A text before it is added: read once, looked at, named, tagged if so asked, then kept."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.callbacks import Progress
from core.errors import WorkbenchError
from core.languages import Guess, language_code
from core.parsers.readers import draws_trees, tagged_text
from core.store import Project, Store
from core.treebank import FORMATS, Treebank, conllu_text
from core.treebank.formats import KEPT_AS_CONLLU, PLAIN
from core.treebank.language import text_language
from core.treebank.plain import has_cut_words
from core.workspace.corpora import LANGUAGE, read_new
from core.workspace.corpus.tagging import is_untagged
from core.workspace.texts import free_name
from core.workspace.workspace import Workspace

PASTED = "pasted text"
NAME_WORDS, NAME_LENGTH = 5, 40  # of what is pasted, its name at first


@dataclass(frozen=True, eq=False)
class Draft:
    """A text as it was read, and what it was read from."""

    data: bytes
    format: str  # a name of FORMATS: as found, where it was to be found
    encoding: str
    treebank: Treebank
    join_hyphens: bool = True  # of plain text
    chosen: str | None = None  # the code of the language that somebody chose

    @cached_property
    def guess(self) -> Guess:
        """The language that it seems to be in."""
        return text_language(self.treebank)

    @property
    def language(self) -> str:
        """The code of its language: the chosen one, else the guess where that is sure."""
        return self.guess.answer if self.chosen is None else self.chosen

    @property
    def title(self) -> str:
        """What people call the format."""
        return next(each.title for each in FORMATS if each.name == self.format)

    @cached_property
    def has_cut_words(self) -> bool:
        """Whether words were joined or signs within them left out, or would be."""
        split = "lines" if self.format == "lines" else "sentences"
        return self.format in PLAIN and has_cut_words(self.data, self.encoding, split)

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


def kept_draft(
    workspace: Workspace, name: str, data: bytes, format: str = "auto", encoding: str = "utf-8",
    join_hyphens: bool = True, language: str | None = None,
) -> Draft:  # fmt: skip
    """The Draft of a file's bytes, read once while somebody looks at it. Raises as ``read_draft``."""
    how = format, encoding, join_hyphens, language
    key = name, hashlib.sha256(data).digest(), *how
    return workspace.cache.get("drafts", key, lambda: read_draft(name, data, *how))


def read_draft(
    name: str, data: bytes, format: str = "auto", encoding: str = "utf-8", join_hyphens: bool = True,
    language: str | None = None,
) -> Draft:  # fmt: skip
    """The Draft of a file's bytes; plain text is cut by the rules of its language, which is guessed by default.

    Raises WorkbenchError, naming the file, if they cannot be read, and for no such language.
    """
    chosen = None if language is None else language_code(language)
    found, treebank = read_new(data, format, encoding, name, join_hyphens=join_hyphens, language=chosen)
    return Draft(data, found, encoding, treebank, join_hyphens, chosen)


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
    name, settings = free_name(store, project, name), {LANGUAGE: draft.language}
    if reader is not None and draws_trees(reader):
        tagged = tagged_text(draft.treebank.to_conllu(), reader, progress)
        return store.add_corpus(project, name, tagged, "conllu", settings=settings)
    if draft.format in KEPT_AS_CONLLU:
        return store.add_corpus(project, name, conllu_text(draft.treebank).encode(), "conllu", settings=settings)
    return store.add_corpus(project, name, draft.data, draft.format, draft.encoding, settings)


def pasted_name(text: str) -> str:
    """A name for pasted text: its first words; where it is a treebank, that it was pasted."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if "\t" in first or first[:1] in "#\\(<" or not first.isprintable():
        return PASTED
    words = first.split()
    short = " ".join(words[:NAME_WORDS])
    return short if len(words) <= NAME_WORDS and len(short) <= NAME_LENGTH else f"{short[:NAME_LENGTH].rstrip()} …"
