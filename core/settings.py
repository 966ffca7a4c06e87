"""Settings dataclasses: fields that the command line offers as options and pages as choices; checks of stored values.

The types of fields say which values are ids. A field may say what a paper's value is, and why ours is another: so the
list of what differs from a paper is made from the settings themselves (``departures``).

A settings class says once what each field is: its default and range, its help in the docstring. The command line
(``core.commandline.options``) reads the fields. So do plans (``core.workspace.plan``), which keep those that are chosen
on a page, and the page's widgets (``pages.shared.setting``).
"""

import copy
import inspect
import re
from collections.abc import Mapping
from dataclasses import Field, field, fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Literal,
    NamedTuple,
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
BEST, PAPER = PRESETS = ("best", "paper")  # our settings, and those of a system's paper
ATTRIBUTE = re.compile(r"^(\w+) : .*\n((?: +\S.*\n?)+)", re.MULTILINE)
CorpusId = Annotated[int, "a text"]  # as a document's key, in digits; 0 is none
RunId = Annotated[int, "a run"]
ParseKey = Annotated[str, "a parse"]  # trees: "corpus-12", "run-12-alone"; a parser: "by-12"; others name no id


def option(default: T, help: str = "", **more: object) -> T:
    """A field with this default that is an option of commands.

    ``more``: ``name``, where the option's is not the field's; ``least``, the least number; ``group``, its title.
    ``either`` is for a switch with a ``--no-`` of its own; ``choices`` and ``metavar`` are as in argparse. With a
    ``label``, and what else ``choice`` takes, it is chosen on a page as well. ``paper`` is the value of the system's
    paper, where that states one, and ``why`` a sentence on why ours is another.
    """
    return field(default=default, metadata={"help": help, **more})


def choice(default: T, label: str, **more: object) -> T:
    """A field with this default that is chosen on a page under a label, and no option.

    ``more``: ``within``, the least and the largest number that can be chosen there, and ``step``.
    """
    return field(default=default, metadata={"label": label, **more})


def stated(default: T, label: str, paper: object, why: str = "") -> T:
    """A field of a plan of which a paper states a value; ``why`` ours is another. A page offers it in its own way."""
    return field(default=default, metadata={"label": label, "paper": paper, "why": why})


class Departure(NamedTuple):
    """A setting that is not as in a paper: its name and label, our value, the paper's, and why ours is another."""

    name: str
    label: str
    ours: object
    paper: object
    why: str

    @property
    def text(self) -> str:
        """In the words of a methods section: ``decay decision (paper: all)``."""
        return f"{self.name.replace('_', ' ')} {value_text(self.ours)} (paper: {value_text(self.paper)})"


def value_text(value: object) -> str:
    """A value for people to read."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def paper_values(settings: "DataclassInstance | type[DataclassInstance]") -> dict[str, object]:
    """The values of fields that the paper states, by name."""
    return {item.name: item.metadata["paper"] for item in fields(settings) if "paper" in item.metadata}


def of_paper(settings: "Settings") -> "Settings":
    """The settings with every value that the paper states."""
    return replace(settings, **paper_values(settings))


def departures(settings: "DataclassInstance") -> list[Departure]:
    """The fields whose value is not the paper's, in order."""
    ours, papers = vars(settings), paper_values(settings)
    said = {item.name: item.metadata for item in fields(settings)}
    return [
        Departure(name, said[name].get("label", name), ours[name], paper, said[name].get("why", ""))
        for name, paper in papers.items()
        if ours[name] != paper
    ]


@cache
def descriptions(kind: type) -> Mapping[str, str]:
    """The help of the fields of a settings class on a page: the first paragraph on each of its ``Attributes``."""
    return {name: " ".join(text.split()) for name, text in ATTRIBUTE.findall(inspect.getdoc(kind) or "")}


@cache
def choices(kind: "type[DataclassInstance]") -> Mapping[str, Field]:
    """The fields of a settings dataclass that are chosen on a page, by name: those with a label."""
    return {item.name: item for item in fields(kind) if "label" in item.metadata}


def chosen(settings: "DataclassInstance") -> dict[str, object]:
    """The values of the ``choices`` of settings, by name."""
    names = choices(type(settings))
    return dict(zip(names, map(vars(settings).get, names), strict=True))


def unchecked(settings: "Settings", **values: object) -> "Settings":
    """The settings with other values, which need not fit together while a person is still choosing.

    ``dataclasses.replace`` of them makes settings that are checked.
    """
    made = copy.copy(settings)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def misfits(kind: "type[DataclassInstance]", values: Mapping[str, object]) -> list[str]:
    """Names of the fields of a dataclass for which ``values``, read from JSON, hold something else than they declare.

    JSON has lists for tuples, and whole numbers for some others. What is no field is not looked at.
    """
    declared = hints_of(kind)
    names = [item.name for item in fields(kind) if item.name in values]
    return [name for name in names if not fits(values[name], declared[name])]


@cache
def hints_of(kind: type) -> dict[str, object]:
    """The types of the fields of a dataclass or TypedDict."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(hint)[0] if get_origin(hint) is NotRequired else hint for name, hint in hints.items()}


def fits(value: object, wanted: object) -> bool:
    """Whether a value of JSON is one of a type, or a TypedDict; of a type that JSON does not know anything is."""
    parts, kind = get_args(wanted), get_origin(wanted) or wanted
    if kind is Annotated:
        return fits(value, parts[0])
    if kind in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return value in parts
    if kind in (tuple, list):
        return isinstance(value, list | tuple) and _fit_in_order(value, parts, kind)
    if kind in (Mapping, dict):
        return isinstance(value, Mapping) and (not parts or all(fits(item, parts[1]) for item in value.values()))
    if is_typeddict(kind):
        return isinstance(value, Mapping) and _fit_by_name(value, kind)
    return _is_plain(value, kind)


def _fit_in_order(values, parts, kind):
    if kind is tuple and parts and parts[-1] is not ...:
        return len(values) == len(parts) and all(map(fits, values, parts))
    return not parts or all(fits(value, parts[0]) for value in values)


def _fit_by_name(values, kind):
    hints = {name: hint for name, hint in hints_of(kind).items() if name in values}
    return kind.__required_keys__ <= values.keys() and all(fits(values[name], hint) for name, hint in hints.items())


def _is_plain(value, kind):
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:  # of those that arrays and databases hold
        return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63
    if is_dataclass(kind):
        return isinstance(value, Mapping | kind)
    return kind not in (str, bool, type(None)) or isinstance(value, kind)
