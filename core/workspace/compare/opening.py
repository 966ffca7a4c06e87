"""The words behind the number that is opened on the page, after the filters."""

import numpy as np

from core.evaluation.comparison import CONFUSED, KINDS
from core.evaluation.confusions import HEAD, RELATION
from core.store import Corpus
from core.workspace.compare.scoring import score_rows
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.compare.tables import opened_rows, wrong_in
from core.workspace.compare.tallies import TALLIES, WORDS
from core.workspace.workspace import Workspace

_PARTS = {
    "kind": KINDS, "cell": CONFUSED, "pair": None, "score": None, "tally": tuple(TALLIES), "confused": (HEAD, RELATION),
}  # fmt: skip
_LENGTHS = {"kind": (4,), "cell": (6,), "pair": (3,), "score": (4,), "tally": (4,), "confused": (5, 6)}


def is_opening(link: object) -> bool:
    """Whether a value, perhaps from an old link, names a number as ``opened_words`` takes it."""
    if link is None:
        return True
    if not isinstance(link, tuple) or len(link) < 2 or not all(part is None or isinstance(part, str) for part in link):
        return False
    return len(link) in _LENGTHS.get(link[0], ()) and (_PARTS[link[0]] is None or link[1] in _PARTS[link[0]])


def opened_words(
    workspace: Workspace, corpus: Corpus, parses: SideBySide, link: tuple | None
) -> tuple[np.ndarray, str]:
    """(rows, title) of the words behind a number that the filter leaves.

    ``link`` is as for ``opened_rows``, or ("tally", kind, name, parse or WORDS), or ("score", rules, parse, score).
    """
    rows, title = _opened(workspace, corpus, parses, link)
    return (rows if parses.only is None else rows[parses.only[rows]]), title


def _opened(workspace, corpus, parses, link):
    if link is not None and link[0] == "score":
        return score_rows(parses, *link[1:]) or opened_rows(parses, None)
    if link is None or link[0] != "tally":
        return opened_rows(parses, link)
    _, kind, name, parse = link
    tally = next((tally for tally in TALLIES[kind](workspace, corpus, parses)[0] if tally.name == name), None)
    if tally is None or parse not in tally.rows:
        return opened_rows(parses, None)
    if parse == WORDS:
        return tally.rows[parse], f"Words of {name}"
    if kind == "group":
        return tally.rows[parse], f"Words of {name} {wrong_in(parses, parse)}"
    return tally.rows[parse], _TITLES[kind].format(name=name, parse=parse)


_TITLES = {
    "constraint": "Words that could match {name}, with another head in {parse}",
    "bracket": "Words whose arcs in {parse} break brackets at the level {name}",
}
