"""Web pages that somebody pastes or uploads become a text of the project, tagged, with its report."""

import hashlib
import re
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path, PurePath
from typing import NotRequired, SupportsIndex, TypedDict, Unpack, cast

from core.annotation.contracting import cut_contractions
from core.callbacks import Progress
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.languages import UNKNOWN, Guess, language_name
from core.languages.names import LANGUAGE
from core.markup import Limits, extract_sentences
from core.markup.report import ExtractionReport
from core.markup.selectors import PageSelectors
from core.markup.sources import WARC
from core.parsers.readers import (
    ENGLISH,
    NOTHING,
    SPACY,
    WORD_LISTS,
    draws_trees,
    reader_names,
    tagged_text,
    tagger_title,
)
from core.processes.apart import call_apart
from core.processes.apart_worker import Apart
from core.store import Corpus, CorpusId, DocumentKind, Store
from core.treebank import Treebank, conllu_text
from core.treebank.cuts import SENT_CUTS, Cut, unusual_cuts
from core.treebank.language import stated_language, text_language
from core.treebank.sample import FOLDER
from core.treebank.tagging import lists_of_language
from core.workspace.contractions import Pairs, changed_tables
from core.workspace.corpora import add_corpus, language_of
from core.workspace.readings import LIMITS as LIMITS_APART
from core.workspace.readings import SMALL, Asker
from core.workspace.selecting import REPORT, Preview, preview_of, selector_fields, site_of_pages
from core.workspace.word_tags import Tagging, save_tagging, saved_tagging
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

MEGA = 1 << 20
LIMITS = Limits(page_bytes=5 * MEGA, archive_bytes=500 * MEGA, archive_entries=20_000, sentence_words=400)
ARCHIVE_BYTES = 100 * MEGA
FIRST_PAGES = 3  # pages from which the language is guessed
HTML = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--|!doctype[^<>]*)>?", re.IGNORECASE)
ZIP = b"PK\x03\x04"
Files = Sequence[tuple[str, bytes | str]]  # (name, content); a str is pasted text, HTML or Markdown by its look
BY_COMMAND = "python -m core markup extract PAGE --out FILE.conllu reads it, and Add a text takes the result"


class DroppedPieces(TypedDict):
    """The text that an extraction left out for one reason."""

    pieces: int
    characters: int
    examples: list[str]


class ReportValues(TypedDict):
    """The stored report of an extraction; ``ExtractionReport.as_dict`` has more."""

    dropped: dict[str, DroppedPieces]
    reader: NotRequired[str | None]
    selectors: NotRequired[dict[str, str]]


STORED = (DocumentKind(REPORT, CorpusId, ReportValues),)


class _Chosen(TypedDict, total=False):
    language: str | None
    selectors: PageSelectors | None
    contractions: bool


def add_pages(
    store: Store, project: SupportsIndex, files: Files, punctuation: Collection[str] = (), reader: str = ENGLISH,
    progress: Progress | None = None, **chosen: Unpack[_Chosen],
) -> tuple[int, ExtractionReport]:  # fmt: skip
    """Extract sentences with brackets from pages and keep them as a text of the project.

    Parameters
    ----------
    store : Store
    project : Project
    files : list of (name, bytes or str)
        A str is pasted text, HTML or Markdown by its look; bytes are a file, a zip or WARC archive among them.
    punctuation : collection of {"quote", "paren"}
        Brackets from these, too.
    reader : str
        One of ``readers.reader_names()``. The English tagger of the workbench tags the text, and its parser draws the
        trees that brackets are judged by; an installed spaCy pipeline does both. Word lists of its language only tag
        it.
    progress : callable, optional
        Called as ``progress(share of the work, what is being done)``; what it raises ends it all.
    **chosen
        ``language``, the code of the language of all pages, by default guessed page by page. ``selectors``, the
        PageSelectors of what is read, left out and marked, which are kept with the text. ``contractions``, whether
        words such as Spanish "del" become multiword tokens of their parts, by the project's tables.

    Returns
    -------
    (corpus id, ExtractionReport)

    Raises
    ------
    WorkbenchError : nothing given, too large, or no prose in it; a reader that fails. Nothing is kept then.
    """
    selectors = selector_fields(chosen.get("selectors") or PageSelectors())
    how: dict = {"punctuation": punctuation, "language": chosen.get("language"), "limits": LIMITS, **selectors}
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder), files)
        extraction = extract_sentences(paths, places=True, **how)
    name = file_names(files)

    def tagging(done, count):
        assert progress is not None
        progress(done / count, f"{done:,} of {amount(count, 'sentence')} tagged by {tagger_title(reader)}")

    made = {"reader": reader, "selectors": selectors, "contractions": chosen.get("contractions", True)}
    corpus_id = keep_pages(
        store, project, name, extraction.treebank, extraction.report, made, progress=progress and tagging
    )
    return corpus_id, extraction.report


