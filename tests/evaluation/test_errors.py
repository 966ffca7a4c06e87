"""Error tables, counted by hand."""

import pytest

from core.errors import WorkbenchError
from core.evaluation.errors import error_tables
from core.treebank import Treebank


def treebank_of(*heads, tags="ABBA"):
    sentences = [{"forms": list("abcd"), "xpos": list(tags), "heads": each} for each in heads]
    return Treebank.from_sentences(sentences)


GOLD = treebank_of([2, 0, 2, 3], [0, 1, 2, 3])
SYSTEM = treebank_of([2, 0, 1, 3], [2, 0, 2, 2])


def counts(rows):
    return {row.name: (row.gold, row.system, row.correct) for row in rows}


def test_arcs_are_counted_by_head_direction_and_distance():
    tables = error_tables(GOLD, SYSTEM)
    assert (tables.words, tables.correct) == (8, 4)
    assert counts(tables.head_tags) == {"B": (5, 5, 3), "ROOT": (2, 2, 1), "A": (1, 1, 0)}
    assert counts(tables.directions) == {"right": (5, 4, 2), "left": (1, 2, 1), "root": (2, 2, 1)}
    distances = counts(tables.distances)
    assert (distances["1"], distances["2"], distances[">10"]) == ((6, 4, 3), (0, 2, 0), (0, 0, 0))
    assert counts(tables.modifier_tags) == {"A": (4, 4, 2), "B": (4, 4, 2)}


def test_wrong_arcs_are_named_in_sentence_order():
    names = {each.name: each.count for each in error_tables(GOLD, SYSTEM, most=None).false_positives}
    assert names == {"A -> B (2)": 1, "A <- B (1)": 1, "ROOT -> B": 1, "B -> A (2)": 1}
    assert len(error_tables(GOLD, SYSTEM, most=2).false_positives) == 2


def test_shares_are_of_all_words():
    data = error_tables(GOLD, SYSTEM).as_dict()
    assert data["head_tags"][0] == {"name": "B", "gold": 0.625, "system": 0.625}
    row = error_tables(GOLD, SYSTEM).head_tags[0]
    assert (row.recall, row.precision) == (60.0, 60.0)


def test_words_without_a_head_are_not_counted():
    partial = treebank_of([2, 0, -1, -1], [0, 1, 2, 3])
    assert error_tables(partial, SYSTEM).words == 6


def test_nothing_in_common_is_said():
    with pytest.raises(WorkbenchError, match="no word has a head in both"):
        error_tables(treebank_of([-1] * 4), treebank_of([2, 0, 2, 3]))
    with pytest.raises(WorkbenchError, match="gold has 2 sentences and system 1"):
        error_tables(GOLD, treebank_of([2, 0, 2, 3]))
