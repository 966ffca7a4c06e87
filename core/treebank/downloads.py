"""Treebanks of Universal Dependencies by name, fetched from their repositories and checked.

A repository's listing names its files with their sizes and Git's own hashes, so that a file is known to be whole and
unchanged before anything reads it. What a broken connection left is kept and gone on from.

    file = treebank_files("English-EWT")[0]
    path = download(file, folder)
"""

import hashlib
import http.client
import json
import os
import re
import socket
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from core.assets import ASSETS
from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError, quoted
from core.web import connect

LISTINGS = "https://api.github.com/repos/UniversalDependencies"  # WORKBENCH_TREEBANKS names a mirror laid out alike
NAMES = ASSETS / "universal-dependencies.txt"
NAME = re.compile(r"[A-Z][A-Za-z_]*-[A-Za-z0-9]+")
FILE = re.compile(r"[\w-]+\.conllu")
BLOB = re.compile(r"[0-9a-f]{40}")
SECONDS = 20.0  # without a byte before the server counts as gone
CHUNK = 1 << 16
MOST_REDIRECTS = 5
MOST_LISTING = 4 << 20
AGENT = "parser-workbench"


@dataclass(frozen=True)
class RemoteFile:
    """A treebank's file where it is published: ``size`` in bytes, ``blob`` Git's SHA-1 of its content."""

    treebank: str
    name: str
    size: int
    blob: str
    url: str

    @property
    def part(self) -> str:
        """The part of its treebank that the file is: train, dev, test, or its name."""
        return self.name.removesuffix(".conllu").rpartition("-ud-")[2]


def treebank_names() -> tuple[str, ...]:
    """Names known without asking, in order: ``Language-Treebank``. Other names may be asked for too."""
    return tuple(NAMES.read_text(encoding="utf-8").split())


def treebank_files(name: str, release: str = "master") -> list[RemoteFile]:
    """The CoNLL-U files of a treebank: list of RemoteFile, training text first.

    Parameters
    ----------
    name : str
        ``English-EWT`` or ``UD_English-EWT``.
    release : str
        ``master`` is the last release; ``r2.14`` and the like are older ones.

    Raises
    ------
    WorkbenchError : no such treebank or release, no connection; says which and what to do.
    """
    name = name.strip().removeprefix("UD_")
    if not NAME.fullmatch(name):
        raise WorkbenchError(f"{name!r} is no name of a treebank; write it like English-EWT or Old_French-PROFITEROLE")
    base = os.environ.get("WORKBENCH_TREEBANKS") or LISTINGS
    url = f"{base.rstrip('/')}/UD_{name}/contents?ref={urllib.parse.quote(release, safe='')}"
    missing = f"there is no treebank UD_{name} in release {release}; look its name up at universaldependencies.org"
    with _open(url, missing) as answer:
        text = answer.read(MOST_LISTING)
    try:
        files = [
            RemoteFile(name, item["name"], int(item["size"]), item["sha"], item["download_url"])
            for item in json.loads(text)
            if FILE.fullmatch(item["name"])
        ]
    except (ValueError, TypeError, KeyError):
        raise WorkbenchError(f"{base} gives no listing of files for UD_{name}; check WORKBENCH_TREEBANKS") from None
    if not files:
        raise WorkbenchError(f"UD_{name} holds no CoNLL-U file in release {release}; choose another treebank")
    order = ("train", "dev", "test")
    return sorted(files, key=lambda file: (order.index(file.part) if file.part in order else len(order), file.name))


