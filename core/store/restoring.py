"""Rows of a backup, checked and written under new ids."""

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert

from core.errors import StoreError, quoted
from core.store.corpora import DESCRIPTION, DOCUMENT
from core.store.log import document_row
from core.store.processes import this_process
from core.store.projects import UNFINISHED, Project, free_name
from core.store.references import References
from core.store.runs import FINISHED
from core.store.schema import commands, contents, corpora, documents, entries, now, run_data, runs, traces, versions
from core.store.shapes import is_document, is_run

OPTIONAL = type(None)
# Field -> types, of each kind of row. A time is text in the file.
FIELDS = {
    "corpora": {"id": int, "content_id": int | OPTIONAL, "reference": str | OPTIONAL, "added": datetime},
    "entries": {
        "id": int, "number": int, "time": datetime, "author": str, "label": str, "undoable": bool,
        "undoes": int | OPTIONAL, "redoes": int | OPTIONAL,
    },
    "commands": {"entry_id": int, "kind": str, "key": str, "before": object, "after": object},
    "versions": {"kind": str, "key": str, "name": str, "value": object, "author": str, "time": datetime},
    "runs": {
        "id": int, "kind": str, "settings": dict, "constraint_text": str, "data_hash": str, "author": str,
        "status": str, "created": datetime, "started": datetime | OPTIONAL, "finished": datetime | OPTIONAL,
        "figures": dict, "error": str,
    },
    "traces": {"run_id": int, "entries": list},
}  # fmt: skip
CONTENT = re.compile(r"contents/(\d{1,18})")
RUN_DATA = re.compile(r"(checkpoint|result)/(\d{1,18})(?:/(-?\d{1,9}))?")


def restore_parts(store: Any, connection: Connection, name: str, parts: Mapping[str, bytes]) -> Project:
    """The new Project made of a backup's parts, inside a transaction; StoreError where they do not fit together."""
    rows = {kind: _rows(parts.get(f"{kind}.jsonl"), kind, fields) for kind, fields in FIELDS.items()}
    try:
        project = store.make_project(connection, free_name(connection, name, numbered=True), sample=False)
        new_corpora = _restore_corpora(connection, project.id, rows["corpora"], parts)
        references = References(new_corpora, _restore_runs(connection, project.id, rows["runs"], new_corpora))
        for part, data in parts.items():
            if match := RUN_DATA.fullmatch(part):
                kind, run, iteration = match.groups()
                values = {"run_id": references.runs[int(run)], "kind": kind, "iteration": iteration and int(iteration)}
                connection.execute(run_data.insert().values(**values, data=data))
        _insert(connection, traces, [{**row, "run_id": references.runs[row["run_id"]]} for row in rows["traces"]])
        _restore_log(connection, project.id, rows["entries"], rows["commands"], references)
        for row in rows["versions"]:
            _require_shape(row, (row["value"],))
        kept = [
            {**row, "project_id": project.id, "key": references.key(row["kind"], row["key"])}
            | {"value": references.document(row["key"], row["value"])}
            for row in rows["versions"]
        ]
        _insert(connection, versions, kept)
    except KeyError as error:
        raise _damaged(f"it speaks of {error}, which it does not hold") from error
    except (RecursionError, UnicodeEncodeError) as error:
        raise _damaged("it holds a value that cannot be kept") from error
    return project


def _rows(data, kind, fields):
    """Dicts of the wanted fields, each of its type."""
    if data is None:
        raise _damaged(f"it has no part {kind}.jsonl")
    rows = []
    for number, line in enumerate(data.splitlines(), 1):
        where = f"line {number} of {kind}.jsonl"
        try:
            row = json.loads(line)
            rows.append({name: _checked(row[name], wanted) for name, wanted in fields.items()})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _damaged(f"{where} is not one of its rows") from error
    return rows


def _checked(value, wanted):
    if wanted in (datetime, datetime | OPTIONAL) and value is not None:
        value = datetime.fromisoformat(value)
        if value.tzinfo is None:
            raise ValueError("a time without its zone")
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted not in (bool, object)):
        raise TypeError("another type")
    return value


def _insert(connection, table, rows):
    """Insert rows; returns their new ids in order."""
    if not rows:
        return []
    return list(connection.execute(insert(table).returning(table.c.id, sort_by_parameter_order=True), rows).scalars())


