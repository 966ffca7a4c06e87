"""``--out -`` of commands that write a text, a parser or a copy: one rule for all of them."""

import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import core.__main__
from core.__main__ import main
from tests.commandline.conftest import FOUND

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


@pytest.fixture
def piped(monkeypatch):
    """piped(data): standard input holds these bytes."""

    def call(data):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return call


@pytest.mark.parametrize("words", [("corpus", "stats", "TREES"), ("corpus", "search", "TREES", "X [upos=NOUN]"),
                                   ("evaluate", "GOLD", "TREES"), ("corpus", "validate", "TREES")])  # fmt: skip
@pytest.mark.parametrize("change", [bytes, gzip.compress])
def test_standard_input_is_read_as_a_file_is(run, piped, trees, words, change):
    words = [str(trees) if word == "GOLD" else word for word in words]
    code = FOUND if "validate" in words else 0
    expected = run(*(str(trees) if word == "TREES" else word for word in words), code=code)
    piped(change(trees.read_bytes()))
    said = run(*("-" if word == "TREES" else word for word in words), code=code)
    assert said.split() == expected.replace(str(trees), "standard input").split()
    assert "/tmp" not in said.replace(str(trees), "")


def test_from_standard_input_to_standard_output(capsys, piped, trees):
    piped(trees.read_bytes())
    assert main(["corpus", "convert", "-", "--out", "-"]) == 0
    output = capsys.readouterr()
    assert output.out == trees.read_text("utf-8") and "written to standard output" in output.err


def test_a_pipe_is_read_as_a_file_is(run, trees, folder):
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=lambda: (folder / "pipe").write_bytes(trees.read_bytes()))
    writer.start()
    assert run("corpus", "stats", folder / "pipe", "--json")["tokens"] == 3
    writer.join()


def test_what_is_wrong_with_standard_input_is_said_of_it(run, piped):
    piped(b"1\tx\n")
    assert "standard input" in run("corpus", "stats", "-", "--format", "conllu", code=2)
    piped(b"")
    assert "- stands for two files" in run("evaluate", "-", "-", code=2)


@pytest.mark.parametrize("ending", ["gz", "xz", "zst", "zip"])
def test_what_is_packed_is_written_and_read(run, trees, folder, ending):
    for _ in range(2):
        run("corpus", "convert", trees, "--out", f"a.conllu.{ending}")
        data = (folder / f"a.conllu.{ending}").read_bytes()
        assert data != trees.read_bytes() and b"sleep" not in data[:20]
    assert run("corpus", "convert", f"a.conllu.{ending}", "--out", "-") == trees.read_text("utf-8")
    assert (folder / f"a.conllu.{ending}").read_bytes() == data
    (folder / "cut.conllu").write_bytes(data[:-9])
    said = run("corpus", "stats", "cut.conllu", code=2)
    assert "this file is packed, and damaged or cut short" in said or "damaged" in said


def test_an_ending_of_another_format_is_refused_before_the_work(run, trees, folder):
    for name in ("a.mrg", "a.xml", "a.jsonl", "a.tsv.gz", "a.docx", "a.conllu.bz2", "a.tar.gz"):
        assert "is that of a format which is not written" in run("corpus", "convert", trees, "--out", name, code=2)
        assert "is that of a format" in run("parse", trees, "--model", "english", "--out", name, code=2)
    run("corpus", "convert", trees, "--out", "a.txt")
    assert (folder / "a.txt").read_bytes() == trees.read_bytes()


def test_constraints_may_have_a_byte_order_mark_or_be_a_table(run, write, trees):
    plain = run("ge", "train", trees, "--constraints", write("c.txt", "DET <- NOUN = 0.9\n"), "--json")
    for name, text in (("b.txt", "\ufeffDET <- NOUN = 0.9\r\n"), ("c.csv", "\ufeffconstraint;low\nDET <- NOUN;0.9\n")):
        assert run("ge", "train", trees, "--constraints", write(name, text), "--json")["uas"] == plain["uas"]
    assert "c.csv" in run("ge", "train", trees, "--constraints", write("c.csv", "constraint;low\nDET;x\n"), code=2)
