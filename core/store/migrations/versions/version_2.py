"""The tables of release 0.1, the oldest that are brought up to date."""

revision = "2"
down_revision = None


def upgrade() -> None:
    """Nothing: a store of version 2 is where the steps begin."""
