"""Adds exercises and their answers."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """From version 3."""
    op.create_table(
        "exercises",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("project_id", sa.Integer, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("link", sa.String, nullable=False, unique=True),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("tasks", sa.Text, nullable=False),
        sa.Column("author", sa.String, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("ends", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_exercises_project_id", "exercises", ["project_id"])
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("exercise_id", sa.Integer, sa.ForeignKey("exercises.id"), nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("task", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.Column("time", sa.String, nullable=False),
        sa.UniqueConstraint("exercise_id", "student", "task", "attempt"),
        sqlite_autoincrement=True,
    )
