"""One page after another into sentences with brackets, and into a report of what was left out and why.

A page goes through four steps: its bytes are decoded, the HTML becomes blocks of prose (``page_blocks``), the blocks
are cut into sentences, and the marks on these become brackets.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import blake2b
from itertools import chain
from operator import add, gt
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.callbacks import Cancel
from core.errors import WorkbenchError, quoted
from core.languages.guessing import guess_language, known_languages
from core.languages.names import UNKNOWN, language_code, language_name
from core.languages.tokenisers import LONGEST, cutting_note
from core.languages.words import TokenizedText, WordSplitter
from core.markup.blocks import Block, InlineMark, marks_within, read_blocks
from core.markup.cleanup import clean, ordered_brackets
from core.markup.decode import decode
from core.markup.elements import DEFAULT_TAGS
from core.markup.fetch import is_url
from core.markup.markdown import lines_to_html, markdown_to_html, plain_to_html
from core.markup.partial import SIZE, Partial
from core.markup.punctuation import punctuation_brackets
from core.markup.report import ExtractionReport, Skipped
from core.markup.saved_pages import page_within
from core.markup.selectors import DEFAULT, Chosen, PageSelectors, choose
from core.markup.sources import Document, Limits
from core.settings import option
from core.trees.brackets import Bracket

if TYPE_CHECKING:
    from core.markup.page_tree import PageTree

PIECE = 100_000  # characters of a block that are split into sentences at a time
REPEAT_WORDS = 5  # a block of fewer words may come again on another page
LONG_NAME = 300  # characters
SOURCE = 200  # characters of a page's HTML that are kept of an element
LOOKED_AT = 10  # sentences by which one sees whether a page was cut into words


@dataclass(frozen=True)
class Extracting:
    """Which text counts as a sentence and as a bracket: settings of ``extract.extract_sentences``, by those names."""

    tags: tuple[str, ...] = option(tuple(DEFAULT_TAGS), "elements", metavar="A,B")
    punctuation: tuple[str, ...] = option((), "brackets from quote,paren too", metavar="P")
    language: str | None = option(
        None, "language of the pages: a code, an English name, or unknown (default: guessed, page by page)", metavar="L"
    )
    headings: bool = option(False, "headings are sentences too")
    boilerplate: bool = option(False, "keep navigation, fragments and tables of links")
    repeats: bool = option(False, "keep text that a page before had word for word")
    straight_quotes: bool = True
    only_language: bool = option(False, "leave out pages that seem to be in another language than --language")
    select: str = option("", "read only what these CSS selectors choose (default: all of a page)", metavar="CSS")
    drop: str = option(
        DEFAULT,
        "leave out what these choose; :--furniture stands for the default, navigation and the like",
        metavar="CSS",
    )
    marks: str = option("", "what these choose is marked, as --tags are (default: nothing)", metavar="CSS")
    places: bool = option(False, "write the element path and the source of each bracket, in # places comments")
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self):
        if self.language is not None:
            object.__setattr__(self, "language", language_code(self.language))
        if self.only_language:
            self._require_known()
        punctuation_brackets((), sources=self.punctuation)  # complains about other names
        _ = self.selectors

    @cached_property
    def selectors(self) -> PageSelectors:
        """What CSS selectors choose of a page. Raises WorkbenchError for what is none."""
        return PageSelectors(self.select, self.drop, self.marks)

    def _require_known(self):
        """Raise WorkbenchError where pages cannot be told to be in the language."""
        if self.language is None:
            raise WorkbenchError("pages are kept that are in one language; say which language")
        if self.language not in known_languages():
            raise WorkbenchError(
                f"pages cannot be told to be in {language_name(self.language)} ({self.language}): that is none of the "
                f"{len(known_languages())} languages known; keep pages of all languages, or name another"
            )


@dataclass(slots=True)
class MarkedSentence:
    """Words, where each begins in its page's text, and brackets; ``block`` marks the text around it, if it is long.

    ``places`` has for each mark of a bracket its tag, first and last word, element path and source.
    """

    forms: list[str]
    starts: list[int]
    brackets: tuple[Bracket, ...]
    block: bytes = b""
    places: Sequence[tuple[str, int, int, str, str]] = ()


@dataclass(slots=True)
class ReadPage:
    """A page that was dealt with: a name of its own, where it comes from, its prose, the sentences in it.

    ``language`` is a code, "" where it is unknown.
    """

    name: str
    source: str
    text: str = ""
    sentences: list[MarkedSentence] | tuple = ()
    language: str = ""


class PageReader:
    """Reads pages; what became of them is in the ``partial``'s report.

    Parameters
    ----------
    settings : Extracting
    partial : Partial
        Where to go on from; its ``documents``, ``report``, ``seen`` and ``names`` grow.
    splitters : callable, optional
        Language -> WordSplitter, which remembers words that it has split before.

    Attributes
    ----------
    last_report : ExtractionReport
        Of the last page.
    last_seen : set of bytes
        Marks of its blocks of text.
    """

    def __init__(
        self, settings: Extracting, partial: Partial, splitters: Callable[[str], WordSplitter] | None = None
    ):  # fmt: skip
        self.settings, self.partial, self.splitters = settings, partial, splitters or cache(WordSplitter)
        self.last_report, self.last_seen = ExtractionReport(), set()

    def load(self) -> None:
        """Load what all pages need, and what most do, where the time and memory of a page are limited."""
        if self.settings.language is None:
            known_languages()
        for language in (UNKNOWN, "en") if self.settings.language is None else (self.settings.language,):
            self.splitters(language).split("It is loaded.")

    def read(self, document: Document | Skipped, cancel: Cancel) -> ReadPage | None:
        """The page that was read, without sentences if it gave none; None where it was cancelled half-way.

        That leaves no trace.
        """
        self.last_report, self.last_seen = ExtractionReport(), set()
        if isinstance(document, Skipped):
            page = ReadPage("", _plain(document.source))
            self.last_report.skip(page.source, document.reason)
        else:
            page = self._read(replace(document, name=_plain(document.name)), cancel)
        if page is not None:
            self.partial.report.include(self.last_report)
            self.partial.documents += 1
        return page

    def _read(self, document, cancel):
        """A page; what is wrong with it goes into the report."""
        source = document.name
        try:
            html = decoded(document, self.last_report)
            tree, blocks = page_blocks(html, self.settings, self.last_report)
        except WorkbenchError as error:
            self.last_report.skip(source, str(error))
            return ReadPage("", source)
        prose = self._prose(blocks, cancel)
        if prose is None:
            return None
        language, other = self._language("\n".join(block.text for block, _ in prose), html)
        if other:
            for block, _ in prose:
                self.last_report.drop("another language", block.text)
            self.last_report.skip(source, f"its language is {other}, not {self.settings.language}")
            return ReadPage(unique_name(self.partial.names, source), source)
        texts, sentences, position, splitter = [], [], 0, self.splitters(language)
        splitter.learn(block.text for block, _ in prose)
        for block, mark in prose:
            if cancel():
                return None
            for text, marks in _pieces(block):
                sentences += self._bracketed(splitter.split(text), text, marks, position, mark, html, tree)
                texts.append(text)
                position += len(text) + 2
        self.partial.seen |= self.last_seen
        name = unique_name(self.partial.names, source)
        if not sentences:
            self.last_report.skip(source, "it holds no prose; see what was dropped")
            return ReadPage(name, source)
        self.last_report.pages += 1
        self.last_report.characters += sum(map(len, texts))
        if note := cutting_note(language, chain.from_iterable(sentence.forms for sentence in sentences[:LOOKED_AT])):
            self.last_report.notes.append(note)
        code = "" if language == UNKNOWN else language
        return ReadPage(name, source, "\n\n".join(texts), sentences, code)

    def _prose(self, blocks, cancel):
        """(block, its mark) of what counts of a page; None where it was cancelled. What is left out is reported."""
        prose = []
        for block in blocks:
            if cancel():
                return None
            mark = b""  # the hash by which a block is known when it comes again; a short one may
            if block.reason is None and block.text.count(" ") >= REPEAT_WORDS - 1:
                mark = blake2b(block.text.encode("utf-8", "replace"), digest_size=SIZE).digest()
                self.last_seen.add(mark)
            if mark in self.partial.seen and not self.settings.repeats:
                block.reason = "repeated"
            if block.reason is not None:
                self.last_report.drop(block.reason, block.text)
                continue
            prose.append((block, mark))
        return prose

    def _language(self, prose, html):
        """(what a page is cut as, the language that it seems to be in where that is another than the one asked for)."""
        settings = self.settings
        if settings.language is not None and not settings.only_language:
            return settings.language, None
        guess = guess_language(prose, stated_language(html)).answer
        if settings.language is None:
            return guess, None
        return settings.language, None if guess in (UNKNOWN, settings.language) else guess

    def _bracketed(self, words, text, marks, position, mark, html, tree):
        """The sentences of a piece of text with its words, and the brackets of its marks."""
        report, elements = self.last_report, {}
        brackets_of = clean(words, marks, report.marks, elements)
        for index, forms, starts in self._sentences(words, text):
            brackets = brackets_of.get(index, ())
            if self.settings.punctuation:
                brackets = self._with_punctuation(brackets, forms, starts)
            report.sentences += 1
            report.tokens += len(forms)
            report.brackets += len(brackets)
            report.multiword += sum(len(bracket) > 1 for bracket in brackets)
            places = [_place(html, tree, *element) for element in elements.get(index, ()) if self.settings.places]
            yield MarkedSentence(forms, [position + start for start in starts], brackets, mark, places)

    def _sentences(self, words: TokenizedText, text):
        """(number, words, where they begin) of the sentences that count; what is left out is reported."""
        begin = 0
        for index, end in enumerate(words.ends):
            forms, starts = words.forms[begin:end], words.starts[begin:end]
            begin = end
            reason = None
            if len(forms) > self.settings.limits.sentence_words:
                reason = "too long"
            elif not any(map(str.isalpha, "".join(forms))) or max(map(len, forms)) > LONGEST:
                reason = "no words"
            if reason:
                self.last_report.drop(reason, text[starts[0] : starts[-1] + len(forms[-1])])
                continue
            yield index, forms, starts

    def _with_punctuation(self, brackets, forms, starts):
        tags, counts = {(bracket.start, bracket.end): [bracket.tag] for bracket in brackets}, self.last_report.marks
        for bracket in punctuation_brackets(forms, spaces_after(forms, starts), self.settings.punctuation):
            counts[bracket.tag, "marks"] += 1
            counts[bracket.tag, "kept"] += 1
            tags.setdefault((bracket.start, bracket.end), []).append(bracket.tag)
        return ordered_brackets(tags)


def decoded(document: Document, report: ExtractionReport) -> str:
    """The HTML of a page as it came; Markdown and text become some. Raises FormatError for what is no text."""
    report.bytes += len(document.data)
    notes: list[str] = []
    if isinstance(document.data, str):
        text, encoding = document.data, "text"
    else:
        saved = page_within(document.data) if document.kind == "html" else None
        text, encoding = decode(*(saved or (document.data, document.encoding)), notes)
    report.encodings[encoding] += 1
    report.notes += [f"{document.name}: {note}" for note in notes]
    ways = {"html": str, "markdown": markdown_to_html, "plain": plain_to_html, "lines": lines_to_html}
    return ways[document.kind or "html"](text)


def page_blocks(
    html: str, settings: Extracting, report: ExtractionReport
) -> "tuple[PageTree | None, Iterator[Block]]":  # fmt: skip
    """(The tree of a page, where places are asked of it, its blocks with the reason of each that is no prose).

    The report gains how many elements each selector chooses. Without selectors, the tree is None where it cannot be
    built, and the names of elements must do. Raises WorkbenchError where the tree cannot be built, or
    ``select`` chooses nothing.
    """
    selectors, tree = settings.selectors, None
    chosen = Chosen(furniture=frozenset() if settings.boilerplate else selectors.furniture)
    if selectors.asks_a_tree or settings.places:
        from core.markup.page_tree import PageTree

        try:
            tree = PageTree(html, tuple(chain.from_iterable(selectors.of_tree.values())))
        except WorkbenchError:
            if selectors.asks_a_tree:
                raise
    if tree is not None and selectors.asks_a_tree:
        chosen, counts = choose(selectors, tree.numbers, tree.names, settings.boilerplate)
        report.chosen.update(counts)
        if not settings.places:
            tree.close()
        if chosen.read == frozenset():
            raise WorkbenchError(f"{quoted(settings.select)!r} chooses nothing on it; see its source for names that do")
    blocks = read_blocks(
        html, settings.tags, settings.headings, settings.boilerplate, settings.straight_quotes, chosen,
        tree and tree.tokens,
    )  # fmt: skip
    return tree, blocks


def stated_language(html: str) -> str | None:
    """The language that a page says it is in, as it writes it; None where it does not."""
    from core.markup.page_tree import HEAD, stated

    return stated(html)[1] or None if "lang" in html[:HEAD].lower() else None


def _place(html, tree, start, end, tag, number):
    """Tag, first and last word of a bracket, its element path and its source."""
    if tree is None:
        return tag, start, end - 1, tag, ""
    begin, _ = tree.places[number]
    return tag, start, end - 1, tree.path(number), html[begin : begin + SOURCE]


def unique_name(names: Counter, source: str) -> str:
    """A short name for a page, its own: its file's name, numbered when that comes again. ``names`` keeps count."""
    path = urlsplit(source).path if is_url(source) else source
    stem = PurePosixPath(path.rstrip("/")).stem or "page"
    stem = "".join(character if character.isprintable() and character not in " /" else "_" for character in stem)
    name = stem
    while name in names:
        names[stem] += 1
        name = f"{stem}.{names[stem]}"
    names[name] = 1
    return name


def spaces_after(forms: list[str], starts: list[int]) -> list[bool]:
    """Whether white space follows each word of a sentence; it does behind the last."""
    return [*map(gt, starts[1:], map(add, starts, map(len, forms))), True]


def _plain(name):
    """A name that can be written anywhere: file names may hold line ends, and bytes that are no text."""
    name = "".join(character if character.isprintable() else "\ufffd" for character in name) or "page"
    return name if len(name) <= LONG_NAME else name[: LONG_NAME - 1] + "…"


def _pieces(block: Block) -> Iterator[tuple[str, list[InlineMark]]]:
    """(text, marks) of a block, cut at spaces into pieces that can be worked on at once; hardly ever more than one."""
    if len(block.text) <= PIECE:
        yield block.text, block.marks
        return
    begin, spans = 0, []
    while begin < len(block.text):
        end = len(block.text) if begin + PIECE >= len(block.text) else block.text.rfind(" ", begin, begin + PIECE)
        end = end if end > begin else begin + PIECE
        spans.append((begin, end))
        begin = end + block.text.startswith(" ", end)
    for (begin, end), marks in zip(spans, marks_within(block.marks, spans), strict=True):
        yield block.text[begin:end], marks
