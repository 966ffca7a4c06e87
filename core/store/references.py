"""Ids inside stored values: a project that moves to another store gets new ids for its texts and runs.

By convention a field that ends in ``_corpus`` holds a text's id. So do ``corpus``, ``trees``, ``adapt_to``,
``parse_of``, ``target``, ``unlabelled`` and ``texts``. A run's id stands in ``run`` or a field that ends in ``_run``,
in a run's settings also in ``start`` and ``of``. Names of parses are texts such as ``corpus-12``, ``run-12-alone`` and
``run-12-second-alone``, a parser that is applied ``by-12``. A document's key that belongs to a text is its id, alone or
followed by ``/`` or ``:``.
"""

import re
from collections.abc import Iterator, Mapping

CORPUS_FIELDS = ("corpus", "trees", "adapt_to", "parse_of", "target", "unlabelled", "texts")
RUN_FIELDS = ("run",)
SETTINGS_RUN_FIELDS = ("run", "start", "of")
PARSE_NAME = re.compile(r"(corpus|run|by)-(\d+)(-[\w-]+)?")
OWNED_KEY = re.compile(r"(\d+)([/:].*)?", re.DOTALL)
NAMED = ("lesson",)  # kinds whose keys are names that people gave: "1: Trees" is of no text
NOTHING = 0  # an id that nothing has, for what did not come along


class References:
    """Old ids and their new ones: ``corpora`` and ``runs`` are dicts of int."""

    def __init__(self, corpora: Mapping[int, int], runs: Mapping[int, int]):
        self.corpora, self.runs = corpora, runs

    def key(self, kind: str, key: str) -> str:
        """The key of a document of some kind with the new id of its text."""
        match = None if kind in NAMED else OWNED_KEY.fullmatch(key)
        if match is None or int(match[1]) not in self.corpora:
            return key
        return f"{self.corpora[int(match[1])]}{match[2] or ''}"

    def document(self, key: str, value: object) -> object:
        """A document's value; where it is a bare number, its key says of what."""
        return self._value(value, key, RUN_FIELDS)

    def settings(self, value: object) -> object:
        """A run's settings."""
        return self._value(value, "", SETTINGS_RUN_FIELDS)

    def _value(self, value, field, run_fields):
        if isinstance(value, dict):
            return {name: self._value(item, name, run_fields) for name, item in value.items()}
        if isinstance(value, list):
            return [self._value(item, field, run_fields) for item in value]
        if isinstance(value, str) and (match := PARSE_NAME.fullmatch(value)):
            ids = self.corpora if match[1] == "corpus" else self.runs
            return f"{match[1]}-{ids.get(int(match[2]), NOTHING)}{match[3] or ''}"
        if isinstance(value, int) and not isinstance(value, bool):
            if field in CORPUS_FIELDS or field.endswith("_corpus"):
                return self.corpora.get(value, NOTHING)
            if field in run_fields or field.endswith("_run"):
                return self.runs.get(value, NOTHING)
        return value


def runs_named(value: object, in_settings: bool = False, field: str = "") -> Iterator[int]:
    """The ids of the runs that a document's value, or a run's settings, name. O(size of the value)."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from runs_named(item, in_settings, name)
    elif isinstance(value, list):
        for item in value:
            yield from runs_named(item, in_settings, field)
    elif isinstance(value, str):
        if (match := PARSE_NAME.fullmatch(value)) and match[1] != "corpus":
            yield int(match[2])
    elif isinstance(value, int) and not isinstance(value, bool):
        fields = SETTINGS_RUN_FIELDS if in_settings else RUN_FIELDS
        yield from [value] if field in fields or field.endswith("_run") else []
