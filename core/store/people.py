"""The accounts of people, and the browsers in which they are signed in.

A person is an e-mail address. It belongs to the account, an issuer and a subject, that first signs in with it. From
then on only that account is this person, whatever address its provider gives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, func, select

from core.errors import StoreError
from core.store.database import Database
from core.store.members import clean_person
from core.store.schema import now, people, sessions


@dataclass(frozen=True)
class Account:
    """An account at a provider: ``subject`` is a name that ``issuer`` gives to nobody else."""

    issuer: str
    subject: str
    address: str


class People:
    """The part of the store for people's accounts and browsers. It works for the server, not for a person."""

    database: Database

    def begin_session(self, account: Account, key: str, days: float) -> str:
        """Sign an account in, in the browser of a key; returns its person. Sessions older than ``days`` are deleted.

        Raises StoreError for an address of another account.
        """
        with self.database.write() as connection:
            self.database.lock_names(connection)  # two accounts may sign in at once with one address
            person = _person(connection, account)
            old = sessions.c.begun < now() - timedelta(days=days)
            connection.execute(sessions.delete().where(old | (sessions.c.key == key)))
            connection.execute(sessions.insert().values(key=key, person=person, begun=now()))
            return person

    def signed_in(self, key: str, days: float) -> str | None:
        """The person signed in in the browser of a key since at most ``days``, at this moment, or None.

        O(1) if nobody has written to the store since the last call.
        """
        query = select(sessions.c.person, sessions.c.begun).where(sessions.c.key == key)

        def read():
            with self.database.query() as connection:
                return connection.execute(query).first()

        row = self.database.answers.get(("session", key), read, at_once=True)
        return None if row is None or now() - row.begun > timedelta(days=days) else row.person

    def end_session(self, key: str) -> None:
        """Sign out in the browser of a key."""
        with self.database.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.key == key))

    def end_sessions(self, person: str) -> int:
        """Sign a person out everywhere; returns the number of browsers."""
        with self.database.write() as connection:
            return connection.execute(sessions.delete().where(sessions.c.person == clean_person(person))).rowcount

    def people(self) -> list[Mapping]:
        """Everybody who has signed in, by address: ``person``, ``issuer``, ``subject``, ``bound``, ``browsers``."""
        browsers = select(func.count()).where(sessions.c.person == people.c.person).scalar_subquery()
        with self.database.read() as connection:
            rows = connection.execute(select(people, browsers.label("browsers")).order_by(people.c.person))
            return [dict(row) for row in rows.mappings()]

    def release_person(self, person: str) -> None:
        """Release an address for the account that signs in with it next; roles stay with the address.

        Raises StoreError where the address belongs to no account.
        """
        person = clean_person(person)
        with self.database.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.person == person))
            if not connection.execute(people.delete().where(people.c.person == person)).rowcount:
                raise StoreError(f"{person} belongs to no account; python -m core person list shows those that do")


def _person(connection: Connection, account: Account) -> str:
    """The person of an account; at its first sign-in its address is bound to it."""
    is_account = (people.c.issuer == account.issuer) & (people.c.subject == account.subject)
    if (known := connection.execute(select(people.c.person).where(is_account)).scalar()) is not None:
        return known
    person = clean_person(account.address)
    if connection.execute(select(people.c.person).where(people.c.person == person)).first():
        raise StoreError(
            f"{person} belongs to another account than the one you came with; sign in with that one, or ask who runs"
            f" the server to release the address: python -m core person release {person}"
        )
    row = {"person": person, "issuer": account.issuer, "subject": account.subject, "bound": now()}
    connection.execute(people.insert().values(**row))
    return person
