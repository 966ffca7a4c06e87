"""Plans: what a person chooses for a text, kept in the store beside it and with each run.

A plan has its own choices, of texts, of runs, of how a text is cut, and the settings object of its algorithm.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from core.errors import WorkbenchError
from core.settings import choices, chosen, hints_of, misfits, unchecked
from core.store import CorpusId


@dataclass(frozen=True)
class Plan:
    """What a person chooses: base of frozen dataclasses of plain values, kept in the store for later versions too.

    What its algorithm takes stands in the field ``settings``, the settings object of that, whose default says what is
    usual on a page. A plan keeps the ``choices`` of it under their names, beside its own values. They are kept even
    where they do not go together; ``dataclasses.replace`` of the object, before it is used, says so.

    Attributes
    ----------
    former : mapping of str to str
        Names that earlier versions gave to fields, and the present ones.
    extra_fields : mapping of str to type
        What else the settings of runs hold: see ``System.recorded``.
    """

    former: ClassVar[Mapping[str, str]] = {}
    extra_fields: ClassVar[Mapping[str, object]] = {"corpus": CorpusId}

    @classmethod
    def of(cls, **values: object) -> Self:
        """The usual plan, but for these values by their names."""
        return cls(**_fields(getattr(cls, "settings", None), values))

    def with_values(self, **values: object) -> Self:
        """With other values by their names."""
        return replace(self, **_fields(getattr(self, "settings", None), values))

    @classmethod
    def types(cls) -> dict[str, object]:
        """The type of each value by name; it says which are ids."""
        settings = getattr(cls, "settings", None)
        own = {name: kind for name, kind in hints_of(cls).items() if name in {each.name for each in fields(cls)}}
        if settings is None:
            return own
        held = hints_of(type(settings))
        return {name: own[name] for name in own if name != "settings"} | {
            name: held[name] for name in choices(type(settings))
        }

    def values(self) -> dict[str, object]:
        """All that is chosen, by name."""
        own = dict(vars(self))
        settings = own.pop("settings", None)
        return own if settings is None else own | chosen(settings)

    def as_dict(self) -> dict:
        """Plain values for the store; JSON has lists only."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.values().items()}

    @classmethod
    def from_dict(cls, values: Mapping) -> Self:
        """A plan from stored values. Raises WorkbenchError for a setting or a value that this version does not know."""
        if not isinstance(values, Mapping):
            raise WorkbenchError("these settings are none; choose the settings anew")
        named = {cls.former.get(name, name): value for name, value in values.items()}
        settings = getattr(cls, "settings", None)
        own, held = _divided(settings, named)
        if (
            unknown := own.keys()
            - {field.name for field in fields(cls) if field.name != "settings"}
            - set(cls.extra_fields)
        ):
            raise WorkbenchError(
                f"these settings are of another version of the workbench: this one has no setting "
                f"{', '.join(sorted(unknown))}; update it, or choose the settings anew"
            )
        if wrong := misfits(cls, own) + ([] if settings is None else misfits(type(settings), held)):
            raise WorkbenchError(
                f"these settings were not written by a workbench: their {', '.join(wrong)} cannot be what is there; "
                "choose the settings anew"
            )
        return cls.of(**{name: value for name, value in named.items() if name not in cls.extra_fields})


def _divided(settings, values):
    """(a plan's own values, those of its settings object) by name."""
    offered, own, held = () if settings is None else choices(type(settings)), {}, {}
    for name, value in values.items():
        (held if name in offered else own)[name] = value
    return own, held


def _fields(settings, values):
    """The fields of a plan from all its values by name."""
    own, held = _divided(settings, values)
    return own if settings is None else {"settings": unchecked(settings, **held)} | own
