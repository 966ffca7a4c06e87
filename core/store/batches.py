"""Writing and deleting in batches of bounded size, so that other writers do not wait long.

A project that is being filled or emptied is hidden meanwhile; its row names the process that works on it. If that
process dies, another one deletes the project.
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
    answers,
    commands,
    contents,
    corpora,
    documents,
    entries,
    exercises,
    members,
    projects,
    run_data,
    runs,
    traces,
    versions,
)

ROWS, BYTES = 250, 4_000_000  # of a transaction; a single row may have more bytes
LONGEST_PAUSE = 0.05  # seconds between two transactions

Row = TypeVar("Row")


def batches(rows: Iterable[tuple[Row, int]]) -> Iterator[list[Row]]:
    """Lists of at most ``ROWS`` rows and ``BYTES`` bytes, or of one larger row, from pairs of a row and its bytes."""
    batch, size = [], 0
    for row, row_size in rows:
        if batch and (len(batch) == ROWS or size + row_size > BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += row_size
    if batch:
        yield batch


def hide(connection: Connection, project: int) -> None:
    """Hide a project from all but this process, from the end of the transaction on."""
    values = {"process": this_process(), "heartbeat": store_time(connection)}
    connection.execute(projects.update().where(projects.c.id == project).values(**values))


@contextmanager
def batch_on(database: Database, project: int) -> Iterator[Connection]:
    """A transaction on a hidden project, which also writes a heartbeat. Raises StoreError if the project was cleared.

    A pause as long as the transaction follows. SQLite's writers do not queue, and others would hardly get the lock.
    """
    start = time.monotonic()
    ours = (projects.c.id == project) & (projects.c.process == this_process())
    with database.write() as connection:
        if connection.execute(projects.update().where(ours).values(heartbeat=store_time(connection))).rowcount == 0:
            raise StoreError("What was being restored was cleared away, for this process seemed dead; restore it again")
        yield connection
    time.sleep(min(LONGEST_PAUSE, time.monotonic() - start))


def purge(database: Database, project: int) -> None:
    """Delete a hidden project for good, batch by batch."""
    of_runs = select(runs.c.id).where(runs.c.project_id == project)
    of_entries = select(entries.c.id).where(entries.c.project_id == project)
    of_exercises = select(exercises.c.id).where(exercises.c.project_id == project)
    _delete(database, project, traces, traces.c.run_id.in_(of_runs))
    _delete(database, project, run_data, run_data.c.run_id.in_(of_runs))
    _delete(database, project, documents, documents.c.project_id == project)  # before the entries that they name
    _delete(database, project, commands, commands.c.entry_id.in_(of_entries))
    _delete(database, project, answers, answers.c.exercise_id.in_(of_exercises))
    for table in (runs, versions, entries, corpora, exercises):
        _delete(database, project, table, table.c.project_id == project)
    unused = not_(contents.c.id.in_(select(corpora.c.content_id).where(corpora.c.content_id.is_not(None))))
    _delete(database, project, contents, unused)
    with batch_on(database, project) as connection:
        connection.execute(members.delete().where(members.c.project_id == project))
        connection.execute(projects.delete().where(projects.c.id == project))


def abandoned(database: Database) -> list[tuple[int, str]]:
    """(id, process) of the hidden projects whose process is dead."""
    hidden = select(projects.c.id, projects.c.process, projects.c.heartbeat).where(projects.c.process.is_not(None))
    with database.read() as connection:
        rows = connection.execute(hidden).all()
        if not rows:
            return []
        time = store_time(connection)
    return [(row.id, row.process) for row in rows if not is_alive(row.process, row.heartbeat, time)]


def clear_abandoned(database: Database) -> list[int]:
    """Delete the abandoned projects for good; returns the ids of those that this process deleted."""
    cleared = []
    for project, process in abandoned(database):
        same = (projects.c.id == project) & (projects.c.process == process)
        with database.write() as connection:
            owner = {"process": this_process(), "heartbeat": store_time(connection)}
            update = connection.execute(projects.update().where(same).values(**owner))
        if update.rowcount:
            purge(database, project)
            cleared.append(project)
    return cleared


def _delete(database, project, table: Table, condition: ColumnElement[bool]):
    """Delete rows of a table, the newest first, since later entries refer to earlier ones."""
    key = list(table.primary_key.columns)
    key_column = key[0] if len(key) == 1 else tuple_(*key)
    large = [column for column in table.c if isinstance(column.type, Json | LargeBinary)]
    sizes = [func.coalesce(func.length(column), 0) for column in large]
    size = functools.reduce(operator.add, sizes, func.length(""))
    query = select(*key, size.label("size")).where(condition).order_by(*(column.desc() for column in key)).limit(ROWS)
    while True:
        with database.read() as connection:
            rows = [(tuple(row[:-1]), row[-1]) for row in connection.execute(query)]
        if not rows:
            return
        for batch in batches(rows):
            with batch_on(database, project) as connection:
                in_batch = key_column.in_([row[0] for row in batch] if len(key) == 1 else batch)
                if table is contents:  # a text that is being added has locked its content
                    connection.execute(select(contents.c.id).where(in_batch).with_for_update()).all()
                    in_batch &= condition
                connection.execute(table.delete().where(in_batch))
