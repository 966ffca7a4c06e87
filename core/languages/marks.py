"""Marks that end sentences and their parts in all scripts, by Unicode's properties; quotation marks and brackets."""

import sys
from collections.abc import Iterable

import regex

_ALL = "".join(
    map(chr, (*range(0xD800), *range(0xE000, min(0x20000, sys.maxunicode))))
)  # later planes have letters alone
GREEK_QUESTION = ";\u037e"  # question marks in Greek alone; elsewhere they part clauses
IN_WORDS = "\u00b7\u0387"  # as in Catalan "col·legi"

# Sentence_Terminal (Unicode, UAX 44); the Tibetan shads, which end what is said as a full stop does; the ellipsis
STOPS = frozenset(regex.findall(r"\p{Sentence_Terminal}", _ALL)) | frozenset("…།༎༏༐༑༒")
# stops that may stand within a word, a number or an address, so that a space has to follow
WITH_SPACE = frozenset(".!?…‼⁇⁈⁉․" + GREEK_QUESTION)
FREE = STOPS - WITH_SPACE
# what parts words wherever it stands, and no other script's tokeniser knows: stops, commas, brackets without spaces
PARTING = "".join(
    sorted(
        {mark for mark in regex.findall(r"\p{Terminal_Punctuation}", _ALL) if not mark.isascii()}
        - {*IN_WORDS, *GREEK_QUESTION}
        | {*"「」『』（）《》〈〉【】〔〕"}
    )
)
# written without spaces between words
UNSPACED = regex.compile(
    r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Han}\p{Hiragana}\p{Katakana}\p{Yi}\p{Javanese}\p{Balinese}"
    r"\p{Tai_Tham}\p{New_Tai_Lue}\p{Tai_Viet}\p{Cham}]"
)


def stop_class(but: Iterable[str] = "") -> str:
    """The stops, but some, as they stand between the brackets of a regular expression."""
    return "".join(f"\\{mark}" if mark in "]^\\-" else mark for mark in sorted(STOPS.difference(but)))
