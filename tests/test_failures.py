"""What nobody foresaw is one sentence with a number; the log has the traceback under that number."""

import re

from core.__main__ import main
from core.commandline import corpus
from core.failures import LOG, failure_sentence


def failed():
    try:
        raise RuntimeError("a secret of ours")
    except RuntimeError as error:
        return failure_sentence(error)


def test_the_log_has_the_traceback_under_the_number(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    sentences = [failed(), failed()]
    numbers = [re.search(r"under number (\d{8})$", sentence)[1] for sentence in sentences]
    assert numbers[0] != numbers[1] and "secret" not in sentences[0]
    log = (tmp_path / LOG).read_text(encoding="utf-8")
    first, second = log.index(f"failure {numbers[0]}"), log.index(f"failure {numbers[1]}")
    assert first < log.index("RuntimeError: a secret of ours") < second < log.rindex("RuntimeError: a secret of ours")


def test_without_a_place_for_the_log_it_is_in_the_output(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "file"))
    assert "the server's output has the details" in failed()
    assert "RuntimeError: a secret of ours" in capfd.readouterr().err


def test_a_command_that_fails_says_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setattr(corpus, "run_stats", lambda options: {}["a secret of ours"])
    (tmp_path / "a.conllu").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert main(["corpus", "stats", str(tmp_path / "a.conllu")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: the workbench failed, and nothing") and error.count("\n") == 1
    assert "a secret of ours" in (tmp_path / LOG).read_text(encoding="utf-8")
