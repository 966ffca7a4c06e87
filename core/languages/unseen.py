"""Signs that nobody sees: marks of writing direction, zero-width spaces, joiners that join nothing.

They are no part of a word. A text is cut without them, and MISC keeps them, as UDPipe writes it: ``SpacesAfter`` and
``SpacesBefore`` what stands beside a word, ``SpacesInToken`` a word as it was written. Joiners stay where a script
spells with them: between letters, and a joiner behind an Arabic letter, a combining mark or an emoji.
"""

import re

import regex

from core.languages.words import TokenizedText

SIGNS = "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
NON_JOINER, JOINER = "\u200c", "\u200d"
HAS_SIGN = re.compile(f"[{SIGNS}{NON_JOINER}{JOINER}]")
LOOSE = regex.compile(
    rf"(?<![\w\p{{M}}]){NON_JOINER}|{NON_JOINER}(?![\w\p{{M}}])|(?<![\w\p{{M}}\p{{So}}\p{{Sk}}]){JOINER}|"
    rf"(?<=[^\W\p{{M}}\u0600-\u08ff]){JOINER}(?![\w\p{{M}}])"
)
MARK = "\u200b"  # in place of a joiner that joins nothing, while runs of signs are sought
RUN = re.compile(rf" ?+[{SIGNS}][ {SIGNS}]*+")
UNSPACED = "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\ua9e0-\uaa7f"
BETWEEN_WORDS = re.compile(rf"(?<=[{UNSPACED}])\u200b+(?=[{UNSPACED}])")  # where words have no spaces between them
ESCAPES = str.maketrans({" ": r"\s", "|": r"\p", "\\": r"\\"})


def take_out(text: str) -> tuple[str, list[tuple[int, str]]]:
    """(single-spaced text without the signs, where they stood in it and what stood there, its spaces too).

    A zero-width space in a script without spaces becomes a space, which is none. O(characters).
    """
    if not HAS_SIGN.search(text):
        return text, []
    plain, found = LOOSE.sub(MARK, text), []
    pieces, length, done = [], 0, 0
    for run in RUN.finditer(plain):
        begin, end = run.span()
        pieces.append(plain[done:begin])
        length += begin - done
        found.append((length, text[begin:end]))
        is_edge = not length or end == len(plain)
        if not is_edge and (" " in run[0] or BETWEEN_WORDS.match(plain, begin)):
            pieces.append(" ")
            length += 1
        done = end
    return "".join([*pieces, plain[done:]]), found


def left_out(text: str) -> str:
    """A text without the signs; its white space and the zero-width spaces between words stay. O(characters)."""
    if not HAS_SIGN.search(text):
        return text
    plain = LOOSE.sub("\u200e", text)
    return re.sub(f"(?!{BETWEEN_WORDS.pattern})[{SIGNS}]", "", plain)


def misc_entries(words: TokenizedText, found: list[tuple[int, str]]) -> tuple[dict[int, list[str]], set[int]]:
    """(word -> its entries of MISC, the words whose space behind is none) for signs that ``take_out`` found.

    Words are numbered from 0. O(words), where there is a sign.
    """
    entries, tight, word = {}, set(), 0
    inside: dict[int, list[tuple[int, str]]] = {}
    for place, signs in found:
        while word < len(words.forms) and words.starts[word] + len(words.forms[word]) < place:
            word += 1
        if word == len(words.forms):
            break
        offset = place - words.starts[word]
        if offset == len(words.forms[word]):
            entries.setdefault(word, []).append(f"SpacesAfter={signs.translate(ESCAPES)}")
            tight |= {word} if " " not in signs else set()
        elif offset <= 0:
            entries.setdefault(word, []).append(f"SpacesBefore={signs.translate(ESCAPES)}")
        else:
            inside.setdefault(word, []).append((offset, signs))
    for word, signs in inside.items():
        written, done = "", 0
        for offset, sign in signs:
            written += words.forms[word][done:offset].translate(ESCAPES) + sign
            done = offset
        rest = words.forms[word][done:].translate(ESCAPES)
        entries.setdefault(word, []).append(f"SpacesInToken={written}{rest}")
    return entries, tight
