"""Settings dataclasses: fields that the command line offers as options, settings taken over from other settings, and
whether values that were stored are what the fields hold. Which of these are ids is said by their types.

``core.commandline.options`` reads the fields.
"""

from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Settings = TypeVar("Settings", bound=DataclassInstance)

T = TypeVar("T")
CorpusId = Annotated[int, "a text"]  # as a document's key, in digits; 0 is none
RunId = Annotated[int, "a run"]
ParseKey = Annotated[str, "a parse"]  # trees: "corpus-12", "run-12-alone"; a parser: "by-12"; others name no id


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


def misfits(kind: "type[DataclassInstance]", values: Mapping[str, object]) -> list[str]:
    """Names of the fields of a dataclass for which ``values``, read from JSON, hold something else than they declare.

    JSON has lists for tuples, and whole numbers for some others. What is no field is not looked at.
    """
    declared = hints_of(kind)
    names = [each.name for each in fields(kind) if each.name in values]
    return [name for name in names if not fits(values[name], declared[name])]


@cache
def hints_of(kind: type) -> dict[str, object]:
    """The types of the fields of a dataclass or TypedDict."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(each)[0] if get_origin(each) is NotRequired else each for name, each in hints.items()}


def fits(value: object, wanted: object) -> bool:
    """Whether a value of JSON is one of a type, or a TypedDict; of a type that JSON does not know anything is."""
    parts, kind = get_args(wanted), get_origin(wanted) or wanted
    if kind is Annotated:
        return fits(value, parts[0])
    if kind in (Union, UnionType):
        return any(fits(value, each) for each in parts)
    if kind is Literal:
        return value in parts
    if kind in (tuple, list):
        return isinstance(value, list | tuple) and _fit_in_order(value, parts, kind)
    if kind in (Mapping, dict):
        return isinstance(value, Mapping) and (not parts or all(fits(each, parts[1]) for each in value.values()))
    if is_typeddict(kind):
        return isinstance(value, Mapping) and _fit_by_name(value, kind)
    return _is_plain(value, kind)


def _fit_in_order(values, parts, kind):
    if kind is tuple and parts and parts[-1] is not ...:
        return len(values) == len(parts) and all(map(fits, values, parts))
    return not parts or all(fits(each, parts[0]) for each in values)


def _fit_by_name(values, kind):
    named = {name: each for name, each in hints_of(kind).items() if name in values}
    return kind.__required_keys__ <= values.keys() and all(fits(values[name], each) for name, each in named.items())


def _is_plain(value, kind):
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:  # of those that arrays and databases hold
        return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63
    if is_dataclass(kind):
        return isinstance(value, Mapping | kind)
    return kind not in (str, bool, type(None)) or isinstance(value, kind)
