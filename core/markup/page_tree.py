"""The tree of a page, which answers selectors by the numbers of the start tags that the scanner sees.

Each start tag gets its number as an attribute before BeautifulSoup, with lxml below it, builds the tree. So both mean
the same element, however the tree builder moves ends and adds elements. The tree holds no text unless a selector looks
at it, which takes two thirds of the time.
"""

import re
from functools import cached_property
from hashlib import blake2b
from itertools import chain, pairwise
from warnings import catch_warnings, simplefilter

import soupsieve
from bs4 import BeautifulSoup, Tag
from bs4.builder._lxml import LXMLTreeBuilder
from bs4.exceptions import ParserRejectedMarkup
from soupsieve.css_match import CSSMatch
from soupsieve.css_types import Selector, SelectorList
from soupsieve.util import lower

from core.errors import WorkbenchError, quoted
from core.markup.elements import IN_HEAD, PAGE
from core.markup.scanner import START, scan_html

MOST = 500_000  # elements of a page
DEEPEST = 1000  # elements within each other; some selectors look at all of them for each element
STEPS, A_TAG = 400_000, 20  # comparisons of an element with a part of a selector: at most so many, and so many a tag
OF_TEXT = re.compile(r":(?:empty|(?:-soup-)?contains|dir|placeholder)", re.IGNORECASE)  # selectors that look at text
BEFORE_BODY = IN_HEAD | {"html", "head"}
OUTERMOST = 20  # elements of a path
LABEL = 40  # characters of an element in it
WORD = re.compile(r"[\w-]+")
HEAD = 4000  # characters of a page's HTML in which it says what it is


class PageTree:
    """The elements of a page's HTML.

    Attributes
    ----------
    names : list of str
        The name of each start tag, by its number.
    places : list of (int, int)
        Where each start tag begins in the HTML, and where its name ends.
    tokens : list
        The tags and the text of the page, as ``scan_html`` yields them.

    Raises WorkbenchError for a page that the tree parser refuses, where elements nest more than 1,000 deep, and for
    more than 500,000 elements, which would take a gigabyte.

    Notes
    -----
    O(characters).
    """

    def __init__(self, html: str, selectors: tuple[str, ...] = ()):
        self.places: list[tuple[int, int]] = []
        self.tokens = list(scan_html(html, places=self.places))
        self.names = [name for sort, name, _ in self.tokens if sort == START]
        if len(self.names) > MOST:
            raise _refusal(f"it has {len(self.names):,} elements, and {MOST:,} are allowed")
        data = html.encode("utf-8", "replace")  # what is half a character would be refused
        self.attribute = f"n{blake2b(data, digest_size=16).hexdigest()}"  # a name that no page can have written
        ends = [0, *(end for _, end in self.places), len(html)]
        pieces = [html[begin:end] for begin, end in pairwise(ends)]
        self._begin_body(html, pieces)
        numbers = (f' {self.attribute}="{number}"' for number in range(len(self.places)))
        numbered = "".join(chain.from_iterable(zip(pieces, chain(numbers, [""]), strict=True)))
        self.soup, self._tags = _soup(numbered, any(map(OF_TEXT.search, selectors)))

    def numbers(self, selector: str) -> frozenset[int]:
        """The numbers of the elements that a selector chooses; ``PAGE`` for a body that no start tag began.

        Raises WorkbenchError where that takes too many steps.
        """
        most = STEPS + A_TAG * len(self.names)
        matcher = _Bounded(compiled(selector), self.soup, most)
        candidates = self._candidates(matcher.selectors)
        matcher.left -= len(self._tags) - len(candidates)  # a step for each of the others
        try:
            chosen = [tag for tag in candidates if matcher.match_selectors(tag, matcher.selectors)]
        except RecursionError:
            raise _unending(selector, most) from None
        return frozenset(number for tag in chosen if (number := self._number(tag)) is not None)

    def _candidates(self, selectors: SelectorList) -> list[Tag]:
        """The elements that have the name and the attributes that a selector asks for; others cannot match.

        Browsers look up rules by their last part in the same way.
        """
        selector = selectors[0]
        if len(selectors) > 1 or not isinstance(selector, Selector):
            return self._tags
        name = lower(selector.tag.name) if selector.tag and selector.tag.name else "*"
        tags = self._tags if name == "*" else [tag for tag in self._tags if tag.name == name]
        attributes = {lower(condition.attribute) for condition in selector.attributes}
        attributes |= {"id"} if selector.ids else set()
        attributes |= {"class"} if selector.classes else set()
        return [tag for tag in tags if tag.attrs.keys() >= attributes] if attributes else tags

    def path(self, number: int) -> str:
        """The element of a start tag as the innermost 20 of those around it: ``body > div#main > p.intro > a``."""
        tag, labels = self._numbered.get(number), []
        while tag is not None and tag.parent is not None and len(labels) < OUTERMOST:
            labels.append(_label(tag))
            tag = tag.parent
        labels += ["…"] if tag is not None and tag.parent is not None else []
        return " > ".join(reversed(labels)) or self.names[number]

    def _begin_body(self, html, pieces):
        """Begin the body before its first element, where no tag does: else lxml leaves a nav or main in the head."""
        first = next((number for number, name in enumerate(self.names) if name not in BEFORE_BODY), None)
        if first is not None and self.names[first] not in ("body", "frameset"):
            begin, end = self.places[first]
            pieces[first] = f"{pieces[first][: begin - end]}<body>{html[begin:end]}"

    def close(self) -> None:
        """Give the elements back at once: they hold each other, and would wait for the garbage collector."""
        self.soup.decompose()
        self._tags.clear()

    @cached_property
    def _numbered(self):
        return {self._number(tag): tag for tag in self._tags}

    def _number(self, tag):
        number = tag.attrs.get(self.attribute)
        return int(number) if number is not None else PAGE if tag.name in ("html", "body") else None


