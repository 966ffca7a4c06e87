"""The locations of the store and the workbench's folder: environment variables, else the user's data folder."""

import os
from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from core.errors import StoreError

APPLICATION = "parser-workbench"


def workbench_home() -> Path:
    """The workbench's folder: ``WORKBENCH_HOME``, else in the user's data folder; made if missing."""
    home = os.environ.get("WORKBENCH_HOME")
    folder = Path(home).expanduser() if home else user_data_path(APPLICATION, appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {folder} cannot be made ({error.strerror}); name one you may write to in WORKBENCH_HOME"
        ) from error
    return folder


def treebank_folder() -> Path:
    """The folder of treebanks that were fetched by name."""
    return workbench_home() / "treebanks"


def database_url(url: str | URL | None = None) -> URL:
    """The URL given, else ``WORKBENCH_DATABASE``, else the SQLite file in ``workbench_home()``."""
    text = url or os.environ.get("WORKBENCH_DATABASE")
    if text is None or text == "":
        return URL.create("sqlite", database=str(workbench_home() / "workbench.sqlite"))
    try:
        parsed = make_url(text)
        if "@" in (parsed.host or ""):  # the rest of a password with an unescaped @
            raise ArgumentError
    except (ArgumentError, ValueError):  # it may hold a password: neither it nor its error is repeated
        raise StoreError(
            "What is given as the store is not a database URL; write one like sqlite:////home/ana/work.sqlite"
            " or postgresql+psycopg://ana@server/work, with %40 for an @ in a password"
        ) from None
    if parsed.get_backend_name() != "sqlite":
        return parsed
    if not parsed.database or ":memory:" in parsed.database or parsed.query.get("mode") == "memory":
        raise StoreError("A store in memory would be lost and cannot be shared by threads; name a file: sqlite:///FILE")
    folder = Path(parsed.database).resolve().parent
    if not parsed.database.startswith("file:") and not folder.is_dir():  # SQLite checks its own URIs
        raise StoreError(f"The folder {folder} does not exist; make it, or name another place in WORKBENCH_DATABASE")
    return parsed
