"""HTML text into tags and text, in one pass and in linear time whatever the text.

No tree is built: mark-up that crosses (``<b>one <u>two</b> three</u>``) arrives as its author wrote it, where tree
builders move its end; and nothing recurs, however deep a page nests. What the HTML standard (WHATWG, section 13.2.5)
says of comments, quotes in tags, scripts and entities is kept to. Only the text after a tag that never ends is not
lost with it. Nothing is run, loaded or looked up.
"""

import html
import re
from collections.abc import Iterator

TEXT, START, END = range(3)

# A quote counts only after an equals sign; one that never closes counts as a letter. No part can give back what it
# has taken, so that a failure costs one look at each character.
TAG = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)*+)>""")
BARE_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)([^>]*+)>")
OPENING = re.compile(r"<(?=[A-Za-z/!?])")
ATTRIBUTE = re.compile(r"""([^\s=>"'/]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?+""")
RAW = ("script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title")
RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}
LONG_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")  # beyond Unicode; Python refuses very long ones


def scan_html(text: str) -> Iterator[tuple]:
    """Yield (TEXT, text, ""), (START, name, attributes) and (END, name, "") in the order of the page.

    Names are in lower case; attributes are the text between name and ``>`` (see ``attributes``); entities in text are
    resolved. Comments, declarations and instructions are left out. The content of ``RAW`` elements is one text token
    and is not looked into; unclosed, it runs to the end of the page, as an unclosed comment does.
    """
    written, place, last, tag = 0, 0, text.rfind(">"), TAG  # text up to ``written`` has been told
    while found := OPENING.search(text, place, last):
        opening = found.start()
        match = tag.match(text, opening)
        if match is None and tag is TAG and text[opening + 1 : opening + 3].lstrip("/")[:1].isalpha():
            tag = BARE_TAG  # a quote swallows the rest of the page: from here on quotes do not count
            match = tag.match(text, opening)
        place = match.end() if match else _other(text, opening)
        if place == opening:
            place += 1  # the character, and no more
            continue
        if opening > written:
            yield TEXT, unescape(text[written:opening]), ""
        written = place
        if match is None:
            continue
        name = match[2].lower()
        if match[1]:
            yield END, name, ""
            continue
        yield START, name, match[3]
        if name in RAW_END:
            closing = RAW_END[name].search(text, place)
            written = closing.start() if closing else len(text)
            if written > place:
                yield TEXT, text[place:written], ""
            place = written
        elif name == "plaintext":
            yield TEXT, text[place:], ""
            return
    if written < len(text):
        yield TEXT, unescape(text[written:]), ""


def _other(text, opening):
    """Where what begins with ``<`` and is no tag ends; ``opening`` itself if it is only a character."""
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
    found = {}
    for match in ATTRIBUTE.finditer(text):
        found.setdefault(match[1].lower(), unescape(match[2] or match[3] or match[4] or ""))
    return found


def unescape(text: str) -> str:
    """Text with its entities resolved."""
    return html.unescape(LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text
