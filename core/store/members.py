"""The roles of people in projects.

Every transaction runs for a person (``Database.on_behalf_of``), or for the local user, the only one of a workbench
without sign-in, who may do everything.
"""

import string
from typing import SupportsIndex

from core.errors import StoreError
from core.store.database import Database
from core.store.projects import require_project
from core.store.query_cache import cached
from core.store.rights import ROLES, person_of
from core.store.schema import members

LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Members:
    """The part of the store for the people of a project."""

    database: Database

    def members(self, project: SupportsIndex) -> dict[str, str]:
        """Person -> role, sorted by person."""
        with self.database.read() as connection:
            owner = require_project(connection, project)
            return _members(connection, owner.id)

    def set_role(self, project: SupportsIndex, person: str, role: str | None) -> dict[str, str]:
        """Set a person's role in the project, None for no role; returns the members. For owners."""
        person = clean_person(person)
        if role is not None and role not in ROLES:
            raise StoreError(f"There is no role {role!r}; say one of {', '.join(ROLES)}")
        with self.database.write() as connection:
            owner = require_project(connection, project, role="owner")
            roles = _members(connection, owner.id)
            owners = [member for member, their_role in roles.items() if their_role == "owner"]
            if owners == [person] and role != "owner":
                raise StoreError(f"{person} is the only owner of {owner.name!r}; make somebody else an owner first")
            is_member = (members.c.project_id == owner.id) & (members.c.person == person)
            connection.execute(members.delete().where(is_member))
            if role is not None:
                connection.execute(members.insert().values(project_id=owner.id, person=person, role=role))
            return _members(connection, owner.id)

    @cached
    def role(self, project: SupportsIndex) -> str:
        """The role in the project of the person for whom this store works; the local user owns all."""
        with self.database.read() as connection:
            owner = require_project(connection, project, trashed=None)
            person = person_of(connection)
            return "owner" if person is None else _members(connection, owner.id)[person]


def clean_person(person: str) -> str:
    """An e-mail address in its normal form: ASCII letters in lower case, all others unchanged. Raises StoreError.

    Folding other letters would merge addresses of different people, such as a Kelvin sign and k.
    """
    person = person.strip().translate(LOWER)
    if not person or len(person) > 200 or not person.isprintable() or " " in person:
        raise StoreError(f"{person[:40]!r} names nobody; give the e-mail address that the person signs in with")
    return person


def _members(connection, project_id):
    rows = connection.execute(members.select().where(members.c.project_id == project_id).order_by(members.c.person))
    return {row.person: row.role for row in rows}
