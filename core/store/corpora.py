"""Corpora: their bytes as they were uploaded, stored once; their names and settings are in the log.

Adding, changing and removing a corpus are commands on the document ("corpus", id), so all three can be undone.
"""

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import SupportsIndex

from sqlalchemy import String, cast, exists, func, select

from core.errors import StoreError
from core.store.checked import document_texts
from core.store.database import Database
from core.store.log import Command, append, current_value
from core.store.projects import CORPUS as DOCUMENT
from core.store.projects import clean_name, readable, require_project
from core.store.query_cache import cached
from core.store.schema import commands, contents, corpora, documents, entries, inserted_id, now

SAMPLE = "sample"
DESCRIPTION = ("name", "format", "encoding", "settings")  # fields of the document
DIGITS = 10  # of an identifier


@dataclass(frozen=True)
class Corpus:
    """A text of a project. ``hash`` is that of its content (a key for caches), not of its settings.

    ``reference`` names a built-in sample, which has no bytes here: open it with ``load_sample(reference)``.
    ``identifier`` stands for the text within its project. It stays when the text is renamed, and in backups and copies.
    """

    id: int
    project: int
    name: str
    format: str  # of read_treebank
    encoding: str
    settings: dict  # such as {"tags": "xpos", "max_length": 10, "punctuation": False}
    hash: str
    size: int  # bytes, unpacked
    reference: str | None
    identifier: str


class Corpora:
    """The part of the store for corpora."""

    database: Database
    require_space: Callable[..., None]  # by Quotas

    def add_corpus(
        self, project: SupportsIndex, name: str, data: bytes, format: str = "auto", encoding: str = "utf-8",
        settings: dict | None = None,
    ) -> int:  # fmt: skip
        """Store the bytes of a file as a text of the project, undoably; returns the corpus id."""
        value = {"name": clean_name(name, "text"), "format": format, "encoding": encoding, "settings": settings or {}}
        key = hashlib.sha256(data).hexdigest()
        packed = zlib.compress(data)  # before the transaction, to hold no lock
        self.require_space(project, value["name"], len(packed))
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            same = select(contents.c.id).where(contents.c.hash == key).limit(1)
            content = connection.execute(same.with_for_update(read=True, key_share=True)).scalar()
            if content is None:
                row = connection.execute(contents.insert().values(hash=key, size=len(data), data=packed))
                content = inserted_id(row)
            row = connection.execute(corpora.insert().values(project_id=owner.id, content_id=content, added=now()))
            corpus_id = inserted_id(row)
            change = Command(DOCUMENT, str(corpus_id), None, value)
            append(connection, owner.id, [change], label=f"adding {value['name']}")
            return corpus_id

    @cached
    def corpora(self, project: SupportsIndex) -> list[Corpus]:
        """The corpora of the project, the sample first."""
        with self.database.read() as connection:
            owner = readable(connection, project)
            texts, damaged = document_texts(connection, owner, DOCUMENT)
            values = {key: json.loads(text) for (_, key), text in texts.items()}
            rows = connection.execute(_query().where(corpora.c.project_id == owner).order_by(corpora.c.id)).all()
        self.database.note_damage(owner, DOCUMENT, damaged)
        return [_corpus(row, values[str(row.id)]) for row in rows if str(row.id) in values]

    @cached
    def corpus(self, corpus_id: int) -> Corpus:
        """One corpus. Raises StoreError where it was removed."""
        with self.database.query() as connection:
            return _listed(connection, corpus_id)

    def corpora_once_named(self, project: SupportsIndex, name: str) -> set[int]:
        """Ids of all corpora of the project that ever had this name, removed ones included. O(log)."""
        query = select(commands.c.key, commands.c.after).join(entries, commands.c.entry_id == entries.c.id)
        with self.database.query() as connection:
            owner = readable(connection, project)
            rows = connection.execute(query.where(entries.c.project_id == owner, commands.c.kind == DOCUMENT))
            return {int(row.key) for row in rows if row.after is not None and row.after["name"] == name}

    def corpus_bytes(self, corpus_id: int) -> bytes:
        """The file exactly as it was uploaded. Raises StoreError for a built-in sample, which has none here."""
        query = select(corpora.c.project_id, corpora.c.reference, contents.c.hash, contents.c.data)
        query = query.outerjoin_from(corpora, contents).where(corpora.c.id == corpus_id)
        with self.database.read() as connection:
            row = connection.execute(query).first()
            if row is None:
                raise _missing(corpus_id)
            readable(connection, row.project_id)
        if row.reference is not None:
            raise StoreError(f"Corpus {corpus_id} is the built-in {row.reference}; open it with load_sample()")
        try:
            data = zlib.decompress(row.data)
        except (zlib.error, TypeError):
            data = None
        if data is None or hashlib.sha256(data).hexdigest() != row.hash:
            raise StoreError(f"The bytes of corpus {corpus_id} are not what was uploaded; restore a backup")
        return data

    def change_corpus(self, corpus_id: int, **changes: object) -> Corpus:
        """Change ``name``, ``format``, ``encoding`` or ``settings`` (replaced as a whole), undoably."""
        if unknown := set(changes) - set(DESCRIPTION):
            raise StoreError(f"A corpus has no {sorted(unknown)[0]!r} to change; it has {', '.join(DESCRIPTION)}")
        if "name" in changes:
            changes["name"] = clean_name(str(changes["name"]), "text")
        with self.database.write() as connection:
            corpus = _listed(connection, corpus_id, lock=True)
            changed = replace(corpus, **changes)
            change = Command(DOCUMENT, str(corpus_id), _description(corpus), _description(changed))
            label = f"changing {corpus.name}"
            if set(changes) == {"name"}:
                label = f"renaming {corpus.name} to {changed.name}"
            append(connection, corpus.project, [change], label=label)
            return changed

    def remove_corpus(self, corpus_id: int) -> None:
        """Remove the corpus from the project, undoably; its bytes stay."""
        with self.database.write() as connection:
            corpus = _listed(connection, corpus_id, lock=True)
            change = Command(DOCUMENT, str(corpus_id), _description(corpus), None)
            append(connection, corpus.project, [change], label=f"removing {corpus.name}")

    def empty_removed(self, project: SupportsIndex) -> int:
        """Delete the contents of all removed texts of a project, for good; returns how many. For owners.

        Their rows stay without content, so that undo, which would bring such a text back, is refused. Each text takes
        one transaction.
        """
        count = 0
        while True:
            with self.database.write() as connection:
                owner = require_project(connection, project, role="owner")
                row = connection.execute(_removed(owner.id).limit(1)).first()
                if row is None:
                    break
                key = hashlib.sha256(b"").hexdigest()
                empty = connection.execute(select(contents.c.id).where(contents.c.hash == key).limit(1)).scalar()
                if empty is None:
                    values = {"hash": key, "size": 0, "data": zlib.compress(b"")}
                    empty = inserted_id(connection.execute(contents.insert().values(**values)))
                connection.execute(corpora.update().where(corpora.c.id == row.id).values(content_id=empty))
                # a transaction that adds the same file has locked its content until its text refers to it
                connection.execute(select(contents.c.id).where(contents.c.id == row.content_id).with_for_update()).all()
                unused = ~exists().where(corpora.c.content_id == contents.c.id)
                connection.execute(contents.delete().where(contents.c.id == row.content_id, unused))
                count += 1
        self.database.give_back()
        return count

    @cached
    def removed_texts(self, project: SupportsIndex) -> int:
        """How many removed texts of a project still have their content."""
        with self.database.read() as connection:
            query = _removed(readable(connection, project)).subquery()
            return connection.execute(select(func.count()).select_from(query)).scalar_one()

    def _add_sample(self, connection, project):
        """Add the built-in sample to a new project, not undoably."""
        row = connection.execute(corpora.insert().values(project_id=project, reference=SAMPLE, added=now()))
        value = {"name": SAMPLE, "format": "conllu", "encoding": "utf-8", "settings": {}}
        change = Command(DOCUMENT, str(inserted_id(row)), None, value)
        append(connection, project, [change], undoable=False)


