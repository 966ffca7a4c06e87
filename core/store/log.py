"""The command log and the documents that follow from it: execute, undo, redo, history.

A document is a JSON value under (project, kind, key); None means that there is none. A command has the value of one
document before and after. An entry has the commands of one action, which are carried out and undone together. The log
only grows: undo appends the opposite commands.
"""

import json
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from itertools import accumulate, takewhile
from typing import Any, SupportsIndex

from sqlalchemy import Connection, Text, and_, bindparam, exists, func, not_, select, type_coerce

from core.errors import StoreError
from core.store.checked import document_text, document_texts, texts_to_change
from core.store.database import Database
from core.store.projects import CORPUS, readable, require_project
from core.store.query_cache import cached
from core.store.rights import author_of
from core.store.schema import (
    canonical_json,
    checksum,
    commands,
    contents,
    corpora,
    documents,
    entries,
    inserted_id,
    now,
)
from core.store.shapes import RESTING


@dataclass(frozen=True)
class Command:
    """A change of the document (kind, key) from ``before`` to ``after``: JSON values, None for no document."""

    kind: str
    key: str
    before: object
    after: object

    @property
    def inverse(self) -> "Command":
        return Command(self.kind, self.key, self.after, self.before)


@dataclass(frozen=True)
class Entry:
    """One action in the log. ``number`` counts from 1 in each project; ``undoes``/``redoes`` are ids of entries."""

    id: int
    number: int
    time: datetime
    author: str
    label: str
    undoable: bool
    undoes: int | None
    redoes: int | None
    commands: tuple[Command, ...]


NOTHING = canonical_json(None)
MOST_COMMANDS, MOST_BYTES = 10_000, 50_000_000  # of one entry, during which others wait


@dataclass(frozen=True)
class SaveStatus:
    """The status line of every page: the last change of the project, and what undo and redo would do.

    ``saved`` is (time, author), ``undo`` and ``redo`` are labels; each may be None.
    """

    saved: tuple[datetime, str] | None
    undo: str | None
    redo: str | None


