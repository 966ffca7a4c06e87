"""Fields of settings dataclasses that the command line offers as options: ``core.commandline.options`` reads them."""

from dataclasses import field
from typing import TypeVar

T = TypeVar("T")


def option(default: T, help: str = "", **more: object) -> T:
    """A field with this default, and what its option is beside that.

    ``more``: ``name``, where the option's is not the field's; ``least``, the least number; ``group``, the title that it
    stands under; ``either``, for a switch with a ``--no-`` of its own; ``choices`` and ``metavar`` as in argparse.
    """
    return field(default=default, metadata={"help": help, **more})
