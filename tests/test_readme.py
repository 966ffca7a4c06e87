"""What the README shows works."""

import re
import runpy
from pathlib import Path

import pytest

from core.__main__ import main
from core.constraints import parse_constraints

README = Path(__file__).parents[1] / "README.md"


def test_its_constraints_can_be_read():
    block = re.search(r"```\n(MD -> VB.*?)```", README.read_text(encoding="utf-8"), re.S).group(1)
    assert len(parse_constraints(block)) == 5


def test_its_commands_exist(capsys):
    commands = re.findall(r"^python -m core ([a-z ]+?) [\w.]+(?:/|\s)", README.read_text(encoding="utf-8"), re.M)
    assert len(commands) >= 6
    for command in commands:
        with pytest.raises(SystemExit) as stopped:
            main([*command.split(), "--help"])
        assert stopped.value.code == 0
    assert "usage" in capsys.readouterr().out


def test_its_tour_runs(tmp_path, monkeypatch, capsys):
    tour = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S).group(1)
    (tmp_path / "tour.py").write_text(tour, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path("tour.py")
    assert (tmp_path / "learnt.conllu").exists() and (tmp_path / "parser.npz").exists()
    assert names["consistent"].certified.any() and names["grammar"].accuracy(names["test"])["uas"] > 0
    assert len(capsys.readouterr().out.splitlines()) > 20
