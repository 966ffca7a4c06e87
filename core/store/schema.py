"""The tables and their column types.

``entries`` and ``commands`` are the log, to which rows are only added; ``documents`` follows from it.
"""

import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.engine import CursorResult, Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import Column, ForeignKey, Index, MetaData, Table, UniqueConstraint
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import Boolean, Float, Integer, LargeBinary, String, Text, TypeDecorator

from core.errors import StoreError, quoted
from core.settings import misfits

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
SCHEMA_VERSION = 4  # the newest revision in migrations/versions


def canonical_json(value: object) -> str:
    """A value as JSON, the same text for equal values; NumPy scalars and arrays become numbers and lists."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError) as error:
        raise StoreError(f"only JSON values can be stored: {error}") from error


def checksum(text: str | None) -> str | None:
    """CRC-32 of a value as it is stored, which reveals damage on disk."""
    return None if text is None else f"{zlib.crc32(text.encode()):08x}"


def damaged_value(value: object) -> StoreError:
    """The error for a stored value that cannot have been written so."""
    return StoreError(f"The store holds a value that is damaged ({quoted(value)!r}); restore a backup of it")


def _plain(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r:.60} is not one; use numbers, text, lists and dicts")


def stored(kind: type[T], values: Mapping[str, object]) -> T:
    """The instance of a dataclass from its stored fields. Raises StoreError for other fields, or misfits."""
    try:
        instance = kind(**values)
    except TypeError as error:
        raise StoreError(f"the store holds a {kind.__name__} with other fields; update the workbench") from error
    if wrong := misfits(kind, values):
        raise StoreError(f"the store holds a {kind.__name__} whose {', '.join(wrong)} cannot be what is there; undo it")
    return instance


def now() -> datetime:
    return datetime.now(UTC)


class Json(TypeDecorator):
    """A JSON value as ASCII text, so that every database takes NUL and lone surrogates; None is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:
        return None if value is None else canonical_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:
        try:
            return None if value is None else json.loads(value)
        except (ValueError, TypeError, RecursionError) as error:
            raise damaged_value(value) from error


