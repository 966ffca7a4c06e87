"""A text before it is added to a project: read once, previewed, named, tagged if asked for, then stored."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.annotation.long_sentences import cut_sentences
from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.languages import Guess, language_code
from core.languages.contractions import table_of
from core.parsers.readers import draws_trees, tagged_text
from core.processes.apart import call_apart
from core.processes.apart_worker import Apart
from core.store import Project, Store
from core.treebank import FORMATS, Treebank, conllu_text, guess_format, read_conllu
from core.treebank.cuts import SENT_CUTS, Cut, unusual_cuts
from core.treebank.formats import KEPT_AS_CONLLU, PLAIN, SCANNED
from core.treebank.language import text_language
from core.treebank.packing import pack_treebank, unpack_treebank
from core.treebank.plain import LONG, has_cut_words
from core.workspace.contractions import Pairs
from core.workspace.corpora import naming, read_new, short_sentences, text_settings, unpacked_upload
from core.workspace.corpus.tagging import is_untagged
from core.workspace.readings import LIMITS, SMALL, Asker
from core.workspace.texts import free_name
from core.workspace.workspace import Workspace

PASTED = "pasted text"
SMALL_TABLE = 4 << 20  # bytes of a treebank that is read at once
KEEP, CUT, LEAVE_OUT = LONG_CHOICES = ("keep", "cut", "leave out")
NAME_WORDS, NAME_LENGTH = 5, 40  # of what is pasted, its name at first


@dataclass(frozen=True, eq=False)
class Draft:
    """A text as it was read, with the bytes that it was read from."""

    data: bytes
    format: str  # a name of FORMATS, detected if it was not given
    encoding: str
    treebank: Treebank
    join_hyphens: bool = True  # of plain text
    chosen: str | None = None  # the code of the language that somebody chose
    contractions: Pairs | None = ()  # of plain text, as ``read_draft`` has them

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
        """The title of the format."""
        return next(format.title for format in FORMATS if format.name == self.format)

    @cached_property
    def has_cut_words(self) -> bool:
        """Whether words were joined or signs within them left out, or would be."""
        split = "lines" if self.format == "lines" else "sentences"
        return self.format in PLAIN and has_cut_words(self.data, self.encoding, split)

    @cached_property
    def cuts(self) -> list[Cut]:
        """What is counted as other words than are written, each once; the first SENT_CUTS of a draft read apart."""
        return unusual_cuts(self.treebank)

    @cached_property
    def cut_count(self) -> int:
        """How many cuts there are."""
        return len(self.cuts)

    @cached_property
    def has_contractions(self) -> bool:
        """Whether there is a table by which words of this text could be cut into parts."""
        return self.format in PLAIN and bool(table_of(self.language, dict(self.contractions or ())))

    @property
    def long_count(self) -> int:
        """How many sentences have more than LONG words, so that trees of them take long."""
        return int((self.treebank.lengths > LONG).sum())

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


class How(NamedTuple):
    """The options for reading a file, as ``read_draft`` takes them."""

    format: str = "auto"
    encoding: str = "utf-8"
    join_hyphens: bool = True
    language: str | None = None
    contractions: Pairs | None = ()


AS_IT_LOOKS = How()


def find_draft(workspace: Workspace, asker: Asker | None, name: str, data: bytes, how: How = AS_IT_LOOKS) -> Draft:
    """The Draft of a file's bytes, read once while somebody looks at it.

    The file may be packed, see ``unpacked_upload``. A large one is read in a process of its own where an Asker waits
    for it; Reading is raised meanwhile. Raises WorkbenchError as ``read_draft``, or where it takes too much.
    """
    name, data = unpacked_upload(name, data)
    key = name, hashlib.sha256(data).digest(), *how
    if asker is None or is_read_at_once(name, data, how.format, how.encoding):
        if asker is not None:
            workspace.readings.leave(asker.widget)
        return workspace.cache.get("drafts", key, lambda: read_draft(name, data, *how))
    return workspace.readings.find("drafts", key, asker, name, lambda cancel: read_draft_apart(name, data, how, cancel))


def is_read_at_once(name: str, data: bytes, format: str = "auto", encoding: str = "utf-8") -> bool:
    """Whether a file is so small, or of such a format, that it is read before somebody else notices.

    Raises WorkbenchError for a file that is no text.
    """
    if len(data) <= SMALL:
        return True
    with naming(name):
        format = guess_format(data, encoding, name) if format == "auto" else format
    return format in SCANNED and len(data) <= SMALL_TABLE


def read_draft(
    name: str, data: bytes, format: str = "auto", encoding: str = "utf-8", join_hyphens: bool = True,
    language: str | None = None, contractions: Pairs | None = (),
) -> Draft:  # fmt: skip
    """The Draft of a file's bytes; plain text is cut by the rules of its language, which is guessed by default.

    ``contractions`` are pairs of a language's code and its table, in place of those that ship; None leaves words whole.

    Raises WorkbenchError, naming the file, if they cannot be read, and for no such language.
    """
    chosen = None if language is None else language_code(language)
    tables = None if contractions is None else dict(contractions)
    how = {"join_hyphens": join_hyphens, "language": chosen, "contractions": tables}
    detected, treebank = read_new(data, format, encoding, name, **how)
    return Draft(data, detected, encoding, treebank, join_hyphens, chosen, contractions)


def read_draft_apart(name: str, data: bytes, how: How, cancel: Cancel | None = None) -> Draft:
    """``read_draft`` in a process of its own, within limits, which works out the cached properties, too."""
    function, call = f"{__name__}:packed_draft", {"name": name, "how": how}
    facts, parts = call_apart(function, call, [data], doing=f"reading {name}", limits=LIMITS, cancel=cancel)
    treebank, chosen = unpack_treebank(facts["treebank"], parts), facts["chosen"]
    draft = Draft(data, facts["format"], how.encoding, treebank, how.join_hyphens, chosen, how.contractions)
    language, probability, others = facts["guess"]
    guess = Guess(language, probability, tuple((other, share) for other, share in others))
    cuts = [Cut(written, tuple(words), count, is_token) for written, words, count, is_token in facts["known"]["cuts"]]
    vars(draft).update(facts["known"], guess=guess, cuts=cuts)
    return draft


def packed_draft(apart: Apart, parts: Sequence[bytes], name: str, how: Sequence) -> tuple[dict, list[bytes]]:
    """The parts of a Draft for ``read_draft_apart``, made in the process that reads."""
    draft = read_draft(name, parts[0], *how)
    known = {name: getattr(draft, name) for name in ("has_cut_words", "tagged", "trees", "cut_count")}
    known["cuts"] = [(cut.written, cut.words, cut.count, cut.is_token) for cut in draft.cuts[:SENT_CUTS]]
    guess = astuple(draft.guess)
    treebank, packed = pack_treebank(draft.treebank)
    facts = {"format": draft.format, "chosen": draft.chosen, "guess": guess, "known": known, "treebank": treebank}
    return facts, packed


def with_long(draft: Draft, choice: str) -> Draft:
    """The Draft with its sentences of more than LONG words as a choice of LONG_CHOICES has it; then it is CoNLL-U.

    Raises WorkbenchError where no sentence is left.
    """
    if choice == KEEP or not draft.long_count:
        return draft
    short = cut_sentences(draft.treebank, LONG) if choice == CUT else short_sentences(draft.treebank, LONG)
    data = conllu_text(short.to_conllu()).encode()
    treebank = read_conllu(data, name=draft.treebank.name)
    return replace(draft, data=data, format="conllu", encoding="utf-8", treebank=treebank, chosen=draft.language)


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
    name, settings = free_name(store, project, name), text_settings(draft.language, draft.treebank)
    if reader is not None and draws_trees(reader):
        tagged = tagged_text(draft.treebank.to_conllu(), reader, progress)
        settings = text_settings(draft.language, read_conllu(tagged, name=name))
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
