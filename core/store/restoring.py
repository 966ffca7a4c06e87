"""Rows of a backup, checked and written under new ids, batch by batch.

An archive is read twice. The first time it is checked as far as that goes without a database; only ids and keys stay in
memory. The second time its rows are written to a project that is hidden until it is complete.
"""

import hashlib
import json
import logging
import re
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, insert

from core.errors import StoreError, quoted
from core.store.archive import Archive
from core.store.batches import batch_on, batches, hide, purge
from core.store.database import Database
from core.store.log import document_row
from core.store.processes import this_process
from core.store.projects import UNFINISHED, Project, clean_name, free_name
from core.store.references import References, corpus_of_key, runs_named
from core.store.runs import FINISHED
from core.store.schema import (
    commands,
    contents,
    corpora,
    documents,
    entries,
    now,
    projects,
    run_data,
    runs,
    traces,
    versions,
)
from core.store.shapes import Kinds

OPTIONAL = type(None)
# Field -> type, for each kind of row. A time is text in the file.
FIELDS = {
    "corpora": {"id": int, "content_id": int | OPTIONAL, "reference": str | OPTIONAL, "added": datetime},
    "runs": {
        "id": int, "kind": str, "settings": dict, "constraint_text": str, "data_hash": str, "author": str,
        "status": str, "created": datetime, "started": datetime | OPTIONAL, "finished": datetime | OPTIONAL,
        "figures": dict, "error": str,
    },
    "traces": {"run_id": int, "entries": list},
    "entries": {
        "id": int, "number": int, "time": datetime, "author": str, "label": str, "undoable": bool,
        "undoes": int | OPTIONAL, "redoes": int | OPTIONAL,
    },
    "commands": {"entry_id": int, "kind": str, "key": str, "before": object, "after": object},
    "versions": {"kind": str, "key": str, "name": str, "value": object, "author": str, "time": datetime},
}  # fmt: skip
RUN_DATA = re.compile(r"(checkpoint|result)/(\d{1,18})(?:/(-?\d{1,9}))?")

log = logging.getLogger(__name__)


def restore_archive(
    database: Database, kinds: Kinds, archive: Archive, name: str | None, make: Callable[[Connection, str], Project]
) -> Project:
    """The new Project from a backup; ``make(connection, name)`` makes an empty project.

    Raises StoreError, and leaves no project, where the parts of the backup do not fit together, or a document or run is
    of none of the ``kinds``.
    """
    name = clean_name(name or archive.project, "project")
    check = BackupCheck(archive, kinds)
    with database.write() as connection:
        project = make(connection, name)
        hide(connection, project.id)
    try:
        BackupWriter(database, project.id, archive, check).fill()
        with batch_on(database, project.id) as connection:
            database.lock_names(connection)
            name = free_name(connection, name, numbered=True)
            values = {"name": name, "process": None, "heartbeat": None}  # which show it
            connection.execute(projects.update().where(projects.c.id == project.id).values(**values))
    except BaseException as error:
        _clear(database, project.id)
        if isinstance(error, KeyError):
            raise _unknown(error) from error
        if isinstance(error, RecursionError | UnicodeEncodeError):
            raise _damaged("it holds a value that cannot be kept") from error
        raise
    return Project(project.id, name, project.created)


def _clear(database, project):
    try:
        purge(database, project)
    except StoreError as error:  # it stays hidden, and is deleted once this process has ended
        log.warning("project %d, restored in part, could not be cleared: %s", project, error)