def _query():
    columns = (corpora.c.id, corpora.c.project_id, corpora.c.reference, corpora.c.added)
    return select(*columns, contents.c.hash, contents.c.size).outerjoin_from(corpora, contents)


def _removed(project):
    """Rows (id, content_id) of the removed texts of a project that still have content."""
    is_corpus = (documents.c.project_id == project) & (documents.c.kind == DOCUMENT)
    listed = exists().where(is_corpus, documents.c.key == cast(corpora.c.id, String))
    query = select(corpora.c.id, corpora.c.content_id).join(contents, contents.c.id == corpora.c.content_id)
    return query.where(corpora.c.project_id == project, contents.c.size > 0, ~listed).order_by(corpora.c.id)


def _listed(connection, corpus_id, lock=False):
    row = connection.execute(_query().where(corpora.c.id == corpus_id)).first()
    if row is None:
        raise _missing(corpus_id)
    require_project(connection, row.project_id, lock=lock)
    value = current_value(connection, row.project_id, DOCUMENT, str(corpus_id))
    if value is None:
        raise _missing(corpus_id)
    return _corpus(row, value)


def _corpus(row, value):
    content = {"hash": row.hash or f"built-in {row.reference}", "size": row.size or 0, "reference": row.reference}
    # of values that a backup has: the content, and the time when it was added, which differs for equal files
    origin = f"{row.hash} {row.added.isoformat()}".encode()
    content["identifier"] = row.reference or hashlib.sha256(origin).hexdigest()[:DIGITS]
    return Corpus(id=row.id, project=row.project_id, **{name: value[name] for name in DESCRIPTION}, **content)


def _description(corpus):
    return {name: value for name, value in asdict(corpus).items() if name in DESCRIPTION}


def _missing(corpus_id):
    return StoreError(f"There is no corpus {corpus_id} here; choose one from the project's list, or undo")
