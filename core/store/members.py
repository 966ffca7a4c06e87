"""Who may do what: the roles of people in projects.

Every transaction knows on whose behalf it runs (``Database.on_behalf_of``). Without a person it is the local user's,
the only one of a workbench without sign-in, who may do everything.
"""

import string
from typing import SupportsIndex

from core.errors import StoreError
from core.store.database import Database
from core.store.projects import Project, require_project
from core.store.query_cache import kept
from core.store.rights import ROLES, person_of
from core.store.schema import members

LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Members:
    """The part of the store that knows the people of a project."""

    database: Database

    def members(self, project: SupportsIndex) -> dict[str, str]:
        """Person -> role, by name."""
        with self.database.read() as connection:
            owner = require_project(connection, project)
            return _members(connection, owner.id)

    def set_role(self, project: SupportsIndex, person: str, role: str | None) -> dict[str, str]:
        """Give a person a role in the project, None to take it away; returns the members. For owners."""
        person = clean_person(person)
        if role is not None and role not in ROLES:
            raise StoreError(f"There is no role {role!r}; say one of {', '.join(ROLES)}")
        with self.database.write() as connection:
            owner = require_project(connection, project, role="owner")
            found = _members(connection, owner.id)
            others = [each for each, its in found.items() if its == "owner" and each != person]
            if found.get(person) == "owner" and role != "owner" and not others:
                raise StoreError(f"{person} is the only owner of {owner.name!r}; make somebody else an owner first")
            at = (members.c.project_id == owner.id) & (members.c.person == person)
            connection.execute(members.delete().where(at))
            if role is not None:
                connection.execute(members.insert().values(project_id=owner.id, person=person, role=role))
            return _members(connection, owner.id)

    @kept
    def role(self, project: SupportsIndex) -> str:
        """What the person whom this store works for is in the project; the local user owns all."""
        with self.database.read() as connection:
            found: Project = require_project(connection, project, trashed=None)
            person = person_of(connection)
            return "owner" if person is None else _members(connection, found.id)[person]


def clean_person(person: str) -> str:
    """An e-mail address as it is compared, or StoreError: ASCII letters without case, all others exactly.

    Other letters have pairs that look alike or fold into one, such as a Kelvin sign and k, and are other people's.
    """
    person = person.strip().translate(LOWER)
    if not person or len(person) > 200 or not person.isprintable() or " " in person:
        raise StoreError(f"{person[:40]!r} names nobody; give the e-mail address that the person signs in with")
    return person


def _members(connection, project_id):
    rows = connection.execute(members.select().where(members.c.project_id == project_id).order_by(members.c.person))
    return {row.person: row.role for row in rows}
