"""LAS and F1 beside heads, tests in groups and filters, colours that stay: each number opens the words it counts."""

import csv
import io
import re
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from core.constraints.ge.baselines import attach_left, attach_right
from core.draw.by_kind import STYLES, kept_places
from core.draw.levels import widest
from core.evaluation import relation_words
from core.evaluation.comparison import LAS, UAS
from core.treebank import Treebank, conllu_text
from core.workspace.applied import AvailableParse
from core.workspace.compare import side_by_side as beside
from core.workspace.compare import tables
from core.workspace.compare.accuracy import FREQUENCY, LABEL_SIZE, PLOT, accuracy_chart
from core.workspace.compare.filters import WordFilter, filtered
from core.workspace.compare.group_tests import (
    FILTERED,
    are_tested,
    difference_note,
    difference_table,
    filter_tests,
    group_tests,
    not_tested,
)
from core.workspace.compare.measures import F1, PRECISION, RECALL, groups_by, measured_names, measures
from core.workspace.compare.opening import is_opening, opened_words, with_places
from core.workspace.compare.tallies import group_tallies, groups_of_tallies
from core.workspace.groups import by_lengths, save_group
from core.workspace.parses import add_parse
from core.workspace.registry import Systems
from tests.filled import filled


@pytest.fixture(scope="module")
def text(module_workspace):
    """(the workspace, the sample, two parses with relations): each differs in every third sentence."""
    workspace = module_workspace
    corpus = workspace.store.corpora(workspace.store.default_project())[0]
    own, offers = workspace.treebank(corpus), []
    relations = own.deprel.strings()
    wrong = np.where(relations == "nsubj", "obj", relations)
    for third, (name, baseline) in enumerate((("one", attach_left), ("two", attach_right))):
        rows = np.repeat(np.arange(len(own)) % 3 == third, own.lengths + 1)
        bank = own.with_heads(np.where(rows, baseline(own).heads, own.heads), np.where(rows, wrong, relations).tolist())
        key = add_parse(workspace, corpus, name, conllu_text(bank).encode())
        offers.append(AvailableParse(key, name))
    return workspace, corpus, offers


@pytest.fixture(scope="module")
def found(text):
    workspace, corpus, offers = text
    return beside.side_by_side(Systems(workspace), corpus, [*offers, AvailableParse("left", "attach left")])


def test_measures_are_those_that_mean_something(text, found):
    workspace, corpus, offers = text
    assert measures(found, "tag") == [UAS, LAS] and measures(found, "relation") == [UAS, LAS, F1]
    assert measured_names(found, LAS) == ["one", "two"]  # baselines name no relations
    apart = beside.side_by_side(Systems(workspace), corpus, offers, against=beside.EACH_OTHER)
    assert measures(apart, "relation") == [UAS] and not are_tested(apart)
    rows, title = tables.opened_rows(apart, ("measured", LAS, "tag", "DET", "one"))
    assert len(rows) == apart.comparison.pairs[0].differ and "disagree" in title


def test_a_table_by_las_counts_heads_with_their_relations(text, found):
    gold, one = found.comparison.gold, found.comparison.systems["one"]
    groups, table = tables.kind_table(found, "tag", LAS)
    assert "attach left" not in table
    for place, name in filled(enumerate(groups)):
        rows = [row for row in found.comparison.scored.tolist() if gold.upos[row] == name]
        right = [row for row in rows if gold.heads[row] == one.heads[row] and gold.deprel[row] == one.deprel[row]]
        assert table["one"][place].endswith(f" · {len(right):,}")
        words, title = opened_words(*text[:2], found, ("measured", LAS, "tag", name, "one"))
        assert words.tolist() == sorted(set(rows) - set(right)) and "head or relation in one" in title


