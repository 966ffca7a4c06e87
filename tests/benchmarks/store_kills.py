"""kill -9 again and again: every step that was acknowledged is there afterwards.

    .ci/postgresql python -m tests.benchmarks.store_kills [--times 200] [--only api|server]

On SQLite, and on PostgreSQL where WORKBENCH_TEST_POSTGRESQL names a server (FSYNC=on has it wait for the disk): a
process that writes steps through the API, and the real server, whose Projects page makes projects for a visitor, are
killed at random moments and begun anew. A step counts once the process, or the page, said that it is done. Prints how
many were acknowledged, and how many of them are lost.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed

from core.store import Store
from tests.benchmarks.visitors import PATIENCE, ROOT, Visitor, free_port
from tests.postgresql import SERVER, empty_place, server

# Forks one worker for each line that it reads, because starting Python takes longer than what is killed.
WORKERS = """
import os, sys
from core.store import Command, Store

def work(number):
    store = Store.open(sys.argv[1], busy_seconds=300)
    project = store.default_project()
    os.write(1, b"%d\\n" % os.getpid())
    while True:
        number += 1
        store.execute(project, Command("step", str(number), None, number), label="a step")
        if number % 5 == 0:
            store.add_corpus(project, "a text", os.urandom(20_000))
        if number % 7 == 0:
            store.undo(project)
            store.redo(project)
        os.write(1, b"%d\\n" % number)

for line in sys.stdin:
    child = os.fork()
    if not child:
        work(int(line))
    os.waitpid(child, 0)
    print("dead", flush=True)
"""


class Maker(Visitor):
    """A tab on the Projects page, where its person makes projects."""

    def __enter__(self):
        super().__enter__()
        self._widgets, self._said = {}, ""
        self.visit("projects")
        return self

    def make(self, name: str) -> bool:
        """Fill in the name and press the button; whether the page said that it is made."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_script_hash = self._query, self._hashes["projects"]
        asked.context_info.timezone, asked.context_info.locale = "UTC", "en"
        text, button = asked.widget_states.widgets.add(), asked.widget_states.widgets.add()
        text.id, text.string_value = self._widgets["projects_new_name"], name
        button.id, button.trigger_value = self._widgets["projects_new"], True
        self._said = ""
        self._socket.send(message.SerializeToString())
        self._until_finished("projects")
        return f"Created {name}" in self._said.replace("\\", "")

    def _until_finished(self, page):
        """As for every visitor; widgets and toasts are kept."""
        receive = self._socket.recv

        def recv(timeout):
            data = receive(timeout=timeout)
            answer = ForwardMsg.FromString(data)
            if answer.WhichOneof("type") == "delta":
                self._keep(answer.delta.new_element)
            return data

        self._socket.recv = recv
        try:
            super()._until_finished(page)
        finally:
            self._socket.recv = receive

    def _keep(self, element):
        kind = element.WhichOneof("type")
        if kind in ("text_input", "button"):
            key = getattr(element, kind).id
            for name in ("projects_new_name", "projects_new"):
                if key.endswith(f"-{name}"):
                    self._widgets[name] = key
        elif kind == "toast":
            self._said += element.toast.body


def api(url: str, times: int, seed: int = 1) -> tuple[int, int]:
    """(steps acknowledged, of which lost) by a process that writes through the API."""
    chance, acknowledged, last = random.Random(seed), 0, 0
    store = Store.open(url, busy_seconds=300)
    store.default_project()
    lost = 0
    command = [sys.executable, "-c", WORKERS, url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as workers:
        for _ in range(times):
            print(last, file=workers.stdin, flush=True)
            worker = int(workers.stdout.readline())
            said = [int(workers.stdout.readline()) for _ in range(chance.randint(1, 12))]
            time.sleep(chance.uniform(0, 0.05))
            os.kill(worker, signal.SIGKILL)
            said += [int(line) for line in iter(workers.stdout.readline, "dead\n")]
            found = settled(store)
            lost += len(set(said) - found)
            acknowledged, last = acknowledged + len(said), max(found)
        workers.stdin.close()
    store.close()
    return acknowledged, lost


def settled(store):
    """The steps that are there once the dead process's last command was carried out or not."""
    project = store.default_project()
    store.remember(project, "view", "settled", time.time())
    return {int(key) for _, key in store.documents(project, "step")}


def pages(url: str, home: Path, times: int, seed: int = 1) -> tuple[int, int]:
    """(projects acknowledged, of which lost) by the real server."""
    chance, acknowledged, lost = random.Random(seed), 0, 0
    for turn in range(times):
        said = []
        with served(url, home) as (process, port):
            killer = threading.Timer(chance.uniform(0.05, 1.0), process.kill)
            with contextlib.suppress(ConnectionClosed, OSError, TimeoutError), Maker(port) as maker:
                killer.start()
                while process.poll() is None:
                    name = f"Project {turn} {len(said)}"
                    if maker.make(name):
                        said.append(name)
            killer.cancel()
        store = Store.open(url, busy_seconds=300)
        found = {each.name: each for each in store.projects()}
        lost += len(set(said) - set(found))
        acknowledged += len(said)
        for name, project in found.items():
            if name.startswith("Project"):  # or the page would have ever more to list
                store.delete_project(project)
                store.purge_project(project)
        store.close()
    return acknowledged, lost


@contextlib.contextmanager
def served(url, home):
    """(process, port) of the app; it is killed at the end, if it was not before."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    surroundings = os.environ | {"WORKBENCH_HOME": str(home), "WORKBENCH_DATABASE": url}
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                with contextlib.suppress(OSError):
                    health(port)
                    break
                time.sleep(0.05)
            yield process, port
        finally:
            process.kill()
            process.wait()


def health(port):
    """Return once the app answers. Raises OSError where it does not."""
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
        return


def main() -> None:
    """Kill, count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200, help="of each of the four (default: 200)")
    parser.add_argument("--only", choices=("api", "server"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        place = stack.enter_context(server()) if os.environ.get(SERVER) else None
        for kind in ("api", "server"):
            if options.only in (kind, None):
                urls = {"SQLite": f"sqlite:///{folder}/{kind}.sqlite"}
                if place is not None:
                    urls["PostgreSQL"] = stack.enter_context(empty_place(place))
                for name, url in urls.items():
                    kill = api if kind == "api" else lambda url, times: pages(url, Path(folder), times)
                    acknowledged, lost = kill(url, options.times)
                    print(
                        f"{kind} on {name}: {options.times} kills, {acknowledged:,} steps acknowledged, {lost} lost",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
