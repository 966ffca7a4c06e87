"""Which language the words of a treebank are in: as its comments say, else guessed."""

from core.languages import Guess, guess_language
from core.languages.names import LANGUAGE, find_language
from core.treebank.treebank import Treebank

COMMENTS = (LANGUAGE, "language")
LOOKED_AT = 20  # sentences


def stated_language(treebank: Treebank) -> str | None:
    """The code of the language that the first sentence's comments name; None where they name none. O(1)."""
    if not len(treebank):
        return None
    stated = (treebank[0].comment(comment) for comment in COMMENTS)
    return next(
        (code for value in stated if value and (code := find_language(value)) is not None), None
    )  # "L2" is none


def text_language(treebank: Treebank) -> Guess:
    """The Guess of a treebank's language, sure where ``# lang`` or ``# language`` of its first sentence says it. O(1).

    A comment that names no language is as none.
    """
    stated = stated_language(treebank)
    if stated is not None:
        return Guess(stated, 1.0)
    if not len(treebank):
        return guess_language("")
    step = max(1, len(treebank) // LOOKED_AT)
    places = range(0, len(treebank), step)[:LOOKED_AT]
    return guess_language(" ".join(treebank[index].text for index in places))
