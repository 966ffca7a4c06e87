"""What is called apart gives what it gives here, within limits, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import psutil
import pytest

from core.errors import Cancelled, FormatError, WorkbenchError
from core.processes import apart
from core.processes.apart import ApartLimits, ApartPool, call_apart
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
INSTEAD = "cut it into parts"
MUCH = ApartLimits(seconds=1, memory=1 << 28, instead=INSTEAD)
GRACE = ApartLimits(grace=600)


def call(name, arguments=None, parts=(), **how):
    return call_apart(f"tests.called_apart:{name}", arguments or {}, parts, doing="reading a.txt", **how)


@pytest.fixture(autouse=True)
def nothing_left():
    """Whatever a call comes to, its process is gone."""
    yield
    assert not [
        process for process in psutil.Process().children() if "core.processes.apart_worker" in process.cmdline()
    ]


def test_values_and_bytes_go_there_and_back():
    large = os.urandom(1 << 20)
    value, parts = call("reverse", {"times": 2}, [b"", large])
    assert value["times"] == 2 and value["process"] != os.getpid()
    assert parts == [large, b"", large, b""]


def test_what_is_refused_there_is_refused_here():
    with pytest.raises(FormatError, match=r"^line 3, word 2: this is no tree$") as found:
        call("refuse")
    assert (found.value.line, found.value.word, found.value.message) == (3, 2, "this is no tree")
    with pytest.raises(WorkbenchError, match=r"^this is no text; choose another$") as found:
        call("refuse_otherwise")
    assert type(found.value) is WorkbenchError
    with pytest.raises(RuntimeError, match=r"(?s)called_apart.*KeyError: 'nothing'"):
        call("fail")


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("work", {}, "reading a.txt took longer than 1 seconds; cut it into parts"),
        ("take", {}, "reading a.txt took more than 256 MB of memory; cut it into parts"),
        ("die", {"number": "SIGKILL"}, "reading a.txt was ended by the system, which had no memory left; cut it"),
        ("die", {"number": "SIGSEGV"}, r"reading a.txt ended the process that did it \(-11\); cut it into parts"),
    ],
)
def test_what_takes_too_much_or_dies_is_one_sentence(name, arguments, sentence):
    with pytest.raises(WorkbenchError, match=f"^{sentence}"):
        call(name, arguments, limits=MUCH)


def test_what_does_not_even_work_is_ended(monkeypatch):
    monkeypatch.setattr(apart, "PATIENCE", 0)
    with pytest.raises(WorkbenchError, match="took longer than 1 seconds"):
        call("sleep", limits=MUCH)


def test_the_time_begins_anew_with_each_report():
    steps = []
    value, _ = call("take_turns", {"seconds": 0.7}, limits=MUCH, report=lambda *step: steps.append(step))
    assert value == {"done": True} and steps == [({}, [])] * 3


@pytest.mark.parametrize("name", ["work", "sleep"])
def test_a_cancel_ends_it_whatever_it_does(name):
    begun = threading.Event()
    with pytest.raises(Cancelled):
        call(name, cancel=begun.is_set, report=lambda *_: begun.set())


def test_what_is_given_grace_says_a_last_word():
    said = []
    with pytest.raises(Cancelled):
        call("count", cancel=lambda: len(said) > 2, report=lambda *step: said.append(step), limits=GRACE)
    assert said[:2] == [({"number": 0}, [b"step"]), ({"number": 1}, [b"step"])] and said[-1] == ({}, [b"kept"])


def test_it_ends_with_the_process_that_called():
    code = "from tests.processes.test_apart import call; call('sleep', report=lambda *_: print('begun', flush=True))"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None and caller.stdout.readline() == b"begun\n"
        (worker,) = psutil.Process(caller.pid).children()
        caller.send_signal(signal.SIGKILL)
    worker.wait(PATIENCE)
    assert not worker.is_running()


def test_no_process_no_work(monkeypatch):
    monkeypatch.setattr("core.processes.apart.sys.executable", "/nowhere/python")
    with pytest.raises(WorkbenchError, match=r"for reading a.txt: No such file"):
        call("reverse")


def test_a_pool_has_room_for_so_many():
    pool, looks, inside, leave = ApartPool(1), count(), threading.Event(), threading.Event()

    def occupy():
        with pool.place():
            inside.set()
            assert leave.wait(PATIENCE)

    first = threading.Thread(target=occupy)
    first.start()
    assert inside.wait(PATIENCE)
    with pytest.raises(Cancelled), pool.place(lambda: next(looks) > 1):
        pytest.fail("there was no room")
    leave.set()
    first.join(PATIENCE)
    for _ in range(2):
        with pytest.raises(Cancelled), pool.place(lambda: True):
            pytest.fail("nobody wants it any more")
    with pool.place():
        pass
