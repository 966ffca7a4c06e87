"""How long others wait while a large project is restored, copied and deleted for good.

    .ci/postgresql python -m tests.benchmarks.locks [--entries 150000] [--works restore,copy,purge]

On SQLite, and on PostgreSQL where WORKBENCH_TEST_POSTGRESQL names a server: one process writes much, another one makes
a small step and a project again and again. Prints the longest transaction and what it wrote, and the longest of the
small steps.
"""

import argparse
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import event

from core.commandline.values import names
from core.store import Command, Store
from core.store.archive import FORMAT, MANIFEST, VERSION
from core.workspace.stored import stored_kinds
from tests.postgresql import SERVER, empty_place, server

TIME = "2026-11-28T10:00:00.000000+00:00"
OTHER = """
import sys, time
from core.commandline.values import names
from core.store import Command, Store

store, longest, count = Store.open(sys.argv[1], busy_seconds=300), 0.0, 0
project = store.default_project()
print("ready", flush=True)
sys.stdin.readline()
import threading
over = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), over.set()), daemon=True).start()
while not over.wait(0.02):
    began = time.perf_counter()
    store.execute(project, Command("step", f"{sys.argv[2]} {count}", None, count))
    if count % 10 == 0:
        store.create_project(f"{sys.argv[2]} {count}")
    longest, count = max(longest, time.perf_counter() - began), count + 1
print(longest, count, flush=True)
"""


def archive(path: Path, entries: int, size: int = 40, texts: int = 1) -> None:
    """Write the backup of a project with so many entries, each of one command with a value of some size."""
    rows = {"corpora": [], "runs": [], "traces": [], "versions": []}
    rows["entries"] = (
        {"id": n, "number": n, "time": TIME, "author": "local", "label": "a tree", "undoable": True}
        | {"undoes": n - 1 if n % 10 == 0 else None, "redoes": None}
        for n in range(1, entries + 1)
    )
    rows["commands"] = (
        {"id": n, "entry_id": n, "kind": "tree", "key": f"1/{1 + n % (entries // 2 + 1)}", "before": None}
        | {"after": {"heads": [0] * (size // 3), "number": n}}
        for n in range(1, entries + 1)
    )
    rows["corpora"] = ({"id": n, "content_id": n, "reference": None, "added": TIME} for n in range(1, texts + 1))
    parts = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for kind, its in rows.items():
            length, digest = 0, hashlib.sha256()
            with made.open(f"{kind}.jsonl", "w", force_zip64=True) as part:
                for row in its:
                    line = json.dumps(row).encode() + b"\n"
                    part.write(line)
                    digest.update(line)
                    length += len(line)
            parts[f"{kind}.jsonl"] = {"size": length, "sha256": digest.hexdigest()}
        for n in range(1, texts + 1):
            data = b"%d\tword\n" % n
            made.writestr(f"contents/{n}", data)
            parts[f"contents/{n}"] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        manifest = {"format": FORMAT, "version": VERSION, "project": "Large", "made": TIME, "parts": parts}
        made.writestr(MANIFEST, json.dumps(manifest))


class Watch:
    """What the transactions of a store write: ``transactions`` is a list of (seconds, rows, bytes)."""

    def __init__(self, store: Store):
        self.transactions = []
        self._of = threading.local()
        engine = store.database.writer
        event.listen(engine, "begin", self._begin)
        event.listen(engine, "after_cursor_execute", self._execute)
        event.listen(engine, "commit", self._end)
        event.listen(engine, "rollback", self._end)

    @property
    def longest(self):
        return max((row[0] for row in self.transactions), default=0.0)

    @property
    def most_rows(self):
        return max((row[1] for row in self.transactions), default=0)

    @property
    def most_bytes(self):
        return max((row[2] for row in self.transactions), default=0)

    def _begin(self, _connection):
        self._of.began, self._of.rows, self._of.bytes = time.perf_counter(), 0, 0

    def _execute(self, _connection, cursor, statement, parameters, _context, _executemany):
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            self._of.rows += max(0, cursor.rowcount)
            self._of.bytes += _bytes(parameters)

    def _end(self, _connection):
        self.transactions.append((time.perf_counter() - self._of.began, self._of.rows, self._of.bytes))


def _bytes(value):
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    return sum(map(_bytes, value)) if isinstance(value, list | tuple) else 0


@contextlib.contextmanager
def somebody_else(url: str, name: str):
    """Another process at small steps meanwhile; gives a list that gets (longest seconds, how many) at the end."""
    command, found = [sys.executable, "-c", OTHER, url, name], []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        print(file=process.stdin, flush=True)
        yield found
        print(file=process.stdin, flush=True)
        longest, count = process.stdout.readline().split()
        found[:] = [float(longest), int(count)]


def measure(url: str, path: Path, name: str, works: Sequence[str]) -> None:
    """Print what each of the large works holds up; the first is ``restore``."""
    store = Store.open(url, busy_seconds=300, kinds=stored_kinds)
    store.default_project()
    made = []

    def restore():
        with path.open("rb") as file:
            made.append(store.restore_backup(file, limit=None))

    def copy():
        made.append(store.copy_project(made[0], "Copy"))

    def purge():
        store.delete_project(made[0])
        store.purge_project(made[0])

    def at_once():
        changes = (Command("lesson", str(number), None, {"number": number}) for number in range(4000))
        store.execute(made[-1], *changes, label="4,000 marks")

    def nothing():
        time.sleep(5)

    for work in (nothing, restore, copy, at_once, purge):
        if work is not nothing and work.__name__ not in works:
            continue
        watch, began = Watch(store), time.perf_counter()
        with somebody_else(url, work.__name__) as waited:
            work()
            seconds = time.perf_counter() - began
        print(
            f"{name} {work.__name__}: {seconds:.1f} s; longest transaction {watch.longest:.2f} s, of"
            f" {watch.most_rows:,} rows and {watch.most_bytes / 1e6:.1f} MB at most; longest of {waited[1]} small steps"
            f" beside it {waited[0]:.2f} s",
            flush=True,
        )
    store.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=150_000)
    parser.add_argument("--works", type=names, default=("restore", "copy", "at_once", "purge"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        path = Path(folder, "large.zip")
        archive(path, options.entries)
        urls = {"SQLite": f"sqlite:///{folder}/work.sqlite"}
        if os.environ.get(SERVER):
            urls["PostgreSQL"] = stack.enter_context(empty_place(stack.enter_context(server())))
        for name, url in urls.items():
            measure(url, path, name, options.works)


if __name__ == "__main__":
    main()
