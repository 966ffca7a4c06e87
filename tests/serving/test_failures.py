"""What nobody foresaw is one sentence with a number; the log has the traceback under that number."""

import errno
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from core.commandline import corpus
from core.serving.failures import LOG, failure_sentence


def failed():
    try:
        raise RuntimeError("a secret of ours")
    except RuntimeError as error:
        return failure_sentence(error)


def test_the_log_has_the_traceback_under_the_number(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    sentences = [failed(), failed()]
    numbers = [re.findall(r"under number (\d{8})$", sentence)[0] for sentence in sentences]
    assert numbers[0] != numbers[1] and "secret" not in sentences[0]
    log = (tmp_path / LOG).read_text(encoding="utf-8")
    first, second = log.index(f"failure {numbers[0]}"), log.index(f"failure {numbers[1]}")
    assert first < log.index("RuntimeError: a secret of ours") < second < log.rindex("RuntimeError: a secret of ours")


def test_without_a_place_for_the_log_it_is_in_the_output(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "file"))
    assert "the server's output has the details" in failed()
    assert "RuntimeError: a secret of ours" in capfd.readouterr().err


def test_on_a_full_disk_the_details_are_in_the_output(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    (tmp_path / LOG).symlink_to("/dev/full")
    assert "the server's output has the details" in failed()
    said = capfd.readouterr().err
    assert "RuntimeError: a secret of ours" in said and "Logging error" not in said


@pytest.mark.parametrize("output", ["/dev/full", None])
def test_the_sentence_needs_no_disk_at_all(tmp_path, monkeypatch, output):
    """Nothing can be written: neither the log, nor the server's own output, nor the log of its lines."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    (tmp_path / LOG).symlink_to("/dev/full")
    monkeypatch.setattr(sys, "stderr", output and os.fdopen(os.open(output, os.O_WRONLY), "w", errors="strict"))
    monkeypatch.setattr(logging, "raiseExceptions", False)
    assert re.search(r"failed.*its details \(RuntimeError\) could be written nowhere: make room on the", failed())


def test_a_file_that_may_not_grow_is_no_place_for_details(tmp_path):
    """As where a quota ends: in a process of its own, whose files may have no byte."""
    code = """
import resource, sys
from tests.serving.test_failures import failed
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.stdout.write(failed())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], env=os.environ | {"WORKBENCH_HOME": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert "the server's output has the details" in done.stdout, done.stderr
    assert "RuntimeError: a secret of ours" in done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_named(number):
    error = OSError(number, os.strerror(number), "/a/place")
    assert failure_sentence(error).startswith("no room is left on the server's disk") and "/a/" not in failure_sentence(
        error
    )


def test_a_command_that_fails_says_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setattr(corpus, "run_stats", lambda options: {}["a secret of ours"])
    (tmp_path / "a.conllu").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert main(["corpus", "stats", str(tmp_path / "a.conllu")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: the workbench failed, and nothing") and error.count("\n") == 1
    assert "a secret of ours" in (tmp_path / LOG).read_text(encoding="utf-8")
