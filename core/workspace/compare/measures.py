"""What the parses have right by kinds of words: heads, heads and relations, or precision, recall and F1 by relation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation import AccuracyEstimate, Group, RelationWords, estimate, relation_words
from core.evaluation.comparison import LAS, UAS
from core.workspace.compare.side_by_side import SideBySide

F1, PRECISION, RECALL = "F1", "precision", "recall"
MEASURES = {UAS: "UAS", LAS: "LAS", F1: "F1"}
SAID = {
    UAS: "Heads right",
    LAS: "Heads and relations right",
    F1: "F1 of precision and recall: head and relation right",
}


@dataclass(frozen=True, eq=False)
class ByRelation:
    """The words of one relation: how many have it in the reference, and the RelationWords of each parse."""

    name: str
    words: int
    of: dict[str, RelationWords]


def measures(parses: SideBySide, kind: str) -> list[str]:
    """The MEASURES that mean something: relations count where the reference and a parse have some."""
    labelled = bool(measured_names(parses, LAS))
    return [UAS, *([LAS] if labelled else []), *([F1] if labelled and kind == "relation" else [])]


def measured_names(parses: SideBySide, measure: str) -> list[str]:
    """The parses that a measure means something for."""
    return [name for name in parses.names if measure == UAS or (parses.is_scored and parses.labelled[name])]


def groups_by(parses: SideBySide, kind: str, measure: str = UAS) -> Sequence[Group]:
    """The words by a kind of ``Comparison.table``; F1 is of groups by LAS."""
    by = UAS if measure == UAS else LAS
    return parses.cached(("groups", kind, by), lambda: parses.comparison.table(kind, measure=by))


def by_relation(parses: SideBySide) -> list[ByRelation]:
    """All relations that the reference or a parse has, the most frequent in the reference first."""
    return parses.cached(("by relation",), lambda: _by_relation(parses))


def _by_relation(parses):
    comparison, found, none = parses.comparison, {}, np.zeros(0, np.int64)
    names = measured_names(parses, F1)
    for name in names:
        for words in relation_words(comparison.gold, comparison.systems[name], comparison.scored):
            found.setdefault(words.relation, {})[name] = words
    relations = []
    for relation, known in found.items():
        gold = next(iter(known.values())).gold
        missing = RelationWords(relation, gold, none, none)  # a parse that knows the relation no more than gold does
        relations.append(ByRelation(relation, len(gold), {name: known.get(name, missing) for name in names}))
    return sorted(relations, key=lambda group: (-group.words, group.name))


def f1_interval(parses: SideBySide, words: RelationWords) -> AccuracyEstimate | None:
    """The F1 of a relation as a ratio over sentences, with its interval; None of fewer than two sentences."""
    text = parses.comparison.text
    gold, system, correct = (
        np.bincount(text.sentence_rows[rows], minlength=len(text)) for rows in (words.gold, words.system, words.correct)
    )
    asked = gold + system
    return estimate(2 * correct, asked) if np.count_nonzero(asked) > 1 else None