class BackupCheck:
    """The first reading of a backup: checks it, and finds the last command on each document.

    Attributes
    ----------
    newest : dict
        (kind, key) of each document -> number of its last command, from 0.
    """

    def __init__(self, archive: Archive, kinds: Kinds):
        self._archive, self.kinds = archive, kinds
        for part in archive.parts:
            archive.check(part)
        self._texts = {str(self._checked_text(row)) for row, _ in rows_of(archive, "corpora")}
        self._runs = {self._checked_run(row) for row, _ in rows_of(archive, "runs")}
        for row, _ in rows_of(archive, "traces"):
            self._require_run(row["run_id"])
        for part in archive.parts:
            if match := RUN_DATA.fullmatch(part):
                self._require_run(int(match[2]))
        self._entries = {}  # id -> number
        for row, _ in rows_of(archive, "entries"):
            self._check_entry(row)
        self.newest, self._last_number = {}, 0
        for number, (row, _) in enumerate(rows_of(archive, "commands")):
            self._check_command(row)
            self.newest[row["kind"], row["key"]] = number
        versions_seen = set()
        for row, _ in rows_of(archive, "versions"):
            if (version := (row["kind"], row["key"], row["name"])) in versions_seen:
                raise _damaged(f"it has two versions named {row['name'][:20]!r} of one document")
            versions_seen.add(version)
            self._check_document(row, (row["value"],))

    def _checked_text(self, row):
        """The id of a text that has its content."""
        if (row["content_id"] is None) == (row["reference"] is None):
            raise _damaged(f"text {row['id']} has no content")
        if row["content_id"] is not None and _content(row["content_id"]) not in self._archive.parts:
            raise _unknown(row["content_id"])
        return row["id"]

    def _checked_run(self, row):
        """The id of a run whose settings and figures fit its kind."""
        kind = self.kinds.run(row["kind"])
        if not kind.has(row["settings"], row["figures"]):
            raise _damaged(f"run {row['id']} holds what no run of {kind.name!r} does")
        if any(run >= row["id"] for run in runs_named(row["settings"], kind.settings)):
            raise _damaged(f"run {row['id']} speaks of a later one")  # runs could follow each other in a circle
        return _with_status(row)["id"]

    def _require_run(self, run):
        if run not in self._runs:
            raise _unknown(run)

    def _check_entry(self, row):
        if row["number"] != len(self._entries) + 1:
            raise _damaged("its log has gaps")
        for other in (row["undoes"], row["redoes"]):
            if other is not None and other not in self._entries:
                raise _unknown(other)
        if self._entries.setdefault(row["id"], row["number"]) != row["number"]:
            raise _damaged("its log has two entries of one number")

    def _check_command(self, row):
        if (number := self._entries.get(row["entry_id"])) is None:
            raise _unknown(row["entry_id"])
        if number < self._last_number:
            raise _damaged("its log is not in order")
        self._last_number = number
        self._check_document(row, (row["before"], row["after"]))

    def _check_document(self, row, values):
        """Raise StoreError where values of a document do not fit its kind, or its text is missing."""
        kind, key = self.kinds.document(row["kind"]), row["key"]
        if not all(kind.has(key, value) for value in values):
            raise _damaged(f"the document {quoted(key)!r} of {kind.name!r} holds what none does")
        text = corpus_of_key(key, kind.key)
        if text is not None and str(text) not in self._texts:
            raise _unknown(f"text {text}")


