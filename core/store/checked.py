"""Documents as they are stored, each compared with its checksum whenever it is read.

Who reads a damaged one is told so. Who writes to it gets what the log says that it was, where the log is whole.
"""

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import ColumnElement, Connection, Text, and_, select, tuple_, type_coerce

from core.errors import StoreError, quoted
from core.store.schema import checksum, commands, documents, projects

SOME = 300  # documents asked for at once
_TEXT = type_coerce(documents.c.value, Text)  # as it is stored: whoever asks gets a value of her own
_AFTER = type_coerce(commands.c.after, Text)

Place = tuple[str, str]  # kind and key


def at(project: int, kind: str, key: str) -> ColumnElement[bool]:
    """The condition that holds of one document."""
    return and_(documents.c.project_id == project, documents.c.kind == kind, documents.c.key == key)


def document_text(connection: Connection, project: int, kind: str, key: str) -> str | None:
    """A document's value as JSON, None if there is none; StoreError where it is damaged."""
    row = connection.execute(select(_TEXT.label("text"), documents.c.checksum).where(at(project, kind, key))).first()
    if row is None:
        return None
    if checksum(row.text) != row.checksum:
        raise StoreError(damage(connection, project, kind, key))
    return row.text


def document_texts(
    connection: Connection, project: int, kind: str | None = None
) -> tuple[dict[Place, str], dict[Place, str]]:
    """(kind, key) -> JSON of all documents (of one kind) in that order, and -> the sentence on those damaged."""
    query = select(documents.c.kind, documents.c.key, _TEXT.label("text"), documents.c.checksum)
    query = query.where(documents.c.project_id == project).order_by(documents.c.kind, documents.c.key)
    whole, damaged = {}, []
    for row in connection.execute(query if kind is None else query.where(documents.c.kind == kind)):
        if checksum(row.text) == row.checksum:
            whole[row.kind, row.key] = row.text
        else:
            damaged.append((row.kind, row.key))
    return whole, {place: damage(connection, project, *place) for place in damaged}


def texts_to_change(connection: Connection, project: int, places: Collection[Place]) -> dict[Place, str]:
    """(kind, key) -> JSON of those of some documents that there are, in a transaction that writes to them.

    StoreError where one is damaged in the log too.
    """
    query = select(documents.c.kind, documents.c.key, _TEXT.label("text"), documents.c.checksum, documents.c.entry_id)
    found = {}
    for some in _some(places):
        here = tuple_(documents.c.kind, documents.c.key).in_(some)
        for row in connection.execute(query.where(documents.c.project_id == project, here)).all():
            text = row.text
            if checksum(text) != row.checksum:
                text = _logged(connection, row)
                if checksum(text) != row.checksum:
                    raise StoreError(damage(connection, project, row.kind, row.key))
            found[row.kind, row.key] = text
    return found


def damage(connection: Connection, project: int, kind: str, key: str) -> str:
    """The sentence on a damaged document."""
    name = connection.execute(select(projects.c.name).where(projects.c.id == project)).scalar()
    what = f"{kind} {key!r}" if key else kind
    return (
        f"The document {quoted(what)} of {name!r} is damaged on disk and was left out; copy the project, whose copy is"
        " made anew from its log, or restore a backup"
    )


def _logged(connection, row):
    """What the last command on a document left."""
    last = (commands.c.entry_id == row.entry_id) & (commands.c.kind == row.kind) & (commands.c.key == row.key)
    return connection.execute(select(_AFTER).where(last).order_by(commands.c.id.desc()).limit(1)).scalar()


def _some(places: Iterable[Place]) -> Iterator[list[Place]]:
    ordered = sorted(places)
    for start in range(0, len(ordered), SOME):
        yield ordered[start : start + SOME]
