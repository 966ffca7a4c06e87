"""A server rests once when nobody was there for a while, and then not before somebody was there again."""

from core.workspace.idle import IdleTimer


def test_it_rests_once_after_a_while():
    time = [0.0]
    rest = IdleTimer(30, lambda: time[0])

    def asked(at, busy):
        time[0] = at
        return rest.is_due(busy)

    assert not asked(100, False) and not rest.is_waiting  # nobody has come yet
    assert not asked(110, True) and rest.is_waiting
    assert not asked(139, False)
    assert not asked(150, True)
    assert not asked(179, False)
    assert asked(180, False) and not rest.is_waiting
    assert not asked(500, False)
    assert not asked(510, True)
    assert asked(540, False)
