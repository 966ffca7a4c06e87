"""Reading a backup: each part is checked against the manifest, and only a piece of it is in memory at a time.

An archive that differs from its manifest raises StoreError.
"""

import hashlib
import json
import zipfile
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from core.errors import StoreError, quoted
from core.files.unpacking import DAMAGE, TooLargeError, unpack

FORMAT, VERSION = "parser-workbench backup", 1
MANIFEST = "manifest.json"
MOST_PARTS, MOST_MANIFEST = 200_000, 50_000_000  # parts, bytes: of an archive with a limit
PIECE = 1 << 20  # bytes of a part in memory at a time
WRONG = "nothing was restored; choose a file that the workbench's backup made, whole and unchanged"
ELSEWHERE = "nothing was restored; use python -m core restore FILE, which has no limit"


class Archive:
    """An opened backup, whose manifest lists its parts.

    Parameters
    ----------
    file : BinaryIO
    limit : int or None
        Bytes that it may unpack to; None sets no limit.

    Attributes
    ----------
    project : str
        The name of the project.
    parts : dict
        Name of each part -> {"size", "sha256"}, from the manifest.
    """

    def __init__(self, file: BinaryIO, limit: int | None):
        try:
            self._zip = zipfile.ZipFile(file)
            names = self._zip.namelist()
        except DAMAGE as error:
            raise _no_backup(error) from error
        manifest = self._manifest(names, limit)
        self.project: str = manifest["project"]
        self.parts: dict[str, dict] = manifest["parts"]
        if sorted(names) != sorted([*self.parts, MANIFEST]):
            raise StoreError(f"The backup does not hold the parts that its manifest lists; {WRONG}")
        size = sum(part["size"] for part in self.parts.values())
        if limit is not None and size > limit:
            sizes = f"{size / 1e6:.0f} MB and {limit / 1e6:.0f} MB is the limit here"
            raise StoreError(f"The backup would unpack to {sizes}; {ELSEWHERE}")
        if limit is not None and len(self.parts) > MOST_PARTS:
            raise StoreError(f"The backup has {len(self.parts):,} parts, more than {MOST_PARTS:,}; {ELSEWHERE}")

    def check(self, name: str) -> None:
        """Raise StoreError where a part differs from the manifest."""
        deque(self.pieces(name), maxlen=0)

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of a part, piece by piece. Raises StoreError, at the latest at the end, where they are wrong."""
        stated, size, digest = self.parts[name], 0, hashlib.sha256()
        try:
            with self._zip.open(name) as part:
                while piece := part.read(PIECE):
                    size += len(piece)
                    if size > stated["size"]:
                        break
                    digest.update(piece)
                    yield piece
        except DAMAGE as error:
            raise _no_backup(error) from error
        if size != stated["size"] or digest.hexdigest() != stated["sha256"]:
            raise StoreError(f"The part {name!r} of the backup is not what was written; {WRONG}")

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a part, without their ends. Raises as ``pieces``."""
        line = []
        for piece in self.pieces(name):
            end, *others = piece.split(b"\n")
            line.append(end)
            if others:
                yield b"".join(line)
                yield from others[:-1]
                line = others[-1:]
        if any(line):
            yield b"".join(line)

    def needed_space(self) -> int:
        """Bytes on disk that restoring takes at least: rows as they are, contents packed."""
        packed = {part.filename: part.compress_size for part in self._zip.infolist()}
        return sum(packed[name] if name.startswith("contents/") else part["size"] for name, part in self.parts.items())

    def _manifest(self, names, limit):
        if MANIFEST not in names:
            raise StoreError(f"This archive is no backup of the workbench; {WRONG}")
        most = self._zip.getinfo(MANIFEST).file_size if limit is None else MOST_MANIFEST
        try:
            with self._zip.open(MANIFEST) as part:
                manifest = json.loads(unpack(part, most))
        except TooLargeError as error:
            raise StoreError(f"The manifest of the backup is larger than {most / 1e6:.0f} MB; {ELSEWHERE}") from error
        except (ValueError, RecursionError) as error:
            raise StoreError(f"The manifest of the backup cannot be read; {WRONG}") from error
        except DAMAGE as error:
            raise _no_backup(error) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise StoreError(f"This archive is no backup of the workbench; {WRONG}")
        if manifest.get("version") != VERSION:
            raise StoreError(
                f"The backup has format version {str(manifest.get('version'))[:20]} and this workbench reads version"
                f" {VERSION}; nothing was restored, update the workbench"
            )
        parts = manifest.get("parts")
        if not (
            isinstance(parts, dict) and all(map(_is_part, parts.values())) and isinstance(manifest.get("project"), str)
        ):
            raise StoreError(f"The manifest of the backup is damaged; {WRONG}")
        return manifest


def _is_part(part):
    return (
        isinstance(part, dict)
        and isinstance(part.get("size"), int)
        and part["size"] >= 0
        and isinstance(part.get("sha256"), str)
    )


def _no_backup(error):
    return StoreError(f"This is no backup, or only a piece of one ({quoted(str(error))}); {WRONG}")
