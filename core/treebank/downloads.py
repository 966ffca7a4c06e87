"""Treebanks of Universal Dependencies by name, fetched from their repositories and checked.

A repository's listing names its files with their sizes and Git's own hashes, so that a file is known to be whole and
unchanged before anything reads it. Nothing beyond the size is taken, and a broken connection is gone on from. Of a
fetch that ends before that nothing is left.

    file = treebank_files("English-EWT")[0]
    path = download(file, folder)
"""

import hashlib
import http.client
import json
import os
import re
import shutil
import socket
import time
import urllib.parse
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError, quoted
from core.files.assets import ASSETS
from core.files.unpacking import MOST_TEXT, size_text
from core.files.whole_files import remove_unfinished, written_whole
from core.serving.web import connect, seconds_left

LISTINGS = "https://api.github.com/repos/UniversalDependencies"  # WORKBENCH_TREEBANKS names a mirror laid out alike
NAMES = ASSETS / "universal-dependencies.txt"
NAME = re.compile(r"[A-Z][A-Za-z_]*-[A-Za-z0-9]+")
FILE = re.compile(r"[\w-]+\.conllu")
BLOB = re.compile(r"[0-9a-f]{40}")
SECONDS = 20.0  # without a byte before the server counts as gone
CHUNK = 1 << 16
MOST_REDIRECTS = 5
MOST_CONNECTIONS = 5  # for one file: each goes on where the one before it broke
MOST_LISTING = 4 << 20
LISTING_SECONDS = 60.0  # for all of it
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
    text = _listing(url, missing)
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


def _listing(url, missing):
    """The text of a listing of files, or its beginning, which is no listing, if it is too large."""
    deadline, pieces, size = time.monotonic() + LISTING_SECONDS, [], 0
    with _open(url, missing) as answer:
        try:
            while size <= MOST_LISTING and (piece := answer.read1(CHUNK)):
                seconds_left(deadline)  # a server that sends a byte now and then never times out by itself
                pieces.append(piece)
                size += len(piece)
        except (OSError, http.client.HTTPException) as error:
            raise WorkbenchError(
                f"the list of files broke off ({quoted(error) or 'too slow'}); check the connection, and try again"
            ) from None
    return b"".join(pieces)


def listed_file(treebank: object, name: object, blob: str) -> RemoteFile:
    """The file that a treebank has under a name, as its repository lists it now.

    Raises WorkbenchError as ``treebank_files``, and where it has no such file, or one of another content than ``blob``.
    """
    files = {file.name: file for file in treebank_files(str(treebank))}
    file = files.get(str(name))
    if file is None or file.blob != blob:
        raise WorkbenchError(f"UD_{quoted(treebank)} has not this {quoted(name)} any more; fetch the one it has now")
    return file


def download(
    file: RemoteFile, folder: str | Path, progress: Progress | None = None, cancelled: Cancel | None = None
) -> Path:
    """Path of the file in ``folder``, fetched unless it is there already, whole and checked.

    Parameters
    ----------
    file : RemoteFile
        As its repository lists it: what a record says of it is not to be believed.
    folder : Path
        Made if missing; the file goes into a folder of its treebank's name.
    progress : callable, optional
        Called with the bytes there are so far.
    cancelled : callable, optional
        Asked after each piece; the answer True raises Cancelled.

    Raises
    ------
    WorkbenchError : the connection breaks again and again, another size or content than was announced, no room for it,
        a name that could lead out of the folder. Nothing is kept.
    """
    if not (NAME.fullmatch(file.treebank) and FILE.fullmatch(file.name) and BLOB.fullmatch(file.blob)):
        raise WorkbenchError(f"{file.name:.60} is no file of a treebank; list the treebank again")
    path = Path(folder) / f"UD_{file.treebank}" / file.name
    if path.is_file() and _blob(path) == file.blob:
        return path
    if not 0 <= file.size <= MOST_TEXT:
        raise WorkbenchError(
            f"{file.name} has {size_text(file.size)}; files of up to {size_text(MOST_TEXT)} are fetched"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(path.parent).free
        if file.size > free:
            raise WorkbenchError(
                f"{file.name} has {size_text(file.size)}, and {folder} has room for {size_text(free)}; make room there"
            )
        with written_whole(path) as out:
            _receive(file, out, progress, cancelled)
    except OSError as error:
        raise WorkbenchError(f"{file.name} cannot be kept in {folder} ({error.strerror}); make room there") from error
    return path


def remove_parts(folder: str | Path) -> None:
    """Remove what fetches of processes that were killed, or of former versions, left in a folder of treebanks."""
    for treebank in Path(folder).glob("UD_*/"):
        remove_unfinished(treebank)
        for part in treebank.glob("*.conllu.*.part"):
            with suppress(OSError):
                part.unlink()


def _receive(file, out, progress, cancelled):
    """Write a file, checked; over as many connections as it may take."""
    have, digest = 0, _digest(file.size)
    for _ in range(MOST_CONNECTIONS):
        with _open(file.url, f"{file.url} is not there; list the treebank again", have) as answer:
            if not have or answer.status != http.client.PARTIAL_CONTENT:  # a server that cannot go on starts again
                have, digest = 0, _digest(file.size)
                out.seek(0)
                out.truncate()
            _require_announced(answer, file, have)
            while have < file.size and (piece := _piece(answer, file.size - have)):
                out.write(piece)
                digest.update(piece)
                have += len(piece)
                if progress is not None:
                    progress(have)
                if cancelled is not None and cancelled():
                    raise Cancelled(f"{file.name} was not fetched to its end, and nothing of it is kept")
        if have == file.size:
            break
    if have < file.size:
        raise WorkbenchError(
            f"the connection broke {MOST_CONNECTIONS} times, at last at {have:,} of {file.size:,} bytes of {file.name};"
            " try again later"
        )
    if digest.hexdigest() != file.blob:
        raise WorkbenchError(f"{file.name} arrived damaged: its checksum is not {file.blob[:12]}…; fetch it again")


def _require_announced(answer, file, have):
    """WorkbenchError where a server announces something else than the listing did."""
    coding = (answer.getheader("Content-Encoding") or "identity").lower()
    if coding != "identity":
        raise WorkbenchError(
            f"the server sends {file.name} packed ({quoted(coding)}) though asked not to; try again later"
        )
    if answer.length is not None and have + answer.length != file.size:
        raise WorkbenchError(
            f"the server announces {have + answer.length:,} bytes of {file.name}, and its listing {file.size:,}; "
            "list the treebank again"
        )


def _piece(answer, most):
    """The next bytes of a download, at most so many; none where the connection broke."""
    try:
        return answer.read1(min(CHUNK, most))
    except (OSError, http.client.HTTPException):
        return b""


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
    What a server sends on to reaches nothing else.
    """
    try:
        mirror, asked = (urllib.parse.urlsplit(link) for link in (os.environ.get("WORKBENCH_TREEBANKS") or "", url))
        if not mirror.hostname or (mirror.scheme, mirror.netloc) != (asked.scheme, asked.netloc):
            return frozenset()
        addresses = socket.getaddrinfo(mirror.hostname, mirror.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(str(entry[4][0]) for entry in addresses)


def _blob(path):
    """Git's hash of a file's content."""
    digest = _digest(path.stat().st_size)
    with path.open("rb") as data:
        while piece := data.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _digest(size):
    """Git's hash of a file of so many bytes, before any of them."""
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
