"""The guide as it stands in ``assets/guide``: chapters, sections, their pictures, code and links; search in them."""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from core.errors import WorkbenchError
from core.files.assets import ASSETS

FOLDER = ASSETS / "guide"
CHAPTERS = (
    "first-hour", "installation", "languages", "pages", "notation", "methods", "files", "commands", "python", "server",
    "trouble", "glossary", "changes",
)  # fmt: skip
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<=\]\()(?:(?:([\w-]+)\.md)?(?:#([\w-]+))?|\.\./\.\./pages/(\w+)\.py)(?=\))")
TITLE, CHAPTER, TOGETHER = 6, 3, 2  # score of a word in a section's title, in its chapter's title, in the passage
LONGEST = 320  # characters of a passage shown


@dataclass(frozen=True)
class Section:
    """A section: its title, and its Markdown below the title."""

    title: str
    text: str

    @property
    def slug(self) -> str:
        """Its name in a link, as GitHub makes it: ``Where the words stand`` is ``where-the-words-stand``."""
        return re.sub(r"[^\w -]", "", self.title.lower()).replace(" ", "-")


@dataclass(frozen=True)
class Chapter:
    """A chapter: the name of its file, its title, the Markdown before its first section, its sections."""

    name: str
    title: str
    opening: str
    sections: tuple[Section, ...]

    def section(self, title: str) -> Section | None:
        """The section of that title, None if there is none."""
        return next((section for section in self.sections if section.title == title), None)


@dataclass(frozen=True)
class GuidePicture:
    """A picture that stands alone between paragraphs: its PNG file, and what it shows."""

    path: Path
    shows: str

    def address(self, theme: str = "light") -> str:
        """The picture itself as a ``data:`` address, that for the dark theme where there is one."""
        dark = self.path.parent / "dark" / self.path.name
        return _data(dark if theme == "dark" and dark.exists() else self.path)


@dataclass(frozen=True)
class Code:
    """A fenced block: its language, "" where none is named, and its lines."""

    language: str
    text: str


@dataclass(frozen=True)
class Hit:
    """A section that has every word looked for; ``passage`` is the part of it with most of them, ``marks`` where."""

    chapter: Chapter
    section: Section
    passage: str
    marks: tuple[tuple[int, int], ...]


@cache
def _data(path):
    return f"data:image/png;base64,{b64encode(path.read_bytes()).decode()}"


@cache
def guide() -> tuple[Chapter, ...]:
    """All chapters in their order. Raises WorkbenchError where one is missing. Read once."""
    return tuple(_chapter(name) for name in CHAPTERS)


def pieces(text: str) -> Iterator[str | GuidePicture | Code]:
    """A section's Markdown as it is drawn: stretches of text, with pictures and blocks of code between them."""
    lines = text.split("\n")
    begin = 0
    for token in _tokens(text):
        first, end = token.map or (0, 0)
        picture = PICTURE.fullmatch(token.content) if token.type == "inline" and token.level == 1 else None
        if picture is None and token.type != "fence":
            continue
        yield from _prose(lines[begin:first])
        yield GuidePicture(FOLDER / picture.group(2), picture.group(1)) if picture else Code(token.info, token.content)
        begin = end
    yield from _prose(lines[begin:])


def _prose(lines):
    text = "\n".join(lines).strip()
    if text:
        yield _linked(text)


def address(chapter: Chapter, section: Section | None = None) -> str:
    """The address of a chapter or section, seen from any page."""
    return "guide?" + urlencode({"chapter": chapter.title} | ({"section": section.title} if section else {}))


def find(words: str, most: int = 12) -> list[Hit]:
    """The sections that have every word, as the beginning of one of theirs, in any case.

    Returns
    -------
    list of Hit
        At most ``most``. A word counts most in the section's title, then in its chapter's, then beside the others in
        one paragraph, row or line of code. Of sections that are equal in this, the one that has the words more often
        comes first, then the earlier one.

    Notes
    -----
    Reads the whole guide: a few milliseconds for each word.
    """
    wanted = [re.compile(r"(?<!\w)" + re.escape(word), re.IGNORECASE) for word in dict.fromkeys(words.split())]
    hits = []
    for chapter in guide() if wanted else ():
        for section in (Section(chapter.title, chapter.opening), *chapter.sections):
            heading, passages = f"{chapter.title} {section.title}", _passages(section.text)
            whole = "\n".join([heading, *passages])
            if not all(word.search(whole) for word in wanted):
                continue
            best = max(passages, key=lambda passage: _together(wanted, passage), default="")
            titled = TITLE * _together(wanted, section.title) + CHAPTER * _together(wanted, chapter.title)
            often = sum(len(word.findall(whole)) for word in wanted)
            score = titled + TOGETHER * _together(wanted, best), often
            hits.append((score, _hit(chapter, section, best, wanted)))
    hits.sort(key=lambda hit: hit[0], reverse=True)
    return [hit for _, hit in hits[:most]]


def _chapter(name):
    path = FOLDER / f"{name}.md"
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        raise WorkbenchError(f"{path} is missing; install the workbench again, assets included") from None
    tokens = _tokens("\n".join(lines))
    heads = [
        (token.tag, *token.map, inside.content)
        for token, inside in pairwise(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2")
    ]
    ends = [begin for _, begin, _, _ in heads[1:]] + [len(lines)]
    parts = [
        Section(title, "\n".join(lines[first:end]).strip())
        for (_, _, first, title), end in zip(heads, ends, strict=True)
    ]
    return Chapter(name, parts[0].title, parts[0].text, tuple(parts[1:]))


def _tokens(text) -> list[Any]:
    from markdown_it import MarkdownIt  # only where the guide is read

    return MarkdownIt("commonmark").enable("table").parse(text)


def _linked(prose):
    """Links between files of the guide as addresses of the app; those to scripts of pages as addresses of pages."""

    def lead(match):
        name, slug, page = match.groups()
        if page:
            return page
        chapter = next((chapter for chapter in guide() if chapter.name == name), None)
        if chapter is None:
            return match.group()
        return address(chapter, next((section for section in chapter.sections if section.slug == slug), None))

    return LINK.sub(lead, prose)


@cache
def _passages(text):
    """The paragraphs, rows of tables and lines of code in Markdown, as plain text."""
    passages: list[str] = []
    row: list[str] = []
    in_row = False
    for token in _tokens(PICTURE.sub("", text)):
        if token.type in ("tr_open", "tr_close"):
            in_row = token.type == "tr_open"
            passages += [] if in_row else [" · ".join(row)]
            row = []
        elif token.type == "inline":
            plain = "".join(" " if part.type == "softbreak" else part.content for part in token.children)
            (row if in_row else passages).append(plain)
        elif token.type in ("fence", "code_block"):
            passages += token.content.split("\n")
    return [passage for passage in passages if passage.strip()]


def _together(wanted, passage):
    """The number of the words that a passage has."""
    return sum(bool(word.search(passage)) for word in wanted)


def _hit(chapter, section, passage, wanted):
    first = min((match.start() for word in wanted if (match := word.search(passage))), default=0)
    begin = 0 if first < LONGEST // 2 else passage.rfind(" ", 0, first - LONGEST // 4) + 1
    shown = ("… " if begin else "") + passage[begin : begin + LONGEST]
    shown += " …" if begin + LONGEST < len(passage) else ""
    marks = []  # in order, those that overlap made one
    for start, end in sorted(match.span() for word in wanted for match in word.finditer(shown)):
        if marks and start <= marks[-1][1]:
            marks[-1] = marks[-1][0], max(end, marks[-1][1])
        else:
            marks.append((start, end))
    return Hit(chapter, section, shown, tuple(marks))
