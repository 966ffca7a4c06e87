"""Who may work at once where there is room for some, and who waits: first come, first served."""

from collections.abc import Callable, Mapping
from threading import Lock

from core.errors import WorkbenchError, quoted

TABS = 40  # of one process; forty over two, each with a new page every 2.5 seconds, were measured
ENVIRONMENT = "WORKBENCH_TABS"


class WaitingLine:
    """So many places, and a line before them; threads may ask at once.

    Parameters
    ----------
    places : int
        How many may work at once, at least 1.
    """

    def __init__(self, places: int):
        self.places = places
        self._inside: set[str] = set()
        self._waiting: dict[str, None] = {}  # in the order in which they came
        self._lock = Lock()

    def ask(self, who: str, is_here: Callable[[str], bool]) -> int:
        """0 where ``who`` may work, else the number in the line, 1 for the next to be let in.

        A place stays with whom it was given to until ``is_here`` says that they have gone. O(1) for those inside, else
        O(places + line).
        """
        with self._lock:
            if who in self._inside:
                return 0
            self._inside = {each for each in self._inside if is_here(each)}
            self._waiting = {each: None for each in self._waiting if each == who or is_here(each)}
            self._waiting.setdefault(who)
            number = list(self._waiting).index(who) + 1
            if number > self.places - len(self._inside):
                return number
            del self._waiting[who]
            self._inside.add(who)
            return 0

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
