"""Grew's features of an arc's relation: ``-[1=comp, 2=obj, deep=x]->`` asks for parts of ``comp:obj@x``."""

import re
from collections.abc import Callable
from typing import NoReturn, Protocol

from core.errors import quoted
from core.search.request import Clause

KEYS = ("1", "2", "3", "deep", "enhanced")
PART = "[^:@]*"
ENDS = r"(?:[:@]|$)"
YES_OR_NO = ((("yes", False),), (("no", False),))  # values of a clause


class RequestReader(Protocol):
    """What reads a request: ``tokens`` are (kind, text, position), ``at`` the index of the next one."""

    tokens: list[tuple[str, str, int]]
    at: int

    def clauses(self, between: str, end: str, read_key: Callable[[], str]) -> list[Clause]: ...

    def name(self, expected: str) -> str: ...

    def fail(self, message: str, position: int | None = None) -> NoReturn: ...


def relation_features(reader: "RequestReader", negated: bool) -> tuple[tuple, bool]:
    """(labels of an arc, as of an ArcPattern, whether it is enhanced), read up to the sign that ends them."""
    start = reader.tokens[reader.at][2]
    if negated:
        reader.fail("write <> in place of =, and no ^, for what a part of the relation is not", start)
    clauses = reader.clauses(",", "]->", lambda: _key(reader))
    reader.at -= 1  # that sign
    asked = [clause for clause in clauses if clause.key == "enhanced"]
    if len(asked) > 1 or any(clause.kind != "is" or clause.values not in YES_OR_NO for clause in asked):
        reader.fail("write enhanced=yes for an arc of the graph; those of the tree need no mark", start)
    pattern = label_pattern([clause for clause in clauses if clause.key != "enhanced"])
    return ((pattern, True),), bool(asked) and asked[0].values == YES_OR_NO[0]


def _key(reader):
    start, key = reader.tokens[reader.at][2], reader.name("1, 2, 3, deep or enhanced")
    if key not in KEYS:
        reader.fail(f"an arc has no {quoted(key)}; write 1, 2, 3, deep or enhanced, or a relation alone", start)
    return key


def label_pattern(clauses: list[Clause]) -> str:
    """A regular expression of the relations for which all clauses hold, of the keys 1, 2, 3 and deep."""
    return "".join(map(_condition, clauses)) + ".*"


def _condition(clause):
    """What a relation must, or must not, look like from its beginning."""
    before = "[^@]*@" if clause.key == "deep" else f"{PART}:" * (int(clause.key) - 1)
    if clause.kind in ("has", "lacks"):
        return f"(?{'=' if clause.kind == 'has' else '!'}{before}[^:@])"
    values = "|".join(text if is_regex else re.escape(text) for text, is_regex in clause.values)
    if clause.kind == "is":
        return f"(?={before}(?:{values}){ENDS})"
    return f"(?={before}(?!(?:{values}){ENDS})[^:@])"
