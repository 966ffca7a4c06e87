"""What documents and runs of each kind hold, as far as whoever reads them relies on it: a backup must keep to that.

The store does not know what its values mean. They come from the rooms of the workspace, and are what these write, but
for those of a backup, which anybody may have written. A kind that is not listed here is read by nobody who would mind.
"""

import re
from typing import NotRequired, TypedDict

from core.settings import fits

OF_SENTENCE = re.compile(r"[1-9]\d{0,17}/[1-9]\d{0,8}(/.*)?", re.DOTALL)  # text, number from 1, layer
NUMBERED = ("tree", "annotation", "group")  # kinds whose keys are such


class _Text(TypedDict):
    """A text of the project."""

    name: str
    format: str
    encoding: str
    settings: dict


class _Group(TypedDict):
    """Words under a name."""

    name: str
    definition: dict


class _Drawn(TypedDict):
    """Sentences drawn to be checked."""

    seed: int
    sentences: list[int]
    of: int


class _Tree(TypedDict, total=False):
    """Columns of a sentence that was annotated, and where they are from."""

    heads: list[int]
    lemmas: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    deprels: list[str]
    command: str | None
    proposals: list[str]


class _Dropped(TypedDict):
    """What an extraction left out for one reason."""

    pieces: int
    characters: int
    examples: list[str]


class _Pages(TypedDict):
    """What an extraction did."""

    dropped: dict[str, _Dropped]
    reader: NotRequired[str | None]
    selectors: NotRequired[dict[str, str]]


DOCUMENTS = {
    "adaptation": dict, "advice-came": str | list[float | None], "advice-taken": list[dict], "annotation": dict,
    "annotation-check": _Drawn, "annotation-proposal": str, "consensus": dict, "constraints": str, "corpus": _Text,
    "group": _Group, "induction": dict, "joint": dict, "learner": str, "lesson": dict, "markup-report": _Pages,
    "page-selectors": dict[str, str],
    "relations": str, "search": str, "tagging": dict, "training": dict, "tree": _Tree,
}  # fmt: skip


class _Settings(TypedDict, total=False):
    """Of any run: the text, and runs that it began from or is about."""

    corpus: int | None
    target: int | None
    start: int | None
    of: int | None


class _Curve(_Settings):
    """Of a learning curve."""

    by: str
    learner: str
    sizes: list[int]
    draws: int
    trainings: int
    words: int


class _Read(_Settings):
    """Of sentences that a reader parses."""

    reader: str


class _Saved(_Settings):
    """Of the file of a parser."""

    name: str


class _Ordered(_Settings):
    """Of an order by how unsure a parser is."""

    by: str


RUNS = {"learning-curve": _Curve, "markup-trees": _Read, "saved-parser": _Saved, "annotation-order": _Ordered}


class _Score(TypedDict, total=False):
    """Words scored, and those right."""

    words: int
    right: int
    uas: float
    las: float | None


class _Figures(TypedDict, total=False):
    """Of any run."""

    model: _Score | None
    base: _Score | None
    code: str
    iterations: int
    sentences: int
    contexts: int
    bits: float | None
    objective: float | None


def is_document(kind: str, key: str, value: object) -> bool:
    """Whether a document of a kind may have this key and this value of JSON; None, where there is none, it may."""
    if kind in NUMBERED and not OF_SENTENCE.fullmatch(key):
        return False
    return value is None or fits(value, DOCUMENTS.get(kind, object))


def is_run(kind: str, settings: object, figures: object) -> bool:
    """Whether a run of a kind may have these settings and figures."""
    return fits(settings, RUNS.get(kind, _Settings)) and fits(figures, _Figures)
