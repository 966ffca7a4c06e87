"""Types of the callables that long work gets: one to report progress, and one that asks whether to stop."""

from collections.abc import Callable

Progress = Callable[..., object]  # the docstring says with what it is called; what it raises ends the work
Cancel = Callable[[], bool]  # asked between steps; True ends the work, which raises ``core.errors.Cancelled``

__all__ = ["Cancel", "Progress"]
