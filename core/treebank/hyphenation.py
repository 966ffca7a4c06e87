"""Words that a printed page cut at the ends of its lines, and signs within words that nobody reads."""

import re

from core.languages.unseen import UNSPACED

HYPHENS = "-\u2010\u00ac\u2e17"  # the keyboard's, the typographer's, that of old scanning programs, Fraktur's
LETTER = r"[^\W\d_]"
# Each word is taken whole, cut or not, and nothing of it is given back, so that no letter is looked at twice.
WHOLE = rf"{LETTER}++(?:[-'’]{LETTER}++)*+"
CUT = re.compile(rf"({WHOLE})(?:[{HYPHENS}][^\S\n]*+\n[^\S\n]*+({LETTER}++))?+")
HAS_CUT = re.compile(rf"{LETTER}[{HYPHENS}][^\S\n]*+\n[^\S\n]*+{LETTER}")
RANGE = re.compile(rf"(\d)([{HYPHENS}])[^\S\n]*\n[^\S\n]*(?=\d)")
WORD = re.compile(rf"{LETTER}+(?:-{LETTER}+)*")
SOFT = re.compile("\u00ad(?:[^\\S\n]*\n[^\\S\n]*)?|(?<=\\w)[\u2060\ufeff]+(?=\\w)")  # at a line end it joins the lines
# A zero-width space is a place to break a long word, but the end of a word where words have no spaces between them.
ZERO_WIDTH = re.compile(rf"(?<=[^\W{UNSPACED}])\u200b+(?=[^\W{UNSPACED}])")
# fmt: off
AND = frozenset(["and", "or", "und", "oder", "bzw", "och", "eller", "og"])  # pre- and postwar: nothing to join
COMPOUNDED = frozenset([  # an English word that begins so has a hyphen, also within a line
    "well", "self", "half", "two", "three", "four", "five", "six", "seven", "eight", "nine", "twenty", "thirty",
    "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
])
ENDINGS = frozenset(["teen", "teenth", "less", "ness"])
# fmt: on


def join_cut_words(text: str) -> tuple[str, list[str]]:
    """Text with the words joined that line ends cut, and without soft hyphens and zero-width signs within words.

    Parameters
    ----------
    text : str
        Lines end in ``\\n``.

    Returns
    -------
    text : str
    notes : list of str
        A sentence on each of the two, with the first example, where there is one.

    Notes
    -----
    A hyphen stays where the text has the word with one elsewhere, before a capital, and in words such as
    ``well-known``. Before a conjunction nothing is joined. O(characters).
    """
    invisible = len(SOFT.findall(text)) + len(ZERO_WIDTH.findall(text))
    text = ZERO_WIDTH.sub("", SOFT.sub("", text))
    signs = f"{invisible:,} soft hyphens or zero-width signs" if invisible > 1 else "1 soft hyphen or zero-width sign"
    notes = [f"left out within words: {signs}"] if invisible else []
    text = RANGE.sub(r"\1\2", text)
    if not HAS_CUT.search(text):
        return text, notes
    known, joined = {word.lower() for word in WORD.findall(text)}, []

    def whole(cut):
        first, second = cut.groups()
        if second is None:
            return first
        if second.lower() in AND:
            return f"{first}- {second}"
        word = f"{first}-{second}" if _keeps_hyphen(first, second, known) else first + second
        joined.append(f"{first}- {second} as {word}")
        return word

    text = CUT.sub(whole, text)
    if joined:
        count = f"{len(joined):,} words cut at line ends are" if len(joined) > 1 else "1 word cut at a line end is"
        notes.insert(0, f"{count} joined (first: {joined[0]})")
    return text, notes


def _keeps_hyphen(first, second, known):
    if (first + second).lower() in known:
        return False
    if f"{first}-{second}".lower() in known:
        return True
    if second[0].isupper() and not first.isupper():
        return True
    return first.lower() in COMPOUNDED and len(second) > 3 and second not in ENDINGS
