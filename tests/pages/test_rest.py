"""A server that nobody uses any more lets go what it keeps for them."""

import asyncio
import logging

import pytest

from core.errors import StoreError
from core.workspace.idle import IdleTimer
from pages.shared import rest as resting
from pages.shared.examples import examples
from tests.asgi import result_of
from tests.patience import wait_for


@pytest.fixture
def tabs(monkeypatch):
    """How many are open, to be changed."""
    tabs = [1]
    monkeypatch.setattr(resting, "open_tabs", lambda: tabs[0])
    return tabs


def test_what_is_kept_is_let_go_once_all_have_left(workbench, tabs, monkeypatch):
    example = examples().system_of("consensus").workspace
    monkeypatch.setattr(resting, "open_workspace", lambda: workbench)
    rest, caches = IdleTimer(patience=0), (workbench.cache, example.cache)
    for cache in caches:
        cache.get("texts", 1, lambda: "text")
    resting.look(rest)
    assert all(len(cache) for cache in caches)
    tabs[0] = 0
    resting.look(rest)
    assert not any(len(cache) for cache in caches) and not rest.is_waiting


def test_it_does_not_rest_while_a_job_runs(workbench, tabs, monkeypatch):
    monkeypatch.setattr(resting, "open_workspace", lambda: workbench)
    rest, jobs = IdleTimer(patience=0), workbench.jobs
    resting.look(rest)
    tabs[0] = 0

    def work(job):
        wait_for(job.cancelled)

    run = jobs.start(workbench.store.default_project(), "waiting", {}, work)
    wait_for(lambda: jobs.tally()["running"])
    resting.look(rest)
    assert rest.is_waiting
    jobs.cancel(run)
    jobs.wait(run)
    resting.look(rest)
    assert not rest.is_waiting


def test_a_store_that_does_not_open_is_for_pages_to_say(tabs, monkeypatch, caplog):
    def gone():
        raise StoreError("the database is gone")

    monkeypatch.setattr(resting, "open_workspace", gone)
    rest = IdleTimer(patience=0)
    resting.look(rest)
    tabs[0] = 0
    with caplog.at_level(logging.WARNING):
        resting.look(rest)
    assert "whether anybody is here is not known" in caplog.text


def test_the_server_looks_now_and_then(tabs, monkeypatch):
    looks = []
    monkeypatch.setattr(resting, "LOOK", 0)
    monkeypatch.setattr(resting, "look", looks.append)

    async def serve():
        async with resting.resting():
            while len(looks) < 3:
                await asyncio.sleep(0)

    result_of(serve())
    assert len({id(each) for each in looks}) == 1
