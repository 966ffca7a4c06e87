"""Jobs of many runs: what is written, what is taken up again, and what is refused."""

import json
from dataclasses import asdict, dataclass

import pytest

from core.errors import WorkbenchError
from core.experiments.resumable import results_file, run_job


@dataclass(frozen=True)
class Doubled:
    number: int
    draw: int = 0

    @property
    def name(self):
        return f"number {self.number}"


def result(run):
    return {**asdict(run), "judged": 2.0 * run.number}


def test_a_job_goes_on_where_it_stopped(tmp_path):
    path, made, said = tmp_path / "results.json", [], []

    def counted(run):
        made.append(run)
        return result(run)

    runs = [Doubled(1), Doubled(2), Doubled(1, draw=1)]
    assert len(run_job(runs, counted, path, cancel=lambda: len(made) == 2)) == 2
    assert [found["number"] for found in json.loads(path.read_text())] == [1, 2]
    found = run_job(runs[::-1], counted, path, progress=said.append)
    assert [each["judged"] for each in found] == [2.0, 4.0, 2.0] and made == runs
    assert said == ["run 1 of 3, number 1: 2.0"] and not list(path.parent.glob(".writing-*"))


def test_another_file_is_refused(tmp_path):
    for text in ("{}", "[1]", "no json", '[{"number": 1}]'):
        (tmp_path / "other.json").write_text(text)
        with pytest.raises(WorkbenchError, match=r"other\.json holds no results of runs; name another file"):
            run_job([Doubled(1)], result, tmp_path / "other.json")


def test_other_contents_have_another_file(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    one, same, other = (results_file("table", "text", line) for line in ("A -> B", "A -> B", "B -> A"))
    assert one == same != other and one.parent == tmp_path / "experiments" == other.parent
    assert one.name.startswith("table-") and one.parent.is_dir()
