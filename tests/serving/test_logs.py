"""The log of a server: a JSON object a line, with who, where and how long, and without texts and secrets."""

import json
import logging

import pytest

from core.errors import StoreError, WorkbenchError
from core.jobs import Jobs
from core.serving.logs import OURS, write_log
from core.store import Store
from tests.patience import PATIENCE


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """lines() -> the objects in the log so far."""
    path = tmp_path / "server.log"
    monkeypatch.setenv("WORKBENCH_LOG", str(path))
    before = {name: logging.getLogger(name).level for name in OURS}
    handler = write_log()
    yield lambda: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    logging.getLogger().removeHandler(handler)
    handler.close()
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_a_job_is_one_line(lines, tmp_path):
    store = Store.open(f"sqlite:///{tmp_path / 'work.sqlite'}")
    project = store.default_project()
    store.set_role(project, "ana@x.org", "annotator")
    jobs = Jobs(store).on_behalf_of(store.on_behalf_of("ana@x.org"))
    run = jobs.start(project, "ge", {"text": "a secret"}, lambda job: ({"uas": 1.0}, None))
    assert jobs.wait(run, PATIENCE).status == "done"
    (line,) = [line for line in lines() if line["message"] == "run ended"]
    assert line.pop("time") and line.pop("seconds") >= 0
    assert line == {
        "level": "info", "logger": "core.jobs", "message": "run ended", "person": "ana@x.org", "project": project.id,
        "run": run, "kind": "ge", "status": "done",
    }  # fmt: skip
    assert jobs.tally() == {"done": 1, "running": 0, "queued": 0}


def test_what_errors_and_other_programs_say_is_left_out(lines, tmp_path):
    try:
        raise ValueError("the words of a text")
    except ValueError:
        logging.getLogger("core.jobs").exception("run %s failed", 7)
    logging.getLogger("core.jobs").warning("trace of run %s put off: %s", 7, StoreError("postgresql://ana:secret@x"))
    logging.getLogger("sqlalchemy").warning("INSERT the words of a text")
    logging.getLogger("sqlalchemy").info("not written")
    failed, put_off, other = lines()
    assert failed["message"] == "run 7 failed" and failed["error"] == "ValueError"
    assert failed["at"][-1].endswith("test_what_errors_and_other_programs_say_is_left_out")
    assert put_off["message"] == "trace of run 7 put off: StoreError"
    assert other["logger"] == "sqlalchemy" and other["message"].startswith("test_logs.")
    text = (tmp_path / "server.log").read_text()
    assert "words of a text" not in text and "secret" not in text


def test_without_a_place_nothing_is_written(monkeypatch):
    monkeypatch.delenv("WORKBENCH_LOG", raising=False)
    assert write_log() is None


def test_a_place_that_cannot_be_written(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # messages quote so many characters, and this path may be long
    monkeypatch.setenv("WORKBENCH_LOG", "nowhere/log")
    with pytest.raises(WorkbenchError, match=r"log .*nowhere.* cannot be written .*; name a file in WORKBENCH_LOG"):
        write_log()
