"""Odd characters of the web made plain.

- Typographic quotation marks become ``"`` and ``'`` (optional), the ellipsis three dots, ligatures their letters.
- Spaces of every width become a space; accents join their letters (NFC).
- Soft hyphens, zero-width spaces, marks of writing direction and control characters go. The joiners that Persian and
  the Indic scripts spell with stay.
"""

import re

from core.languages.normal_form import composed

QUOTES = {**dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‘’‚‛′ʼ‹›", "'")}
LETTERS = {"…": "...", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
KEPT_FORMATS = "\u200c\u200d"  # zero-width non-joiner and joiner
INVISIBLE = [
    chr(code)
    for code in (*range(0x20), *range(0x7F, 0xA0), 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F),
                 *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
    if chr(code) not in KEPT_FORMATS and not chr(code).isspace()
]  # fmt: skip
PLAIN = {**LETTERS, **dict.fromkeys(INVISIBLE, ""), **QUOTES}
ODD = re.compile(f"[{re.escape(''.join(PLAIN))}]")
ODD_BUT_QUOTES = re.compile(f"[{re.escape(''.join(PLAIN.keys() - QUOTES.keys()))}]")

UNSEEN = frozenset([*INVISIBLE, *KEPT_FORMATS])  # what nobody sees, joiners too
LOOSE_JOINER = re.compile(rf"[{KEPT_FORMATS}]+(?=\s)|(?<=\s)[{KEPT_FORMATS}]+")  # it joins nothing


def without_edges(text: str) -> str:
    """Text without the signs at its ends that nobody sees, but where it is nothing else.

    Joiners stay where no space is beside them.
    """
    if text[0] not in UNSEEN and text[-1] not in UNSEEN:
        return text
    return LOOSE_JOINER.sub("", text).strip("".join(INVISIBLE)) or text


def normalised(text: str, straight_quotes: bool = True) -> str:
    """Text with odd characters made plain and its white space single, none at its ends."""
    text = " ".join(text.split())
    if text.isascii() and text.isprintable():
        return text
    text = LOOSE_JOINER.sub("", text)
    plain = (ODD if straight_quotes else ODD_BUT_QUOTES).sub(lambda odd: PLAIN[odd[0]], text)
    if plain is not text:
        text = " ".join(plain.split())
    return composed(text)
