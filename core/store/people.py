"""Whose address an address is, and the browsers in which somebody is signed in.

A person is an e-mail address. It belongs to the account, an issuer and a subject, that signs in with it first: from
then on that account is this person, whatever address its provider says, and no other account is.
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
    """Who signs in, as a provider says it: ``subject`` is the name that ``issuer`` never gives to anybody else."""

    issuer: str
    subject: str
    address: str


class People:
    """The part of the store that knows people's accounts and browsers. It works for the server, on nobody's behalf."""

    database: Database

    def begin_session(self, account: Account, key: str, days: float) -> str:
        """Sign an account in, in the browser of a key; returns the person that it is. StoreError for an address of
        another account. What is older than ``days`` is cleared."""
        with self.database.write() as connection:
            self.database.lock_names(connection)  # two who sign in at once with one address
            person = _person(connection, account)
            old = sessions.c.begun < now() - timedelta(days=days)
            connection.execute(sessions.delete().where(old | (sessions.c.key == key)))
            connection.execute(sessions.insert().values(key=key, person=person, begun=now()))
            return person

    def signed_in(self, key: str, days: float) -> str | None:
        """Who is signed in in the browser of a key since at most ``days``; None where nobody is, at this very moment.

        O(1) where nobody has written to the store since it was last asked.
        """
        query = select(sessions.c.person, sessions.c.begun).where(sessions.c.key == key)

        def read():
            with self.database.query() as connection:
                return connection.execute(query).first()

        found = self.database.answers.get(("session", key), read, at_once=True)
        return None if found is None or now() - found.begun > timedelta(days=days) else found.person

    def end_session(self, key: str) -> None:
        """Nobody is signed in in that browser any more."""
        with self.database.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.key == key))

    def end_sessions(self, person: str) -> int:
        """Sign a person out everywhere; returns in how many browsers she was signed in."""
        with self.database.write() as connection:
            return connection.execute(sessions.delete().where(sessions.c.person == clean_person(person))).rowcount

    def people(self) -> list[Mapping]:
        """Everybody who has signed in, by address: ``person``, ``issuer``, ``subject``, ``bound``, ``browsers``."""
        browsers = select(func.count()).where(sessions.c.person == people.c.person).scalar_subquery()
        with self.database.read() as connection:
            rows = connection.execute(select(people, browsers.label("browsers")).order_by(people.c.person))
            return [dict(row) for row in rows.mappings()]

    def release_person(self, person: str) -> None:
        """Give an address free for the account that signs in with it next; roles stay with the address.

        StoreError where the address belongs to no account.
        """
        person = clean_person(person)
        with self.database.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.person == person))
            if not connection.execute(people.delete().where(people.c.person == person)).rowcount:
                raise StoreError(f"{person} belongs to no account; python -m core person list shows those that do")


def _person(connection: Connection, account: Account) -> str:
    """The person that an account is; with its first sign-in its address is bound to it."""
    its = (people.c.issuer == account.issuer) & (people.c.subject == account.subject)
    if (known := connection.execute(select(people.c.person).where(its)).scalar()) is not None:
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
