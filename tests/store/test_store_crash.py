"""kill -9 at any moment: what was acknowledged is there, the log replays, runs are found again.

``WORKBENCH_TEST_KILLS=200`` kills two hundred times on each database instead of a few times.
"""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from core.store.projects import require_project
from tests.patience import wait_for
from tests.store.replaying import replayed

ROUNDS = int(os.environ.get("WORKBENCH_TEST_KILLS", 6))  # on each database

# Forks one worker for each line that it reads, because starting Python takes longer than what is tested.
COMMANDS = """
import os, sys
from core.store import Command, Store

def work():
    store = Store.open(sys.argv[1], busy_seconds=300)
    project = store.default_project()
    run = store.create_run(project, "ge", {})
    store.start_run(run)
    print(os.getpid(), run, flush=True)
    while True:
        value = store.document(project, "counter") or 0
        extra = store.document(project, "extra") or 0
        commands = Command("counter", "", value or None, value + 1), Command("extra", "", extra or None, value * 2 + 1)
        store.execute(project, *commands)
        if value % 3 == 2:
            store.undo(project)
            store.redo(project)
        if value % 8 == 7:
            store.add_corpus(project, "a text", os.urandom(20_000))
        store.append_trace(run, [{"iteration": value}])
        os.write(1, b"%d\\n" % (value + 1))  # in one piece: print may be killed between the number and the line's end

for line in sys.stdin:
    child = os.fork()
    if not child:
        work()
    os.waitpid(child, 0)
    print("dead", flush=True)
"""


@pytest.fixture
def workers(url):
    """A process that starts a worker on the store for each line written to it."""
    command = [sys.executable, "-c", COMMANDS, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.stdin.close()


def start(workers):
    """(number of the worker's process, its run)."""
    print(file=workers.stdin, flush=True)
    return map(int, workers.stdout.readline().split())


def kill(workers, number):
    """Kill a worker; returns what it acknowledged since it was last listened to."""
    os.kill(number, signal.SIGKILL)
    return [int(line) for line in iter(workers.stdout.readline, "dead\n")]


def settled(store):
    """The project, once a server has dealt with the command that the dead process sent last."""
    project = store.default_project()
    with store.database.write() as connection:
        return require_project(connection, project, lock=True)


def test_a_killed_process_loses_nothing_acknowledged(store, workers):
    rng = random.Random(2009)
    last = 0
    for _ in range(ROUNDS):
        number, run = start(workers)
        acknowledged = [int(workers.stdout.readline()) for _ in range(rng.randint(0, 6))]
        time.sleep(rng.uniform(0, 0.05))  # somewhere in the next command
        last = [last, *acknowledged, *kill(workers, number)][-1]
        project = settled(store)
        counter = store.document(project, "counter") or 0
        assert last <= counter <= last + 1  # at most the command under way is there unacknowledged
        if counter:
            assert store.document(project, "extra") == 2 * counter - 1  # both commands of the action, or neither
        assert replayed(store, project) == store.documents(project)
        history = store.history(project)
        assert [entry.number for entry in history] == list(range(len(history), 0, -1))
        assert all(entry.commands for entry in history)
        for corpus in store.corpora(project)[1:]:
            assert len(store.corpus_bytes(corpus.id)) == corpus.size == 20_000
        # its last transaction may still be ending on the server
        wait_for(lambda run=run: not store.recover() and store.run(run).status == "interrupted")
        assert {each.status for each in store.runs(project)} == {"interrupted"}
        last = counter
    assert last > 0 and len(store.runs(project)) == ROUNDS
    with store.database.read() as connection:
        if store.database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA integrity_check").all() == [("ok",)]


def test_a_second_live_process_keeps_its_runs(store, workers):
    number, run = start(workers)
    try:
        assert store.recover() == []
        assert store.run(run).status == "running"
    finally:
        kill(workers, number)
    assert store.recover() == [run]
