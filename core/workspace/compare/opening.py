"""The words behind the number that is opened on the page, after the filters."""

from collections.abc import Sequence

import numpy as np

from core.evaluation.comparison import CONFUSED, KINDS, LAS, UAS
from core.evaluation.confusions import HEAD, RELATION
from core.store import Corpus
from core.workspace.compare.group_tests import FILTERED
from core.workspace.compare.measures import F1, PRECISION, RECALL, groups_by, measured_names
from core.workspace.compare.scoring import score_rows
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.compare.tables import group_title, opened_rows, tested_rows, wrong_in
from core.workspace.compare.tallies import TALLIES, WORDS
from core.workspace.workspace import Workspace

_PARTS = {
    "kind": KINDS, "cell": CONFUSED, "pair": None, "score": None, "tally": tuple(TALLIES), "confused": (HEAD, RELATION),
    "measured": (LAS, F1, PRECISION, RECALL), "tested": (UAS, LAS),
}  # fmt: skip
_LENGTHS = {"kind": (4,), "cell": (6,), "pair": (3,), "score": (4,), "tally": (4,), "confused": (5, 6),
            "measured": (5,), "tested": (6,)}  # fmt: skip


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
    It may be ("tested", UAS or LAS, kind, group, parse, parse) too; kind is then also "group", or FILTERED.
    """
    rows, title = _opened(workspace, corpus, parses, link)
    return (rows if parses.only is None else rows[parses.only[rows]]), title


def with_places(parses: SideBySide, rows: np.ndarray, places: Sequence[tuple[int, int]]) -> np.ndarray:
    """The rows of a list that somebody has gone through: its ``places``, also those that are not among ``rows`` now.

    ``places`` are (index of the sentence in the text, number of the word): those that are gone with a change of words
    are left out. Other rows follow. O(rows).
    """
    text = parses.comparison.text
    sentences, words = np.array(places, np.int64).reshape(-1, 2).T
    at = np.minimum(np.searchsorted(text.picks, sentences), len(text) - 1)
    kept = (text.offsets[at] + words)[(text.picks[at] == sentences) & (words <= text.lengths[at])]
    return np.concatenate([kept, rows[~np.isin(rows, kept)]])


def _opened(workspace, corpus, parses, link):
    if link is not None and link[0] == "score":
        return score_rows(parses, *link[1:]) or opened_rows(parses, None)
    if link is not None and link[0] == "tested":
        return _tested(workspace, corpus, parses, link) or opened_rows(parses, None)
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


def _tested(workspace, corpus, parses, link):
    _, measure, kind, value, one, other = link
    if not {one, other} <= set(measured_names(parses, measure)) or not parses.is_scored:
        return None
    if kind == FILTERED:
        rows, title = parses.comparison.scored, "Words"
    elif kind == "group":
        tallies = TALLIES[kind](workspace, corpus, parses)[0]
        rows = next((tally.rows[WORDS] for tally in tallies if tally.name == value), None)
        title = f"Words of {value}"
    else:
        groups = groups_by(parses, kind) if kind in KINDS else ()
        rows, title = next((group.rows for group in groups if group.name == value), None), group_title(kind, value)
    return None if rows is None else tested_rows(parses, rows, title, measure, one, other)


_TITLES = {
    "constraint": "Words that could match {name}, with another head in {parse}",
    "bracket": "Words whose arcs in {parse} break brackets at the level {name}",
}
