"""Limits that the system itself sets this process, so that no text and no page can hold out against them."""

import time
from math import ceil
from pathlib import Path

NO_MEMORY = 3  # exit code of a process that was refused memory


def limit_time(seconds: float | None) -> None:
    """End this process once it has worked for so many seconds from now on, rounded up; None takes the limit away."""
    _limit("RLIMIT_CPU", None if seconds is None else ceil(time.process_time() + seconds))


def limit_memory(size: int | None) -> None:
    """Refuse this process more than so many bytes beyond what it has now; None takes the limit away."""
    status = Path("/proc/self/status")
    if size is None:
        _limit("RLIMIT_AS")
    elif status.exists():
        pages = next(line for line in status.read_text().splitlines() if line.startswith("VmSize"))
        _limit("RLIMIT_AS", 1024 * int(pages.split()[1]) + size)


def _limit(name, most=None):
    try:
        import resource
    except ImportError:
        return  # not on Windows, where only the parent's patience ends a process
    kind = getattr(resource, name)
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (hard if most is None else most, hard))
