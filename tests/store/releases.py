"""A store as each release left it: its tables on both databases, its rows, and what that release said of them.

``python -m tests.store.releases`` makes a store with the code of today and writes it to ``stores/RELEASE.json.xz``,
once, when a release is made; a later release must open it and say the same. Nothing of today's writers takes part when
it is put back: JSON values are text, bytes are base64. ``RELEASE.zip`` is the backup of its first project.
"""

import base64
import hashlib
import io
import json
import lzma
import sys
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Boolean, create_engine, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from core import __version__
from core.store import Command
from core.store.people import Account
from core.store.schema import SCHEMA_VERSION, metadata
from core.workspace import Workspace
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from tests.store.everything import count_from, fill_project

FAR = datetime(2100, 1, 1, tzinfo=UTC)
STORES = Path(__file__).with_name("stores")
DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}


def release():
    """Number of the release that this code is."""
    return __version__


def read_record(name):
    """The recorded store of a release."""
    return json.loads(lzma.decompress((STORES / f"{name}.json.xz").read_bytes()))


def read_backup(name):
    """The backup of the first project of that store, a binary file."""
    return io.BytesIO((STORES / f"{name}.zip").read_bytes())


def fill(workspace):
    """Put into an empty store something of everything that a store can hold."""
    store = workspace.store
    count_from(store)
    fill_project(workspace)
    basque = store.create_project("Basque")
    for person, role in (("ona@example.org", "owner"), ("rea@example.org", "reader")):
        store.set_role(basque, person, role)
    store.begin_session(Account("https://example.org", "ona", "ona@example.org"), "0" * 64, 30)
    for value in range(3):
        store.execute(basque, Command("n", "", value or None, value + 1))
    store.undo(basque)
    store.undo(basque)
    store.redo(basque)
    odd = {"text": "a\0b \ud800 é 漢", "numbers": [1, -0.5, 10**25], "none": None}
    store.execute(basque, Command("d", "key 漢", None, odd), author="ana@example.org")
    store.execute(basque, Command("d", "key 漢", odd, "other"), label="changing", author="ana@example.org")
    store.undo(basque, "ana@example.org")
    exercise = store.give_exercise(basque, "Heads", {"feedback": "which", "tries": 3}, [{"kind": "move"}], FAR)
    store.answer_exercise(exercise, "k" * 22, "Ana", 0, ["x"], 0.5, 3)
    store.delete_project(store.create_project("in the trash"))


def seen(store):
    """What the code says of all that a store holds, as JSON values."""
    found = {}
    for project in (*store.projects(), *store.trash()):
        found[project.name] = asdict(project) | (_seen_of(store, project) if project.deleted is None else {})
    return json.loads(json.dumps(found, default=str))


def people(store):
    """What the code says of the people who have signed in."""
    return json.loads(json.dumps([dict(person) for person in store.people()], default=str))


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
    } | _exercises(store, project)


def _exercises(store, project):
    """Those of a project, where it has some: releases before 0.3.0 had none."""
    given = [asdict(one) | {"answers": list(map(asdict, store.answers_given(one.id))),
                            "tasks": store.tasks_given(one.id)} for one in store.exercises(project)]  # fmt: skip
    return {"exercises": given} if given else {}


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
        with (STORES / f"{release()}.zip").open("wb") as backup:
            workspace.store.backup_project(workspace.store.default_project(), backup)
        workspace.store.close()
        put_back = f"sqlite:///{folder}/again.sqlite"
        write_store(recorded, put_back)
        workspace = Workspace.open(put_back)
        recorded |= {"seen": seen(workspace.store), "people": people(workspace.store)}
        systems = Systems(workspace.without_corrected_trees())  # as they were when the runs began
        recorded["trees"] = trees(systems)
        run = next(run for run in workspace.store.runs(workspace.store.default_project()) if run.status == "cancelled")
        systems.of(run).resume(run)
        assert workspace.jobs.wait(run.id, timeout=300).status == "done"
        recorded["resumed"] = {"run": run.id, "trees": trees(systems)}
        workspace.store.close()
    path.write_bytes(lzma.compress(json.dumps(recorded, separators=(",", ":")).encode(), preset=9))


if __name__ == "__main__":
    main()
