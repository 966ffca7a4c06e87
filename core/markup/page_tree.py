"""The tree of a page, which answers selectors by the numbers of the start tags that the scanner sees.

Each start tag gets its number as an attribute before BeautifulSoup, with lxml below it, builds the tree. So both mean
the same element, however the tree builder moves ends and adds elements. The tree is built when a selector looks beyond
an element that may match it, and holds text where a selector looks at that: both take most of the time.
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
from soupsieve.css_types import Selector
from soupsieve.util import lower

from core.errors import WorkbenchError, quoted
from core.markup.elements import IN_HEAD, PAGE
from core.markup.scanner import END, START, TEXT, scan_html

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
        self._soup, self._builder = _parsed(numbered, any(map(OF_TEXT.search, selectors)))
        self._elements = [(name, attributes) for sort, name, attributes in self._builder.events if sort == START]

    def numbers(self, selector: str) -> frozenset[int]:
        """The numbers of the elements that a selector chooses; ``PAGE`` for a body that no start tag began.

        Raises WorkbenchError where that takes too many steps.
        """
        most, read = STEPS + A_TAG * len(self.names), compiled(selector)
        candidates = self._candidates(read.selectors)
        if all(map(_is_plain, read.selectors)):
            tags = [
                Tag(self._soup, self._builder, name, attrs=attributes)
                for name, attributes in map(self._elements.__getitem__, candidates)
            ]
        else:
            tags = [self._tags[k] for k in candidates]
        matcher = _Bounded(read, self._soup, most)
        matcher.spend(len(self._elements) - len(candidates))
        try:
            chosen = [tag for tag in tags if matcher.match_selectors(tag, matcher.selectors)]
        except RecursionError:
            raise _unending(selector, most) from None
        return frozenset(number for tag in chosen if (number := self._number(tag)) is not None)

    def _candidates(self, selectors):
        """The indices of the elements that have the name and the attributes that a selector asks for.

        Browsers look up rules in the same way.
        """
        selector = selectors[0]
        if len(selectors) > 1 or not isinstance(selector, Selector):
            return range(len(self._elements))
        name = lower(selector.tag.name) if selector.tag and selector.tag.name else "*"
        asked = {lower(condition.attribute) for condition in selector.attributes}
        asked |= {"id"} if selector.ids else set()
        classes = selector.classes
        return [
            k for k, (own_name, attributes) in enumerate(self._elements)
            if name in ("*", own_name) and attributes.keys() >= asked
            and (not classes or all(map(attributes.get("class", "").__contains__, classes)))
        ]  # fmt: skip

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
        self._soup.decompose()

    @cached_property
    def _tags(self):
        """The elements in the tree."""
        return self._builder.build(self._soup)

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
        soup, builder = _parsed(html[:HEAD], True)
    except WorkbenchError:  # its head nests as none does
        return "", "", ""
    builder.build(soup)
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


def _is_plain(selector):
    """Whether a selector looks at the name and the attributes of an element alone."""
    return isinstance(selector, Selector) and not (
        selector.nth or selector.selectors or selector.relation or selector.contains or selector.lang or selector.flags
    )


def _parsed(html, with_text):
    """(A tree without elements yet, the builder that has read those of the HTML)."""
    builder = _Builder(with_text)
    try:
        return BeautifulSoup(html.encode("utf-8", "replace").decode("utf-8"), builder=builder), builder
    except ParserRejectedMarkup:
        raise _refusal("its parser refuses the page") from None


class _Builder(LXMLTreeBuilder):
    """Records the elements of a page, and its text where that is wanted; builds the tree of them when it is asked to.

    ``events`` holds (START, name, attributes), (END, name, None) and (TEXT, text, None).
    """

    def __init__(self, with_text):
        super().__init__(multi_valued_attributes=None)  # classes stay as they are written
        self.with_text, self.depth, self.events = with_text, 0, []

    def start(self, tag, attrib, nsmap=None):
        self.depth += 1
        if self.depth > DEEPEST:
            raise _refusal(f"its elements nest more than {DEEPEST:,} deep")
        self.events.append((START, tag, attrib))

    def end(self, tag):
        self.depth -= 1
        self.events.append((END, tag, None))

    def data(self, data):
        if self.with_text:
            self.events.append((TEXT, data, None))

    def build(self, soup):
        """Put what was recorded into the tree; returns the elements in order."""
        tags = []
        for sort, text, attributes in self.events:
            if sort == START:
                tags.append(soup.handle_starttag(text, None, None, attributes))
            elif sort == END:
                soup.handle_endtag(text)
            else:
                soup.handle_data(text)
        soup.endData()
        return tags

    def comment(self, text):
        """Leave comments out: no selector looks at them."""

    def pi(self, target, data):
        """Leave instructions out: no selector looks at them."""

    def doctype(self, name, pubid, system):
        """Leave the document type out: no selector looks at it."""


class _Bounded(CSSMatch):
    """Matches a selector in at most so many steps."""

    def __init__(self, selector, soup, most):
        super().__init__(selector.selectors, soup, selector.namespaces, selector.flags)
        self.selector, self.most, self.left = selector.pattern, most, most

    def spend(self, steps=1):
        """Count steps. Raises WorkbenchError where no more are left."""
        self.left -= steps
        if self.left < 0:
            raise _unending(self.selector, self.most)

    def match_selectors(self, el, selectors):
        self.spend()
        return super().match_selectors(el, selectors)

    def get_descendants(self, *arguments, **named):  # of which text is gathered
        for element in super().get_descendants(*arguments, **named):
            self.spend()
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
