"""``curve``: a table, a CSV, a figure, and one sentence where there is none."""

import csv

import pytest

from core.assets import ASSETS

SAMPLE = ASSETS / "sample" / "sample.conllu"
LINES = "DET <- NOUN = 0.95\nROOT -> VERB = 0.7\nADJ <- NOUN = 0.9\nADP <- NOUN = 0.9\n"


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text(LINES)
    return path


def test_a_curve_by_trees_is_measured_fitted_and_written(run, tmp_path):
    table, figure = tmp_path / "curve.csv", tmp_path / "curve.svg"
    asked = ("curve", SAMPLE, "--by", "trees", "--learner", "first-order", "--sizes", "5,20,80", "--draws", "2")
    found = run(*asked, "--out", table, "--figure", figure, "--accuracy", "99.9", "--json")
    assert (found["by"], found["learner"], found["scored_on"]) == ("trees", "first-order", "66 sentences held out")
    assert [(row["size"], row["extrapolated"]) for row in found["points"]] == [
        (5, False), (20, False), (80, False), (160, True), (320, True),
    ]  # fmt: skip
    means = [row["mean"] for row in found["points"][:3]]
    assert means == sorted(means) and 40 < means[0] < means[2] < 95
    assert found["gain"]["more"] == 80 and 0 < found["gain"]["low"] < found["gain"]["value"] < found["gain"]["high"]
    assert "not_known" in found["needed"]
    rows = list(csv.DictReader(table.open()))
    assert [float(row["mean"]) for row in rows[:3]] == pytest.approx(means)
    assert figure.read_text().startswith("<svg") and "extrapolated" in figure.read_text()
    said = run(*asked)
    assert "every fifth tree of" in said and "80 trees more than the 80 would bring about" in said
    assert "extrapolated" in said.splitlines()[7]


def test_a_curve_by_lines_scores_on_another_file(run, lines):
    found = run("curve", SAMPLE, "--by", "lines", "--constraints", lines, "--test", SAMPLE, "--limit", "40",
                "--draws", "1", "--sizes", "1,4", "--tags", "upos", "--json")  # fmt: skip
    assert found["scored_on"] == str(SAMPLE) and len(found["points"]) == 2
    assert found["fit"] is None and "needs 3 sizes" in found["gain"]["not_known"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "lines"), "give a file of them as --constraints"),
        (("--by", "trees", "--limit", "2"), "has 2 sentences with complete trees, and a curve needs 10"),
        (("--by", "trees", "--sizes", "10,1000"), "1,000 trees are asked for and there are 266"),
        (("--by", "trees", "--learner", "oracle"), "no learner by trees is called 'oracle'"),
    ],
)
def test_what_gives_no_curve_is_one_sentence(run, arguments, said):
    error = run("curve", SAMPLE, *arguments, code=2)
    assert said in error and error.count("\n") == 1


def test_lines_that_match_nothing_are_one_sentence(run, tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("form:zebra <- form:the = 0.5\n")
    error = run("curve", SAMPLE, "--by", "lines", "--constraints", path, code=2)
    assert "no word here is form:zebra" in error


def test_a_text_without_trees_is_one_sentence(run, tmp_path):
    path = tmp_path / "plain.conllu"
    path.write_text("1\tword\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n" * 30)
    assert "has 0 sentences with complete trees" in run("curve", path, "--by", "words", code=2)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [("--sizes", "20,10", "sizes that rise, such as 10,25,50"), ("--accuracy", "120", "invalid percentage value")],
)
def test_options_say_what_they_take(run, capsys, option, value, said):
    with pytest.raises(SystemExit):
        run("curve", SAMPLE, "--by", "trees", option, value)
    assert said in capsys.readouterr().err
