"""The command log and the documents it makes: execute, undo, redo, history, replay.

A document is a JSON value under (project, kind, key); None means that there is none. A command says what one
document was and what it is now. An entry of the log holds the commands of one action, which happen, and are
undone, together. Nothing in the log is changed or taken out: undo appends the opposite commands.
"""

import json
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, SupportsIndex

from sqlalchemy import Connection, and_, bindparam, exists, func, not_, select

from core.errors import StoreError
from core.store.checked import document_text, document_texts, texts_to_change
from core.store.database import Database
from core.store.projects import CORPUS, readable, require_project
from core.store.query_cache import kept
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


@dataclass(frozen=True)
class Command:
    """Document (kind, key) goes from ``before`` to ``after``: JSON values, None for no document."""

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
MOST_COMMANDS, MOST_BYTES = 10_000, 50_000_000  # of one step, for as long as which others wait


@dataclass(frozen=True)
class SaveStatus:
    """What stands above every page: when the project was saved last and by whom, and what undo and redo would do.

    ``saved`` is (time, author), ``undo`` and ``redo`` are labels; None where there is nothing.
    """

    saved: tuple[datetime, str] | None
    undo: str | None
    redo: str | None


class Log:
    """The part of the store that changes documents."""

    database: Database

    def execute(
        self, project: SupportsIndex, *changes: Command, author: str | None = None, label: str = ""
    ) -> Entry | None:
        """Write the log entry and the documents in one transaction; None if the commands change nothing.

        StoreError if ``before`` of a command is not what its document is now: somebody else, or another tab,
        changed it. Then nothing is written. ``label`` says what was done, for the history and the undo button.
        """
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            return append(connection, owner.id, changes, author=author, label=label)

    def remember(
        self, project: SupportsIndex, kind: str, key: str, value: object, *, author: str | None = None
    ) -> Entry | None:
        """Set a document whatever it was, outside of undo: for view settings, where the last one wins."""
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            before = current_value(connection, owner.id, kind, key)
            change = Command(kind, key, before, value)
            return append(connection, owner.id, [change], author=author, undoable=False)

    def document(self, project: SupportsIndex, kind: str, key: str = "") -> Any:
        """The current value, None if there is none."""
        return _value(self._document_text(project, kind, key))

    @kept
    def _document_text(self, project, kind, key):
        with self.database.query() as connection:
            return document_text(connection, readable(connection, project), kind, key)

    def documents(self, project: SupportsIndex, kind: str | None = None) -> dict[tuple[str, str], Any]:
        """All current values of a project (of one kind) by (kind, key), in that order.

        One that is damaged on disk is left out, and stands in ``damages``.
        """
        return {place: _value(text) for place, text in self._document_texts(project, kind)}

    def damages(self, project: SupportsIndex) -> list[str]:
        """A sentence on each document of a project that was found damaged on disk when documents were last read."""
        return sorted(self.database.damages.get(operator.index(project), {}).values())

    @kept
    def _document_texts(self, project, kind):
        with self.database.query() as connection:
            owner = readable(connection, project)
            whole, damaged = document_texts(connection, owner, kind)
        self.database.note_damage(owner, kind, damaged)
        return tuple(whole.items())

    @kept
    def newest(self, project: SupportsIndex) -> int:
        """The number of the project's newest entry, 0 of an empty log."""
        with self.database.query() as connection:
            query = select(func.max(entries.c.number)).where(entries.c.project_id == readable(connection, project))
            return connection.execute(query).scalar() or 0

    def changes(
        self, project: SupportsIndex, kinds: Collection[str], *, after: int = 0, since: datetime | None = None
    ) -> list[Command]:
        """The commands on documents of some kinds, oldest first: those of entries with a number above ``after``, and,
        where it is given, written later than ``since``."""
        wanted = [entries.c.number > after, commands.c.kind.in_(kinds)]
        if since is not None:
            wanted.append(entries.c.time > since)
        query = select(commands).join(entries, commands.c.entry_id == entries.c.id).where(*wanted)
        with self.database.read() as connection:
            query = query.where(entries.c.project_id == readable(connection, project))
            rows = connection.execute(query.order_by(entries.c.number, commands.c.id))
            return [Command(row.kind, row.key, row.before, row.after) for row in rows]

    def undo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """Take back the author's last action by its opposite; None if there is none.

        StoreError, and nothing happens, where a document it touched has been changed since by somebody else.
        """
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            target = _first(connection, _undo_query(owner.id, author_of(connection, author)))
            changes = [command.inverse for command in reversed(target.commands)] if target else []
            return append(connection, owner.id, changes, author=author, about=target and ("undoes", target))

    def redo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """Do again what the author undid last, if she has done nothing else since; otherwise as ``undo``."""
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            target = _first(connection, _redo_query(owner.id, author_of(connection, author)))
            changes = target.commands if target else ()
            return append(connection, owner.id, changes, author=author, about=target and ("redoes", target))

    @kept
    def next_undo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        """The action that ``undo`` would take back: its label belongs on the button."""
        with self.database.query() as connection:
            return _first(connection, _undo_query(readable(connection, project), author_of(connection, author)))

    @kept
    def next_redo(self, project: SupportsIndex, author: str | None = None) -> Entry | None:
        with self.database.query() as connection:
            return _first(connection, _redo_query(readable(connection, project), author_of(connection, author)))

    def history(self, project: SupportsIndex, limit: int | None = None) -> list[Entry]:
        """The log, newest entry first."""
        with self.database.read() as connection:
            query = select(entries).where(entries.c.project_id == readable(connection, project))
            return _load(connection, query.order_by(entries.c.number.desc()).limit(limit))

    @kept
    def last_saved(self, project: SupportsIndex) -> tuple[datetime, str] | None:
        """When the project's last command was written, and by whom: the page's "saved at"."""
        with self.database.query() as connection:
            return _last_saved(connection, readable(connection, project))

    @kept
    def save_status(self, project: SupportsIndex) -> SaveStatus:
        """``last_saved``, and the labels of ``next_undo`` and ``next_redo``, of one moment."""
        with self.database.read() as connection:
            owner, author = readable(connection, project), author_of(connection)
            queries = _undo_query(owner, author), _redo_query(owner, author)
            labels = [connection.execute(query.with_only_columns(entries.c.label)).scalar() for query in queries]
            return SaveStatus(_last_saved(connection, owner), *labels)