class Log:
    """The part of the store for documents."""

    database: Database

    def execute(
        self, project: SupportsIndex, *changes: Command, author: str | None = None, label: str = ""
    ) -> Entry | None:
        """Write the log entry and the documents in one transaction; returns None if the commands change nothing.

        Raises StoreError, and writes nothing, if ``before`` of a command is not the document's value, since somebody
        else, or another tab, changed it. ``label`` names the action in the history and on the undo button.
        """
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            return append(connection, owner.id, changes, author=author, label=label)

    def remember(
        self, project: SupportsIndex, kind: str, key: str, value: object, *, author: str | None = None
    ) -> Entry | None:
        """Set a document unconditionally and without undo: for view settings, where the last one wins."""
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            before = current_value(connection, owner.id, kind, key)
            change = Command(kind, key, before, value)
            return append(connection, owner.id, [change], author=author, undoable=False)

    def document(self, project: SupportsIndex, kind: str, key: str = "") -> Any:
        """The current value of a document, or None."""
        return _value(self._document_text(project, kind, key))

    @cached
    def _document_text(self, project, kind, key):
        with self.database.query() as connection:
            return document_text(connection, readable(connection, project), kind, key)

    def documents(self, project: SupportsIndex, kind: str | None = None, begin: str = "") -> dict[tuple[str, str], Any]:
        """All current documents of a project (of one kind): (kind, key) -> value, sorted.

        Only those whose key begins with ``begin``, as those of one corpus with ``"12/"``. Documents that are
        damaged on disk are left out, and listed in ``damages``.
        """
        texts = self._document_texts(project, kind)
        return {document: _value(text) for document, text in texts if document[1].startswith(begin)}

    def damages(self, project: SupportsIndex) -> list[str]:
        """A sentence on each document of a project that was damaged on disk when documents were last read."""
        return sorted(self.database.damages.get(operator.index(project), {}).values())

    @cached
    def _document_texts(self, project, kind):
        with self.database.query() as connection:
            owner = readable(connection, project)
            texts, damaged = document_texts(connection, owner, kind)
        self.database.note_damage(owner, kind, damaged)
        return tuple(texts.items())

    @cached
    def newest(self, project: SupportsIndex) -> int:
        """The number of the project's newest entry; 0 for an empty log."""
        with self.database.query() as connection:
            query = select(func.max(entries.c.number)).where(entries.c.project_id == readable(connection, project))
            return connection.execute(query).scalar() or 0

    def changes(
        self, project: SupportsIndex, kinds: Collection[str], *, after: int = 0, since: datetime | None = None
    ) -> list[Command]:
        """The commands on documents of some kinds, oldest first, of entries numbered above ``after``.

        With ``since``, only those written later.
        """
        conditions = [entries.c.number > after, commands.c.kind.in_(kinds)]
        if since is not None:
            conditions.append(entries.c.time > since)
        query = select(commands).join(entries, commands.c.entry_id == entries.c.id).where(*conditions)
        with self.database.read() as connection:
            query = query.where(entries.c.project_id == readable(connection, project))
            rows = connection.execute(query.order_by(entries.c.number, commands.c.id))
            return [Command(row.kind, row.key, row.before, row.after) for row in rows]

    def last_change(self, project: SupportsIndex, kind: str, key: str) -> int:
        """The number of the entry that changed a document last; 0 where there is no document."""
        query = select(entries.c.number).join(documents, documents.c.entry_id == entries.c.id)
        with self.database.query() as connection:
            query = query.where(documents.c.project_id == readable(connection, project))
            return connection.execute(query.where(documents.c.kind == kind, documents.c.key == key)).scalar() or 0

    def undo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """Undo the author's last action; None if there is none.

        Raises StoreError, and changes nothing, where somebody else has changed one of its documents since.
        """
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            target = _first(connection, _undo_query(owner.id, author_of(connection, author)))
            changes = [command.inverse for command in reversed(target.commands)] if target else []
            return append(connection, owner.id, changes, author=author, about=target and ("undoes", target))

    def redo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """Redo the author's last undone action, if there is no other one since; otherwise as ``undo``."""
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            target = _first(connection, _redo_query(owner.id, author_of(connection, author)))
            changes = target.commands if target else ()
            return append(connection, owner.id, changes, author=author, about=target and ("redoes", target))

    @cached
    def next_undo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """The action that ``undo`` would undo: its label is on the button."""
        with self.database.query() as connection:
            return _first(connection, _undo_query(readable(connection, project), author_of(connection, author)))

    @cached
    def next_redo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        with self.database.query() as connection:
            return _first(connection, _redo_query(readable(connection, project), author_of(connection, author)))

    def history(self, project: SupportsIndex, limit: int | None = None) -> list[Entry]:
        """The log, newest entry first."""
        with self.database.read() as connection:
            query = select(entries).where(entries.c.project_id == readable(connection, project))
            return _load(connection, query.order_by(entries.c.number.desc()).limit(limit))

    @cached
    def last_saved(self, project: SupportsIndex) -> tuple[datetime, str] | None:
        """(time, author) of the project's last entry: the page's "saved at"."""
        with self.database.query() as connection:
            return _last_saved(connection, readable(connection, project))

    @cached
    def save_status(self, project: SupportsIndex) -> SaveStatus:
        """``last_saved``, and the labels of ``next_undo`` and ``next_redo``, at one moment."""
        with self.database.read() as connection:
            owner, author = readable(connection, project), author_of(connection)
            queries = _undo_query(owner, author), _redo_query(owner, author)
            labels = [connection.execute(query.with_only_columns(entries.c.label)).scalar() for query in queries]
            return SaveStatus(_last_saved(connection, owner), *labels)


