"""Engines: here and on a cluster the same results to the last bit, whoever dies; one sentence for what goes wrong."""

import asyncio
import json
import operator
import os
import signal
import subprocess
import sys
import threading
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.errors import Cancelled, WorkbenchError
from core.shards import Cluster, LocalEngine, pairwise_sum
from tests.patience import PATIENCE, wait_for
from tests.shards import work

ROOT = Path(__file__).parents[2]
GONE = "the cluster's scheduler is gone; start it again and run the same once more"


@pytest.fixture(params=["here", "cluster"])
def engine(request):
    return LocalEngine() if request.param == "here" else request.getfixturevalue("cluster")


def level_by_level(values):
    while len(values) > 1:
        pairs = [left + right for left, right in zip(values[::2], values[1::2], strict=False)]
        values = pairs + values[len(values) & ~1 :]
    return values[0]


@pytest.mark.parametrize("count", range(1, 41))
def test_a_sum_is_added_level_by_level(count):
    values = [work.Sum(number) for number in range(count)]
    assert pairwise_sum(iter(values)) == level_by_level(values)
    assert LocalEngine().sum(work.named, [str(number) for number in range(count)]) == level_by_level(values)


def test_a_sum_holds_few_values_at_a_time():
    alive = []

    class Value:
        def __init__(self):
            alive.append(self)

        def __add__(self, other):
            alive.remove(self)
            alive.remove(other)
            return Value()

    most = []
    pairwise_sum((most.append(len(alive)), Value())[1] for _ in range(1000))
    assert max(most) == 9 and len(alive) == 1


def test_a_cluster_adds_along_the_same_tree_to_the_bit(cluster):
    for count in (1, 2, 3, 7):
        pieces = [str(number) for number in range(count)]
        assert cluster.sum(work.named, pieces) == level_by_level([work.Sum(piece) for piece in pieces])
    pieces = range(53)
    values = [work.share(piece, 0.3) for piece in pieces]
    assert level_by_level(values) != sum(values)  # the order matters
    assert cluster.sum(work.share, pieces, 0.3) == LocalEngine().sum(work.share, pieces, 0.3) == level_by_level(values)


def test_what_is_shared_is_that_of_this_call_however_large(cluster):
    """Large things were once known to the scheduler by their parameter's name, and met those of the call before."""
    for value in range(6):
        found = dict(cluster.each(work.first_of, range(2), np.full(300_000, float(value))))
        assert found == {0: float(value), 1: float(value)}


def test_each_piece_is_worked_on_once_and_has_its_number(engine):
    pieces = [f"p{number}" for number in range(20)]
    found = list(engine.each(operator.add, pieces, "!"))
    assert sorted(found) == [(number, f"p{number}!") for number in range(20)]


def test_nothing_to_add_is_one_sentence(engine):
    with pytest.raises(WorkbenchError, match="there is nothing to add up; give a folder with at least one shard"):
        engine.sum(work.named, [])
    assert list(engine.each(work.named, [])) == []


def test_progress_counts_the_pieces(engine):
    for method in (engine.sum, lambda *arguments, **options: list(engine.each(*arguments, **options))):
        told = []
        method(operator.add, list(range(7)), 1, progress=lambda *state, told=told: told.append(state))
        assert told == [(number, 7) for number in range(1, 8)]


def test_an_error_of_the_function_arrives_and_nothing_is_left_behind(engine):
    for method in (engine.sum, lambda *arguments: list(engine.each(*arguments))):
        with pytest.raises(WorkbenchError, match=r"^piece 3 cannot be read$"):
            method(work.fail, range(8), 3)
        with pytest.raises(ZeroDivisionError):
            method(work.divide, range(8))
        assert sorted(engine.each(work.fail, range(3), 9)) == [(0, 0), (1, 1), (2, 2)]


def test_one_piece_at_a_time_is_asked_for_here():
    asked = []
    found = LocalEngine().each(lambda piece: asked.append(piece) or piece, range(9), cancel=lambda: len(asked) == 4)
    with pytest.raises(Cancelled):
        list(found)
    assert asked == [0, 1, 2, 3]


@pytest.mark.parametrize("method", ["each", "sum"])
def test_a_cluster_is_cancelled_though_its_workers_go_on(cluster, tmp_path, method):
    """The workers would never end by themselves."""
    begun = []

    def cancel():
        begun[:] = list(tmp_path.iterdir())
        return len(begun) > 0

    try:
        with pytest.raises(Cancelled):
            found = getattr(cluster, method)(work.patient, range(6), str(tmp_path), cancel=cancel)
            list(found)
        assert begun
    finally:
        (tmp_path / "go").touch()
    assert cluster.sum(operator.add, range(4), 1) == 10


def test_a_worker_takes_its_own_cores_only(cluster):
    assert dict(cluster.each(work.cores, range(4))) == dict.fromkeys(range(4), 1)


def test_a_worker_of_another_version_is_named(cluster, monkeypatch):
    monkeypatch.setattr("core.shards.engine.code_version", lambda: "0.0.1+other")
    with pytest.raises(WorkbenchError, match=r"the worker tcp://.* has version .*, not 0.0.1\+other; install the same"):
        cluster.sum(operator.add, range(3), 1)


def test_a_worker_that_lacks_the_code_is_one_sentence(cluster, monkeypatch):
    module = types.ModuleType("only_here")
    exec("def function(piece):\n    return piece", vars(module))
    monkeypatch.setitem(sys.modules, "only_here", module)
    for method in (cluster.sum, lambda *arguments: list(cluster.each(*arguments))):
        with pytest.raises(WorkbenchError, match=r"a worker lacks this code .*only_here.*; install the same version"):
            method(module.function, range(3))


