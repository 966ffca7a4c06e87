"""A project as one file, for safe keeping and for other installations: a ZIP archive with a manifest.

The manifest has the format, its version and the project, and for each other part its size and SHA-256. Rows are JSON
lines in the order of their old ids; bytes are parts of their own. Documents are left out: they follow from the log. An
archive is written and read in pieces, whatever its size.
"""

import hashlib
import io
import json
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import BinaryIO, SupportsIndex

from sqlalchemy import Connection, select

from core.errors import StoreError
from core.store import schema
from core.store.archive import FORMAT, MANIFEST, PIECE, VERSION, Archive
from core.store.database import Database
from core.store.projects import Project, readable, require_project
from core.store.restoring import restore_archive
from core.store.shapes import Kinds

LIMIT = 500_000_000  # bytes of an unpacked backup that is uploaded on a page
ROWS = 500  # of a table, in memory at a time


class Backups:
    """The part of the store that writes projects to files and reads them back."""

    database: Database
    kinds: Callable[[], Kinds]
    require_space_for_project: Callable[[str, int], None]  # by Quotas
    make_project: Callable[..., Project]  # by Projects

    def backup_project(self, project: SupportsIndex, file: BinaryIO) -> dict:
        """Write one state of the project into a binary file; returns the manifest."""
        with self.database.read() as connection, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            owner = require_project(connection, readable(connection, project))
            parts = {name: _write(archive, name, pieces) for name, pieces in _parts(connection, owner.id)}
            manifest = {"format": FORMAT, "version": VERSION, "project": owner.name, "made": schema.now().isoformat()}
            manifest |= {"parts": parts}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        return manifest

    def restore_backup(self, file: BinaryIO, name: str | None = None, limit: int | None = LIMIT) -> Project:
        """A new project from a backup's binary file, under its own name or ``name``, with a number if that is taken.

        It is written in many small transactions, and is hidden until it is complete. The person who restores it owns
        it; runs that were not finished are interrupted.

        Raises StoreError, and changes nothing, where the file is no backup, of a later version, cut off or altered. So
        too where the disk has no room for it, it would unpack to more than ``limit`` bytes, or it has unknown kinds.
        """
        self.require_space_for_project("the backup", file.seek(0, io.SEEK_END))
        archive = Archive(file, limit)
        needed, folder = archive.needed_space(), self.database.folder  # which a server's database does not have
        if folder is not None and (free := shutil.disk_usage(folder).free) < needed:
            raise StoreError(
                f"The backup takes {needed / 1e6:,.0f} MB and {folder} has {free / 1e6:,.0f} MB free;"
                " nothing was restored, make room there"
            )
        return restore_archive(self.database, self.kinds(), archive, name, partial(self.make_project, sample=False))

    def copy_project(self, project: SupportsIndex, name: str) -> Project:
        """A copy of a project; meanwhile its backup is on disk."""
        with tempfile.TemporaryFile() as file:
            self.backup_project(project, file)
            return self.restore_backup(file, name, limit=None)


def _write(archive, name, pieces):
    """Write a part; returns its size and SHA-256."""
    size, digest = 0, hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as part:
        for piece in pieces:
            part.write(piece)
            size += len(piece)
            digest.update(piece)
    return {"size": size, "sha256": digest.hexdigest()}


def _parts(connection: Connection, project_id: int) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each part's name and an iterator over its pieces, to be read before the next part."""
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
        yield f"{table.name}.jsonl", _lines(connection, select(table).where(owned[table]).order_by(table.c.id))
    used = select(schema.corpora.c.content_id).where(owned[schema.corpora])
    for row in connection.execute(select(schema.contents.c.id).where(schema.contents.c.id.in_(used))).all():
        yield f"contents/{row.id}", unpacked_pieces(_blob(connection, schema.contents, schema.contents.c.id == row.id))
    data = schema.run_data.c
    query = select(data.run_id, data.kind, data.iteration).where(data.run_id.in_(of_runs))
    for row in connection.execute(query.order_by(data.run_id, data.kind)).all():
        iteration = "" if row.iteration is None else f"/{row.iteration}"
        condition = (data.run_id == row.run_id) & (data.kind == row.kind)
        yield f"{row.kind}/{row.run_id}{iteration}", iter((_blob(connection, schema.run_data, condition),))


def _lines(connection, query):
    """The rows of a query as lines of JSON."""
    rows = connection.execute(query, execution_options={"stream_results": True, "yield_per": ROWS}).mappings()
    for part in rows.partitions():
        plain = ({k: v.isoformat() if isinstance(v, datetime) else v for k, v in row.items()} for row in part)
        yield "".join(schema.canonical_json(row) + "\n" for row in plain).encode()


def _blob(connection, table, condition):
    return connection.execute(select(table.c.data).where(condition)).scalar_one()


def unpacked_pieces(packed: bytes) -> Iterator[bytes]:
    """The unpacked bytes of zlib data, in pieces."""
    unpacker, rest = zlib.decompressobj(), packed
    while not unpacker.eof:
        try:
            piece = unpacker.decompress(rest, PIECE)
        except zlib.error as error:
            raise StoreError("A text of this project is damaged on disk; remove it, or restore a backup") from error
        if not piece and not unpacker.eof:
            raise StoreError("A text of this project is damaged on disk; remove it, or restore a backup")
        rest = unpacker.unconsumed_tail
        yield piece