def append(
    connection: Connection, project: int, changes: Iterable[Command], *, author: str | None = None, label: str = "",
    undoable: bool = True, about: tuple[str, Entry] | None = None,
) -> Entry | None:  # fmt: skip
    """Append one entry with its commands and carry them out, in the transaction of a locked project.

    ``about`` is ("undoes", entry) or ("redoes", entry) for an entry that undoes or redoes another one; it has the
    other one's label.
    """
    author, doing = author_of(connection, author), "save your change"
    links: dict[str, int | None] = {"undoes": None, "redoes": None}
    if about:
        link, target = about
        label, links[link] = target.label, target.id
        doing = f"{link.removesuffix('es')} {_name_of(target)}"
    changes = tuple(changes)
    if len(changes) > MOST_COMMANDS:
        raise _too_much(f"{len(changes):,} documents at once, and {MOST_COMMANDS:,} is the most")
    if about:
        _require_contents(connection, changes, doing)
    _require_resting(connection, project, changes, author, doing)
    before = texts_to_change(connection, project, {(change.kind, change.key) for change in changes})
    existing = set(before)
    effective, size = [], 0
    for change in changes:  # ``before`` changes with each command, since several may change one document
        document, after = (change.kind, change.key), canonical_json(change.after)
        current, expected = before.get(document, NOTHING), canonical_json(change.before)
        if expected != current and expected != canonical_json(_value(current)):
            raise _conflict(connection, project, change, author, doing)
        before[document] = after
        size += len(current) + len(after)
        if size > MOST_BYTES:
            raise _too_much(f"more than {MOST_BYTES / 1e6:.0f} MB at once")
        if after != current:
            effective.append(change)
    if not effective:
        return None
    last = select(func.max(entries.c.number)).where(entries.c.project_id == project)
    number = (connection.execute(last).scalar() or 0) + 1
    values = {"number": number, "time": now(), "author": author, "label": label, "undoable": undoable, **links}
    key = inserted_id(connection.execute(entries.insert().values(project_id=project, **values)))
    rows = [{"entry_id": key, "kind": c.kind, "key": c.key, "before": c.before, "after": c.after} for c in effective]
    connection.execute(commands.insert(), rows)
    values_after = {(change.kind, change.key): change.after for change in effective}
    _write_documents(connection, project, values_after, existing, key)
    return Entry(id=key, commands=tuple(effective), **values)


def _name_of(entry):
    return (entry.label if entry else "") or "your last change"


def _too_much(amount):
    return StoreError(f"This step would change {amount}; nothing was written, do it in several steps")


def _write_documents(connection, project, values, existing, entry):
    """Write documents, (kind, key) -> value; ``existing`` are the keys of those that exist."""
    columns = documents.c.project_id, documents.c.kind, documents.c.key
    is_document = and_(*(column == bindparam(f"at_{column.name}") for column in columns))
    removed, changed, new = [], [], []
    for (kind, key), value in values.items():
        if value is not None and (kind, key) not in existing:
            new.append({"project_id": project, "kind": kind, "key": key, **document_row(value, entry)})
            continue
        document = {"at_project_id": project, "at_kind": kind, "at_key": key}
        if value is None:
            removed.append(document)
        else:
            changed.append({**document, **document_row(value, entry)})
    if removed:
        connection.execute(documents.delete().where(is_document), removed)
    if changed:
        new_values = {name: bindparam(name) for name in ("value", "checksum", "entry_id")}
        connection.execute(documents.update().where(is_document).values(new_values), changed)
    if new:
        connection.execute(documents.insert(), new)


def _require_contents(connection, changes, doing):
    """Raise StoreError where a text that would come back has no content any more: see ``Corpora.empty_removed``."""
    restored = {int(change.key): change for change in changes if change.kind == CORPUS and change.before is None}
    query = select(corpora.c.id).join(contents, corpora.c.content_id == contents.c.id).where(contents.c.size == 0)
    for corpus in connection.execute(query.where(corpora.c.id.in_(restored))).scalars() if restored else ():
        name = restored[corpus].after["name"]
        raise StoreError(f"Cannot {doing}: the content of {name} was emptied; add the file again")


