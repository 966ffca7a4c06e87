"""Two versions of a set: every line of each is accounted for once."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.language.changes import compare_sets

LINES = [
    "A -> B = 0.5",
    "A -> B = 0.75 weight 3",
    "A -> B = 0.5 weight 2",
    "A -> B per head = 0.5",
    "B <- A = 0.5",
    "B <- A = 0.1",
]
sets = st.lists(st.sampled_from(LINES), max_size=6).map(lambda lines: parse_constraints("\n".join(lines)))


@given(sets, sets)
def test_every_line_is_accounted_for_once(old, new):
    changes = compare_sets(old, new)
    kept = Counter(old) & Counter(new)
    assert changes.kept == kept.total()
    assert Counter(changes.removed) + Counter(each.old for each in changes.changed) + kept == Counter(old)
    assert Counter(changes.added) + Counter(each.new for each in changes.changed) + kept == Counter(new)
    assert not {each.name for each in changes.added} & {each.name for each in changes.removed}
    for each in changes.changed:
        assert each.old.name == each.new.name
        targets = (each.old.low, each.old.high) != (each.new.low, each.new.high)
        assert each.what == ("target",) * targets + ("weight",) * (each.old.weight != each.new.weight)
        assert each.what
    assert bool(changes) == (Counter(old) != Counter(new))


def test_order_and_comments_do_not_count():
    old = parse_constraints("A -> B = 0.5 # why\nB <- A = 0.5")
    assert not compare_sets(old, [replace(each, comment="", line=None) for each in old[::-1]])
