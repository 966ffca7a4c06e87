"""``--out -`` of commands that write a text, a parser or a copy: one rule for all of them."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import core.__main__
from core.__main__ import main

TREE = "the/DET/DT/2/det cats/NOUN/NN/3/nsubj sleep/VERB/VB/0/root"
SPLIT = 'pattern { X [form=cats] } commands { split X "cat" "s" }'


@pytest.fixture
def trees(write, conllu):
    return write("trees.conllu", conllu(TREE))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working folder, in which no file may come to be called -."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("words", [("corpus", "convert", "TREES"), ("corpus", "edit", "TREES", SPLIT),
                                   ("corpus", "search", "TREES", SPLIT),
                                   ("parse", "TREES", "--model", "universal"),
                                   ("tag", "TREES", "--model", "english")])  # fmt: skip
def test_what_a_file_would_have_is_written_to_standard_output(capsys, trees, folder, words):
    arguments = [str(trees) if word == "TREES" else word for word in words]
    assert main([*arguments, "--out", "out.conllu"]) == 0
    said = capsys.readouterr().out
    assert main([*arguments, "--out", "-"]) == 0
    output = capsys.readouterr()
    assert output.out == (folder / "out.conllu").read_text("utf-8")
    assert "written to standard output" in output.err and "written to out.conllu" in said


def test_a_parser_is_written_to_standard_output(capsysbinary, trees, folder):
    arguments = ["dmv", "train", str(trees), "--out"]
    assert main([*arguments, "model.npz"]) == 0
    capsysbinary.readouterr()
    assert main([*arguments, "-"]) == 0
    with np.load(io.BytesIO(capsysbinary.readouterr().out)) as written, np.load("model.npz") as expected:
        assert sorted(written) == sorted(expected)


def test_two_things_on_standard_output_are_refused(run, trees):
    said = run("corpus", "edit", trees, SPLIT, "--out", "-", "--json", code=2)
    assert "leave out one of them" in said
    several = ("parse", trees, "--model", "universal", "--kbest", "2", "--out", "-")
    assert "takes one file, and this writes several" in run(*several, code=2)


def test_nothing_is_written_by_a_command_that_fails(run, trees):
    assert "the request has no commands" in run("corpus", "edit", trees, "X [upos=NOUN]", "--out", "-", code=2)


def test_the_command_line_loads_what_reports_need_only_with_a_command():
    code = "import sys, core.__main__; sys.exit('core.commandline.reports' in sys.modules)"
    folder = Path(core.__main__.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=folder, check=False).returncode == 0
