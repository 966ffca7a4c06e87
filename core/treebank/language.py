"""Which language the words of a treebank are in: as its comments say, else guessed."""

from core.errors import WorkbenchError
from core.languages import Guess, guess_language, language_code
from core.languages.names import LANGUAGE
from core.treebank.treebank import Treebank

COMMENTS = (LANGUAGE, "language")
LOOKED_AT = 20  # sentences


def text_language(treebank: Treebank) -> Guess:
    """The Guess of a treebank's language, sure where ``# lang`` or ``# language`` of its first sentence says it. O(1).

    A comment that names no language is as none.
    """
    if not len(treebank):
        return guess_language("")
    first = treebank[0]
    for comment in COMMENTS:
        if stated := first.comment(comment):
            try:
                return Guess(language_code(stated), 1.0)
            except WorkbenchError:  # "# language = L2" and the like
                continue
    step = max(1, len(treebank) // LOOKED_AT)
    places = range(0, len(treebank), step)[:LOOKED_AT]
    return guess_language(" ".join(treebank[place].text for place in places))
