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
from collections.abc import Callable
from datetime import datetime
from typing import BinaryIO, SupportsIndex

from sqlalchemy import select

from core.errors import StoreError, quoted
from core.store import schema
from core.store.database import Database
from core.store.projects import Project, readable, require_project
from core.store.restoring import restore_parts
from core.unpacking import DAMAGE, TooLargeError, unpack

FORMAT, VERSION = "parser-workbench backup", 1
MANIFEST = "manifest.json"
LIMIT = 500_000_000  # bytes unpacked; more only where asked for
MOST_PARTS = 200_000
WRONG = "nothing was restored; choose a file that the workbench's backup made, whole and unchanged"


class Backups:
    """The part of the store that writes projects to files and reads them back."""

    database: Database
    require_room_for_project: Callable[[str, int], None]  # by Room

    def backup_project(self, project: SupportsIndex, file: BinaryIO) -> dict:
        """Write the project into a binary file that can be written to; returns the manifest. Sees one state of it."""
        with self.database.read() as connection, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            owner = require_project(connection, readable(connection, project))
            parts = {}
            for name, data in _parts(connection, owner.id):
                archive.writestr(name, data)
                parts[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            manifest = {"format": FORMAT, "version": VERSION, "project": owner.name, "made": schema.now().isoformat()}
            manifest |= {"parts": parts}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        return manifest

    def restore_backup(self, file: BinaryIO, name: str | None = None, limit: int = LIMIT) -> Project:
        """A new project from a backup's binary file, under its own name, or ``name``, or the next one free.

        StoreError, and nothing is changed, where the file is no backup, of a later version, cut off, altered, or
        would unpack to more than ``limit`` bytes. Who restores it owns it; runs that were going on are interrupted.
        """
        self.require_room_for_project("the backup", file.seek(0, io.SEEK_END))
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
    owned = {
        table: table.c.project_id == project_id
        for table in (schema.corpora, schema.entries, schema.versions, schema.runs)
    }
    of_entries, of_runs = (select(table.c.id).where(owned[table]) for table in (schema.entries, schema.runs))
    owned |= {
        schema.commands: schema.commands.c.entry_id.in_(of_entries),
        schema.traces: schema.traces.c.run_id.in_(of_runs),
    }
    for table in (schema.corpora, schema.entries, schema.commands, schema.versions, schema.runs, schema.traces):
        rows = connection.execute(select(table).where(owned[table]).order_by(table.c.id)).mappings()
        plain = ({k: v.isoformat() if isinstance(v, datetime) else v for k, v in row.items()} for row in rows)
        yield f"{table.name}.jsonl", "".join(schema.canonical_json(row) + "\n" for row in plain).encode()
    used = select(schema.corpora.c.content_id).where(owned[schema.corpora])
    for row in connection.execute(select(schema.contents.c.id).where(schema.contents.c.id.in_(used))).all():
        yield f"contents/{row.id}", zlib.decompress(_blob(connection, schema.contents, schema.contents.c.id == row.id))
    data = schema.run_data.c
    query = select(data.run_id, data.kind, data.iteration).where(data.run_id.in_(of_runs))
    for row in connection.execute(query.order_by(data.run_id, data.kind)).all():
        iteration = "" if row.iteration is None else f"/{row.iteration}"
        place = (data.run_id == row.run_id) & (data.kind == row.kind)
        yield f"{row.kind}/{row.run_id}{iteration}", _blob(connection, schema.run_data, place)


def _blob(connection, table, place):
    return connection.execute(select(table.c.data).where(place)).scalar_one()


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
