"""Quotation marks and parentheses as brackets: what their writer put between them (spitkovsky2010, section 9).

The bracket holds the words inside, not the marks. Pairs nest; a mark without its partner in the sentence says nothing.
A straight quotation mark opens where a space or an opening mark stands before it and no space behind it, else closes.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate

from core.errors import WorkbenchError
from core.markup.cleanup import is_word
from core.trees.brackets import Bracket

QUOTE, PAREN = "quote", "paren"
SOURCES = (QUOTE, PAREN)
OPENING = {
    **{opening: (PAREN, closing) for opening, closing in zip("([{", ")]}", strict=True)},
    **{opening: (QUOTE, closing) for opening, closing in zip("“„«‹「", "”“»›」", strict=True)},
    **{"-LRB-": (PAREN, "-RRB-"), "-LSB-": (PAREN, "-RSB-"), "``": (QUOTE, "''")},
}


def punctuation_brackets(
    forms: Sequence[str], spaces: Sequence[bool] | None = None, sources: Collection[str] = SOURCES
) -> list[Bracket]:
    """Brackets between quotation marks and between parentheses.

    Parameters
    ----------
    forms : sequence of str
        The words of a sentence, 1..n.
    spaces : sequence of bool, optional
        Whether a space follows each word. Without them straight quotation marks open and close by turns.
    sources : collection of {"quote", "paren"}

    Returns
    -------
    list of Bracket
        With these tags, by place; none that holds no letter or digit, and none that leaves none outside.

    Raises
    ------
    WorkbenchError : another source.
    """
    for source in sources:
        if source not in SOURCES:
            raise WorkbenchError(f"there are no brackets from {source!r}; choose among {', '.join(SOURCES)}")
    stack, brackets, awaited = [], [], Counter()
    words = [0, *accumulate(map(is_word, forms))]  # before each form that hold a letter
    for number, form in enumerate(forms, start=1):
        if form == '"':
            closes = awaited['"'] > 0 and not _opens(forms, spaces, number)
            opens = not closes
        else:
            closes, opens = awaited[form] > 0, form in OPENING
        if closes:
            while True:
                source, closing, start = stack.pop()
                awaited[closing] -= 1
                if closing == form:
                    break
            inside = words[number - 1] - words[start]
            if source in sources and 0 < inside < words[-1]:
                brackets.append(Bracket(start + 1, number, source))
        elif opens:
            source, closing = OPENING.get(form, (QUOTE, '"'))
            stack.append((source, closing, number))
            awaited[closing] += 1
    return sorted(brackets, key=lambda bracket: (bracket.start, -bracket.end))


def _opens(forms, spaces, number):
    """Whether a straight quotation mark opens although one is open: space before, none behind."""
    if spaces is None:
        return False
    before = number == 1 or spaces[number - 2] or forms[number - 2] in OPENING
    return before and number < len(forms) and not spaces[number - 1]
