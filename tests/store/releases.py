"""A store as each release left it: its tables on both databases, its rows, and what that release said of them.

``python -m tests.store.releases`` makes a store with the code of today and writes it to ``stores/RELEASE.json.xz``,
once, when a release is made; a later release must open it and say the same. Nothing of today's writers takes part when
it is put back: JSON values are text, bytes are base64.
"""

import base64
import hashlib
import json
import lzma
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Boolean, create_engine, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from core import __version__
from core.store import Command
from core.store.schema import SCHEMA_VERSION, metadata
from core.workspace import Workspace
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import SYSTEMS, Systems
from tests.workspace.test_systems import CASES, texts_of_cases

STORES = Path(__file__).with_name("stores")
DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}
HALF = "induction"  # the kind of run that is stopped half-way


def release():
    """Number of the release that this code is."""
    return __version__


def read_record(name):
    """The recorded store of a release."""
    return json.loads(lzma.decompress((STORES / f"{name}.json.xz").read_bytes()))


def fill(workspace):
    """Put into an empty store something of everything that a store can hold."""
    store, project = workspace.store, workspace.store.default_project()
    texts = texts_of_cases(workspace)
    systems = Systems(workspace)
    for kind in (system.kind for system in SYSTEMS):
        system = systems[kind]
        system.save(texts["one"], "choosing", **CASES[kind](texts))
        plan = system.plan(texts["one"])
        number = system.start(system.inputs(texts["one"], plan), plan)
        assert workspace.jobs.wait(number, timeout=300).status == "done", store.run(number).error
    stop_half_way(workspace, systems, texts["one"])
    store.save_version(project, "constraints", str(texts["one"].id), "first")
    odd = {"text": "a\0b \ud800 é 漢", "numbers": [1, -0.5, 10**25], "none": None}
    store.execute(project, Command("d", "key 漢", None, odd), author="ana@example.org")
    store.execute(project, Command("d", "key 漢", odd, "other"), label="changing")
    store.undo(project)
    store.remove_corpus(store.add_corpus(project, "removed.txt", b"One two three ."))
    basque = store.create_project("Basque")
    for person, role in (("ona@example.org", "owner"), ("rea@example.org", "reader")):
        store.set_role(basque, person, role)
    for value in range(3):
        store.execute(basque, Command("n", "", value or None, value + 1))
    store.undo(basque)
    store.undo(basque)
    store.redo(basque)
    interrupted = store.create_run(basque, HALF, {})
    store.start_run(interrupted)
    store.append_trace(interrupted, [{"iteration": 1, "objective": -1.0}])
    store.checkpoint(interrupted, b"\0checkpoint\xff", 1)
    store.finish_run(interrupted, "interrupted")
    store.delete_project(store.create_project("in the trash"))


def stop_half_way(workspace, systems, corpus):
    """Leave a cancelled run that has a checkpoint."""
    system, done = systems[HALF], workspace.store.runs(corpus.project, HALF)[0]
    work, _ = system.repeated(done)
    number = workspace.jobs.start(
        done.project, done.kind, done.settings, lambda job: work(Stopping(job, workspace.jobs)),
        constraint_text=done.constraint_text, data_hash=done.data_hash,
    )  # fmt: skip
    assert workspace.jobs.wait(number, timeout=300).status == "cancelled"
    assert workspace.store.checkpoint_bytes(number)


class Stopping:
    """A Job that is cancelled at its third report."""

    def __init__(self, job, jobs):
        self._job, self._jobs, self._reports = job, jobs, 0

    def __getattr__(self, name):
        return getattr(self._job, name)

    def report(self, *arguments, **options):
        self._job.report(*arguments, **options)
        self._reports += 1
        if self._reports == 3:
            self._jobs.cancel(self._job.run)


def seen(store):
    """What the code says of all that a store holds, as JSON values."""
    found = {}
    for project in (*store.projects(), *store.trash()):
        found[project.name] = asdict(project) | (_seen_of(store, project) if project.deleted is None else {})
    return json.loads(json.dumps(found, default=str))


