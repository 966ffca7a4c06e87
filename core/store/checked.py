"""Reading documents, each compared with its checksum.

Reading a damaged document raises an error or leaves it out. A change to it starts from its value in the log instead.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, Text, and_, select, tuple_, type_coerce

from core.errors import StoreError, quoted
from core.store.schema import checksum, commands, documents, projects

AT_ONCE = 300  # documents of one query
_TEXT = type_coerce(documents.c.value, Text)  # the value as JSON text
_AFTER = type_coerce(commands.c.after, Text)

DocumentId = tuple[str, str]  # kind and key


def is_document(project: int, kind: str, key: str) -> ColumnElement[bool]:
    """The condition for one document."""
    return and_(documents.c.project_id == project, documents.c.kind == kind, documents.c.key == key)


def document_text(connection: Connection, project: int, kind: str, key: str) -> str | None:
    """A document's value as JSON, or None. Raises StoreError where it is damaged."""
    query = select(_TEXT.label("text"), documents.c.checksum).where(is_document(project, kind, key))
    row = connection.execute(query).first()
    if row is None:
        return None
    if checksum(row.text) != row.checksum:
        raise StoreError(damage(connection, project, kind, key))
    return row.text


def document_texts(
    connection: Connection, project: int, kind: str | None = None
) -> tuple[dict[DocumentId, str], dict[DocumentId, str]]:
    """(kind, key) -> JSON of all documents (of one kind), sorted; and (kind, key) -> a sentence on each damaged one."""
    query = select(documents.c.kind, documents.c.key, _TEXT.label("text"), documents.c.checksum)
    query = query.where(documents.c.project_id == project).order_by(documents.c.kind, documents.c.key)
    texts, damaged = {}, []
    for row in connection.execute(query if kind is None else query.where(documents.c.kind == kind)):
        if checksum(row.text) == row.checksum:
            texts[row.kind, row.key] = row.text
        else:
            damaged.append((row.kind, row.key))
    return texts, {document: damage(connection, project, *document) for document in damaged}


def texts_to_change(connection: Connection, project: int, ids: Collection[DocumentId]) -> dict[DocumentId, str]:
    """(kind, key) -> JSON of the existing ones of some documents, in a transaction that writes to them.

    Raises StoreError where one is damaged in the log too.
    """
    query = select(documents.c.kind, documents.c.key, _TEXT.label("text"), documents.c.checksum, documents.c.entry_id)
    texts, ordered = {}, sorted(ids)
    for start in range(0, len(ordered), AT_ONCE):
        is_wanted = tuple_(documents.c.kind, documents.c.key).in_(ordered[start : start + AT_ONCE])
        for row in connection.execute(query.where(documents.c.project_id == project, is_wanted)).all():
            text = row.text
            if checksum(text) != row.checksum:
                text = _logged(connection, row)
                if checksum(text) != row.checksum:
                    raise StoreError(damage(connection, project, row.kind, row.key))
            texts[row.kind, row.key] = text
    return texts


def damage(connection: Connection, project: int, kind: str, key: str) -> str:
    """The sentence on a damaged document."""
    name = connection.execute(select(projects.c.name).where(projects.c.id == project)).scalar()
    title = f"{kind} {key!r}" if key else kind
    return (
        f"The document {quoted(title)} of {name!r} is damaged on disk and was left out; copy the project, whose copy is"
        " made anew from its log, or restore a backup"
    )


def _logged(connection, row):
    """The JSON of a document in the log, from the last command on it."""
    last = (commands.c.entry_id == row.entry_id) & (commands.c.kind == row.kind) & (commands.c.key == row.key)
    return connection.execute(select(_AFTER).where(last).order_by(commands.c.id.desc()).limit(1)).scalar()
