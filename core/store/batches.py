"""Much is written in batches of bounded size, so that nobody waits long for the one who writes.

A project that is being filled or emptied is hidden from everybody meanwhile, under the name of the process that works
on it. Where that process dies, the next one to look clears what it left.
"""

import functools
import operator
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, Table, func, not_, select, tuple_
from sqlalchemy.types import LargeBinary

from core.errors import StoreError
from core.store.database import Database
from core.store.processes import is_alive, store_time, this_process
from core.store.schema import (
    Json,
    commands,
    contents,
    corpora,
    documents,
    entries,
    members,
    projects,
    run_data,
    runs,
    traces,
    versions,
)

ROWS, BYTES = 250, 4_000_000  # of a transaction; one row may have more bytes
LONGEST_PAUSE = 0.05  # seconds

Row = TypeVar("Row")


def batches(rows: Iterable[tuple[Row, int]]) -> Iterator[list[Row]]:
    """Lists of at most ``ROWS`` of some rows with at most ``BYTES``, or of one row; each comes with its bytes."""
    batch, size = [], 0
    for row, its in rows:
        if batch and (len(batch) == ROWS or size + its > BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += its
    if batch:
        yield batch


def hide(connection: Connection, project: int) -> None:
    """From the end of the transaction on only this process knows of the project."""
    values = {"process": this_process(), "heartbeat": store_time(connection)}
    connection.execute(projects.update().where(projects.c.id == project).values(**values))


@contextmanager
def batch_on(database: Database, project: int) -> Iterator[Connection]:
    """A transaction on a hidden project, which is a sign of life too; StoreError where another process cleared it.

    A pause follows, as long as the transaction was: SQLite's writers do not queue, and others would hardly get in.
    """
    began = time.monotonic()
    ours = (projects.c.id == project) & (projects.c.process == this_process())
    with database.write() as connection:
        if connection.execute(projects.update().where(ours).values(heartbeat=store_time(connection))).rowcount == 0:
            raise StoreError("What was being restored was cleared away, for this process seemed dead; restore it again")
        yield connection
    time.sleep(min(LONGEST_PAUSE, time.monotonic() - began))


def purge(database: Database, project: int) -> None:
    """Delete a hidden project for good, batch by batch."""
    of_runs = select(runs.c.id).where(runs.c.project_id == project)
    of_entries = select(entries.c.id).where(entries.c.project_id == project)
    _delete(database, project, traces, traces.c.run_id.in_(of_runs))
    _delete(database, project, run_data, run_data.c.run_id.in_(of_runs))
    _delete(database, project, documents, documents.c.project_id == project)  # before the entries that they name
    _delete(database, project, commands, commands.c.entry_id.in_(of_entries))
    for table in (runs, versions, entries, corpora):
        _delete(database, project, table, table.c.project_id == project)
    unused = not_(contents.c.id.in_(select(corpora.c.content_id).where(corpora.c.content_id.is_not(None))))
    _delete(database, project, contents, unused)
    with batch_on(database, project) as connection:
        connection.execute(members.delete().where(members.c.project_id == project))
        connection.execute(projects.delete().where(projects.c.id == project))


def abandoned(database: Database) -> list[tuple[int, str]]:
    """(id, process) of the hidden projects on which a process worked that is dead."""
    hidden = select(projects.c.id, projects.c.process, projects.c.heartbeat).where(projects.c.process.is_not(None))
    with database.read() as connection:
        found = connection.execute(hidden).all()
        if not found:
            return []
        time = store_time(connection)
    return [(row.id, row.process) for row in found if not is_alive(row.process, row.heartbeat, time)]


def clear_abandoned(database: Database) -> list[int]:
    """Delete those projects for good; returns the ids of those that no other process was faster with."""
    cleared = []
    for project, process in abandoned(database):
        same = (projects.c.id == project) & (projects.c.process == process)
        with database.write() as connection:
            taken = {"process": this_process(), "heartbeat": store_time(connection)}
            ours = connection.execute(projects.update().where(same).values(**taken))
        if ours.rowcount:
            purge(database, project)
            cleared.append(project)
    return cleared


def _delete(database, project, table: Table, condition: ColumnElement[bool]):
    """Delete the rows of a table, the newest first, since later entries name earlier ones."""
    key = list(table.primary_key.columns)
    place = key[0] if len(key) == 1 else tuple_(*key)
    sizes = [func.coalesce(func.length(column), 0) for column in table.c if _is_large(column)]
    size = functools.reduce(operator.add, sizes, func.length(""))
    query = select(*key, size.label("size")).where(condition).order_by(*(column.desc() for column in key)).limit(ROWS)
    while True:
        with database.read() as connection:
            rows = [(tuple(row[:-1]), row[-1]) for row in connection.execute(query)]
        if not rows:
            return
        for found in batches(rows):
            with batch_on(database, project) as connection:
                at = place.in_([row[0] for row in found] if len(key) == 1 else found)
                if table is contents:  # one that is given to a text right now is locked until it has it
                    connection.execute(select(contents.c.id).where(at).with_for_update()).all()
                    at &= condition
                connection.execute(table.delete().where(at))


def _is_large(column):
    return isinstance(column.type, Json | LargeBinary)
