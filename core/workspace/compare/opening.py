"""What number on the page is open, and the words behind it, after the filters."""

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


def is_opening(what: object) -> bool:
    """Whether something, perhaps from an old link, has the form of what ``opened_words`` opens."""
    if what is None:
        return True
    if not isinstance(what, tuple) or len(what) < 2 or not all(part is None or isinstance(part, str) for part in what):
        return False
    return len(what) in _LENGTHS.get(what[0], ()) and (_PARTS[what[0]] is None or what[1] in _PARTS[what[0]])


def opened_words(workspace: Workspace, corpus: Corpus, found: SideBySide, what: tuple | None) -> tuple[np.ndarray, str]:
    """(rows, title) of the words behind a number that the filter leaves.

    ``what`` is as for ``opened_rows``, or ("tally", kind, name, parse or WORDS), or ("score", rules, parse, score).
    """
    rows, title = _opened(workspace, corpus, found, what)
    return (rows if found.only is None else rows[found.only[rows]]), title


def _opened(workspace, corpus, found, what):
    if what is not None and what[0] == "score":
        return score_rows(found, *what[1:]) or opened_rows(found, None)
    if what is None or what[0] != "tally":
        return opened_rows(found, what)
    _, kind, name, parse = what
    tally = next((each for each in TALLIES[kind](workspace, corpus, found)[0] if each.name == name), None)
    if tally is None or parse not in tally.rows:
        return opened_rows(found, None)
    if parse == WORDS:
        return tally.rows[parse], f"Words of {name}"
    if kind == "group":
        return tally.rows[parse], f"Words of {name} {wrong_in(found, parse)}"
    return tally.rows[parse], _TITLES[kind].format(name=name, parse=parse)


_TITLES = {
    "constraint": "Words that could match {name}, with another head in {parse}",
    "bracket": "Words whose arcs in {parse} break brackets at the level {name}",
}