def append(
    connection: Connection, project: int, changes: Iterable[Command], *, author: str | None = None, label: str = "",
    undoable: bool = True, about: tuple[str, Entry] | None = None,
) -> Entry | None:  # fmt: skip
    """Append one entry with its commands and carry them out; the project must be locked. All of it is one transaction.

    ``about`` is ("undoes", entry) or ("redoes", entry) for one that takes another back, or does it again: it has that
    one's label.
    """
    author, doing = author_of(connection, author), "save your change"
    links: dict[str, int | None] = {"undoes": None, "redoes": None}
    if about:
        does, target = about
        label, links[does] = target.label, target.id
        doing = f"{does.removesuffix('es')} {label or 'your last change'}"
    changes = tuple(changes)
    if len(changes) > MOST_COMMANDS:
        raise _too_much(f"{len(changes):,} documents at once, and {MOST_COMMANDS:,} is the most")
    if about:
        _require_contents(connection, changes, doing)
    before = texts_to_change(connection, project, {(change.kind, change.key) for change in changes})
    there = set(before)
    kept, size = [], 0
    for change in changes:  # the documents as the commands go on, so that two commands on one document fit together
        place, after = (change.kind, change.key), canonical_json(change.after)
        current = before.get(place, NOTHING)
        said = canonical_json(change.before)
        if said != current and said != canonical_json(_value(current)):
            raise _conflict(connection, project, change, author, doing)
        before[place] = after
        size += len(current) + len(after)
        if size > MOST_BYTES:
            raise _too_much(f"more than {MOST_BYTES / 1e6:.0f} MB at once")
        if after != current:
            kept.append(change)
    if not kept:
        return None
    last = select(func.max(entries.c.number)).where(entries.c.project_id == project)
    number = (connection.execute(last).scalar() or 0) + 1
    values = {"number": number, "time": now(), "author": author, "label": label, "undoable": undoable, **links}
    key = inserted_id(connection.execute(entries.insert().values(project_id=project, **values)))
    rows = [{"entry_id": key, "kind": c.kind, "key": c.key, "before": c.before, "after": c.after} for c in kept]
    connection.execute(commands.insert(), rows)
    _carry_out(connection, project, {(change.kind, change.key): change.after for change in kept}, there, key)
    return Entry(id=key, commands=tuple(kept), **values)


