"""Plans: what a person chooses for a text, stored beside it and with each run.

A plan has choices of its own (texts, runs, how a text is cut) and the settings object of its algorithm.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from core.errors import WorkbenchError
from core.settings import (
    PAPER,
    PRESETS,
    Departure,
    choices,
    chosen,
    departures,
    hints_of,
    misfits,
    paper_values,
    unchecked,
)
from core.store import Corpus, CorpusId, Store
from core.workspace.sentence_order import stored_order

# in the settings of every run of a system: its corpus, ``Inputs.words``, and whether trees that were begun counted
RECORDED = {"corpus": CorpusId, "text_words": str, "begun_trees": bool}


@dataclass(frozen=True)
class Plan:
    """What a person chooses: base of frozen dataclasses of plain values, stored for later versions too.

    The field ``settings`` is the settings object of its algorithm; its default is what a page shows at first. The
    ``choices`` of that object are stored under their names, beside the plan's own values. They are stored even where
    they contradict each other; ``dataclasses.replace`` of the object, before it is used, refuses those.

    Attributes
    ----------
    former : mapping of str to type
        Fields that earlier versions stored, which ``renewed`` replaces.
    extra_fields : mapping of str to type
        What else the settings of runs hold: see ``System.recorded``.
    """

    former: ClassVar[Mapping[str, object]] = {}
    extra_fields: ClassVar[Mapping[str, object]] = RECORDED

    @classmethod
    def of(cls, **values: object) -> Self:
        """The default plan with these values by name."""
        return cls(**_fields(getattr(cls, "settings", None), values))

    def with_values(self, **values: object) -> Self:
        """The plan with other values by name."""
        return replace(self, **_fields(getattr(self, "settings", None), values))

    @classmethod
    def unused(cls, values: Mapping[str, object]) -> frozenset[str]:
        """The names of settings that count for nothing under these values, by name."""
        return frozenset()

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

    def departures(self) -> list[Departure]:
        """What is not as in the system's paper, of all that the paper states."""
        settings = getattr(self, "settings", None)
        of_settings = [] if settings is None else departures(settings)
        return departures(self) + [each for each in of_settings if each.name in choices(type(settings))]

    @classmethod
    def paper(cls) -> dict[str, object]:
        """The values that the paper states, by name."""
        settings = getattr(cls, "settings", None)
        values = {} if settings is None else paper_values(settings)
        return paper_values(cls) | {name: value for name, value in values.items() if name in choices(type(settings))}

    def under(self, preset: str, usual: Self) -> Self:
        """The plan with the values of a preset, "paper" or "best", where the paper states any.

        The best ones are those of ``usual``, the plan where nobody has chosen. All else stays.
        """
        values = self.paper()
        return self.with_values(**(values if preset == PAPER else {name: usual.values()[name] for name in values}))

    def preset_by(self, usual: Self) -> str | None:
        """The name of the preset, of ``PRESETS``, that the plan follows, given the usual plan; None if neither."""
        return next((name for name in PRESETS if self.under(name, usual) == self), None)

    def as_dict(self) -> dict:
        """Plain values for the store; JSON has lists only."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.values().items()}

    @classmethod
    def renewed(cls, values: Mapping) -> Mapping:
        """Stored values of any version under the names of this one."""
        return values

    @classmethod
    def from_dict(cls, values: Mapping) -> Self:
        """A plan from stored values. Raises WorkbenchError for a setting or a value that this version does not know."""
        if not isinstance(values, Mapping):
            raise WorkbenchError("these settings are none; choose the settings anew")
        named = cls.renewed(values)
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


def saved_values(store: Store, corpus: Corpus, document: str) -> dict | None:
    """The values of the plan stored with a Corpus under a kind of ``document``, or None.

    The sentences of the text that it is to learn from, ``marked``, are stored by name, and stand here by place.
    """
    values = store.document(corpus.project, document, str(corpus.id))
    return values and _with_marked(values, stored_order(store, corpus).place)


def with_names(store: Store, corpus: Corpus, values: dict) -> dict:
    """The values of a plan as they are stored."""
    return _with_marked(values, stored_order(store, corpus).name)


def _with_marked(values, change):
    marked = [change(number - 1) for number in values.get("marked", ())]
    changed = sorted(index + 1 for index in marked if index is not None)
    return values | {"marked": changed} if changed != list(values.get("marked", ())) else values
