"""The store as one object: what pages, jobs and the command line hold."""

from core.store.corpora import Corpora
from core.store.database import Database
from core.store.log import Log
from core.store.projects import Projects
from core.store.runs import Runs
from core.store.versions import Versions


class Store(Projects, Corpora, Log, Versions, Runs):
    """Projects, their corpora, documents, versions and runs in one database.

    Every method is one transaction: when it returns, its change is on disk; when it raises, nothing happened.
    Any number of threads and processes may use a store at once. Every failure that a user can mend is a
    StoreError whose one sentence says what to do.
    """

    def __init__(self, database: Database):
        self.database = database

    @classmethod
    def open(cls, url: str | None = None, *, busy_seconds: float = 10.0) -> "Store":
        """Open the store, making it where there is none.

        Parameters
        ----------
        url : str, optional
            Any SQLAlchemy URL; by default ``WORKBENCH_DATABASE``, else the file ``workbench.sqlite`` in
            ``WORKBENCH_HOME``, else in the user's data folder.
        busy_seconds : float
            How long a call waits for another program that is writing to an SQLite file.
        """
        return cls(Database(url, busy_seconds))

    @property
    def place(self) -> str:
        """Where it is, to show to the user; without a password."""
        return self.database.place

    def close(self) -> None:
        """Let go of the database's connections; the next call opens them again."""
        self.database.close()
