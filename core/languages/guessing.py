"""Language identification by py3langid (Lui & Baldwin 2012, maintained by A. Barbaresi): 139 languages, offline.

Its probabilities are normalised for the length of the text. On pieces of 20 to 600 characters from treebanks of 39
languages, guesses of at least ``SURE`` were right in 99% of cases. Three of ten pieces of 20 characters had no such
guess, and one of ten of 40. An unknown language is mostly taken for the most similar known one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from tempfile import gettempdir

import regex

from core.errors import WorkbenchError
from core.languages.names import UNKNOWN, find_language, language_name

SURE = 0.6  # least probability at which people are not asked
LEAST = 20  # bytes of letters: 20 of Latin script, 7 of Chinese, each of which says more
EXAMINED = 450  # characters of a text that are used: more hardly help
PIECES, PIECE = 24, 200  # number and length of the pieces of a text that may be in several languages
MIXED = 0.2  # least share of the pieces at which another language counts
GREEK, GREEK_LEAST = regex.compile(r"\p{Greek}+"), 4  # letters of no other known language, where words have so many
OFFERED = 3  # languages named where the guess is unsure
PLAUSIBLE = 0.05  # least probability at which the language stated by a page is accepted
NO_LANGUAGE = "zxx"  # the model's code for numbers, names of files and the like
CHINESE = frozenset(("zh", "yue", "wuu"))  # written alike: distinguished only from NO_DOUBT on
NO_DOUBT = 0.98
KNOWN_SCRIPTS = regex.compile(
    r"[\p{Latin}\p{Cyrillic}\p{Greek}\p{Arabic}\p{Hebrew}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}"
    r"\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Thai}\p{Lao}\p{Tibetan}\p{Myanmar}\p{Georgian}\p{Hangul}"
    r"\p{Ethiopic}\p{Khmer}\p{Han}\p{Hiragana}\p{Katakana}\p{Armenian}]"
)


@dataclass(frozen=True)
class Guess:
    """The most probable language of a text.

    Attributes
    ----------
    language : str
        A code; ``UNKNOWN`` where the text has too few letters.
    probability : float
    others : tuple of (str, float)
        The next best languages and their probabilities.
    """

    language: str
    probability: float = 0.0
    others: tuple[tuple[str, float], ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether people need not be asked."""
        return self.probability >= SURE

    @property
    def answer(self) -> str:
        """The language if it is sure, else ``UNKNOWN``."""
        return self.language if self.is_sure else UNKNOWN

    def __str__(self):
        """For example "German (97%)"; several languages where the guess is unsure."""
        if self.language == UNKNOWN:
            return "unknown"
        shown = [(self.language, self.probability), *(() if self.is_sure else self.others)]
        return ", ".join(f"{language_name(code)} ({100 * share:.0f}%)" for code, share in shown)


def guess_language(text: str, stated: str | None = None) -> Guess:
    """The Guess of a text without mark-up.

    Parameters
    ----------
    text : str
    stated : str, optional
        The language that a page states, such as in HTML's ``lang``. It is often wrong, since pages copy it. So it
        decides only where the text leaves it open, or for a language that cannot be guessed.

    Notes
    -----
    O(min(characters, ``EXAMINED``)).
    """
    guess = _guess(_sample(text))
    stated = _code(stated)
    if stated is None or stated == guess.language:
        return guess if stated is None else Guess(stated, max(guess.probability, SURE), guess.others)
    may_be = dict(guess.others).get(stated, 0.0) >= PLAUSIBLE
    if may_be or not guess.is_sure or stated not in known_languages():
        return Guess(stated, SURE, ((guess.language, guess.probability), *guess.others)[:OFFERED])
    return guess


def mixed_languages(texts: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """The languages of some paragraphs: (language, share of the pieces), the most frequent first; () for one language.

    Up to ``PIECES`` pieces are used, each of a paragraph.
    """
    step = max(1, len(texts) // PIECES)
    pieces = [text[:PIECE] for text in texts[::step]]
    if len(texts) == 1:
        pieces = [texts[0][start : start + PIECE] for start in range(0, min(len(texts[0]), PIECES * PIECE), PIECE)]
    counts = Counter(guess.language for guess in map(_guess, pieces) if guess.is_sure)
    shares = [(language, count / counts.total()) for language, count in counts.most_common()]
    several = tuple(pair for pair in shares if pair[1] >= MIXED)
    return several if len(several) > 1 else ()


@cache
def known_languages() -> frozenset[str]:
    """Codes of the languages that can be guessed."""
    return frozenset(identifier().labels) - {NO_LANGUAGE}


def _guess(text):
    """The Guess of a whole short text."""
    letters = "".join(filter(str.isalpha, text))
    if len(letters.encode("utf-8", "replace")) < LEAST:
        return Guess("el", SURE) if len(letters) >= GREEK_LEAST and GREEK.fullmatch(letters) else Guess(UNKNOWN)
    if not letters.isascii() and 2 * len(KNOWN_SCRIPTS.findall(letters)) < len(letters):
        return Guess(UNKNOWN)
    ranked = dict(identifier().rank(text))
    chinese = {code: ranked.pop(code) for code in CHINESE}
    clear = [code for code, share in chinese.items() if share >= NO_DOUBT]
    ranked[clear[0] if clear else "zh"] = sum(chinese.values())
    best = sorted(ranked.items(), key=lambda pair: -pair[1])[:OFFERED]
    if best[0][0] == NO_LANGUAGE:
        return Guess(UNKNOWN)
    return Guess(*best[0], tuple(pair for pair in best[1:] if pair[0] != NO_LANGUAGE))


def _sample(text):
    """``EXAMINED`` characters of a text, from three parts of a long one, since pages often begin with names."""
    if len(text) <= EXAMINED:
        return text
    part = EXAMINED // 3
    starts = (0, (len(text) - part) // 2, len(text) - part)
    return " ".join(text[start : start + part] for start in starts)


def _code(stated):
    """The code of the language that a page states, or None."""
    if not stated or not stated.strip():
        return None
    code = find_language(stated)  # pages state "english-us" and worse
    return None if code == UNKNOWN else code


@cache
def identifier():
    """The model, loaded at the first call."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:  # it is unpacked into a temporary file
        raise WorkbenchError(
            f"the model that tells languages apart cannot be unpacked in {gettempdir()}: {error.strerror}; make room "
            "there, or name the language"
        ) from error
