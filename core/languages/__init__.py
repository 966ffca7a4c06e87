"""What the language of a text decides, in one place: its name, the guess of it, its words and its sentences.

``names`` knows codes and names. ``guessing`` says which language a text seems to be in. ``tokenisers`` chooses what
cuts it into words, and says what is missing where nothing does. ``words`` applies that to running text, ``sentences``
finds where sentences end, and ``marks`` has the marks of all scripts.

``direction`` and ``normal_form`` stand beside it: they are decided by the letters of a text, which one language may
write either way.
"""

from core.languages.guessing import Guess, guess_language, mixed_languages
from core.languages.names import UNKNOWN, language_code, language_name

__all__ = ["UNKNOWN", "Guess", "guess_language", "language_code", "language_name", "mixed_languages"]
