"""Codes and names of languages: ISO 639-1 where there is a code of two letters, else ISO 639-3."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from core.errors import WorkbenchError, quoted
from core.files.assets import ASSETS

LANGUAGE = "lang"  # the comment of CoNLL-U that says a sentence's language
UNKNOWN = "und"  # ISO 639: undetermined
FILE = ASSETS / "languages" / "names.tsv"
PRIVATE = re.compile(r"q[a-t][a-z]")  # private use; Universal Dependencies has some for mixed languages
OF_TREEBANKS = {  # names of Universal Dependencies that differ from those of the registry
    "buryat": "bxr", "cantonese": "yue", "classical chinese": "lzh", "haitian creole": "ht", "naija": "pcm",
    "north sami": "se", "uyghur": "ug",
}  # fmt: skip
NEAR = 3  # languages suggested for an unknown one


def language_code(text: str) -> str:
    """The code of a language, given as a code or an English name in any case; ``UNKNOWN`` for "unknown".

    A code may have three letters or say more than the language: ``deu``, ``pt-BR``, ``sr_Latn``.
    Raises WorkbenchError, which suggests similar codes and names, for an unknown language.
    """
    if (code := find_language(text)) is not None:
        return code
    raise WorkbenchError(
        f"there is no language {quoted(repr(text))}; {_near(_plain(text))}give an ISO 639 code such as de or grc, an "
        "English name, or unknown"
    )


def find_language(text: str) -> str | None:
    """As ``language_code``; None for an unknown language."""
    wanted = _plain(text)
    first = re.split("[-_]", wanted)[0]
    if wanted in ("unknown", UNKNOWN, "xx"):  # xx is spaCy's
        return UNKNOWN
    if code := _codes().get(first) or _by_name().get(wanted):
        return code
    return first if PRIVATE.fullmatch(first) else None


def _plain(text):
    return " ".join(str(text).split()).casefold()


def language_name(code: str) -> str:
    """The English name of a code; the code itself if it is unknown."""
    return "unknown" if code == UNKNOWN else language_names().get(code, code)


@cache
def language_names() -> Mapping[str, str]:
    """Code -> English name for all languages."""
    return MappingProxyType({code: name for code, name, *_ in _rows()})


def _rows():
    return (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())


@cache
def _codes():
    """Any code of a language -> its code here."""
    return {written: code for code, _, *others in _rows() for written in (code, *" ".join(others).split())}


@cache
def _by_name():
    """Name in small letters, with and without its parenthesis -> code; the shortest code for equal names."""
    codes = {}
    for code, name in sorted(language_names().items(), key=lambda pair: len(pair[0])):
        for spelling in (name, name.partition(" (")[0], name.removeprefix("Modern ")):
            codes.setdefault(spelling.casefold(), code)
    return codes | OF_TREEBANKS


def _near(wanted):
    """Part of a sentence that suggests languages with similar names or codes, or ""."""
    names = _by_name()
    codes = [names[name] for name in get_close_matches(wanted, names, NEAR, 0.7)]
    short = [code for code in _codes() if len(code) == 2 or len(wanted) > 2]
    codes += [_codes()[code] for code in get_close_matches(wanted, short, NEAR, 0.5)]
    listed = ", ".join(f"{code} ({language_name(code)})" for code in list(dict.fromkeys(codes))[:NEAR])
    return f"near it are {listed}; " if listed else ""
