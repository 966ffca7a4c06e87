"""People and their roles in projects; a trash; project names that only have to differ for those who see them."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """From version 1."""
    op.create_table(
        "members",
        sa.Column("project_id", sa.Integer, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("role", sa.String, nullable=False),
    )
    op.create_index("ix_members_person", "members", ["person"])
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("projects_name_key", "projects", type_="unique")
        op.add_column("projects", sa.Column("deleted", sa.String))
        return
    projects = sa.Table(  # SQLite drops a constraint only by making the table anew
        "projects",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("projects", copy_from=projects, recreate="always") as batch:
        batch.add_column(sa.Column("deleted", sa.String))
