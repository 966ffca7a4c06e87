"""A project as one file, for safe keeping and for other installations: a ZIP archive with a manifest.

The manifest names the format, its version and the project, and for each other part its size and SHA-256. Rows are
JSON lines in the order of their old ids; bytes are parts of their own. Documents are left out: the log makes them.
Restoring is one transaction, and nothing in the archive is believed before it has been checked.
"""

import hashlib
import io
import json
import zipfile
import zlib
from datetime import datetime
from typing import BinaryIO, SupportsIndex

from sqlalchemy import select

from core.errors import StoreError, quoted
from core.store.database import Database
from core.store.projects import Project, readable, require_project
from core.store.restoring import restore_parts
from core.store.schema import (
    canonical_json,
    commands,
    contents,
    corpora,
    entries,
    now,
    run_data,
    runs,
    traces,
    versions,
)
from core.unpacking import DAMAGE, TooLargeError, unpack

FORMAT, VERSION = "parser-workbench backup", 1
MANIFEST = "manifest.json"
LIMIT = 500_000_000  # bytes unpacked; more only where asked for
MOST_PARTS = 200_000
WRONG = "nothing was restored; choose a file that the workbench's backup made, whole and unchanged"


class Backups:
    """The part of the store that writes projects to files and reads them back."""

    database: Database

    def backup_project(self, project: SupportsIndex, file: BinaryIO) -> dict:
        """Write the project into a binary file that can be written to; returns the manifest. Sees one state of it."""
        with self.database.read() as connection, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            owner = require_project(connection, readable(connection, project))
            parts = {}
            for name, data in _parts(connection, owner.id):
                archive.writestr(name, data)
                parts[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            manifest = {"format": FORMAT, "version": VERSION, "project": owner.name, "made": now().isoformat()}
            manifest |= {"parts": parts}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        return manifest

    def restore_backup(self, file: BinaryIO, name: str | None = None, limit: int = LIMIT) -> Project:
        """A new project from a backup's binary file, under its own name, or ``name``, or the next one free.

        StoreError, and nothing is changed, where the file is no backup, of a later version, cut off, altered, or
        would unpack to more than ``limit`` bytes. Who restores it owns it; runs that were going on are interrupted.
        """
        parts, manifest = read_archive(file, limit)
        with self.database.write() as connection:
            self.database.lock_names(connection)
            return restore_parts(self, connection, name or manifest["project"], parts)

    def copy_project(self, project: SupportsIndex, name: str) -> Project:
        """A project with all that another one holds."""
        file = io.BytesIO()
        self.backup_project(project, file)
        return self.restore_backup(file, name, limit=1 << 62)


def _parts(connection, project_id):
    """Pairs of a part's name and its bytes."""
    of_project = {table: table.c.project_id == project_id for table in (corpora, entries, versions, runs)}
    yield "corpora.jsonl", _lines(connection, select(corpora).where(of_project[corpora]))
    yield "entries.jsonl", _lines(connection, select(entries).where(of_project[entries]))
    own = select(entries.c.id).where(of_project[entries])
    yield "commands.jsonl", _lines(connection, select(commands).where(commands.c.entry_id.in_(own)))
    yield "versions.jsonl", _lines(connection, select(versions).where(of_project[versions]))
    yield "runs.jsonl", _lines(connection, select(runs).where(of_project[runs]))
    own = select(runs.c.id).where(of_project[runs])
    yield "traces.jsonl", _lines(connection, select(traces).where(traces.c.run_id.in_(own)))
    used = select(corpora.c.content_id).where(of_project[corpora])
    for row in connection.execute(select(contents.c.id).where(contents.c.id.in_(used))).all():
        yield f"contents/{row.id}", zlib.decompress(_blob(connection, contents, contents.c.id == row.id))
    query = select(run_data.c.run_id, run_data.c.kind, run_data.c.iteration).where(run_data.c.run_id.in_(own))
    for row in connection.execute(query.order_by(run_data.c.run_id, run_data.c.kind)).all():
        place = (run_data.c.run_id == row.run_id) & (run_data.c.kind == row.kind)
        iteration = "" if row.iteration is None else f"/{row.iteration}"
        yield f"{row.kind}/{row.run_id}{iteration}", _blob(connection, run_data, place)


def _blob(connection, table, place):
    return connection.execute(select(table.c.data).where(place)).scalar_one()


def _lines(connection, query):
    rows = (row._mapping for row in connection.execute(query.order_by(query.selected_columns.id)))
    plain = ({k: v.isoformat() if isinstance(v, datetime) else v for k, v in row.items()} for row in rows)
    return "".join(canonical_json(row) + "\n" for row in plain).encode()


def read_archive(file: BinaryIO, limit: int) -> tuple[dict[str, bytes], dict]:
    """(name -> bytes of each part, manifest) of an archive that is what its manifest says, or StoreError."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _read_checked(archive, limit)
    except StoreError:
        raise
    except DAMAGE as error:
        raise StoreError(f"This is no backup, or only a piece of one ({quoted(str(error))}); {WRONG}") from error


def _read_checked(archive, limit):
    manifest = _manifest(archive)
    stated = manifest["parts"]
    names = archive.namelist()
    if sorted(names) != sorted([*stated, MANIFEST]):
        raise StoreError(f"The backup does not hold the parts that its manifest lists; {WRONG}")
    size = sum(part["size"] for part in stated.values())
    if size > limit:
        raise StoreError(
            f"The backup would unpack to {size / 1e6:.0f} MB and {limit / 1e6:.0f} MB is the limit here;"
            " nothing was restored, use python -m core restore --limit"
        )
    parts = {}
    for name, part in stated.items():
        data = _bounded(archive, name, part["size"])
        if len(data) != part["size"] or hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise StoreError(f"The part {name!r} of the backup is not what was written; {WRONG}")
        parts[name] = data
    return parts, manifest


def _manifest(archive):
    if MANIFEST not in archive.namelist():
        raise StoreError(f"This archive is no backup of the workbench; {WRONG}")
    try:
        manifest = json.loads(_bounded(archive, MANIFEST, 50_000_000))
    except (ValueError, RecursionError) as error:
        raise StoreError(f"The manifest of the backup cannot be read; {WRONG}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StoreError(f"This archive is no backup of the workbench; {WRONG}")
    if manifest.get("version") != VERSION:
        raise StoreError(
            f"The backup has format version {str(manifest.get('version'))[:20]} and this workbench reads version"
            f" {VERSION}; nothing was restored, update the workbench"
        )
    parts = manifest.get("parts")
    fits = isinstance(parts, dict) and len(parts) <= MOST_PARTS and isinstance(manifest.get("project"), str)
    if not isinstance(parts, dict) or not fits or not all(_is_part(part) for part in parts.values()):
        raise StoreError(f"The manifest of the backup is damaged; {WRONG}")
    return manifest


def _is_part(part):
    return (
        isinstance(part, dict)
        and isinstance(part.get("size"), int)
        and part["size"] >= 0
        and isinstance(part.get("sha256"), str)
    )


def _bounded(archive, name, size):
    """The bytes of a part of at most ``size``, whatever the archive says of itself; StoreError where it has more."""
    try:
        with archive.open(name) as part:
            return unpack(part, size)
    except TooLargeError:
        raise StoreError(f"The part {name!r} of the backup is not what was written; {WRONG}") from None
