"""One line of a notation from left to right: words, numbers and the items that stand for words of a sentence."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn, TypeAlias

import regex

from core.constraints.language.constraint import BARE, LETTER, PREFIXES, RESERVED, Item, Term
from core.errors import ConstraintError, quoted
from core.languages.typography import straight_quotes

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
FEATURES = re.compile(r"[\w$.-]+=[\w$.,-]+(?:\|[\w$.-]+=[\w$.,-]+)*")
STRANGE = regex.compile(rf"(?<=[{LETTER}])[^\s=<>{{}}*-]")  # a sign within an item that is not in quotes
WORD = re.compile(r"[^\s=]+")
Pattern: TypeAlias = "re.Pattern[str] | regex.Pattern[str]"
Match: TypeAlias = "re.Match[str] | regex.Match[str]"


class LineScanner:
    """Reads one line from left to right; each method takes what it names or says what is missing.

    ``reserved`` are the words that are no tags, unless they stand in quotes.
    """

    reserved = RESERVED

    def __init__(self, text: str, line: int | None):
        self.text, self.line, self.position = straight_quotes(text), line, 0
        self.places: list[tuple[Term, int]] = []

    def item(self, expected: str) -> Item:
        if not self.take(re.compile(r"\{")):
            return Item((self.term(expected),))
        begin, terms = self.next_column() - 1, []
        while not self.take(re.compile(r"\}")):
            if self.ended():
                self.fail("the '{' is never closed with '}'", begin)
            terms.append(self.term("an item or '}'"))
        if not terms:
            self.fail("'{}' holds no item", begin)
        return Item(tuple(terms))

    def term(self, expected: str) -> Term:
        begin, in_quotes = self.next_column(), self.text.startswith('"', self.position)
        if self.take(re.compile(r"\*")):
            term = Term("any")
        elif prefix := self.take(re.compile(r"(\w+):")):
            name = prefix.group(1)
            if name not in PREFIXES:
                self.fail(f"there is no column '{quoted(name)}:'; {_meant(name)}", begin)
            features = self.take(FEATURES, spaces=False) if name == "feats" else None
            value = features.group() if features else self.value(spaces=False)
            term = Term(name, value or self.fail(f"expected a value after '{name}:'"))
        else:
            value = self.value()
            if value is None:
                strange = re.match(r"[^\s=<>{}*-]", self.text[begin - 1 :])
                hint = "; an item of such characters stands in quotes" if strange else ""
                self.fail(f"expected {expected}, {self.next_word()}{hint}", begin)
            if value in self.reserved and not in_quotes:
                self.fail(f"'{value}' is a word of the constraint language; put it in quotes to mean a tag", begin)
            term = Term("root") if value == "ROOT" and not in_quotes else Term("tag", value)
        self.places.append((term, begin))
        return term

    def value(self, spaces: bool = True) -> str | None:
        """A bare or quoted value, or None."""
        if self.text.startswith('"', self.next_column() - 1 if spaces else self.position):
            begin, match = self.position + 1, self.take(QUOTED, spaces)
            if match is None:
                self.fail("the quote is never closed", begin)
            if not match.group(1):
                self.fail("there is nothing between the quotes", begin)
            return re.sub(r"\\(.)", r"\1", match.group(1))
        bare = self.take(BARE, spaces)
        return bare.group() if bare else None

    def number(self, expected: str) -> float:
        match = self.take(NUMBER)
        if match is None:
            self.fail(f"expected {expected}, {self.next_word()}")
        return float(match.group())

    def keyword(self, words: Sequence[str]) -> str | None:
        match = self.take(re.compile(rf"(?:{'|'.join(words)})(?![\w$.:-])"))
        return match.group() if match else None

    def take(self, pattern: Pattern, spaces: bool = True) -> "Match | None":
        """The match of ``pattern`` at the position, after spaces, or None; moves past it."""
        if spaces:
            self.next_column()
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def next_column(self) -> int:
        """Skip spaces; return the column, from 1, of the next character."""
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1
        return self.position + 1

    def ended(self) -> bool:
        return self.next_column() > len(self.text)

    def next_word(self, words: Sequence[str] | None = None) -> str:
        """The next word as the end of a message, with the keyword of ``words`` that it may be meant for."""
        if self.ended():
            return "but the line ends"
        word = WORD.match(self.text, self.position)
        word = word.group() if word else self.text[self.position]
        near = get_close_matches(word, self.reserved if words is None else words, 1, 0.7)
        if STRANGE.match(self.text, self.position):
            return f"found '{quoted(word)}'; an item with such signs stands in double quotes"
        return f"found '{quoted(word)}'" + (f"; did you mean '{near[0]}'?" if near and near[0] != word else "")

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        raise ConstraintError(message, line=self.line, column=column or self.next_column())


def _meant(name):
    """What may be meant by a column that there is not."""
    if name == "deprel":
        return "a relation is of the tree that is sought: rules ask for it, constraints cannot"
    near = get_close_matches(name, PREFIXES, 1, 0.5)
    return f"did you mean {near[0]}:" if near else "one of " + " ".join(f"{known}:" for known in PREFIXES)
