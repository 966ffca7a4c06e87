"""Contractions: a word in writing that Universal Dependencies counts as several, such as Spanish "del", de and el.

A table has one of these on each line. A note may stand behind ``#``.

- ``del = de el``: the word, in any case, and its parts.
- ``-arse = -ar se``: all words with this ending. The first part keeps what stands before it.
- ``-´anse = -an se``: the same behind a vowel with an accent, which the first part loses ("únanse": unan, se).
- ``perla``: this word is left whole, and with ``-uerte`` all with this ending.
- ``avec des``: the second word is left whole behind the first, with ``^ des`` at the beginning of a sentence.

Braces stand for several lines: ``-{a,e}r{me,te} = -{a,e}r {me,te}`` has four. A line has as many braces on the right as
on the left, each with a choice for each choice there. Without any, all lines have the same parts.

A word goes by its own line, else by the longest ending that has one. A capital inside a sentence is a name's, and left
whole, unless all letters of the word and of the one before it are capitals.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from core.errors import FormatError
from core.files.assets import ASSETS
from core.languages.names import UNKNOWN, language_name

# what cuts a text: tables as text by the code of their language, in place of those that ship, with "" for none; one
# table for whatever language; or None, by which all words are left whole
Tables: TypeAlias = Mapping[str, str] | str | None
USUAL: Mapping[str, str] = MappingProxyType({})  # the tables that ship

FOLDER = ASSETS / "contractions"
BEGIN = "^"  # in place of the word before, at the beginning of a sentence
LONGEST_RUN = 6  # pieces into which a tokeniser may have cut a contraction
MOST_LINES = 20_000  # of a table, braces counted out
BRACES = re.compile(r"\{([^{}]*)\}")
WRITTEN = re.compile(r"[^\W\d_]+(?:[-'’·‑][^\W\d_]*)*|[-'’‑][^\W\d_]*")  # letters, also with hyphens and apostrophes
APOSTROPHES = str.maketrans("’ʼ‑", "''-")
ACUTE = "´"  # before an ending
WITHOUT_ACCENT = str.maketrans("áéíóú", "aeiou")
GOES_ON = frozenset(",;)&/")  # marks after which a capital is a name's
WHOLE: tuple[str, ...] = ()  # the parts of a word that is left whole


class Contraction(NamedTuple):
    """Words ``first`` to ``last`` of a sentence, from 0, that are written as ``form`` and counted as ``parts``."""

    first: int
    last: int
    form: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Contractions:
    """A table of contractions.

    Attributes
    ----------
    words : mapping of str to tuple of str
        Parts of each word, in small letters, or WHOLE.
    endings : mapping of str to tuple of str
        Parts of words with an ending, the first without what stands before it; or WHOLE. With ACUTE before the ending
        they are those behind a vowel with an accent.
    behind : mapping of str to frozenset of str
        The words, or BEGIN, behind which a word is left whole.
    """

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    behind: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.words.values()) or any(self.endings.values())

    @cached_property
    def longest_ending(self) -> int:
        """Letters of the longest ending, at most; a longer one is not looked for."""
        return max(map(len, self.endings), default=0)

    def parts(self, form: str) -> tuple[str, ...]:
        """The parts of a word by itself, capitals as in the word; WHOLE where it is no contraction. O(letters)."""
        lower = form.translate(APOSTROPHES).lower()
        parts = self.words.get(lower)
        if parts is not None:
            return _as_written(parts, form)
        if not self.endings:
            return WHOLE
        plain = lower.translate(WITHOUT_ACCENT)
        for start in range(max(1, len(lower) - self.longest_ending), len(lower)):
            ending, own = lower[start:], start
            parts = self.endings.get(ACUTE + ending) if plain[:start] != lower[:start] else None
            if parts:
                lower, own = plain, 0
            else:
                parts = self.endings.get(ending)
            if parts is not None:
                is_elided = "'" in lower[:start]  # "d'" of "d'anar-hi" is a word by itself
                return (
                    _as_written((lower[:start] + parts[0], *parts[1:]), form, own) if parts and not is_elided else WHOLE
                )
        return WHOLE

    def find(self, forms: Sequence[str], spaces: Sequence[bool]) -> list[Contraction]:
        """The contractions of a sentence, in order.

        Parameters
        ----------
        forms : sequence of str
            Its words, or the pieces into which a tokeniser cut them: "d" and "els" are "dels" too.
        spaces : sequence of bool
            Whether a space follows each.

        Returns
        -------
        list of Contraction
            Disjoint; of several that begin at one piece the longest. O(pieces).
        """
        contractions, first = [], 0
        while first < len(forms):
            last, parts = self._longest(forms, spaces, first)
            if parts:
                contractions.append(Contraction(first, last, "".join(forms[first : last + 1]), parts))
            first = last + 1
        return contractions

    def _longest(self, forms, spaces, first):
        """(last piece, parts) of the longest contraction that begins at a piece; (first, WHOLE) for none."""
        if not WRITTEN.fullmatch(forms[first]) or not forms[first][0].isalpha():
            return first, WHOLE
        last = first
        while last + 1 < len(forms) and last + 1 - first < LONGEST_RUN and not spaces[last]:
            if not WRITTEN.fullmatch(forms[last + 1]):
                break
            last += 1
        for end in range(last, first - 1, -1):
            form = "".join(forms[first : end + 1])
            parts = self.parts(form)
            if parts and not self._is_left_whole(forms, first, form):
                return end, parts
        return first, WHOLE

    def _is_left_whole(self, forms, first, form):
        """Whether a contraction is none for the word before it, or as a name."""
        before = forms[first - 1] if first else BEGIN
        around = self.behind.get(form.translate(APOSTROPHES).lower(), ())
        if around and before.translate(APOSTROPHES).lower() in around:
            return True
        is_inside = any(map(str.isalpha, before)) or before in GOES_ON
        return is_inside and form[0].isupper() and not (len(form) > 1 and form.isupper() and before.isupper())


def _as_written(parts, form, start=0):
    """Parts with the capitals and apostrophes of a word, the first ``start`` letters of which are the word's own."""
    if not parts:
        return WHOLE
    if "’" in form:
        parts = tuple(part.replace("'", "’") for part in parts)
    if len(form) > 1 and form.isupper():
        return tuple(map(str.upper, parts))
    first = form[:start] + parts[0][start:] if start else parts[0]
    return (first[:1].upper() + first[1:] if form[0].isupper() else first, *parts[1:])


