"""The log of a server: one JSON object a line, of what was done, by whom, and how long it took.

``WORKBENCH_LOG`` names the file, or ``-`` for standard error; unset, warnings go where Python puts them. A line holds
the record's own words and the ``FIELDS`` that it was given (``extra``). It never holds a text that somebody works on
or an address of the store. Of an exception it has the kind and the places it came through, not the message.
"""

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

from core.errors import WorkbenchError, quoted

PLACE = "WORKBENCH_LOG"
OURS = ("core", "pages", "parser-workbench")  # loggers whose lines are written from INFO on; of all others warnings
FIELDS = ("person", "project", "run", "kind", "page", "status", "seconds", "number")


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": time, "level": record.levelname.lower(), "logger": record.name, "message": _message(record)}
        for name in FIELDS:
            value = getattr(record, name, None)
            if value is not None:
                line[name] = round(value, 4) if isinstance(value, float) else value
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line["error"] = kind.__name__
            frames = traceback.extract_tb(trace)
            line["at"] = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False)


def _message(record):
    """The message of our own record, its arguments but numbers as types; of another library the place in its code.

    Other messages and arguments may quote a text.
    """
    if record.name.partition(".")[0] not in OURS:
        return f"{record.module}.{record.funcName} line {record.lineno}"
    if not isinstance(record.args, tuple) or not record.args:
        return str(record.msg)
    values = (value if isinstance(value, int | float) else type(value).__name__ for value in record.args)
    return record.msg % tuple(values)


def write_log() -> logging.Handler | None:
    """Begin to write the log where ``WORKBENCH_LOG`` says; returns its handler, None where it is unset.

    Raises WorkbenchError where the file cannot be written.
    """
    path = os.environ.get(PLACE)
    if not path:
        return None
    try:
        handler = logging.StreamHandler() if path == "-" else logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise WorkbenchError(
            f"the log {quoted(path)} cannot be written ({error.strerror}); name a file in {PLACE}, or - for the screen"
        ) from error
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    return handler
