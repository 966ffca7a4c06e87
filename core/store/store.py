"""The store as one object: what pages, jobs and the command line hold."""

import copy
from collections.abc import Callable

from sqlalchemy import select

from core.store.backup import Backups
from core.store.corpora import Corpora
from core.store.database import Database
from core.store.deletion import Deletions
from core.store.log import Log
from core.store.members import Members, clean_person
from core.store.people import People
from core.store.projects import Projects
from core.store.rights import LOCAL_AUTHOR
from core.store.room import Room
from core.store.runs import Runs
from core.store.schema import schema
from core.store.shapes import Kinds
from core.store.versions import Versions


class Store(Projects, Members, People, Corpora, Log, Versions, Runs, Deletions, Room, Backups):
    """Projects, their corpora, documents, versions and runs in one database.

    Every method is one transaction: when it returns, its change is on disk; when it raises, nothing happened.
    Threads and processes may use a store at once. Every failure that a user can mend is a
    StoreError whose one sentence says what to do.
    """

    def __init__(self, database: Database, kinds: Callable[[], Kinds] = Kinds):
        self.database, self.kinds = database, kinds

    @classmethod
    def open(
        cls, url: str | None = None, *, busy_seconds: float = 10.0, upgrade: bool = False,
        kinds: Callable[[], Kinds] = Kinds,
    ) -> "Store":  # fmt: skip
        """Open the store, making it if there is none.

        An SQLite file of an older workbench is copied beside itself (``workbench.version-2.sqlite``) and brought up to
        date.

        Parameters
        ----------
        url : str, optional
            An SQLAlchemy URL; by default ``WORKBENCH_DATABASE``, else the file ``workbench.sqlite`` in
            ``WORKBENCH_HOME``, else in the user's data folder.
        busy_seconds : float
            How long a call waits for another program that is writing to an SQLite file.
        upgrade : bool
            Whether a server's database of an older workbench is brought up to date too. Else it is a StoreError: nobody
            should do that without a copy, or under a workbench that still runs.
        kinds : callable
            Gives the kinds of documents and runs that there are; asked when a project is restored or copied, or runs
            are deleted. By default there are none.
        """
        return cls(Database(url, busy_seconds, upgrade), kinds)

    @property
    def place(self) -> str:
        """Where it is, to show to the user; without a password."""
        return self.database.place

    def on_behalf_of(self, person: str | None) -> "Store":
        """The same store for a signed-in person: what her roles do not let her see or do is a StoreError.

        She is the author of what is written. None is the local user, who may do everything.
        """
        store = copy.copy(self)
        store.database = self.database.on_behalf_of(None if person is None else clean_person(person))
        return store

    @property
    def person(self) -> str | None:
        """On whose behalf it works; None of the local user."""
        return self.database.person

    @property
    def author(self) -> str:
        """Who stands in the log for what is done through this store."""
        return self.database.person or LOCAL_AUTHOR

    def check(self) -> None:
        """StoreError where the database does not answer."""
        with self.database.read() as connection:
            connection.execute(select(schema.c.version))

    def compact(self) -> tuple[int, int]:
        """Write the database anew without room that is free; (bytes before, after). Others wait."""
        return self.database.compact()

    def close(self) -> None:
        """Let go of the database's connections; the next call opens them again.

        An SQLite file is whole then, without the log that SQLite keeps beside it, unless others write to it.
        """
        self.database.close()

    def end(self) -> None:
        """Close it for good, as the end of a process does: steps under way are kept, later ones refused."""
        self.database.end()