def divided(form: str, parts: Sequence[str]) -> list[str]:
    """A contraction in as many pieces as it has parts, which joined are the form; [form] where it has fewer letters.

    Each part has its own length, counted from the end, and the first what is left: "del" is "d" and "el".
    """
    if len(form) < len(parts):
        return [form]
    pieces, rest = [], form
    for place in range(len(parts) - 1, 0, -1):
        size = min(len(parts[place]), len(rest) - place)
        pieces.append(rest[-size:])
        rest = rest[:-size]
    return [rest, *reversed(pieces)]


def parse_contractions(text: str, path: object = None) -> Contractions:
    """The Contractions of a table's lines; of several for one word the first counts.

    Raises
    ------
    FormatError : parts without letters, braces that do not match, words that are made of each other, too many lines;
        with its line.
    """
    words: dict[str, tuple[str, ...]] = {}
    endings: dict[str, tuple[str, ...]] = {}
    behind: dict[str, set[str]] = {}
    lines: dict[str, int] = {}
    count = 0
    for number, line in enumerate(text.translate(APOSTROPHES).lower().splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        for left, right in _spelt_out(line, path, number):
            count += 1
            if count > MOST_LINES:
                raise FormatError(f"a table has at most {MOST_LINES:,} lines, braces counted out", path=path)
            if right is None and len(left.split()) == 2:
                before, word = left.split()
                behind.setdefault(word, set()).add(before)
            else:
                _add(left, right, words, endings, path, number)
                lines.setdefault(left, number)
    _refuse_cycle(words, lines, path)
    return Contractions(words, endings, {word: frozenset(before) for word, before in behind.items()})


def _spelt_out(line, path, number):
    """Yield (left, right or None) of a line, braces counted out."""
    left, equals, right = (part.strip() for part in line.partition("="))
    choices = [group.split(",") for group in BRACES.findall(left)]
    others = [group.split(",") for group in BRACES.findall(right)]
    if others and list(map(len, others)) != list(map(len, choices)):
        message = "braces right of = do not match those left of it; write as many, with as many choices in each"
        raise FormatError(message, path=path, line=number)
    if set("{}") & set(BRACES.sub("", left + right)):
        raise FormatError("a brace is not closed; write the choices as {me,te}", path=path, line=number)
    for picks in product(*(range(len(choice)) for choice in choices)):
        texts = []
        for side, groups in ((left, choices), (right, others)):
            taken = iter([group[pick].strip() for group, pick in zip(groups, picks, strict=False)])
            texts.append(BRACES.sub(lambda _, taken=taken: next(taken), side))
        yield texts[0], (texts[1] if equals else None)


def _add(left, right, words, endings, path, number):
    """Add a word or ending with its parts."""
    is_ending = left.startswith("-") and len(left) > 1
    word = left[1:] if is_ending else left
    if len(word.split()) != 1 or not any(map(str.isalpha, word)):
        raise FormatError(f"{left!r} is no word; write a line such as del = de el", path=path, line=number)
    parts = WHOLE if right is None else _checked_parts(left, right.split(), is_ending, path, number)
    (endings if is_ending else words).setdefault(word, parts)


def _checked_parts(left, parts, is_ending, path, number):
    """Parts as a tuple, the first of an ending without its hyphen."""
    if len(parts) < 2:
        message = (
            f"{left!r} needs two parts or more; write a line such as del = de el, or {left} alone to leave it whole"
        )
        raise FormatError(message, path=path, line=number)
    for part in parts[1:] if is_ending and parts[0] == "-" else parts:  # "-": nothing but what stands before
        if not any(map(str.isalpha, part)):
            raise FormatError(f"the part {part!r} of {left!r} has no letter; give each part", path=path, line=number)
    if is_ending and not parts[0].startswith("-"):
        message = f"the first part of {left!r} begins with a hyphen, too: -{parts[0]}"
        raise FormatError(message, path=path, line=number)
    return (parts[0][1:], *parts[1:]) if is_ending else tuple(parts)


def _refuse_cycle(words, lines, path):
    """FormatError where a word is made of itself by way of others; Czech "aby" is aby and by. O(parts)."""
    done: set[str] = set()
    for word in words:
        trail, open_words = [], [(word, 0)]
        while open_words:
            current, depth = open_words.pop()
            del trail[depth:]
            if current in trail:
                circle = " → ".join([*trail[trail.index(current) :], current])
                message = f"{current!r} is made of itself ({circle}); give parts that are no contractions"
                raise FormatError(message, path=path, line=lines.get(current))
            trail.append(current)
            if current not in done:
                done.add(current)
                open_words += [
                    (part, depth + 1) for part in words.get(current, ()) if part != current and words.get(part)
                ]


def usual_text(language: str) -> str:
    """The table that ships for a language, by its code, as text; "" for most languages."""
    path = FOLDER / f"{language}.txt"
    return path.read_text(encoding="utf-8") if language != UNKNOWN and path.is_file() else ""


@cache
def usual_contractions(language: str) -> Contractions:
    """The Contractions that ship for a language, by its code; empty for most languages."""
    return parse_contractions(usual_text(language), FOLDER / f"{language}.txt")


def table_of(language: str, tables: Tables) -> Contractions:
    """The Contractions by which a language's words are cut, given by its code. Raises FormatError."""
    if tables is None:
        return Contractions()
    if isinstance(tables, str):
        return parse_contractions(tables)
    if language not in tables:
        return usual_contractions(language)
    return parse_contractions(tables[language], f"the contractions of {language_name(language)}")