def download(
    file: RemoteFile, folder: str | Path, progress: Progress | None = None, cancelled: Cancel | None = None
) -> Path:
    """Path of the file in ``folder``, fetched unless it is there already, whole and checked.

    Parameters
    ----------
    file : RemoteFile
    folder : Path
        Made if missing; the file goes into a folder of its treebank's name.
    progress : callable, optional
        Called with the bytes there are so far.
    cancelled : callable, optional
        Asked after each piece; the answer True raises Cancelled and keeps what there is, for the next call.

    Raises
    ------
    WorkbenchError : the connection broke (what came is kept), another content than was promised (nothing is kept), a
        name that could lead out of the folder.
    """
    if not (NAME.fullmatch(file.treebank) and FILE.fullmatch(file.name) and BLOB.fullmatch(file.blob)):
        raise WorkbenchError(f"{file.name:.60} is no file of a treebank; list the treebank again")
    path = Path(folder) / f"UD_{file.treebank}" / file.name
    if path.is_file() and _blob(path) == file.blob:
        return path
    part = path.with_name(f"{path.name}.{file.blob}.part")  # a new release never goes on from an old one
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        have = part.stat().st_size if part.exists() else 0
        if have < file.size:
            _receive(file, part, have, progress, cancelled)
        if _blob(part) != file.blob:
            part.unlink()
            raise WorkbenchError(f"{file.name} arrived damaged: its checksum is not {file.blob[:12]}…; fetch it again")
        part.replace(path)
    except OSError as error:
        raise WorkbenchError(f"{file.name} cannot be kept in {folder} ({error.strerror}); make room there") from error
    return path


def _receive(file, part, have, progress, cancelled):
    """Append to ``part`` what is missing of a file."""
    broken = f"the connection broke at {{:,}} of {file.size:,} bytes of {file.name}; fetch again to go on from there"
    with _open(file.url, f"{file.url} is not there; list the treebank again", have) as answer:
        if have and answer.status != http.client.PARTIAL_CONTENT:
            have = 0  # a server that cannot go on starts again
        with part.open("ab" if have else "wb") as out:
            while have < file.size:
                try:
                    piece = answer.read(min(CHUNK, file.size - have))
                except (OSError, http.client.HTTPException):
                    piece = b""
                if not piece:
                    raise WorkbenchError(broken.format(have))
                out.write(piece)
                have += len(piece)
                if progress is not None:
                    progress(have)
                if cancelled is not None and cancelled():
                    raise Cancelled(f"{have:,} of {file.size:,} bytes of {file.name} are kept; fetch again to go on")


def _open(url, missing, have=0):
    """The answer to a GET, from byte ``have`` on; redirects go through the same door."""
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", "Connection": "close"}
    headers |= {"Range": f"bytes={have}-"} if have else {}
    for _ in range(MOST_REDIRECTS + 1):
        host = quoted(url.partition("://")[2].partition("/")[0].rpartition("@")[2])
        try:
            connection, target = connect(url, SECONDS, _private(url))
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
        except WorkbenchError:
            raise
        except (OSError, http.client.HTTPException) as error:
            raise WorkbenchError(
                f"{host} does not answer ({quoted(error)}); check the connection, or download the treebank and add "
                "its file"
            ) from None
        if answer.status in (301, 302, 303, 307, 308) and answer.getheader("Location"):
            answer.close()
            url = urllib.parse.urljoin(url, answer.getheader("Location"))
            continue
        if answer.status in (http.client.OK, http.client.PARTIAL_CONTENT):
            return answer
        answer.close()
        if answer.status == http.client.NOT_FOUND:
            raise WorkbenchError(missing)
        raise WorkbenchError(f"the server answers {answer.status} {quoted(answer.reason)}; try again in an hour")
    raise WorkbenchError(f"{host} sends from one address to the next; download the treebank and add its file")


def _private(url):
    """The addresses that a URL may lead to though they are not public: those of the mirror that was named, if it is it.

    A run that came with a backup has a URL of its own, and reaches nothing else.
    """
    try:
        mirror, asked = (urllib.parse.urlsplit(each) for each in (os.environ.get("WORKBENCH_TREEBANKS") or "", url))
        if not mirror.hostname or (mirror.scheme, mirror.netloc) != (asked.scheme, asked.netloc):
            return frozenset()
        found = socket.getaddrinfo(mirror.hostname, mirror.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(str(entry[4][0]) for entry in found)


def _blob(path):
    """Git's hash of a file's content."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as data:
        while piece := data.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
