"""Languages of texts: their names, how they are guessed, their words and their sentences.

``names`` has codes and names. ``guessing`` identifies the language of a text. ``tokenisers`` chooses its tokeniser, and
reports a missing one. ``words`` applies it to running text, ``sentences`` finds sentence boundaries, and ``marks`` has
the punctuation marks of all scripts.

``direction`` and ``normal_form`` depend on the letters of a text, not on its language.
"""

from core.languages.guessing import Guess, guess_language, mixed_languages
from core.languages.names import UNKNOWN, language_code, language_name

__all__ = ["UNKNOWN", "Guess", "guess_language", "language_code", "language_name", "mixed_languages"]
