"""Texts of a project: adding a file, opening it again, tagging one that has no tags."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import PurePath
from typing import Any, SupportsIndex

import numpy as np

from core.callbacks import Progress
from core.errors import FormatError, WorkbenchError
from core.evaluation.scores import sentences_alike
from core.files.packed import plain_name, unpacked
from core.languages import UNKNOWN, language_name
from core.languages.guessing import known_languages
from core.languages.tokenisers import spacy_languages
from core.markup import marked_sentences, sample_markup
from core.processes.apart import call_apart
from core.processes.apart_worker import Apart
from core.store import Corpus, Store
from core.treebank import Treebank, conllu_text, guess_format, load_sample, read_treebank
from core.treebank.formats import KEPT_AS_CONLLU, PLAIN, SCANNED
from core.treebank.language import text_language
from core.treebank.packing import pack_treebank, unpack_treebank
from core.treebank.problems import line_number, refuse_foreign
from core.treebank.sample import FOLDER
from core.trees import Bracket
from core.workspace.readings import LIMITS, SMALL
from core.workspace.texts import free_name
from core.workspace.wording import amount

LANGUAGE, TAGS = "language", "tags"  # in a corpus's settings; TAGS is the tag set of its file, "" for none
FIRST_OPTIONS = {  # earlier versions stored files of these formats as they were, and read them with these options
    "text": {"split": "sentencizer", "language": "en"},
    "lines": {"join_hyphens": False, "language": "en"},
}
UPLOADED = 100 << 20  # bytes of a text in a packed file that is uploaded, as of one that is not packed
NOT_READ = (
    "flextext"  # earlier versions stored files of this format as they were, and cut them into words in another way
)
STORED = replace(LIMITS, seconds=600, memory=4 << 30)  # for files of the store, which were read once already


def add_corpus(
    store: Store, project: SupportsIndex, name: str, data: bytes, format: str = "auto", encoding: str = "utf-8",
    language: str | None = None,
) -> tuple[int, Treebank]:  # fmt: skip
    """Read a file and store it as a text of a project; returns (corpus id, its Treebank).

    ``language`` is the code of its language; by default what its comments say, or a sure guess.

    Plain text, interlinear text and the like are stored as CoNLL-U, so that no later version cuts them into other
    sentences and words. Where the project has a text of that name, a number is added. Raises FormatError or
    WorkbenchError, and stores nothing, where the file cannot be read so.
    """
    format, treebank = read_new(data, format, encoding, name)
    if format in KEPT_AS_CONLLU:
        data, format, encoding = conllu_text(treebank).encode(), "conllu", "utf-8"
    name = free_name(store, project, PurePath(name).name)
    settings = text_settings(language or text_language(treebank).answer, treebank)
    return store.add_corpus(project, name, data, format=format, encoding=encoding, settings=settings), treebank


def text_settings(language: str, treebank: Treebank) -> dict[str, str]:
    """The settings of a new text: the code of its language, and which tags its file has."""
    return {LANGUAGE: language, TAGS: tag_set(treebank)}


def tag_set(treebank: Treebank) -> str:
    """The tags that a file has: "upos", else "xpos", else ""."""
    return "upos" if treebank.upos.filled else "xpos" if treebank.xpos.filled else ""


def read_new(data: bytes, format: str, encoding: str, name: str, **plain: Any) -> tuple[str, Treebank]:
    """(format, Treebank) of a file that is no corpus yet; "auto" is guessed. Raises as ``read_named``.

    ``plain`` are options of plain text alone, ``language`` and ``join_hyphens``, as ``read_text`` has them.
    """
    with naming(name):
        format = guess_format(data, encoding, name) if format == "auto" else format
    return format, read_named(data, format, encoding, name, **(plain if format in PLAIN else {}))


def language_of(corpus: Corpus) -> str:
    """The code of a Corpus's language, as it was guessed or chosen; else ``UNKNOWN``."""
    return "en" if corpus.reference is not None else corpus.settings.get(LANGUAGE, UNKNOWN)


def offered_languages(*others: str) -> dict[str, str]:
    """Code -> name of the languages that can be guessed or have rules, and of ``others``; sorted by name."""
    codes = {*known_languages(), *spacy_languages(), *others} - {UNKNOWN}
    names = {code: language_name(code) for code in codes}
    return {UNKNOWN: "Unknown", **dict(sorted(names.items(), key=lambda pair: pair[1]))}


def read_named(data: bytes, format: str, encoding: str, name: str, **options: Any) -> Treebank:
    """``read_treebank``, whose errors name the file that was uploaded."""
    with naming(name):
        return read_treebank(data, format=format, encoding=encoding, name=name, **options)


def unpacked_upload(name: str, data: bytes) -> tuple[str, bytes]:
    """(name, bytes) of the text in an uploaded file, which may be packed: gzip, xz, Zstandard, a zip of one file.

    Raises WorkbenchError where it is damaged, or holds more than may be uploaded.
    """
    with naming(name):
        text = unpacked(data, most=UPLOADED)
    return (name if text is data else plain_name(name)), text


