"""The difference between two versions of a constraint set, as plain data."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.constraints.language.constraint import Constraint


@dataclass(frozen=True)
class ConstraintChange:
    """A constraint whose target or weight differs between the versions; ``what`` names these fields."""

    old: Constraint
    new: Constraint
    what: tuple[str, ...]


@dataclass(frozen=True)
class SetChanges:
    """From one version of a set to another.

    Attributes
    ----------
    added, removed : tuple of Constraint
        In the order of the version that they are in.
    changed : tuple of ConstraintChange
        Another target or weight, in the order of the new version.
    kept : int
        How many are the same in both versions.
    """

    added: tuple[Constraint, ...]
    removed: tuple[Constraint, ...]
    changed: tuple[ConstraintChange, ...]
    kept: int

    def __bool__(self):
        return bool(self.added or self.removed or self.changed)


def compare_sets(old: Sequence[Constraint], new: Sequence[Constraint]) -> SetChanges:
    """The SetChanges from the constraints ``old`` to ``new``.

    Constraints correspond if they have the same ``name``, which is everything but target and weight. Of several with
    one name, equal ones are paired first, then the rest in order. Comments and order do not count.
    """
    waiting = defaultdict(list)  # indices in ``old``
    for index, constraint in enumerate(old):
        waiting[constraint.name].append(index)
    unpaired = []
    for constraint in new:
        same = [index for index in waiting[constraint.name] if old[index] == constraint]
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
        changed.append(ConstraintChange(former, constraint, tuple(name for name, differ in differs.items() if differ)))
    removed = sorted(index for indices in waiting.values() for index in indices)
    return SetChanges(tuple(added), tuple(old[index] for index in removed), tuple(changed), len(new) - len(unpaired))
