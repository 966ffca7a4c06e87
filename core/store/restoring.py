"""Rows of a backup, checked and written under new ids, batch by batch.

An archive is read twice. The first time everything in it is checked that can be without a database, and what is kept of
it are ids and the places of documents. The second time rows are written, to a project that is hidden until it is whole.
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
# Field -> types, of each kind of row. A time is text in the file.
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
    """The new Project made of a backup; StoreError, and nothing is left of it, where its parts do not fit together.

    So too where a document or run is of none of the ``kinds``.

    ``make(connection, name)`` makes an empty project.
    """
    name = clean_name(name or archive.project, "project")
    survey = Survey(archive, kinds)
    with database.write() as connection:
        project = make(connection, name)
        hide(connection, project.id)
    try:
        Filling(database, project.id, archive, survey).fill()
        with batch_on(database, project.id) as connection:
            database.lock_names(connection)
            name = free_name(connection, name, numbered=True)
            shown = {"name": name, "process": None, "heartbeat": None}
            connection.execute(projects.update().where(projects.c.id == project.id).values(**shown))
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
    except StoreError as error:  # it stays hidden, and goes when this process has ended
        log.warning("project %d, restored in part, could not be cleared: %s", project, error)


class Survey:
    """What the first reading of a backup gives: that it fits together, and which command made each document last.

    Attributes
    ----------
    newest : dict
        (kind, key) of each document -> number of the command, from 0 on, that it is as the last one left it.
    """

    def __init__(self, archive: Archive, kinds: Kinds):
        self._archive, self.kinds = archive, kinds
        for part in archive.parts:
            archive.check(part)
        self._texts = {str(self._text(row)) for row, _ in rows_of(archive, "corpora")}
        self._runs = {self._run(row) for row, _ in rows_of(archive, "runs")}
        for row, _ in rows_of(archive, "traces"):
            self._require_run(row["run_id"])
        for part in archive.parts:
            if match := RUN_DATA.fullmatch(part):
                self._require_run(int(match[2]))
        self._entries = {}  # id -> number
        for row, _ in rows_of(archive, "entries"):
            self._entry(row)
        self.newest, self._reached = {}, 0
        for number, (row, _) in enumerate(rows_of(archive, "commands")):
            self._command(row)
            self.newest[row["kind"], row["key"]] = number
        named = set()
        for row, _ in rows_of(archive, "versions"):
            if (place := (row["kind"], row["key"], row["name"])) in named:
                raise _damaged(f"it has two versions named {row['name'][:20]!r} of one document")
            named.add(place)
            self._require_shape(row, (row["value"],))

    def _text(self, row):
        if (row["content_id"] is None) == (row["reference"] is None):
            raise _damaged(f"text {row['id']} has no content")
        if row["content_id"] is not None and _content(row["content_id"]) not in self._archive.parts:
            raise _unknown(row["content_id"])
        return row["id"]

    def _run(self, row):
        kind = self.kinds.run(row["kind"])
        if not kind.has(row["settings"], row["figures"]):
            raise _damaged(f"run {row['id']} holds what no run of {kind.name!r} does")
        if any(run >= row["id"] for run in runs_named(row["settings"], kind.settings)):
            raise _damaged(f"run {row['id']} speaks of a later one")  # whoever follows it back would not come to an end
        return _with_status(row)["id"]

    def _require_run(self, run):
        if run not in self._runs:
            raise _unknown(run)

    def _entry(self, row):
        if row["number"] != len(self._entries) + 1:
            raise _damaged("its log has gaps")
        for other in (row["undoes"], row["redoes"]):
            if other is not None and other not in self._entries:
                raise _unknown(other)
        if self._entries.setdefault(row["id"], row["number"]) != row["number"]:
            raise _damaged("its log has two entries of one number")

    def _command(self, row):
        if (number := self._entries.get(row["entry_id"])) is None:
            raise _unknown(row["entry_id"])
        if number < self._reached:
            raise _damaged("its log is not in order")
        self._reached = number
        self._require_shape(row, (row["before"], row["after"]))

    def _require_shape(self, row, values):
        """What is kept of a document is such as the workbench writes, and of a text that came along."""
        kind, key = self.kinds.document(row["kind"]), row["key"]
        if not all(kind.has(key, value) for value in values):
            raise _damaged(f"the document {quoted(key)!r} of {kind.name!r} holds what none does")
        text = corpus_of_key(key, kind.key)
        if text is not None and str(text) not in self._texts:
            raise _unknown(f"text {text}")


class Filling:
    """The second reading of a backup: writes its rows to a hidden project."""

    def __init__(self, database: Database, project: int, archive: Archive, survey: Survey):
        self._database, self._project, self._archive = database, project, archive
        self._newest, self._kinds = survey.newest, survey.kinds
        self._contents, self._corpora, self._runs, self._entries = {}, {}, {}, {}  # old id -> new id
        self._references = References(self._corpora, self._runs)

    def fill(self) -> None:
        """Write all rows, in batches of their own transactions."""
        for batch in batches(self._with_contents()):
            self._write_corpora(batch)
        for batch in batches(rows_of(self._archive, "runs")):
            self._write_runs(batch)
        for batch in batches(rows_of(self._archive, "runs")):  # now that all have an id, which settings may name
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
        """Pairs of (a text's row, the row of its content where that was not met before) and its bytes."""
        met = set()
        for row, size in rows_of(self._archive, "corpora"):
            content = None
            if row["content_id"] is not None and row["content_id"] not in met:
                met.add(row["content_id"])
                content = self._pack(_content(row["content_id"]))
                size += len(content["data"])
            yield (row, content), size

    def _pack(self, part):
        """The row of a content."""
        digest, packer, size, packed = hashlib.sha256(), zlib.compressobj(), 0, []
        for piece in self._archive.pieces(part):
            digest.update(piece)
            packed.append(packer.compress(piece))
            size += len(piece)
        return {"hash": digest.hexdigest(), "size": size, "data": b"".join([*packed, packer.flush()])}

    def _write_corpora(self, batch):
        """Contents with the texts that have them: without one, a content would be taken for one that nobody needs."""
        with batch_on(self._database, self._project) as connection:
            new = [(row["content_id"], content) for row, content in batch if content is not None]
            made = _inserted(connection, contents, [content for _, content in new])
            self._contents.update(zip((old for old, _ in new), made, strict=True))
            values = [
                {"project_id": self._project, "reference": row["reference"], "added": row["added"]}
                | {"content_id": row["content_id"] and self._contents[row["content_id"]]}
                for row, _ in batch
            ]
            made = _inserted(connection, corpora, values)
            self._corpora.update(zip((row["id"] for row, _ in batch), made, strict=True))

    def _write_runs(self, batch):
        state = {"project_id": self._project, "process": this_process(), "heartbeat": now()}
        values = []
        for row in map(_with_status, batch):
            finished = row["finished"] or (now() if row["status"] == "interrupted" else None)
            new = {name: value for name, value in row.items() if name != "id"}
            values.append({**new, **state, "settings": {}, "figures": {}, "finished": finished})
        with batch_on(self._database, self._project) as connection:
            made = _inserted(connection, runs, values)
        self._runs.update(zip((row["id"] for row in batch), made, strict=True))

    def _write_settings(self, batch):
        change = runs.update().where(runs.c.id == bindparam("of"))
        change = change.values(settings=bindparam("its_settings"), figures=bindparam("its_figures"))
        values = []
        for row in batch:
            kind, new = self._kinds.run(row["kind"]), self._references.value
            its = {
                "its_settings": new(row["settings"], kind.settings),
                "its_figures": new(row["figures"], kind.figures),
            }
            values.append({"of": self._runs[row["id"]], **its})
        with batch_on(self._database, self._project) as connection:
            connection.execute(change, values)

    def _run_data(self) -> Iterator[tuple[dict, int]]:
        for part, stated in self._archive.parts.items():
            if match := RUN_DATA.fullmatch(part):
                kind, run, iteration = match.groups()
                data = b"".join(self._archive.pieces(part))
                values = {"run_id": self._runs[int(run)], "kind": kind, "iteration": iteration and int(iteration)}
                yield {**values, "data": data}, stated["size"]

    def _write_entries(self, batch):
        """Entries in the log's order; what one undoes was there before it, maybe in this batch."""
        plain = [name for name in FIELDS["entries"] if name not in ("id", "undoes", "redoes")]
        bare = [{"project_id": self._project, **{name: row[name] for name in plain}} for row in batch]
        change = entries.update().where(entries.c.id == bindparam("of"))
        change = change.values(undoes=bindparam("its_undoes"), redoes=bindparam("its_redoes"))
        with batch_on(self._database, self._project) as connection:
            made = _inserted(connection, entries, bare)
            self._entries.update(zip((row["id"] for row in batch), made, strict=True))
            links = [
                {"of": self._entries[row["id"]]}
                | {f"its_{does}": row[does] and self._entries[row[does]] for does in ("undoes", "redoes")}
                for row in batch
                if row["undoes"] is not None or row["redoes"] is not None
            ]
            if links:
                connection.execute(change, links)

    def _write_commands(self, batch, written):
        """Commands, the first of them that of number ``written``, and the documents that they are the last to make."""
        made, present = [], []
        for number, row in enumerate(batch, written):
            place, values = self._renumbered(row, ("before", "after"))
            entry = self._entries[row["entry_id"]]
            made.append({"entry_id": entry, **place, **values})
            if self._newest[row["kind"], row["key"]] == number and values["after"] is not None:
                present.append({"project_id": self._project, **place, **document_row(values["after"], entry)})
        with batch_on(self._database, self._project) as connection:
            connection.execute(commands.insert(), made)
            if present:
                connection.execute(documents.insert(), present)

    def _version(self, row):
        place, value = self._renumbered(row, ("value",))
        return {**row, "project_id": self._project, **place, **value}

    def _renumbered(self, row, names):
        """(kind and key, values by these names) of a document, with the ids of this store."""
        kind = self._kinds.document(row["kind"])
        place = {"kind": kind.name, "key": self._references.key(row["key"], kind.key)}
        return place, {name: self._references.value(row[name], kind.type_of(row["key"])) for name in names}


def rows_of(archive: Archive, kind: str) -> Iterator[tuple[dict[str, Any], int]]:
    """The rows of a part and their bytes; each is a dict of the wanted fields, of their types."""
    part, fields = f"{kind}.jsonl", FIELDS[kind]
    if part not in archive.parts:
        raise _damaged(f"it has no part {part}")
    for number, line in enumerate(archive.lines(part), 1):
        try:
            row = json.loads(line)
            found = {name: _checked(row[name], wanted) for name, wanted in fields.items()}
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _damaged(f"line {number} of {part} is not one of its rows") from error
        yield found, len(line)


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
    """The row of a run; one that was going on is interrupted."""
    if row["status"] not in (*UNFINISHED, *FINISHED):
        raise _damaged(f"run {row['id']} is {row['status'][:20]!r}")
    return {**row, "status": "interrupted"} if row["status"] in UNFINISHED else row


def _content(number):
    return f"contents/{number}"


def _unknown(what):
    return _damaged(f"it speaks of {what}, which it does not hold")


def _damaged(what):
    return StoreError(f"The backup does not fit together: {what}; nothing was restored, make it anew where it is from")
