"""Web pages to sentences with brackets (spitkovsky2010, section 4)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from operator import add

from core.callbacks import Cancel, Progress
from core.languages.names import LANGUAGE
from core.markup.comments import format_brackets, format_places, treebank_brackets, word_tags
from core.markup.elements import DEFAULT_TAGS
from core.markup.partial import Partial
from core.markup.reader import Extracting, PageReader, ReadPage
from core.markup.report import ExtractionReport
from core.markup.selectors import DEFAULT
from core.markup.sources import Limits, documents
from core.treebank import Treebank
from core.treebank.plain import LONG
from core.trees.brackets import Bracket

CANCELLED = "cancelled: the pages after these were not read"
SEEN = ReadPage("", "")  # in place of a page that an earlier extraction has dealt with


@dataclass(frozen=True)
class Page:
    """A page that gave sentences ``first`` to ``last - 1``; MISC's offsets count the characters of ``text``."""

    name: str
    text: str
    first: int
    last: int


@dataclass(frozen=True)
class Extraction:
    """Sentences of pages with their brackets, and a report of what was left out.

    ``brackets`` has a tuple of Bracket for each sentence of ``treebank``; they stand in its comments too.
    """

    treebank: Treebank
    brackets: tuple
    pages: tuple
    report: ExtractionReport


def extract_sentences(
    source: object, *, tags: Collection[str] = DEFAULT_TAGS, punctuation: Collection[str] = (),
    language: str | None = None, headings: bool = False, boilerplate: bool = False, repeats: bool = False,
    straight_quotes: bool = True, only_language: bool = False, select: str = "", drop: str = DEFAULT, marks: str = "",
    places: bool = False, urls: bool = False, limits: Limits | None = None, name: str | None = None,
    progress: Progress | None = None, cancel: Cancel | None = None,
    fetching: dict | None = None, resume: Partial | None = None, keep: Callable[..., object] | None = None,
) -> Extraction:  # fmt: skip
    """Sentences of the visible prose of pages, with the mark-up on their words as brackets.

    Parameters
    ----------
    source : str, bytes, path, or a list of these
        Pages, folders, zip files, WARC archives, URLs, as ``sources.documents`` describes.
    tags : collection of str
        Elements whose mark-up counts; by default links, bold, italics, underline.
    punctuation : collection of {"quote", "paren"}
        Brackets from quotation marks and parentheses too.
    language : str, optional
        Of all pages: a code or an English name, or "unknown". By default it is guessed, page by page, by the text and
        by what the page says of itself (HTML's ``lang``). A guess that is unsure counts as unknown.
    headings, boilerplate, straight_quotes : bool
        As in ``blocks.read_blocks``.
    repeats : bool
        Keep blocks of text that a page before had word for word: without it what a site prints on all its pages
        counts once.
    only_language : bool
        Leave out pages that seem to be in another language than ``language``.
    select, drop, marks : str
        CSS selectors of what is read, left out, and marked as ``tags`` are, as ``selectors.PageSelectors`` has them.
    places : bool
        Keep the element path and the source of each bracket, in ``# places`` comments.
    urls : bool
        Whether URLs may be fetched.
    limits : Limits, optional
        What is read at most.
    name : str, optional
        What to call a page given as text or bytes; with a name a str is always text, never a path or a URL.
    progress : callable, optional
        Told the report, which goes on changing, after each page.
    cancel : callable, optional
        Asked before each page and each block of it; once it returns True, the pages read so far are the result.
    fetching : dict, optional
        Arguments of ``fetch.fetch`` for URLs.
    resume : Partial, optional
        To go on from: as many sources are passed over as it has dealt with. It is changed.
    keep : callable, optional
        Given the Partial, which goes on changing, after each page.

    Returns
    -------
    Extraction
        Its treebank has no tags and no trees. Each sentence has ``# sent_id``, ``# text`` and ``# source``,
        ``# lang`` if its language is known, ``# markup`` if it has brackets. In MISC it has ``start_char`` and
        ``end_char`` in its page's text and the tags on the word, ``Markup=a,i``. It is empty if no page held prose: the
        report says why. Pages that were read before a ``resume`` are not among its ``pages``.

    Raises
    ------
    WorkbenchError : another sort of source, no such language, another punctuation source, no CSS selector.

    Notes
    -----
    O(characters). A page that cannot be read is skipped, and said so in the report.
    """
    settings = Extracting(
        tuple(tags), tuple(punctuation), language, headings, boilerplate, repeats, straight_quotes, only_language,
        select, drop, marks, places, limits or Limits(),
    )  # fmt: skip
    partial = resume or Partial()
    reader, cancel, before = PageReader(settings, partial), cancel or (lambda: False), partial.documents
    partial.report.notes = _lasting_notes(partial.report)
    brackets = [tuple(marks) for marks in treebank_brackets(partial.treebank())]
    pages = []
    for number, document in enumerate(documents(source, urls=urls, limits=limits, name=name, fetching=fetching)):
        page = None if cancel() else reader.read(document, cancel) if number >= before else SEEN
        if page is None:
            partial.report.notes.append(CANCELLED)
            break
        if page.sentences:
            first = len(brackets)
            brackets += [sentence.brackets for sentence in page.sentences]
            pages.append(Page(page.source, page.text, first, len(brackets)))
            partial.conllu.append(_conllu(page).encode())
        if number >= before:
            if progress is not None:
                progress(partial.report)
            if keep is not None:
                keep(partial)
    partial.report.notes += partial.report.unchosen
    treebank = partial.treebank()
    longest = int(treebank.lengths.max(initial=0))
    if longest > LONG:
        partial.report.notes.append(f"the longest sentence has {longest:,} words; parsers may take long over it")
    return Extraction(treebank, tuple(brackets), tuple(pages), partial.report)