def compiled(selector: str, name: str = "") -> soupsieve.SoupSieve:
    """A selector, read. Raises WorkbenchError, with the ``name`` of its field, for what is none."""
    try:
        with catch_warnings():
            simplefilter("ignore", FutureWarning)  # selectors by their former names still work
            return soupsieve.compile(selector)
    except RecursionError:
        why = "it nests too deeply"
    except (soupsieve.SelectorSyntaxError, NotImplementedError, ValueError) as error:
        why = str(error).splitlines()[0].rstrip(".")
    where = f" of {name}" if name else ""
    raise WorkbenchError(f"{quoted(selector)!r}{where} is no CSS selector: {why}; .comments and div.note are some")


def stated(html: str) -> tuple[str, str, str]:
    """(title, language, address) as the head of a page states them, each "" where it does not."""
    try:
        soup, _ = _soup(html[:HEAD], True)
    except WorkbenchError:  # its head nests as none does
        return "", "", ""
    title, root = soup.title, soup.html
    language = root and (root.get("lang") or root.get("xml:lang"))
    meta = soup.select_one('meta[http-equiv="content-language" i][content]')
    language = WORD.match(str(language or (meta and meta["content"]) or ""))
    address = soup.select_one('link[rel~=canonical i][href], meta[property="og:url"][content], base[href]')
    return (
        " ".join(title.get_text().split()) if title else "",
        language[0] if language else "",
        str(address.get("href") or address.get("content")) if address else "",
    )


def _soup(html, with_text):
    """(The tree of HTML, its elements in order)."""
    builder = _Builder(with_text)
    try:
        return BeautifulSoup(html.encode("utf-8", "replace").decode("utf-8"), builder=builder), builder.tags
    except ParserRejectedMarkup:
        raise _refusal("its parser refuses the page") from None


class _Builder(LXMLTreeBuilder):
    """Builds a tree of elements alone, or with text."""

    def __init__(self, with_text):
        super().__init__(multi_valued_attributes=None)  # classes stay as they are written
        self.with_text, self.tags = with_text, []

    def start(self, tag, attrib, nsmap=None):
        if self.soup is not None:
            if len(self.soup.tagStack) > DEEPEST:
                raise _refusal(f"its elements nest more than {DEEPEST:,} deep")
            self.tags.append(self.soup.handle_starttag(str(tag), None, None, self.attribute_dict_class(attrib)))

    def end(self, tag):
        if self.soup is not None:
            self.soup.endData()
            self.soup.handle_endtag(str(tag))

    def data(self, data):
        if self.with_text:
            super().data(data)

    def comment(self, *_):
        """Leave it out: no selector looks at it."""

    pi = doctype = comment  # instructions and document types are left out too


class _Bounded(CSSMatch):
    """Matches a selector in at most so many steps."""

    def __init__(self, selector, soup, most):
        super().__init__(selector.selectors, soup, selector.namespaces, selector.flags)
        self.selector, self.most, self.left = selector.pattern, most, most

    def match_selectors(self, el, selectors):
        self.left -= 1
        if self.left < 0:
            raise _unending(self.selector, self.most)
        return super().match_selectors(el, selectors)

    def get_descendants(self, *arguments, **named):  # of which text is gathered
        for element in super().get_descendants(*arguments, **named):
            self.left -= 1
            if self.left < 0:
                raise _unending(self.selector, self.most)
            yield element


def _refusal(why):
    return WorkbenchError(f"its tree cannot be built: {why}; read it without selectors, or leave it out")


def _unending(selector, most):
    return WorkbenchError(
        f"the selector {quoted(selector)!r} takes too long on it, more than {most:,} steps; name a class, an id or an "
        "element instead of what is around or within it"
    )


def _label(tag):
    """An element in a path: its name, with its id or its first class."""
    label, classes = tag.name, tag.get("class", "").split()
    if tag.get("id"):
        label += f"#{tag['id']}"
    elif classes:
        label += f".{classes[0]}"
    return label if len(label) <= LABEL else label[: LABEL - 1] + "…"
