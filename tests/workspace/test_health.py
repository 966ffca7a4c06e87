"""A server is well where its store answers and each of its jobs has a thread."""

import threading

import pytest

from core.errors import StoreError
from core.workspace.health import HealthCheck, health
from tests.workspace.running import PATIENCE


def test_a_server_that_is_well(workspace):
    release = threading.Event()
    run = workspace.jobs.start(workspace.store.default_project(), "ge", {}, lambda job: release.wait(PATIENCE) and None)
    assert health(lambda: workspace) == {"database": True, "workers": True}
    release.set()
    assert workspace.jobs.wait(run, PATIENCE).status == "done"


def test_a_store_that_does_not_answer(workspace, caplog):
    def refuse():
        raise StoreError("The store is locked")

    assert health(refuse) == {"database": False, "workers": False}
    assert "The store is locked" in caplog.text


def test_a_job_whose_thread_could_not_start(workspace, monkeypatch, caplog):
    start = threading.Thread.start

    def none_left(thread):
        if thread.name.startswith("job-"):
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        with pytest.raises(RuntimeError, match="new thread"):
            workspace.jobs.start(workspace.store.default_project(), "ge", {}, lambda job: None)
    assert health(lambda: workspace) == {"database": True, "workers": False}
    assert "run 1 has no thread" in caplog.text


def test_while_the_store_gives_no_answer_one_thread_asks_for_all(workspace):
    answers, asked = threading.Event(), []

    def opened():
        asked.append(threading.current_thread())
        answers.wait(PATIENCE)
        return workspace

    examination = HealthCheck(opened)
    first = examination.ask()
    assert not first.cancel() and not first.done()  # one who goes takes nothing from the others
    assert all(examination.ask() is first for _ in range(10))
    answers.set()
    assert first.result(PATIENCE) == {"database": True, "workers": True}
    assert examination.ask().result(PATIENCE) == first.result() and len(asked) == 2


def test_what_nobody_foresaw_is_no_question_without_an_end(workspace):
    examination = HealthCheck(lambda: {}["nothing"])
    for _ in range(2):
        with pytest.raises(KeyError):
            examination.ask().result(PATIENCE)
