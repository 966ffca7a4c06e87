"""HTML text into tags and text, in one pass and in linear time whatever the text.

No tree is built here: mark-up that crosses (``<b>one <u>two</b> three</u>``) arrives as its author wrote it, where tree
builders move its end; and nothing recurs, however deep a page nests. What the HTML standard (WHATWG, section 13.2.5)
says of comments, quotes in tags, scripts and entities is kept to. Only the text after a tag that never ends is not
lost with it. Nothing is run, loaded or looked up.

Trees answer selectors (``page_tree``), by the numbers of the start tags that are seen here. Conforming tree builders
were measured in place of this scanner too. Lexbor and html5lib cut ``<u>`` in two above, as if its author had
underlined twice, and lxml loses its end. Lexbor and lxml read 2.1 and 1.3 times as many pages a second as this does,
but scanning is a fifteenth of an extraction; html5lib reads a twenty-fifth.
"""

import re
from collections.abc import Collection, Iterator

from core.files.entities import unescape
from core.markup.elements import FOREIGN, VOID

TEXT, START, END = range(3)

# A quote counts only after an equals sign; one that never closes counts as a letter. No part can give back what it
# has taken, so that a failure costs one look at each character.
TAG = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)*+)>""")
BARE_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)([^>]*+)>")
OPENING = re.compile(r"<(?=[A-Za-z/!?])")
ATTRIBUTE = re.compile(r"""([^\s=>"'/]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?+""")
RAW = ("script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title")
RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}
SELF_CLOSED = re.compile(r"""(?:^|[\s"'])[^\s"'=]*/\Z""")  # else the slash is an unquoted value's
XHTML = re.compile(
    r"\s*<\?xml\b|\s*<!doctype[^>]{,300}\bXHTML\b|.{,1000}?<html\b[^>]{,300}\bxmlns\s*=", re.IGNORECASE | re.DOTALL
)
CDATA, CDATA_END = "<![CDATA[", "]]>"


def scan_html(
    text: str, raw: Collection[str] = RAW, places: list[tuple[int, int]] | None = None
) -> Iterator[tuple]:  # fmt: skip
    """Yield (TEXT, text, ""), (START, name, attributes) and (END, name, "") in the order of the page.

    Names are in lower case; attributes are the text between name and ``>`` (see ``attributes``); entities in text are
    resolved. Comments, declarations and instructions are left out. The content of ``raw`` elements is one text token
    and is not looked into; unclosed, it runs to the end of the page, as an unclosed comment does. An unclosed title
    ends at the next tag. Where a slash closes an element, in XHTML, pictures and formulas, its end follows at once.
    ``places`` gains, for each start tag, where it begins and where its name ends.
    """
    written, position, last, tag = 0, 0, text.rfind(">"), TAG  # text up to ``written`` has been yielded
    closes, foreign, unclosed = XHTML.match(text) is not None, None, set()
    while angle_bracket := OPENING.search(text, position, last):
        opening = angle_bracket.start()
        match = tag.match(text, opening)
        if match is None and tag is TAG and text[opening + 1 : opening + 3].lstrip("/")[:1].isalpha():
            tag = BARE_TAG  # a quote swallows the rest of the page: from here on quotes do not count
            match = tag.match(text, opening)
        position = match.end() if match else _other(text, opening, closes)
        if position == opening:
            position += 1  # the character, and no more
            continue
        if opening > written:
            yield TEXT, unescape(text[written:opening]), ""
        written = position
        if match is None:
            if closes and text.startswith(CDATA, opening):
                yield TEXT, text[opening + len(CDATA) : position].removesuffix(CDATA_END), ""
            continue
        name, inside = match[2].lower(), match[3]
        if match[1]:
            yield END, name, ""
            foreign = None if name == foreign else foreign
            continue
        if places is not None:
            places.append((opening, match.end(2)))
        yield START, name, inside
        is_raw, is_closed = name in raw, inside.endswith("/") and SELF_CLOSED.search(inside) is not None
        if is_closed and name not in VOID and (closes or foreign or name in FOREIGN):
            yield END, name, ""
        elif name in FOREIGN:
            foreign = foreign or name
        elif is_raw:
            closing = None if name in unclosed else RAW_END[name].search(text, position)
            is_short = closing is None and (is_closed or name == "title")
            if closing is None:
                unclosed.add(name)
                closing = OPENING.search(text, position) if is_short and not is_closed else None
            written = position if is_short and is_closed else closing.start() if closing else len(text)
            if written > position:
                yield TEXT, text[position:written], ""
            position = written
            if is_short:
                yield END, name, ""
        elif name == "plaintext":
            yield TEXT, text[position:], ""
            return
    if written < len(text):
        yield TEXT, unescape(text[written:]), ""


def _other(text, opening, is_xhtml):
    """Where what begins with ``<`` and is no tag ends; ``opening`` itself if it is only a character."""
    if is_xhtml and text.startswith(CDATA, opening):
        closing = text.find(CDATA_END, opening)
        return closing + len(CDATA_END) if closing >= 0 else len(text)
    if text.startswith("<!--", opening):
        if text.startswith((">", "->"), opening + 4):
            return text.index(">", opening) + 1
        closing = text.find("-->", opening + 4)
        return closing + 3 if closing >= 0 else len(text)
    if text[opening + 1 : opening + 2] in ("!", "?", "/"):  # a declaration, an instruction, an end tag of nothing
        closing = text.find(">", opening)
        return closing + 1 if closing >= 0 else len(text)
    return opening


def attributes(text: str) -> dict[str, str]:
    """Attributes of a start tag: dict from lower-case name to value, ``""`` if there is none; the first counts."""
    values = {}
    for match in ATTRIBUTE.finditer(text):
        values.setdefault(match[1].lower(), unescape(match[2] or match[3] or match[4] or ""))
    return values
