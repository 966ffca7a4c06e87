"""Which language a page is in, by py3langid (Lui & Baldwin 2012, kept up by A. Barbaresi): 4.6 MB, no network.

Lingua tells short texts better and takes 96 MB; pages are long enough for either.
"""

from core.errors import WorkbenchError, quoted
from core.extras import require

SHORTEST = 50  # characters below which nobody can tell
ASKED = 2000  # characters of a page that are looked at


class LanguageFilter:
    """Tells pages in one language from those in others.

    Parameters
    ----------
    language : str
        ISO 639 code, such as ``en``.

    Raises
    ------
    WorkbenchError : py3langid is not installed, or does not know the language.
    """

    def __init__(self, language: str):
        require("language")
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        self.language = language
        self._identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
        if language not in self._identifier.labels:
            raise WorkbenchError(
                f"pages cannot be told to be in {quoted(language)}: that is none of the {len(self._identifier.labels)} "
                f"languages known; leave out --only-language, or give --language another"
            )

    def other(self, text: str) -> str | None:
        """The language that a text seems to be in, where that is another; None also for a text too short to tell.

        O(min(characters, ``ASKED``)).
        """
        if len(text) < SHORTEST:
            return None
        found = self._identifier.classify(text[:ASKED])[0]
        return None if found == self.language else found
