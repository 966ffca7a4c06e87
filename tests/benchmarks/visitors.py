"""People who visit pages, without a browser: they speak Streamlit's own protocol over a WebSocket.

    with serving(folder) as server:
        with Visitor(server.port) as visitor:
            visitor.visit("constraints")  # seconds until the page's script has come to its end
        server.cpu_seconds()

As a program it is a load: ``python -m tests.benchmarks.visitors --people 40 --seconds 60 --every 2.5``, or with
``--sessions 1000`` shows what memory is taken by people who came and went.
"""

import argparse
import contextlib
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from statistics import median

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "start", "annotate", "constraints", "markup", "consensus", "induction", "decomposition", "joint", "adaptation",
    "compare", "runs", "papers", "teach", "projects",
)  # fmt: skip
OWN = "project=My+project"  # where the others do not work
PATIENCE = 180  # seconds for a page, its kernels compiled on the way
QUIET = 12  # seconds in which the warm-up behind the first page comes to its end


class Visitor:
    """One tab, whose person touches nothing; ``place`` keeps it at one of several servers behind nginx, ``query`` is
    what its address begins with."""

    def __init__(self, port, path="", place=None, query=""):
        address, headers = f"ws://127.0.0.1:{port}{path}/_stcore/stream", {"Cookie": f"workbench={place}"}
        self._connecting = connect(
            address, subprotocols=["streamlit"], max_size=None, compression=None, additional_headers=headers
        )
        self._hashes, self._query = {}, query

    def __enter__(self):
        self._socket = self._connecting.__enter__()
        return self

    def __exit__(self, *raised):
        self._connecting.__exit__(*raised)

    def visit(self, page):
        """Go to a page; returns the seconds until its script has ended. AssertionError where it shows a traceback."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = self._query
        asked.context_info.timezone, asked.context_info.locale = "UTC", "en"
        if self._hashes:
            asked.page_script_hash = self._hashes[page]
        else:
            asked.page_name = "" if page == "start" else page
        began = time.perf_counter()
        self._socket.send(message.SerializeToString())
        self._until_finished(page)
        return time.perf_counter() - began

    def _until_finished(self, page):
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = ForwardMsg.FromString(self._socket.recv(timeout=deadline - time.monotonic()))
            kind = answer.WhichOneof("type")
            if kind == "navigation":
                pages = answer.navigation.app_pages
                self._hashes = {"start" if p.is_default else p.url_pathname: p.page_script_hash for p in pages}
            elif kind == "page_info_changed":
                self._query = answer.page_info_changed.query_string
            elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "exception":
                raise AssertionError(f"{page}: {answer.delta.new_element.exception.message}")
            elif kind == "script_finished" and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return


class Server:
    """The app on a port of its own."""

    def __init__(self, process, port):
        self.process, self.port = process, port

    def cpu_seconds(self):
        """Seconds of processor that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        """Bytes of memory that it has."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def serving(folder, *options, root=ROOT):
    """A Server of the checkout at ``root``, with its data in ``folder``; ``options`` are Streamlit's own."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    surroundings = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PYTHONPATH": str(root)}
    with (Path(folder) / "server.log").open("wb") as log:
        process = subprocess.Popen([*command, *options], cwd=root, env=surroundings, stdout=log, stderr=log)
        try:
            _await_health(process, port)
            yield Server(process, port)
        finally:
            process.terminate()
            process.wait(timeout=30)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _await_health(process, port):
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise AssertionError("the server did not start")


def warmed(port, path="", times=2):
    """Have every page's kernels and caches ready, and the warm-up behind the first page come to its end."""
    with Visitor(port, path) as first:
        for number in range(times):
            time.sleep(QUIET if number else 0)
            for page in PAGES:
                first.visit(page)


def load(port, people, seconds, every, path=""):
    """Seconds of every visit of some people, who each open a page every so many seconds: dict of page to list."""
    times, lock, end = {page: [] for page in PAGES}, threading.Lock(), time.monotonic() + seconds

    def work(seed):
        chance = random.Random(seed)
        time.sleep(chance.random() * every)
        with Visitor(port, path, seed, OWN) as visitor:
            visitor.visit("start")
            while time.monotonic() < end:
                page, began = chance.choice(PAGES), time.monotonic()
                taken = visitor.visit(page)
                with lock:
                    times[page].append(taken)
                time.sleep(max(0.0, every - (time.monotonic() - began)))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def sessions(server, count, every):
    """Open and close so many sessions of two pages each; yields (how many, bytes of memory) each so many."""
    for number in range(count + 1):
        if number % every == 0:
            yield number, server.resident()
        with Visitor(server.port) as visitor:
            visitor.visit(PAGES[number % len(PAGES)])
            visitor.visit(PAGES[(number + 1) % len(PAGES)])


def main():
    asked = argparse.ArgumentParser(description="Load on the workbench: people who open pages.")
    asked.add_argument("--people", type=int, default=40)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--every", type=float, default=2.5, help="seconds between two pages of one person")
    asked.add_argument("--sessions", type=int, help="instead: open and close so many, and print the memory taken")
    given, options = asked.parse_known_args()  # what is not known here is Streamlit's
    with tempfile.TemporaryDirectory() as folder, serving(folder, *options) as server:
        warmed(server.port)
        if given.sessions:
            for number, size in sessions(server, given.sessions, max(1, given.sessions // 10)):
                print(f"{number:5} sessions · {size / 1e6:.0f} MB", flush=True)
            return
        before = server.cpu_seconds()
        times = load(server.port, given.people, given.seconds, given.every)
        used = server.cpu_seconds() - before
    report(times)
    print(f"processor {used / sum(map(len, times.values())) * 1e3:.0f} ms a visit")


def report(times):
    """Print how long visits took: all of them, and of each page."""
    every = sorted(taken for page in times.values() for taken in page)
    print(f"{len(every)} visits · median {median(every):.2f} s · 95% {every[int(len(every) * 0.95)]:.2f} s")
    for page, taken in times.items():
        if taken:
            print(f"{page:14} {len(taken):4} visits · median {median(taken):.2f} s")


if __name__ == "__main__":
    main()
