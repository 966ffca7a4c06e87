"""Ids inside stored values: a project that moves to another store gets new ids for its texts and runs.

The types of documents and runs (``shapes.py``) say which values are ids. A type is that of a JSON value: a TypedDict or
dataclass, a list or union of types, or one of the ids below.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import repeat
from types import UnionType
from typing import Annotated, Union, get_args, get_origin, is_typeddict

from core.settings import CorpusId, ParseKey, RunId, fits, hints_of

OfCorpus = Annotated[str, "of a text"]  # a document's key: a text's id, "/", and any other characters
SentenceKey = Annotated[
    str, "a sentence"
]  # a document's key: a text's id, "/", a number from 1, optionally "/" and more
SharedKey = Annotated[str, "a text or language"]  # a document's key: a text's id, or a language and maybe its tag set

IDS = (CorpusId, RunId, ParseKey)
PARSE_KEY = re.compile(r"(corpus|run|by)-(\d+)(-[\w-]+)?")
KEYS: Mapping[object, re.Pattern[str]] = {
    CorpusId: re.compile(r"([1-9]\d{0,17})()"),
    OfCorpus: re.compile(r"([1-9]\d{0,17})(/.+)", re.DOTALL),
    SentenceKey: re.compile(r"([1-9]\d{0,17})(/[1-9]\d{0,8}(?:/.*)?)", re.DOTALL),
    SharedKey: re.compile(r"(?:([1-9]\d{0,17})|language:[\w-]{1,40}(?:/(?:upos|xpos))?)()"),
}
NOTHING = 0  # stands for the id of a text or run that the backup does not have


def with_ids(value: object, wanted: object, change: Callable) -> object:
    """A JSON value of a type, with ``change(type, id)`` in place of each id. O(size)."""
    parts, kind = get_args(wanted), get_origin(wanted) or wanted
    if wanted in IDS:
        return change(wanted, value) if fits(value, wanted) else value
    if kind in (Union, UnionType):
        return with_ids(value, next((part for part in parts if fits(value, part)), object), change)
    if isinstance(value, list) and parts:
        types = parts if kind is tuple and parts[-1] is not ... else repeat(parts[0])
        return [with_ids(item, part, change) for item, part in zip(value, types, strict=False)]
    if isinstance(value, dict):
        hints = hints_of(kind) if has_fields(kind) else dict.fromkeys(value, parts[1]) if parts else {}
        return {name: with_ids(item, hints.get(name, object), change) for name, item in value.items()}
    return value


def corpus_of_key(key: str, wanted: object) -> int | None:
    """The id of the text at the beginning of a document's key of a type, or None."""
    match = KEYS[wanted].fullmatch(key) if wanted in KEYS else None
    return int(match[1]) if match and match[1] else None


def runs_named(value: object, wanted: object) -> Iterator[int]:
    """The ids of the runs in a value of a type. O(size of the value)."""
    runs: list[int] = []

    def note(kind, key):
        match = PARSE_KEY.fullmatch(key) if kind == ParseKey else None
        if kind == RunId or (match is not None and match[1] != "corpus"):
            runs.append(key if match is None else int(match[2]))
        return key

    with_ids(value, wanted, note)
    yield from runs


def has_fields(kind: object) -> bool:
    """Whether a type is a TypedDict or a dataclass."""
    return is_typeddict(kind) or is_dataclass(kind)


def mentions(wanted: object, kind: object) -> bool:
    """Whether a type contains a kind of id."""
    parts = hints_of(wanted).values() if has_fields(wanted) else get_args(wanted)
    return wanted == kind or any(mentions(part, kind) for part in parts)


class References:
    """New ids by old ones, in the dicts ``corpora`` and ``runs``."""

    def __init__(self, corpora: Mapping[int, int], runs: Mapping[int, int]):
        self.corpora, self.runs = corpora, runs

    def key(self, key: str, wanted: object) -> str:
        """A document's key of a type with new ids. Raises KeyError where the text is missing."""
        match = KEYS[wanted].fullmatch(key) if wanted in KEYS else None
        return f"{self.corpora[int(match[1])]}{match[2]}" if match and match[1] else key

    def value(self, value: object, wanted: object) -> object:
        """A document's value, or settings or figures of a run, of a type, with new ids."""
        return with_ids(value, wanted, self._new_id)

    def _new_id(self, kind, key):
        if kind != ParseKey:
            return (self.corpora if kind == CorpusId else self.runs).get(key, NOTHING)
        if (match := PARSE_KEY.fullmatch(key)) is None:
            return key
        ids = self.corpora if match[1] == "corpus" else self.runs
        return f"{match[1]}-{ids.get(int(match[2]), NOTHING)}{match[3] or ''}"
