"""Commands and their options: groups that several share, and options made from settings dataclasses.

``core.settings.option`` says what a field can tell about its option.
"""

import types
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from core.commandline.reports import Report
from core.commandline.values import names, positive, weight, whole
from core.compilation.compiling import Warming
from core.settings import BEST, PAPER, PRESETS, departures, of_paper
from core.treebank import FORMATS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Settings = TypeVar("Settings", bound=DataclassInstance)


class Commands(Protocol):
    """Where commands, or the actions of a command, are added to: argparse's subparsers."""

    def add_parser(self, name: str, *, help: str) -> ArgumentParser: ...


def add_actions(commands: Commands, name: str, help: str) -> Commands:
    """A command that has actions; returns where they are added to."""
    return commands.add_parser(name, help=help).add_subparsers(required=True, metavar="ACTION")


def _add_seed(parser):
    parser.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")


def _add_reader_options(parser):
    group = parser.add_argument_group("reading")
    known = ", ".join(format.name for format in FORMATS)
    group.add_argument("--format", default="auto", help=f"auto, {known} (default: auto; lines: one sentence per line)")
    group.add_argument("--encoding", default="utf-8", help="text encoding of the file (default: utf-8)")
    group.add_argument(
        "--language", metavar="L",
        help="language of plain text, by which it is cut: a code, an English name, or unknown (default: guessed)",
    )  # fmt: skip
    group.add_argument(
        "--tags",
        choices=("xpos", "upos"),
        help="tag column (default: the filled one, XPOS if both; with constraints the one that has their tags)",
    )
    group.add_argument(
        "--keep-hyphens", action="store_true", help="leave words of plain text that line ends cut, and soft hyphens"
    )
    group.add_argument(
        "--contractions", metavar="FILE",
        help="table that cuts words of plain text like Spanish del into parts, or none (default: the language's)",
    )  # fmt: skip
    group.add_argument(
        "--writing-system", metavar="CODE", help="of FLEx texts: forms in this one (default: the one most words have)"
    )
    group.add_argument(
        "--tier", action="append", metavar="NAME",
        help="of ELAN files: a transcription tier that is read; once for each (default: those that look like it)",
    )  # fmt: skip
    group.add_argument("--max-length", type=positive, metavar="N", help="leave out sentences of more than N words")
    group.add_argument("--no-punctuation", action="store_true", help="remove punctuation before anything else")
    group.add_argument("--limit", type=positive, metavar="N", help="take the first N sentences of what is left")


def _add_trainer_options(parser):
    parser.add_argument("--dev", metavar="FILE", help="development treebank")
    parser.add_argument(
        "--test", metavar="FILE", help="treebank to score on (default: FILE, where its trees are not learnt from)"
    )
    parser.add_argument("--out", metavar="MODEL", help="save the trained parser here (.npz)")
    _add_seed(parser)


def _add_engine_options(command):
    group = command.add_mutually_exclusive_group()
    group.add_argument("--workers", type=positive, metavar="N", help="work in N processes on this machine")
    group.add_argument(
        "--cluster", metavar="tcp://HOST:PORT",
        help="work on the workers of this Dask scheduler (default: WORKBENCH_CLUSTER, where it is set)",
    )  # fmt: skip


READS, TRAINS = (_add_reader_options,), (_add_reader_options, _add_trainer_options)
SEEDED, SPREADS = (_add_reader_options, _add_seed), (_add_engine_options,)
LEARNS = TRAINS + SPREADS


def add_command(
    actions: Commands, name: str, help: str, run: Callable[[Namespace], Report], groups: Sequence[Callable] = (),
    compiles: Warming | None = None,
) -> ArgumentParser:  # fmt: skip
    """A command that ``run`` carries out, with ``--json`` and the options of what READS a treebank, TRAINS on it, or
    SPREADS its work over the processes of ``engine_of``. What LEARNS does all of it; what is SEEDED reads and draws.

    ``compiles`` has the kernels that it needs, which a second process helps to compile.
    """
    command = actions.add_parser(name, help=help)
    command.add_argument("--json", action="store_true", help="print one JSON object")
    for add_group in groups:
        add_group(command)
    command.set_defaults(run=run, compiles=compiles)
    return command


def add_preset(command: ArgumentParser, help: str = "") -> None:
    """``--preset``: ``settings_of`` begins with the paper's values in place of ours. ``help`` says more of them."""
    text = "paper: its settings, where it states them; best: ours (default); other options count beside either"
    command.add_argument("--preset", choices=PRESETS, default=BEST, help=f"{text}{help and '; '}{help}")


def add_settings(
    command: ArgumentParser, settings: "Settings | type[Settings]", *groups: str, only_given: bool = False
) -> dict:
    """An option for each field of a settings dataclass that says what its option is, or for those of ``groups``.

    The defaults are the values of ``settings``. Given the class alone, or with ``only_given``, an option that is left
    out is None, so that ``settings_of`` takes the value of other settings, such as a preset's. Returns argparse's
    groups by their titles.
    """
    titled: dict = {None: command}
    only_given = only_given or isinstance(settings, type)
    for field in fields(settings):
        group = field.metadata.get("group")
        if "help" not in field.metadata or (groups and group not in groups):
            continue
        if group not in titled:
            titled[group] = command.add_argument_group(group)
        default, text = getattr(settings, field.name), field.metadata["help"]
        more: dict[str, Any] = {"default": None if only_given else default, "dest": _destination(field)}
        if field.type is not bool:
            more |= {name: field.metadata[name] for name in ("choices", "metavar") if name in field.metadata}
            more["type"] = _type(field)
            if default is not None and "default" not in text:
                text = f"{text} (default: {_shown(default)})".lstrip()
        elif field.metadata.get("either"):
            more["action"] = BooleanOptionalAction
        else:
            more["action"] = "store_false" if field.default else "store_true"
        name = field.metadata.get("name", field.name).replace("_", "-")
        titled[group].add_argument(f"--{name}", help=text.replace("%", "%%"), **more)
    return titled


def settings_of(options: Namespace, settings: "Settings", **changes: object) -> "Settings":
    """The settings with the options of its fields' names; an option that is None, or not there, changes nothing.

    With ``--preset paper`` the paper's values come first. ``changes`` take the place of options.
    """
    if getattr(options, "preset", BEST) == PAPER:
        settings = of_paper(settings)
    values = {field.name: getattr(options, _destination(field), None) for field in fields(settings)}
    return replace(settings, **{name: value for name, value in values.items() if value is not None} | changes)


def different_from_paper(settings: "DataclassInstance", beside: Sequence[str], without: str = "") -> list[str]:
    """What differs from the paper, for a report: settings, but those of the group ``without``, and what is none."""
    groups = {field.name: field.metadata.get("group", "") for field in fields(settings)}
    listed = [each.text for each in departures(settings) if not without or groups[each.name] != without]
    return [*listed, *beside]


def _destination(field):
    """The name of an option's value: the option's own, but for one that switches its field off."""
    return field.name if field.default is True else field.metadata.get("name", field.name).replace("-", "_")


def _type(field):
    """What a value is read with."""
    kind = field.type.__args__[0] if isinstance(field.type, types.UnionType) else field.type
    if "choices" in field.metadata or "least" not in field.metadata:
        return names if getattr(kind, "__origin__", None) is tuple else kind
    return weight if kind is float else positive if field.metadata["least"] else whole


def _shown(value):
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    return f"{value:g}" if isinstance(value, float) else value
