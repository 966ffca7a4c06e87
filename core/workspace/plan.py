"""Plans: what a person chooses for a text, stored beside it and with each run.

A plan has choices of its own (texts, runs, how a text is cut) and the settings object of its algorithm.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from core.errors import WorkbenchError
from core.settings import choices, chosen, hints_of, misfits, unchecked
from core.store import CorpusId

RECORDED = {"corpus": CorpusId, "text_words": str}  # in the settings of every run of a system: ``Inputs.words``


@dataclass(frozen=True)
class Plan:
    """What a person chooses: base of frozen dataclasses of plain values, stored for later versions too.

    The field ``settings`` is the settings object of its algorithm; its default is what a page shows at first. The
    ``choices`` of that object are stored under their names, beside the plan's own values. They are stored even where
    they contradict each other; ``dataclasses.replace`` of the object, before it is used, refuses those.

    Attributes
    ----------
    former : mapping of str to str
        Names that earlier versions gave to fields, and the present ones.
    extra_fields : mapping of str to type
        What else the settings of runs hold: see ``System.recorded``.
    """

    former: ClassVar[Mapping[str, str]] = {}
    extra_fields: ClassVar[Mapping[str, object]] = RECORDED

    @classmethod
    def of(cls, **values: object) -> Self:
        """The default plan with these values by name."""
        return cls(**_fields(getattr(cls, "settings", None), values))

    def with_values(self, **values: object) -> Self:
        """The plan with other values by name."""
        return replace(self, **_fields(getattr(self, "settings", None), values))

    @classmethod
    def types(cls) -> dict[str, object]:
        """The type of each value by name; it says which are ids."""
        settings = getattr(cls, "settings", None)
        hints = hints_of(cls)
        types = {field.name: hints[field.name] for field in fields(cls)}
        if settings is not None:
            of_settings = hints_of(type(settings))
            del types["settings"]
            types |= {name: of_settings[name] for name in choices(type(settings))}
        return types

    def values(self) -> dict[str, object]:
        """All choices by name."""
        values = dict(vars(self))
        settings = values.pop("settings", None)
        return values if settings is None else values | chosen(settings)

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
        of_plan, of_settings = _divided(settings, named)
        if (
            unknown := of_plan.keys()
            - {field.name for field in fields(cls) if field.name != "settings"}
            - set(cls.extra_fields)
        ):
            raise WorkbenchError(
                f"these settings are of another version of the workbench: this one has no setting "
                f"{', '.join(sorted(unknown))}; update it, or choose the settings anew"
            )
        if wrong := misfits(cls, of_plan) + ([] if settings is None else misfits(type(settings), of_settings)):
            raise WorkbenchError(
                f"these settings were not written by a workbench: their {', '.join(wrong)} cannot be what is there; "
                "choose the settings anew"
            )
        return cls.of(**{name: value for name, value in named.items() if name not in cls.extra_fields})


def _divided(settings, values):
    """(a plan's own values, those of its settings object) by name."""
    names, of_plan, of_settings = () if settings is None else choices(type(settings)), {}, {}
    for name, value in values.items():
        (of_settings if name in names else of_plan)[name] = value
    return of_plan, of_settings


def _fields(settings, values):
    """The fields of a plan from all its values by name."""
    of_plan, of_settings = _divided(settings, values)
    return of_plan if settings is None else {"settings": unchecked(settings, **of_settings)} | of_plan