def guess_of_pages(workspace: Workspace, files: Files, asker: Asker | None = None) -> tuple[Guess, str, str]:
    """The language that files, as ``add_pages`` takes them, seem to be in by their first pages; the process keeps it.

    Returns (the Guess of these pages together, the code that the first page has by itself, or UNKNOWN, the pages' site
    as ``site_of_pages`` has it). Large files are read in a process of its own where an Asker waits for it; Reading is
    raised meanwhile. Raises WorkbenchError as ``write_files``, and where it takes too much.
    """
    facts = _of_first_pages(workspace, "guess", files, asker)
    language, probability, others = facts["guess"]
    return Guess(language, probability, tuple((one, share) for one, share in others)), facts["own"], facts["site"]


def preview_of_pages(
    workspace: Workspace, files: Files, selectors: PageSelectors, asker: Asker | None = None
) -> Preview:  # fmt: skip
    """The parts of the first pages of files that selectors keep and leave out, as in ``preview_of``; cached.

    Large files are read as ``guess_of_pages`` reads them. Raises WorkbenchError as it does.
    """
    return cast(Preview, _of_first_pages(workspace, "preview", files, asker, **selector_fields(selectors)))


def _of_first_pages(workspace, work, files, asker, **how):
    """The cached result of one of ``FIRST`` on the first pages of files, as JSON values."""
    contents = [data.encode("utf-8", "replace") if isinstance(data, str) else data for _, data in files]
    key = (
        tuple(name for name, _ in files),
        tuple(hashlib.sha256(data).digest() for data in contents),
        tuple(how.values()),
    )
    large = asker is not None and sum(map(len, contents)) > SMALL

    def make(cancel=None):
        with tempfile.TemporaryDirectory() as folder:
            paths = write_files(Path(folder), files)
            if not large:
                return FIRST[work](paths, **how)
            call = {"work": work, "paths": list(map(str, paths)), "how": how}
            doing = f"reading the first pages of {file_names(files)}"
            facts, _ = call_apart(
                f"{__name__}:first_pages_apart", call, doing=doing, limits=LIMITS_APART, cancel=cancel
            )  # fmt: skip
        return facts

    if asker is None or not large:
        return workspace.cache.get(f"page {work}", key, make)
    return workspace.readings.find(f"page {work}", key, asker, file_names(files), make)


def first_pages_apart(
    apart: Apart, parts: Sequence[bytes], work: str, paths: Sequence[str], how: dict
) -> tuple[dict, list[bytes]]:  # fmt: skip
    """The result of one of ``FIRST``, worked out in the process that reads."""
    return FIRST[work]([Path(path) for path in paths], **how), []


def cuts_of_pages(
    workspace: Workspace, files: Files, language: str, tables: Pairs, asker: Asker | None = None
) -> tuple[list[Cut], int]:  # fmt: skip
    """(the first SENT_CUTS unusual Cuts, how many there are) in the first pages of files; cached.

    ``language`` is a code, ``tables`` are the project's own. Large files are read as ``guess_of_pages`` reads them.
    Raises WorkbenchError as it does.
    """
    how = {"language": language, "tables": tuple(pair for pair in tables if pair[0] == language)}
    cuts = _of_first_pages(workspace, "cuts", files, asker, **how)
    first = [Cut(written, tuple(words), count, is_token) for written, words, count, is_token in cuts["cuts"]]
    return first, cuts["count"]


