"""Web pages to sentences with brackets (spitkovsky2010, section 4)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from core.callbacks import Cancel, Progress
from core.errors import FormatError
from core.markup.blocks import read_blocks
from core.markup.cleanup import clean
from core.markup.comments import format_brackets, treebank_brackets, word_tags
from core.markup.decode import decode
from core.markup.elements import DEFAULT_TAGS
from core.markup.fetch import is_url
from core.markup.markdown import markdown_to_html, plain_to_html
from core.markup.partial import SIZE, Partial
from core.markup.punctuation import punctuation_brackets
from core.markup.report import ExtractionReport, Skipped
from core.markup.sources import Limits, documents
from core.markup.words import LONGEST, WordSplitter
from core.treebank import Treebank
from core.trees.brackets import Bracket

CANCELLED = "cancelled: the pages after these were not read"
PIECE = 100_000  # characters of a block that are split into sentences at a time
REPEAT_WORDS = 5  # a block of fewer words may come again on another page
LONG_NAME = 300  # characters
LONG = 200  # words; sentences longer than this are kept and noted


@dataclass(frozen=True)
class Page:
    """A page that gave sentences ``first`` to ``last - 1``; MISC's offsets count the characters of ``text``."""

    name: str
    text: str
    first: int
    last: int


@dataclass(frozen=True)
class Extraction:
    """What ``extract_sentences`` returns.

    ``brackets`` has a tuple of Bracket for each sentence of ``treebank``; they stand in its comments too.
    """

    treebank: Treebank
    brackets: tuple
    pages: tuple
    report: ExtractionReport