class Time(TypeDecorator):
    """An aware datetime as ISO 8601 in UTC, which sorts as text and is the same in every database."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        try:
            return None if value is None else datetime.fromisoformat(value)
        except (ValueError, TypeError) as error:
            raise damaged_value(value) from error


metadata = MetaData()


def _table(name, *columns):
    """A table whose ids are never used twice, so that an old link cannot open another row."""
    key = Column("id", Integer, primary_key=True, autoincrement=True)
    return Table(name, metadata, key, *columns, sqlite_autoincrement=True)


def _owner(table, name, **settings):
    return Column(name, ForeignKey(f"{table}.id"), nullable=False, **settings)


schema = Table("workbench_schema", metadata, Column("version", Integer, primary_key=True, autoincrement=False))

projects = _table(
    "projects",
    Column("name", String, nullable=False),  # unique among visible projects
    Column("created", Time, nullable=False),
    Column("deleted", Time),  # when it was put into the trash
    Column("process", String),  # the process that fills or empties it, see processes.py; else NULL
    Column("heartbeat", Time),  # of that process
)

# Roles where people sign in; the local user of a workbench without sign-in has no row.
members = Table(
    "members",
    metadata,
    Column("project_id", ForeignKey("projects.id"), primary_key=True),
    Column("person", String, primary_key=True, index=True),  # an e-mail address
    Column("role", String, nullable=False),  # one of ROLES
)

# The account that owns an address: the one that first signed in with it.
people = Table(
    "people",
    metadata,
    Column("person", String, primary_key=True),  # the address
    Column("issuer", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("bound", Time, nullable=False),
    UniqueConstraint("issuer", "subject"),
)

# Browsers in which somebody is signed in; a cookie without a row here is invalid.
sessions = Table(
    "sessions",
    metadata,
    Column("key", String, primary_key=True),  # SHA-256 of the cookie
    Column("person", ForeignKey("people.person"), nullable=False, index=True),
    Column("begun", Time, nullable=False),
)

# Uploaded bytes, each content once; settings and name of a text are in the document ("corpus", id).
contents = _table(
    "contents",
    Column("hash", String, nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

corpora = _table(
    "corpora",
    _owner("projects", "project_id", index=True),
    Column("content_id", ForeignKey("contents.id")),
    Column("reference", String),  # the built-in sample of this name, in place of content
    Column("added", Time, nullable=False),
)

entries = _table(
    "entries",
    _owner("projects", "project_id"),
    Column("number", Integer, nullable=False),
    Column("time", Time, nullable=False),
    Column("author", String, nullable=False),
    Column("label", String, nullable=False),
    Column("undoable", Boolean, nullable=False),
    Column("undoes", ForeignKey("entries.id"), index=True),
    Column("redoes", ForeignKey("entries.id"), index=True),
    UniqueConstraint("project_id", "number"),
    Index("entries_by_author", "project_id", "author", "id"),
)

commands = _table(
    "commands",
    _owner("entries", "entry_id", index=True),
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("before", Json),
    Column("after", Json),
)

documents = Table(
    "documents",
    metadata,
    Column("project_id", ForeignKey("projects.id"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("value", Json, nullable=False),
    Column("checksum", String, nullable=False),  # of the value as it is stored
    Column("entry_id", ForeignKey("entries.id"), nullable=False, index=True),  # its last change
)

versions = _table(
    "versions",
    _owner("projects", "project_id"),
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("name", String, nullable=False),
    Column("value", Json, nullable=False),
    Column("author", String, nullable=False),
    Column("time", Time, nullable=False),
    UniqueConstraint("project_id", "kind", "key", "name"),
)

runs = _table(
    "runs",
    _owner("projects", "project_id", index=True),
    Column("kind", String, nullable=False),
    Column("settings", Json, nullable=False),
    Column("constraint_text", Json, nullable=False),
    Column("data_hash", String, nullable=False),
    Column("author", String, nullable=False),
    Column("status", String, nullable=False, index=True),
    Column("created", Time, nullable=False),
    Column("started", Time),
    Column("finished", Time),
    Column("figures", Json, nullable=False),
    Column("error", Json, nullable=False),
    Column("process", String, nullable=False),  # that works on it, see processes.py
    Column("heartbeat", Time, nullable=False),
)

# Iterations of runs, one row for each write.
traces = _table("traces", _owner("runs", "run_id", index=True), Column("entries", Json, nullable=False))

# Apart from ``runs``, so that a list of runs does not load megabytes.
run_data = Table(
    "run_data",
    metadata,
    Column("run_id", ForeignKey("runs.id"), primary_key=True),
    Column("kind", String, primary_key=True),  # "checkpoint" or "result"
    Column("iteration", Integer),  # the last one before a checkpoint
    Column("data", LargeBinary, nullable=False),
)

# What is given to a class; whoever has the link may answer until it ends. Like ``runs``, outside undo.
exercises = _table(
    "exercises",
    _owner("projects", "project_id", index=True),
    Column("link", String, nullable=False, unique=True),
    Column("title", String, nullable=False),
    Column("settings", Json, nullable=False),
    Column("tasks", Json, nullable=False),
    Column("author", String, nullable=False),
    Column("created", Time, nullable=False),
    Column("ends", Time, nullable=False),
)

# Every try of everybody who has answered.
answers = _table(
    "answers",
    _owner("exercises", "exercise_id"),
    Column("student", String, nullable=False),  # SHA-256 of the key in the address of a browser
    Column("name", String, nullable=False),  # as it was typed: nobody has checked it
    Column("task", Integer, nullable=False),  # from 0
    Column("attempt", Integer, nullable=False),  # from 1
    Column("answer", Json, nullable=False),
    Column("share", Float, nullable=False),  # of it that is right
    Column("time", Time, nullable=False),
    UniqueConstraint("exercise_id", "student", "task", "attempt"),
)


class size_of(FunctionElement):
    """Bytes of a column as it is stored, without reading a blob. Json is ASCII."""

    name = "size_of"
    type = Integer()
    inherit_cache = True


@compiles(size_of, "sqlite")
def _size_on_sqlite(element, compiler, **options):
    return f"length({compiler.process(element.clauses, **options)})"


@compiles(size_of, "postgresql")
def _size_on_postgresql(element, compiler, **options):
    return f"octet_length({compiler.process(element.clauses, **options)})"


def inserted_id(result: CursorResult) -> int:
    """The id of an inserted row."""
    key = result.inserted_primary_key
    if key is None:
        raise StoreError("the database gave a new row no number; open the store again")
    return key[0]