def _cuts(paths, language, tables):
    treebank = cut_contractions(_first_pages(paths, language).treebank, dict(tables))
    cuts = unusual_cuts(treebank)
    return {"cuts": [list(cut) for cut in cuts[:SENT_CUTS]], "count": len(cuts)}


def _first_pages(paths, language=None):
    read: list[ExtractionReport] = []
    how: dict = {"limits": LIMITS, "progress": read.append, "language": language}
    return extract_sentences(paths, **how, cancel=lambda: len(read) >= FIRST_PAGES)


def _preview(paths, **selectors):
    return preview_of(paths, selectors, LIMITS, FIRST_PAGES)


def _guess(paths):
    treebank = _first_pages(paths).treebank
    stated = stated_language(treebank) or UNKNOWN
    return {"guess": astuple(text_language(treebank)), "own": stated, "site": site_of_pages(paths, LIMITS)}


FIRST = {"guess": _guess, "preview": _preview, "cuts": _cuts}


def page_readers(language: str | None) -> dict[str, str]:
    """Reader -> its title, of those for pages in a language, by its code; None where that is not known yet."""
    known = language not in (None, UNKNOWN)
    titles = {ENGLISH: "English parser", NOTHING: "No tags, no trees"}
    if not known or lists_of_language(cast(str, language)):
        titles[WORD_LISTS] = f"{language_name(language) if known else 'English'} word lists, no trees"
    names = [name for name in reader_names() if name in titles or name.startswith(SPACY)]
    return {name: titles.get(name) or f"spaCy {name.removeprefix(SPACY)}" for name in names}


def write_files(folder: Path, files: Files) -> list[Path]:
    """Write files, as ``add_pages`` takes them, into a folder; returns their paths, named so that their kind is known.

    Raises WorkbenchError for nothing to read, or a file that is too large.
    """
    contents = _non_empty(files)
    if not contents:
        raise WorkbenchError("there is nothing to read; paste a page, or choose a file that is not empty")
    return [_written(folder, number, *file) for number, file in enumerate(contents)]


def keep_pages(
    store: Store, project: SupportsIndex, name: str, treebank: Treebank, report: ExtractionReport,
    made: dict[str, object], **watched: Callable | None,
) -> int:  # fmt: skip
    """Keep the sentences of an extraction as a text of the project, tagged by a reader; returns the corpus id.

    The report is kept with it, and how it was ``made``: by which ``reader``, whether ``contractions`` were cut, and the
    ``selectors`` of the pages as ``selector_fields`` has them.
    ``watched`` are ``cancelled`` and ``progress`` of ``readers.tagged_text``. Raises WorkbenchError as ``add_pages``.
    """
    if not len(treebank):
        raise WorkbenchError(_no_prose(report))
    if made["contractions"]:
        treebank = cut_contractions(treebank, dict(changed_tables(store, store.project(project))))
    reader = str(made["reader"])
    tagged = draws_trees(reader)
    data = tagged_text(treebank, reader, **watched) if tagged else conllu_text(treebank).encode()
    named = (code for sentence in treebank if (code := sentence.comment(LANGUAGE)))
    corpus_id, _ = add_corpus(store, project, name, data, "conllu", language=next(named, UNKNOWN))
    if reader == WORD_LISTS:
        corpus = store.corpus(corpus_id)
        lists = tuple(lists_of_language("en" if language_of(corpus) == UNKNOWN else language_of(corpus)))
        tagging = saved_tagging(store, corpus) or Tagging()  # maybe what was said at other texts of the language
        tagging = replace(tagging, lists=tuple(dict.fromkeys([*tagging.lists, *lists])))
        save_tagging(store, corpus, tagging, f"tagging {name} by word lists")
    store.remember(project, REPORT, str(corpus_id), report.as_dict() | made)
    return corpus_id


