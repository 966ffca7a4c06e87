"""What the README shows works."""

import re
from pathlib import Path

import pytest

from core import __version__
from core.__main__ import main
from core.constraints import parse_constraints
from core.guide import FOLDER
from tests.documents import blocks_of, run_python, targets

README = Path(__file__).parents[1] / "README.md"


def test_its_constraints_can_be_read():
    (lines,) = blocks_of(README, "constraints")
    assert len(parse_constraints(lines)) == 5


def test_its_commands_exist(capsys):
    commands = re.findall(r"^python -m core ([a-z ]+?) [\w.]+(?:/|\s)", README.read_text(encoding="utf-8"), re.M)
    assert len(commands) >= 6
    for command in commands:
        with pytest.raises(SystemExit) as stopped:
            main([*command.split(), "--help"])
        assert stopped.value.code == 0
    assert "usage" in capsys.readouterr().out


def test_its_tour_runs(tmp_path, monkeypatch, capsys):
    (tour,) = blocks_of(README, "python")
    monkeypatch.chdir(tmp_path)
    names = run_python(tour)
    assert (tmp_path / "learnt.conllu").exists() and (tmp_path / "parser.npz").exists()
    assert names["consistent"].certified.any() and names["grammar"].accuracy(names["test"])["uas"] > 0
    assert len(capsys.readouterr().out.splitlines()) > 20


def test_it_cites_what_the_guide_cites():
    entries = blocks_of(README, "bibtex")
    assert entries == blocks_of(FOLDER / "methods.md", "bibtex")
    papers = [name for name in re.findall(r"@\w+{(\w+),", "".join(entries)) if name != "parser"]
    assert papers == ["druck2009", "spitkovsky2010", "rush2012", "zhou2013", "shimizu2007", "ganchev2010"]
    assert f"version = {{{__version__}}}" in entries[0]


def test_its_links_lead_to_files():
    links = [link for link in targets(README.read_text(encoding="utf-8")) if ":" not in link]
    assert len(links) >= 3
    assert all((README.parent / link).is_file() for link in links)