def test_precision_and_recall_open_their_words(text, found):
    relations = relation_words(found.comparison.gold, found.comparison.systems["one"], found.comparison.scored)
    groups, table = tables.kind_table(found, "relation", F1)
    columns = tables.table_columns(found, F1)
    assert set(columns) == set(table) - {"kind", "words"} and len(columns) == 6
    for words in filled(relations):
        place = groups.index(words.relation)
        assert table["precision · one"][place].endswith(f"of {len(words.system):,}") or not len(words.system)
        assert table["recall · one"][place].endswith(f" · {len(words.correct):,}") or not len(words.gold)
        for score, rows in ((PRECISION, words.false), (RECALL, words.missed),
                            (F1, np.union1d(words.false, words.missed))):  # fmt: skip
            link = ("measured", score, "relation", words.relation, "one")
            assert is_opening(link)
            assert opened_words(*text[:2], found, link)[0].tolist() == rows.tolist()
    chart = accuracy_chart(found, "relation", F1)
    assert [series.name for series in chart.picture.series] == ["one", "two"]
    scores = {words.relation: words.score.f1 for words in relations}
    for name, share, low, high in zip(chart.groups, *(getattr(chart.picture.series[0], each)
                                      for each in ("shares", "low", "high")), strict=True):  # fmt: skip
        assert share == pytest.approx(scores[name]) and (low is None or low <= share <= high)


def test_links_to_what_is_not_there_open_the_usual_words(text, found):
    usual = opened_words(*text[:2], found, None)[0].tolist()
    for link in (
        ("measured", LAS, "colour", "DET", "one"),
        ("measured", LAS, "tag", "no such tag", "one"),
        ("measured", F1, "relation", "nsubj", "attach left"),
        ("tested", UAS, "tag", "no such tag", "one", "two"),
        ("tested", UAS, "tag", "DET", "one", "three"),
    ):
        assert is_opening(link) and opened_words(*text[:2], found, link)[0].tolist() == usual
    assert not is_opening(("measured", "colour", "tag", "DET", "one"))
    assert not is_opening(("tested", UAS, "tag", "DET", "one"))


@pytest.mark.parametrize(("measure", "pairs"), [(UAS, 3), (LAS, 1)])
def test_every_group_is_tested_and_opens_the_words_that_decide(text, found, measure, pairs):
    groups = groups_by(found, "distance", measure)
    tests = group_tests(found, groups, measure)
    assert len(tests) == pairs * len(groups)
    table = difference_table(tests)
    assert ("one" in table) == (pairs > 1) and len(table["adjusted"]) == len(tests)
    assert f"{len(tests)} comparisons" in difference_note(tests, measure) and "Holm 1979" in difference_note(
        tests, measure
    )
    for test in tests:
        link = ("tested", measure, "distance", test.group, test.one, test.other)
        rows, _ = opened_words(*text[:2], found, link)
        assert len(rows) == test.only_one + test.only_other


def test_filtered_words_are_tested_unless_they_were_chosen_by_the_outcome(text, found):
    workspace, corpus, _ = text
    nouns = filtered(workspace, corpus, found, WordFilter((("tag", ("NOUN",)),)))
    tests = filter_tests(nouns)
    assert [test.words for test in tests] == [len(nouns.comparison.scored)] * 3 and not not_tested(nouns)
    assert "kind" not in difference_table(tests)
    rows, title = opened_words(workspace, corpus, nouns, ("tested", UAS, FILTERED, FILTERED, "one", "two"))
    first = next(test for test in tests if (test.one, test.other) == ("one", "two"))
    assert len(rows) == first.only_one + first.only_other > 0 and title.startswith("Words that only one or only two")
    chosen = filtered(workspace, corpus, found, WordFilter(wrong="one"))
    assert "not tested" in not_tested(chosen)


