"""The person for whom a transaction runs, and the rights of that person in a project."""

from sqlalchemy import ColumnElement, Connection, exists, select

from core.errors import StoreError
from core.store.schema import members, projects

LOCAL_AUTHOR = "local"  # the one user of a workbench without sign-in
ROLES = ("reader", "annotator", "owner")  # each includes the rights of those before
DOING = {"annotator": "change", "owner": "manage"}


def person_of(connection: Connection) -> str | None:
    """The person for whom a transaction runs; None is the local user."""
    return connection.get_execution_options().get("person")


def author_of(connection: Connection, author: str | None = None) -> str:
    """The author for the log; of a signed-in person always that person."""
    return person_of(connection) or author or LOCAL_AUTHOR


def visible(connection: Connection) -> ColumnElement[bool]:
    """The condition for projects that the person may see, which are never hidden ones."""
    person, is_whole = person_of(connection), projects.c.process.is_(None)
    if person is None:
        return is_whole
    return is_whole & exists().where(members.c.project_id == projects.c.id, members.c.person == person)


def require_role(connection: Connection, project: int, name: str, role: str) -> None:
    """Raise StoreError where the person of a transaction has less than ``role`` in a visible project."""
    person = person_of(connection)
    if person is None or role == ROLES[0]:
        return
    actual = _role(connection, project, person)
    if actual not in ROLES[ROLES.index(role) :]:
        raise StoreError(f"As {actual} you cannot {DOING[role]} {name!r}; ask one of its owners to make you {role}")


def may_manage(connection: Connection, project: int) -> bool:
    """Whether the person of a transaction owns a project; the local user may do everything."""
    person = person_of(connection)
    return person is None or _role(connection, project, person) == "owner"


def _role(connection, project, person):
    query = select(members.c.role).where(members.c.project_id == project, members.c.person == person)
    return connection.execute(query).scalar()
