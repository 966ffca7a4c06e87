"""Filters combine: they leave what a word-by-word look leaves; charts and lists follow; nothing left is said."""

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest

from core.constraints.ge.baselines import attach_right
from core.errors import WorkbenchError
from core.evaluation.estimates import estimate
from core.workspace.applied import AvailableParse
from core.workspace.compare.accuracy import CHARTS, FREQUENCY, accuracy_chart
from core.workspace.compare.filters import WordFilter, filter_choices, filter_words, filtered
from core.workspace.compare.opening import opened_words
from core.workspace.compare.side_by_side import side_by_side
from core.workspace.compare.tables import ranked_table
from core.workspace.groups import by_lengths, save_group
from core.workspace.registry import Systems

OFFERS = [AvailableParse("left", "attach left"), AvailableParse("right", "attach right")]
NAMES = ["attach left", "attach right"]


@pytest.fixture
def found(workspace, sample):
    return side_by_side(Systems(workspace), sample, OFFERS)


def words_of(found):
    """(row, sentence, place) of every word that is compared."""
    text = found.comparison.text
    for row in found.comparison.scored.tolist():
        index = int(np.searchsorted(text.offsets, row, side="right")) - 1
        yield row, text[index], row - int(text.offsets[index])


def test_filters_leave_what_meets_all_of_them(workspace, sample, found):
    group = save_group(workspace, sample, "short", by_lengths(1, 10))
    kinds = (("tag", ("NOUN", "PRON")), ("relation", ("nsubj",)), ("distance", ("1", "2")))
    wanted = WordFilter(kinds, group=group.key, right="attach right", wrong="attach left")
    kept = filtered(workspace, sample, found, wanted)
    expected = [
        row
        for row, sentence, place in words_of(found)
        if sentence.upos[place] in ("NOUN", "PRON")
        and sentence.deprels[place] == "nsubj"
        and 1 <= abs(sentence.heads[place] - place) <= 2
        and sentence.heads[place] == place + 1 <= len(sentence) <= 10  # attach right is right, so attach left is not
    ]
    assert kept.comparison.scored.tolist() == expected != []
    rows, _ = opened_words(workspace, sample, kept, ("score", "words", "attach left", "UAS"))
    assert rows.tolist() == expected
    keys, table = ranked_table(kept)
    assert {key[1] for key in keys} <= {"NOUN", "PRON"} and sum(table["attach left"]) == len(expected)
    assert kept.comparison.scores == found.comparison.scores
    said = filter_words(wanted, filter_choices(found), "short")
    assert said == "tag NOUN or PRON · relation nsubj · distance 1 or 2 · group short · right in attach right · " \
        "wrong in attach left"  # fmt: skip


def test_filters_may_leave_nothing_and_a_group_may_be_gone(workspace, sample, found):
    nothing = WordFilter(right="attach left", wrong="attach left")
    assert not len(filtered(workspace, sample, found, nothing).comparison.scored)
    assert filtered(workspace, sample, found, WordFilter()) is found
    with pytest.raises(WorkbenchError, match="the group of words to filter by is gone"):
        filtered(workspace, sample, found, WordFilter(group="7/7"))


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_has_the_shares_and_intervals_of_every_group(found, kind):
    chart = accuracy_chart(found, kind)
    groups = {group.name: group for group in found.comparison.table(chart.by)}
    assert [series.name for series in chart.picture.series] == NAMES
    for series in chart.picture.series:
        for place, name in enumerate(chart.groups):
            group, low, high = groups[name], series.low[place], series.high[place]
            assert series.shares[place] == pytest.approx(100 * group.right[series.name].mean())
            if low is not None:
                assert low <= series.shares[place] <= high
    rows = list(csv.DictReader(io.StringIO(chart.csv())))
    assert len(rows) == 2 * len(chart.groups) and {row["kind"] for row in rows} == {chart.by}
    assert [int(row["right"]) for row in rows[: len(chart.groups)]] == list(chart.right[0])
    assert ElementTree.fromstring(chart.svg()).tag.endswith("svg")


def test_an_interval_counts_sentences_and_not_words(found):
    group = next(group for group in found.comparison.table("tag") if group.name == "NOUN")
    right, words = {}, {}
    for _, sentence, place in words_of(found):
        if sentence.upos[place] == "NOUN":
            words[sentence.index] = words.get(sentence.index, 0) + 1
            right[sentence.index] = right.get(sentence.index, 0) + (sentence.heads[place] == place + 1)
    expected = estimate(list(right.values()), list(words.values()))
    assert found.comparison.interval(group, "attach right") == expected


def test_a_chart_of_one_word_has_no_interval_and_says_so(workspace, add):
    tree = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    found = side_by_side(Systems(workspace), add("one.conllu", tree), OFFERS)
    chart = accuracy_chart(found, FREQUENCY)
    assert chart.groups == ("VERB",) and chart.picture.series[0].low == (None,)
    assert "none of so few" in chart.note and ElementTree.fromstring(chart.svg()) is not None
    assert attach_right(found.comparison.text).heads.tolist() == [-1, 0]