def _restore_corpora(connection, project_id, rows, parts):
    """Old id -> new id."""
    kept = {}  # content id in the file -> content id here
    for name, data in parts.items():
        if match := CONTENT.fullmatch(name):
            values = {"hash": hashlib.sha256(data).hexdigest(), "size": len(data), "data": zlib.compress(data)}
            (kept[int(match[1])],) = _insert(connection, contents, [values])
    made = []
    for row in rows:
        if (row["content_id"] is None) == (row["reference"] is None):
            raise _damaged(f"text {row['id']} has no content")
        content = None if row["content_id"] is None else kept[row["content_id"]]
        made.append({"content_id": content, "reference": row["reference"], "added": row["added"]})
    new = _insert(connection, corpora, [{"project_id": project_id, **row} for row in made])
    return dict(zip((row["id"] for row in rows), new, strict=True))


def _restore_runs(connection, project_id, rows, new_corpora):
    """Old id -> new id. A run's settings may name earlier runs, so they are filled in when all have an id."""
    state = {"project_id": project_id, "process": this_process(), "heartbeat": now()}
    made = []
    for row in rows:
        if not is_run(row["kind"], row["settings"], row["figures"]):
            raise _damaged(f"run {row['id']} holds what no run of {quoted(row['kind'])!r} does")
        if row["status"] not in (*UNFINISHED, *FINISHED):
            raise _damaged(f"run {row['id']} is {row['status'][:20]!r}")
        status = "interrupted" if row["status"] in UNFINISHED else row["status"]
        finished = row["finished"] or (now() if status == "interrupted" else None)
        values = {name: value for name, value in row.items() if name != "id"}
        made.append({**values, **state, "status": status, "finished": finished})
    new = dict(zip((row["id"] for row in rows), _insert(connection, runs, made), strict=True))
    references = References(new_corpora, new)
    for row in rows:
        start = row["settings"].get("start")
        if isinstance(start, int) and start >= row["id"]:  # whoever follows it back would not come to an end
            raise _damaged(f"run {row['id']} begins from a later one")
        values = {"settings": references.settings(row["settings"])}
        connection.execute(runs.update().where(runs.c.id == new[row["id"]]).values(**values))
    return new


def _restore_entries(connection, project_id, rows):
    """Old id -> new id, in the log's order."""
    rows = sorted(rows, key=lambda row: row["number"])
    if [row["number"] for row in rows] != list(range(1, len(rows) + 1)):
        raise _damaged("its log has gaps")
    plain = [name for name in FIELDS["entries"] if name not in ("id", "undoes", "redoes")]
    bare = [{"project_id": project_id, **{name: row[name] for name in plain}} for row in rows]
    new = dict(zip((row["id"] for row in rows), _insert(connection, entries, bare), strict=True))
    for row in rows:
        values = {name: new[row[name]] for name in ("undoes", "redoes") if row[name] is not None}
        if values:
            connection.execute(entries.update().where(entries.c.id == new[row["id"]]).values(**values))
    return new


def _restore_log(connection, project_id, rows, changes, references):
    """The log, and the documents that it makes."""
    new = _restore_entries(connection, project_id, rows)
    order = {entry: place for place, entry in enumerate(new)}
    state, made = {}, []
    for row in sorted(changes, key=lambda row: order[row["entry_id"]]):  # stable: within an entry as they were
        key = references.key(row["kind"], row["key"])
        values = {side: references.document(row["key"], row[side]) for side in ("before", "after")}
        _require_shape(row, values.values())
        if row["kind"] == DOCUMENT:
            _require_text(row["key"], values, references)
        made.append({"entry_id": new[row["entry_id"]], "kind": row["kind"], "key": key, **values})
        state[row["kind"], key] = document_row(values["after"], new[row["entry_id"]])
    _insert(connection, commands, made)
    present = [
        {"project_id": project_id, "kind": kind, "key": key, **document}
        for (kind, key), document in state.items()
        if document["value"] is not None
    ]
    if present:
        connection.execute(documents.insert(), present)


def _require_shape(row, values):
    """What is kept of a document is such as the workbench writes."""
    for value in values:
        if not is_document(row["kind"], row["key"], value):
            raise _damaged(f"the document {quoted(row['key'])!r} of {quoted(row['kind'])!r} holds what none does")


def _require_text(key, values, references):
    """A command on a text names one that came along, and describes it as the store does."""
    if key not in {str(old) for old in references.corpora}:
        raise _damaged(f"it speaks of text {key[:20]}, which it does not hold")
    for value in values.values():
        if value is not None and not (isinstance(value, dict) and set(DESCRIPTION) <= set(value)):
            raise _damaged(f"text {key} has no name and format")


def _damaged(what):
    return StoreError(f"The backup does not fit together: {what}; nothing was restored, make it anew where it is from")
