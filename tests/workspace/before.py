"""A store as the workbench wrote it before a system was a class: its tables, documents, runs and byte formats.

``before.json`` spells out a store that the code of that time made of two texts of five sentences: a run of every kind
and one that was stopped half-way, with its checkpoint; plans, a constraint set with a version, an annotated sentence.
``write_store`` puts its rows back with SQLite and NumPy alone, so that nothing of today's writers hides a change:
contents are zlib, JSON values are ASCII text, results and checkpoints are npz files. A file within one (a parser, a
grammar) is kept as it was, base64. ``SEEN`` is what that code said of the store: trees, paragraphs, the list of runs.
"""

import base64
import io
import json
import sqlite3
import zlib
from pathlib import Path

import numpy as np

BEFORE = json.loads(Path(__file__).with_name("before.json").read_text())
SEEN = BEFORE["seen"]


def write_store(path):
    """Write the store as a SQLite database at ``path``; returns its address."""
    connection = sqlite3.connect(path)
    for statement in BEFORE["schema"]:
        connection.execute(statement)
    for table, rows in BEFORE["rows"].items():
        for row in rows:
            _insert(connection, table, {name: _blob(value) for name, value in row.items()})
    for row in BEFORE["run_data"]:
        _insert(connection, "run_data", row | {"data": _run_data(row["data"])})
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def _insert(connection, table, row):
    places = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))


def _blob(value):
    return zlib.compress(value["zlib"].encode()) if isinstance(value, dict) else value


def _run_data(spelled):
    """A result or checkpoint: text, or an npz file, plain or compressed."""
    if "text" in spelled:
        return spelled["text"].encode()
    file = io.BytesIO()
    save = np.savez_compressed if spelled["compressed"] else np.savez
    save(file, **{name: _array(array) for name, array in spelled["arrays"].items()})
    return file.getvalue()


def _array(spelled):
    """An array by its values, sparse where ``at`` says which are not zero; text and files are arrays of bytes."""
    if "text" in spelled:
        return np.frombuffer(spelled["text"].encode(), dtype=np.uint8)
    if "bytes" in spelled:
        return np.frombuffer(base64.b64decode(spelled["bytes"]), dtype=np.uint8)
    if "str" in spelled:
        return np.array(spelled["str"], dtype=str)
    if "at" not in spelled:
        return np.array(spelled["values"], dtype=spelled["dtype"]).reshape(spelled["shape"])
    array = np.zeros(spelled["shape"], dtype=spelled["dtype"])
    array.flat[spelled["at"]] = spelled["values"]
    return array
