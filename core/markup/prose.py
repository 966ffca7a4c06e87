"""Is this block prose? By what it says and how it is marked, whatever element holds it."""

import re

from core.languages.marks import FREE, WITH_SPACE, stop_class

SENTENCE_END = re.compile(rf"""[{stop_class(FREE)}]["')\]]*+(?:\s|$)|[{stop_class(WITH_SPACE)}]|[:;]["')\]]*+$""")
SEPARATORS = re.compile(r"\s[|·•»›→/>]\s|\s::\s")
NOTICE = re.compile(r"^\W*copyright\b|(?:©|\(c\))\s*(?:copyright\s*)?\d{4}|all rights reserved", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]")
LEAST_WORDS = 10  # below this a text without the end of a sentence is a title, a label, a caption
LONG_WORD = 12  # characters; scripts without spaces have no shorter "words"
LINK_SHARE = 0.5
SEVERAL = 3


def judge(text: str, links: int, code: int, boilerplate: bool = False) -> str | None:
    """Why a block's text is no prose, or None if it is; ``links`` and ``code`` count its characters in them.

    - "no words": not one letter;
    - "code": more than half of it is code;
    - "links": links make up half of it or more, and no sentence ends in it;
    - "navigation": three or more separators such as ``|`` between its parts;
    - "notice": copyright;
    - "fragment": fewer than ten words, and no sentence ends in it.

    With ``boilerplate`` only the first two count.
    """
    if not WORD.search(text):
        return "no words"
    if code > 0.5 * len(text):
        return "code"
    if boilerplate:
        return None
    ends = SENTENCE_END.search(text)
    if not ends and links >= LINK_SHARE * len(text):
        return "links"
    if len(SEPARATORS.findall(text)) >= SEVERAL and (not ends or links >= LINK_SHARE * len(text)):
        return "navigation"
    if len(text) < 200 and NOTICE.search(text):
        return "notice"
    if not ends and max(text.count(" ") + 1, len(text) // LONG_WORD) < LEAST_WORDS:
        return "fragment"
    return None