def test_groups_of_the_project_are_tested_on_their_words(text, found):
    workspace, corpus, _ = text
    save_group(workspace, corpus, "short", by_lengths(1, 10))
    tallies, _ = group_tallies(workspace, corpus, found)
    (group,) = groups_of_tallies(found, tallies)
    tests = group_tests(found, [group])
    assert {test.words for test in tests} == {group.words} and group.words == tallies[0].counts["one"][1]
    rows, title = opened_words(workspace, corpus, found, ("tested", UAS, "group", "short", "one", "two"))
    assert len(rows) == tests[0].only_one + tests[0].only_other and "Words of short" in title


def test_a_parse_keeps_its_place_while_others_come_and_go():
    first = kept_places(["a", "b"], {})
    assert first == {"a": 0, "b": 1}
    alone = kept_places(["b"], first)
    assert alone["b"] == 1
    more = kept_places(["c", "b"], alone)
    assert more["b"] == 1 and more["c"] == 0
    back = kept_places(["a", "b", "c"], more)
    assert (back["c"], back["b"]) == (0, 1) and back["a"] == 2  # c, which stayed, holds the former place of a
    assert len({back[name] for name in "abc"}) == 3
    four = kept_places(["d", "c", "b", "a"], back)
    assert sorted(four[name] for name in "abcd") == list(range(len(STYLES)))
    assert all(four[name] == back[name] for name in "abc")


def test_the_blue_of_own_trees_belongs_to_no_parse(found):
    assert "gold" not in dict(STYLES)
    places = {"one": 2, "two": 3, "attach left": 0}
    chart = accuracy_chart(found, "tag", UAS, places)
    assert [series.style[0] for series in chart.picture.series] == [STYLES[places[name]][0] for name in found.names]
    index = next(index for index in range(found.sentences) if index % 3 == 0)
    for above, below in (("one", "two"), (beside.OWN, "two"), ("attach left", "one")):
        drawing = tables.draw_two(found, above, below, index, places=places)
        kinds = [STYLES[places[name]][0] if name in places else "gold" for name in (above, below)]
        assert {arc.kind for arc in drawing.arcs} <= {"plain", *kinds}
        assert {(kinds[0], above), (kinds[1], below)} >= {(kind, words) for kind, _, words in drawing.legend if
                                                         kind != "plain" and words in (above, below)}  # fmt: skip


def test_names_above_a_chart_by_frequency_do_not_overlap(found):
    chart = accuracy_chart(found, FREQUENCY)
    places = np.log10(chart.picture.words)
    pixels = PLOT * (places - places.min()) / np.ptp(places)
    rows = {}
    for name, x, height in zip(chart.picture.names, pixels, chart.label_heights, strict=True):
        rows.setdefault(height, []).append((x - widest(name, LABEL_SIZE) / 2, x + widest(name, LABEL_SIZE) / 2))
    assert len(rows) > 1 and min(rows) > 103  # above all points
    for spans in map(sorted, rows.values()):
        assert all(end < begin for (_, end), (begin, _) in pairwise(spans))


def test_files_have_whole_names_and_a_value_in_every_column(found):
    chart = accuracy_chart(found, "relation", LAS)
    shown = re.findall(r">([^<]+)</text>", chart.svg())
    assert set(chart.picture.names) <= set(shown) and not any("…" in name for name in shown)
    header, *rows = csv.reader(io.StringIO(chart.csv()))
    assert all(len(name) < 15 for name in header) and all(row[header.index("percent of")] for row in rows)
    assert {row[header.index("percent of")] for row in rows} == {
        "Heads and relations right, by relation, with punctuation"
    }


def test_places_of_words_that_are_gone_leave_a_list():
    text = Treebank.from_sentences([{"forms": ["del", "port"]}] * 3)
    parses = SimpleNamespace(comparison=SimpleNamespace(text=text.select([0, 2])))
    places = ((2, 2), (2, 3), (0, 3), (1, 1), (0, 1))  # the second sentence is not compared; words were joined since
    assert with_places(parses, np.array([1, 2]), places).tolist() == [5, 1, 2]