def _too_much(what):
    return StoreError(f"This step would change {what}; nothing was written, do it in several steps")


def _carry_out(connection, project, values, there, entry):
    """Make documents what they are now: (kind, key) -> value; ``there`` are those places that have one."""
    columns = documents.c.project_id, documents.c.kind, documents.c.key
    here = and_(*(column == bindparam(f"at_{column.name}") for column in columns))
    gone, changed, new = [], [], []
    for (kind, key), value in values.items():
        place = {"project_id": project, "kind": kind, "key": key}
        at_place = {f"at_{name}": its for name, its in place.items()}
        if value is None:
            gone.append(at_place)
        elif (kind, key) in there:
            changed.append({**at_place, **document_row(value, entry)})
        else:
            new.append({**place, **document_row(value, entry)})
    if gone:
        connection.execute(documents.delete().where(here), gone)
    if changed:
        names = ("value", "checksum", "entry_id")
        connection.execute(documents.update().where(here).values({name: bindparam(name) for name in names}), changed)
    if new:
        connection.execute(documents.insert(), new)


def _require_contents(connection, changes, doing):
    """StoreError where a text that would come back has lost its content: see ``Corpora.empty_removed``."""
    back = {int(change.key): change for change in changes if change.kind == CORPUS and change.before is None}
    query = select(corpora.c.id).join(contents, corpora.c.content_id == contents.c.id).where(contents.c.size == 0)
    for corpus in connection.execute(query.where(corpora.c.id.in_(back))).scalars() if back else ():
        name = back[corpus].after["name"]
        raise StoreError(f"Cannot {doing}: the content of {name} was emptied; add the file again")


def document_row(value: object, entry: int) -> dict[str, object]:
    """What the row of a document holds besides its place: its value, and the id of the entry that changed it last."""
    return {"value": value, "checksum": checksum(canonical_json(value)), "entry_id": entry}


def _value(text):
    return None if text is None else json.loads(text)


def current_value(connection: Connection, project: int, kind: str, key: str) -> Any:
    """The document's value inside a transaction that writes, None if there is none."""
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
    """What the last undo took back that was neither redone nor left behind by a new action since."""
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
    own = and_(table.c.project_id == project, table.c.author == author, table.c.undoable)
    return and_(own, table.c.undoes.is_(None), table.c.redoes.is_(None))


def _load(connection, query):
    rows = connection.execute(query).all()
    found = defaultdict(list)
    picked = select(commands).where(commands.c.entry_id.in_(query.with_only_columns(entries.c.id)))
    picked = picked.order_by(commands.c.id)
    for row in connection.execute(picked):
        found[row.entry_id].append(Command(row.kind, row.key, row.before, row.after))
    names = [field.name for field in fields(Entry) if field.name != "commands"]
    return [Entry(**{name: getattr(row, name) for name in names}, commands=tuple(found[row.id])) for row in rows]
