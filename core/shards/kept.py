"""What was made of shards stays with whoever worked on them, as long as there is room: each round needs it again."""

import threading
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar

ROOM = 400 << 20  # bytes in a process

T = TypeVar("T")


def kept(owner: Hashable, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """``make()``, or what it gave before under this key, if that was kept.

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
    shelf = _shelf()
    with shelf.lock:
        if (owner, key) in shelf.things:
            return shelf.things[owner, key][0]
    made = make()
    shelf.put(owner, key, made, size(made))
    return made


class _Shelf:
    def __init__(self):
        self.lock, self.things, self.used = threading.Lock(), {}, 0

    def put(self, owner: Hashable, key: Hashable, thing: Any, size: int) -> None:
        """Keep a thing if there is room, or room can be made."""
        with self.lock:
            if self.used + size > ROOM:
                self.things = {place: kept for place, kept in self.things.items() if place[0] == owner}
                self.used = sum(own for _, own in self.things.values())
            if self.used + size <= ROOM and (owner, key) not in self.things:
                self.things[owner, key] = thing, size
                self.used += size


@cache
def _shelf() -> _Shelf:
    return _Shelf()
