"""An ELAN file (``.eaf``) as tiers and annotations, each with its place in the file; its text is ``elan``'s matter."""

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from core.errors import FormatError, quoted
from core.treebank.refused_files import refusal
from core.treebank.xml_places import Element, XmlText

ASSOCIATION, SUBDIVISION = "Symbolic_Association", "Symbolic_Subdivision"
SUBDIVISIONS = (SUBDIVISION, "Time_Subdivision", "Included_In")
REMEDY = "open it in ELAN and save it again"
NUMBER = re.compile(r"\D*(\d{1,18})")  # of an id
LAST_USED = "lastUsedAnnotationId"


@dataclass(eq=False)
class TierAnnotation:
    """One annotation of a tier. ``begin`` and ``end`` are milliseconds, None where it has no times of its own.

    ``parent`` is the annotation of the tier above it; ``previous`` the id of the one that it follows.
    """

    id: str
    text: str
    element: Element
    value: Element
    begin: int | None = None
    end: int | None = None
    rank: tuple[int, int] = (0, 0)  # its begin and the place of that in the file, which decides where times lack
    parent: str | None = None
    previous: str | None = None


@dataclass(eq=False)
class Tier:
    """A tier; ``constraint`` is the stereotype of its linguistic type, "" for one that stands by itself."""

    id: str
    element: Element
    type: str
    constraint: str
    above: str | None
    annotations: list[TierAnnotation] = field(default_factory=list)

    @property
    def speaker(self) -> str:
        """Who speaks: the participant, else the tier's own name."""
        return self.element.attributes.get("PARTICIPANT") or self.id

    @cached_property
    def below(self) -> dict[str, list[TierAnnotation]]:
        """The id of an annotation of the tier above -> the annotations that belong to it, in order."""
        groups = defaultdict(list)
        for annotation in self.annotations:
            if annotation.parent is not None:
                groups[annotation.parent].append(annotation)
        return {parent: _chained(group) for parent, group in groups.items()}


@dataclass(frozen=True, eq=False)
class EafDocument:
    """An ELAN file: ``xml`` with the places, and its tiers by their names, in the order of the file."""

    xml: XmlText
    tiers: dict[str, Tier]

    @classmethod
    def of(cls, data: bytes, path: str | Path | None = None) -> "EafDocument":
        """Read the bytes of an ELAN file. O(bytes).

        Raises FormatError : no well-formed XML; another kind of XML; a tier, annotation or time slot that is named
        and not there, or there twice; with the line.
        """
        if reason := refusal(data):
            raise FormatError(reason, path=path)
        xml = XmlText.of(data, path, REMEDY)
        if xml.root.tag != "ANNOTATION_DOCUMENT":
            message = f"this is no ELAN file: it begins with {quoted(xml.root.tag)}, not ANNOTATION_DOCUMENT"
            raise FormatError(f"{message}; choose a file that ELAN saved", path=path, line=xml.root.line)
        return cls(xml, _Reader(xml, path).tiers)

    def children(self, tier: Tier, *constraints: str) -> list[Tier]:
        """The tiers right below one, of these stereotypes."""
        return [each for each in self.tiers.values() if each.above == tier.id and each.constraint in constraints]

    @cached_property
    def annotations(self) -> dict[str, TierAnnotation]:
        """The annotations of all tiers by their ids."""
        return {annotation.id: annotation for tier in self.tiers.values() for annotation in tier.annotations}

    @property
    def last_used(self) -> Element | None:
        """The property that holds the number of the last annotation id; None where the file has none."""
        headers = list(self.xml.root.all("HEADER"))
        properties = [each for header in headers for each in header.all("PROPERTY")]
        return next((each for each in properties if each.attributes.get("NAME") == LAST_USED), None)

    @cached_property
    def last_number(self) -> int:
        """The highest number that an id of an annotation or a time slot ends in, or that was used for one."""
        ids = list(self.annotations)
        orders = self.xml.root.all("TIME_ORDER")
        slots = [slot.attributes.get("TIME_SLOT_ID", "") for order in orders for slot in order.children]
        ids += [slot for slot in slots if slot.startswith("a")]  # as the ids of annotations do
        if self.last_used is not None:
            ids.append(self.last_used.text.strip())
        return max((int(match[1]) for id in ids if (match := NUMBER.fullmatch(id))), default=0)


