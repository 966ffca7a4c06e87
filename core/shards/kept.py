"""What was made of shards stays with the engine that works on them, as long as there is room: each round needs it
again."""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

ROOM = 400 << 20  # bytes on a shelf

T = TypeVar("T")


class Shelf:
    """Things by owner and key, about ``ROOM`` bytes of them; an engine has one in each process."""

    def __init__(self):
        self._lock, self._things, self._used = threading.Lock(), {}, 0

    def get(self, owner: Hashable, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """As ``kept`` says."""
        with self._lock:
            if (owner, key) in self._things:
                return self._things[owner, key][0]
        made = make()
        self._put(owner, key, made, size(made))
        return made

    def _put(self, owner: Hashable, key: Hashable, thing: Any, size: int) -> None:
        """Keep a thing if there is room, or room can be made."""
        with self._lock:
            if self._used + size > ROOM:
                self._things = {place: each for place, each in self._things.items() if place[0] == owner}
                self._used = sum(own for _, own in self._things.values())
            if self._used + size <= ROOM and (owner, key) not in self._things:
                self._things[owner, key] = thing, size
                self._used += size


_at_hand: ContextVar[Shelf | None] = ContextVar("_at_hand", default=None)


@contextmanager
def keeping(shelf: Shelf) -> Iterator[None]:
    """Within, ``kept`` keeps on this shelf."""
    token = _at_hand.set(shelf)
    try:
        yield
    finally:
        _at_hand.reset(token)


def kept(owner: Hashable, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """``make()``, or what it gave before under this key, if an engine is at work that has kept it.

    Parameters
    ----------
    owner : hashable
        Whose it is, such as the settings of a training; room is made at the cost of other owners.
    key : hashable
    make : callable
        Must give the same each time; what it gives is not to be written to.
    size : callable
        Bytes of what was made.
    """
    shelf = _at_hand.get()
    return make() if shelf is None else shelf.get(owner, key, make, size)
