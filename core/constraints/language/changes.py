"""What differs between two versions of a constraint set; plain data for whoever shows it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.constraints.language.constraint import Constraint


@dataclass(frozen=True)
class LineChange:
    """One constraint that stands in both versions but asks for something else; ``what`` of "target" and "weight"."""

    old: Constraint
    new: Constraint
    what: tuple[str, ...]


@dataclass(frozen=True)
class SetChanges:
    """From one version of a set to another.

    Attributes
    ----------
    added, removed : tuple of Constraint
        In the order of their own version.
    changed : tuple of LineChange
        Another target or weight, in the order of the new version.
    kept : int
        How many ask for the same as before.
    """

    added: tuple[Constraint, ...]
    removed: tuple[Constraint, ...]
    changed: tuple[LineChange, ...]
    kept: int

    def __bool__(self):
        return bool(self.added or self.removed or self.changed)


def compare_sets(old: Sequence[Constraint], new: Sequence[Constraint]) -> SetChanges:
    """The SetChanges from the constraints ``old`` to ``new``.

    Lines are the same line when they have the same ``name``, which is everything but target and weight. Of several
    lines with one name equal ones are paired first, then the rest in order. Comments and order do not count.
    """
    waiting = defaultdict(list)  # places in ``old``
    for place, constraint in enumerate(old):
        waiting[constraint.name].append(place)
    unpaired = []
    for constraint in new:
        same = [place for place in waiting[constraint.name] if old[place] == constraint]
        if same:
            waiting[constraint.name].remove(same[0])
        else:
            unpaired.append(constraint)
    added, changed = [], []
    for constraint in unpaired:
        if not waiting[constraint.name]:
            added.append(constraint)
            continue
        former = old[waiting[constraint.name].pop(0)]
        differs = {
            "target": (former.low, former.high) != (constraint.low, constraint.high),
            "weight": former.weight != constraint.weight,
        }
        changed.append(LineChange(former, constraint, tuple(name for name, differ in differs.items() if differ)))
    left = sorted(place for places in waiting.values() for place in places)
    return SetChanges(tuple(added), tuple(old[k] for k in left), tuple(changed), len(new) - len(unpaired))