def _lasting_notes(report):
    """The notes of a report but for those that the pages to come may prove wrong."""
    passing = {CANCELLED, *report.unchosen}
    return [note for note in report.notes if note not in passing]


def _conllu(page):
    """CoNLL-U of a page's sentences; its words hold no white space, and its comments no line end."""
    lines = [f"# newdoc id = {page.name}"]
    for number, sentence in enumerate(page.sentences, start=1):
        forms, starts, brackets = sentence.forms, sentence.starts, sentence.brackets
        text = page.text[starts[0] : starts[-1] + len(forms[-1])]
        lines += [f"# sent_id = {page.name}-{number:03d}", f"# text = {text}", f"# source = {page.source}"]
        if page.language:
            lines.append(f"# {LANGUAGE} = {page.language}")
        marked = format_brackets(brackets)
        if marked is not None:
            lines.append(marked)
        if sentence.places:
            lines.append(format_places(sentence.places))
        lines += word_lines(forms, starts, brackets)
        lines.append("")
    return "\n".join([*lines, ""])


def word_lines(
    forms: list[str], starts: list[int], brackets: Sequence[Bracket], fields: Iterable[str] = repeat("_\t_\t_\t_\t_\t_")
) -> list[str]:
    """The lines of a sentence's words in CoNLL-U, with their places in MISC; ``fields`` are LEMMA to DEPREL."""
    ends = [*map(add, starts, map(len, forms))]
    behind = [*starts[1:], ends[-1] + 1]
    rows = zip(count(1), forms, fields, starts, ends, behind, strict=False)
    lines = [
        f"{word}\t{form}\t{known}\t_\tstart_char={start}|end_char={end}{'' if end < after else '|SpaceAfter=No'}"
        for word, form, known, start, end, after in rows
    ]
    if brackets:
        tags = word_tags(brackets, len(forms))
        lines = [f"{line}|Markup={names}" if names else line for line, names in zip(lines, tags, strict=True)]
    return lines
