"""Marks that end sentences and clauses in all scripts, by Unicode's properties; quotation marks and brackets."""

import sys
from collections.abc import Iterable

import regex

# all characters but surrogates and those of later planes, which have only letters
_ALL = "".join(map(chr, (*range(0xD800), *range(0xE000, min(0x20000, sys.maxunicode)))))
GREEK_QUESTION = ";\u037e"  # question marks only in Greek; elsewhere they separate clauses
IN_WORDS = "\u00b7\u0387"  # as in Catalan "col·legi"

# Sentence_Terminal (Unicode, UAX 44); the Tibetan shads, which are used as full stops; the ellipsis
STOPS = frozenset(regex.findall(r"\p{Sentence_Terminal}", _ALL)) | frozenset("…།༎༏༐༑༒")
# stops that also occur within words, numbers and addresses, so that a space must follow
WITH_SPACE = frozenset(".!?…‼⁇⁈⁉․" + GREEK_QUESTION)
FREE = STOPS - WITH_SPACE
# marks that separate words everywhere, unknown to tokenisers of other scripts: stops, commas, brackets
PARTING = "".join(
    sorted(
        {mark for mark in regex.findall(r"\p{Terminal_Punctuation}", _ALL) if not mark.isascii()}
        - {*IN_WORDS, *GREEK_QUESTION}
        | {*"「」『』（）《》〈〉【】〔〕‹›"}
    )
)
# scripts without spaces between words
UNSPACED = regex.compile(
    r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Han}\p{Hiragana}\p{Katakana}\p{Yi}\p{Javanese}\p{Balinese}"
    r"\p{Tai_Tham}\p{New_Tai_Lue}\p{Tai_Viet}\p{Cham}]"
)

_PICTURES = "".join(map(chr, (*range(0xA0, 0xD800), *range(0xE000, 0x1FB00))))
_SHOWN = "".join(regex.findall(r"(?![\U0001F1E6-\U0001F1FF])\p{Emoji_Presentation}", _PICTURES))
_PICTURE = "".join(regex.findall(r"\p{Extended_Pictographic}", _PICTURES))
_TONE = "[\U0001f3fb-\U0001f3ff]"
# one emoji: a flag, a keycap, a picture with its variation, its tone of skin, its tags, and those joined to it
EMOJI = (
    rf"(?:[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|(?:[{_SHOWN}][\ufe0e\ufe0f]?|[{_PICTURE}](?:[\ufe0e\ufe0f]|(?={_TONE}|\u200d)))"
    rf"{_TONE}?(?:[\U000e0020-\U000e007e]+\U000e007f)?(?:\u200d[{_PICTURE}]\ufe0f?{_TONE}?)*+)"
)
NOTE = r"(?:(?:\[\d{1,3}\])+|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})"  # the number of a note, behind a stop


def stop_class(but: Iterable[str] = "") -> str:
    """The stops except ``but``, escaped for a character class of a regular expression."""
    return "".join(f"\\{mark}" if mark in "]^\\-" else mark for mark in sorted(STOPS.difference(but)))
