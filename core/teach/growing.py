"""What a chart holds at each of thousands of steps, stored once: entries that grow in number, and tables of them."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from itertools import islice

Key = Hashable


class GrowingEntries:
    """Entries in the order in which they were added; ``now`` is what there is up to here. All operations are O(1)."""

    def __init__(self):
        self.values: dict[Key, str] = {}
        self.places: dict[Key, int] = {}

    def add(self, key: Key, value: str) -> None:
        """One more; a key is added once."""
        self.places[key] = len(self.values)
        self.values[key] = value

    def now(self) -> "EntriesSoFar":
        """The entries so far, which stay what they are."""
        return EntriesSoFar(self)


class EntriesSoFar(Mapping):
    """The first entries of a ``GrowingEntries``."""

    def __init__(self, entries: GrowingEntries):
        self._entries, self._count = entries, len(entries.values)

    def __getitem__(self, key: Key) -> str:
        if key not in self:
            raise KeyError(key)
        return self._entries.values[key]

    def __contains__(self, key: object) -> bool:
        return self._entries.places.get(key, self._count) < self._count

    def __iter__(self) -> Iterator:
        return islice(self._entries.values, self._count)

    def __len__(self) -> int:
        return self._count


class LaterTable(Mapping):
    """A table, columns by name, that is made when it is first looked at."""

    def __init__(self, make: Callable[[], dict[str, list]]):
        self._make = make

    @cached_property
    def _columns(self) -> dict[str, list]:
        return self._make()

    def __getitem__(self, name: str) -> list:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