def _seen_of(store, project):
    documents = [[*key, value] for key, value in sorted(store.documents(project).items())]
    texts = [corpus for corpus in store.corpora(project) if not corpus.reference]
    return {
        "members": store.members(project),
        "documents": documents,
        "texts": [asdict(corpus) | {"data": _digest(store.corpus_bytes(corpus.id))} for corpus in texts],
        "history": [asdict(entry) for entry in store.history(project)],
        "undone next": [entry and entry.number for entry in (store.next_undo(project), store.next_redo(project))],
        "versions": [asdict(each) for kind, key, _ in documents for each in store.versions(project, kind, key)],
        "runs": [asdict(run) | _left_by(store, run) for run in store.runs(project)],
    }


def _left_by(store, run):
    result, checkpoint = _digest(store.result_bytes(run.id)), _digest(store.checkpoint_bytes(run.id))
    return {"trace": store.trace(run.id), "result": result, "checkpoint": checkpoint}


def trees(systems):
    """Heads of every parse that is offered of every text, by its key."""
    store, found = systems.workspace.store, {}
    for corpus in store.corpora(store.default_project()):
        if not corpus.reference:
            keys = [offer.key for offer in offered_parses(systems, corpus)]
            found[str(corpus.id)] = {key: load_parse(systems, corpus, key).heads.tolist() for key in keys}
    return found


def write_store(recorded, url):
    """Put a recorded store back into an empty database."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in recorded["tables"][engine.dialect.name]:
            connection.exec_driver_sql(statement.replace("%", "%%"))
        for table, rows in recorded["rows"].items():
            for row in rows:
                values = {name: _spelled_out(value) for name, value in row.items()}
                names = ", ".join(f'"{name}"' for name in values)
                places = ", ".join(f":{name}" for name in values)
                connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), values)
            if engine.dialect.name == "postgresql" and rows and "id" in rows[0]:
                last = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {max(row['id'] for row in rows)})"
                connection.exec_driver_sql(last)
    engine.dispose()


def record(store):
    """The tables and rows of an SQLite store as JSON values."""
    tables = {name: [] for name in DIALECTS}
    for name, dialect in DIALECTS.items():
        for table in metadata.sorted_tables:
            statements = (CreateTable(table), *(CreateIndex(index) for index in sorted(table.indexes, key=str)))
            tables[name] += [str(statement.compile(dialect=dialect)).strip() for statement in statements]
    rows = {}
    with store.database.read() as connection:
        for table in metadata.sorted_tables:
            order = ", ".join(column.name for column in table.primary_key)
            found = connection.exec_driver_sql(f"SELECT * FROM {table.name} ORDER BY {order}").mappings()
            rows[table.name] = [{name: _spelled(table.c[name], value) for name, value in row.items()} for row in found]
    return {"schema": SCHEMA_VERSION, "tables": tables, "rows": rows}


def _spelled(column, value):
    if column.name == "process" and value is not None:
        return "elsewhere 1 1"
    if isinstance(column.type, Boolean):
        return bool(value)
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _spelled_out(value):
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def _digest(data):
    return None if data is None else hashlib.sha256(data).hexdigest()


def main():
    """Write the store of this release."""
    path = STORES / f"{release()}.json.xz"
    if path.exists():
        sys.exit(f"{path.name} is there already; a store that a release wrote is not written anew")
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.open(f"sqlite:///{folder}/work.sqlite")
        fill(workspace)
        recorded = record(workspace.store)
        workspace.store.close()
        put_back = f"sqlite:///{folder}/again.sqlite"
        write_store(recorded, put_back)
        workspace = Workspace.open(put_back)
        recorded |= {"seen": seen(workspace.store), "trees": trees(Systems(workspace))}
        run = next(run for run in workspace.store.runs(workspace.store.default_project()) if run.status == "cancelled")
        Systems(workspace).of(run).resume(run)
        assert workspace.jobs.wait(run.id, timeout=300).status == "done"
        recorded["resumed"] = {"run": run.id, "trees": trees(Systems(workspace))}
        workspace.store.close()
    STORES.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(json.dumps(recorded, separators=(",", ":")).encode(), preset=9))


if __name__ == "__main__":
    main()