def uploaded_text(name: str, data: bytes) -> tuple[str, str]:
    """(name, text) of an uploaded file in UTF-8, which may be packed as for ``unpacked_upload``; lines end with LF.

    Raises WorkbenchError, which names the file, where it is no text.
    """
    name, data = unpacked_upload(name, data)
    with naming(name):
        refuse_foreign(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, byte = line_number(data, error.start), data[error.start]
        raise WorkbenchError(f"{name}, line {line}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8") from None
    if "\0" in text:
        raise WorkbenchError(f"{name} is not a text file; give a file of text in UTF-8")
    return name, text.replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """FormatErrors within become WorkbenchErrors that name the file."""
    try:
        yield
    except FormatError as error:
        raise WorkbenchError(f"{name}, {error}" if error.line else f"{name}: {error}") from error


def read_corpus(store: Store, corpus: Corpus) -> Treebank:
    """The Treebank of a Corpus of the store, as its file has it; a large one is read in a process of its own."""
    if corpus.reference is not None:
        return load_sample(corpus.reference)
    if corpus.format == NOT_READ:
        raise WorkbenchError(
            f"{corpus.name} is a FLEx file as version 0.1.0 kept them, which is not read any more; export it there as"
            " CoNLL-U, and add that file"
        )
    data, how = store.corpus_bytes(corpus.id), (corpus.format, corpus.encoding, corpus.name)
    if len(data) <= SMALL or corpus.format in SCANNED:
        return read_named(data, *how, **FIRST_OPTIONS.get(corpus.format, {}))
    function, doing = f"{__name__}:packed_treebank", f"reading {corpus.name}"
    head, parts = call_apart(function, {"how": how}, [data], doing=doing, limits=STORED)
    return unpack_treebank(head, parts)


def packed_treebank(apart: Apart, parts: Sequence[bytes], how: tuple[str, str, str]) -> tuple[dict, list[bytes]]:
    """A packed Treebank, for ``read_corpus``: runs in the process that reads a large file."""
    return pack_treebank(read_named(parts[0], *how, **FIRST_OPTIONS.get(how[0], {})))


def source_key(corpus: Corpus) -> str:
    """A key for the content of a corpus's file and how it is read."""
    content = corpus.hash if corpus.reference is None else _sample_hash(corpus.reference)
    return json.dumps([content, corpus.format, corpus.encoding])


def words_digest(chosen: object, *treebanks: Treebank) -> str:
    """Names words: ``chosen`` names the texts and what was chosen of them, JSON values; treebanks say which rows."""
    digest = hashlib.sha256(json.dumps(chosen).encode())
    for treebank in treebanks:
        digest.update(treebank.picks.astype(np.int64).tobytes() + treebank.rows.astype(np.int64).tobytes())
    return digest.hexdigest()


@cache
def _sample_hash(reference):
    """The content hash of a built-in sample, which may change between versions of the workbench."""
    return load_sample(reference).content_hash


def text_brackets(treebank: Treebank, reference: str | None = None) -> list[list[Bracket]]:
    """The brackets of each sentence: those of its ``# markup`` comment, or of the pages of a built-in sample.

    ``treebank`` is the whole sample or a selection of it. Sentences of the sample whose words were changed have none.
    Raises FormatError for a bad comment.
    """
    if reference is None:
        return marked_sentences(treebank)
    brackets = _sample_brackets(reference)
    alike = sentences_alike(load_sample(reference).select(treebank.picks), treebank)
    pairs = zip(treebank.picks.tolist(), alike.tolist(), strict=True)
    return [list(brackets[index]) if is_same else [] for index, is_same in pairs]


@cache
def _sample_brackets(reference):
    """The brackets of a built-in sample, whose pages take a fifth of a second to read."""
    return tuple(map(tuple, sample_markup(reference).brackets))


def marked_sample(reference: str, progress: Progress) -> Treebank:
    """A built-in sample with the brackets of its pages. ``progress`` as in ``Workspace.marked``."""
    pages = len(list((FOLDER / "pages").iterdir()))

    def report(extraction):
        progress(min(extraction.pages / pages, 1.0), f"{extraction.pages:,} of {amount(pages, 'page')} read")

    return sample_markup(reference, progress=report).treebank


def short_sentences(treebank: Treebank, longest: int | None) -> Treebank:
    """The sentences of at most ``longest`` words; all for None. Raises WorkbenchError where there is none."""
    if longest is None:
        return treebank
    short = treebank.max_length(longest)
    if len(short) == 0:
        raise WorkbenchError(f"none of the {len(treebank):,} sentences has at most {longest} words; raise the limit")
    return short


def tagged_sentences(treebank: Treebank, tags: str) -> Treebank:
    """The sentences with a tag in the column ``tags``; the treebank itself if all have one. O(rows).

    Raises WorkbenchError where no sentence has one.
    """
    column = treebank.tag_column(tags)  # refuses an empty one
    tagged = np.logical_or.reduceat(column.ids > 0, treebank.offsets[:-1])
    return treebank if tagged.all() else treebank.select(tagged)
