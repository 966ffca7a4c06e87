"""Who may work at once where there is room for some, and who waits: first come, first served."""

from collections import Counter
from collections.abc import Callable, Mapping
from threading import Lock

from core.errors import WorkbenchError, quoted

TABS = 40  # of one process; forty over two, each with a new page every 2.5 seconds, were measured
ENVIRONMENT = "WORKBENCH_TABS"
PEOPLE, LEAST_SHARE = 5, 2  # one person may hold a fifth of the places, or two where there are few


class WaitingLine:
    """So many places, and a line before them; threads may ask at once.

    Parameters
    ----------
    places : int
        How many may work at once, at least 1.

    Attributes
    ----------
    share : int
        How many of them one person may hold.
    """

    def __init__(self, places: int):
        self.places = places
        self.share = min(places, max(LEAST_SHARE, places // PEOPLE))
        self._inside: dict[str, str | None] = {}  # tab that may work -> its person
        self._waiting: dict[str, str | None] = {}  # tab in the line -> its person, in the order in which tabs came
        self._lock = Lock()

    def ask(self, who: str, is_here: Callable[[str], bool], person: str | None = None) -> int:
        """0 where ``who`` may work, else the number in the line, 1 for the next to be let in.

        A place stays with whom it was given to until ``is_here`` says that they have gone. Who is of a ``person`` that
        holds her share is passed over by those behind. O(1) for those inside, else O(places + line).
        """
        with self._lock:
            if who in self._inside:
                self._inside[who] = person
                return 0
            self._inside = {tab: owner for tab, owner in self._inside.items() if is_here(tab)}
            self._waiting = {tab: owner for tab, owner in self._waiting.items() if tab == who or is_here(tab)}
            self._waiting[who] = person
            number, may_pass = self._number(who)
            if not may_pass or number > self.places - len(self._inside):
                return number
            del self._waiting[who]
            self._inside[who] = person
            return 0

    def _number(self, who):
        """(A tab's number in the line, whether its person holds less than her share by tabs inside or before it)."""
        held, number = Counter(self._inside.values()), 0
        for tab, owner in self._waiting.items():
            may_pass = owner is None or held[owner] < self.share
            number += may_pass
            held[owner] += 1
            if tab == who:
                return max(number, 1), may_pass
        raise KeyError(who)

    def has_share(self, person: str | None) -> bool:
        """Whether a person holds as many places as one may."""
        return person is not None and sum(owner == person for owner in self._inside.values()) >= self.share

    def person_of(self, who: str) -> str | None:
        """The person of one who has a place; None for all others."""
        return self._inside.get(who)

    @property
    def waiting(self) -> int:
        """How many stood in the line when somebody last asked."""
        return len(self._waiting)


def tabs_at_once(environment: Mapping[str, str]) -> int:
    """How many tabs a process serves at once: ``WORKBENCH_TABS``, else ``TABS``. Raises WorkbenchError."""
    text = environment.get(ENVIRONMENT) or str(TABS)
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0):
        raise WorkbenchError(f"{ENVIRONMENT} is the number of tabs served at once, 1 or more, not {quoted(text)!r}")
    return int(text)
