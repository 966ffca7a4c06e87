"""On whose behalf a transaction runs, and what its project lets that person do."""

from sqlalchemy import ColumnElement, Connection, exists, select

from core.errors import StoreError
from core.store.schema import members, projects

LOCAL_AUTHOR = "local"  # the one user of a workbench without sign-in
ROLES = ("reader", "annotator", "owner")  # each may do what the ones before may
DOING = {"annotator": "change", "owner": "manage"}


def person_of(connection: Connection) -> str | None:
    """Whom the transaction works for; None is the local user."""
    return connection.get_execution_options().get("person")


def author_of(connection: Connection, author: str | None = None) -> str:
    """Who stands in the log: a signed-in person under no other name."""
    return person_of(connection) or author or LOCAL_AUTHOR


def visible(connection: Connection) -> ColumnElement[bool]:
    """The condition that holds of the projects that the person may see: of none that is still being restored."""
    person, is_whole = person_of(connection), projects.c.process.is_(None)
    if person is None:
        return is_whole
    return is_whole & exists().where(members.c.project_id == projects.c.id, members.c.person == person)


def require_role(connection: Connection, project: int, name: str, role: str) -> None:
    """StoreError where a project of some id and name, which the person may see, gives her less than ``role``."""
    person = person_of(connection)
    if person is None or role == ROLES[0]:
        return
    own = select(members.c.role).where(members.c.project_id == project, members.c.person == person)
    found = connection.execute(own).scalar()
    if found not in ROLES[ROLES.index(role) :]:
        raise StoreError(f"As {found} you cannot {DOING[role]} {name!r}; ask one of its owners to make you {role}")


def may_manage(connection: Connection, project: int) -> bool:
    """Whether the person owns a project; the local user may do everything."""
    person = person_of(connection)
    own = select(members.c.role).where(members.c.project_id == project, members.c.person == person)
    return person is None or connection.execute(own).scalar() == "owner"
