"""Settings dataclasses: fields that the command line offers as options, and settings taken over from other settings.

``core.commandline.options`` reads the fields.
"""

from dataclasses import field, fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Settings = TypeVar("Settings", bound=DataclassInstance)

T = TypeVar("T")


def option(default: T, help: str = "", **more: object) -> T:
    """A field with this default, and what its option is beside that.

    ``more``: ``name``, where the option's is not the field's; ``least``, the least number; ``group``, its title.
    ``either`` is for a switch with a ``--no-`` of its own; ``choices`` and ``metavar`` are as in argparse.
    """
    return field(default=default, metadata={"help": help, **more})


def settings_from(kind: "type[Settings]", chosen: "DataclassInstance", **others: object) -> "Settings":
    """Settings of a kind with what other settings have under the same names; ``others`` take its place.

    Raises TypeError where a name stands for two types: it would mean two things.
    """
    types = {each.name: each.type for each in fields(kind)}
    shared = [each for each in fields(chosen) if each.name in types and each.name not in others]
    if other := [each.name for each in shared if each.type != types[each.name]]:
        raise TypeError(f"{', '.join(other)} of {type(chosen).__name__} and of {kind.__name__} have other types")
    return kind(**{each.name: getattr(chosen, each.name) for each in shared}, **others)
