"""Drawings merged into one: each step shows what it drew, in its order, and no mark stands twice without need."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.teach.flipbook import increasing, merged

steps = st.lists(st.lists(st.integers(0, 6), max_size=7), max_size=6)


@given(steps)
def test_every_step_shows_its_own_marks_in_their_order(sequences):
    order = merged(sequences)
    for step, marks in enumerate(sequences):
        assert [one.mark for one in order if step in one.steps] == marks
    assert all(one.steps == sorted({*one.steps}) for one in order)


unique = st.lists(st.integers(0, 7), max_size=6, unique=True)


@given(unique, unique)
def test_two_steps_share_as_many_marks_as_can_be(one, other):
    shared = max(
        size for size in range(len(one) + 1)
        if {*combinations(one, size)} & {*combinations(other, size)}
    )  # fmt: skip
    assert len(merged([one, other])) == len(one) + len(other) - shared


@given(st.lists(st.integers(0, 9), max_size=8))
def test_the_longest_increasing_places_are_those_of_all_subsequences(values):
    longest = max(
        (size for size in range(len(values) + 1) for chosen in combinations(values, size)
         if all(a < b for a, b in pairwise(chosen))), default=0,
    )  # fmt: skip
    places = increasing(values)
    assert len(places) == longest and places == sorted({*places})
    assert [values[place] for place in places] == sorted({values[place] for place in places})
