"""Signs that word processors put in place of those on the keys: quotation marks, dashes and arrows in notations.

Signs that nobody sees come along with what is copied: marks of writing direction, zero-width spaces, byte-order marks.
"""

import re

DASHES = "\u2010-\u2015\u2212"
STRAIGHT, MARKS, ANGLES = r'"(?:[^"\\]|\\.)*"', "“”„‟", "«»"
QUOTED = rf"([{MARKS}])((?:[^\"{MARKS}\\]|\\.)*)[{MARKS}]|([{ANGLES}])\s?((?:[^\"{ANGLES}\\]|\\.)*?)\s?[{ANGLES}]"
UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")
IN_LINE = re.compile(rf"{STRAIGHT}|{QUOTED}|{UNSEEN.pattern}")
IN_REQUEST = re.compile(rf"{STRAIGHT}|/(?:[^/\\\n]|\\.)+/|%[^\n]*|{QUOTED}|{UNSEEN.pattern}")
STRINGS = re.compile(rf"({STRAIGHT}|/(?:[^/\\\n]|\\.)+/|%[^\n]*)")
SIGNS = ((re.compile(rf"[{DASHES}]+(?=[>\[])|(?<=\])[{DASHES}]+"), "-"), (re.compile("→"), "->"))


def straight_quotes(text: str) -> str:
    """A line whose pairs of typographic quotation marks are straight ones, but for those within straight ones.

    It stays as long as it is, but for blanks within « » and signs that nobody sees, which are left out between quotes.
    """
    return text if text.isascii() else IN_LINE.sub(_straight, text)


def plain_signs(text: str) -> str:
    """A search's request with straight quotation marks and plain arrows, but within quotes, patterns and comments."""
    if text.isascii():
        return text
    parts = STRINGS.split(IN_REQUEST.sub(_straight, text))
    for pattern, plain in SIGNS:
        parts[::2] = [pattern.sub(plain, part) for part in parts[::2]]
    return "".join(parts)


def _straight(match):
    if match[1]:
        return f'"{match[2]}"'
    if match[3]:
        return f'"{match[4]}"'
    return "" if UNSEEN.fullmatch(match[0]) else match[0]
