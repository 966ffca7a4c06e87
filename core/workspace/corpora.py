"""Texts of a project: adding a file, opening it again, tagging one that has no tags."""

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
from core.languages import UNKNOWN, language_code, language_name
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
from core.treebank.sample import FOLDER
from core.trees import Bracket
from core.workspace.readings import LIMITS, SMALL
from core.workspace.texts import free_name
from core.workspace.wording import amount

LANGUAGE = "language"  # in a corpus's settings
AS_THEN = {  # how files were read that a project has kept since before these formats became CoNLL-U there
    "text": {"split": "sentencizer", "language": "en"},
    "lines": {"join_hyphens": False, "language": "en"},
}
NOT_KEPT = "flextext"  # a format that projects kept as it was, and of which the words are not known any more
STORED = replace(LIMITS, seconds=600, memory=4 << 30)  # of texts that are kept already, which were read before
OPTIONS = {  # readers speak to the command line; a page has fields instead
    "with --format": "under Format",
    "--format": "the format",
    "say --encoding": "choose an encoding such as",
    "--encoding": "the encoding",
}


def add_corpus(
    store: Store, project: SupportsIndex, name: str, data: bytes, format: str = "auto", encoding: str = "utf-8",
    language: str | None = None,
) -> tuple[int, Treebank]:  # fmt: skip
    """Read a file to see that it can be, then keep it; returns (corpus id, its Treebank).

    ``language`` is the code of its language; by default what its comments say, or a sure guess.

    Plain text, interlinear text and the like are kept as CoNLL-U, so that their sentences and words stay what they are,
    whatever later versions make of such files. Where the project has a text of that name, a number is added. Raises
    FormatError or WorkbenchError, and keeps nothing, where the file cannot be read so.
    """
    format, treebank = read_new(data, format, encoding, name)
    if format in KEPT_AS_CONLLU:
        data, format, encoding = conllu_text(treebank).encode(), "conllu", "utf-8"
    name = free_name(store, project, PurePath(name).name)
    settings = {LANGUAGE: language or text_language(treebank).answer}
    return store.add_corpus(project, name, data, format=format, encoding=encoding, settings=settings), treebank


def read_new(data: bytes, format: str, encoding: str, name: str, **plain: Any) -> tuple[str, Treebank]:
    """(format, Treebank) of a file that is no corpus yet; "auto" is guessed. Raises as ``read_named``.

    ``plain`` are options of plain text alone, ``language`` and ``join_hyphens``, as ``read_text`` has them.
    """
    with naming(name):
        format = guess_format(data, encoding, name) if format == "auto" else format
    return format, read_named(data, format, encoding, name, **(plain if format in PLAIN else {}))


def language_of(corpus: Corpus) -> str:
    """The code of a Corpus's language, as it was guessed or answered; ``UNKNOWN`` where nobody said."""
    return "en" if corpus.reference is not None else corpus.settings.get(LANGUAGE, UNKNOWN)


def offered_languages(*others: str) -> dict[str, str]:
    """Code -> name of the languages that are offered, by name: those that can be guessed or have rules, and others."""
    codes = {*known_languages(), *spacy_languages(), *others} - {UNKNOWN}
    names = {code: language_name(code) for code in codes}
    return {UNKNOWN: "Unknown", **dict(sorted(names.items(), key=lambda pair: pair[1]))}


def change_language(store: Store, corpus: Corpus, language: str) -> Corpus:
    """Say which language a Corpus is in, undoably; ``language`` is a code, a name, or "unknown".

    Its words stay as they are, and with them its trees, tags and runs. Raises WorkbenchError for no such language.
    """
    return store.change_corpus(corpus.id, settings={**corpus.settings, LANGUAGE: language_code(language)})


def read_named(data: bytes, format: str, encoding: str, name: str, **options: Any) -> Treebank:
    """``read_treebank``, whose errors name the file that was uploaded."""
    with naming(name):
        return read_treebank(data, format=format, encoding=encoding, name=name, **options)


