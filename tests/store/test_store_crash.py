"""kill -9 at any moment: what was acknowledged is there, the log replays, runs are found again."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

from core.store import Store

ROUNDS = 4

COMMANDS = """
import sys
from core.store import Command, Store
store = Store.open(sys.argv[1])
project = store.default_project()
run = store.create_run(project, "ge", {})
store.start_run(run)
print(run, flush=True)
while True:
    value = store.document(project, "counter") or 0
    extra = store.document(project, "extra") or 0
    commands = Command("counter", "", value or None, value + 1), Command("extra", "", extra or None, value * 2 + 1)
    store.execute(project, *commands)
    if value % 3 == 2:
        store.undo(project)
        store.redo(project)
    store.append_trace(run, [{"iteration": value}])
    print(value + 1, flush=True)
"""


def start(url):
    return subprocess.Popen([sys.executable, "-c", COMMANDS, url], stdout=subprocess.PIPE, text=True)


def test_a_killed_process_loses_nothing_acknowledged(url, tmp_path):
    rng = random.Random(2009)
    runs = []
    for _ in range(ROUNDS):
        worker = start(url)
        runs.append(int(worker.stdout.readline()))
        for _ in range(rng.randint(1, 20)):
            worker.stdout.readline()
        time.sleep(rng.uniform(0, 0.02))
        worker.send_signal(signal.SIGKILL)
        acknowledged = [int(line) for line in worker.communicate()[0].split()]
        store = Store.open(url)
        project = store.default_project()
        counter = store.document(project, "counter")
        if acknowledged:
            assert acknowledged[-1] <= counter <= acknowledged[-1] + 1
        assert store.document(project, "extra") == 2 * counter - 1  # both commands of the action, or neither
        assert store.replay(project) == store.documents(project)
        numbers = [entry.number for entry in store.history(project)]
        assert numbers == list(range(len(numbers), 0, -1))
        assert store.recover() == [runs[-1]]
        assert {run.status for run in store.runs(project)} == {"interrupted"}
        store.close()
        with closing(sqlite3.connect(tmp_path / "work.sqlite")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert runs == list(range(1, ROUNDS + 1))


def test_a_second_live_process_keeps_its_runs(url):
    worker = start(url)
    try:
        run = int(worker.stdout.readline())
        store = Store.open(url)
        assert store.recover() == []
        assert store.run(run).status == "running"
    finally:
        worker.kill()
        worker.communicate()
    assert store.recover() == [run]
