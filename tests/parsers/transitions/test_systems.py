"""Transition systems against enumeration: how many derivations and which trees they have."""

import pytest

from core.errors import WorkbenchError
from core.parsers.transitions.systems import EAGER, HYBRID, STANDARD, SWAPPING, SYSTEMS, start_configuration
from tests.oracles.transitions import all_derivations
from tests.oracles.trees import trees

COUNTS = {
    STANDARD.key: (1, 3, 13, 67, 381),
    EAGER.key: (2, 8, 40, 224, 1344),
    HYBRID.key: (1, 3, 13, 67, 381),
    SWAPPING.key: (1, 6, 127, 7249),
}


@pytest.mark.parametrize(("key", "n"), [(key, n) for key, counts in COUNTS.items() for n in range(1, len(counts) + 1)])
def test_number_of_derivations(key, n):
    assert sum(1 for _ in all_derivations(SYSTEMS[key], n)) == COUNTS[key][n - 1]


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_tree_in_reach_is_built(system, n):
    built = {final.heads[1:] for _, final in all_derivations(system, n)}
    whole = {heads for heads in built if -1 not in heads}
    assert whole == {tuple(heads[1:]) for heads in trees(n, single_root=False, projective=system.projective)}
    assert (built == whole) == (system is not EAGER)  # arc-eager alone leaves words without a head


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_derivation_is_replayed(system):
    derivations = list(all_derivations(system, 3))
    ends = [list(system.replay(3, names))[-1] for names, _ in derivations]
    assert ends == [final for _, final in derivations] and len(ends) > 10
    assert all(system.is_final(end) and not system.allowed(end) for end in ends)


def test_a_move_that_is_not_allowed_is_refused():
    with pytest.raises(WorkbenchError, match="Right-Arc cannot be taken as move 1 of Arc-standard on 2 words"):
        list(STANDARD.replay(2, ["Right-Arc"]))
    with pytest.raises(WorkbenchError, match="Arc-hybrid has no transition 'Swap'; it has Shift, Left-Arc, Right-Arc"):
        list(HYBRID.replay(2, ["Shift", "Swap"]))


def test_the_root_has_no_head():
    configuration = start_configuration(2)
    names = [[move.name for move in system.allowed(configuration)] for system in SYSTEMS.values()]
    assert names == [["Shift"], ["Shift", "Right-Arc"], ["Shift"], ["Shift"]]
