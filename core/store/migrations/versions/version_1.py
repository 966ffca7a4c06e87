"""The tables of the first workbench, which made them itself."""

revision = "1"
down_revision = None


def upgrade() -> None:
    """Nothing: a store of version 1 is where the steps begin."""