@contextmanager
def naming(name: str) -> Iterator[None]:
    """FormatErrors within name the file, and speak of fields instead of options."""
    try:
        yield
    except FormatError as error:
        message = str(error)
        for option, words in OPTIONS.items():
            message = message.replace(option, words)
        raise WorkbenchError(f"{name}, {message}" if error.line else f"{name}: {message}") from error


def read_corpus(store: Store, corpus: Corpus) -> Treebank:
    """The Treebank of a Corpus of the store, as its file has it; a large one is read in a process of its own."""
    if corpus.reference is not None:
        return load_sample(corpus.reference)
    if corpus.format == NOT_KEPT:
        raise WorkbenchError(
            f"{corpus.name} is a FLEx file as version 0.1.0 kept them, which is not read any more; export it there as"
            " CoNLL-U, and add that file"
        )
    data, how = store.corpus_bytes(corpus.id), (corpus.format, corpus.encoding, corpus.name)
    if len(data) <= SMALL or corpus.format in SCANNED:
        return read_named(data, *how, **AS_THEN.get(corpus.format, {}))
    function, doing = f"{__name__}:packed_treebank", f"reading {corpus.name}"
    head, parts = call_apart(function, {"how": how}, [data], doing=doing, limits=STORED)
    return unpack_treebank(head, parts)


def packed_treebank(apart: Apart, parts: Sequence[bytes], how: tuple[str, str, str]) -> tuple[dict, list[bytes]]:
    """What ``read_corpus`` makes a Treebank of, in the process that reads a large one."""
    return pack_treebank(read_named(parts[0], *how, **AS_THEN.get(how[0], {})))


def source_key(corpus: Corpus) -> str:
    """Names the content of a corpus's file and how it is read."""
    content = corpus.hash if corpus.reference is None else _sample_hash(corpus.reference)
    return json.dumps([content, corpus.format, corpus.encoding])


@cache
def _sample_hash(reference):
    """What is in a built-in sample, which another version of the workbench may have changed."""
    return load_sample(reference).content_hash


def text_brackets(treebank: Treebank, reference: str | None = None) -> list[list[Bracket]]:
    """The brackets of each sentence: of its ``# markup`` comment; of the built-in sample's, those of its pages.

    ``treebank`` is the whole sample or a selection of it. Raises FormatError for a bad comment.
    """
    if reference is None:
        return marked_sentences(treebank)
    found = _sample_brackets(reference)
    return [list(found[index]) for index in treebank.picks.tolist()]


@cache
def _sample_brackets(reference):
    """Those of a built-in sample, whose pages take a fifth of a second to read: the first page shows how many."""
    return tuple(map(tuple, sample_markup(reference).brackets))


def marked_sample(reference: str, progress: Progress) -> Treebank:
    """The built-in sample with the brackets of its pages. ``progress`` as in ``Workspace.marked``."""
    pages = len(list((FOLDER / "pages").iterdir()))

    def report(extraction):
        progress(min(extraction.pages / pages, 1.0), f"{extraction.pages:,} of {amount(pages, 'page')} read")

    return sample_markup(reference, progress=report).treebank


def short_sentences(treebank: Treebank, longest: int | None) -> Treebank:
    """The sentences of at most so many words, all for None. Raises WorkbenchError where there is none."""
    if longest is None:
        return treebank
    short = treebank.max_length(longest)
    if len(short) == 0:
        raise WorkbenchError(f"none of the {len(treebank):,} sentences has at most {longest} words; raise the limit")
    return short


def tagged_sentences(treebank: Treebank, tags: str) -> Treebank:
    """The sentences in which some word has a tag in the column ``tags``; itself if all have one. O(rows).

    Raises WorkbenchError where none has.
    """
    column = treebank.tag_column(tags)  # says so where it is empty
    tagged = np.logical_or.reduceat(column.ids > 0, treebank.offsets[:-1])
    return treebank if tagged.all() else treebank.select(tagged)