def _require_resting(connection, project, changes, author, doing):
    """Raise StoreError where a document rests on one that is changed (RESTING) and is not changed with it.

    The keys of the kinds that rest are gone through once, however many documents are changed.
    """
    changed = defaultdict(set)
    for change in changes:
        if change.before != change.after:
            changed[change.kind].add(change.key)
    for base, kinds in RESTING.items():
        for kind, part in kinds.items() if base in changed else ():
            ends = zip(min(changed[base]), max(changed[base]), strict=False)
            shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
            query = select(documents.c.key).where(documents.c.project_id == project, documents.c.kind == kind)
            query = query.where(type_coerce(documents.c.value, Text).contains(part)) if part else query
            for key in connection.execute(query.where(documents.c.key.startswith(shared, autoescape=True))).scalars():
                bases = accumulate(key.split("/"), "{}/{}".format)  # of "3/7/Ann" also "3" and "3/7"
                if key not in changed[kind] and not changed[base].isdisjoint(bases):
                    raise _conflict(connection, project, Command(kind, key, None, None), author, doing)


def document_row(value: object, entry: int) -> dict[str, object]:
    """The columns of a document besides its keys: its value, and the id of the entry that changed it last."""
    return {"value": value, "checksum": checksum(canonical_json(value)), "entry_id": entry}


def _value(text):
    return None if text is None else json.loads(text)


def current_value(connection: Connection, project: int, kind: str, key: str) -> Any:
    """The document's value inside a writing transaction, or None."""
    return _value(texts_to_change(connection, project, [(kind, key)]).get((kind, key)))


def _conflict(connection, project, change, author, doing):
    """The error that names the document, who changed it and when."""
    query = (
        select(entries.c.author, entries.c.time)
        .join(commands, commands.c.entry_id == entries.c.id)
        .where(entries.c.project_id == project, commands.c.kind == change.kind, commands.c.key == change.key)
        .order_by(entries.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    name = f"{change.kind} {change.key!r}" if change.key else change.kind
    if row is None:
        return StoreError(f"Cannot {doing}: there is no {name} in this project; reload the page to see what there is")
    who = "in another window" if row.author == author else f"by {row.author}"
    when = f"{row.time:%Y-%m-%d %H:%M:%S} UTC"
    return StoreError(
        f"Cannot {doing}: {name} was changed {who} at {when};"
        " nothing was overwritten, reload the page to see it and decide again"
    )


def _last_saved(connection, project):
    query = select(entries.c.time, entries.c.author).where(entries.c.project_id == project)
    row = connection.execute(query.order_by(entries.c.number.desc()).limit(1)).first()
    return None if row is None else tuple(row)


def _first(connection, query):
    return next(iter(_load(connection, query)), None)


def _undo_query(project, author):
    undo, redo = entries.alias(), entries.alias()
    redone = exists().where(redo.c.redoes == undo.c.undoes, redo.c.id > undo.c.id)
    undone = exists().where(undo.c.undoes == entries.c.id, not_(redone))
    query = select(entries).where(_first_hand(entries, project, author), not_(undone))
    return query.order_by(entries.c.id.desc()).limit(1)


def _redo_query(project, author):
    """The last undone action that was not redone, if there is no new action since."""
    done, undo, redo = entries.alias(), entries.alias(), entries.alias()
    last_done = select(func.max(done.c.id)).where(_first_hand(done, project, author)).scalar_subquery()
    redone = exists().where(redo.c.redoes == undo.c.undoes, redo.c.id > undo.c.id)
    return (
        select(entries)
        .join(undo, undo.c.undoes == entries.c.id)
        .where(undo.c.project_id == project, undo.c.author == author, undo.c.id > last_done, not_(redone))
        .order_by(undo.c.id.desc())
        .limit(1)
    )


def _first_hand(table, project, author):
    """Actions of an author that are neither undo nor redo."""
    by_author = and_(table.c.project_id == project, table.c.author == author, table.c.undoable)
    return and_(by_author, table.c.undoes.is_(None), table.c.redoes.is_(None))


def _load(connection, query):
    rows = connection.execute(query).all()
    by_entry = defaultdict(list)
    of_entries = select(commands).where(commands.c.entry_id.in_(query.with_only_columns(entries.c.id)))
    for row in connection.execute(of_entries.order_by(commands.c.id)):
        by_entry[row.entry_id].append(Command(row.kind, row.key, row.before, row.after))
    names = [field.name for field in fields(Entry) if field.name != "commands"]
    return [Entry(**{name: getattr(row, name) for name in names}, commands=tuple(by_entry[row.id])) for row in rows]
