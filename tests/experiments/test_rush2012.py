"""The parts of the experiments on made-up text, and what reads the real one."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.consistency.learning import LearningSettings
from core.experiments import run_experiment
from core.experiments.experiment import Environment
from core.experiments.rush2012 import analysis, effects, learning
from core.experiments.rush2012.accuracy import COUNTERPARTS, means
from core.experiments.rush2012.figures import SIGNIFICANT_AT_500, SIZES, TABLE_2, TABLE_3, TABLE_4
from core.experiments.rush2012.systems import run_systems
from core.experiments.rush2012.texts import (
    LANGUAGES,
    TEST_WORDS,
    Texts,
    domain_texts,
    language_texts,
    last_words,
    shortened,
)
from core.parsers.self_training import concatenate
from core.treebank import Treebank
from tests.filled import filled


def text(count, forms=("the", "dog", "saw", "a", "cat"), heads=(2, 3, 0, 5, 3)):
    sentence = {"forms": list(forms), "xpos": ["DT", "NN", "VBD", "DT", "NN"], "heads": list(heads)}
    return Treebank.from_sentences([sentence] * count)


def test_the_papers_error_reductions_follow_from_its_accuracies():
    parsing = [(row, 0.15) for table in (TABLE_2, *TABLE_3.values()) for row in table.values()]
    tagging = [(row, 0.2) for table in TABLE_4.values() for row in table.values()]
    for (base, *_, model, reduction), error in filled(parsing + tagging):
        assert 100 * (model - base) / (100 - base) == pytest.approx(reduction, abs=error)
    assert all(tuple(row) == SIZES for row in TABLE_4.values())
    assert {language.name for language in LANGUAGES} == set(TABLE_3)
    assert set(SIGNIFICANT_AT_500) < set(TABLE_3)


def test_the_last_words_are_the_fewest_last_sentences():
    lengths = [len(part) for part in last_words(text(4), 6)]
    assert lengths == [5, 5]
    assert len(last_words(text(4), 5)) == 1
    assert len(last_words(text(4), 0)) == 0


def test_only_a_glance_is_short(tmp_path):
    long = text(1000)
    assert shortened(Environment(tmp_path), long) is long
    assert shortened(Environment(tmp_path, quick=True), long).token_count == 4000


def test_a_row_compares_all_systems(tmp_path):
    texts = Texts("made up", text(6), text(4))
    outcome = run_systems(Environment(tmp_path), texts)
    row = outcome.row((70.0, 71.0, 73.0, 10.0))
    assert row["base"] == row["ours"] == row["self_trained"] == 100.0
    assert row["error_reduction"] is None and row["p_value"] == 1.0
    assert (row["paper_base"], row["paper"]) == (70.0, 73.0)
    assert run_systems(Environment(tmp_path), texts, self_training=False).row(None)["paper"] is None


def test_means_are_over_settings_that_the_paper_has():
    names = "base", "self_trained", "ours", "error_reduction"
    rows = [dict.fromkeys(names, value) for value in (1.0, 3.0, 100.0)]
    for row, paper in zip(rows, (5.0, 7.0, None), strict=True):
        row |= dict.fromkeys(("paper_base", "paper_self_trained", "paper", "paper_error_reduction"), paper)
    assert [(each["ours"], each["paper"], each["settings"]) for each in means(rows)] == [(2.0, 6.0, 2)] * 4


def test_spanish_is_filled_up_from_the_end(shared_data):
    texts = language_texts(Environment(shared_data), LANGUAGES[2])
    assert TEST_WORDS <= texts.test.token_count < TEST_WORDS + 150
    trained = {" ".join(sentence.forms) for sentence in texts.train.limit(500) if len(sentence) > 10}
    assert not trained & {" ".join(sentence.forms) for sentence in texts.test}


def test_domains_do_not_overlap(shared_data):
    statements, questions, flights = domain_texts(Environment(shared_data))
    assert (len(questions.train), len(statements.test)) == (763, 763 + 164)
    assert all("?" in "".join(sentence.forms) for sentence in questions.train)
    assert flights.tags == "upos" and flights.train is statements.train
    assert np.all(flights.test.heads[flights.test.offsets[:-1]] == -1)


def test_table1_stands_beside_the_papers(shared_data):
    rows = run_experiment("rush2012-table1", shared_data)["rows"]
    shares = [row["ours"] for row in rows[:4]]
    assert shares == sorted(shares, reverse=True)
    assert [row["paper"] for row in rows[:4]] == [66.8, 57.9, 46.8, 33.3]
    assert all(inside["ours"] > every["ours"] for every, inside in zip(rows[:4], rows[4:], strict=True))


@pytest.fixture
def made_up(monkeypatch):
    """Every experiment reads the same few sentences; training saw fewer, so that trees are not all right."""
    odd = text(2, ("a", "cat", "ran", "the", "dog"), (2, 3, 0, 3, 4))
    texts = Texts("statements -> questions", concatenate(text(3), odd), concatenate(odd, text(3)))
    back = Texts("questions -> statements", texts.test, texts.train)
    statistics = dict.fromkeys(("released_share", "certified_share"), 50.0)
    for module in (analysis.texts, effects):
        monkeypatch.setattr(module, "domain_texts", lambda env: (texts, back))
    monkeypatch.setattr(analysis.texts, "language_texts", lambda env, language: texts)
    monkeypatch.setattr(analysis.texts, "sizes", lambda env, train: ([4], {}))
    tagged = SimpleNamespace(statistics=lambda: statistics)
    monkeypatch.setattr(analysis, "tagged", lambda env: [(4, tagged, None, texts.test)])


def test_the_most_effective_contexts_stand_beside_the_papers(made_up, tmp_path):
    rows = effects.table5(Environment(tmp_path)).rows
    assert [row["paper"] for row in rows[:2]] == ["WRB VBP", "DT JJS NN IN"]
    assert len(rows) == 2 * effects.SHOWN
    changed = effects.figure4(Environment(tmp_path)).rows
    assert [row["why"] for row in changed] == ["consistency corrects and harms no head here"]


def test_the_analysis_and_its_figure(made_up, tmp_path):
    rows = {row["name"]: row for row in analysis.analysis(Environment(tmp_path, quick=True)).rows}
    assert rows["% of sentences certified, tagging"]["ours"] == 50.0
    assert rows["contexts on 25,000 words, lightly supervised"]["paper"] == 3298
    assert rows["time in passes, parsing"]["least"] >= 1
    found = analysis.figure3(Environment(tmp_path, quick=True))
    curve = [row["English"] for row in found.tables["Percent of a pass, by iteration"]]
    assert curve and min(curve) > 0
    assert found.rows[0]["paper"] == 1.71


def test_learnt_bonuses_stand_beside_fixed_ones(made_up, tmp_path, monkeypatch):
    few = LearningSettings(2, learning.LEARNING.rate)
    monkeypatch.setattr(learning, "LEARNING", few)
    found = learning.together(Environment(tmp_path))
    rows = [row for row in found.rows if row["ours"] is not None]
    assert [row["name"] for row in rows] == ["statements -> questions 4"] * 5 + [*COUNTERPARTS]
    for row in filled(rows):
        assert row["delta1"] >= row["delta2"] >= row["delta3"] >= 0 and 0 <= row["p_value"] <= 1
        assert row["ours"] >= 0 and {"base", "fixed", "learnt_deltas", "ours_alone"} < row.keys()
    quick = learning.together(Environment(tmp_path, quick=True)).rows
    assert len(quick) == 2  # languages, and no domains
