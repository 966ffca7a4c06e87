"""Experiments by name, their command, and one quick run of each family on the real treebanks."""

import json

import pytest

from core.__main__ import main
from core.constraints import parse_constraints
from core.errors import WorkbenchError
from core.experiments import EXPERIMENTS, run_experiment
from core.experiments.druck2009.english import SETS


def test_every_name_is_listed_and_loads(capsys):
    assert main(["reproduce", "--list", "--json"]) == 0
    listed = [each["name"] for each in json.loads(capsys.readouterr().out)["experiments"]]
    assert listed == [each.name for each in EXPERIMENTS]
    assert {"druck2009-figure1", "druck2009-table2"} <= set(listed)
    assert all(callable(each.load()) for each in EXPERIMENTS)


def test_bad_names_and_folders_are_said(tmp_path, capsys):
    with pytest.raises(WorkbenchError, match="there is no experiment 'table9'; choose one of druck2009-table1"):
        run_experiment("table9", tmp_path)
    with pytest.raises(WorkbenchError, match=r"there is no folder .*nowhere"):
        run_experiment("druck2009-table1", tmp_path / "nowhere")
    with pytest.raises(WorkbenchError, match=r"reads files that are not in .* \(WSJ sample, .*conllu, .*mrg\); give"):
        run_experiment("druck2009-table1", tmp_path)
    assert main(["reproduce"]) == 2
    assert "reproduce NAME [--data DIR]" in capsys.readouterr().err


@pytest.mark.parametrize("size", [14, 20])
def test_the_human_sets_hold_what_they_say(size):
    constraints = parse_constraints((SETS / f"human-{size}.txt").read_text(encoding="utf-8"))
    assert len({each.name for each in constraints}) == size
    assert {each.low for each in constraints} <= {0.1, 0.25, 0.5, 0.75, 1.0}
    assert all(each.distance is None and not each.conditions for each in constraints)


def test_short_english(shared_data, capsys):
    assert main(["reproduce", "druck2009-table1", "--data", str(shared_data), "--quick", "--json"]) == 0
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    ours = {(row["name"], row["preset"]): row["ours"] for row in data["rows"]}
    assert ours["GE full, Table 1", "best"] > 55
    assert {row["paper"] for row in data["rows"]} == {61.3}
    assert len([row for row in data["tables"]["Twenty constraints"] if row["ours"]]) == 20
    assert data["quick"] and data["seconds"] > 0
    assert "Table 1, best" in printed.err


def test_long_sentences(shared_data, capsys):
    assert main(["reproduce", "druck2009-table3", "--data", str(shared_data), "--quick", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    shares = [row for row in data["rows"] if row["kind"] == "head tag"]
    assert sum(row["ours"] for row in shares) == pytest.approx(1)
    assert sum(row["true"] for row in shares) == pytest.approx(1)
    assert len(data["tables"]["Commonest wrong arcs"]) == 10


def test_tables_are_shown_as_text(shared_data, capsys):
    assert main(["reproduce", "druck2009-figure2", "--data", str(shared_data), "--quick"]) == 0
    text = capsys.readouterr().out
    assert "DMV with structural annealing, best schedule" in text
    assert "66.7" in text
    assert "(quick)" in text
