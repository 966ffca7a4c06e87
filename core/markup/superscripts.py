"""Raised text: a figure that belongs to its word (km², 10⁶, ¹⁴C), or a footnote mark, which nobody reads aloud.

A mark is known by its link, its name and its brackets. A bare figure or letter is one behind a word; behind a number, a
unit or a variable it is none. Figures that stay become superscript characters, for ``106`` is another number.
"""

import re

MARK = r"(?:\d{1,3}|[*†‡§¶#]+|[a-z])"
FOOTNOTE = re.compile(
    rf"\[.*\]|\({MARK}\)|\d+[–-]\d+|{MARK}(?:\s?[,;]\s?{MARK})*|(?:foot)?note\s*\d+|(?:fn|n|nb)\.?\s*\d+",
    re.IGNORECASE,
)
NAMES = re.compile(r"""\b(?:class|id|role|epub:type)\s*=\s*["']?([^"'>]*+)""", re.IGNORECASE)
HINT = re.compile(r"ref|note|\bfn|cit[ae]", re.IGNORECASE)
FIGURE = re.compile(r"\d{1,3}")
POWER = re.compile(r"[23]")
UNIT = (
    r"(?:(?:da|[fpnµμmcdhkMGT])?(?:m|s|g|A|K|V|W|J|N|Pa|Hz|pc|eV)|Å|px|in|ft|yd|mi|sec|min|h|ly|lb|l|L|"
    r"inch(?:es)?|foot|feet|yards?|miles?|(?:kilo|centi|milli)?(?:met(?:er|re)s?|mètres?|metros?)|seconds?|"
    r"(?:Kilo|Zenti|Milli)?[Mm]etern?|[кдсм]?м|с|ч)"
)
BEHIND_A_UNIT = re.compile(rf"(?:\d\s?|[/·×*(²³⁻¹]\s?|(?<![^\W\d_])[kcdµμ]?)(?<![a-zA-Z]{{3}}){UNIT}\s?$")
LENGTH = re.compile(r"(?:^|[^\w])(?:[µμnmcdk]m|[кдсм]м)\s?$")  # units that are no other word, number or not
VARIABLE = re.compile(r"(?:^|[^\w'’])[A-Za-zα-ωΑ-Ω]$|[=+−×·/^]\s?[A-Za-zα-ω]{1,3}$")
FORMULA = re.compile(r"\([^()]*\w\s?[=+−×·/^]\s?\w[^()]*\)$")
NUMBER = re.compile(r"(?:^|[^\d.,])((?:\d+[.,])*\d+)$")
YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
ISOTOPE_BEFORE = re.compile(r"[^\s.!?,;:\"'”’)][\s\u00a0]$|[(\[–/-]$")
ISOTOPE_AFTER = re.compile(r"[A-Z][a-z]?(?![a-z])")
RAISED = str.maketrans("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
CAN_BE_RAISED = re.compile(r"(?=.*[\d+−–-]|[ni]$)[\d+\-−–=()ni]+")
REACH = 40  # characters before it that are looked at


def is_called_a_note(attributes: str) -> bool:
    """Whether the attributes of an element, as they are written, call it a note or a reference."""
    return any(HINT.search(names[1]) for names in NAMES.finditer(attributes))


def is_footnote_mark(text: str, before: str, is_hinted: bool = False) -> bool | None:
    """Whether raised text is a footnote mark; None where what follows tells: see ``is_mass_number``.

    Parameters
    ----------
    text : str
        Stripped.
    before : str
        What stands right before it in its block; the last ``REACH`` characters do.
    is_hinted : bool
        It is a link, or its element is called a note or a reference.
    """
    if not FOOTNOTE.fullmatch(text):
        return False
    if is_hinted or not before or not text.isalnum():
        return True
    if before[-1].isdigit():
        number = NUMBER.search(before)
        return number is None or YEAR.fullmatch(number[1]) is not None
    if _is_in_a_formula(text, before):
        return False
    return None if FIGURE.fullmatch(text) and ISOTOPE_BEFORE.search(before) else True


def _is_in_a_formula(text, before):
    """Whether raised text is a power, of a variable, a parenthesis or a unit."""
    if VARIABLE.search(before) or FORMULA.search(before):
        return True
    return bool(POWER.fullmatch(text) and (BEHIND_A_UNIT.search(before) or LENGTH.search(before)))


def is_mass_number(after: str) -> bool:
    """Whether a raised figure before ``after``, with no space between them, is that of an isotope."""
    return ISOTOPE_AFTER.match(after) is not None


def superscript(text: str, before: str) -> str:
    """Raised text that stays, in a line with what stands ``before`` it."""
    if CAN_BE_RAISED.fullmatch(text):
        return text.translate(RAISED)
    return f"^{text}" if text[:1].isdigit() and before[-1:].isdigit() else text