class _Reader:
    """Reads the tiers of a document; ``path`` is for errors."""

    def __init__(self, xml, path):
        self.path, self.tiers, self.ids = path, {}, {}
        self.slots = self._time_slots(xml.root)
        self.constraints = {
            each.attributes.get("LINGUISTIC_TYPE_ID", ""): each.attributes.get("CONSTRAINTS", "")
            for each in xml.root.all("LINGUISTIC_TYPE")
        }
        for element in xml.root.all("TIER"):
            self._tier(element)
        for tier in self.tiers.values():
            self._check_above(tier)
            self._attach(tier)

    def error(self, message, element):
        return FormatError(f"{message}; {REMEDY}", path=self.path, line=element.line)

    def named(self, element, name):
        """An attribute that must be there."""
        if not (value := element.attributes.get(name, "")):
            raise self.error(f"{element.tag} has no {name}", element)
        return value

    def _time_slots(self, root):
        """Time slot -> (milliseconds, its number); one that has no time has that of the slot before it."""
        slots, last = {}, 0
        for order in root.all("TIME_ORDER"):
            for slot in order.all("TIME_SLOT"):
                time = slot.attributes.get("TIME_VALUE")
                if time is not None and not re.fullmatch(r"\d{1,18}", time):
                    raise self.error(f"TIME_VALUE is {quoted(time)}, no number of milliseconds", slot)
                last = last if time is None else int(time)
                slots[self.named(slot, "TIME_SLOT_ID")] = last, len(slots)
        return slots

    def _tier(self, element):
        name, type = self.named(element, "TIER_ID"), element.attributes.get("LINGUISTIC_TYPE_REF", "")
        if name in self.tiers:
            raise self.error(f"the tier {quoted(name)} is there twice", element)
        above = element.attributes.get("PARENT_REF") or None
        tier = Tier(name, element, type, self.constraints.get(type, "") if above else "", above)
        for holder in element.all("ANNOTATION"):
            for child in holder.children:
                tier.annotations.append(self._annotation(child, holder))
        self.tiers[name] = tier

    def _annotation(self, element, holder):
        name = self.named(element, "ANNOTATION_ID")
        if name in self.ids:
            raise self.error(f"the annotation {quoted(name)} is there twice", element)
        value = next(element.all("ANNOTATION_VALUE"), None)
        if value is None:
            raise self.error(f"the annotation {quoted(name)} has no ANNOTATION_VALUE", element)
        annotation = TierAnnotation(name, " ".join(value.text.split()), holder, value)
        if element.tag == "ALIGNABLE_ANNOTATION":
            annotation.rank, until = (self._time(element, f"TIME_SLOT_REF{which}") for which in (1, 2))
            annotation.begin, annotation.end = annotation.rank[0], until[0]
        else:
            annotation.parent = self.named(element, "ANNOTATION_REF")
            annotation.previous = element.attributes.get("PREVIOUS_ANNOTATION")
        self.ids[name] = annotation
        return annotation

    def _time(self, element, name):
        slot = self.named(element, name)
        if slot not in self.slots:
            raise self.error(f"{name} names the time slot {quoted(slot)}, which is not there", element)
        return self.slots[slot]

    def _check_above(self, tier):
        """Raise FormatError where a tier's parent is not there, or is the tier itself, if by way of others."""
        seen, above = {tier.id}, tier.above
        while above is not None:
            if above not in self.tiers:
                raise self.error(f"PARENT_REF names the tier {quoted(above)}, which is not there", tier.element)
            if above in seen:
                raise self.error(f"the tier {quoted(tier.id)} is below itself", tier.element)
            seen.add(above)
            above = self.tiers[above].above

    def _attach(self, tier):
        """Give each annotation of a tier the one above it: the one that it names, or in whose time it begins."""
        if tier.above is None:
            return
        above = self.tiers[tier.above].annotations
        known = {annotation.id for annotation in above}
        timed = sorted((each for each in above if each.begin is not None), key=lambda each: each.rank)
        begins = [each.rank for each in timed]
        for annotation in tier.annotations:
            if annotation.begin is not None:
                at = bisect_right(begins, annotation.rank) - 1
                annotation.parent = timed[at].id if at >= 0 else None
            elif annotation.parent not in known:
                message = f"the annotation {quoted(annotation.id)} refers to {quoted(annotation.parent)}"
                raise self.error(f"{message}, which the tier {quoted(tier.above)} does not have", annotation.element)


def _chained(group):
    """Annotations of one parent in the order that ``previous`` says, or of their times; else that of the file."""
    if group[0].begin is not None:
        return sorted(group, key=lambda each: each.rank)
    follows = {each.previous: each for each in group if each.previous is not None}
    first = [each for each in group if each.previous is None]
    chain = first[:1]
    while chain and (after := follows.pop(chain[-1].id, None)) is not None:
        chain.append(after)
    return chain if len(chain) == len(group) else group