def report_of(store: Store, corpus: Corpus) -> dict | None:
    """The report on the extraction of a text, as ``ExtractionReport.as_dict``; None for a text not from pages."""
    if corpus.reference:
        return _sample_report()
    return store.document(corpus.project, REPORT, str(corpus.id))


def reader_of(store: Store, corpus: Corpus) -> str | None:
    """The reader that tags and parses a text from pages, a name of ``readers``; None for other texts."""
    report = None if corpus.reference else store.document(corpus.project, REPORT, str(corpus.id))
    return report and report.get("reader")


def dropped_table(report: dict) -> dict[str, list]:
    """Columns of a table over what an extraction left out: why, how often, how much, the first example."""
    reasons = sorted(report["dropped"].items(), key=lambda item: -item[1]["characters"])
    rows = [(reason, left["pieces"], left["characters"], left["examples"][0]) for reason, left in reasons]
    return columns_of(("why", "pieces", "characters", "example"), rows)


def outcome_table(report: dict) -> dict[str, list]:
    """Columns of a table over tags: marks found, broken up, and what became of the pieces."""
    names = ("marks", "broken", "kept", "part of a word", "whole sentence", "no word")
    rows = [(tag, *(counts[name] for name in names)) for tag, counts in report["marks"].items()]
    return columns_of(("tag", *names), rows)


def skipped_table(report: dict) -> dict[str, list]:
    """Columns of a table over what gave nothing at all: source, reason."""
    return {name: [skipped[name] for skipped in report["skipped"]] for name in ("source", "reason")}


@cache
def _sample_report():
    """The report on the pages that ship with the sample."""
    return extract_sentences(FOLDER / "pages").report.as_dict()


def is_archive(name: str, data: bytes | str) -> bool:
    """Whether a file holds pages rather than being one: a zip file by its content or name, or a WARC archive."""
    return not isinstance(data, str) and (data.startswith(ZIP) or name.lower().endswith((".zip", *WARC)))


def _written(folder, number, name, data):
    """The path of a file with the page in it, named so that its kind is known; its content says what a zip is."""
    if isinstance(data, str):
        data, name = data.encode("utf-8", "replace"), f"{name}.{'html' if HTML.search(data) else 'md'}"
    name = PurePath(name.replace("\\", "/")).name or "page"
    name = "".join(character if character.isprintable() and character != "/" else "_" for character in name)[-100:]
    packed = is_archive(name, data)
    most = ARCHIVE_BYTES if packed else LIMITS.page_bytes
    if len(data) > most:
        raise WorkbenchError(
            f"{name} has {len(data) / MEGA:.1f} MB, and {'an archive' if packed else 'a page'} may "
            f"have {most // MEGA} MB here; cut it into parts, or on the command line {BY_COMMAND}"
        )
    subfolder = folder / str(number)
    subfolder.mkdir(parents=True)
    is_zip = data.startswith(ZIP) and not name.lower().endswith(".zip")
    path = subfolder / (f"{name}.zip" if is_zip else name)
    path.write_bytes(data)
    return path


def _no_prose(report):
    """One sentence: why no page gave a sentence, and what was there instead."""
    skipped = report.skipped[0] if report.skipped else None
    if report.dropped or skipped is None or "no prose" in skipped.reason:
        reasons = ", ".join(f"{dropped.pieces} × {reason}" for reason, dropped in report.dropped.items())
        there = f" (left out: {reasons})" if reasons else ""
        return f"no prose was found{there}; paste a page with whole sentences"
    return f"{skipped.source}: {skipped.reason}"


def file_names(files: Files) -> str:
    """The name of a text made of files."""
    files = _non_empty(files)
    name = PurePath(files[0][0]).name
    return name if len(files) == 1 else f"{name} and {len(files) - 1:,} more"


def _non_empty(files):
    return [(name, data) for name, data in files if data and (not isinstance(data, str) or data.strip())]
