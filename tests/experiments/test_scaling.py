"""Growing numbers of trees, with lines and additions: its runs, its rows and its picture, on a few made-up trees."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.__main__ import main
from core.constraints import GrammarSettings
from core.experiments import run_experiment
from core.experiments.beyond import languages, lines, scaling, scaling_benchmark, scaling_papers
from core.experiments.beyond.scaling_additions import ADDITIONS, Materials, possible
from core.experiments.beyond.scaling_benchmark import (
    LINES,
    MARKED,
    SUPERVISED,
    TOGETHER,
    VOTED,
    ScalingBenchmark,
    ScalingRun,
)
from core.experiments.beyond.scaling_datasets import PREDICTED, WSJ, ScalingDataset, scaling_dataset
from core.experiments.beyond.scaling_intervals import half_width, trees_alone
from core.experiments.experiment import Environment
from core.experiments.spitkovsky2010.texts import Marked
from core.treebank import Treebank, write_conllu
from core.trees.brackets import Bracket
from tests.experiments.texts import PHRASES, UNIVERSAL, treebank

SHORT = GrammarSettings(words="no", lengths=(20,), iterations=(1,), vote_iterations=1, price=0.0, epochs=1)


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """A folder with thirty sentences for the WSJ sample, learners that take a moment, and results of their own."""
    path = tmp_path / lines.PHRASES
    path.parent.mkdir(parents=True)
    path.write_text(PHRASES * 10, encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(scaling_benchmark, "SETTINGS", SHORT)
    monkeypatch.setattr(scaling_benchmark, "EPOCHS", 2)
    monkeypatch.setattr(scaling, "QUICK_SIZES", (3, 5, 50))
    return tmp_path


def test_the_curve_has_a_row_for_each_size_and_a_picture(journal, capsys):
    figure = journal / "figure.svg"
    named = ["reproduce", "beyond-ladder-wsj", "--data", str(journal), "--quick", "--json", "--figure", str(figure)]
    assert main(named) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    kinds = product(("blind", "turned"), (3, 5))  # six to draw from
    assert [row["name"] for row in rows] == [f"WSJ, {lines} lines, {size} trees" for lines, size in kinds]
    assert all(0 <= row[key] <= 100 for row in rows for key in ("ours", "supervised", "with_marks", "lines"))
    assert all(row["interval"] is None for row in rows)  # of one draw
    best = [max(row[key] for key in ("supervised", "with_marks", "lines", "lines_with_votes")) for row in rows]
    assert [row["ours"] - row["gain"] for row in rows] == pytest.approx(best)
    assert figure.read_text(encoding="utf-8").startswith("<svg") and "lines and trees" in figure.read_text()


def test_results_that_are_there_are_not_made_again(journal, monkeypatch):
    first = run_experiment("beyond-ladder-wsj", journal, quick=True)
    monkeypatch.setattr(ScalingBenchmark, "parsed", lambda *_: pytest.fail("trained again"))
    assert run_experiment("beyond-ladder-wsj", journal, quick=True)["rows"] == first["rows"]


def test_no_picture_is_written_where_there_is_none(journal, capsys):
    assert main(["reproduce", "beyond-lines", "--data", str(journal), "--figure", "x.svg"]) == 2
    assert (
        "beyond-lines has no picture; leave out --figure, or choose one of druck2009-figure1" in capsys.readouterr().err
    )


def test_trees_are_drawn_from_what_is_not_scored_and_nothing_else_is_told(journal):
    dataset = scaling_dataset(Environment(journal), WSJ)
    drawn = dataset.drawn(4, 1)
    assert not dataset.test[drawn].any() and dataset.pool == 6 and len(set(drawn.tolist())) == 4
    assert drawn.tolist() == dataset.drawn(4, 1).tolist() != dataset.drawn(4, 2).tolist()
    assert (dataset.text.heads == -1).all()
    known, given = dataset.heads_of(drawn), np.repeat(np.isin(np.arange(30), drawn), dataset.text.lengths + 1)
    assert (known[~given] == -1).all() and (known[given] == dataset.heads[given]).all()
    whole = dataset.text.with_heads(dataset.heads).without_punctuation()
    assert (whole.heads == dataset.trees.heads).all()


def test_predicted_tags_are_those_of_text_and_trees(journal):
    dataset = scaling_dataset(Environment(journal), WSJ, PREDICTED)
    words = dataset.text.without_punctuation()
    assert [sentence.xpos for sentence in words] == [sentence.xpos for sentence in dataset.trees]
    assert 50 < dataset.right_tags <= 100


def test_cells_come_draw_by_draw(journal):
    env = Environment(journal)
    dataset = scaling_dataset(env, WSJ)
    runs = scaling.curve_runs(env, dataset, (2, 6, 7))
    assert [run.draw for run in runs] == sorted(run.draw for run in runs)
    assert len(set(runs)) == len(runs) == 4 + 3 * 2 * 4  # seven trees are not there
    assert {run.does for run in runs} == {LINES, VOTED, SUPERVISED, MARKED, TOGETHER}


def test_every_addition_is_made_once_of_trees_and_of_lines_and_trees_where_it_can_be(journal, monkeypatch):
    web = scaling_dataset(Environment(journal), WSJ).trees.limit(12)
    page = Treebank.from_sentences([{"forms": ["the", "cat", "saw"], "xpos": ["DT", "NN", "VBD"]}] * 3)
    monkeypatch.setattr(Materials, "trees", web)
    monkeypatch.setattr(Materials, "pages", Marked(page, [[Bracket(1, 3)]] * 3))
    monkeypatch.setattr(scaling, "LANGUAGES", ())
    monkeypatch.setattr(scaling, "QUICK_SIZES", (6,))
    rows = scaling.additions(Environment(journal, quick=True)).rows
    assert len(rows) == 2 * len(ADDITIONS) - 2
    assert all(row["gain"] == pytest.approx(row["ours"] - row["base"]) for row in rows)
    assert possible(ScalingRun("German", "gold", "", 5, 0, TOGETHER, "pages")) == "pages and web treebank are English"
    refused = [possible(ScalingRun(WSJ, "gold", "", 5, 0, TOGETHER, added)) for added in ADDITIONS]
    assert list(filter(None, refused)) == ["parsers of two domains or schemes read no lines"] * 2


def test_gains_are_over_the_better_of_the_two_alone():
    dataset, place = ScalingDataset("X", "gold", "xpos", *[None] * 3, {"some": []}), ("X", "gold")
    scores = {ScalingRun(*place, "some", 0, 0, LINES): 60.0, ScalingRun(*place, "some", 0, 0, VOTED): 64.0}
    for size, alone, ours in ((10, (50, 54), (66, 68)), (40, (70, 74), (71, 77))):
        for draw in (0, 1):
            scores |= {ScalingRun(*place, "", size, draw, does): alone[draw] for does in (SUPERVISED, MARKED)}
            scores[ScalingRun(*place, "some", size, draw, TOGETHER)] = ours[draw]
    few, many = scaling.curve_rows(scores, dataset, "some", (10, 40), (0, 1))
    assert (few["ours"], few["supervised"], few["gain"], many["gain"]) == (67, 52, 3, 2)
    assert few["worth"] == round(10 * 4**0.75) and many["worth"] is None  # 67 is three quarters of the way to 72
    assert many["gain_interval"] == pytest.approx(12.706, abs=1e-3)  # 1 and 3: t of one degree of freedom


def test_intervals_by_hand():
    assert half_width([70.0]) is None
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.3027 / np.sqrt(3), abs=1e-3)  # t of two degrees of freedom
    assert trees_alone({10: 60.0, 100: 80.0}, 80.0) == 100 and trees_alone({10: 60.0, 100: 80.0}, 59.0) is None


def test_languages_have_universal_lines_and_those_of_word_order(journal):
    (journal / "ud").mkdir()
    for language in languages.LANGUAGES:
        for file in language.files if language.name in scaling.LANGUAGES else ():
            write_conllu(treebank(*UNIVERSAL * 8), journal / file)
    found = run_experiment("beyond-ladder-languages", journal, quick=True)
    names = [f"{name}, universal and word order lines, {size} trees" for name in scaling.LANGUAGES for size in (3, 5)]
    assert [row["name"] for row in found["rows"]] == names
    assert found["picture"].count("lines alone") >= len(scaling.LANGUAGES)
    dataset = scaling_dataset(Environment(journal), "Turkish")
    assert len(dataset.lines["universal and word order"]) > 25


def test_the_parser_nearest_to_the_papers_and_the_best_one_get_what_the_paper_adds(tmp_path):
    made = []

    def result(weak):
        made.append(weak)
        judged = weak.epochs * 10.0 + (weak.adds != "alone")
        return {**vars(weak), "judged": judged, "base": weak.epochs * 10.0, "dev": weak.epochs * 10.0 + 1}

    candidates = [scaling_papers.Weak("rush2012", 100, 1, epochs, 0) for epochs in (5, 7, 8)]
    job = candidates, ["consistency x1"], (73.97, 75.27), result, tmp_path / "found.json"
    weak, best = scaling_papers.chosen_rows(Environment(tmp_path), *job)
    assert weak["name"] == "rush2012: 100 trees, order 1, 7 epochs + consistency x1" and best["base"] == 80
    assert (weak["gain"], weak["gain_interval"], weak["dev"]) == (1, 0, 71)
    assert weak["paper_gain"] == pytest.approx(1.3) and len(made) == 3 * 3 + 2 * 3


def test_consistency_of_a_weak_parser_is_scored_on_the_rest(journal):
    dataset = scaling_dataset(Environment(journal), WSJ)
    plain = scaling_papers.Weak("rush2012", 5, 1, 1, 0)
    alone = scaling_papers.scored_consistency(dataset, plain)
    added = scaling_papers.scored_consistency(dataset, replace(plain, adds="consistency x5"))
    assert alone["judged"] == alone["base"] == added["base"] and 0 <= added["judged"] <= 100
    assert alone["dev"] is not None and plain.name == "rush2012: 5 trees, order 1, 1 epoch, draw 1, alone"
