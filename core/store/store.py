"""The store as one object, for pages, jobs and the command line."""

import copy
from collections.abc import Callable

from sqlalchemy import select

from core.store.backup import Backups
from core.store.corpora import Corpora
from core.store.database import Database
from core.store.deletion import Deletions
from core.store.exercises import Exercises
from core.store.log import Log
from core.store.members import Members, clean_person
from core.store.people import People
from core.store.projects import Projects
from core.store.quotas import Quotas
from core.store.rights import LOCAL_AUTHOR
from core.store.runs import Runs
from core.store.schema import schema
from core.store.shapes import Kinds
from core.store.versions import Versions


class Store(Projects, Members, People, Corpora, Log, Versions, Runs, Deletions, Quotas, Exercises, Backups):
    """Projects, their corpora, documents, versions, runs and exercises in one database.

    Every method is one transaction: when it returns, its change is on disk; when it raises, nothing has changed.
    Threads and processes may use a store at once. Every failure that a user can mend is a StoreError whose sentence
    says what to do.
    """

    def __init__(self, database: Database, kinds: Callable[[], Kinds] = Kinds):
        self.database, self.kinds = database, kinds

    @classmethod
    def open(
        cls, url: str | None = None, *, busy_seconds: float = 10.0, upgrade: bool = False,
        kinds: Callable[[], Kinds] = Kinds,
    ) -> "Store":  # fmt: skip
        """Open the store; a new one is made if there is none.

        An SQLite file of an older workbench is copied beside itself (``workbench.version-2.sqlite``) and upgraded.

        Parameters
        ----------
        url : str, optional
            An SQLAlchemy URL; by default ``WORKBENCH_DATABASE``, else the file ``workbench.sqlite`` in
            ``WORKBENCH_HOME``, else in the user's data folder.
        busy_seconds : float
            For which a call waits for another program that writes to an SQLite file.
        upgrade : bool
            Whether a server's database of an older workbench is upgraded too, which needs a copy of it and no running
            workbench. Else it raises StoreError.
        kinds : callable
            Returns the kinds of documents and runs; called when a project is restored or copied, or runs are deleted.
            By default there are none.
        """
        return cls(Database(url, busy_seconds, upgrade), kinds)

    @property
    def location(self) -> str:
        """The file or URL of the store, without a password, to show to the user."""
        return self.database.location

    def on_behalf_of(self, person: str | None) -> "Store":
        """The same store for a signed-in person, who is the author of changes; beyond her roles it raises StoreError.

        None is the local user, who may do everything.
        """
        store = copy.copy(self)
        store.database = self.database.on_behalf_of(None if person is None else clean_person(person))
        return store

    @property
    def person(self) -> str | None:
        """The person for whom it works; None for the local user."""
        return self.database.person

    @property
    def author(self) -> str:
        """The author of changes made through this store."""
        return self.database.person or LOCAL_AUTHOR

    def check(self) -> None:
        """Raise StoreError where the database does not answer."""
        with self.database.read() as connection:
            connection.execute(select(schema.c.version))

    def compact(self) -> tuple[int, int]:
        """Rewrite the database without free space; (bytes before, after). Others wait."""
        return self.database.compact()

    def close(self) -> None:
        """Close the database's connections; the next call opens them again.

        An SQLite file is then complete without the log beside it, unless others write to it.
        """
        self.database.close()

    def end(self) -> None:
        """Close the store for good: running transactions are completed, later ones refused."""
        self.database.end()
