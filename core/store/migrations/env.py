"""What Alembic runs: the steps, in the transaction that the store began."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