def extract_sentences(
    source: Any, *, tags: Collection[str] = DEFAULT_TAGS, punctuation: Collection[str] = (), language: str = "en",
    headings: bool = False, boilerplate: bool = False, repeats: bool = False, straight_quotes: bool = True,
    urls: bool = False, limits: Limits | None = None, name: str | None = None,
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
    language : str
        Of spaCy's tokeniser.
    headings, boilerplate, straight_quotes : bool
        As in ``blocks.read_blocks``.
    repeats : bool
        Keep blocks of text that a page before had word for word: without it what a site prints on all its pages
        counts once.
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
        Its treebank has no tags and no trees; each sentence has ``# sent_id``, ``# text``, ``# source``, ``# markup``
        if it has brackets, and in MISC ``start_char`` and ``end_char`` in its page's text and the tags on the word,
        ``Markup=a,i``. It is empty if no page held prose: the report says why. Pages that were read before a ``resume``
        are not among its ``pages``.

    Raises
    ------
    WorkbenchError : another sort of source, a language that spaCy does not know, another punctuation source.

    Notes
    -----
    O(characters). A page that cannot be read is skipped, and said so in the report.
    """
    punctuation_brackets((), sources=punctuation)  # complains about other names
    options = {"headings": headings, "boilerplate": boilerplate, "straight_quotes": straight_quotes}
    reader = _Extractor(tags, punctuation, WordSplitter(language), limits or Limits(), repeats, resume, options)
    cancel, before = cancel or (lambda: False), reader.partial.documents
    for number, document in enumerate(documents(source, urls=urls, limits=limits, name=name, fetching=fetching)):
        if cancel() or not (number < before or reader.read(document, cancel)):
            reader.report.notes.append(CANCELLED)
            break
        if number >= before and progress is not None:
            progress(reader.report)
        if number >= before and keep is not None:
            keep(reader.partial)
    return reader.finish()


def _plain(name):
    """A name that can be written anywhere: file names may hold line ends, and bytes that are no text."""
    name = "".join(character if character.isprintable() else "\ufffd" for character in name) or "page"
    return name if len(name) <= LONG_NAME else name[: LONG_NAME - 1] + "…"


class _Extractor:
    """Gathers sentences page by page."""

    def __init__(self, tags, punctuation, splitter, limits, repeats, resume, options):
        self.options = options  # of ``read_blocks``
        self.tags, self.punctuation, self.splitter, self.limits = tuple(tags), tuple(punctuation), splitter, limits
        self.repeats, self.here, self.partial = repeats, set(), resume or Partial()
        self.seen, self.names, self.report = self.partial.seen, self.partial.names, self.partial.report
        self.brackets, self.pages, self.longest = [], [], 0
        if resume is not None:
            self.report.notes = [note for note in self.report.notes if note != CANCELLED]
            self.brackets = [tuple(found) for found in treebank_brackets(resume.treebank())] if resume.conllu else []

    def read(self, document, cancel):
        """Read a page, or note why there is none; False where it was cancelled half-way, which leaves no trace."""
        whole, self.report = self.report, ExtractionReport()
        first, longest = len(self.brackets), self.longest
        if isinstance(document, Skipped):
            self.report.skip(_plain(document.source), document.reason)
            is_whole = True
        else:
            is_whole = self._add(replace(document, name=_plain(document.name)), cancel)
        if is_whole:
            whole.include(self.report)
            self.partial.documents += 1
        else:
            del self.brackets[first:]
            self.longest = longest
        self.report = whole
        return is_whole

    def _add(self, document, cancel):
        """Read a page; what is wrong with it goes into the report. False where it was cancelled half-way."""
        try:
            text = self._html(document)
        except FormatError as error:
            self.report.skip(document.name, str(error))
            return True
        source = document.name
        name = self._unique(source)
        sentences, texts, place = [], [], 0
        self.here = set()
        for block in read_blocks(text, self.tags, **self.options):
            if cancel():
                del self.names[name]
                return False
            if block.reason is None and self._is_repeated(block.text):
                block.reason = "repeated"
            if block.reason is not None:
                self.report.drop(block.reason, block.text)
                continue
            for piece, marks in _pieces(block):
                sentences += self._sentences(piece, marks, place, name, source, len(sentences))
                texts.append(piece)
                place += len(piece) + 2
        self.seen |= self.here
        if not sentences:
            self.report.skip(document.name, "it holds no prose; see what was dropped")
            return True
        first = len(self.brackets) - len(sentences)
        self.pages.append(Page(source, "\n\n".join(texts), first, len(self.brackets)))
        self.partial.conllu.append(f"# newdoc id = {name}\n{''.join(sentences)}".encode())
        self.report.pages += 1
        self.report.characters += sum(map(len, texts))
        return True

    def _html(self, document):
        self.report.bytes += len(document.data)
        if isinstance(document.data, str):
            text, encoding = document.data, "text"
        else:
            text, encoding = decode(document.data, document.encoding)
        self.report.encodings[encoding] += 1
        if "\ufffd" in text and encoding != "text":
            count = text.count("\ufffd")
            self.report.notes.append(f"{document.name}: {count:,} bytes are no {encoding}; they read as \ufffd")
        return {"html": str, "markdown": markdown_to_html, "plain": plain_to_html}[document.kind](text)

    def _unique(self, source):
        """A short name for a page's sentences, its own: the file's name, numbered when it comes again."""
        path = urlsplit(source).path if is_url(source) else source
        stem = PurePosixPath(path.rstrip("/")).stem or "page"
        stem = "".join(character if character.isprintable() and character not in " /" else "_" for character in stem)
        name = stem
        while name in self.names:
            self.names[stem] += 1
            name = f"{stem}.{self.names[stem]}"
        self.names[name] = 1
        return name

    def _is_repeated(self, text):
        if self.repeats or text.count(" ") < REPEAT_WORDS - 1:
            return False
        mark = blake2b(text.encode("utf-8", "replace"), digest_size=SIZE).digest()
        self.here.add(mark)
        return mark in self.seen

    def _sentences(self, text, marks, place, name, source, number):
        """CoNLL-U of the sentences of a piece of text; their brackets go to ``self.brackets``."""
        words = self.splitter.split(text)
        found = clean(words, marks, self.report.marks)
        sentences, begin = [], 0
        for index, end in enumerate(words.ends):
            forms, starts = words.forms[begin:end], words.starts[begin:end]
            last = starts[-1] + len(forms[-1])
            written, begin = text[starts[0] : last], end
            reason = self._no_sentence(forms)
            if reason:
                self.report.drop(reason, written)
                continue
            spaces = [
                after > start + len(form)
                for form, start, after in zip(forms, starts, [*starts[1:], last + 1], strict=True)
            ]
            brackets = found.get(index, ())
            if self.punctuation:
                brackets = self._with_punctuation(brackets, forms, spaces)
            self._count(len(forms), brackets)
            comments = [f"# sent_id = {name}-{number + len(sentences) + 1:03d}", f"# text = {written}"]
            comments.append(f"# source = {source}")
            tags = None
            if (line := format_brackets(brackets)) is not None:
                comments.append(line)
                tags = word_tags(brackets, len(forms))
            sentences.append(_conllu(comments, forms, starts, spaces, place, tags))
        return sentences

    def _no_sentence(self, forms):
        if len(forms) > self.limits.sentence_words:
            return "too long"
        if not any(character.isalpha() for form in forms for character in form) or max(map(len, forms)) > LONGEST:
            return "no words"
        return None

    def _with_punctuation(self, brackets, forms, spaces):
        tags = {(bracket.start, bracket.end): [bracket.tag] for bracket in brackets}
        for bracket in punctuation_brackets(forms, spaces, self.punctuation):
            self.report.marks[bracket.tag, "marks"] += 1
            self.report.marks[bracket.tag, "kept"] += 1
            tags.setdefault((bracket.start, bracket.end), []).append(bracket.tag)
        ordered = sorted(tags, key=lambda span: (span[0], -span[1]))
        return tuple(Bracket(*span, "+".join(tags[span])) for span in ordered)

    def _count(self, length, brackets):
        self.brackets.append(brackets)
        self.report.sentences += 1
        self.report.tokens += length
        self.report.brackets += len(brackets)
        self.report.multiword += sum(len(bracket) > 1 for bracket in brackets)
        self.longest = max(self.longest, length)

    def finish(self):
        """The Extraction."""
        if self.longest > LONG:
            self.report.notes.append(f"the longest sentence has {self.longest:,} words; parsers may take long over it")
        return Extraction(self.partial.treebank(), tuple(self.brackets), tuple(self.pages), self.report)


def _pieces(block):
    """(text, marks) of a block, cut at spaces into pieces that can be worked on at once; hardly ever more than one."""
    if len(block.text) <= PIECE:
        yield block.text, block.marks
        return
    begin, waiting = 0, sorted(block.marks, key=lambda mark: -mark.start)  # the first one last
    while begin < len(block.text):
        end = len(block.text) if begin + PIECE >= len(block.text) else block.text.rfind(" ", begin, begin + PIECE)
        end = end if end > begin else begin + PIECE
        here = []
        while waiting and waiting[-1].start < end:
            here.append(waiting.pop())
        yield block.text[begin:end], [mark.within(begin, end) for mark in here if mark.end > begin]
        waiting += [mark for mark in here if mark.end > end]
        begin = end + block.text.startswith(" ", end)


def _conllu(comments, forms, starts, spaces, place, tags):
    """CoNLL-U of a sentence; its words hold no white space, and its comments no line end."""
    lines = [
        f"{word}\t{form}\t_\t_\t_\t_\t_\t_\t_\tstart_char={place + start}|end_char={place + start + len(form)}"
        f"{'' if space else '|SpaceAfter=No'}"
        for word, (form, start, space) in enumerate(zip(forms, starts, spaces, strict=True), start=1)
    ]
    if tags:
        lines = [f"{line}|Markup={names}" if names else line for line, names in zip(lines, tags, strict=True)]
    return "\n".join((*comments, *lines, "\n"))