class BackupWriter:
    """The second reading of a backup: writes its rows to a hidden project."""

    def __init__(self, database: Database, project: int, archive: Archive, check: BackupCheck):
        self._database, self._project, self._archive = database, project, archive
        self._newest, self._kinds = check.newest, check.kinds
        self._contents, self._corpora, self._runs, self._entries = {}, {}, {}, {}  # old id -> new id
        self._references = References(self._corpora, self._runs)

    def fill(self) -> None:
        """Write all rows, each batch in a transaction of its own."""
        for batch in batches(self._with_contents()):
            self._write_corpora(batch)
        for batch in batches(rows_of(self._archive, "runs")):
            self._write_runs(batch)
        for batch in batches(rows_of(self._archive, "runs")):  # once all runs have their new ids
            self._write_settings(batch)
        for batch in batches(self._run_data()):
            self._insert(run_data, batch)
        for batch in batches(rows_of(self._archive, "traces")):
            self._insert(traces, [{**row, "run_id": self._runs[row["run_id"]]} for row in batch])
        for batch in batches(rows_of(self._archive, "entries")):
            self._write_entries(batch)
        written = 0
        for batch in batches((row, 2 * size) for row, size in rows_of(self._archive, "commands")):
            self._write_commands(batch, written)
            written += len(batch)
        for batch in batches(rows_of(self._archive, "versions")):
            self._insert(versions, [self._version(row) for row in batch])

    def _insert(self, table, rows):
        with batch_on(self._database, self._project) as connection:
            connection.execute(table.insert(), rows)

    def _with_contents(self):
        """Pairs of (a text's row, the row of its content if it is new) and their bytes."""
        written = set()
        for row, size in rows_of(self._archive, "corpora"):
            content = None
            if row["content_id"] is not None and row["content_id"] not in written:
                written.add(row["content_id"])
                content = self._packed(_content(row["content_id"]))
                size += len(content["data"])
            yield (row, content), size

    def _packed(self, part):
        """The row of a content in a part of the backup."""
        digest, packer, size, packed = hashlib.sha256(), zlib.compressobj(), 0, []
        for piece in self._archive.pieces(part):
            digest.update(piece)
            packed.append(packer.compress(piece))
            size += len(piece)
        return {"hash": digest.hexdigest(), "size": size, "data": b"".join([*packed, packer.flush()])}

    def _write_corpora(self, batch):
        """Write contents together with their texts, since a content without a text may be deleted at any time."""
        with batch_on(self._database, self._project) as connection:
            new = [(row["content_id"], content) for row, content in batch if content is not None]
            new_ids = _inserted(connection, contents, [content for _, content in new])
            self._contents.update(zip((old for old, _ in new), new_ids, strict=True))
            values = [
                {"project_id": self._project, "reference": row["reference"], "added": row["added"]}
                | {"content_id": row["content_id"] and self._contents[row["content_id"]]}
                for row, _ in batch
            ]
            new_ids = _inserted(connection, corpora, values)
            self._corpora.update(zip((row["id"] for row, _ in batch), new_ids, strict=True))

    def _write_runs(self, batch):
        state = {"project_id": self._project, "process": this_process(), "heartbeat": now()}
        values = []
        for row in map(_with_status, batch):
            finished = row["finished"] or (now() if row["status"] == "interrupted" else None)
            new = {name: value for name, value in row.items() if name != "id"}
            values.append({**new, **state, "settings": {}, "figures": {}, "finished": finished})
        with batch_on(self._database, self._project) as connection:
            new_ids = _inserted(connection, runs, values)
        self._runs.update(zip((row["id"] for row in batch), new_ids, strict=True))

    def _write_settings(self, batch):
        update = runs.update().where(runs.c.id == bindparam("run"))
        update = update.values(settings=bindparam("new_settings"), figures=bindparam("new_figures"))
        values = []
        for row in batch:
            kind, with_new_ids = self._kinds.run(row["kind"]), self._references.value
            settings, figures = with_new_ids(row["settings"], kind.settings), with_new_ids(row["figures"], kind.figures)
            values.append({"run": self._runs[row["id"]], "new_settings": settings, "new_figures": figures})
        with batch_on(self._database, self._project) as connection:
            connection.execute(update, values)

    def _run_data(self) -> Iterator[tuple[dict, int]]:
        for part, stated in self._archive.parts.items():
            if match := RUN_DATA.fullmatch(part):
                kind, run, iteration = match.groups()
                data = b"".join(self._archive.pieces(part))
                values = {"run_id": self._runs[int(run)], "kind": kind, "iteration": iteration and int(iteration)}
                yield {**values, "data": data}, stated["size"]

    def _write_entries(self, batch):
        """Write entries in the log's order, then their links to earlier ones, maybe of this batch."""
        plain = [name for name in FIELDS["entries"] if name not in ("id", "undoes", "redoes")]
        bare = [{"project_id": self._project, **{name: row[name] for name in plain}} for row in batch]
        update = entries.update().where(entries.c.id == bindparam("entry"))
        update = update.values(undoes=bindparam("new_undoes"), redoes=bindparam("new_redoes"))
        with batch_on(self._database, self._project) as connection:
            new_ids = _inserted(connection, entries, bare)
            self._entries.update(zip((row["id"] for row in batch), new_ids, strict=True))
            links = [
                {"entry": self._entries[row["id"]]}
                | {f"new_{link}": row[link] and self._entries[row[link]] for link in ("undoes", "redoes")}
                for row in batch
                if row["undoes"] is not None or row["redoes"] is not None
            ]
            if links:
                connection.execute(update, links)

    def _write_commands(self, batch, written):
        """Write commands, numbered from ``written``, and the documents whose last command is among them."""
        new_commands, new_documents = [], []
        for number, row in enumerate(batch, written):
            document, values = self._renumbered(row, ("before", "after"))
            entry = self._entries[row["entry_id"]]
            new_commands.append({"entry_id": entry, **document, **values})
            if self._newest[row["kind"], row["key"]] == number and values["after"] is not None:
                new_documents.append({"project_id": self._project, **document, **document_row(values["after"], entry)})
        with batch_on(self._database, self._project) as connection:
            connection.execute(commands.insert(), new_commands)
            if new_documents:
                connection.execute(documents.insert(), new_documents)

    def _version(self, row):
        document, value = self._renumbered(row, ("value",))
        return {**row, "project_id": self._project, **document, **value}

    def _renumbered(self, row, names):
        """(kind and key, values by ``names``) of a document, with the ids of this store."""
        kind = self._kinds.document(row["kind"])
        document = {"kind": kind.name, "key": self._references.key(row["key"], kind.key)}
        return document, {name: self._references.value(row[name], kind.type_of(row["key"])) for name in names}


def rows_of(archive: Archive, kind: str) -> Iterator[tuple[dict[str, Any], int]]:
    """The rows of a part with their bytes; each is a dict of the fields in FIELDS, of their types."""
    part, fields = f"{kind}.jsonl", FIELDS[kind]
    if part not in archive.parts:
        raise _damaged(f"it has no part {part}")
    for number, line in enumerate(archive.lines(part), 1):
        try:
            row = json.loads(line)
            checked = {name: _checked(row[name], wanted) for name, wanted in fields.items()}
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _damaged(f"line {number} of {part} is not one of its rows") from error
        yield checked, len(line)


def _checked(value, wanted):
    if wanted in (datetime, datetime | OPTIONAL) and value is not None:
        value = datetime.fromisoformat(value)
        if value.tzinfo is None:
            raise ValueError("a time without its zone")
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted not in (bool, object)):
        raise TypeError("another type")
    return value


def _inserted(connection, table, rows):
    """Insert rows; returns their new ids in order."""
    if not rows:
        return []
    return list(connection.execute(insert(table).returning(table.c.id, sort_by_parameter_order=True), rows).scalars())


def _with_status(row):
    """The row of a run; an unfinished one is interrupted."""
    if row["status"] not in (*UNFINISHED, *FINISHED):
        raise _damaged(f"run {row['id']} is {row['status'][:20]!r}")
    return {**row, "status": "interrupted"} if row["status"] in UNFINISHED else row


def _content(number):
    return f"contents/{number}"


def _unknown(name):
    return _damaged(f"it speaks of {name}, which it does not hold")


def _damaged(problem):
    return StoreError(
        f"The backup does not fit together: {problem}; nothing was restored, make it anew where it is from"
    )
