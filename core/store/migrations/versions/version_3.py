"""Adds accounts and their browsers, processes of hidden projects, and checksums of documents."""

import sqlalchemy as sa
from alembic import op

from core.store.schema import checksum

revision = "3"
down_revision = "2"
BATCH = 1000  # documents in memory at a time


def upgrade() -> None:
    """From version 2."""
    op.create_table(
        "people",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("issuer", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("bound", sa.String, nullable=False),
        sa.UniqueConstraint("issuer", "subject"),
    )
    op.create_table(
        "sessions",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.person"), nullable=False),
        sa.Column("begun", sa.String, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.add_column("projects", sa.Column("process", sa.String))
    op.add_column("projects", sa.Column("heartbeat", sa.String))
    op.add_column("documents", sa.Column("checksum", sa.String))
    _fill_checksums(op.get_bind())
    with op.batch_alter_table("documents") as batch:
        batch.alter_column("checksum", existing_type=sa.String, nullable=False)
    op.create_index("ix_documents_entry_id", "documents", ["entry_id"])  # without it, deleting an entry scans them all


def _fill_checksums(connection):
    documents = sa.table("documents", *map(sa.column, ("project_id", "kind", "key", "value", "checksum")))
    unfilled = sa.select(documents).where(documents.c.checksum.is_(None)).limit(BATCH)
    is_document = [documents.c[name] == sa.bindparam(f"of_{name}") for name in ("project_id", "kind", "key")]
    update = documents.update().where(*is_document).values(checksum=sa.bindparam("new_checksum"))
    while rows := connection.execute(unfilled).all():
        values = [
            {"of_project_id": row.project_id, "of_kind": row.kind, "of_key": row.key}
            | {"new_checksum": checksum(row.value)}
            for row in rows
        ]
        connection.execute(update, values)