def test_workers_that_are_killed_change_nothing(cluster, tmp_path):
    """Their pieces are worked on again, and what they had done counts once."""
    found = []

    def add_up():
        found.append(cluster.sum(work.patient, range(6), str(tmp_path)))

    def begun_besides(names):
        return {path.name for path in tmp_path.iterdir()} - names

    thread = threading.Thread(target=add_up, daemon=True)
    thread.start()
    killed = set()
    for _ in range(2):
        begun = wait_for(partial(begun_besides, killed))
        number = int(min(begun).partition(".")[0])
        os.kill(number, signal.SIGKILL)
        killed |= {name for name in begun if name.startswith(f"{number}.")}
    wait_for(partial(begun_besides, killed))
    (tmp_path / "go").touch()
    thread.join(PATIENCE)
    assert found == [tuple(range(6))]
    pieces = Counter(path.name.split(".")[1] for path in tmp_path.iterdir() if path.name != "go")
    assert all(pieces[name.split(".")[1]] > 1 for name in killed)


def test_workers_do_not_run_the_script_that_starts_them(tmp_path):
    """One that starts a cluster as it runs, with nothing that tells a worker not to."""
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from core.shards import Cluster\n"
        f"with Path({str(tmp_path / 'ran')!r}).open('a') as ran:\n"
        "    print('once', file=ran)\n"
        "with Cluster(workers=1) as cluster:\n"
        "    print(cluster.sum(abs, [-1, -2, -3]))\n"
    )
    done = subprocess.run(
        [sys.executable, script], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("6\n", "")
    assert (tmp_path / "ran").read_text() == "once\n"


def test_workers_of_our_own_that_do_not_come_are_one_sentence(monkeypatch):
    monkeypatch.setattr("core.shards.engine.sys.executable", "false")  # whose end is noticed
    with pytest.raises(WorkbenchError, match=r"this machine started no 2 workers; begin with fewer"):
        Cluster(workers=2)


def test_nobody_at_an_address_is_one_sentence(monkeypatch):
    monkeypatch.setattr("core.shards.engine.PATIENCE", 0.3)
    monkeypatch.setattr("distributed.Client", None)  # one that finds nobody would close itself at any later time
    for address in ("tcp://127.0.0.1:1", "nowhere", "tcp://no.such.host.invalid:8786", "xyz://a:1"):
        with pytest.raises(WorkbenchError, match=f"no cluster with a worker answers at {address}; start dask") as error:
            Cluster(address)
        assert "\n" not in str(error.value)


def test_nobody_is_said_in_a_notebook_too(monkeypatch):
    monkeypatch.setattr("core.shards.engine.PATIENCE", 0.3)

    async def cell():
        with pytest.raises(WorkbenchError, match=r"no cluster with a worker answers at tcp://127\.0\.0\.1:1; start"):
            Cluster("tcp://127.0.0.1:1")

    with ThreadPoolExecutor(1) as aside:  # this thread may have a loop of the browser's
        aside.submit(asyncio.run, cell()).result()


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkbenchError, match=r'pip install "parser-workbench\[cluster\]"'):
        Cluster(workers=2)


@contextmanager
def by_hand(folder, *command, path=ROOT):
    """A scheduler or a worker as somebody would start it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *command, "--no-dashboard"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=os.environ | {"PYTHONPATH": str(path)},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_a_scheduler_by_hand_serves_until_it_is_killed(tmp_path, monkeypatch):
    """Before that it has no worker, and one that lacks the code."""
    said, wait = tmp_path / "scheduler.json", tmp_path / "wait"
    wait.mkdir()
    begun = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(said))
    with by_hand(tmp_path, *begun) as scheduler:
        address = wait_for(lambda: said.exists() and said.read_text() and json.loads(said.read_text())["address"])
        with monkeypatch.context() as hurried:
            hurried.setattr("core.shards.engine.PATIENCE", 0.3)
            with pytest.raises(WorkbenchError, match=f"no cluster with a worker answers at {address}; start dask"):
                Cluster(address)
        monkeypatch.setattr("core.shards.engine.PATIENCE", PATIENCE)  # however long a worker takes to come
        worker = ("worker", address, "--nthreads", "1", "--no-nanny", "--death-timeout", str(PATIENCE))
        if not workbench_is_installed(tmp_path):  # else every worker has it
            lacking = pytest.raises(WorkbenchError, match=r"the worker tcp://.* lacks this code; install the")
            with by_hand(tmp_path, *worker, path=tmp_path), lacking:
                Cluster(address)
            wait_until_without_workers(address)
        with by_hand(tmp_path, *worker), Cluster(address) as cluster:
            assert cluster.sum(work.share, range(9), 0.3) == LocalEngine().sum(work.share, range(9), 0.3)
            killer = threading.Thread(target=lambda: wait_for(lambda: any(wait.iterdir())) and scheduler.kill())
            killer.start()
            with pytest.raises(WorkbenchError, match=GONE):
                cluster.sum(work.patient, range(3), str(wait))
            killer.join(PATIENCE)
            with pytest.raises(WorkbenchError, match=GONE):
                cluster.sum(work.share, range(3), 0.3)
            (wait / "go").touch()


def workbench_is_installed(place):
    """Whether every worker of this Python has the code."""
    command = [sys.executable, "-P", "-c", "import core.errors"]
    return subprocess.run(command, cwd=place, env={}, capture_output=True).returncode == 0


def wait_until_without_workers(address):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        wait_for(lambda: not client.scheduler_info()["workers"])
