"""``store``: what is done to all projects of a store at once."""

from core.commandline.compact import add_compact
from core.commandline.options import Commands, add_actions


def add_commands(commands: Commands) -> None:
    """Add ``store`` to the command line."""
    add_compact(add_actions(commands, "store", "look after the whole store"))
